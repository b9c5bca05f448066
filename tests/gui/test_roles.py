"""Few candidates and a population around them: added by a drop with a question, changed in the table, told before training."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from forensia import paths
from forensia.corpus import Role, Severity, read_corpus
from forensia.gui import dialogs
from forensia.gui.pages.corpus import documents as columns
from forensia.gui.pages.corpus.documents import DocumentsFilter
from forensia.gui.window import MainWindow
from forensia.language import load_model
from forensia.service.importing import make_population


@pytest.fixture
def opened(hand: ModuleType, window: MainWindow, rest: Callable[[], None], tmp_path: Path) -> MainWindow:
    """A case with two candidates."""
    hand.drop(window, hand.make_corpus(tmp_path / "known"))
    rest()
    return window


def _population(hand: ModuleType, folder: Path) -> Path:
    return hand.make_corpus(folder, ("Olga <b>", "Otto & Co", "Oscar"), 2)  # type: ignore[no-any-return]


def _offered(asked: QWidget) -> list[str]:
    return [each.text() for each in asked.findChildren(QPushButton) if each.isVisible()]


def _roles(window: MainWindow) -> dict[str, str]:
    return {each.author: each.role.value for each in window.opencase.shown.documents}


def test_a_folder_on_an_open_case_is_asked_about(
    hand: ModuleType, opened: MainWindow, rest: Callable[[], None], tmp_path: Path
) -> None:
    hand.drop(opened, _population(hand, tmp_path / "others"))
    asked = hand.dialog(opened)
    assert "What is 'others'?" in asked.text.text()
    assert _offered(asked) == ["Candidates", "Population", "Another case", "Cancel"], (
        "there is no model to judge texts with"
    )
    place = opened.opencase.shown.path
    hand.press(asked, "Cancel")
    rest()
    assert len(opened.opencase.shown.documents) == 6
    hand.drop(opened, tmp_path / "others")
    hand.press(hand.dialog(opened), "Population")
    rest()
    assert opened.opencase.shown.path == place
    assert _roles(opened) == {
        "Ann": "candidate", "Ben": "candidate", "Olga <b>": "population", "Otto & Co": "population", "Oscar": "population",
    }  # fmt: skip
    assert opened.state.text() == "Added: 3 authors, 6 documents."
    assert opened.corpus.totals.text().startswith("2 candidates, population of 3, 12 documents · ")
    hand.drop(opened, hand.make_corpus(tmp_path / "more", ("Cleo",)))
    hand.press(hand.dialog(opened), "Candidates")
    rest()
    assert _roles(opened)["Cleo"] == "candidate" and len(opened.opencase.shown.documents) == 15
    hand.drop(opened, tmp_path / "more")
    hand.press(hand.dialog(opened), "Another case")
    rest()
    assert opened.opencase.shown.path != place and opened.opencase.shown.authors == ("Cleo",)


def test_the_button_asks_as_a_drop_does(
    hand: ModuleType, opened: MainWindow, rest: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs, "ask_folder", lambda _: _population(hand, tmp_path / "others"))
    opened.corpus.add.menu().actions()[0].trigger()
    hand.press(hand.dialog(opened), "Population")
    rest()
    assert opened.opencase.shown.known == (5, 12, 0, 3)


def test_what_cannot_be_added_is_told(
    hand: ModuleType, opened: MainWindow, rest: Callable[[], None], tmp_path: Path
) -> None:
    """An author is a candidate or the population, not both; and nothing of the folder is kept."""
    hand.drop(opened, hand.make_corpus(tmp_path / "others", ("Ann", "Zoe")))
    hand.press(hand.dialog(opened), "Population")
    rest()
    told = hand.dialog(opened)
    assert "Ann" in told.text.text() and "role" in told.text.text()
    told.accept()
    assert _roles(opened) == {"Ann": "candidate", "Ben": "candidate"}


def test_roles_are_changed_for_many_at_once(opened: MainWindow) -> None:
    """The role is the author's: one text of theirs is enough, and the status bar says so."""
    pane, page = opened.corpus.documents, opened.corpus
    assert not pane.role.isEnabled(), "nothing is chosen"
    ben = [each.id for each in opened.opencase.shown.documents if each.author == "Ben"]
    pane.select(ben[:1])
    assert pane.role.isEnabled()
    pane.role.menu().actions()[1].trigger()
    assert _roles(opened) == {"Ann": "candidate", "Ben": "population"}
    assert opened.state.text() == "Change the role of 1 author, with all of their texts: 3"
    assert pane.selected() == ben[:1], "the choice stays"
    assert page.totals.text().startswith("1 candidate, population of 1, 6 documents · ")
    cells = {pane.model.data(pane.model.index(row, columns.ROLE)) for row in range(6)}
    assert cells == {"candidate", "population"}
    for cell in cells:
        assert pane.table.fontMetrics().horizontalAdvance(cell) + 14 <= pane.table.columnWidth(columns.ROLE)
    opened.menus.undo.trigger()
    assert _roles(opened) == {"Ann": "candidate", "Ben": "candidate"}
    pane.table.selectAll()
    pane.role.menu().actions()[1].trigger()
    assert set(_roles(opened).values()) == {"population"}
    assert any(
        "candidate" in str(each.problem.values) or each.problem.code == "one-author"
        for each in opened.opencase.shown.findings
    )
    pane.role.menu().actions()[0].trigger()
    assert set(_roles(opened).values()) == {"candidate"}


def test_roles_are_sorted_and_filtered_by(opened: MainWindow, qtbot: QtBot) -> None:
    pane = opened.corpus.documents
    opened.opencase.set_role({"Ann"}, Role.POPULATION)
    pane.table.sortByColumn(columns.ROLE, Qt.SortOrder.AscendingOrder)
    assert [pane.model.rows[row].author for row in range(6)] == ["Ben"] * 3 + ["Ann"] * 3
    qtbot.keyClicks(pane.filter, "population")
    assert pane.proxy.rowCount() == 3
    pane.filter.clear()
    for state, author in ((DocumentsFilter.CANDIDATES, "Ben"), (DocumentsFilter.POPULATION, "Ann")):
        pane.state.setCurrentIndex(state)
        assert {pane._document(row).author for row in range(pane.proxy.rowCount())} == {author}


def test_the_first_folder_may_be_a_population(opened: MainWindow) -> None:
    """It is read as candidates, and one press says otherwise."""
    prospects = opened.corpus.prospects
    assert opened.corpus.tabs.currentWidget() is prospects
    assert prospects.title.text() == "What will be possible with these texts"
    shown = [(name.text(), sentence.text()) for name, sentence in prospects.rows]
    assert shown[0] == ("✓ A ranking of candidates", "2 candidates will be ranked.")
    assert shown[1][0].startswith("○ ") and "population" in shown[1][1], "what is missing, and how to add it"
    prospects.turn.click()
    assert set(_roles(opened).values()) == {"population"}
    assert prospects.title.text().startswith("Nothing yet") and not prospects.rows[0][0].isVisible()
    assert prospects.turn.text() == "They are candidates"
    prospects.turn.click()
    assert set(_roles(opened).values()) == {"candidate"}
    opened.opencase.set_role({"Ben"}, Role.POPULATION)
    assert not prospects.turn.isVisible()
    assert prospects.rows[0][0].text() == "○ A ranking of candidates"
    opened.corpus.documents.table.selectRow(0)
    assert opened.corpus.tabs.currentWidget() is opened.corpus.preview, "whoever chooses a text wants to read it"


def test_a_folder_of_disputed_texts(
    hand: ModuleType, window: MainWindow, rest: Callable[[], None], validated_case: Path, tmp_path: Path
) -> None:
    window.open_case(Path(shutil.copy(validated_case, tmp_path / "case.forensia")))
    rest()
    shutil.copytree(paths.sample_case() / "disputed", tmp_path / "texts")
    (tmp_path / "texts" / "empty.txt").write_text("", encoding="utf-8")
    hand.drop(window, tmp_path / "texts")
    hand.press(hand.dialog(window), "Disputed texts")
    rest()
    there = sorted(each.name for each in (paths.sample_case() / "disputed").glob("*.txt"))
    assert sorted(each.path for each in window.opencase.shown.disputed) == there
    assert "empty.txt" in hand.dialog(window).text.text(), "a bad one is told, the others are analysed"


def test_added_texts_make_the_model_old(
    hand: ModuleType, window: MainWindow, rest: Callable[[], None], validated_case: Path, tmp_path: Path
) -> None:
    window.open_case(Path(shutil.copy(validated_case, tmp_path / "case.forensia")))
    rest()
    hand.drop(window, _population(hand, tmp_path / "others"))
    hand.press(hand.dialog(window), "Population")
    rest()
    assert not window.opencase.shown.model.current
    window._tell_state()
    assert "Model out of date" in window.state.text() and "population of 3" in window.state.text()


def test_a_population_file(
    hand: ModuleType, window: MainWindow, rest: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes to a candidate who is there, dropped or chosen; then one is enough to train."""
    others = hand.make_corpus(tmp_path / "others", tuple(f"Other {number}" for number in range(4)), 2)
    file = tmp_path / "reviewers.population"
    make_population(read_corpus(others), file, load_model("embedded"))
    hand.drop(window, file)
    assert "texts of the candidates first" in hand.dialog(window).text.text()
    hand.dialog(window).accept()
    QApplication.processEvents()
    hand.drop(window, hand.make_corpus(tmp_path / "known", ("Ann",)))
    rest()
    assert window.opencase.shown.count(Severity.BLOCKING) == 1, "nobody to hold Ann against"
    filters: list[str] = []
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *asked: (filters.append(asked[-1]), (str(file), ""))[1])
    window.corpus.add.menu().actions()[1].trigger()
    assert "*.population" in filters[0] and "*.csv" in filters[0]
    hand.press(hand.dialog(window), "Use")
    rest()
    assert window.opencase.shown.held == 4 and window.opencase.shown.count(Severity.BLOCKING) == 0
    assert window.corpus.totals.text().startswith("1 candidate, population of 4, 3 documents")
    prospects = window.corpus.prospects
    assert "population of 4 authors" in prospects.title.text()
    assert [name.text()[0] for name, _ in prospects.rows] == ["○", "○", "○", "○", "✓"], "five authors are too few"
    assert "5 authors are too few" in prospects.rows[1][1].text(), "those of the file are among them"
    window.corpus.documents.table.selectRow(0)
    window.opencase.exclude(window.corpus.documents.selected(), "too short")
    assert window.opencase.shown.count(Severity.BLOCKING) == 0, "and after a choice"
