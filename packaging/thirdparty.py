"""The licences of everything in the bundle, beside it: the Python libraries tell theirs, Debian tells those of the system's libraries."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

_TELL = "import sys; from forensia import licences; sys.stdout.reconfigure(encoding='utf-8'); sys.stdout.writelines(licences.full_text())"
_COMMON = Path("/usr/share/common-licenses")
_RULE = "=" * 100


def write(folder: Path, python: Path, environment: dict[str, str]) -> None:
    """LICENSES.txt: a list, then every text."""
    told = subprocess.run([str(python), "-c", _TELL], check=True, capture_output=True, env=environment)
    with (folder / "LICENSES.txt").open("wb") as stream:
        stream.write(told.stdout)
        for title, text in [*_python(), *_qt(), *_system_libraries(folder)]:
            stream.write(f"\n{_RULE}\n{title}\n{_RULE}\n\n{text.strip()}\n".encode())


def _python() -> list[tuple[str, str]]:
    file = Path(sysconfig.get_paths()["stdlib"]) / "LICENSE.txt"
    return [(f"Python {sys.version.split()[0]}", _read(file))] if file.is_file() else []


def _qt() -> list[tuple[str, str]]:
    """PySide6 and Qt are used under the LGPL 3, which builds on the GPL 3; their wheels hold neither text."""
    return [
        (f"Qt, PySide6, Shiboken: {name}", _read(_COMMON / name)) for name in ("LGPL-3", "GPL-3") if _COMMON.is_dir()
    ]


def _system_libraries(folder: Path) -> list[tuple[str, str]]:
    """Debian's notices for the libraries of the system that PyInstaller put at the top of the bundle."""
    if not shutil.which("dpkg"):
        return []
    inside = folder / "_internal"
    names = sorted(path.name for place in (inside, inside / "fallback") for path in place.glob("lib*.so*"))
    packages: dict[str, list[str]] = {}
    for name in names:
        told = subprocess.run(["dpkg", "-S", f"*/{name}"], capture_output=True, text=True, check=False).stdout
        for line in told.splitlines()[:1]:
            packages.setdefault(line.split(":")[0], []).append(name)
    notices = []
    for package, held in sorted(packages.items()):
        notice = Path("/usr/share/doc") / package / "copyright"
        if notice.is_file():
            notices.append((f"{', '.join(held)} (Debian package {package})", _read(notice)))
    return notices


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")
