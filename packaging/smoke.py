#!/usr/bin/env python3
"""Is a finished bundle any good? (Linux; the window's part needs Xvfb.)

    python3.11 packaging/smoke.py dist/forensia [--root DIR] [--python PYTHON] [--keep DIR]

Everything is done in temporary folders, and what is looked at is what people get: the folder as it was built.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import build  # noqa: E402
import firstwindow  # noqa: E402

RATIO = 2.0
TIMES = 5


class Failed(Exception):
    """Something that a bundle must do, and this one does not."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--root", type=Path, help="the root of another system, to run the self-test in (as root)")
    parser.add_argument(
        "--python", help="a Python with PySide6, for the bare window; default: that of the build, or else this one"
    )
    parser.add_argument("--keep", type=Path, help="keep the sample case, its report and a picture of the window there")
    options = parser.parse_args()
    bundle = options.bundle.resolve()
    built_with = build.ROOT / "build" / "environment" / "bin" / "python"
    python = options.python or (str(built_with) if built_with.exists() else sys.executable)
    steps: list[tuple[str, Callable[[], str]]] = [
        ("size", lambda: size(bundle)),
        ("version", lambda: version(bundle)),
        ("licences", lambda: licences(bundle)),
        ("menu entry", lambda: menu_entry(bundle)),
        ("self-test", lambda: self_test(bundle, options.keep)),
        ("self-test elsewhere", lambda: elsewhere(bundle, options.root)),
        ("first window", lambda: first_window(bundle, python)),
        ("install, open, uninstall", lambda: installed(bundle)),
    ]
    failed = 0
    for name, step in steps:
        try:
            told = step()
        except (Failed, firstwindow.NoWindow) as problem:
            told, failed = f"FAILED: {problem}", failed + 1
        sys.stdout.write(f"{name:<26}{told}\n")
        sys.stdout.flush()
    return 1 if failed else 0


def size(bundle: Path) -> str:
    megabytes = build.size(bundle) / 1e6
    if megabytes > build.MOST_MEGABYTES:
        raise Failed(f"{megabytes:,.0f} MB are more than {build.MOST_MEGABYTES}.")
    return f"{megabytes:,.0f} MB"


def version(bundle: Path) -> str:
    told = run([bundle / "forensia", "--version"]).stdout.strip()
    if told != f"Forensia {build.version()}":
        raise Failed(f"It says '{told}', and the source is {build.version()}.")
    return told


def licences(bundle: Path) -> str:
    listed = run([bundle / "forensia", "--licenses"]).stdout
    text = (bundle / "LICENSES.txt").read_text(encoding="utf-8")
    for name in ("numpy", "PySide6", "spacy", "Python"):
        if name not in listed or name not in text:
            raise Failed(f"{name} is missing.")
    if "GNU LESSER GENERAL PUBLIC LICENSE" not in text:
        raise Failed("The licence of Qt is missing.")
    return f"{len(listed.splitlines()) - 2} parts, {len(text) / 1e6:.1f} MB of texts"


def menu_entry(bundle: Path) -> str:
    if not shutil.which("desktop-file-validate"):
        return "not looked at: there is no desktop-file-validate"
    told = run(["desktop-file-validate", bundle / "forensia.desktop"]).stdout
    if told:
        raise Failed(told.strip())
    return "valid"


def self_test(bundle: Path, keep: Path | None) -> str:
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as home:
        kept = ["--keep", str(keep.resolve())] if keep else []
        run([bundle / "forensia", "--self-test", *kept], home=Path(home))
    return f"passed in {time.monotonic() - begun:.0f} s"


def elsewhere(bundle: Path, root: Path | None) -> str:
    """Inside the root of another system, without a network, with nothing of this one but the kernel, /proc and a screen."""
    if root is None:
        return "not run: no --root was given"
    place = root / "forensia-smoke"
    shutil.copytree(bundle, place, symlinks=True)
    begun = time.monotonic()
    try:
        with firstwindow.server() if shutil.which("Xvfb") else nullcontext("") as display:
            for argument in ("--version", "--licenses", "--self-test"):
                told = run(["unshare", "--net", "--mount", "sh", "-c", inside(root, display, argument)])
    finally:
        shutil.rmtree(place)
    window = re.findall(r"the window: (.*?) \(", told.stderr)
    pythons = [file.name for folder in ("usr/bin", "usr/local/bin") for file in (root / folder).glob("python*")]
    return (
        f"passed in {root} without a network in {time.monotonic() - begun:.0f} s; window: {''.join(window)}; "
        f"its Pythons: {', '.join(pythons) or 'none'}"
    )


def inside(root: Path, display: str, argument: str) -> str:
    """Commands for a shell in namespaces of its own: what they mount is gone with it."""
    there = shlex.quote(str(root))
    screen = f"DISPLAY={display}" if display else ""
    steps = ["set -e", f"mount -t proc proc {there}/proc"]
    if display:  # the screen's socket; its other name is one of the network, which is cut off
        steps += [f"mkdir -p {there}/tmp/.X11-unix", f"mount --bind /tmp/.X11-unix {there}/tmp/.X11-unix"]
    kept = f"env -i PATH=/usr/bin:/bin HOME=/root LANG=C.UTF-8 {screen}"
    return "; ".join([*steps, f"exec chroot {there} {kept} /forensia-smoke/forensia {argument}"])


def first_window(bundle: Path, python: str) -> str:
    if not shutil.which("Xvfb"):
        return "not measured: there is no Xvfb"
    if subprocess.run([python, "-c", "import PySide6"], capture_output=True, check=False).returncode:
        return f"not measured: {python} has no PySide6, give another with --python"
    commands = {"bare": [python, str(HERE / "bare_window.py")], "bundle": [str(bundle / "forensia")]}
    took = firstwindow.measured(commands, TIMES, 100)
    bare, ours = took["bare"], took["bundle"]
    main = firstwindow.measured({"bundle": commands["bundle"]}, TIMES, 500)["bundle"]
    ratio = ours.clock / bare.clock
    told = (
        f"{ours.clock:.2f} s (the notice that Forensia is opening), a bare PySide6 window {bare.clock:.2f} s, ratio "
        f"{ratio:.2f} (processor: {ours.processor:.2f} s and {bare.processor:.2f} s); the main window: {main.clock:.2f} s"
    )
    if ratio > RATIO:
        raise Failed(told)
    return told


def installed(bundle: Path) -> str:
    """Install it into an empty home, open a case as a double click does, take it away, and look whether anything is left."""
    if not shutil.which("Xvfb") or not shutil.which("gio"):
        return "not run: it needs Xvfb and gio"
    with tempfile.TemporaryDirectory() as place, firstwindow.server() as display:
        home = Path(place) / "a home, with spaces & 100%"
        home.mkdir()
        run(["sh", bundle / "install.sh"], home=home)
        program = home / ".local" / "lib" / "forensia" / "forensia"
        case = Path(place) / "harbour letters.forensia"
        make_case(program, case, home)
        begun = time.monotonic()
        subprocess.run(  # its output is not read: the window that it starts would keep the pipe open
            ["gio", "open", case],
            env=environment(home, display),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        screen = firstwindow.Screen(display, 500)
        try:
            wait_for(lambda: any("harbour letters" in title for title in screen.titles()))
        finally:
            titles = screen.titles()
            end_all(program)
        run(["sh", program.with_name("install.sh"), "--uninstall", "--purge"], home=home)
        left = sorted(str(path.relative_to(home)) for path in home.rglob("*"))
        if left:
            raise Failed(f"After uninstalling there is still: {', '.join(left)}")
    return f"'{titles[-1]}' was there after {time.monotonic() - begun:.0f} s, and nothing is left"


def make_case(program: Path, case: Path, home: Path) -> None:
    """A case of the sample texts that the bundle brings along."""
    known = next((program.parent / "_internal").glob("**/sample/known"), None)
    if known is None:
        raise Failed("The sample texts are missing.")
    run([program, "train", known, "-o", case, "--quick"], home=home)
    if not case.exists():
        raise Failed("Training left no case.")


def wait_for(there: Callable[[], bool], seconds: float = 180.0) -> None:
    end = time.monotonic() + seconds
    while not there():
        if time.monotonic() > end:
            raise Failed("The case was not opened in a window.")
        time.sleep(0.1)


def end_all(program: Path) -> None:
    """End the processes of one installed program; they are ours, because its folder is."""
    mine = [
        int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and runs(entry, program.parent)
    ]
    for process in mine:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGTERM)
    wait_for(lambda: not any(runs(Path(f"/proc/{process}"), program.parent) for process in mine), 30.0)


def runs(process: Path, folder: Path) -> bool:
    """Whether a process (its folder in /proc) runs a program of a folder; others' processes may not be looked at."""
    try:
        return (process / "exe").readlink().is_relative_to(folder.resolve())
    except OSError:
        return False


def environment(home: Path | None = None, display: str = "") -> dict[str, str]:
    """What a session of a desktop gives to a program, and nothing of the builder's."""
    made = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(home or Path.home())}
    if display:
        runtime = (home or Path.home()).parent / "runtime"
        runtime.mkdir(mode=0o700, exist_ok=True)
        made |= {"DISPLAY": display, "XDG_RUNTIME_DIR": str(runtime)}
    return made


def run(command: list[str | Path], home: Path | None = None, display: str = "") -> subprocess.CompletedProcess[str]:
    done = subprocess.run(command, env=environment(home, display), capture_output=True, text=True, check=False)
    if done.returncode:
        last = re.sub(r"\s+", " ", (done.stderr or done.stdout)[-500:])
        raise Failed(f"'{' '.join(map(str, command[:3]))}' ended with {done.returncode}: {last}")
    return done


if __name__ == "__main__":
    sys.exit(main())
