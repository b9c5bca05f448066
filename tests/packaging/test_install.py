"""install.sh with a stand-in for the bundle: what it puts where, what the menu entry starts, and that nothing is left afterwards."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
LINUX, ICONS = ROOT / "packaging" / "linux", ROOT / "resources" / "icons"

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="an installer for Linux")
Install = Callable[..., subprocess.CompletedProcess[str]]
LISTS = "update-desktop-database"


@pytest.fixture
def bundle(tmp_path: Path, tool: Callable[[str], ModuleType]) -> Path:
    """The unpacked folder, with a program that tells what it was started with."""
    folder = tmp_path / "forensia-0 unpacked"
    (folder / "_internal").mkdir(parents=True)
    program = folder / "forensia"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    program.chmod(0o755)
    tool("archive").add_desktop_files(folder, LINUX, ICONS)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder whose name has everything in it that a menu entry must escape."""
    folder = tmp_path / 'a "home" with $HOME, 50%, `x` and \\'
    folder.mkdir()
    return folder


@pytest.fixture(params=[True, False], ids=["with", "without"])
def programs(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A PATH with the tool that lists which program opens which file type, and one with everything else."""
    if request.param:
        if not shutil.which(LISTS):
            pytest.skip(f"{LISTS}, of desktop-file-utils, is not installed")
        return os.environ["PATH"]
    folder = tmp_path / "programs"
    folder.mkdir()
    for each in os.environ["PATH"].split(os.pathsep):
        for file in Path(each).iterdir() if Path(each).is_dir() else ():
            if file.name != LISTS and not (folder / file.name).is_symlink():
                (folder / file.name).symlink_to(file)
    return str(folder)


@pytest.fixture
def install(home: Path, bundle: Path) -> Install:
    def run(
        *arguments: str, script: Path = bundle / "install.sh", status: int = 0, path: str = os.environ["PATH"]
    ) -> subprocess.CompletedProcess[str]:
        environment = {"HOME": str(home), "PATH": path}
        done = subprocess.run(
            ["/bin/sh", script, *arguments], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == status, done.stderr
        return done

    return run


def everything(folder: Path) -> dict[str, bytes | None]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")
    }


def exec_words(entry: Path) -> list[str]:
    """The words of Exec=, read as the desktop entry specification says: escapes of strings first, then quotes."""
    parser = configparser.RawConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(entry, encoding="utf-8")
    value = re.sub(
        r"\\(.)",
        lambda found: {"s": " ", "n": "\n", "t": "\t"}.get(found[1], found[1]),
        parser["Desktop Entry"]["Exec"],
    )
    words = re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', value)
    return [re.sub(r'\\([$`"\\])', r"\1", quoted).replace("%%", "%") or bare for quoted, bare in words]


def test_the_entry_starts_the_installed_program_with_the_case(install: Install, home: Path, bundle: Path) -> None:
    install()
    shutil.rmtree(bundle)
    entry = home / ".local/share/applications/forensia.desktop"
    env, program, case = exec_words(entry)
    assert env == "env", "a per cent sign: GLib would not find the program"
    assert program == str(home / ".local/lib/forensia/forensia") and case == "%f"
    told = subprocess.run([program, "my case.forensia"], capture_output=True, text=True, check=True)
    assert told.stdout == "my case.forensia\n"
    assert (home / ".local/bin/forensia").resolve() == Path(program).resolve()
    assert (home / ".local/share/icons/hicolor/48x48/apps/forensia.png").is_file()
    assert (home / ".local/share/icons/hicolor/48x48/mimetypes/application-x-forensia-case.png").is_file()
    assert (home / ".local/share/mime/packages/forensia.xml").is_file()


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="desktop-file-utils is not installed")
def test_the_installed_entry_is_valid(install: Install, home: Path) -> None:
    install()
    entry = home / ".local/share/applications/forensia.desktop"
    done = subprocess.run(["desktop-file-validate", entry], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.skipif(not shutil.which("gio"), reason="gio, of GLib, is not installed")
@pytest.mark.skipif(not shutil.which("update-mime-database"), reason="shared-mime-info is not installed")
def test_a_desktop_finds_the_program_for_a_case(install: Install, home: Path, tmp_path: Path, programs: str) -> None:
    """GLib reads the entry, the file type and the caches as GNOME's file manager does."""
    install(path=programs)
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}

    def gio(*words: str | Path) -> str:
        done = subprocess.run(["gio", *words], env=environment, capture_output=True, text=True, check=False)
        return done.stdout

    case = tmp_path / "x.forensia"
    case.write_bytes(b"SQLite format 3\0")
    assert "application/x-forensia-case" in gio("info", "-a", "standard::content-type", case)
    assert "forensia.desktop" in gio("mime", "application/x-forensia-case").splitlines()[0]
    install("--uninstall", path=programs)
    assert "forensia.desktop" not in gio("mime", "application/x-forensia-case")


def test_install_and_uninstall_leave_nothing(install: Install, home: Path, programs: str) -> None:
    install(path=programs)
    assert "forensia.desktop" in (home / ".local/share/applications/mimeinfo.cache").read_text()
    install("--uninstall", script=home / ".local/lib/forensia/install.sh", path=programs)
    assert everything(home) == {}


@pytest.mark.parametrize("programs", [False], indirect=True, ids=["without"])
@pytest.mark.parametrize(
    "before",
    [
        "[MIME Cache]\ntext/plain=other.desktop;\n",
        "[MIME Cache]\napplication/x-forensia-case=my-forensia.desktop;other.desktop;\n",
        "[MIME Cache]\napplication/x-forensia-case=forensia.desktop;my-forensia.desktop;\ntext/plain=other.desktop;\n",
    ],
    ids=["another type", "another program", "ours already"],
)
def test_the_list_of_others_keeps_its_lines(install: Install, home: Path, programs: str, before: str) -> None:
    cache = home / ".local/share/applications/mimeinfo.cache"
    cache.parent.mkdir(parents=True)
    cache.write_text(before)
    (cache.parent / "other.desktop").write_text("[Desktop Entry]\nType=Application\nName=Other\nExec=other\n")
    theirs = set(before.replace("=forensia.desktop;", "=").splitlines())
    for _ in range(2):
        install(path=programs)
        ours = [line for line in cache.read_text().splitlines() if line.startswith("application/x-forensia-case=")]
        assert len(ours) == 1 and ours[0].count("=forensia.desktop;") == 1
        assert {line.replace("=forensia.desktop;", "=") for line in cache.read_text().splitlines()} >= theirs
    install("--uninstall", path=programs)
    assert set(cache.read_text().splitlines()) == theirs


def test_what_others_have_put_there_stays(install: Install, home: Path) -> None:
    other = home / ".local/share/applications/other.desktop"
    other.parent.mkdir(parents=True)
    other.write_text("[Desktop Entry]\nType=Application\nName=Other\nExec=other\nMimeType=text/plain;\n")
    mine = home / ".local/share/mime/packages/other.xml"
    mine.parent.mkdir(parents=True)
    mine.write_text('<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info"/>')
    install()
    install("--uninstall")
    kept = everything(home)
    assert kept[".local/share/applications/other.desktop"] and kept[".local/share/mime/packages/other.xml"]
    assert not [name for name in kept if "orensia" in name]


def test_a_newer_version_replaces_the_older_one(install: Install, home: Path, bundle: Path) -> None:
    (bundle / "_internal" / "old.txt").write_text("old")
    install()
    (bundle / "_internal" / "old.txt").unlink()
    assert "older installation" in install().stdout
    assert not (home / ".local/lib/forensia/_internal/old.txt").exists()
    install("--uninstall")
    assert everything(home) == {}


def test_a_command_of_the_same_name_is_not_touched(install: Install, home: Path) -> None:
    other = home / ".local/bin/forensia"
    other.parent.mkdir(parents=True)
    other.write_text("somebody else's")
    assert "stays as it is" in install().stdout
    install("--uninstall")
    assert everything(home) == {".local": None, ".local/bin": None, ".local/bin/forensia": b"somebody else's"}


def test_purge_takes_settings_but_never_cases(install: Install, home: Path) -> None:
    install()
    for name in (
        ".config/forensia/settings.toml",
        ".cache/forensia/x",
        ".local/share/forensia/cases/Untitled.forensia",
    ):
        (home / name).parent.mkdir(parents=True)
        (home / name).write_text("x")
    assert "kept" in install("--uninstall").stdout
    install()
    install("--uninstall", "--purge")
    left = [name for name, content in everything(home).items() if content is not None]
    assert left == [".local/share/forensia/cases/Untitled.forensia"]
    assert not (home / ".config").exists(), "an empty folder that only Forensia needed"
    (home / ".local/share/forensia/cases/Untitled.forensia").unlink()
    (home / ".config/other").mkdir(parents=True)
    install()
    install("--uninstall", "--purge")
    assert set(everything(home)) == {".config", ".config/other"}, "a folder for cases without any goes, others' stay"


def test_from_source_the_entry_starts_the_source(install: Install, home: Path) -> None:
    install(script=LINUX / "install.sh")
    program, _ = exec_words(home / ".local/share/applications/forensia.desktop")
    assert "%" not in str(ROOT), "this test is for a path without one"
    assert program == str(ROOT / "packaging" / "Forensia.sh") and os.access(program, os.X_OK)
    install("--uninstall", script=home / ".local/lib/forensia/install.sh")
    assert everything(home) == {}


def test_wrong_use_is_explained(install: Install, home: Path, tmp_path: Path) -> None:
    assert "usage" in install("--nonsense", status=2).stderr
    assert "usage" in install("--purge", status=2).stderr
    assert "not installed" in install("--uninstall", status=1).stderr
    lonely = tmp_path / "elsewhere" / "install.sh"
    lonely.parent.mkdir()
    shutil.copy(LINUX / "install.sh", lonely)
    assert "holds no Forensia" in install(script=lonely, status=1).stderr
    assert everything(home) == {}


def test_an_archive_depends_on_its_files_alone(bundle: Path, tmp_path: Path, tool: Callable[[str], ModuleType]) -> None:
    archive = tool("archive")
    first = archive.pack(bundle, tmp_path / "1.tar.xz", "forensia-0", 1_700_000_000).read_bytes()
    for path in bundle.rglob("*"):
        if not path.is_symlink():
            os.utime(path, (1, 1))
            path.chmod(path.stat().st_mode & ~0o077)
    second = archive.pack(bundle, tmp_path / "2.tar.xz", "forensia-0", 1_700_000_000).read_bytes()
    assert first == second
    shutil.unpack_archive(tmp_path / "1.tar.xz", tmp_path / "out", filter="data")
    assert os.access(tmp_path / "out" / "forensia-0" / "AppRun", os.X_OK)
