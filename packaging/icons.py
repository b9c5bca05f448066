#!/usr/bin/env python3
"""Make the pictures of resources/icons from the drawings there: PNGs in the sizes of desktops, .ico for Windows, .icns for macOS.

.venv/bin/python packaging/icons.py          run it after a drawing was changed; what it makes is kept in the repository
"""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path

ICONS = Path(__file__).resolve().parents[1] / "resources" / "icons"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
SMALL = 32  # up to this size the simpler drawing is the clearer one
ICO = (16, 24, 32, 48, 64, 256)
# macOS names each size by four letters; those with a 2 in their meaning are for screens with twice the pixels.
ICNS = {"icp4": 16, "icp5": 32, "ic11": 32, "ic12": 64, "ic07": 128, "ic13": 256, "ic08": 256, "ic14": 512, "ic09": 512}


def main() -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    app = QGuiApplication.instance() or QGuiApplication(sys.argv[:1])
    for name, small in (("forensia", "forensia-small"), ("forensia-case", "forensia-case-small")):
        pictures = {size: png(ICONS / f"{small if size <= SMALL else name}.svg", size) for size in SIZES}
        for size, picture in pictures.items():
            place = ICONS / f"{size}x{size}" / f"{name}.png"
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(picture)
        (ICONS / f"{name}.ico").write_bytes(ico(pictures))
        (ICONS / f"{name}.icns").write_bytes(icns(pictures))
    del app


def png(drawing: Path, size: int) -> bytes:
    """A drawing as a PNG of `size` pixels."""
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(str(drawing))
    if not renderer.isValid():
        raise SystemExit(f"{drawing} cannot be drawn.")
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter)
    painter.end()
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(content.data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """An icon of Windows: a directory, then the PNGs; 0 stands for 256 there."""
    chosen = [(size, pictures[size]) for size in ICO]
    offset = 6 + 16 * len(chosen)
    head, body = struct.pack("<HHH", 0, 1, len(chosen)), b""
    for size, picture in chosen:
        side = size % 256
        head += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(picture), offset + len(body))
        body += picture
    return head + body


def icns(pictures: dict[int, bytes]) -> bytes:
    """An icon of macOS: named blocks, each with its own length."""
    blocks = b"".join(
        name.encode() + struct.pack(">I", 8 + len(pictures[size])) + pictures[size] for name, size in ICNS.items()
    )
    return b"icns" + struct.pack(">I", 8 + len(blocks)) + blocks


if __name__ == "__main__":
    main()
