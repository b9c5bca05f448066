"""The first thing one sees: a notice that Forensia is opening. It needs next to nothing, so it is there long before the window."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import PySide6
from PySide6.QtCore import QCoreApplication, QEventLoop, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication, QFrame, QLabel

from forensia import __version__, paths, settings
from forensia.errors import StorageError
from forensia.gui import theme
from forensia.gui.widgets import column, row, spring
from forensia.gui.words import tr

_PATIENCE = 0.5  # seconds for a display that is slow to show a window; the program does not wait longer for it
_SIZES = (16, 22, 24, 32, 48, 64, 128, 256)


def application() -> QApplication:
    """The one QApplication, in its colours but without its style sheet: widgets that are built before it are built much faster."""
    existing = QApplication.instance()
    if existing is None:
        _tell_plugins()
    app = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    app.setApplicationName("Forensia")
    app.setApplicationVersion(__version__)
    app.setOrganizationName("Forensia")
    QGuiApplication.setDesktopFileName("forensia")
    if existing is None:
        app.setStyle("Fusion")
        app.setPalette(theme.palette(theme.colours(settings.load().theme)))
        app.setWindowIcon(icon())
    return app


def _tell_plugins() -> None:
    """PySide6 tells Qt where its plugins are, and Qt reads that up to the first comma; in a folder with one it must be told again."""
    folder = Path(PySide6.__file__).parent
    if "," in str(folder):
        plugins = folder / "plugins" if sys.platform == "win32" else folder / "Qt" / "plugins"
        QCoreApplication.addLibraryPath(str(plugins))


def icon() -> QIcon:
    """The icon of the program, in all the sizes that desktops ask for."""
    made = QIcon()
    try:
        folder = paths.resources() / "icons"
    except StorageError:  # said with more words as soon as the language model is wanted
        return made
    for size in _SIZES:
        made.addFile(str(folder / f"{size}x{size}" / "forensia.png"), QSize(size, size))
    return made


class OpeningNotice(QFrame):
    """Says that the window is coming; it goes when the window is there."""

    def __init__(self) -> None:
        super().__init__(None, Qt.WindowType.SplashScreen)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(tr("Forensia is opening"))
        picture = QLabel()
        picture.setPixmap(QApplication.windowIcon().pixmap(64, 64))
        name = QLabel("Forensia")
        font = name.font()
        font.setPointSizeF(font.pointSizeF() * 1.8)
        font.setBold(True)
        name.setFont(font)
        said = column(spring(), name, QLabel(tr("Opening…")), spring(), spacing=4)
        self.setLayout(row(picture, (said, 1), margins=(36, 30, 48, 30), spacing=24))
        self.setFixedSize(self.sizeHint().expandedTo(QSize(360, 160)))
        screen = QGuiApplication.primaryScreen()
        if screen is not None:
            self.move(screen.availableGeometry().center() - self.rect().center())


def show_notice() -> OpeningNotice:
    """Put the notice on the screen, now: what comes next keeps the event loop waiting."""
    application()
    notice = OpeningNotice()
    notice.show()
    handle, end = notice.windowHandle(), time.monotonic() + _PATIENCE
    while handle is not None and not handle.isExposed() and time.monotonic() < end:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
    notice.repaint()
    return notice
