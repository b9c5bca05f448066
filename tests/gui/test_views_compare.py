"""The Compare page: two sides to fill by dropping, pasting, typing or choosing; the verdict; and what goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from forensia.errors import InputError
from forensia.gui.app import make_application
from forensia.gui.opencase import OpenCase
from forensia.gui.pages.compare import ComparePage
from forensia.gui.pages.compare.side import ChooseDocument, DocumentEntry, Source
from forensia.gui.snapshot import Changes, Snapshot
from forensia.wording.ratios import forbidden_in
from support import answers
from support.qt import destroy

WAIT = 120_000


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> Iterator[ComparePage]:
    make_application()
    opencase = OpenCase()
    opencase.quick = answers.Answers(compare=answers.compared(), peek=answers.texts()[0])
    made = ComparePage(opencase)
    made.resize(1040, 700)
    made.show()
    assert made.currentIndex() == 0, "without a model it says so"
    opencase.shown = Snapshot(tmp_path / "case.forensia", model=answers.model("t1"))
    opencase.changed.emit(Changes.CASE)
    assert made.currentIndex() == 1
    yield made
    lanes = (made.questions, *(peek for peek in made.peeks.values()))
    qtbot.waitUntil(lambda: not any(lane.busy for lane in lanes), timeout=WAIT)
    destroy(made, opencase)


def _drop(target: QWidget, data: QMimeData) -> bool:
    actions, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(QPoint(10, 10), actions, data, buttons, keys)
    QApplication.sendEvent(target, entered)
    if entered.isAccepted():
        QApplication.sendEvent(target, QDropEvent(QPointF(10, 10), actions, data, buttons, keys))
    return entered.isAccepted()


def _files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def test_two_dropped_files_are_compared_at_once(page: ComparePage, qtbot: QtBot, tmp_path: Path) -> None:
    assert not page.button.isEnabled() and not page.panel.isVisible()
    one, other = tmp_path / "<i>one.txt", tmp_path / "two.txt"
    for file in (one, other):
        file.write_text("words", encoding="utf-8")
    assert _drop(page.left, _files(one, other))
    assert not page.button.isVisible() and page.verdict.head.text() == "Comparing…"
    qtbot.waitUntil(lambda: page.panel.isVisible(), timeout=WAIT)
    asked = [arguments for name, arguments in page.questions.worker.asked if name == "compare"][-1]
    assert (asked["a"], asked["b"]) == ({"path": str(one)}, {"path": str(other)})
    assert page.verdict.head.text() == "Opinion"
    assert page.verdict.statement.text().startswith("The findings are about 75 (95 % interval 20 to 400) times")
    assert "log10 LR +1.9" in page.verdict.scale.accessibleDescription()
    assert "not the probability" in page.verdict.score.text() and "> 0.99" in page.verdict.score.text()
    assert page.verdict.attributions.text().startswith("DV-2xAA says ") and page.verdict.attributions.isVisible()
    assert page.left.title.text() == "First text: <i>disputed"
    assert f"known: {answers.HOSTILE}" in page.right.about.text()
    page.panel.features.choose(lambda row: row.column == 1)
    page.panel.onward.click()
    assert page.left.text.textCursor().selectedText() == page.right.text.textCursor().selectedText() == "and"
    for label in page.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText
        assert not forbidden_in(label.text())


def test_typed_and_pasted(page: ComparePage, qtbot: QtBot) -> None:
    qtbot.keyClicks(page.left.entry, "I can't say.")
    assert page.left.about.text() == "3 words" and not page.button.isEnabled()
    QGuiApplication.clipboard().clear()
    page.right.paste.click()
    assert "no text in the clipboard" in page.right.about.text()
    QGuiApplication.clipboard().setText("And so on.")
    page.right.paste.click()
    assert page.button.isEnabled() and page.verdict.statement.text() == "Press Compare.", "typing is not interrupted"
    qtbot.mouseClick(page.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.panel.isVisible(), timeout=WAIT)
    asked = [arguments for name, arguments in page.questions.worker.asked if name == "compare"][-1]
    assert (asked["a"], asked["b"]) == ({"pasted": "I can't say."}, {"pasted": "And so on."})
    page.left.clear.click()
    assert page.left.source is None and not page.panel.isVisible() and not page.button.isEnabled()
    assert page.left.stack.currentIndex() == 0


def test_one_side_is_read_alone(page: ComparePage, qtbot: QtBot) -> None:
    page.left.take(Source("a", {"id": "x"}))
    qtbot.waitUntil(lambda: "⟨U+202E⟩" in page.left.text.toPlainText(), timeout=WAIT)
    assert page.left.about.text().startswith("14 words")
    page.questions.worker.answers["peek"] = InputError("'b' could not be read.")
    page.left.empty()
    page.right.take(Source("b", {"path": "b"}))
    qtbot.waitUntil(lambda: page.right.about.text() == "'b' could not be read.", timeout=WAIT)


def test_what_is_not_a_text_goes_on_to_the_window(page: ComparePage, tmp_path: Path) -> None:
    case = tmp_path / "other.forensia"
    case.write_bytes(b"")
    assert not _drop(page.left, _files(case)) and not _drop(page.left, _files(tmp_path))
    assert not _drop(page.left, _files(tmp_path / "missing.txt"))
    words = QMimeData()
    words.setText("dragged words")
    assert _drop(page.left, words)
    assert page.left.source is not None and page.left.source.text == {"pasted": "dragged words"}


def test_a_comparison_that_fails(page: ComparePage, qtbot: QtBot) -> None:
    page.questions.worker.answers["compare"] = InputError(
        "The two texts are the same. Choose another one for one side."
    )
    page.open_pair(Source("a", {"id": "x"}), Source("b", {"id": "y"}))
    qtbot.waitUntil(lambda: page.verdict.head.text() == "Not compared", timeout=WAIT)
    assert "The two texts are the same" in page.verdict.statement.text()
    assert page.button.isVisible() and page.button.isEnabled(), "it can be tried again"
    page.questions.worker.answers["compare"] = answers.compared(given=False)
    page.button.click()
    qtbot.waitUntil(lambda: page.verdict.head.text() == "No opinion", timeout=WAIT)
    assert page.verdict.statement.text() == (
        "One of the texts has 60 words. The shortest that were tried have 80: nothing is known of shorter ones."
    )
    assert not page.verdict.scale.isVisible() and not page.verdict.attributions.isVisible()


def test_another_model_and_another_case(page: ComparePage, qtbot: QtBot, tmp_path: Path) -> None:
    page.open_pair(Source("a", {"id": "x"}), Source("b", {"id": "y"}))
    qtbot.waitUntil(lambda: page.panel.isVisible(), timeout=WAIT)
    opencase = page.opencase
    opencase.shown = Snapshot(opencase.shown.path, model=answers.model("t2"))
    opencase.changed.emit(Changes.CASE)
    assert not page.panel.isVisible() and page.button.isEnabled(), "what another model found is not shown for this one"
    opencase.shown = Snapshot(tmp_path / "other.forensia", model=answers.model("t2"))
    opencase.changed.emit(Changes.CASE)
    assert page.left.source is None and page.right.source is None


def test_choosing_a_document(page: ComparePage, qtbot: QtBot) -> None:
    listed = [
        DocumentEntry("1", "disputed", "anonymous", 800),
        DocumentEntry("2", answers.HOSTILE, "letter", 300),
        DocumentEntry("3", "Ben", "letter", 20),
    ]
    chosen: list[DocumentEntry] = []
    dialog = ChooseDocument(page, listed, chosen.append)
    dialog.open()
    assert dialog.table.rows.rowCount() == 3
    qtbot.keyClicks(dialog.filter, "ben let")
    assert [row.id for row in dialog.table.rows.rows] == ["3"]
    dialog.filter.setText("nothing like it")
    assert not dialog.ok.isEnabled()
    dialog.filter.setText("&")
    dialog.ok.click()
    assert [entry.id for entry in chosen] == ["2"]
