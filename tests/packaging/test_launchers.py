"""What is double-clicked: scripts that can be read by their shells, and the small window of the first use."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
SHELL = ["Forensia.sh", "Forensia.command", "linux/install.sh"]


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
@pytest.mark.parametrize("script", SHELL)
def test_shell_scripts_can_be_read_and_run(script: str) -> None:
    assert subprocess.run(["bash", "-n", PACKAGING / script], check=False).returncode == 0
    assert os.access(PACKAGING / script, os.X_OK)


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="shellcheck is not installed")
@pytest.mark.parametrize("script", SHELL)
def test_shell_scripts_are_sound(script: str) -> None:
    done = subprocess.run(["shellcheck", PACKAGING / script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_scripts_of_windows_are_what_windows_reads() -> None:
    batch = (PACKAGING / "Forensia.bat").read_bytes()
    assert batch.count(b"\r\n") == batch.count(b"\n") > 5 and batch.isascii()
    assert b"Forensia.pyw" in batch
    ast.parse((PACKAGING / "Forensia.pyw").read_text("utf-8"))
    setup = (PACKAGING / "windows" / "forensia.iss").read_text("utf-8")
    for line in setup.splitlines():
        if line.startswith("Source:") and "{#Bundle}" not in line:
            file = line.split('"')[1].replace("\\", "/")
            assert (PACKAGING / "windows" / file).is_file(), file
    assert "{#Version}" in setup and r"Software\Classes\.forensia" in setup


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="needs a POSIX shell")
def test_without_a_python_the_launcher_says_so(tmp_path: Path) -> None:
    for name in ("sh", "dirname", "readlink"):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    done = subprocess.run(
        [PACKAGING / "Forensia.sh"], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and "needs Python 3.11" in done.stderr


@pytest.fixture
def firstuse(tool: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module: ModuleType = tool("firstuse")
    monkeypatch.setattr(module, "has_terminal", lambda: False)
    monkeypatch.setattr(module, "ready", lambda: False)
    monkeypatch.setattr(module.launch, "run", lambda command: command)
    monkeypatch.setattr(module.launch, "install_qt_libraries", lambda with_display: None)
    monkeypatch.setattr(module.launch, "set_up", lambda extra: "python")
    return module


def test_when_everything_is_there_forensia_starts_at_once(
    firstuse: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(firstuse, "ready", lambda: True)
    assert firstuse.main(["a b.forensia"]) == ["python", "-m", "forensia", "a b.forensia"]


def test_first_use_shows_a_window(firstuse: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    class Window:
        def __init__(self, tkinter: object) -> None: ...

        def run(self) -> str | None:
            return answers.pop(0)

    answers = ["python", None]
    monkeypatch.setitem(sys.modules, "tkinter", ModuleType("tkinter"))
    monkeypatch.setattr(firstuse, "SetUpWindow", Window)
    assert firstuse.main([]) == ["python", "-m", "forensia"]
    assert firstuse.main([]) == 1, "the set-up failed, or its window was closed"


def test_without_tkinter_a_terminal_shows_it(
    firstuse: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[list[str]] = []
    monkeypatch.setitem(sys.modules, "tkinter", None)
    monkeypatch.setattr(firstuse.shutil, "which", lambda name: "/bin/xterm" if name == "xterm" else None)
    monkeypatch.setattr(firstuse.subprocess, "call", lambda command: started.append(command) or 0)
    assert firstuse.main(["x.forensia"]) == 0
    ((*before, flag, case),) = started
    assert before[:2] == ["/bin/xterm", "-e"] and flag == firstuse.IN_TERMINAL and case == "x.forensia"
    assert firstuse.main([flag, case]) == ["python", "-m", "forensia", "x.forensia"], "this is what runs in it"
    monkeypatch.setattr(firstuse.shutil, "which", lambda name: None)
    assert firstuse.main([]) == ["python", "-m", "forensia"], "no terminal either: it goes on unseen"


def test_a_problem_is_a_sentence(
    firstuse: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def problem(extra: str) -> str:
        raise firstuse.launch.CannotGoOn("The disk is full.")

    monkeypatch.setattr(firstuse.launch, "set_up", problem)
    assert firstuse.main([firstuse.IN_TERMINAL]) == 1
    assert capsys.readouterr().err == "Forensia: The disk is full.\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="links as on Linux")
def test_a_folder_with_a_comma_in_its_name(tmp_path: Path) -> None:
    """Qt reads the place of its plugins up to the first comma, and ends the program when it finds none."""
    import PySide6
    import shiboken6

    place = tmp_path / "Smith, Jane"
    place.mkdir()
    for module in (PySide6, shiboken6):
        folder = Path(module.__file__ or "").parent
        (place / folder.name).symlink_to(folder)
    code = "import sys; sys.path[:0] = sys.argv[1:]; from forensia.gui import opening; print(opening.application().platformName())"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "FORENSIA_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, "-c", code, str(place), str(ROOT)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "offscreen\n"), done.stderr
