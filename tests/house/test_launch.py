"""The launcher's decisions, without making an environment: that is what running it for real is for (see README)."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
LAUNCHER = ROOT / "packaging" / "launch.py"


@pytest.fixture
def launch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The launcher as a module, for a copy of the project that has nothing but its description."""
    (tmp_path / "packaging").mkdir()
    shutil.copy(LAUNCHER, tmp_path / "packaging")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    spec = importlib.util.spec_from_file_location("launch", tmp_path / "packaging" / "launch.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pretend_environment(launch: ModuleType) -> tuple[str, str]:
    folder = launch.environment_folder()
    python = Path(folder) / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    python.parent.mkdir(parents=True)
    python.touch()
    return folder, str(python)


def stamp(launch: ModuleType, folder: str, **changes: object) -> None:
    Path(launch.stamp_file(folder)).write_text(
        json.dumps({"fingerprint": launch.fingerprint(), "extras": [""], **changes})
    )


def test_only_the_standard_library_and_old_syntax() -> None:
    tree = ast.parse(LAUNCHER.read_text("utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert imported <= set(sys.stdlib_module_names)
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr | ast.AnnAssign | ast.NamedExpr)]


def test_the_environment_is_beside_the_project(launch: ModuleType, tmp_path: Path) -> None:
    assert launch.environment_folder() == str(tmp_path / ".venv")


def test_a_finished_environment_is_used_as_it_is(launch: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, python = pretend_environment(launch)
    stamp(launch, folder)
    monkeypatch.setattr(launch, "build", lambda *_: pytest.fail("nothing had changed"))
    assert launch.set_up("") == python


@pytest.mark.parametrize("reason", ["no stamp", "other project", "tests wanted", "unfinished", "damaged stamp"])
def test_otherwise_it_is_built(launch: ModuleType, monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    folder, _ = pretend_environment(launch)
    if reason != "no stamp":
        stamp(launch, folder, **({"fingerprint": "x"} if reason == "other project" else {}))
    if reason == "damaged stamp":
        Path(launch.stamp_file(folder)).write_text("[1")
    if reason == "unfinished":
        (Path(folder) / "forensia-unfinished").touch()
    built: list[str] = []
    monkeypatch.setattr(launch, "build", lambda folder, python, extra: built.append(extra))
    launch.set_up("test" if reason == "tests wanted" else "")
    assert built == ["test" if reason == "tests wanted" else ""]


def test_an_interrupted_set_up_leaves_its_mark_and_is_made_anew(
    launch: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, python = pretend_environment(launch)
    stamp(launch, folder)
    made: list[list[str]] = []

    def interrupted(command: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(launch, "check_disk", lambda folder: None)
    monkeypatch.setattr(launch, "quietly", made.append)
    monkeypatch.setattr(launch, "answers", lambda python: True)
    monkeypatch.setattr(launch, "install", interrupted)
    with pytest.raises(KeyboardInterrupt):
        launch.build(folder, python, "")
    assert made == [] and not launch.is_current(folder, python, "")
    monkeypatch.setattr(launch, "install", lambda command: None)
    launch.build(folder, python, "")
    assert "--clear" in made[0] and launch.is_current(folder, python, "")


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "disk is full"),
        ("Temporary failure in name resolution\nERROR: No matching distribution found", "network"),
        ("Connection to proxy timed out", "network"),
        ("ERROR: [Errno 13] Permission denied: 'x'", "cannot be written"),
        ("ERROR: something nobody foresaw", "something nobody foresaw"),
    ],
)
def test_what_pip_could_not_do_is_one_sentence(launch: ModuleType, told: str, expected: str) -> None:
    assert expected in launch.explain(told)


def test_too_little_disk(launch: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type("Usage", (), {"free": 10_000_000})
    monkeypatch.setattr(shutil, "disk_usage", lambda place: usage)
    with pytest.raises(launch.CannotGoOn, match="free"):
        launch.check_disk(launch.environment_folder())


def test_old_python(launch: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch.sys, "version_info", (3, 8, 0))
    with pytest.raises(launch.CannotGoOn, match=r"needs Python 3\.11"):
        launch.main([])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="system libraries are a Linux matter")
def test_missing_libraries_are_named_with_the_command(launch: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "can_load", lambda library: library != "libEGL.so.1")
    monkeypatch.setattr(launch, "debian_install", lambda packages: False)
    with pytest.raises(launch.CannotGoOn, match="sudo apt install libegl1 "):
        launch.install_qt_libraries(with_display=False)
    asked: list[list[str]] = []
    monkeypatch.setattr(launch, "debian_install", lambda packages: bool(asked.append(packages) or True))
    launch.install_qt_libraries(with_display=False)
    assert asked == [["libegl1"]]


def test_missing_venv_module(launch: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    monkeypatch.setattr(launch, "debian_install", lambda packages: False)
    with pytest.raises(launch.CannotGoOn, match=r"sudo apt install python3\.\d+-venv"):
        launch.check_venv_module()


@pytest.mark.parametrize("display", [True, False])
def test_without_a_display_the_sample_case_runs(
    launch: ModuleType, monkeypatch: pytest.MonkeyPatch, display: bool
) -> None:
    ran: list[list[str]] = []
    monkeypatch.setattr(launch, "set_up", lambda extra: "python")
    monkeypatch.setattr(launch, "install_qt_libraries", lambda with_display: None)
    monkeypatch.setattr(launch, "has_display", lambda: display)
    monkeypatch.setattr(launch, "run", lambda command, folder=None: ran.append(command))
    launch.main([])
    launch.main(["train", "x"])
    assert ran == [
        ["python", "-m", "forensia"] + ([] if display else ["demo"]),
        ["python", "-m", "forensia", "train", "x"],
    ]


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="needs a POSIX shell")
def test_ci_runs_exactly_the_test_command() -> None:
    lines = [line for line in (ROOT / ".ci" / "run").read_text().splitlines() if line and not line.startswith("#")]
    assert lines[-1] == "python3 packaging/launch.py --test"
    assert subprocess.run(["sh", "-n", ROOT / ".ci" / "run"], check=False).returncode == 0
