#!/usr/bin/env python3
"""Build what people install: the bundle that needs no Python, its archive, and on Windows and macOS what their installers take.

    python3.11 packaging/build.py [--work DIR] [--out DIR] [--fresh]

A virtual environment of its own is made from requirements.lock (every wheel checked by its hash), Forensia is installed into it
as anybody would, and PyInstaller puts the two into one folder. The same source gives the same bytes: README.md says what that
needs. Only the standard library is used here.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

import archive  # noqa: E402
import thirdparty  # noqa: E402

PYTHON = (3, 11)  # the lock's
LOCK = HERE / "requirements.lock"
MOST_MEGABYTES = 400
SYSTEMS = {"linux": "linux", "win32": "windows", "darwin": "macos"}


class CannotBuild(Exception):
    """A problem with one sentence for whoever builds."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--work", type=Path, default=ROOT / "build", help="for what is only needed while building")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="for what is made")
    parser.add_argument("--fresh", action="store_true", help="make the environment again, even if it is current")
    options = parser.parse_args()
    work, out = options.work.resolve(), options.out.resolve()
    begun = time.monotonic()
    try:
        check_python()
        environment = settings(work)
        python = set_up(work / "environment", environment, options.fresh)
        install_forensia(python, environment)
        folder = freeze(python, work, out, environment)
        archived = finish(folder, python, out, environment)
    except CannotBuild as problem:
        sys.stderr.write(f"build: {problem}\n")
        return 1
    except subprocess.CalledProcessError as problem:
        sys.stderr.write(f"build: '{' '.join(map(str, problem.cmd[:4]))} ...' failed with code {problem.returncode}.\n")
        return 1
    megabytes = size(folder) / 1e6
    say(f"{folder}: {megabytes:,.0f} MB unpacked, made in {time.monotonic() - begun:,.0f} s")
    if archived:
        digest = hashlib.sha256(archived.read_bytes()).hexdigest()
        say(f"{archived}: {archived.stat().st_size / 1e6:,.0f} MB, SHA-256 {digest}")
    if megabytes > MOST_MEGABYTES:
        sys.stderr.write(f"build: the bundle is larger than {MOST_MEGABYTES} MB; README.md says where to look.\n")
        return 1
    return 0


def check_python() -> None:
    if sys.version_info[:2] != PYTHON:
        wanted = ".".join(map(str, PYTHON))
        raise CannotBuild(
            f"The lock is for Python {wanted}, and this is {platform.python_version()}: use python{wanted}."
        )


def settings(work: Path) -> dict[str, str]:
    """The environment of every step: nothing in it depends on the moment or on whose machine this is."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    # PyInstaller's own cache may hold what another build put there.
    return kept | {
        "SOURCE_DATE_EPOCH": str(source_date()),
        "PYTHONHASHSEED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONNOUSERSITE": "1",
        "PYINSTALLER_CONFIG_DIR": str(work / "pyinstaller"),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }


def source_date() -> int:
    """Seconds since 1970 of the source: as given, else of the last commit, else always the same."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given.isdigit():
        return int(given)
    try:
        told = subprocess.run(
            ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"], capture_output=True, text=True, check=True
        )
        return int(told.stdout)
    except (OSError, ValueError, subprocess.CalledProcessError):
        return 1_700_000_000


def set_up(folder: Path, environment: dict[str, str], fresh: bool) -> Path:
    """The virtual environment of the build; it is made again when the lock has changed."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp, wanted = folder / "lock.sha256", hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if not fresh and stamp.exists() and stamp.read_text() == wanted and python.exists():
        return python
    say(f"making the environment in {folder}")
    folder.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True, env=environment)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    subprocess.run(
        [*pip, "--require-hashes", "--only-binary=:all:", "--no-deps", "-r", str(LOCK)], check=True, env=environment
    )
    stamp.write_text(wanted)
    return python


def install_forensia(python: Path, environment: dict[str, str]) -> None:
    """Install the source as it is now, as a wheel, with the locked build tools."""
    say(f"installing Forensia {version()}")
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    command = [
        *pip,
        "--force-reinstall",
        "--no-deps",
        "--no-build-isolation",
        "--no-compile",
        "--no-cache-dir",
        str(ROOT),
    ]
    subprocess.run(command, check=True, env=environment)


def freeze(python: Path, work: Path, out: Path, environment: dict[str, str]) -> Path:
    say("freezing")
    command = [
        str(python), "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN",
        "--workpath", str(work / "frozen"), "--distpath", str(out), str(HERE / "forensia.spec"),
    ]  # fmt: skip
    subprocess.run(command, check=True, env=environment, cwd=HERE)
    return out / ("Forensia.app" if sys.platform == "darwin" else "forensia")


def finish(folder: Path, python: Path, out: Path, environment: dict[str, str]) -> Path | None:
    """Put the licences into the bundle, and what installs it; then pack it as its system expects."""
    inside = folder / "Contents" / "Resources" if sys.platform == "darwin" else folder
    thirdparty.write(inside, python, environment)
    for text in ("CHANGELOG.md", "LICENSE"):
        shutil.copy(ROOT / text, inside / text)
    name = f"forensia-{version()}-{SYSTEMS.get(sys.platform, sys.platform)}-{platform.machine().lower()}"
    if sys.platform == "win32":
        return finish_windows(out)
    if sys.platform == "darwin":
        return finish_mac(folder, out / f"{name}.zip")
    archive.add_desktop_files(folder, HERE / "linux", ROOT / "resources" / "icons")
    say("packing")
    return archive.pack(folder, out / f"{name}.tar.xz", name, source_date())


def finish_windows(out: Path) -> Path | None:
    """The installer, where Inno Setup is there to make it. NOT RUN HERE."""
    tool = shutil.which("iscc")
    if tool is None:
        say("Inno Setup (iscc) was not found, so there is no installer.")
        return None
    script = HERE / "windows" / "forensia.iss"
    subprocess.run(
        [tool, "/Q", f"/DVersion={version()}", f"/DBundle={out / 'forensia'}", f"/O{out}", str(script)], check=True
    )
    return out / f"forensia-{version()}-windows-x86_64.exe"


def finish_mac(folder: Path, target: Path) -> Path:
    """Sign it again, because the licences came in after PyInstaller had signed it, and pack it. NOT RUN HERE."""
    subprocess.run(["codesign", "--force", "--deep", "--sign", "-", str(folder)], check=True)
    subprocess.run(["ditto", "-c", "-k", "--keepParent", str(folder), str(target)], check=True)
    return target


def version() -> str:
    """The one version, read without importing anything."""
    text = (ROOT / "forensia" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    if found is None:
        raise CannotBuild("forensia/__init__.py has no __version__.")
    return found[1]


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
