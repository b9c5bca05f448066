"""One window for one user: a second start hands its case to the first and ends. Whoever holds a lock is the first.

The lock is the system's and goes with the process, so a crash leaves none; the socket's file that a crash leaves is cleared away by
the next holder of the lock. The socket is local: nothing listens on a network.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from forensia import paths
from forensia.case.locking import FileLock, Locked

_log = logging.getLogger(__name__)
_PATIENCE = 5.0  # seconds for which a second start knocks
_WAIT = 1000  # milliseconds for one knock, and for the answer to it
_LONGEST = 100_000  # bytes of a message
_HEARD = b"heard\n"


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
