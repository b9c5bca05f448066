from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from forensia import paths
from forensia.errors import StorageError


def test_resources_hold_the_sample() -> None:
    assert (paths.sample_case() / "known").is_dir()


def test_frozen_program_looks_in_its_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "resources").mkdir()
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert paths.resources() == tmp_path / "resources"


@pytest.mark.skipif(os.name == "nt", reason="permissions are POSIX")
def test_user_folders_are_private_and_distinct(own_home: Path) -> None:
    folders = [paths.config_dir(), paths.data_dir(), paths.log_dir(), paths.cache_dir()]
    assert len(set(folders)) == 4
    assert all(folder.is_relative_to(own_home) and folder.stat().st_mode & 0o777 == 0o700 for folder in folders)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="XDG is for Linux")
def test_xdg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORENSIA_HOME")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert paths.config_dir() == tmp_path / "forensia"


def test_a_place_that_cannot_be_made_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FORENSIA_HOME", str(tmp_path / "file"))
    with pytest.raises(StorageError, match="FORENSIA_HOME"):
        paths.log_dir()
