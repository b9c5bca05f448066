"""The report from the window: the form, what is kept of it in the case, the preview of the pages, the export."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from fpdf import FPDF
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from forensia.case.store import Case
from forensia.corpus import ReadOptions, read_corpus, read_disputed
from forensia.gui import dialogs, snapshot, tasks
from forensia.gui.pages import report
from forensia.gui.pages.report import ReportDialog
from forensia.gui.window import MainWindow
from forensia.jobs.worker import Worker
from forensia.report.details import FINAL, CaseDetails, Exhibit
from support import results

HOSTILE = "<b>a & $x$.txt"
CHILD = """
import json, shutil, time
from forensia import codec
from forensia.gui.tasks import *
from forensia.report.details import CaseDetails

def report(progress, news, *, case, target, details: CaseDetails, documents, read_only):
    said = details
    if said.title == "break":
        from forensia.errors import InputError
        raise InputError("The report cannot be made.")
    while said.title == "wait":
        progress(0.1, "Waiting")
        time.sleep(0.02)
    shutil.copy(PDF, target)
    with open(target + ".json", "w") as told:
        json.dump([read_only, documents, codec.plain(details)], told)
    if not read_only:
        with Case.open(case, lent=True) as lent:
            said.keep(lent)
    return 30
"""


@pytest.fixture(scope="module")
def child(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """One child process for all tests here, in which making a report is copying thirty simple pages."""
    folder = tmp_path_factory.mktemp("child")
    pdf = FPDF()
    pdf.set_fill_color(255, 0, 0)
    for _ in range(30):
        pdf.add_page()
        pdf.rect(0, 0, 100, 100, style="F")
    pdf.output(str(folder / "pages.pdf"))
    (folder / "reporting_stand_in.py").write_text(f"PDF = {str(folder / 'pages.pdf')!r}\n{CHILD}", "utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(folder))
        stand_in = import_module("reporting_stand_in")
        patched.setattr(tasks, "report", stand_in.report)
        made = Worker([stand_in.report])
        yield made
        made.close()


@pytest.fixture
def dialog(
    window: MainWindow, child: Worker, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ReportDialog]:
    """The dialog of a case with two texts that were analysed and one that was not."""
    own = window.opencase.engine, window.opencase.quick
    window.opencase.engine = window.opencase.quick = child
    place = tmp_path / "harbour.forensia"
    for name in ("A/1.txt", "A/2.txt", "B/1.txt", "B/2.txt"):
        file = tmp_path / "known" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"Some words of {name}.", "utf-8")
    with Case.create(place) as case:
        case.documents.store(read_corpus(tmp_path / "known", ReadOptions()))
        for name in (HOSTILE, "two.txt", "three.txt"):
            text = read_disputed(f"Disputed words in {name}.".encode(), name=name)
            case.documents.add_disputed(text)
            if name != "three.txt":
                case.results.store(text.id, results.result(name))
        CaseDetails(client="Harwick", exhibits=(Exhibit("K/1", "A/1.txt"),)).keep(case)
    case = Case.open(place)
    window.opencase._put((case, snapshot.take(case)))
    window.menus.report.trigger()
    (made,) = window.findChildren(ReportDialog)
    qtbot.waitUntil(lambda: not window.opencase.previewing.busy and made.pages.pages == 30, timeout=60_000)
    yield made
    qtbot.waitUntil(lambda: window.opencase.quiet, timeout=60_000)
    window.opencase.engine, window.opencase.quick = own


def kept(dialog: ReportDialog) -> CaseDetails:
    assert dialog.opencase.case is not None
    return CaseDetails.of_case(dialog.opencase.case)


def test_preview_draws_only_what_is_seen(dialog: ReportDialog, qtbot: QtBot) -> None:
    pages = dialog.pages
    assert (pages.pages, dialog.place.text()) == (30, "Page 1 of 30")
    qtbot.waitUntil(lambda: 0 in pages.sheets.pictures, timeout=60_000)
    assert len(pages.sheets.pictures) <= 3
    assert pages.sheets.pictures[0].pixelColor(5, 5).red() > 200, "red as it is in the PDF, not blue"
    assert pages.sheets.pictures[0].pixelColor(5, 5).blue() < 60
    for step in range(1, 11):
        pages.verticalScrollBar().setValue(pages.verticalScrollBar().maximum() * step // 10)
        qtbot.waitUntil(lambda: pages.page - 1 in pages.sheets.pictures, timeout=60_000)
    assert dialog.place.text() == "Page 30 of 30"
    assert len(pages.sheets.pictures) <= 8
    assert kept(dialog).case_number == "", "a preview changes nothing in the case"


def test_form_is_kept_in_the_case_on_closing(dialog: ReportDialog, window: MainWindow, qtbot: QtBot) -> None:
    form = dialog.form
    assert form.lines["client"].text() == "Harwick"
    qtbot.keyClicks(form.lines["case_number"], "2026/114")
    assert "before your last changes" in dialog.message.text()
    form.areas["facts"].setPlainText("One.\n\n Two. \n")
    label = form.texts.item(0, 1)
    assert label is not None
    label.setText("JH/1")
    dialog.paper.setCurrentText("Letter")
    dialog.close()
    found = kept(dialog)
    assert (found.case_number, found.client, found.paper) == ("2026/114", "Harwick", "Letter")
    assert found.facts == ("One.", "Two.")
    assert found.exhibits == (Exhibit("K/1", "A/1.txt"), Exhibit("JH/1", HOSTILE))
    assert window.menus.undo.isEnabled()


def test_export_writes_what_is_ticked(
    dialog: ReportDialog, window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def answer(parent: object, proposal: str) -> Path:
        asked.append(proposal)
        return tmp_path / "out.pdf"

    monkeypatch.setattr(report, "ask_file", answer)
    dialog.status.setCurrentIndex(dialog.status.findData(FINAL))
    qtbot.mouseClick(dialog.export, Qt.MouseButton.LeftButton)
    assert "needs a case number" in dialog.message.text() and not asked
    dialog.form.lines["case_number"].setText("a/b: 1")
    dialog.form.lines["analyst"].setText("Dr A.")
    first, second, third = (dialog.form.texts.item(row, 0) for row in range(3))
    assert first and second and third
    assert first.text() == HOSTILE.removesuffix(".txt")
    assert third.text() == "three (not analysed)" and not third.flags() & Qt.ItemFlag.ItemIsEnabled
    first.setCheckState(Qt.CheckState.Unchecked)
    second.setCheckState(Qt.CheckState.Unchecked)
    qtbot.mouseClick(dialog.export, Qt.MouseButton.LeftButton)
    assert "Tick at least one" in dialog.message.text() and not asked
    second.setCheckState(Qt.CheckState.Checked)
    qtbot.mouseClick(dialog.export, Qt.MouseButton.LeftButton)
    assert not dialog.export.isEnabled() and dialog.stop.isVisible()
    qtbot.waitUntil(lambda: not window.opencase.work.busy, timeout=60_000)
    assert asked == [str(tmp_path / "Report a b 1.pdf")]
    assert dialog.message.text() == "Saved as out.pdf."
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF")
    read_only, documents, details = json.loads((tmp_path / "out.pdf.json").read_text())
    assert (read_only, documents) == (False, [second.data(Qt.ItemDataRole.UserRole)[0]])
    assert details == kept(dialog).to_json() and details["status"] == FINAL


def test_cancel_and_failure_are_told_and_nothing_is_left(
    dialog: ReportDialog, window: MainWindow, qtbot: QtBot
) -> None:
    scratch = dialog._scratch
    assert scratch is not None and scratch.path.is_dir()
    dialog.form.lines["title"].setText("break")
    dialog.renew.click()
    qtbot.waitUntil(lambda: not window.opencase.previewing.busy, timeout=60_000)
    assert dialog.message.text() == "The report cannot be made."
    dialog.form.lines["title"].setText("wait")
    dialog.renew.click()
    qtbot.waitUntil(lambda: dialog.bar.value() > 50, timeout=60_000)
    qtbot.mouseClick(dialog.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.opencase.previewing.busy, timeout=60_000)
    assert dialog.message.text() == "Stopped; nothing was written." and not dialog.stop.isVisible()
    dialog.renew.click()
    dialog.close()
    qtbot.waitUntil(lambda: window.opencase.quiet, timeout=60_000)
    assert not scratch.path.exists()
    assert not window.findChildren(dialogs.Notice)


def test_without_the_library_the_preview_says_so(
    dialog: ReportDialog, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    dialog.renew.click()
    qtbot.waitUntil(lambda: "pypdfium2" in dialog.message.text(), timeout=60_000)
    qtbot.waitUntil(lambda: not dialog.opencase.previewing.busy, timeout=60_000)
    assert "pypdfium2" in dialog.message.text() and "Export works" in dialog.message.text()
    assert dialog.export.isEnabled()


def test_every_field_has_a_name_and_labels_are_plain(dialog: ReportDialog) -> None:
    kinds = (QLineEdit, QPlainTextEdit, QComboBox, QAbstractButton)
    fields = [
        each for kind in kinds for each in dialog.findChildren(kind) if each.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    fields = [each for each in fields if not each.objectName().startswith("qt_")]
    assert len(fields) > 15
    assert not [each for each in (*fields, dialog.pages, dialog.form.texts) if not each.accessibleName()]
    assert not [
        each.text()
        for each in dialog.findChildren(QLabel)
        if each.text() and each.textFormat() != Qt.TextFormat.PlainText
    ]


def test_nothing_to_report(window: MainWindow) -> None:
    assert not window.menus.report.isEnabled()
    assert report.show(window, window.opencase) is None
