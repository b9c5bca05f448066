"""The answer about a disputed text: the opinion, the candidates, the strip, the heat map, how typical, how stable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from forensia.evidence.calibration import Bounds
from forensia.evidence.result import FUSED, LAZY, STACKED, Placed
from forensia.gui import help, theme
from forensia.gui.app import make_application
from forensia.gui.pages.disputed.answer import Answered, AnswerView
from forensia.gui.pages.disputed.candidates import CandidatesTable
from forensia.gui.pages.disputed.scoreplots import neighbours
from forensia.gui.pages.disputed.stability import changes, methods
from forensia.gui.widgets.opinioncards import RATIO, ScaleBar
from forensia.gui.widgets.plotpane import Drawer
from forensia.gui.widgets.table import current_table
from forensia.jobs.worker import Worker
from forensia.systems.others import COSINE, IMPOSTORS
from forensia.wording.numbers import figure, score, share, signed, spoken, support
from forensia.wording.ratios import NOT_ESTIMABLE, forbidden_in
from support import answers as told
from support.qt import destroy
from support.results import ratio

WAIT = 120_000


@pytest.fixture
def answers() -> object:
    return told.Answers(explain=told.explained(), typical=told.typical())


@pytest.fixture
def view(qtbot: QtBot, drawing: Worker, answers: object) -> Iterator[AnswerView]:
    make_application()
    drawer = Drawer(drawing)
    made = AnswerView(answers, drawer)
    made.resize(1040, 680)
    made.show()
    yield made
    drawer.cancel()
    lanes = (made.explain.questions, made.typical.questions)
    qtbot.waitUntil(lambda: not (drawer.busy or any(lane.busy for lane in lanes)), timeout=WAIT)
    destroy(made)


def _answered(result: object = None, **more: object) -> Answered:
    found = result or told.result()
    others = (("one", "first", told.result()), ("two", "<i>second", told.result("second", shift=0.5)))
    return Answered("case.forensia", "one", "<i>first", found, others=others, **more)


def test_numbers_are_never_certain() -> None:
    assert [score(value) for value in (0.9999, 0.0001, 0.5, None, float("nan"))] == [
        "> 0.99",
        "< 0.01",
        "0.50",
        "–",
        "–",
    ]
    assert [signed(value) for value in (1.62, -0.16, -0.04, 0.0, None)] == ["+1.6", "−0.2", "−0.04", "0", "–"]
    assert [share(value) for value in (0.364, 0.004, None)] == ["0.36", "< 0.01", "–"]
    said = [support(each.headline) if each.headline else NOT_ESTIMABLE for each in told.result().candidates]
    assert said == ["moderate support", "weak, against", "moderate, against", "not estimable"]
    bounds = Bounds(-1.3, 2.27, 16, 48)
    assert figure(ratio(2.27, (1.1, 2.27), bounds=bounds)) == "at least 190"
    assert figure(ratio(-1.3, bounds=bounds)) == "at most 0.050"
    assert spoken(None) == "likelihood ratio not estimable"
    said = spoken(ratio(1.6, (1.14, 2.27), bounds=bounds))
    assert said == "log10 LR +1.6, likelihood ratio 40, 95 % interval 14 to 190"


def test_candidates_table(qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    make_application()
    table = CandidatesTable()
    qtbot.addWidget(table)
    qtmodeltester.check(table.rows)
    table.show_result(told.result())
    qtmodeltester.check(table.rows)
    assert [row.author for row in table.rows.rows] == list(told.AUTHORS)
    first = [table.rows.index(0, column).data() for column in range(10)]
    assert first == ["1", told.HOSTILE, "+7.2", "> 0.99", "0.20", "+1.6 | +1.8", "", "moderate support", "0.36", "Lazy"]
    assert [table.rows.index(row, 2).data() for row in range(1, 4)] == ["+2.0", "−0.04", "−3.5"]
    assert "no probability" in table.rows.headerData(2, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert [table.rows.index(row, 9).data() for row in range(1, 4)] == ["Stacked", "–", "–"]
    assert "puts the author first" in table.rows.headerData(9, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert table.rows.index(0, 6).data(RATIO) == ratio(1.6, (1.1, 2.2), bounds=told.BOUNDS)
    spoken = table.rows.index(0, 6).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "likelihood ratio 40" in spoken
    for row in range(4):
        for column in range(10):
            assert table.rows.index(row, column).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "&lt;b&gt;" in table.rows.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    table.choose(lambda row: row.author == told.HOSTILE)
    table.sortByColumn(5, Qt.SortOrder.AscendingOrder)
    assert [row.headline and row.headline.log10 for row in table.rows.rows] == [-1.3, -0.04, 1.6, None], (
        "what has no value is last"
    )
    assert table.chosen.author == told.HOSTILE, "the chosen row stays chosen when it moves"
    table.sortByColumn(5, Qt.SortOrder.DescendingOrder)
    assert [row.headline and row.headline.log10 for row in table.rows.rows] == [1.6, -0.04, -1.3, None]
    table.copy.trigger()
    heads, line = QGuiApplication.clipboard().text().split("\n")
    assert heads.startswith("#\tAuthor\tFused\tLazy")
    assert line.startswith(f"1\t{told.HOSTILE}\t+7.2\t> 0.99\t0.20\t+1.6 | +1.8")
    exported = table.table()
    assert exported.heads[5] == "log10 LR" and exported.rows[0][5] == 1.6, "the one that counts"
    assert exported.rows[0][2:4] == (7.25, pytest.approx(0.997)) and exported.rows[3][5] is None
    assert exported.heads[8:11] == ("Accepted by", "95 % interval from", "95 % interval to")
    assert exported.rows[0][8:11] == ("Lazy", 1.1, 2.2) and exported.rows[3][8] is None
    assert exported.heads[-2:] == ("Lazy rank", "Stacked rank") and exported.rows[1][-2:] == (2, 1)
    assert current_table(table.parentWidget() or table) is None, "a table that is not seen is not exported"
    with qtbot.waitSignal(table.opened) as heard:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert heard.args[0].author == told.HOSTILE


def test_the_order_is_that_of_the_headline(qtbot: QtBot) -> None:
    """Where the fused score and Lazy disagree, rank and bold name follow the fused one; without it they follow Lazy."""
    make_application()
    table = CandidatesTable()
    qtbot.addWidget(table)
    result = told.result()
    swapped = [
        replace(each, systems={**each.systems, LAZY: Placed(each.systems[LAZY].score, 5 - each.systems[LAZY].rank)})
        for each in result.candidates
    ]
    table.show_result(replace(result, candidates=tuple(swapped)))
    assert not table.isColumnHidden(2)
    assert [table.rows.index(row, 0).data() for row in range(4)] == ["1", "2", "3", "4"]
    bold = [
        [
            bool(font and font.bold())
            for font in (table.rows.index(row, column).data(Qt.ItemDataRole.FontRole) for row in range(4))
        ]
        for column in (1, 2, 3)
    ]
    assert bold == [[True, False, False, False], [True, False, False, False], [False, False, False, True]]
    table.show_result(told.without_validation())
    assert table.isColumnHidden(2), "there is no fused score to show"
    assert [table.rows.index(row, 0).data() for row in range(4)] == ["1", "2", "3", "4"]


def test_the_table_fits_a_small_window(view: AnswerView) -> None:
    """In a window of 1280 pixels nothing must be scrolled, and the scale keeps room to be read."""
    view.show_answer(_answered())
    view.resize(1030, 680)
    QApplication.processEvents()
    assert view.table.horizontalScrollBar().maximum() == 0
    assert view.table.columnWidth(6) >= 150


def test_help_beside_the_table_tells_what_its_numbers_are(view: AnswerView) -> None:
    fused, ratios = (help.topics()[name] for name in ("fused", "likelihood_ratio"))
    assert {fused, ratios} <= {button.topic for button in view.upper.findChildren(help.HelpButton)}
    assert any("not a probability" in part for part in fused.answer)
    assert any("The lower of the two is the headline" in part for part in ratios.answer)


def test_a_name_cannot_act_as_a_formula(qtbot: QtBot) -> None:
    make_application()
    table = CandidatesTable()
    qtbot.addWidget(table)
    table.show_result(told.result(first="=HYPERLINK(1)"))
    assert "'=HYPERLINK(1)" in table.as_text()


def test_opinion_and_none(view: AnswerView) -> None:
    card = view.opinion
    assert card.head.text() == "Not analysed yet"
    view.show_answer(_answered(notes=["Out of date: analyse it again."]))
    assert card.head.text() == "Opinion"
    assert card.statement.text() == (
        "The findings are about 40 (95 % interval 13 to 160) times more probable if <b>A & $x$ wrote the disputed text than if "
        "another of the listed authors wrote the disputed text."
    )
    assert card.more.text().startswith("On the scale of Marquis et al. (2016) the findings give moderate support")
    assert card.warnings.text().split("\n")[0] == "⚠ Out of date: analyse it again."
    assert card.helps["likelihood_ratio"].isVisible() and not card.helps["no_opinion"].isVisible()
    view.show_answer(_answered(told.result(given=False)))
    assert card.head.text() == "No opinion"
    assert card.statement.text() == "The interval of the likelihood ratio for <b>A & $x$ includes 1."
    assert card.helps["no_opinion"].isVisible()
    assert card.more.text().startswith("What was found all the same")
    for label in view.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText


def test_among_few_authors_nothing_is_said_of_others(view: AnswerView) -> None:
    view.show_answer(_answered(told.closed()))
    assert view.opinion.head.text() == "Opinion"
    assert (
        "one of the 4 listed authors wrote the disputed text, the findings are about 40"
        in view.opinion.statement.text()
    )
    assert "not in the corpus" not in view.opinion.statement.text() + view.opinion.more.text()
    assert view.table.rows.index(0, 5).data() == "+1.6 | –"
    tip = view.table.rows.index(0, 5).data(Qt.ItemDataRole.ToolTipRole)
    assert "against somebody not in the corpus: log10 LR not estimable" in tip


def test_without_validation_nothing_is_claimed(view: AnswerView) -> None:
    view.show_answer(_answered(told.without_validation()))
    assert view.opinion.head.text() == "No opinion" and not view.opinion.more.isVisible()
    shown = [view.table.rows.index(0, column).data() for column in (2, 5, 7, 8)]
    assert shown == ["–", "–", "–", "–"]
    assert "Not tried" in view.stability.said.text()
    assert "no validation" in view.typical.said.text()


def test_strip_names_and_opens_documents(view: AnswerView, qtbot: QtBot) -> None:
    view.show_answer(_answered())
    strip, table = view.nearness.strip, view.nearness.table
    listed = neighbours(told.result())
    assert [row.score for row in listed] == sorted((row.score for row in listed), reverse=True)
    assert sum(row.near for row in listed) == 2 * len(told.AUTHORS)
    assert not view.nearness.open.isEnabled()
    qtbot.waitUntil(lambda: strip.picture is not None, timeout=WAIT)
    x, y, index = strip.picture.points[0]
    known = told.result().known
    author, document = known.authors[index], known.documents[index]
    assert strip.describe(index).split("\n")[:2] == [author, "letters/" + document.rpartition("/")[2]]
    with qtbot.waitSignal(view.pair) as heard:
        qtbot.mouseClick(strip.canvas, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
    assert heard.args == ["one", index]
    assert table.chosen.index == index, "the list follows the dot"
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert strip.canvas._at is not None and strip.picture.points[strip.canvas._at][2] == listed[0].index
    with qtbot.waitSignal(view.pair) as heard:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert heard.args == ["one", listed[0].index]
    with qtbot.waitSignal(view.pair):
        view.nearness.open.click()


def test_heat_map_opens_pairs(view: AnswerView, qtbot: QtBot) -> None:
    view.show_answer(_answered())
    view.tabs.setCurrentIndex(1)
    pane = view.heat.pane
    qtbot.waitUntil(lambda: pane.picture is not None, timeout=WAIT)
    assert len(pane.picture.points) == 2 * 12
    x, y, index = pane.picture.points[-1]
    words = pane.describe(index)
    assert words.startswith("<i>second\n_smith")
    with qtbot.waitSignal(view.pair) as heard:
        qtbot.mouseClick(pane.canvas, Qt.MouseButton.LeftButton, pos=QPoint(round(x), round(y)))
    name, place = heard.args
    assert name == "two" and told.result().known.authors[place] == "_smith"
    many = told.result(documents=40)
    view.show_answer(Answered("case", "x", "x", many, others=(("x", "x", many),)))
    qtbot.waitUntil(lambda: pane.picture is not None, timeout=WAIT)
    assert len(pane.picture.points) == len(told.AUTHORS), "so many documents are shown by author"
    with qtbot.waitSignal(view.text) as heard:
        pane.picked.emit(1)
    assert heard.args == ["x"]


def test_as_many_documents_count_as_the_result_says() -> None:
    """An author with few documents has fewer that count; the strip and the list say so for each."""
    result = told.result()
    reach = {author: 1 + number % 2 for number, author in enumerate(told.AUTHORS)}
    listed = neighbours(
        replace(result, candidates=tuple(replace(each, reach=reach[each.author]) for each in result.candidates))
    )
    for author, count in reach.items():
        assert sum(row.near for row in listed if row.author == author) == count


def test_how_typical(view: AnswerView, qtbot: QtBot, answers: object) -> None:
    view.show_answer(_answered())
    assert answers.asked == [], "nothing is asked before it is seen"
    view.tabs.setCurrentIndex(4)
    qtbot.waitUntil(lambda: view.typical.pane.picture is not None, timeout=WAIT)
    (asked,) = answers.asked
    assert asked[0] == "typical" and asked[1]["words"] == 834
    assert asked[1]["fused"] == dict(zip(told.AUTHORS, (7.25, 2.0, -0.04, -3.5), strict=True))
    assert "400 words" in view.typical.said.text()
    alt = view.typical.pane.picture.alt
    assert "stands at 5.0" in alt
    view.table.choose(lambda row: row.placed.rank == 2)
    assert view.typical.author.currentData() == told.AUTHORS[1], "the author chosen in the table is shown"
    qtbot.waitUntil(
        lambda: "stands at 2.0" in (view.typical.pane.picture.alt if view.typical.pane.picture else ""), timeout=WAIT
    )
    view.show_answer(_answered(why_not="The model has changed."))
    assert view.typical.said.text() == "The model has changed."
    view.show_answer(_answered(told.of_version_0_1()))
    assert "earlier version" in view.typical.said.text() and "again" in view.typical.said.text()
    assert len(answers.asked) == 1, "its Lazy scores are not set beside fused ones"


def test_sensitivity_and_agreement(view: AnswerView, qtmodeltester: ModelTester) -> None:
    rows = changes(told.result())
    assert [row.holds for row in rows] == [True, False, True, True]
    assert [row.what for row in rows[:3]] == [
        "Without layout",
        "Without function words in a row",
        "Only the first half of the text",
    ]
    assert rows[1].rank == 3 and rows[1].ratio == "−0.2"
    assert rows[-1].ratio == "+1.5 … +1.8"
    listed = methods(told.result())
    assert [row.method for row in listed] == [FUSED, LAZY, STACKED, COSINE, IMPOSTORS]
    assert [row.agrees for row in listed] == [True, True, False, True, False]
    view.show_answer(_answered())
    qtmodeltester.check(view.stability.changes.rows)
    assert "does not stay first under 1 of 4 changes" in view.stability.said.text()
    assert "2 of 5 methods put somebody else first" in view.stability.said.text()
    assert view.stability.changes.rows.index(1, 0).data() == "≠"
    view.show_answer(_answered(told.of_version_0_1()))
    assert view.stability.changes.rows.index(0, 1).data() == "Other sample of pairs (seed 1)", "old results keep theirs"


def test_larger(view: AnswerView) -> None:
    view.show_answer(_answered())
    high = view.tabs.height()
    view.larger.setChecked(True)
    assert not view.opinion.isVisible() and not view.upper.isVisible()
    view.larger.setChecked(False)
    assert view.opinion.isVisible() and view.upper.isVisible() and high > 200


def test_every_control_has_a_name_and_allowed_words(view: AnswerView, qtbot: QtBot) -> None:
    view.show_answer(_answered())
    view.tabs.setCurrentIndex(2)
    qtbot.waitUntil(lambda: view.explain.answer.isVisible(), timeout=WAIT)
    _named(view)
    said = [each.text() for kind in (QLabel, QAbstractButton) for each in view.findChildren(kind)]
    for table in view.findChildren(QAbstractItemView):
        model = table.model()
        said += [
            str(model.headerData(column, Qt.Orientation.Horizontal, role) or "")
            for column in range(model.columnCount())
            for role in (0, 3)
        ]
    said += [part for topic in help.topics().values() for part in (topic.question, *topic.answer)]
    assert not [found for text in said for found in forbidden_in(text)]


def _named(view: QWidget) -> None:
    kinds = (QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QPlainTextEdit)
    nameless = [
        each
        for kind in kinds
        for each in view.findChildren(kind)
        if each.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not each.accessibleName()
        and not each.objectName().startswith("qt_")
    ]
    assert not [each for each in nameless if not isinstance(each.parentWidget().parent(), QComboBox)]


def test_scale_bar_in_both_themes(qtbot: QtBot) -> None:
    app = make_application()
    bar = ScaleBar()
    qtbot.addWidget(bar)
    bar.resize(300, 44)
    pictures = []
    for name in ("light", "dark"):
        theme.apply(app, name)
        for shown in (
            ratio(1.6, (1.1, 2.3), bounds=told.BOUNDS),
            replace(ratio(-2.0, bounds=Bounds(-2.0, 2.0, 16, 48)), interval=None),
            ratio(9.0, (8.0, 9.0), bounds=Bounds(-10.0, 10.0, 16, 48)),
            None,
        ):
            bar.show_ratio(shown)
            pictures.append(bytes(bar.grab().toImage().bits()))
    assert len(set(pictures)) == 8, "each is drawn differently"
    theme.apply(app, "light")
    assert "not estimable" in bar.accessibleDescription()
