"""Where cases lie and which were open last, and what the report is told about ignored problems; small things that the desk needs."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from forensia import settings
from forensia.case.choices import BESIDE
from forensia.case.store import Case
from forensia.errors import SettingsError, StorageError
from forensia.gui.snapshot import IGNORED, untitled_folder

_log = logging.getLogger(__name__)


def set_aside(case: Case, changes: Mapping[str, Any], label: str) -> Any:
    """Change which problems are ignored; what else the report is to say stays as it is."""
    now = case.settings()
    beside = dict(now.get(BESIDE) or {})
    listed = {**(beside.get(IGNORED) or {}), **changes}
    beside[IGNORED] = {key: told for key, told in listed.items() if told is not None}
    return case.set_settings({**now, BESIDE: beside}, label)


def remember(case: Path) -> None:
    """Put a case first among the recent ones; forgetting is no reason to stop work."""
    _save(settings.load().with_recent(case))


def forget(case: Path) -> None:
    known = settings.load()
    _save(replace(known, recent=tuple(name for name in known.recent if name != str(case))))


def _save(wanted: settings.Settings) -> None:
    try:
        settings.save(wanted)
    except SettingsError as error:
        _log.warning("%s", error)


def free_place() -> Path:
    """The place of the next untitled case."""
    folder = untitled_folder()
    for number in range(1, 10_000):
        place = folder / f"Untitled {number}.forensia"
        if not place.exists():
            return place
    text = QCoreApplication.translate("shelf", "There are too many untitled cases in {0}. Delete some of them.")
    raise StorageError(text.format(folder))


def same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
