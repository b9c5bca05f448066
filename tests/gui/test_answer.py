"""From known texts to a ranking, through the window: train, cancel, drop, read, and what becomes of it when texts change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from forensia import paths
from forensia.errors import Cancelled
from forensia.gui import dialogs
from forensia.gui.pages.disputed import DisputedPage
from forensia.gui.window import MainWindow

WAIT = 280_000


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """Three authors of the sample, which train in a moment; one has a name that tries to be markup."""
    known = tmp_path / "known"
    for number, author in enumerate(sorted((paths.sample_case() / "known").iterdir())[:3]):
        home = known / (author.name if number else "<b>A & $x$")
        for text in sorted(author.rglob("*.txt"))[:6]:
            target = home / text.parent.name / text.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.read_bytes())
    return known


@pytest.fixture
def trained(
    window: MainWindow, hand: ModuleType, rest: Callable[[], None], qtbot: QtBot, three: Path
) -> Iterator[MainWindow]:
    """A window with a small model in it."""
    hand.drop(window, three)
    rest()
    window.rail.go("model")
    for name, box in window.model.settings.families.items():
        box.setChecked(name in ("function words", "punctuation"))
    qtbot.mouseClick(window.model.settings.button, Qt.MouseButton.LeftButton)
    assert window.model.outcome.currentIndex() == 1, "training shows at once that it has begun"
    qtbot.waitUntil(lambda: not window.opencase.work.busy, timeout=WAIT)
    assert not [each.text.text() for each in window.findChildren(dialogs.Notice)]
    yield window


def test_train_drop_and_read(
    trained: MainWindow, hand: ModuleType, rest: Callable[[], None], qtbot: QtBot, tmp_path: Path
) -> None:
    assert trained.model.outcome.currentIndex() == 2
    trust = trained.model.trust
    qtbot.waitUntil(lambda: trust.summary is not None, timeout=WAIT)
    assert trust.sentences[0].text().startswith("Measured on 18 known documents by 3 authors")
    rows = trust.figures.table.rows
    outsiders = [rows.index(row, 2).data() for row in range(rows.rowCount())][-1]
    assert outsiders == "not estimable", "three authors say nothing about strangers"
    assert "Model trained" in trained.state.text() or "trained" in trained.state.text()
    disputed = tmp_path / "<i>disputed.txt"
    source = sorted((paths.sample_case() / "disputed").glob("*.txt"))[0]
    disputed.write_bytes(source.read_bytes())
    bad = tmp_path / "empty.txt"
    bad.write_text(" ", encoding="utf-8")
    hand.drop(trained, disputed, bad)
    qtbot.waitUntil(lambda: not trained.opencase.work.busy, timeout=WAIT)
    told = hand.dialog(trained)
    assert "empty" in told.text.text(), "a bad file is told and does not stop the other"
    told.accept()
    rest()
    page = trained.disputed
    assert trained.pages.currentWidget() is page
    assert page.currentIndex() == 2
    assert page.title.text() == "<i>disputed"
    assert trained.rail.documents.item(0).text() == "<i>disputed"
    answer = page.answer
    assert answer.opinion.head.text() == "No opinion"
    assert "too close to one another" in answer.opinion.statement.text()
    assert answer.table.rows.rowCount() == 3
    names = {answer.table.rows.index(row, 1).data() for row in range(3)}
    assert "<b>A & $x$" in names
    qtbot.waitUntil(lambda: page.strip.picture is not None, timeout=60_000)
    _hover(page, qtbot)
    _explain(page, qtbot)
    _open_pair(trained, qtbot)
    shown = trained.opencase.shown
    trained.opencase.exclude([shown.documents[0].id], "test")
    assert "Out of date" in answer.opinion.warnings.text()
    assert "out of date" in trained.state.text().lower() or "Exclude" in trained.state.text()
    trained.rail.go("model")
    assert trained.model.stale.isVisibleTo(trained.model)
    trained.rail.go("disputed")
    trained.menus.undo.trigger()
    assert "Out of date" not in answer.opinion.warnings.text()
    page.remove.click()
    assert page.currentIndex() == 1
    assert trained.rail.documents.count() == 0


def _hover(page: DisputedPage, qtbot: QtBot) -> None:
    """The pointer on a dot names its document, and so do the arrow keys."""
    strip = page.strip
    x, y, index = strip.picture.points[0]
    pair = page.answer.nearness._by_index[index]
    assert strip.describe(index).startswith(f"{pair.author}\n{pair.document}\nPr(Same) ")
    with qtbot.waitSignal(strip.pointed, timeout=60_000) as heard:
        qtbot.mouseMove(strip.canvas, QPoint(round(x), round(y)))
    assert heard.args == [index]
    with qtbot.waitSignal(strip.pointed, timeout=60_000) as heard:
        qtbot.keyClick(strip.canvas, Qt.Key.Key_Right)
    assert heard.args == [strip.picture.points[1][2]]
    assert len(strip.picture.points) == 18
    assert "A strip for each of 3 authors" in strip.canvas.accessibleDescription()


def _explain(page: DisputedPage, qtbot: QtBot) -> None:
    """What speaks for the author who is first, with the passages in both texts."""
    explain = page.answer.explain
    page.answer.tabs.setCurrentIndex(2)
    qtbot.waitUntil(lambda: explain.answer.isVisible() and explain.answer.isEnabled(), timeout=WAIT)
    assert explain.left_title.text() == "Disputed: <i>disputed"
    names = {row.family for row in explain.panel.families.rows.rows}
    assert names == {"", "baseline", "function words"}, "punctuation has no part in the fused score"
    assert explain.against.isVisible() and explain.against.count() == 2
    assert explain.panel.features.choose(lambda row: bool(explain.left.places(row.column)))
    explain.panel.onward.click()
    cursor = explain.left.textCursor()
    assert cursor.hasSelection() and explain.panel.where.text().startswith("left 1/")
    page.answer.tabs.setCurrentIndex(3)
    reading = page.answer.reading.preview
    qtbot.waitUntil(lambda: bool(reading.text.toPlainText()), timeout=WAIT)
    assert reading.title.text() == "<i>disputed", "the whole text can be read"
    page.answer.tabs.setCurrentIndex(4)
    qtbot.waitUntil(lambda: page.answer.typical.pane.picture is not None, timeout=WAIT)
    page.answer.tabs.setCurrentIndex(0)


def _open_pair(window: MainWindow, qtbot: QtBot) -> None:
    """A click on a dot opens the pair in Compare, with a verdict between both texts."""
    strip, compare = window.disputed.strip, window.compare
    qtbot.waitUntil(lambda: strip.picture is not None, timeout=WAIT)
    x, y, index = strip.picture.points[0]
    known = window.disputed.answer.nearness._by_index[index]
    qtbot.mouseClick(strip.canvas, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
    assert window.pages.currentWidget() is compare
    qtbot.waitUntil(lambda: compare.panel.isVisible(), timeout=WAIT)
    assert compare.verdict.head.text() in ("Opinion", "No opinion")
    assert f"known: {known.author}" in compare.right.about.text()
    assert compare.left.title.text() == "First text: <i>disputed"
    assert compare.left.text.toPlainText() and compare.right.text.toPlainText()
    window.rail.go("disputed")


HELD = """
_train = train

def train(progress, news, **given):
    def held(fraction, message=""):
        progress(fraction, message)
        while fraction > 0:
            progress(fraction, message)
            time.sleep(0.02)

    return _train(held, news, **given)
"""


def test_cancel_training(
    window: MainWindow,
    hand: ModuleType,
    rest: Callable[[], None],
    qtbot: QtBot,
    three: Path,
    stand_in: Callable[[str], None],
) -> None:
    """The real training, which goes no further than to its first report until it is cancelled."""
    stand_in(HELD)
    hand.drop(window, three)
    rest()
    window.rail.go("model")
    window.model.settings.button.click()
    qtbot.waitUntil(lambda: window.model.stages.bar.value() > 0, timeout=WAIT)
    qtbot.mouseClick(window.model.stages.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.opencase.work.busy, timeout=WAIT)
    assert window.opencase.shown.model is None
    assert window.model.outcome.currentIndex() == 0
    assert window.model.settings.button.isEnabled()


SECOND_STEP_HELD = """
_train = train

def train(progress, news, **given):
    def held(fraction, message=""):
        progress(fraction, message)
        while fraction > 0.2:
            progress(fraction, message)
            time.sleep(0.02)

    return _train(held, news, **given)
"""


def test_the_diff_vector_part_gives_way(
    window: MainWindow,
    hand: ModuleType,
    rest: Callable[[], None],
    qtbot: QtBot,
    three: Path,
    stand_in: Callable[[str], None],
) -> None:
    """The fused ranking can be used while the rest is trained, which stops for what is wanted and then goes on by itself."""
    stand_in(SECOND_STEP_HELD)
    hand.drop(window, three)
    rest()
    window.rail.go("model")
    for name, box in window.model.settings.families.items():
        box.setChecked(name in ("function words", "punctuation"))
    window.model.settings.button.click()
    qtbot.waitUntil(lambda: window.opencase.adding, timeout=WAIT)
    model = window.opencase.shown.model
    assert model is not None and model.validated and not model.complete and window.opencase.work.busy
    assert window.model.outcome.currentIndex() == 2, "what is known of it can be read already"
    window.opencase.exclude([window.opencase.shown.documents[0].id], "a choice is kept as soon as the part has stopped")
    window.opencase.undo()
    window.opencase.analyse([paths.sample_case() / "disputed" / "anonymous-1.txt"])
    qtbot.waitUntil(lambda: bool(window.opencase.shown.results), timeout=WAIT)
    (first,) = window.opencase.shown.results.values()
    assert first.result.fused_only and first.current
    page = window.disputed
    window.rail.go("disputed")
    table = page.answer.table
    assert table.model().index(0, 3).data() == "–" and table.model().index(0, 2).data() != "–", "Lazy is still to come"
    qtbot.waitUntil(lambda: window.opencase.shown.model.complete, timeout=WAIT)
    qtbot.waitUntil(lambda: not window.opencase.work.busy, timeout=WAIT)
    (kept,) = window.opencase.shown.results.values()
    assert kept == first and window.pages.currentWidget() is page, "nothing has moved"
    assert len(window.opencase.shown.active) == 18 and not window.findChildren(dialogs.Notice)
    started = [entry.data["what"] for entry in window.opencase.case.log.entries() if entry.event == "run started"]
    assert started == ["training", "diff-vectors", "analysis", "diff-vectors"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise KeyError('words of a document')", "KeyError"),
        ("raise MemoryError", "not enough memory"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "runs out of memory"),
        ("os._exit(5)", "code 5"),
    ],
)
def test_a_failing_worker_is_a_failed_run(
    window: MainWindow,
    hand: ModuleType,
    rest: Callable[[], None],
    three: Path,
    stand_in: Callable[[str], None],
    code: str,
    said: str,
) -> None:
    """Whatever becomes of the child in the middle of a run, the window lives, and the case is as it was and says so."""
    stand_in(f"""
def train(progress, news, *, case, **_):
    with Case.open(case, lent=True) as lent, lent.log.run("training"):
        {code}
""")
    hand.drop(window, three)
    rest()
    window.rail.go("model")
    window.model.settings.button.click()
    rest()
    told = hand.dialog(window)
    assert said in told.text.text()
    assert "words of a document" not in told.text.text() + told.details.toPlainText()
    told.accept()
    assert window.model.settings.button.isEnabled()
    assert window.opencase.shown.model is None
    ends = [entry.event for entry in window.opencase.case.log.entries()][-2:]
    assert ends[0] == "run started" and ends[1] in ("run discarded", "run interrupted")
    window.opencase.exclude([window.opencase.shown.documents[0].id], "the case can still be changed")
    assert len(window.opencase.shown.active) == 17
    assert not window.opencase.case.log.faults()


def test_cancelled_is_no_error(window: MainWindow) -> None:
    window.opencase._fail(Cancelled())
    QApplication.processEvents()
    assert "nothing was changed" in window.state.text()
