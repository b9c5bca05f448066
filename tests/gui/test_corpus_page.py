"""The Corpus page, driven as a person would: open, look, filter, leave out, undo."""

from __future__ import annotations

import html
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from forensia.corpus import Document, Problem, Severity
from forensia.gui import theme
from forensia.gui.pages.corpus import documents as columns
from forensia.gui.pages.corpus.authors import AuthorsTree
from forensia.gui.pages.corpus.documents import DocumentsFilter, DocumentsModel
from forensia.gui.pages.corpus.findings import findings_model
from forensia.gui.snapshot import Finding
from forensia.gui.window import MainWindow

HOSTILE = ("<img src=x onerror=y>", "A & B", "$\\undefined$", "_smith", "محمد", "n" * 240)


def stored(number: int, author: str = "Ann", **fields: object) -> Document:
    name = f"{number:016x}"
    made = Document(
        author, f"text {number}", "", sources=("letters",), path=f"{author}/letters/{number}.txt", sha256_text=name, language="en",
        words=100 + number % 700,
    )  # fmt: skip
    return replace(made, **fields)  # type: ignore[arg-type]


def test_sample(sample: MainWindow, rest: Callable[[], None], qtbot: QtBot) -> None:
    page = sample.corpus
    assert page.totals.text().startswith("12 authors, 120 documents · ")
    assert page.documents.proxy.rowCount() == 120
    assert page.tree.authors.rowCount() == 13
    assert page.line.text() == "No problems found"
    qtbot.waitUntil(lambda: page.chart.picture is not None, timeout=60_000)
    page.documents.table.selectRow(0)
    rest()
    assert len(page.preview.text.toPlainText()) > 1000


def test_filter_sort_and_choose(sample: MainWindow, qtbot: QtBot) -> None:
    page = sample.corpus
    qtbot.keyClicks(page.documents.filter, "bram letters")
    shown = page.documents.proxy.rowCount()
    assert 0 < shown < 10
    assert page.documents.counted.text().startswith(f"{shown} of 120")
    page.documents.filter.clear()
    page.documents.table.sortByColumn(columns.WORDS, Qt.SortOrder.DescendingOrder)
    words = [page.documents.model.rows[row].words for row in range(page.documents.model.rowCount())]
    assert words == sorted(words, reverse=True)
    page.tree.setCurrentIndex(page.tree.authors.index(2, 0))
    assert page.documents.proxy.rowCount() == 10
    page.documents.table.selectAll()
    assert len(page.documents.selected()) == 10


def test_leave_out_undo_redo(hand: ModuleType, sample: MainWindow) -> None:
    page = sample.corpus
    page.documents.table.selectRow(0)
    (name,) = page.documents.selected()
    page.documents.out.click()
    asked = hand.dialog(sample)
    asked.field.setText("wrong genre")
    asked._accept()
    assert [each.id for each in sample.opencase.shown.documents if each.excluded == "wrong genre"] == [name]
    assert page.totals.text().startswith("12 authors, 119 documents, 1 left out · ")
    sample._tell_state()  # the sentence about the choice has had its seconds
    assert "12 authors, 119 documents, 1 left out" in sample.state.text(), "the status bar counts as the page does"
    assert page.documents.selected() == [name], "the choice stays"
    assert page.documents.table.model().index(0, columns.TITLE).data(Qt.ItemDataRole.FontRole).strikeOut()
    assert sample.menus.undo.text() == "&Undo: Exclude 1 document"
    sample.menus.undo.trigger()
    assert len(sample.opencase.shown.active) == 120
    sample.menus.redo.trigger()
    assert len(sample.opencase.shown.active) == 119
    page.documents.back.click()
    assert len(sample.opencase.shown.active) == 120


def test_another_author(hand: ModuleType, sample: MainWindow) -> None:
    page = sample.corpus
    page.documents.table.selectRow(0)
    page.documents.other.click()
    asked = hand.dialog(sample)
    asked.field.setCurrentText("A <b>new</b> & odd name")
    asked._accept()
    assert page.tree.authors.rowCount() == 14
    assert page.documents.model.data(page.documents.model.index(0, columns.AUTHOR)) == "A <b>new</b> & odd name"
    tip = str(page.documents.model.data(page.documents.model.index(0, columns.AUTHOR), Qt.ItemDataRole.ToolTipRole))
    assert "<b>" not in tip and "&lt;b&gt;new" in tip
    sample.menus.undo.trigger()
    assert page.tree.authors.rowCount() == 13


def test_hostile_names_are_literal_everywhere(
    hand: ModuleType, window: MainWindow, rest: Callable[[], None], tmp_path: Path
) -> None:
    hand.drop(window, hand.make_corpus(tmp_path / "known", HOSTILE, 2))
    rest()
    page = window.corpus
    page.refresh()
    wanted = {name.replace("\\", "\\\\") for name in HOSTILE}  # as names of files are shown: a backslash doubles
    assert set(window.opencase.shown.authors) == wanted
    names = {page.tree.authors.item(row).text() for row in range(1, page.tree.authors.rowCount())}
    assert names == wanted
    for row in range(page.documents.proxy.rowCount()):
        page.documents.table.selectRow(row)
        rest()
        assert page.documents.model.rows[row].path in page.preview.about.text()
        tip = str(page.documents.proxy.index(row, 0).data(Qt.ItemDataRole.ToolTipRole))
        assert "<img" not in tip
    assert page.chart.picture is not None
    assert "6 authors, 12 documents" in page.chart.picture.alt


def test_problems_have_their_buttons(
    hand: ModuleType, window: MainWindow, rest: Callable[[], None], tmp_path: Path
) -> None:
    known = hand.make_corpus(tmp_path / "known", ("Ann", "Ben", "Cal"))
    copied = (known / "Ann" / "text 0.txt").read_text("utf-8")
    (known / "Ben" / "copy.txt").write_text(copied, encoding="utf-8")
    (known / "Cal" / "hidden.txt").write_text("A zero\u200bwidth space. " + hand.SENTENCE * 8, encoding="utf-8")
    (known / "Cal" / "broken.txt").write_bytes(b"caf\xe9 \xc3\xa9 " * 40 + b"\x81")
    hand.drop(window, known)
    rest()
    page = window.corpus
    assert page.line.text().startswith("1 must be solved before training")
    page.line.click()
    assert page.panel.isVisible()
    window.rail.go("model")
    assert not window.model.settings.button.isEnabled()
    assert "must be solved" in window.model.settings.blocked.text()
    window.rail.go("corpus")
    page.panel.see.click()
    assert len(page.documents.selected()) == 2
    copy = next(each for each in window.opencase.shown.documents if each.title == "copy")
    page.documents.select([copy.id])
    page.documents.out.click()
    hand.dialog(window)._accept()
    assert "must be solved" not in page.line.text()
    window.rail.go("model")
    assert window.model.settings.button.isEnabled()
    window.rail.go("corpus")
    page.documents.all.click()
    page.documents.filter.setText("hidden")
    page.documents.table.selectRow(0)
    rest()
    assert "⟨U+200B⟩" in page.preview.text.toPlainText()
    codes = [finding.problem.code for finding in window.opencase.shown.findings]
    page.panel.list.setCurrentIndex(page.panel.model.index(codes.index("undecodable"), 0))
    page.panel.encoding.click()
    asked = hand.dialog(window)
    asked.field.setCurrentText("iso8859-1")
    asked._accept()
    rest()
    assert any(each.title == "broken" for each in window.opencase.shown.documents)
    assert next(each for each in window.opencase.shown.documents if each.id == copy.id).excluded, "choices are kept"


def test_a_problem_is_ignored_with_a_reason(
    hand: ModuleType, window: MainWindow, rest: Callable[[], None], tmp_path: Path
) -> None:
    known = hand.make_corpus(tmp_path / "known", ("Ann", "Ben"))
    (known / "Ann" / "hidden.txt").write_text("A zero\u200bwidth space. " + hand.SENTENCE * 8, encoding="utf-8")
    (known / "Ben" / "copy.txt").write_text((known / "Ann" / "text 0.txt").read_text("utf-8"), encoding="utf-8")
    hand.drop(window, known)
    rest()
    page, opencase = window.corpus, window.opencase
    page.line.click()

    def choose(code: str) -> None:
        codes = [finding.problem.code for finding in opencase.shown.findings]
        page.panel.list.setCurrentIndex(page.panel.model.index(codes.index(code), 0))

    choose("same-text-two-authors")
    assert not page.panel.aside.isVisible(), "what must be solved cannot be talked away"
    warnings = opencase.shown.count(Severity.WARNING)
    choose("zero-width")
    page.panel.aside.click()
    asked = hand.dialog(window)
    asked._accept()
    assert asked.isVisible(), "not without a reason"
    asked.field.setText("checked <b>by hand</b>")
    asked._accept()
    assert opencase.shown.count(Severity.WARNING) == warnings - 1
    assert "1 ignored" in page.line.text()
    choose("zero-width")
    assert page.panel.why.text() == "Ignored: checked <b>by hand</b>"
    assert opencase.case.choices.settings()["report"]["ignored"], "the report can tell it"
    assert page.panel.list.currentIndex().data().startswith("Ignored · ")
    window.menus.undo.trigger()
    assert opencase.shown.count(Severity.WARNING) == warnings
    window.menus.redo.trigger()
    choose("zero-width")
    page.panel.up.click()
    assert opencase.shown.count(Severity.WARNING) == warnings
    assert not page.panel.up.isVisible()


def test_lost_characters_are_told_and_another_encoding_is_offered(
    hand: ModuleType, window: MainWindow, rest: Callable[[], None], tmp_path: Path
) -> None:
    known = hand.make_corpus(tmp_path / "known", ("Ann", "Ben"))
    sound = "I don’t think that he’ll come. " + hand.SENTENCE * 8
    (known / "Ann" / "marks.txt").write_text(sound.replace("’", "?"), encoding="utf-8")
    (known / "Ben" / "wrong.txt").write_bytes(sound.encode().decode("cp1252").encode())
    hand.drop(window, known)
    rest()
    page, opencase = window.corpus, window.opencase
    page.line.click()
    codes = [finding.problem.code for finding in opencase.shown.findings]
    assert opencase.shown.count(Severity.BLOCKING) == 0
    for code, text, offered in (
        (
            "question-marks",
            "'Ann/marks.txt': Question marks where letters, quotes or apostrophes must have stood",
            False,
        ),
        ("mojibake", "'Ben/wrong.txt': Characters that were read in a wrong encoding", True),
    ):
        page.panel.list.setCurrentIndex(page.panel.model.index(codes.index(code), 0))
        assert page.panel.message.text().startswith(text) and ": 2, such as " in page.panel.message.text()
        assert "Find an undamaged copy" in page.panel.next_step.text()
        assert page.panel.encoding.isVisible() is offered


def test_authors_who_are_one_person_are_merged(
    hand: ModuleType, window: MainWindow, rest: Callable[[], None], tmp_path: Path
) -> None:
    hand.drop(window, hand.make_corpus(tmp_path / "known", ("Ann Lee", "ann lee", "Ben")))
    rest()
    page = window.corpus
    page.line.click()
    codes = [finding.problem.code for finding in window.opencase.shown.findings]
    page.panel.list.setCurrentIndex(page.panel.model.index(codes.index("similar-authors"), 0))
    assert page.panel.one.isVisible() and not page.panel.other.isVisible()
    page.panel.one.click()
    asked = hand.dialog(window)
    asked.field.setCurrentText("Ann Lee")
    asked._accept()
    assert window.opencase.shown.authors == ("Ann Lee", "Ben")
    assert "similar-authors" not in [finding.problem.code for finding in window.opencase.shown.findings]
    window.menus.undo.trigger()
    assert len(window.opencase.shown.authors) == 3


def test_a_mask_is_shown_before_it_is_used(
    hand: ModuleType, sample: MainWindow, rest: Callable[[], None], qtbot: QtBot
) -> None:
    sample.rail.go("model")
    settings = sample.model.settings
    assert not settings.example.isVisible()
    settings.masking.setCurrentIndex(settings.masking.findData("distortion"))
    settings.example.click()
    shown = hand.dialog(sample)
    qtbot.waitUntil(lambda: bool(shown.after.toPlainText()), timeout=60_000)
    before, after = shown.before.toPlainText(), shown.after.toPlainText()
    assert len(before) == len(after) and "*" in after and before != after
    shown.accept()


def test_options_show_their_effect_first(
    hand: ModuleType, window: MainWindow, rest: Callable[[], None], qtbot: QtBot, tmp_path: Path
) -> None:
    known = hand.make_corpus(tmp_path / "known")
    mail = "On 3 May 2024, Ann wrote:\n> You said it would be ready.\n> It was not.\n\n" + hand.SENTENCE * 8
    (known / "Ben" / "mail.txt").write_text(mail, encoding="utf-8")
    hand.drop(window, known)
    rest()
    page = window.corpus
    page.tabs.setCurrentIndex(1)
    options = page.options
    assert not options.button.isEnabled()
    for box in options.steps.values():
        box.setChecked(True)
    options.segment.setValue(60)
    qtbot.waitUntil(lambda: "become" in options.effect.text(), timeout=60_000)
    assert "Cuts: 1 passage in 1 document" in options.effect.text()
    assert len(window.opencase.shown.documents) == 7, "nothing is done before it is applied"
    pieces = int(options.effect.text().split("become ")[1].split()[0])
    options.button.click()
    rest()
    assert len(window.opencase.shown.documents) == pieces
    assert sum(len(each.cuts) for each in window.opencase.shown.documents) == 1
    assert not options.button.isEnabled()
    cut = next(each for each in window.opencase.shown.documents if each.cuts)
    page.documents.select([cut.id])
    rest()
    assert "struck through" in page.preview.about.text()
    cursor = page.preview.text.textCursor()
    cursor.setPosition(cut.cuts[0].start + 2)
    assert cursor.charFormat().fontStrikeOut()


def test_sources_are_given_shown_and_kept(
    hand: ModuleType, window: MainWindow, rest: Callable[[], None], qtbot: QtBot, tmp_path: Path
) -> None:
    hand.drop(window, hand.make_corpus(tmp_path / "known"))
    rest()
    page, options = window.corpus, window.corpus.options
    some = sorted(each.path for each in window.opencase.shown.documents if each.path.startswith("Ben"))
    table = tmp_path / "sources.csv"
    table.write_text(f"file,source\n{some[0]},1\n{some[1]},1; 2\n", encoding="utf-8")
    options.sources.setText(str(table))
    qtbot.waitUntil(lambda: "Other sources" in options.effect.text(), timeout=60_000)
    options.button.click()
    rest()
    assert window.opencase.shown.reading.sources == options.sources.text() == str(table)
    assert not options.button.isEnabled()
    page.documents.show_author("Ben", "1")
    assert page.documents.proxy.rowCount() == 2
    page.documents.show_author("Ben", "2")
    assert page.documents.proxy.rowCount() == 1
    (ben,) = (
        item for row in range(page.tree.authors.rowCount()) if (item := page.tree.authors.item(row)).text() == "Ben"
    )
    names = {ben.child(row, 0).text(): ben.child(row, 1).text() for row in range(ben.rowCount())}
    assert names["1"] == "2" and names["2"] == "1", "a text of two sources counts for both"


def test_models_keep_the_rules(qtmodeltester: ModelTester, qtbot: QtBot) -> None:
    model = DocumentsModel()
    proxy = DocumentsFilter(model)
    problem = Problem.of("too-short", words=7, fewest=100)
    documents = [
        stored(n, HOSTILE[n % 6], problems=(problem,) * (n % 2), excluded="x" if n == 3 else None) for n in range(40)
    ]
    model.set_documents(documents)
    qtmodeltester.check(model)
    proxy.set_words("smith")
    qtmodeltester.check(proxy)
    proxy.set_words("")
    proxy.set_state(DocumentsFilter.LEFT_OUT)
    assert proxy.rowCount() == 1
    findings = findings_model()
    findings.set_rows((Finding(problem, ("a", "b")),))
    qtmodeltester.check(findings)
    tree = AuthorsTree()
    qtbot.addWidget(tree)
    tree.show_documents(documents)
    qtmodeltester.check(tree.authors)


def test_ten_thousand_documents(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sorting and filtering take a moment that nobody notices (the limits are ten times what was measured), and only the rows
    that are seen are asked for."""
    page = window.corpus
    asked: set[int] = set()
    data = DocumentsModel.data

    def counted(self: DocumentsModel, index: object, role: int = 0) -> object:
        asked.add(index.row())  # type: ignore[attr-defined]
        return data(self, index, role)  # type: ignore[arg-type]

    monkeypatch.setattr(DocumentsModel, "data", counted)
    documents = [stored(number, f"Author {number % 97:02}") for number in range(10_000)]
    page.documents.model.set_documents(documents)
    page.setCurrentIndex(1)
    QApplication.processEvents()
    table = page.documents.table
    seen = table.viewport().height() // table.rowHeight(0) + 2
    assert 10 < len(asked) <= 2 * seen
    for act in (
        lambda: table.sortByColumn(columns.WORDS, Qt.SortOrder.AscendingOrder),
        lambda: page.documents.proxy.set_words("author 13 letters"),
        lambda: page.documents.proxy.set_words(""),
        lambda: table.scrollTo(page.documents.proxy.index(9_000, 0)),
    ):
        asked.clear()
        start = time.thread_time()  # of this thread alone: the machine may be busy with other things
        act()
        QApplication.processEvents()
        assert time.thread_time() - start < 1
        assert len(asked) <= 2 * seen
    for row in range(0, 9_000, 450):
        asked.clear()
        table.scrollTo(page.documents.proxy.index(row, 0))
        QApplication.processEvents()
        assert len(asked) <= 2 * seen
    assert page.documents.proxy.rowCount() == 10_000


def test_the_theme_reaches_the_page(sample: MainWindow, qtbot: QtBot) -> None:
    page = sample.corpus
    qtbot.waitUntil(lambda: page.chart.picture is not None, timeout=60_000)
    page.documents.table.selectRow(0)
    qtbot.waitUntil(lambda: bool(page.preview.text.toPlainText()), timeout=60_000)
    sample.set_theme("dark")
    colour = page.preview.text.textCursor().charFormat().foreground().color().name()
    assert colour == theme.DARK.text
    qtbot.waitUntil(lambda: page.chart.picture.image.pixelColor(1, 1).lightness() < 80, timeout=60_000)
    sample.set_theme("light")
    qtbot.waitUntil(lambda: page.chart.picture.image.pixelColor(1, 1).lightness() > 200, timeout=60_000)


def sources_of(window: MainWindow) -> dict[str, tuple[str, ...]]:
    return {each.path: each.sources for each in window.opencase.shown.documents}


def tip_of_source(window: MainWindow, row: int) -> str:
    model = window.corpus.documents.model
    return html.unescape(str(model.data(model.index(row, columns.SOURCE), Qt.ItemDataRole.ToolTipRole)))


def test_the_sample_shows_its_sources(sample: MainWindow) -> None:
    page = sample.corpus
    assert {each.source for each in sample.opencase.shown.documents} == {
        "diary",
        "letters",
        "mails",
        "minutes",
        "reviews",
    }
    assert page.documents.model.rows[0].source == "diary" and (
        "diary: this author's own; others have one of that name: 11" in tip_of_source(sample, 0)
    )
    assert page.source_line.isHidden(), "there is nothing to ask"


def test_one_source_every_text_its_own_and_not_known(hand: ModuleType, sample: MainWindow) -> None:
    page, before = sample.corpus, sources_of(sample)
    one, own, _shared, _of_each, unknown = page.documents.sources.menu().actions()
    page.documents.select([page.documents.model.rows[row].id for row in range(10)])
    one.trigger()
    asked = hand.dialog(sample)
    asked.field.setCurrentText("One <b>book</b>; 1887")
    asked._accept()
    now = sources_of(sample)
    assert [each for path, each in now.items() if path.startswith("Adela Marsh/")] == [("1887", "One <b>book</b>")] * 10
    assert {path for path in now if now[path] != before[path]} == {
        path for path in now if path.startswith("Adela Marsh/")
    }
    tip = tip_of_source(sample, 0)
    assert "this author's own" in tip and "Given by the analyst; read: " in tip
    assert "source given" in page.documents.model.data(page.documents.model.index(0, columns.REMARKS))
    own.trigger()
    asked = hand.dialog(sample)
    asked._accept()
    assert sources_of(sample) == now, "without a reason nothing happens"
    asked.field.setText("to different people")
    asked._accept()
    assert all(each == (path,) for path, each in sources_of(sample).items() if path.startswith("Adela Marsh/"))
    assert "Because: to different people" in tip_of_source(sample, 0)
    unknown.trigger()
    assert "Not known" in tip_of_source(sample, 0) and sources_of(sample)["Adela Marsh/diary/concert.txt"] == ()
    for _ in range(3):
        sample.menus.undo.trigger()
    assert sources_of(sample) == before


def test_a_source_is_shared_between_authors_and_back(sample: MainWindow) -> None:
    """What is said of one text's source holds for everybody who has it; other sources stay as they are."""
    page, before = sample.corpus, sources_of(sample)
    _one, _own, shared, of_each, _unknown = page.documents.sources.menu().actions()
    assert page.documents.model.rows[0].sources == ("diary",)
    page.documents.select([page.documents.model.rows[0].id])
    shared.trigger()
    now = sources_of(sample)
    assert {now[path] for path in now if before[path] == ("diary",)} == {("shared: diary",)}
    assert {path for path in now if now[path] != before[path]} == {path for path in now if before[path] == ("diary",)}
    tips = {tip_of_source(sample, row) for row in range(len(now))}
    assert any("shared: diary: left out for all authors together; others who have it: 11" in tip for tip in tips)
    shared.trigger()
    assert sources_of(sample) == now, "it is shared already"
    of_each.trigger()
    assert sources_of(sample) == before
    sample.menus.undo.trigger()
    assert sources_of(sample) == now


@pytest.fixture
def unsaid(hand: ModuleType, window: MainWindow, rest: Callable[[], None], tmp_path: Path) -> MainWindow:
    """Texts of which nothing tells the source."""
    hand.drop(window, hand.make_corpus(tmp_path / "known", ("Ann", "Bob"), 4))
    rest()
    assert not any(sources_of(window).values())
    return window


def test_where_nothing_tells_one_question_is_asked(hand: ModuleType, unsaid: MainWindow) -> None:
    line = unsaid.corpus.source_line
    assert not line.isHidden() and line.text.text().startswith("Where do these texts come from?")
    line.none.click()
    assert line.isHidden() and not any(sources_of(unsaid).values())
    assert any(
        "is not known" in str(each) for each in unsaid.opencase.case.choices.settings()["report"]["ignored"].values()
    )
    unsaid.menus.undo.trigger()
    line.some.click()
    assert not line.isHidden() and line.some.isHidden() and "Sources" in line.text.text()
    line.own.click()
    asked = hand.dialog(unsaid)
    asked.field.setText("letters of six years")
    asked._accept()
    assert line.isHidden() and all(each == (path,) for path, each in sources_of(unsaid).items())
    assert {each.because for each in unsaid.opencase.case.documents.chosen_sources().values()} == {
        "letters of six years"
    }


def test_proposed_sources_are_used_or_ignored(
    hand: ModuleType, window: MainWindow, rest: Callable[[], None], tmp_path: Path
) -> None:
    known = hand.make_corpus(tmp_path / "known", ("Ann", "Bob"), 4)
    for number, file in enumerate(sorted((known / "Ann").iterdir())):
        file.rename(file.with_name(f"{('Emma', 'Persuasion')[number % 2]}_{number}.txt"))
    hand.drop(window, known)
    rest()
    line = window.corpus.source_line
    assert "4 texts without a source look as if they came from 'Emma', 'Persuasion'" in line.text.text()
    assert "1 note" in window.corpus.line.text()
    line.accept.click()
    assert line.isHidden() and "note" not in window.corpus.line.text()
    assert {each[0] for each in sources_of(window).values() if each} == {"Emma", "Persuasion"}
    window.menus.undo.trigger()
    assert not line.isHidden() and not any(sources_of(window).values())
    line.decline.click()
    assert line.text.text().startswith("Where do these texts come from?"), "the question is left"
    assert not any(sources_of(window).values()) and "1 ignored" in window.corpus.line.text()
