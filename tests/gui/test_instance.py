"""One window for one user: a second start hands over and ends; a crash leaves nothing in the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from forensia.case.store import Case
from forensia.gui.app import Instance, Opener, come_forward, socket_name
from forensia.gui.window import MainWindow

ROOT = Path(__file__).parents[2]


@pytest.fixture
def first(qapp: QApplication) -> Iterator[Instance]:
    made = Instance()
    assert made.first
    yield made
    made.close()


def _second(code: str) -> subprocess.Popen[str]:
    """Another process of the same user."""
    head = "from PySide6.QtCore import QCoreApplication\napp = QCoreApplication([])\n"
    head += "from forensia.gui.app import Instance\nfrom pathlib import Path\n"
    return subprocess.Popen([sys.executable, "-c", head + code], cwd=ROOT, stdout=subprocess.PIPE, text=True)


def _said(second: subprocess.Popen[str], qtbot: QtBot) -> str:
    """What it printed; until it ends the first goes on answering, for a knock may come too late to be heard."""
    qtbot.waitUntil(lambda: second.poll() is not None, timeout=60_000)
    return second.communicate()[0].strip()


def test_a_second_start_hands_its_case_over(first: Instance, qtbot: QtBot, tmp_path: Path) -> None:
    case = tmp_path / "Harbour & Öl.forensia"
    with qtbot.waitSignal(first.asked, timeout=60_000) as heard:
        second = _second(f"i = Instance(); print(i.first, i.hand_over(Path({str(case)!r}), patience=60))")
    assert heard.args == [str(case)]
    assert _said(second, qtbot) == "False True"


def test_a_second_start_without_a_case_only_asks_to_come_forward(first: Instance, qtbot: QtBot) -> None:
    with qtbot.waitSignal(first.asked, timeout=60_000) as heard:
        second = _second("print(Instance().hand_over(None, patience=60))")
    assert heard.args == [""]
    assert _said(second, qtbot) == "True"


@pytest.mark.skipif(sys.platform == "win32", reason="uses signals")
def test_a_crash_leaves_nothing_in_the_way(qapp: QApplication) -> None:
    crashed = _second("import os, sys\ni = Instance(); print(i.first, flush=True); app.exec()")
    assert crashed.stdout is not None
    assert crashed.stdout.readline().strip() == "True"
    assert not Instance().first
    crashed.send_signal(signal.SIGKILL)
    crashed.communicate(timeout=60)
    after = Instance()
    assert after.first, "the lock went with the process"
    assert after._server is not None, "the socket that was left behind is cleared away"
    after.close()


def test_a_first_window_that_does_not_answer_is_not_waited_for(first: Instance) -> None:
    first._server.close()
    assert not Instance().hand_over(None, patience=0.3)


def test_nonsense_is_not_heard(first: Instance, qtbot: QtBot) -> None:
    heard: list[str] = []
    first.asked.connect(heard.append)
    ended = QLocalSocket.LocalSocketState.UnconnectedState  # the first has read it, and hung up
    for line in (b"not json\n", b"[1]\n", b'{"open": 5}\n', b"x" * 200_000):
        socket = QLocalSocket()
        socket.connectToServer(socket_name())
        assert socket.waitForConnected(30_000)
        socket.write(line)
        socket.flush()
        qtbot.waitUntil(lambda socket=socket: socket.state() == ended, timeout=60_000)  # type: ignore[misc]
    assert heard == []


@pytest.mark.skipif(sys.platform == "win32", reason="a named pipe has no mode")
def test_the_socket_is_for_this_user_alone(first: Instance) -> None:
    path = Path(first._server.fullServerName())
    assert path.stat().st_mode & 0o077 == 0


def test_another_home_is_another_user(first: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORENSIA_HOME", str(tmp_path / "other"))
    other = Instance()
    assert other.first
    other.close()


def test_coming_forward_opens_the_case(window: MainWindow, rest: Callable[[], None], tmp_path: Path) -> None:
    Case.create(tmp_path / "handed.forensia").close()
    window.showMinimized()
    come_forward(window, tmp_path / "handed.forensia")
    rest()
    assert window.opencase.case.path.name == "handed.forensia"
    assert not window.isMinimized()
    come_forward(window, None)
    assert window.opencase.case.path.name == "handed.forensia"


def test_a_double_click_arrives_as_an_event(window: MainWindow, rest: Callable[[], None], tmp_path: Path) -> None:
    Case.create(tmp_path / "clicked.forensia").close()
    opener = Opener(window)
    QApplication.instance().installEventFilter(opener)
    try:
        QApplication.sendEvent(
            QApplication.instance(), QFileOpenEvent(QUrl.fromLocalFile(str(tmp_path / "clicked.forensia")))
        )
        rest()
    finally:
        QApplication.instance().removeEventFilter(opener)
    assert window.opencase.case.path.name == "clicked.forensia"


@pytest.mark.skipif(sys.platform == "win32", reason="uses signals")
def test_the_real_program_opens_a_case_and_ends(tmp_path: Path) -> None:
    """`forensia CASE` shows a window; a second start ends at once; asked to end, the first leaves no process behind."""
    Case.create(tmp_path / "given.forensia").close()
    command = [sys.executable, "-m", "forensia", str(tmp_path / "given.forensia")]
    first = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
    try:
        lock = tmp_path / "given.forensia-lock"
        for _ in range(2400):
            if lock.exists() or first.poll() is not None:
                break
            time.sleep(0.05)
        assert lock.exists(), "the first start has the case open"
        second = subprocess.run(
            [*command[:3]], cwd=ROOT, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, timeout=120, check=False
        )
        assert second.returncode == 0
        assert first.poll() is None
    finally:
        first.kill()
        first.wait(20)
