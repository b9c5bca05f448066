from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia import settings
from forensia.errors import SettingsError
from forensia.settings import Settings


def test_round_trip(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    kept = Settings(theme="dark", jobs=2, recent=("a.forensia", "ö.forensia"))
    settings.save(kept, file)
    assert settings.load(file) == kept
    assert os.name == "nt" or file.stat().st_mode & 0o777 == 0o600


def test_missing_file_gives_defaults(tmp_path: Path) -> None:
    assert settings.load(tmp_path / "none.json") == Settings()


@pytest.mark.parametrize("content", ["", "[]", "null", "{", "[" * 100_000, '{"theme": 3, "jobs": "x", "recent": [1]}'])
def test_damaged_file_gives_defaults(tmp_path: Path, content: str) -> None:
    file = tmp_path / "settings.json"
    file.write_text(content)
    assert settings.load(file) == Settings()


def test_one_bad_field_does_not_lose_the_others(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"version": 99, "theme": "purple", "jobs": 3, "unknown": 1}))
    assert settings.load(file) == Settings(jobs=3)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.json"
    settings.save(Settings(jobs=1), file)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SettingsError, match="unchanged"):
        settings.save(Settings(jobs=2), file)
    assert settings.load(file) == Settings(jobs=1)
    assert [path.name for path in tmp_path.iterdir()] == ["settings.json"]


@given(st.lists(st.text(min_size=1, max_size=5), max_size=40))
def test_recent_keeps_the_newest_first_without_repeats(names: list[str]) -> None:
    kept = Settings()
    for name in names:
        kept = kept.with_recent(Path(name))
    assert len(kept.recent) == len(set(kept.recent)) <= settings.RECENT_KEPT
    if names:
        assert kept.recent[0] == str(Path(names[-1]))
