"""How far a model can be trusted: the sentences, the plots behind tabs, and what is said when there is no validation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from forensia.errors import StorageError
from forensia.gui.app import make_application
from forensia.gui.drawing import Drawer
from forensia.gui.views import trustwords
from forensia.gui.views.trust import TrustView
from forensia.gui.widgets import SHARE
from forensia.jobs.errands import Errands
from forensia.wording.ratios import forbidden_in
from support import answers, results
from support.qt import destroy

WAIT = 120_000
TWELVE = tuple(f"Author {number}" for number in range(12))


def test_four_sentences() -> None:
    first, second, third, fourth = trustwords.sentences(answers.summary(TWELVE))
    assert first == (
        "Of 120 known documents by 12 authors, each judged by models that had not seen it, the true author is put first "
        "for 95 % (95 % interval 90 % to 98 %) by the fused ranking, 92 % (95 % interval 87 % to 98 %) by Lazy, 89 % by Stacked; "
        "by chance it would be about 8.3 %, by always naming the author with most texts 8.3 %."
    )
    assert second.startswith(
        "Against somebody not in the corpus the likelihood ratios cost 0.38 (95 % interval 0.21 to 0.56)"
    )
    assert "2.2 % of comparisons with a wrong author" in second and "None with the right one" in second.replace(
        "; ", " "
    ).replace("none", "None")
    assert third.startswith(
        "For texts by listed authors an opinion is given in 52 of 120 cases, all of them for the true author"
    )
    assert third.endswith("somebody is wrongly supported in 5 of 120.")
    few = trustwords.sentences(answers.summary(unlisted=False, high=1.2))
    assert few[1].startswith("Against another listed author") and "no opinion is given with this model" in few[1]
    assert "not estimable" in few[2]
    assert trustwords.short(answers.summary(TWELVE)) == "validated: Cllr 0.38, 95 % of known documents ranked first"
    assert fourth.endswith(
        "the fused score 0.91, DV-Bin 0.83, cosine 0.86, impostors 0.84; on 300 pairs by one writer and 280 by two."
    )
    summary = answers.summary(TWELVE)
    nothing = trustwords.sentences(replace(summary, pairs=replace(summary.pairs, strangers=None)))
    assert "not estimable with so few texts or authors" in nothing[3]
    for sentence in (first, second, third, fourth, *few):
        assert not forbidden_in(sentence)


@pytest.fixture
def make(qtbot: QtBot, drawing: Errands) -> Iterator[Callable[..., TrustView]]:
    made: list[tuple[TrustView, Drawer]] = []

    def view(answer: object) -> TrustView:
        make_application()
        drawer = Drawer(None, drawing)
        shown = TrustView(answers.Answers(trust=answer), drawer)
        shown.resize(620, 700)
        shown.show()
        made.append((shown, drawer))
        return shown

    yield view
    for shown, drawer in made:
        drawer.cancel()
        qtbot.waitUntil(lambda: not (drawer.busy or shown.asker.busy), timeout=WAIT)  # noqa: B023
        destroy(shown)


def test_trust_page(make: Callable[..., TrustView], qtbot: QtBot) -> None:
    view = make((answers.curves(), answers.summary()))
    view.show_model("case", answers.model(pairs=results.pairs(k=2, k_accuracy=(0.8, 0.9, 0.85))))
    qtbot.waitUntil(lambda: view.summary is not None, timeout=WAIT)
    assert all(label.isVisible() and label.text() for label in view.sentences)
    assert view.notes.text() == (
        "⚠ The alternative 'somebody who is not in the corpus' rests on 12 authors; 40 or more would be better."
    )
    assert not view.missing.isVisible() and not view.said.isVisible()
    assert view.authors.table.rows.rowCount() == 4
    assert view.authors.table.rows.index(1, 3).data() == "–", "a precision that nobody can know"
    assert view.authors.table.rows.index(0, 3).data() == "85 %", "of the ranking that is the answer"
    names = [view.tabs.tabText(number) for number in range(view.tabs.count())]
    assert names == ["Authors", "Confusion", "Calibration", "Tippett", "Scores", "k", "Open set"]
    for number, tab in enumerate(
        (view.authors.plot, view.confusion, view.calibration, view.tippett, view.scores, view.curve, view.open_set)
    ):
        view.tabs.setCurrentIndex(number)
        qtbot.waitUntil(lambda tab=tab: tab.pane.picture is not None, timeout=WAIT)
        assert tab.reading.text() == tab.pane.reading and len(tab.reading.text()) > 40
        assert "ot estimable" not in tab.pane.picture.alt
    view.tabs.setCurrentIndex(2)
    titles = set()
    for place in range(3):
        view.calibration_kind.setCurrentIndex(place)
        qtbot.waitUntil(lambda: view.calibration.pane.picture is not None, timeout=WAIT)
        titles.add(view.calibration.pane.picture.alt.split(":")[0])
    assert titles == {"PAV plot", "Empirical cross-entropy (ECE)", "Reliability"}
    view.against[0].setCurrentIndex(1)
    assert view.against[1].currentData() == "listed", "both choices are one"
    view.tabs.setCurrentIndex(0)
    view.authors.as_table.setChecked(True)
    assert view.authors.table.isVisible()
    asked = view.asker.errands.asked
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
    assert not view.asker.errands.asked, "there is nothing to ask for"
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
