"""Where a disputed text comes from: stated by the analyst, with a reason where it is a known source, and analysed so."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from forensia import paths
from forensia.case.store import LONGEST_REASON, Case
from forensia.errors import InputError
from forensia.evidence.result import Condition, Opinion, Reason, Result, Stated
from forensia.gui.app import make_application
from forensia.gui.pages import PLACES
from forensia.gui.pages.disputed.statements import OriginLine
from forensia.gui.widgets.opinioncards import OpinionCard
from forensia.gui.window import MainWindow
from forensia.service.analysing import Said, analyse_again
from forensia.wording import KNOWN_SOURCE
from support import answers

WAIT = 120_000


def _result(stated: Stated = Stated(), words: int | None = 500) -> Result:  # noqa: B008
    return replace(answers.result(), stated=stated, condition=Condition(stated.source, words))


@pytest.fixture
def line(qtbot: QtBot) -> OriginLine:
    make_application()
    made = OriginLine()
    qtbot.addWidget(made)
    made.resize(1000, 40)
    return made


def _heard(line: OriginLine) -> list[Stated]:
    heard: list[Stated] = []
    line.stated.connect(heard.append)
    return heard


def test_a_known_source_needs_a_reason(line: OriginLine, qtbot: QtBot) -> None:
    heard = _heard(line)
    line.show_result(_result())
    assert line.isVisible() and line.kind.currentText() == "From a new source"
    assert line.holds.text() == "These figures hold for texts of about 500 words, from a new source."
    assert not line.because.isVisible() and not line.again.isVisible(), "there is nothing to do"
    assert not line.meaning.isVisible() and KNOWN_SOURCE in line.kind.toolTip()
    line.kind.setCurrentIndex(1)
    assert line.because.isVisible() and line.again.isVisible() and not line.again.isEnabled()
    assert line.meaning.isVisible() and "later time (years later)" in line.meaning.text(), "what a known source is"
    qtbot.keyClick(line.because, Qt.Key.Key_Return)
    qtbot.keyClicks(line.because, "   ")
    qtbot.keyClick(line.because, Qt.Key.Key_Return)
    assert not line.again.isEnabled() and not heard, "blanks are no reason"
    qtbot.keyClicks(line.because, "the same thread ")
    line.again.click()
    qtbot.keyClick(line.because, Qt.Key.Key_Return)
    assert heard == [Stated("known", "the same thread")] * 2
    line.because.setText("x" * 10_000)
    assert len(line.because.text()) == LONGEST_REASON


def test_a_new_source_is_stated_at_once(line: OriginLine) -> None:
    heard = _heard(line)
    line.show_result(_result(Stated("known", "the same <b>book</b>"), None))
    assert line.kind.currentData() == "known" and line.because.text() == "the same <b>book</b>"
    assert line.holds.text() == (
        "These figures hold for texts as long as the known ones, from the source of known texts, as the analyst states: "
        '"the same <b>book</b>".'
    )
    assert not line.again.isVisible() and not heard, "showing a result states nothing"
    assert not line.meaning.isVisible(), "it was stated"
    line.because.setText("the same page")
    assert line.again.isVisible() and line.again.isEnabled(), "another reason is another statement"
    line.kind.setCurrentIndex(0)
    assert heard == [Stated()] and not line.because.isVisible()
    assert line.again.isVisible(), "whoever stops the analysis can start it again"


def test_what_is_being_written_stays(line: OriginLine) -> None:
    """The page is shown anew whenever anything in the case changes."""
    found = _result()
    line.show_result(found)
    line.kind.setCurrentIndex(1)
    line.because.setText("the same thr")
    line.show_result(found)
    assert line.because.text() == "the same thr"
    line.show_result(_result())
    assert line.kind.currentData() == "new" and line.because.text() == "", "another result"


def test_what_cannot_be_stated(line: OriginLine) -> None:
    line.show_result(None)
    assert not line.isVisible()
    line.show_result(answers.without_validation())
    assert not line.isVisible(), "there are no figures whose condition it could be"
    line.show_result(_result(), changeable=False)
    assert line.isVisible() and not line.kind.isEnabled()


@pytest.mark.parametrize(
    ("code", "leads"), [("sources-not-known", True), ("nobody-has-two-sources", True), ("nobody-supported", False)]
)
def test_where_sources_are_missing_a_button_leads_to_them(qtbot: QtBot, code: str, leads: bool) -> None:
    make_application()
    card = OpinionCard()
    qtbot.addWidget(card)
    card.show()
    found = answers.result()
    card.show_result(replace(found, opinion=Opinion("none given", found.opinion.about, (Reason(code),))))
    assert card.to_sources.isVisible() == leads
    assert ("there are figures for known sources only" in card.statement.text()) == leads
    card.show_result(found)
    assert not card.to_sources.isVisible(), "there is an opinion"


@pytest.fixture
def judged(window: MainWindow, rest: Callable[[], None], validated_case: Path, tmp_path: Path) -> MainWindow:
    """A window with a disputed text, whose file is gone."""
    file = tmp_path / "anonymous.txt"
    shutil.copy(paths.sample_case() / "disputed" / "anonymous-1.txt", file)
    window.open_case(Path(shutil.copy(validated_case, tmp_path / "judged.forensia")))
    rest()
    window.opencase.analyse([file])
    rest()
    file.unlink()
    return window


def test_the_statement_is_analysed_and_kept(judged: MainWindow, rest: Callable[[], None]) -> None:
    opencase, line = judged.opencase, judged.disputed.answer.origin
    (name,) = [each.id for each in opencase.shown.disputed]

    def found() -> Result:
        return opencase.shown.results[name].result

    before = found()
    assert before.stated == Stated() and before.condition.source == "new"
    assert line.holds.text().endswith("from a new source.")
    line.kind.setCurrentIndex(1)
    line.because.setText("the same thread")
    line.again.click()
    rest()
    assert found().stated == Stated("known", "the same thread") and found().condition.source == "known"
    assert 'the analyst states: "the same thread"' in line.holds.text()
    assert found().subject.listed.log10 != before.subject.listed.log10, "other figures hold"
    line.kind.setCurrentIndex(0)
    rest()
    assert found() == before, "and back"
    details = [entry.data for entry in opencase.case.log.entries() if entry.event == "run started"]
    assert [each["source"] for each in details[-3:]] == ["new", "known", "new"]
    judged.disputed.answer.opinion.sources.emit()
    QApplication.processEvents()
    assert judged.pages.currentIndex() == PLACES.index("corpus")


def test_a_statement_without_a_reason_is_refused(judged: MainWindow) -> None:
    """Whoever asks."""
    (name,) = [each.id for each in judged.opencase.shown.disputed]
    place = judged.opencase.case.path
    judged.opencase.close()
    with Case.open(place) as case:
        for stated in (Stated("known"), Stated("known", " "), Stated("known", "x" * 501), Stated("new", "a reason")):
            with pytest.raises(InputError):
                analyse_again(case, name, Said(stated))
        assert len(case.results.all(name)) == 1
