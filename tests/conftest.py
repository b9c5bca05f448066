"""What every test gets: folders of its own for settings and logs, and no display."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the settings and logs of the person who runs it."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("FORENSIA_HOME", str(home))
    return home
