"""Menu entry, file type and icons: what a desktop reads."""

from __future__ import annotations

import configparser
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from forensia.case.store import Case

ROOT = Path(__file__).parents[2]
LINUX, ICONS = ROOT / "packaging" / "linux", ROOT / "resources" / "icons"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.fixture(scope="module")
def entry() -> configparser.SectionProxy:
    parser = configparser.RawConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(LINUX / "forensia.desktop", encoding="utf-8")
    return parser["Desktop Entry"]


@pytest.fixture(scope="module")
def mime() -> ElementTree.Element:
    found = ElementTree.parse(LINUX / "forensia-mime.xml").getroot().find(f"{MIME}mime-type")  # noqa: S314
    assert found is not None
    return found


def test_menu_entry_opens_cases(entry: configparser.SectionProxy, mime: ElementTree.Element) -> None:
    assert entry["Exec"].split() == ["forensia", "%f"]
    assert entry["MimeType"] == f"{mime.get('type')};"
    assert entry["Icon"] == "forensia" and entry["Terminal"] == "false"


def test_window_and_entry_know_each_other(entry: configparser.SectionProxy, qapp: QApplication) -> None:
    """X11 compares the class of a window, Wayland the name of the entry."""
    from forensia.gui.app import make_application

    app = make_application()
    assert entry["StartupWMClass"] == app.applicationName()
    assert app.desktopFileName() == "forensia"


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="desktop-file-utils is not installed")
def test_menu_entry_is_valid() -> None:
    done = subprocess.run(
        ["desktop-file-validate", LINUX / "forensia.desktop"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_file_type_is_told_by_name_and_content(mime: ElementTree.Element, tmp_path: Path) -> None:
    glob = mime.find(f"{MIME}glob")
    assert glob is not None and glob.get("pattern") == "*.forensia"
    case = tmp_path / "x.forensia"
    Case.create(case).close()
    content = case.read_bytes()
    outer = mime.find(f"{MIME}magic/{MIME}match")
    inner = mime.find(f"{MIME}magic/{MIME}match/{MIME}match")
    for match in (outer, inner):
        assert match is not None
        value, offset = (match.get("value") or "").encode(), int(match.get("offset") or "")
        assert value and content[offset : offset + len(value)] == value


@pytest.mark.parametrize("name", ["forensia", "forensia-case"])
def test_pictures_have_the_size_of_their_folder(name: str) -> None:
    sizes = sorted(int(folder.name.split("x")[0]) for folder in ICONS.glob("*x*"))
    assert {16, 32, 48, 64, 128, 256, 512} <= set(sizes)
    for size in sizes:
        content = (ICONS / f"{size}x{size}" / f"{name}.png").read_bytes()
        assert struct.unpack(">II", content[16:24]) == (size, size)


@pytest.mark.parametrize("name", ["forensia", "forensia-case"])
def test_pictures_are_those_of_the_drawings(name: str, tool: Callable[[str], ModuleType], qapp: QApplication) -> None:
    """Not to the last bit: another Qt may smooth edges in another way."""
    icons = tool("icons")
    for size in (24, 128):
        drawing = f"{name}-small" if size <= icons.SMALL else name
        drawn = QImage.fromData(icons.png(ICONS / f"{drawing}.svg", size))
        kept = QImage(str(ICONS / f"{size}x{size}" / f"{name}.png"))
        points = [(x, y) for x in range(size) for y in range(size)]
        far = sum(abs((drawn.pixel(x, y) & 0xFF) - (kept.pixel(x, y) & 0xFF)) for x, y in points)
        assert far / len(points) < 4, f"{name} at {size}: run packaging/icons.py"
        assert len({kept.pixel(x, y) for x, y in points}) > 20


@pytest.mark.parametrize("name", ["forensia", "forensia-case"])
def test_icons_of_windows_and_macos_hold_their_pictures(name: str, tool: Callable[[str], ModuleType]) -> None:
    icons = tool("icons")
    ico = (ICONS / f"{name}.ico").read_bytes()
    assert struct.unpack("<HHH", ico[:6]) == (0, 1, len(icons.ICO))
    for number, size in enumerate(icons.ICO):
        side, length, offset = (
            *struct.unpack_from("<B", ico, 6 + 16 * number),
            *struct.unpack_from("<II", ico, 14 + 16 * number),
        )
        assert side == size % 256 and ico[offset : offset + 4] == b"\x89PNG" and offset + length <= len(ico)
    icns = (ICONS / f"{name}.icns").read_bytes()
    assert icns[:4] == b"icns" and struct.unpack(">I", icns[4:8]) == (len(icns),)
    place, found = 8, {}
    while place < len(icns):
        (length,) = struct.unpack_from(">I", icns, place + 4)
        found[icns[place : place + 4].decode()] = struct.unpack_from(">I", icns, place + 24)[0]
        place += length
    assert found == icons.ICNS
