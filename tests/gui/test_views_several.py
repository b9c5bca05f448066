"""Several texts on the Compare page: ticked or dropped, compared when asked, and told as the terminal tells it."""

from __future__ import annotations

import csv
import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from forensia import codec, paths
from forensia.case.results import Basis, StoredComparison
from forensia.case.store import Case
from forensia.corpus import Document
from forensia.errors import Cancelled, InputError
from forensia.evidence.writers import Grouping
from forensia.gui import tasks
from forensia.gui.app import make_application
from forensia.gui.opencase import OpenCase
from forensia.gui.pages.compare import ComparePage
from forensia.gui.pages.compare.several import SeveralTexts
from forensia.gui.snapshot import Changes, Snapshot
from forensia.gui.tasks import inquiries
from forensia.jobs import silent
from forensia.report import spreadsheets
from forensia.wording import writers
from forensia.wording.ratios import forbidden_in
from support import answers
from support import hand as gestures
from support.qt import destroy

WAIT = 120_000


def _disputed(*names: str) -> tuple[Document, ...]:
    return tuple(Document("", name, name, (), path=f"{name}.txt", sha256_text=name) for name in names)


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> Iterator[ComparePage]:
    make_application()
    opencase = OpenCase()
    opencase.quick = answers.Answers(compare_several=answers.grouping())
    made = ComparePage(opencase)
    made.resize(1040, 700)
    made.show()
    shown = Snapshot(tmp_path / "case.forensia", model=answers.model("t1"), disputed=_disputed("<b>one", "two"))
    opencase.shown = shown
    opencase.changed.emit(Changes.DISPUTED)
    yield made
    qtbot.waitUntil(lambda: not made.several.questions.busy, timeout=WAIT)
    opencase.drawer.cancel()
    qtbot.waitUntil(lambda: not opencase.drawer.busy, timeout=WAIT)
    opencase.drawer.worker.close()
    destroy(made, opencase)


@pytest.fixture
def view(page: ComparePage, tmp_path: Path) -> SeveralTexts:
    """Four texts: two of the case and two files."""
    page.more.click()
    page.several.add([tmp_path / "three.txt", tmp_path / "four.txt"])
    return page.several


def test_disputed_texts_are_ticked_and_files_join_them(page: ComparePage, tmp_path: Path) -> None:
    page.more.click()
    view = page.several
    assert page.currentWidget() is view and view.list.count() == 2
    assert view.list.item(0).text() == "<b>one" and "<b>" not in view.list.item(0).toolTip()
    assert not view.button.isEnabled() and "three texts or more" in view.answer.text()
    files = [tmp_path / f"{number}.txt" for number in range(3)]
    for file in files:
        file.write_text("words", encoding="utf-8")
    gestures.drop(view, *files[:2])
    gestures.drop(view, files[1])
    assert view.list.count() == 4 and view.button.text() == "Compare 4 texts", "nothing twice"
    view.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert view.button.text() == "Compare 3 texts" and view.button.isEnabled()
    assert view.ticked[1:] == [{"path": str(files[0])}, {"path": str(files[1])}]
    view.all.click()
    assert view.ticked == [] and view.all.text() == "Tick all"
    view.all.click()
    assert len(view.ticked) == 4
    view.back.emit()
    assert page.currentIndex() == 1
    gestures.drop(page.left, *files)
    assert page.currentWidget() is view and len(view.ticked) == 5, "more than two on one side are several"


def test_the_answer_is_that_of_the_terminal(view: SeveralTexts, qtbot: QtBot, tmp_path: Path) -> None:
    view.button.click()
    qtbot.waitUntil(view.results.isVisible, timeout=WAIT)
    ((name, asked),) = view.questions.worker.asked
    assert name == "compare_several" and asked["texts"] == view.ticked and len(asked["texts"]) == 4
    found = answers.grouping()
    assert view.head.text() == "Are these 4 texts by one writer?"
    assert view.answer.text() == writers.groups(found)
    assert view.groups.text() == "1. <b>one.txt; two.txt\n2. three.txt; four.txt"
    assert view.error.text() == " ".join(writers.error(found)) and "95 % interval 4.0 % to 15 %" in view.error.text()
    qtbot.waitUntil(lambda: view.pane.picture is not None, timeout=WAIT)
    assert "in 2 groups" in view.pane.picture.alt
    view.results.setCurrentIndex(1)
    cells = [[view.table.rows.index(row, column).data() for column in (0, 2, 3, 6, 7)] for row in (0, 2)]
    assert cells == [
        ["<b>one.txt", "+1.20", "+0.70 to +1.70", "the same", "given"],
        ["two.txt", "+0.10", "−0.40 to +0.60", "another", "none"],
    ]
    target = tmp_path / "pairs.csv"
    spreadsheets.write(view.table.table(), target)
    rows = list(csv.reader(target.read_text("utf-8-sig").splitlines()))
    assert rows[0] == ["First text", "Second text", "log10 LR", "Lowest", "Highest", "Group", "Opinion"]
    assert len(rows) == 7 and float(rows[1][2]) == 1.2
    for label in view.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText and not forbidden_in(label.text())
    view.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert not view.results.isVisible() and not view.groups.isVisible(), "that was an answer about other texts"


def test_no_groups_and_no_answer(view: SeveralTexts, qtbot: QtBot) -> None:
    none = answers.grouping(grouped=False)
    view.questions.worker.answers["compare_several"] = none
    view.button.click()
    qtbot.waitUntil(view.results.isVisible, timeout=WAIT)
    assert "not put into groups" in view.answer.text() and "has 60 words" in view.groups.text()
    assert not view.error.isVisible()
    assert {view.table.rows.index(row, 6).data() for row in range(6)} == {"–"}
    view.show_case(replace(Snapshot(Path(view._case)), model=answers.model("t2"), disputed=_disputed("<b>one")))
    assert not view.results.isVisible() and view.list.count() == 3, "another model, and a text was taken out"
    view.questions.worker.answers["compare_several"] = InputError(
        "Two of the texts are the same. Leave one of them out."
    )
    view.button.click()
    qtbot.waitUntil(lambda: "are the same" in view.answer.text(), timeout=WAIT)
    assert view.button.isVisible(), "it can be tried again"
    view.show_case(replace(Snapshot(Path("other.forensia")), model=answers.model("t2"), disputed=_disputed("x", "y")))
    assert [view.list.item(row).text() for row in range(view.list.count())] == ["x", "y"], "another case"


def test_it_can_be_cancelled(view: SeveralTexts, qtbot: QtBot) -> None:
    """The work stops where it is; nothing is shown of it."""
    begun, stopped = threading.Event(), threading.Event()

    def work(task: object, progress: object, news: object, **arguments: object) -> None:
        begun.set()
        try:
            while not stopped.wait(0.01):
                progress(0.5, "trying")  # type: ignore[operator]
        except Cancelled:
            stopped.set()
            raise

    view.questions.worker.do = work
    view.button.click()
    qtbot.waitUntil(lambda: begun.is_set() and view.bar.value() == 500, timeout=WAIT)
    assert view.stop.isVisible() and not view.button.isVisible()
    view.stop.click()
    qtbot.waitUntil(lambda: stopped.is_set() and not view.questions.busy, timeout=WAIT)
    assert view.button.isVisible() and not view.stop.isVisible() and not view.results.isVisible()


def _kept(number: int, *documents: str, current: bool = True) -> StoredComparison[Grouping]:
    return StoredComparison(
        f"{number:06d}", documents, number, "2026-01-01T00:00:00Z", answers.grouping(), current, Basis("", "", {})
    )


def test_a_comparison_is_kept_on_request(page: ComparePage, view: SeveralTexts, qtbot: QtBot, tmp_path: Path) -> None:
    asked: list[object] = []
    view.kept.disconnect(page.opencase.keep)
    view.kept.connect(asked.append)
    assert not view.keep.isVisible() and not page.kept.isVisible()
    view.button.click()
    qtbot.waitUntil(view.results.isVisible, timeout=WAIT)
    view.keep.click()
    assert asked == [view.ticked]
    assert view.ticked[2:] == [{"path": str(tmp_path / name)} for name in ("three.txt", "four.txt")]
    opencase, shown = page.opencase, page.opencase.shown
    assert shown is not None
    disputed = _disputed("<b>one", "two", "three", "four")
    more = replace(shown, disputed=disputed, comparisons=(_kept(1, *(each.id for each in disputed)),))
    opencase.shown = more
    opencase.changed.emit(Changes.DISPUTED)
    assert view.list.count() == 4, "the files are disputed texts now, and each is listed once"
    assert view.ticked == [{"id": each.id} for each in more.disputed]
    assert view.results.isVisible() and not view.keep.isEnabled(), "what was found still stands, and is kept"
    opencase.shown = replace(more, comparisons=(*more.comparisons, _kept(2, "a", "b", current=False)))
    opencase.changed.emit(Changes.DISPUTED)
    page.setCurrentIndex(1)
    old, first = page.kept.menu().actions()
    assert page.kept.isVisible() and "outdated" in old.text() and first.text().startswith("<b>one.txt; two.txt")
    view.all.click()
    assert not view.results.isVisible()
    first.trigger()
    assert page.currentWidget() is view and view.results.isVisible() and not view.keep.isVisible()
    assert view.answer.text() == writers.groups(answers.grouping())


def test_the_child_keeps_a_comparison_in_the_case(validated_case: Path, tmp_path: Path) -> None:
    place = Path(shutil.copy(validated_case, tmp_path))
    sample = paths.sample_case() / "disputed"
    texts = [{"path": str(sample / f"anonymous-{number}.txt")} for number in (1, 2)]
    tasks.keep(silent, print, case=str(place), texts=texts)
    with Case.open(place, read_only=True) as case:
        (made,) = case.results.comparisons()
        assert made.current and len(made.found.pairs) == 1
        there = {each.id: each.sha256_bytes for each in case.documents.disputed()}
        assert [there[name] for name in made.documents] == [each.sha256 for each in made.found.texts]
        assert any(entry.event == "comparison stored" for entry in case.log.entries())
    with pytest.raises(InputError, match="52 texts"):
        tasks.keep(silent, print, case=str(place), texts=texts * 26)


def test_the_child_compares_texts_of_the_case_and_files(validated_case: Path) -> None:
    sample = paths.sample_case() / "disputed"
    texts = [{"path": str(sample / f"anonymous-{number}.txt")} for number in (1, 2)]
    texts.append({"pasted": (sample / "anonymous-3.txt").read_text("utf-8")})
    answer = inquiries.compare_several(silent, print, case=str(validated_case), texts=texts)
    found = codec.typed(Grouping, codec.plain(answer))
    assert found.texts[0].words == 834 and len(found.pairs) == 3
    assert found.error is not None and sum(map(len, found.groups)) == 3
    with pytest.raises(InputError, match="51 texts"):
        inquiries.compare_several(silent, print, case=str(validated_case), texts=texts * 17)
