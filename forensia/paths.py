"""Where things are: our own resources, and the user's folders for settings, data, logs and temporary files.

FORENSIA_HOME puts all of the user's folders below one place: for tests, for a memory stick, for a locked-down machine.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from forensia.errors import StorageError

_PACKAGE = Path(__file__).resolve().parent


def resources() -> Path:
    """The folder with the language model, the word lists and the sample case: frozen, installed or source tree."""
    frozen = getattr(sys, "_MEIPASS", None)
    candidates = [Path(frozen) / "resources"] if frozen else []
    candidates += [_PACKAGE / "resources", _PACKAGE.parent / "resources"]
    for folder in candidates:
        if folder.is_dir():
            return folder
    raise StorageError("Forensia's own resources are missing: please install it again.")


def sample_case() -> Path:
    """The embedded sample: `known/` with a folder for each author, `disputed/` with the questioned texts."""
    return resources() / "sample"


def config_dir() -> Path:
    """Settings, without any document content."""
    return _user_folder(
        "config", windows="APPDATA", mac="Library/Application Support", xdg=("XDG_CONFIG_HOME", ".config")
    )


def data_dir() -> Path:
    """Things the user may want to keep: crash notices, results of experiments."""
    return _user_folder(
        "data", windows="LOCALAPPDATA", mac="Library/Application Support", xdg=("XDG_DATA_HOME", ".local/share")
    )


def log_dir() -> Path:
    return _user_folder("log", windows="LOCALAPPDATA", mac="Library/Logs", xdg=("XDG_STATE_HOME", ".local/state"))


def cache_dir() -> Path:
    """Only for what can be made again and holds no document text (font lists)."""
    return _user_folder("cache", windows="LOCALAPPDATA", mac="Library/Caches", xdg=("XDG_CACHE_HOME", ".cache"))


def private_folder(folder: Path) -> Path:
    """Make `folder` for this user alone (0700)."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise StorageError(
            f"The folder {folder} cannot be made ({reason}). Set FORENSIA_HOME to another place."
        ) from error
    return folder


def _user_folder(kind: str, *, windows: str, mac: str, xdg: tuple[str, str]) -> Path:
    home = os.environ.get("FORENSIA_HOME")
    if home:
        return private_folder(Path(home) / kind)
    if sys.platform == "win32":
        base = Path(os.environ.get(windows) or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / mac
    else:
        variable, default = xdg
        base = Path(os.environ.get(variable) or Path.home() / default)
    folder = base / "Forensia" if sys.platform in ("win32", "darwin") else base / "forensia"
    shared = sys.platform in ("win32", "darwin") and kind != "config"
    return private_folder(folder / kind if shared else folder)
