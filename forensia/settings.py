"""What the program remembers between starts: a few preferences and the names of recent cases, never document content."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import get_type_hints

from forensia import codec, files, paths
from forensia.errors import SettingsError, StorageError

VERSION = 1
RECENT_KEPT = 12
_SIZE_LIMIT = 1_000_000


@dataclass(frozen=True)
class Settings:
    """Preferences. Every field has a default, so an older or a damaged file still gives a working program."""

    version: int = VERSION
    theme: str = "system"
    jobs: int = 0  # 0: as many as there are cores
    paper_size: str = "A4"
    analyst: str = ""
    recent: tuple[str, ...] = ()
    window: str = ""  # Qt's own geometry string

    def __post_init__(self) -> None:
        if self.theme not in ("system", "light", "dark"):
            raise SettingsError(f"The theme must be system, light or dark, not {self.theme!r}.")
        if self.paper_size not in ("A4", "Letter"):
            raise SettingsError(f"The paper size must be A4 or Letter, not {self.paper_size!r}.")
        if not 0 <= self.jobs <= 1024:
            raise SettingsError(f"The number of parallel jobs must lie between 0 and 1024, not {self.jobs}.")

    def with_recent(self, case: Path) -> Settings:
        """The settings with `case` first among the recent ones."""
        name = str(case)
        rest = [other for other in self.recent if other != name]
        return replace(self, recent=tuple([name, *rest][:RECENT_KEPT]))


def settings_file() -> Path:
    return paths.config_dir() / "settings.json"


def load(file: Path | None = None) -> Settings:
    """Read the settings; what is missing, unknown or nonsense falls back to its default, one field at a time."""
    file = file or settings_file()
    try:
        if file.stat().st_size > _SIZE_LIMIT:
            return Settings()
        raw = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return Settings()
    if not isinstance(raw, dict):
        return Settings()
    settings = Settings()
    for name, kind in get_type_hints(Settings).items():
        if name in raw and name != "version":
            with suppress(codec.WrongShape, SettingsError):
                settings = replace(settings, **{name: codec.typed(kind, raw[name])})
    return settings


def save(settings: Settings, file: Path | None = None) -> None:
    """Write the settings so that a crash or a full disk leaves the old file or the new one, never half a file."""
    place = file or settings_file()
    try:
        files.write(place, json.dumps(asdict(settings), indent=2, ensure_ascii=False) + "\n", private=True)
    except StorageError as error:
        raise SettingsError(f"The settings could not be kept; the old ones are unchanged. {error}") from error
