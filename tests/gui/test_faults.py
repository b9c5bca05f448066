"""The window lives: cancel in each stage, a worker that is killed, closing while busy, reopening, and no process left behind."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from forensia.bench.lag import resident_mb
from forensia.case.store import Case
from forensia.gui import snapshot
from forensia.gui.window import MainWindow
from forensia.jobs import child
from forensia.jobs import worker as jobs_worker

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(sys.platform == "win32", reason="uses signals")

SLOW = """
def _on(progress, case=""):
    while True:
        progress(0.01, "Going on")
        time.sleep(0.005)

def train(progress, news, *, case, **_):
    with Case.open(case, lent=True) as lent, lent.log.run("training"):
        _on(progress)

def analyse(progress, news, *, case, **_):
    with Case.open(case, lent=True) as lent, lent.log.run("analysis"):
        _on(progress)

DEAF

"""
DEAF = """
def train(progress, news, *, case, **_):
    with Case.open(case, lent=True) as lent, lent.log.run("training"):
        progress(0.01, "Going on")
        time.sleep(600)
"""


def _begin(stage: str, window: MainWindow, tmp_path: Path) -> None:
    if stage == "training":
        window.rail.go("model")
        window.model.settings.button.click()
    else:
        text = tmp_path / "disputed.txt"
        text.write_text("Nobody would say where the boat had gone. " * 40, encoding="utf-8")
        window.opencase.analyse([text])


@pytest.mark.parametrize("stage", ["training", "analysing"])
@pytest.mark.parametrize("listens", [True, False], ids=["listens", "deaf"])
def test_cancel_in_each_stage(
    stage: str,
    listens: bool,
    hand: ModuleType,
    window: MainWindow,
    rest: Callable[[], None],
    qtbot: QtBot,
    stand_in: Callable[[str], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert child.POLL + jobs_worker._GRACE < 2, "who does not listen is ended within two seconds"
    if listens:
        monkeypatch.setattr(jobs_worker, "_GRACE", 100.0)  # it is heard, however busy the machine is
    code = SLOW.replace("DEAF", "") if listens else DEAF + DEAF.replace("def train", "def analyse")
    stand_in(code)
    hand.drop(window, hand.make_corpus(tmp_path / "known"))
    rest()
    before = window.opencase.shown
    _begin(stage, window, tmp_path)
    qtbot.waitUntil(lambda: "Going on" in window.strip.message.text(), timeout=60_000)
    qtbot.mouseClick(window.strip.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.opencase.work.busy, timeout=60_000)
    assert "nothing was changed" in window.state.text()
    assert snapshot.same(before, window.opencase.shown)
    log = [entry.event for entry in window.opencase.case.log.entries()]
    assert log[-1] == ("run discarded" if listens else "run interrupted")
    assert not window.opencase.case.log.faults()


@posix
def test_a_worker_killed_from_outside(
    hand: ModuleType,
    window: MainWindow,
    rest: Callable[[], None],
    qtbot: QtBot,
    stand_in: Callable[[str], None],
    tmp_path: Path,
) -> None:
    stand_in(SLOW.replace("DEAF", ""))
    hand.drop(window, hand.make_corpus(tmp_path / "known"))
    rest()
    _begin("training", window, tmp_path)
    qtbot.waitUntil(lambda: "Going on" in window.strip.message.text(), timeout=60_000)
    os.kill(window.opencase.engine.pid, signal.SIGKILL)
    rest()
    told = hand.dialog(window)
    assert "runs out of memory" in told.text.text()
    told.accept()
    assert window.model.settings.button.isEnabled()
    _begin("training", window, tmp_path)
    qtbot.waitUntil(lambda: "Going on" in window.strip.message.text(), timeout=60_000)
    window.strip.stop.click()
    rest()


@posix
def test_closing_while_training_leaves_no_process_and_a_sound_case(
    hand: ModuleType,
    window: MainWindow,
    rest: Callable[[], None],
    qtbot: QtBot,
    stand_in: Callable[[str], None],
    tmp_path: Path,
) -> None:
    stand_in(DEAF)
    hand.drop(window, hand.make_corpus(tmp_path / "known"))
    rest()
    path = window.opencase.case.path
    _begin("training", window, tmp_path)
    qtbot.waitUntil(lambda: "Going on" in window.strip.message.text(), timeout=60_000)
    pid = window.opencase.engine.pid
    window.close()
    hand.press(hand.dialog(window), "Stop and close")
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=60_000)
    assert _gone(pid)
    with Case.open(path) as again:
        assert not again.read_only and not again.log.faults()
        assert again.log.entries()[-1].event == "run interrupted"
        assert len(again.documents.known()) == 6


@posix
def test_a_killed_window_leaves_no_process_and_a_sound_case(hand: ModuleType, tmp_path: Path) -> None:
    """The whole program, killed in the middle of training, and opened again."""
    known = hand.make_corpus(tmp_path / "known")
    seen = tmp_path / "seen"  # the work says that it goes on until the window has seen it, and then is deaf
    (tmp_path / "deaf_tasks.py").write_text(
        "import time\nfrom pathlib import Path\nfrom forensia.gui.tasks import *\n"
        + DEAF.replace(
            'progress(0.01, "Going on")',
            f"""while not Path({str(seen)!r}).exists():
            progress(0.01, "Going on")
            time.sleep(0.05)""",
        ),
        encoding="utf-8",
    )
    code = f"""
import sys; sys.path[:0] = [{str(tmp_path)!r}]
from pathlib import Path
from PySide6.QtCore import QTimer
from forensia.gui import tasks
from forensia.gui.app import make_application
from forensia.gui.window import MainWindow
from deaf_tasks import train
tasks.train, tasks.ALL = train, (*tasks.ALL, train)
app = make_application()
window = MainWindow()
window.show()
def look():
    opencase = window.opencase
    if opencase.shown and opencase.shown.documents and not opencase.work.busy:
        window.model.train(window.model.settings.options())
    elif "Going on" in window.strip.message.text():
        Path({str(seen)!r}).touch()
        print(opencase.engine.pid, opencase.case.path, sep="|", flush=True)
        timer.stop()
timer = QTimer(); timer.timeout.connect(look); timer.start(50)
window.opencase.read(Path({str(known)!r}))
app.exec()
"""
    program = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    pid, _, path = program.stdout.readline().strip().partition("|")
    program.kill()
    program.wait(60)
    program.stdout.close()
    assert _gone(int(pid)), "the child sees that its parent is gone"
    with Case.open(path) as again:
        assert not again.read_only and not again.log.faults()
        assert [entry.event for entry in again.log.entries()][-1] == "run interrupted"
        assert len(again.documents.known()) == 6


def _gone(pid: int, seconds: float = 60.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_drags_without_files_are_not_taken(window: MainWindow) -> None:
    data = QMimeData()
    data.setText("only words")
    event = QDragEnterEvent(
        QPoint(4, 4), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    event.ignore()
    QApplication.sendEvent(window, event)
    assert not event.isAccepted()


def test_a_drop_from_the_network_is_told(hand: ModuleType, window: MainWindow) -> None:
    hand.drop_urls(window, QUrl("https://example.org/a.txt"))
    assert "no file on this computer" in hand.dialog(window).text.text()


def test_no_garbage_is_collected_outside_the_window_thread(window: MainWindow) -> None:
    """A widget that another thread takes away takes the program with it."""
    assert not gc.isenabled()


def test_memory_after_many_answers(sample: MainWindow, qtbot: QtBot) -> None:
    """Fifty looks at an answer with every known document of a large case; the whole of fifty analyses is measured by `bench`."""
    from forensia.gui.tasks.plots import PrSamePlot

    sample.rail.go("disputed")
    page = sample.disputed
    page.setCurrentIndex(2)

    def look(number: int) -> None:
        scores = tuple(((number + place) % 100) / 100 for place in range(1_000))
        page.strip.show_plot(PrSamePlot(scores, ("A", "B") * 500, ("A", "B"), 3))
        qtbot.waitUntil(lambda: page.strip.picture is not None, timeout=60_000)

    for number in range(3):
        look(number)
    gc.collect()
    before = resident_mb()
    for number in range(3, 13):
        look(number)
    gc.collect()
    assert resident_mb() - before < 50
