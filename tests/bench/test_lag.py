"""The lag of the window: what counts as one, and on which texts it is measured."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from forensia.bench import lag
from forensia.gui.driven import Watch


def test_lag_is_measured(qtbot: QtBot) -> None:
    """A wait of a quarter of a second counts with every tick that fell into it."""
    watch = Watch()
    watch.start()
    slept: list[None] = []
    QTimer.singleShot(20, lambda: slept.append(time.sleep(0.25)))
    qtbot.waitUntil(lambda: bool(slept), timeout=60_000)
    found = lag.Lag.of("waiting", watch.stop())
    assert found.max_ms >= 240
    assert found.p99_ms >= 150
    assert not found.within
    assert "more than 50" in lag.line(found)


def test_lag_is_measured_on_made_up_texts_where_there_are_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORENSIA_DATA", str(tmp_path / "none"))
    known, disputed, what = lag._texts(tmp_path, None, 3, 4, 5)
    assert what == "made-up texts"
    assert len(list(known.rglob("*.txt"))) == 12
    assert len(disputed) == 5
    texts = {path.read_text("utf-8") for path in (*known.rglob("*.txt"), *disputed)}
    assert len(texts) == 17, "none is a copy of another"
