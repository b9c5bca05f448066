"""How far a model can be trusted: the sentences, the plots behind tabs, and what is said when there is no validation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from forensia.errors import StorageError
from forensia.evidence.summary import FirstPlace
from forensia.gui.app import make_application
from forensia.gui.pages.model.trust import TrustView
from forensia.gui.widgets import SHARE
from forensia.gui.widgets.plotpane import Drawer
from forensia.jobs.worker import Worker
from forensia.wording import conditions
from forensia.wording.ratios import forbidden_in
from support import answers, results
from support.qt import destroy

WAIT = 120_000
TWELVE = tuple(f"Author {number}" for number in range(12))


def test_sentences() -> None:
    summary = answers.summary(TWELVE)
    assert conditions.no_source_figures(summary) == ""
    measured, costly, outsider, pairs = conditions.trust(summary)
    assert measured == (
        "Measured on 120 known documents by 12 authors, each judged by models that had not seen it. Beside the fused ranking, the true "
        "author is put first by Lazy for 92 %, Stacked for 89 %. By chance it would be about 8.3 %, by always naming the author with most "
        "texts 8.3 %. Authors and plots are those for whole known texts (in the median 800 words) from a new source."
    )
    assert costly == ""
    assert outsider == (
        "Of the texts by people not in the corpus, those by Author 1 led to an opinion for somebody else most often: 10 %."
    )
    assert pairs.endswith(
        "the fused score 0.91, DV-Bin 0.83, cosine 0.86, impostors 0.84; on 300 pairs by one writer and 280 by two."
    )
    assert any("Author 11" in note for note in conditions.other_notes(summary)), "who has one source"
    assert conditions.in_short(summary) == "validated (new source): Cllr 0.38, own author first for 75 %"
    few = answers.summary(unlisted=False, high=1.2, new=False)
    assert conditions.no_source_figures(few).startswith("Nobody has said what the known texts come from")
    assert "Give the sources on the Corpus page" in conditions.no_source_figures(few)
    assert not any("come from" in note for note in conditions.other_notes(few)), "it is said once"
    said = conditions.trust(few)
    assert said[1] == said[2] == "", "the end of an interval decides nothing, and nothing is known of outsiders"
    costly = replace(few, figures=(replace(few.whole, listed=replace(few.whole.listed, cllr=1.2)),))
    assert "no opinion is given" in conditions.trust(costly)[1]
    assert said[0].endswith("whole known texts (in the median 800 words) from a known source.")
    assert conditions.in_short(few) == "validated (known source): Cllr 0.20, own author first for 95 %"
    bare = replace(
        few, figures=(replace(few.whole, first=FirstPlace(0, None, None), listed=replace(few.whole.listed, cllr=None)),)
    )
    assert conditions.in_short(bare) == "validated (known source): not estimable"
    nothing = conditions.trust(replace(summary, pairs=replace(summary.pairs, strangers=None)))
    assert "not estimable with so few texts or authors" in nothing[3]
    for sentence in (*conditions.trust(summary), *said, conditions.no_source_figures(few)):
        assert not forbidden_in(sentence)


def _table(view: TrustView) -> dict[str, tuple[str, str]]:
    rows = view.figures.table.rows
    return {
        rows.index(row, 0).data(): (rows.index(row, 1).data(), rows.index(row, 2).data())
        for row in range(rows.rowCount())
    }


def test_both_figures_side_by_side(make: Callable[..., TrustView], qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    view = make((answers.curves(), answers.summary(TWELVE)))
    assert view.figures.table.rows.rowCount() == 0
    view.show_model("case", answers.model())
    qtbot.waitUntil(lambda: view.summary is not None, timeout=WAIT)
    assert view.tabs.currentWidget() is view.figures, "they come first"
    heads = [view.figures.table.rows.headerData(column, Qt.Orientation.Horizontal) for column in (1, 2)]
    assert heads == ["From a new source", "From a known source"]
    shown = _table(view)
    assert shown["Own author first"] == ("75 % of 120 (70 % to 79 %)", "95 % of 120 (90 % to 99 %)")
    assert shown["Cllr against 'somebody not in the corpus'"] == ("0.38 (0.21 to 0.56)",) * 2
    assert shown["Cllr against 'another listed author'"] == ("0.20 (0.21 to 0.56)",) * 2
    assert shown["Opinions for an author"][0] == "40 % of 120 (30 % to 50 %)"
    assert shown["of these right"] == ("75 % of 48 (80 % to 100 %)", "100 % of 52 (80 % to 100 %)")
    assert shown["Outsiders' texts with an opinion for somebody"][0] == "5.0 % of 120"
    assert shown["at most, among as many other authors"][0] == "9.0 %"
    assert shown["'None of these', wrongly"] == ("5.0 % of 120 (2.0 % to 9.0 %)",) * 2
    lengths = view.figures.lengths.rows
    qtmodeltester.check(lengths)
    cells = [[lengths.index(row, column).data() for column in range(8)] for row in range(lengths.rowCount())]
    assert cells[1] == ["new", "400", "55 %", "0.20", "0.38", "24 of 120", "12", "6 %"]
    assert [row[:2] for row in cells] == [
        ["new", "whole (800)"], ["new", "400"], ["known", "whole (800)"], ["known", "400"], ["known", "1,600 (2 joined)"]
    ]  # fmt: skip
    assert "50 % to 59 %" in lengths.index(1, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert view.lacking.isHidden()
    table = view.figures.table
    for width in (420, 900):
        view.resize(width, 700)
        QApplication.processEvents()
        assert table.viewport().height() >= table.verticalHeader().length(), "no row is hidden, however narrow"
    many = [table.rows.index(row, 1) for row in range(table.rows.rowCount())]
    assert {index.data(Qt.ItemDataRole.AccessibleTextRole).split(":")[0] for index in many} == {"From a new source"}


def test_without_sources_the_page_says_so_first(make: Callable[..., TrustView], qtbot: QtBot) -> None:
    view = make((answers.curves(), answers.summary(TWELVE, new=False)))
    view.show_model("case", answers.model())
    qtbot.waitUntil(lambda: view.summary is not None, timeout=WAIT)
    assert view.lacking.isVisible() and view.lacking.y() < min(
        each.y() for each in (*view.sentences, view.notes, view.tabs) if each.isVisible()
    )
    assert "how well authors are recognised in a text from a new source" in view.lacking.text()
    assert all(new == "not known" != known for new, known in _table(view).values())
    table = view.authors.table
    assert table.isColumnHidden(7), "nobody could be tried on a new source"


def test_the_authors_in_a_table(make: Callable[..., TrustView], qtbot: QtBot) -> None:
    view = make((answers.curves(), answers.summary(TWELVE)))
    view.show_model("case", answers.model())
    qtbot.waitUntil(lambda: view.summary is not None, timeout=WAIT)
    table = view.authors.table
    heads = [table.rows.headerData(column, Qt.Orientation.Horizontal) for column in (6, 7)]
    assert heads == ["Outside", "Sources"] and not table.isColumnHidden(7)
    assert [table.rows.index(row, 6).data() for row in range(3)] == ["0 %", "10 %", "0 %"]
    assert [table.rows.index(row, 7).data() for row in (0, 10, 11)] == ["several", "several", "one"]


@pytest.fixture
def make(qtbot: QtBot, drawing: Worker) -> Iterator[Callable[..., TrustView]]:
    made: list[tuple[TrustView, Drawer]] = []

    def view(answer: object) -> TrustView:
        make_application()
        drawer = Drawer(drawing)
        shown = TrustView(answers.Answers(trust=answer), drawer)
        shown.resize(620, 700)
        shown.show()
        made.append((shown, drawer))
        return shown

    yield view
    for shown, drawer in made:
        drawer.cancel()
        qtbot.waitUntil(lambda: not (drawer.busy or shown.questions.busy), timeout=WAIT)  # noqa: B023
        destroy(shown)


def test_trust_page(make: Callable[..., TrustView], qtbot: QtBot) -> None:
    view = make((answers.curves(), answers.summary()))
    view.show_model("case", answers.model(pairs=results.pairs(k=2, k_accuracy=(0.8, 0.9, 0.85))))
    qtbot.waitUntil(lambda: view.summary is not None, timeout=WAIT)
    assert [bool(label.text()) for label in view.sentences] == [label.isVisible() for label in view.sentences]
    assert view.sentences[0].isVisible() and view.sentences[3].isVisible()
    assert view.notes.text().startswith(
        "⚠ The alternative 'somebody who is not in the corpus' rests on 12 authors; 40 or more would be better."
    )
    assert not view.missing.isVisible() and not view.said.isVisible()
    assert view.authors.table.rows.rowCount() == 4
    assert view.authors.table.rows.index(1, 3).data() == "–", "a precision that nobody can know"
    assert view.authors.table.rows.index(0, 3).data() == "85 %", "of the ranking that is the answer"
    names = [view.tabs.tabText(number) for number in range(view.tabs.count())]
    assert names == ["Figures", "Authors", "Confusion", "Calibration", "Tippett", "Scores", "k", "Open set"]
    for number, tab in enumerate(
        (view.authors.plot, view.confusion, view.calibration, view.tippett, view.scores, view.curve, view.open_set),
        start=1,
    ):
        view.tabs.setCurrentIndex(number)
        qtbot.waitUntil(lambda tab=tab: tab.pane.picture is not None, timeout=WAIT)
        assert tab.reading.text() == tab.pane.reading and len(tab.reading.text()) > 40
        assert "ot estimable" not in tab.pane.picture.alt
    view.tabs.setCurrentIndex(3)
    titles = set()
    for place in range(3):
        view.calibration_kind.setCurrentIndex(place)
        qtbot.waitUntil(lambda: view.calibration.pane.picture is not None, timeout=WAIT)
        titles.add(view.calibration.pane.picture.alt.split(":")[0])
    assert titles == {"PAV plot", "Empirical cross-entropy (ECE)", "Reliability"}
    view.against[0].setCurrentIndex(1)
    assert view.against[1].currentData() == "listed", "both choices are one"
    view.tabs.setCurrentIndex(1)
    view.authors.as_table.setChecked(True)
    assert view.authors.table.isVisible()
    asked = view.questions.worker.asked
    view.show_model("case", answers.model(pairs=results.pairs(k=2, k_accuracy=(0.8, 0.9, 0.85))))
    assert len(asked) == 1, "the same model is not asked for again"


def test_what_the_answer_rests_on(make: Callable[..., TrustView], qtbot: QtBot, qtmodeltester: ModelTester) -> None:
    view = make((answers.curves(), answers.summary()))
    weights = view.weights
    assert weights.isHidden(), "nothing is known before the validation"
    view.show_model("case", answers.model())
    qtbot.waitUntil(lambda: view.summary is not None, timeout=WAIT)
    assert not weights.isHidden()
    rows = weights.table.rows
    qtmodeltester.check(rows)
    shown = [tuple(rows.index(row, column).data() for column in range(2)) for row in range(3)]
    assert shown == [("Function words", "1.50"), ("Layout", "0.60"), ("Words", "0.00")], "the heaviest first"
    assert [rows.index(row, 1).data(SHARE) for row in range(3)] == [1.0, pytest.approx(0.4), 0.0]
    assert weights.table.table().rows[0] == ("function words", 1.5), "exported by the names of the field"
    view.show_model("case", answers.model("t2", validated=False))
    assert weights.isHidden(), "another model, which has no validation"
    weights.show_weights({"words": 0.0, "layout": 0.0})
    assert [rows.index(row, 1).data(SHARE) for row in range(2)] == [0.0, 0.0]


def test_few_authors(make: Callable[..., TrustView], qtbot: QtBot) -> None:
    view = make((answers.curves(unlisted=False), answers.summary(unlisted=False)))
    view.show_model("case", answers.model(pairs=results.pairs(k=1, k_accuracy=())))
    qtbot.waitUntil(lambda: view.summary is not None, timeout=WAIT)
    assert view.against[0].currentData() == "listed" and not view.against[0].isEnabled()
    assert view.open_set.reading.text() == "Not estimable with these texts."
    assert view.curve.reading.text() == "Not estimable with these texts."


def test_no_validation_yet(make: Callable[..., TrustView], qtbot: QtBot) -> None:
    view = make((answers.curves(), answers.summary()))
    view.show_model("case", answers.model(validated=False))
    assert view.missing.isVisible() and "not been validated" in view.said.text()
    assert not view.questions.worker.asked, "there is nothing to ask for"
    with qtbot.waitSignal(view.validate):
        view.missing.click()
    view.show_model("case", answers.model(validated=False), "The paper's profile has no validation.")
    assert view.said.text() == "The paper's profile has no validation." and not view.missing.isVisible()
    view.show_model("case", answers.model())
    qtbot.waitUntil(lambda: view.summary is not None, timeout=WAIT)
    assert not view.missing.isVisible(), "it is there by now"


def test_whether_there_is_a_validation_is_not_read_out_of_a_sentence(
    make: Callable[..., TrustView], qtbot: QtBot
) -> None:
    said = "'validated.forensia' is in use by another program. Nothing was changed; try again in a moment."
    view = make(StorageError(said))
    view.show_model("case", answers.model())
    qtbot.waitUntil(lambda: view.said.text() == said, timeout=WAIT)
    assert not view.missing.isVisible()
