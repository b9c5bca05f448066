"""Texts with their passages highlighted: where marks fall, how they are dressed, and how one walks through them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextCharFormat
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from forensia import codec
from forensia.errors import InputError
from forensia.evidence.explanation import FeatureContribution
from forensia.figures.look import contrast
from forensia.gui import theme, words
from forensia.gui.app import make_application
from forensia.gui.pages.disputed.explain import ExplainView
from forensia.gui.tasks.inquiries import Located, PairListed
from forensia.gui.widgets.texts import HighlightedText, Shown
from support import answers
from support.qt import destroy

WAIT = 120_000


@pytest.fixture
def what() -> PairListed:
    return answers.found()


def _feature(column: int, relative: float) -> FeatureContribution:
    return answers.feature(column, f"feature {column}", "words", relative)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


@given(
    st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("🜚\u200b\u202e \n"), max_size=30),
    st.data(),
)
@settings(max_examples=60)
def test_places_in_the_editor(text: str, data: st.DataObject) -> None:
    """Whatever a text holds, a span of it covers in the editor what it covers in the text."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    shown = Shown(text)
    before, inside = shown.span((start, end))
    assert 0 <= before <= inside <= _units(shown.text)
    assert shown.place(len(text)) == _units(shown.text)
    editor = shown.text.encode("utf-16-le", "surrogatepass")
    covered = editor[2 * before : 2 * inside].decode("utf-16-le", "surrogatepass")
    assert covered == Shown(text[start:end]).text


def test_hidden_characters_are_written_out(qtbot: QtBot) -> None:
    make_application()
    editor = HighlightedText("text")
    qtbot.addWidget(editor)
    editor.show_text(Located("t", "a", 3, answers.TEXT + " <b>bold</b>"))
    assert "⟨U+202E⟩" in editor.toPlainText() and "\u202e" not in editor.toPlainText()
    assert "<b>bold</b>" in editor.toPlainText(), "markup is letters"
    assert editor.isReadOnly() and not editor.acceptDrops()
    editor.show_text(Located("t", "a", 3, "short", more=1_234))
    assert "1,234 further characters" in editor.toPlainText()


def _format_at(editor: HighlightedText, place: int) -> QTextCharFormat | None:
    block = editor.document().findBlock(place)
    for each in block.layout().formats():
        if each.start <= place - block.position() < each.start + each.length:
            return QTextCharFormat(each.format)
    return None


@pytest.mark.parametrize("name", ["light", "dark"])
def test_marks_differ_without_colour(qtbot: QtBot, what: PairListed, name: str) -> None:
    app = make_application()
    theme.apply(app, name)
    editor = HighlightedText("text")
    qtbot.addWidget(editor)
    editor.show_text(answers.texts()[0])
    editor.mark([what.features[1], what.features[2]])
    plain = editor.toPlainText()
    for_it, against = (_format_at(editor, plain.index(part)) for part in ("and", ","))
    assert for_it is not None and against is not None
    assert _format_at(editor, plain.index("say")) is None
    assert for_it.underlineStyle() != against.underlineStyle(), "the underline tells them apart"
    assert for_it.background() != against.background()
    for format_ in (for_it, against):
        ink, paper = format_.foreground().color().name(), format_.background().color().name()
        assert contrast(ink, paper) > 7
    editor.mark([what.features[1], what.features[2]], chosen=2)
    chosen = _format_at(editor, plain.index(","))
    assert chosen is not None and chosen.fontWeight() > 400
    assert contrast(chosen.foreground().color().name(), chosen.background().color().name()) > 4.5
    theme.apply(app, "light")


def test_the_stronger_mark_is_seen_where_they_overlap(qtbot: QtBot) -> None:
    make_application()
    editor = HighlightedText("text")
    qtbot.addWidget(editor)
    editor.show_text(Located("t", "a", 2, "over and over", places={1: ((0, 8),), 2: ((5, 13),)}))
    editor.mark([_feature(1, 0.5), _feature(2, -2.0)])
    assert editor.under(2).column == 1 and editor.under(6).column == 2 and editor.under(10).column == 2
    editor.mark([_feature(1, 0.5), _feature(2, -2.0)], chosen=1)
    assert editor.under(6).column == 1, "the chosen one lies on top"


def test_walking_through_passages(qtbot: QtBot, what: PairListed) -> None:
    make_application()
    editor = HighlightedText("text")
    qtbot.addWidget(editor)
    editor.show_text(answers.texts()[0])
    editor.mark([what.features[1]], chosen=1)
    picked = []
    for _ in range(4):
        editor.go(1)
        cursor = editor.textCursor()
        picked.append((cursor.selectedText(), cursor.selectionStart()))
    assert [word for word, _ in picked] == ["and"] * 4
    assert picked[3] == picked[0] and len(set(picked)) == 3, "after the last comes the first"
    editor.go(-1)
    assert editor.textCursor().selectionStart() == picked[2][1]
    assert picked[2][1] > answers.TEXT.rindex("and"), "wide and written-out characters before it are counted"


@pytest.fixture
def explain(qtbot: QtBot) -> Iterator[ExplainView]:
    make_application()
    made = ExplainView(answers.Answers(explain=lambda asked: answers.explained(asked["author"])))
    made.resize(1040, 600)
    made.show()
    yield made
    qtbot.waitUntil(lambda: not made.questions.busy, timeout=WAIT)
    destroy(made)


def test_explain(explain: ExplainView, qtbot: QtBot) -> None:
    assert not explain.answer.isVisible()
    explain.show_text("case", "one", answers.AUTHORS, answers.HOSTILE)
    qtbot.waitUntil(lambda: explain.answer.isVisible(), timeout=WAIT)
    panel = explain.panel
    assert explain.left_title.text() == "Disputed: <i>disputed"
    assert explain.right_title.text() == "Nearest known: nearest"
    rows = [[panel.families.rows.index(row, column).data() for column in (0, 2)] for row in range(5)]
    assert rows == [
        ["Total", "+3.00"], ["Baseline", "+0.25"], ["Function words", "+2.50"], ["Function words in a row", "+0.20"], ["Words", "+0.05"],
    ]  # fmt: skip
    assert panel.sides.tabText(0) == "Speaks for (3)" and panel.sides.tabText(1) == "Speaks against (1)"
    assert (
        panel.sum.text() == "Listed: for +2.51, against −1.00; all other features +1.24; baseline +0.25; total +3.00."
    )
    heads = [panel.features.rows.headerData(place, Qt.Orientation.Horizontal) for place in range(6)]
    assert heads == ["Feature", "◂ ▸", "±", "text", "author", "others"]
    cells = [[panel.features.rows.index(row, column).data() for column in (0, 2, 3, 4, 5)] for row in range(2)]
    assert cells[0] == ["function word 'and'", "+2.00", "12", "10 of 10", "3 of 9"]
    assert cells[1] == ["tokens '[<i>]' (in neither)", "+0.50", "0", "0 of 10", "3 of 9"]
    assert {feature.column for feature in panel.shown} == {1, 2, 3}, "what weighs next to nothing is not highlighted"
    panel.features.choose(lambda row: row.column == 3)
    rival = words.shortened(words.one_line(answers.AUTHORS[1]))
    assert panel.reading.text().startswith("Neither the disputed text nor any known text of ")
    assert panel.reading.text().endswith(f"and in 3 of 9 known texts of {rival}.")
    panel.families.choose(lambda row: row.family == "masked tokens")
    assert panel.sum.text() == "Listed: for +0.50, against −1.00; all other features of the family +0.70."
    panel.families.choose(lambda row: row.family == "baseline")
    assert panel.sum.text() == "" and panel.features.rows.rowCount() == 0


def test_explain_against_all_others(explain: ExplainView, qtbot: QtBot) -> None:
    """The choice stays when another author is asked about."""
    explain.show_text("case", "one", answers.AUTHORS, answers.HOSTILE)
    qtbot.waitUntil(lambda: explain.answer.isVisible() and explain.answer.isEnabled(), timeout=WAIT)
    assert [explain.against.itemText(place) for place in range(2)] == [
        f"{words.shortened(words.one_line(answers.AUTHORS[1]), 48)}, highest of the others", "all others",
    ]  # fmt: skip
    assert explain.versus.isVisible() and explain.against.currentIndex() == 0
    explain.left.verticalScrollBar().setValue(1)
    explain.against.setCurrentIndex(1)
    total = explain.panel.families.rows.index(0, 2)
    assert total.data() == "+6.00"
    explain.choose("_smith")
    qtbot.waitUntil(lambda: explain.answer.isEnabled(), timeout=WAIT)
    assert explain.against.currentIndex() == 1 and explain.panel.families.rows.index(0, 2).data() == "+6.00"
    explain.panel.features.choose(lambda row: row.column == 1)
    assert "rather than the others" in explain.panel.reading.text()


def test_explain_without_a_fused_system(explain: ExplainView, qtbot: QtBot) -> None:
    explain.questions.worker.answers["explain"] = lambda asked: answers.explained_by_pairs(asked["author"])
    explain.show_text("case", "one", answers.AUTHORS, answers.HOSTILE)
    qtbot.waitUntil(lambda: explain.answer.isVisible(), timeout=WAIT)
    panel = explain.panel
    assert not explain.against.isVisible() and not explain.versus.isVisible()
    assert explain.right_title.text() == "Nearest known: nearest · model score > 0.99"
    names = [panel.families.rows.index(row, 0).data() for row in range(5)]
    assert names == ["Total", "Baseline", "Function words", "Punctuation", "Words"]
    spoken = panel.families.rows.index(3, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "speaks against" in spoken
    assert panel.sum.text() == "Listed: for +2.51, against −1.00; all other features 0; baseline +1.00; total +2.51."
    panel.features.setFocus()
    qtbot.keyClick(panel.features, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert panel.column == 1
    assert panel.reading.text().startswith(
        "The texts differ less in this feature than is usual between different authors. Left 12, right 0 per 1,000 words."
    )
    qtbot.keyClick(panel.features, Qt.Key.Key_Return)
    assert explain.left.textCursor().selectedText() == explain.right.textCursor().selectedText() == "and"
    assert panel.where.text() == "left 1/3, right 1/1"
    panel.onward.click()
    assert panel.where.text() == "left 2/3, right 1/1"
    panel.back.click()
    assert panel.where.text() == "left 1/3, right 1/1"
    panel.only.setChecked(True)
    assert [feature.column for feature in panel.shown] == [1]
    panel.only.setChecked(False)
    panel.families.choose(lambda row: row.family == "punctuation")
    assert panel.sides.tabText(0) == "Speaks for (1)"
    assert [feature.column for feature in panel.shown] == [3, 2]


def test_what_is_listed_and_what_is_not_add_up() -> None:
    for each in (answers.found(), *(held.listed for held in answers.explained().contrasts)):
        listed = [feature.relative for side in each.listed() for feature in side]
        assert each.baseline + sum(listed) + each.rest() == pytest.approx(each.total)
        for family in each.families:
            own = [feature.relative for side in each.listed(family.family) for feature in side]
            assert sum(own) + each.rest(family.family) == pytest.approx(family.relative)


def test_clicking_a_passage_chooses_its_feature(explain: ExplainView, qtbot: QtBot) -> None:
    explain.show_text("case", "one", answers.AUTHORS, answers.HOSTILE)
    qtbot.waitUntil(lambda: explain.answer.isVisible(), timeout=WAIT)
    place = explain.left.toPlainText().index(",")
    cursor = explain.left.textCursor()
    cursor.setPosition(place)
    at = explain.left.cursorRect(cursor).center() + QPoint(1, 0)
    qtbot.mouseClick(explain.left.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert explain.panel.column == 2 and explain.panel.sides.currentIndex() == 1
    inside = explain.left.viewport().mapTo(explain.left, at)
    hovered = QHelpEvent(QEvent.Type.ToolTip, inside, explain.left.mapToGlobal(inside))
    assert QApplication.sendEvent(explain.left, hovered)


def test_explain_asks_once_for_each_author(explain: ExplainView, qtbot: QtBot) -> None:
    asked = explain.questions.worker.asked
    explain.show_text("case", "one", answers.AUTHORS, answers.HOSTILE)
    qtbot.waitUntil(lambda: explain.answer.isVisible() and explain.answer.isEnabled(), timeout=WAIT)
    explain.choose("_smith")
    assert not explain.answer.isEnabled(), "what is shown is for another author, so it is greyed"
    qtbot.waitUntil(lambda: explain.answer.isEnabled(), timeout=WAIT)
    explain.choose(answers.HOSTILE)
    assert explain.answer.isEnabled()
    assert [arguments["author"] for _, arguments in asked] == [answers.HOSTILE, "_smith"]
    explain.show_text("case", "one", answers.AUTHORS, answers.HOSTILE, "The model has changed.")
    assert explain.said.text() == "The model has changed." and not explain.answer.isVisible()
    assert len(asked) == 2


def test_explain_that_fails_can_be_tried_again(explain: ExplainView, qtbot: QtBot) -> None:
    given = explain.questions.worker.answers
    given["explain"] = InputError("The case holds no texts.")
    explain.show_text("case", "one", answers.AUTHORS, answers.HOSTILE)
    qtbot.waitUntil(lambda: explain.again.isVisible(), timeout=WAIT)
    assert explain.said.text() == "The case holds no texts."
    given["explain"] = answers.explained()
    explain.again.click()
    qtbot.waitUntil(lambda: explain.answer.isVisible(), timeout=WAIT)
    assert not explain.again.isVisible()


def test_located_without_places() -> None:
    text = codec.typed(Located, {"title": "t", "author": "a", "words": 1, "text": "x", "more": 0})
    assert text.places == {}
