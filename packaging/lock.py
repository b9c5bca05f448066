#!/usr/bin/env python3
"""Write requirements.lock: every library of the bundle and of its build, with one version and the hashes of its wheels.

    python3 packaging/lock.py [--upgrade NAME ...]

pip resolves what pyproject.toml asks for, once for this system; the other systems get the same versions. Without --upgrade the
versions of the present lock are kept as far as pyproject.toml allows; `--upgrade all` begins afresh. Where pip finds packages is
the business of its own settings: nothing of that is written down.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
LOCK = HERE / "requirements.lock"
PYTHON = "3.11"
BUILD = ("pyinstaller>=6.11,<7", "hatchling>=1.27,<2")
# System, its pip platforms, and what is needed there alone: pip judges such conditions by the system it runs on.
SYSTEMS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "linux": (("manylinux_2_34_x86_64", "manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64"), ()),
    "win32": (("win_amd64",), ("colorama", "pefile", "pywin32-ctypes")),
    "darwin": (("macosx_13_0_arm64", "macosx_13_0_universal2"), ("macholib",)),
}
HEAD = """\
# The libraries of the bundle, for Python {python}, with the hashes of their wheels for Linux (x86_64), Windows (x86_64) and macOS (arm64).
# Made by packaging/lock.py; do not edit.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--upgrade", nargs="+", default=[], metavar="NAME", help="forget these pins, or `all`")
    upgraded = {name.lower().replace("_", "-") for name in parser.parse_args().upgrade}
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *BUILD]
    kept = {} if "all" in upgraded else {name: pin for name, pin in pins().items() if name not in upgraded}
    first, *others = SYSTEMS
    found = resolved(first, wanted, [f"{name}=={version}" for name, version in kept.items()])
    fixed = [f"{name}=={version}" for name, version, _ in found]
    hashes = {(name, version): {digest} for name, version, digest in found}
    alone: dict[tuple[str, str], str] = {}
    for system in others:
        for name, version, digest in resolved(system, [*wanted, *SYSTEMS[system][1]], fixed):
            if (name, version) not in hashes:
                alone[name, version] = system
            hashes.setdefault((name, version), set()).add(digest)
    LOCK.write_text(HEAD.format(python=PYTHON) + "".join(lines(hashes, alone)), encoding="utf-8")
    sys.stdout.write(f"{len(hashes)} libraries in {LOCK}\n")


def pins() -> dict[str, str]:
    """The versions in the present lock."""
    text = LOCK.read_text(encoding="utf-8") if LOCK.exists() else ""
    return dict(re.findall(r"^([a-z0-9.-]+)==(\S+)", text, re.MULTILINE))


def resolved(system: str, wanted: list[str], constraints: list[str]) -> list[tuple[str, str, str]]:
    """Name, version and SHA-256 of each wheel that `wanted` brings on a system."""
    with tempfile.TemporaryDirectory() as folder:
        report, fixed = Path(folder) / "report.json", Path(folder) / "constraints.txt"
        fixed.write_text("\n".join(constraints), encoding="utf-8")
        platforms = [part for name in SYSTEMS[system][0] for part in ("--platform", name)]
        command = [
            sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--only-binary=:all:",
            *platforms, "--python-version", PYTHON, "--implementation", "cp", "--abi", "cp311", "--abi", "abi3", "--abi", "none",
            "--target", folder, "--constraint", str(fixed), "--report", str(report), *wanted,
        ]  # fmt: skip
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        installed: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["install"]
    return sorted(
        (
            each["metadata"]["name"].lower().replace("_", "-"),
            each["metadata"]["version"],
            each["download_info"]["archive_info"]["hashes"]["sha256"],
        )
        for each in installed
    )


def lines(hashes: dict[tuple[str, str], set[str]], alone: dict[tuple[str, str], str]) -> list[str]:
    """The requirements, one a library, each hash on its own line."""
    made = []
    for (name, version), digests in sorted(hashes.items()):
        system = alone.get((name, version))
        marker = f' ; sys_platform == "{system}"' if system else ""
        made.append(f"{name}=={version}{marker}")
        made += [f" \\\n    --hash=sha256:{digest}" for digest in sorted(digests)]
        made.append("\n")
    return made


if __name__ == "__main__":
    main()
