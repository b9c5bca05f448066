"""The application around the window: style, crash notice, files the desktop opens, and what happens to an exception nobody caught."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QEvent, QLibraryInfo, QLocale, QObject, Qt, QTranslator
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from forensia import logs, paths, settings
from forensia.gui import dialogs, opening, sweeping, theme
from forensia.gui.instance import Instance
from forensia.gui.window import MainWindow

_log = logging.getLogger(__name__)
Hook = Callable[[type[BaseException], BaseException, TracebackType | None], None]


def make_application() -> QApplication:
    """The one QApplication, styled; used by whoever opens no window of their own, and by the tests."""
    first = QApplication.instance() is None
    app = opening.application()
    app.setStyle("Fusion")
    theme.apply(app, settings.load().theme)
    if first:
        _translate(app)
    return app


def _translate(app: QApplication) -> None:
    """The user's language, where somebody has translated the window; its own English elsewhere."""
    places = (
        ("forensia", str(paths.resources() / "translations")),
        ("qtbase", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)),
    )
    for name, folder in places:
        translator = QTranslator(app)
        if not translator.load(QLocale(), name, "_", folder):
            return  # Qt's own words in another language than ours would be worse than none
        app.installTranslator(translator)


def start(case: Path | None = None, notice: opening.OpeningNotice | None = None) -> int:
    """Open the window and run until it is closed; a second start hands its case to the first one."""
    app = opening.application()
    _translate(app)
    instance = Instance()
    if not instance.first and instance.hand_over(case):
        return 0
    crashed = logs.watch_for_crashes()
    window = MainWindow()
    theme.apply(app, settings.load().theme)  # only now: with the style sheet, building the window takes twice as long
    opener = Opener(window)
    app.installEventFilter(opener)
    instance.asked.connect(lambda asked: come_forward(window, Path(asked) if asked else None))
    sys.excepthook = teller(window)
    window.show()
    if notice is not None:
        notice.close()
    sweeping.settled()
    if crashed:
        window.show_crash_notice(crashed)
    if case is not None:
        window.open_case(case)
    code = app.exec()
    sys.excepthook = sys.__excepthook__
    app.removeEventFilter(opener)
    instance.close()
    logs.stop_watching()
    return code


def come_forward(window: MainWindow, case: Path | None) -> None:
    """Another start was sent here: show the window, and open its case."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
    if case is not None:
        window.open_case(case)


class Opener(QObject):
    """Opens what the desktop hands over (a double click on a case, on systems that send it as an event)."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self._window.open_case(Path(event.file()))
            return True
        return False


def teller(window: MainWindow) -> Hook:
    """A hook for exceptions nobody caught: one dialog, however many there are, and the log."""
    shown: list[dialogs.Notice] = []

    def tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        _log.error("uncaught", exc_info=(kind, error, trace))
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        details = logs.describe(error, trace)
        if shown:
            shown[0].details.appendPlainText(f"\n{details}")
            return
        notice = dialogs.unexpected(window, kind.__name__, details)
        shown.append(notice)
        notice.finished.connect(lambda _: shown.clear())

    return tell
