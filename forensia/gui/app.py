"""The application around the window: one for a user, its style, files the desktop opens, and an exception nobody caught.

A second start hands its case to the first and ends. Whoever holds a lock is the first. The lock is the system's and goes with the
process, so a crash leaves none; the socket's file that a crash leaves is cleared away by the next holder of the lock. The socket is
local: nothing listens on a network.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QEvent, QLibraryInfo, QLocale, QObject, Qt, QTranslator, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication

from forensia import logs, paths, settings
from forensia.case.locking import FileLock, Locked
from forensia.gui import dialogs, lane, opening, theme
from forensia.gui.window import MainWindow

_log = logging.getLogger(__name__)
_PATIENCE = 5.0  # seconds for which a second start knocks
_WAIT = 1000  # milliseconds for one knock, and for the answer to it
_LONGEST = 100_000  # bytes of a message
_HEARD = b"heard\n"
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
    lane.keep_loaded()
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


def socket_name() -> str:
    """A name of this user's own, also where FORENSIA_HOME makes them several."""
    place = str(paths.config_dir().resolve()).encode("utf-8", "surrogatepass")
    return f"forensia-{hashlib.sha256(place).hexdigest()[:16]}"


class Instance(QObject):
    """Either the first (`first`), which hears from the others by `asked`, or a later one, which can only `hand_over`."""

    asked = Signal(str)  # a case to open; empty: only come to the front

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = FileLock(paths.config_dir() / "window.lock")
        self._server: QLocalServer | None = None
        self.first = self._lock.take() is not Locked.BUSY
        if self.first:
            self._listen()

    def _listen(self) -> None:
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        QLocalServer.removeServer(socket_name())  # what a crash left
        if not server.listen(socket_name()):
            _log.warning("No other start can reach this window: %s", server.errorString())
            return
        server.newConnection.connect(self._welcome)
        self._server = server

    def _welcome(self) -> None:
        socket = self._server.nextPendingConnection() if self._server else None
        if socket is None:
            return
        socket.readyRead.connect(lambda: self._hear(socket))
        socket.disconnected.connect(socket.deleteLater)
        if socket.bytesAvailable():
            self._hear(socket)

    def _hear(self, socket: QLocalSocket) -> None:
        if socket.bytesAvailable() > _LONGEST:
            socket.abort()
        elif socket.canReadLine():
            line = bytes(socket.readLine(_LONGEST).data())
            socket.write(_HEARD)
            socket.flush()
            socket.disconnectFromServer()
            case = _case_in(line)
            if case is not None:
                self.asked.emit(case)

    def hand_over(self, case: Path | None, patience: float = _PATIENCE) -> bool:
        """Ask the first window to open a case and come to the front; False when it does not answer."""
        line = json.dumps({"open": str(case.absolute()) if case else ""}).encode() + b"\n"
        end = time.monotonic() + patience
        while time.monotonic() < end:  # the first may hold the lock and not yet listen
            socket = QLocalSocket()
            socket.connectToServer(socket_name())
            if socket.waitForConnected(_WAIT):
                socket.write(line)
                socket.flush()
                if socket.waitForReadyRead(_WAIT) and bytes(socket.readAll().data()) == _HEARD:
                    return True
            time.sleep(0.05)
        return False

    def close(self) -> None:
        """Let another start be the first."""
        if self._server is not None:
            self._server.close()
            self._server = None
        if self.first:
            self._lock.release()


def _case_in(line: bytes) -> str | None:
    """The case that a message asks for; None when it is no message of ours."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    case = message.get("open") if isinstance(message, dict) else None
    return case if isinstance(case, str) else None
