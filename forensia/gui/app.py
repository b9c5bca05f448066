"""The application around the window: style, fonts, crash notice, and what happens to an exception nobody caught."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from types import TracebackType

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from forensia import __version__, logs, settings
from forensia.gui import theme
from forensia.gui.window import MainWindow

_log = logging.getLogger(__name__)


def make_application() -> QApplication:
    """The one QApplication, styled; used by the program and by the tests alike."""
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    app.setApplicationName("Forensia")
    app.setApplicationVersion(__version__)
    app.setOrganizationName("Forensia")
    QGuiApplication.setDesktopFileName("forensia")
    app.setStyle("Fusion")
    app.setPalette(theme.palette(theme.colours(settings.load().theme)))
    return app


def start(case: Path | None = None) -> int:
    """Open the window and run until it is closed."""
    app = make_application()
    crashed = logs.watch_for_crashes()
    window = MainWindow()
    sys.excepthook = _tell_instead_of_dying
    window.show()
    if crashed:
        window.show_crash_notice(crashed)
    if case is not None:
        window.open_case(case)
    code = app.exec()
    logs.stop_watching()
    return code


def _tell_instead_of_dying(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    _log.error("uncaught", exc_info=(kind, error, trace))
    sys.__excepthook__(kind, error, trace)
