"""One candidate or three with a population: what is asked, and views that speak of nobody who is not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from forensia import paths
from forensia.case.store import Case
from forensia.corpus import ReadOptions, Role
from forensia.evidence.result import WHO, Question
from forensia.gui.app import make_application
from forensia.gui.pages import PLACES
from forensia.gui.pages.disputed.statements import QuestionLine
from forensia.gui.window import MainWindow
from forensia.profile import Profile
from forensia.report.details import CaseDetails
from forensia.service.analysing import analyse_files
from forensia.service.importing import import_corpus
from forensia.service.training import train_case
from forensia.systems.pairmodel import TrainingOptions
from support import answers

WAIT = 120_000


def _case(target: Path, known: Path, profile: Profile, candidates: int) -> Path:
    with Case.create(target) as case:
        authors = import_corpus(case, known, ReadOptions()).authors
        case.choices.set_role(authors[candidates:], Role.POPULATION)
        train_case(case, TrainingOptions(profile=profile), fused_only=candidates > 1)
        analyse_files(case, [paths.sample_case() / "disputed" / "anonymous-1.txt"])
    return target


@pytest.fixture(scope="module")
def alone(ten_authors: Path, hasty: Profile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case with one candidate, all of it trained."""
    return _case(tmp_path_factory.mktemp("few") / "one.forensia", ten_authors, hasty, 1)


@pytest.fixture(scope="module")
def three(ten_authors: Path, hasty: Profile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case with three candidates, with the fused ranking alone."""
    return _case(tmp_path_factory.mktemp("few") / "three.forensia", ten_authors, hasty, 3)


@pytest.fixture
def line(qtbot: QtBot) -> QuestionLine:
    make_application()
    made = QuestionLine()
    qtbot.addWidget(made)
    made.resize(1000, 40)
    return made


def test_the_question_is_chosen(line: QuestionLine, qtbot: QtBot) -> None:
    heard: list[Question] = []
    line.stated.connect(heard.append)
    found = answers.result()
    line.show_result(found)
    assert line.isVisible() and line.wanted == WHO
    assert not (line.author.isVisible() or line.because.isVisible() or line.again.isVisible() or line.only.isVisible())
    line.kind.setCurrentIndex(line.kind.findData("one of these"))
    assert line.because.isVisible() and line.again.isVisible() and not line.again.isEnabled()
    qtbot.keyClicks(line.because, "  ")
    qtbot.keyClick(line.because, Qt.Key.Key_Return)
    assert not heard, "blanks are no reason"
    qtbot.keyClicks(line.because, "both parties say so ")
    line.again.click()
    assert heard == [Question("one of these", because="both parties say so")]
    line.kind.setCurrentIndex(line.kind.findData("did"))
    line.author.setCurrentIndex(1)
    names = [each.author for each in found.candidates]
    assert heard[1:] == [Question("did", names[0]), Question("did", names[1])], "asked as soon as it is chosen"
    line.show_result(answers.result(), changeable=False)
    assert line.wanted == WHO and not line.kind.isEnabled(), "another result"
    line.show_result(None)
    assert not line.isVisible()


def _texts(widget: object) -> str:
    return "\n".join(each.text() for each in widget.findChildren(QLabel) if each.isVisible())  # type: ignore[attr-defined]


def test_one_candidate(window: MainWindow, rest: Callable[[], None], alone: Path, qtbot: QtBot) -> None:
    window.open_case(alone)
    rest()
    assert "1 candidate, population of 9" in window.corpus.totals.text()
    names = [name.text() for name, _ in window.corpus.prospects.rows]
    assert names[0] == "○ A ranking of candidates" and names[1].startswith("✓ A likelihood ratio")
    window.rail.go(PLACES.index("disputed"))
    answer = window.disputed.answer
    rest()
    (found,) = [each.result for each in window.opencase.shown.results.values()]
    (candidate,) = found.candidates
    assert answer.question.only.text() == f"Did {candidate.author} write it?" and not answer.question.kind.isVisible()
    assert answer.table.isColumnHidden(0) and not answer.table.isColumnHidden(1)
    ratio = answer.table.model().index(0, 5).data()
    assert "|" not in ratio and float(ratio.replace("−", "-")) == pytest.approx(candidate.unlisted.log10, abs=0.06)
    assert "listed" not in answer.caption.text() and "somebody else" in answer.caption.text()
    assert "listed" not in str(answer.table.model().index(0, 5).data(Qt.ItemDataRole.ToolTipRole))
    for tab in range(answer.tabs.count()):
        answer.tabs.setCurrentIndex(tab)
        rest()
        assert "listed author" not in _texts(answer.tabs.currentWidget())
    assert answer.nearness.strip.picture is not None and answer.heat.pane.picture is not None
    assert answer.nearness.strip._plot.order[-1] == "population (9)"
    assert [answer.explain.against.itemText(row) for row in range(answer.explain.against.count())] == ["everybody else"]
    feature = next(iter(answer.explain._shown.contrasts[0].listed.features.values()))
    assert (feature.own.of, feature.others.of) == (5, 45)
    data = answer.typical._data
    assert data.scores.stand_ins and data.here == {candidate.author: pytest.approx(candidate.placed.score)}
    assert "side of 1" in answer.stability.said.text() and "stays first" not in answer.stability.said.text()
    assert answer.stability.changes.isColumnHidden(2) and answer.stability.methods.isColumnHidden(2)


def test_trust_with_one_candidate(window: MainWindow, rest: Callable[[], None], alone: Path, qtbot: QtBot) -> None:
    window.open_case(alone)
    rest()
    window.rail.go(PLACES.index("model"))
    trust = window.model.trust
    qtbot.waitUntil(lambda: trust.summary is not None, timeout=WAIT)
    rest()
    assert "stood in for a candidate" in trust.sentences[0].text() and "chance" not in trust.sentences[0].text()
    assert (
        not trust.against[0].isEnabled()
        and trust.against[0].currentText() == "against somebody else, as in the population"
    )
    for tab in range(trust.tabs.count()):
        trust.tabs.setCurrentIndex(tab)
        rest()
        assert "another listed author" not in _texts(trust.tabs.currentWidget())
    assert trust.calibration.pane._plot is not None and trust.open_set.pane._plot.curve.candidates == 1
    trust.tabs.setCurrentWidget(trust.confusion)
    assert trust.confusion.pane._plot is None and "stood in for the candidates" in trust.confusion.pane._waiting.text()
    assert trust.authors.stack.currentIndex() == 1 and trust.authors.table.rows.rowCount() == 1
    assert trust.figures.lengths.isColumnHidden(2)


def test_the_question_is_kept_and_asked_again(
    window: MainWindow, rest: Callable[[], None], three: Path, hand: ModuleType
) -> None:
    window.open_case(three)
    rest()
    window.rail.go(PLACES.index("disputed"))
    rest()
    opencase, line = window.opencase, window.disputed.answer.question
    (name,) = [each.id for each in opencase.shown.disputed]
    before = opencase.shown.results[name].result
    second = before.candidates[1].author
    line.kind.setCurrentIndex(line.kind.findData("did"))
    rest()
    line.author.setCurrentIndex(line.author.findData(second))
    rest()
    found = opencase.shown.results[name].result
    assert found.question == Question("did", second) and found.opinion.about == second
    window.disputed._again()
    rest()
    assert opencase.shown.results[name].result.question == Question("did", second), "what was asked holds on"
    answer = window.disputed.answer
    assert "other candidates" in answer.caption.text()
    answer.tabs.setCurrentIndex(2)
    rest()
    offered = [answer.explain.against.itemText(row) for row in range(answer.explain.against.count())]
    assert offered[1:] == ["all other candidates", "everybody else"] and offered[0].endswith("highest of the others")
    line.kind.setCurrentIndex(line.kind.findData("one of these"))
    line.because.setText("both parties say so")
    line.again.click()
    rest()
    found = opencase.shown.results[name].result
    assert found.question.because == "both parties say so" and found.subject.unlisted is None
    assert answer.table.model().index(0, 5).data().endswith("| –") and "agreed" in answer.caption.text()


def test_the_exhibit_is_labelled(window: MainWindow, rest: Callable[[], None], three: Path, qtbot: QtBot) -> None:
    window.open_case(three)
    rest()
    window.rail.go(PLACES.index("disputed"))
    rest()
    line = window.disputed.answer.question
    line.exhibit.clear()
    qtbot.keyClicks(line.exhibit, " JH/1 ")
    qtbot.keyClick(line.exhibit, Qt.Key.Key_Return)
    (document,) = window.opencase.shown.disputed
    assert window.opencase.shown.exhibits == {document.path: "JH/1"}
    assert CaseDetails.of_case(window.opencase.case).exhibit(document.path) == "JH/1"
    assert all(each.current for each in window.opencase.shown.results.values()), "no result depends on it"
    window.menus.undo.trigger()
    assert window.opencase.shown.exhibits == {} and line.exhibit.text() == ""
