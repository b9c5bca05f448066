"""The report: what the analyst says in it, which texts it is about, a preview of its pages, and its export as a PDF."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from forensia import settings
from forensia.case.locking import Scratch
from forensia.errors import Cancelled, ForensiaError, StorageError
from forensia.files import safe_name
from forensia.gui import widgets, words
from forensia.gui.lane import sentence
from forensia.gui.opencase import OpenCase
from forensia.gui.pages.report.form import ReportForm
from forensia.gui.pages.report.preview import NoReader, PagesView
from forensia.gui.snapshot import Snapshot
from forensia.gui.widgets import column, fields, row, spring
from forensia.gui.words import tr
from forensia.report.details import DRAFT, FINAL, CaseDetails

_WIDTH, _HEIGHT = 1180, 730


def show(parent: QWidget, opencase: OpenCase) -> ReportDialog | None:
    """Open the dialog for the case that is open; while something is done to the case, say why not."""
    case, shown = opencase.case, opencase.shown
    if case is None or shown is None:
        return None
    if not any(result.current for result in shown.results.values()):
        opencase.status.emit(tr("There is nothing to report yet: analyse a disputed text first."))
        return None
    if opencase.work.busy:
        opencase.status.emit(tr("{0} is still going on: wait for it, or cancel it.").format(opencase.work.name))
        return None
    try:
        kept = CaseDetails.of_case(case)
    except ForensiaError as error:
        opencase.failed.emit(error)
        kept = CaseDetails()
    dialog = ReportDialog(parent, opencase, shown, kept)
    dialog.open()
    dialog.preview()
    return dialog


def ask_file(parent: QWidget, proposal: str) -> Path | None:
    """Where to write the report; the dialog itself adds .pdf and asks before a file is replaced."""
    dialog = QFileDialog(parent, tr("Export PDF"), proposal, "PDF (*.pdf)")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix("pdf")
    dialog.selectFile(proposal)
    chosen = dialog.selectedFiles() if dialog.exec() else []
    dialog.deleteLater()
    return Path(chosen[0]) if chosen else None


class ReportDialog(QDialog):
    """The form on the left, the pages on the right. What is typed is kept in the case when the dialog closes or a report is written."""

    def __init__(self, parent: QWidget, opencase: OpenCase, shown: Snapshot, kept: CaseDetails) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Report"))
        self.opencase = opencase
        self._shown = shown
        self._kept = kept
        self._here = True  # false once the dialog is closed: what comes later is for nobody
        self._scratch: Scratch | None = None
        self._made = 0
        chosen = settings.load()
        start = kept if kept != CaseDetails() else replace(kept, paper=chosen.paper_size)
        self.form = ReportForm(start if start.analyst else replace(start, analyst=chosen.analyst), shown)
        self.status = fields.choice(tr("Status"), {DRAFT: tr("Draft"), FINAL: tr("Final")})
        self.paper = fields.choice(tr("Paper"), {"A4": "A4", "Letter": "Letter"})
        fields.choose(self.status, start.status)
        fields.choose(self.paper, start.paper)
        self._start = self.details()
        self.pages = PagesView()
        self.message = fields.named(widgets.label(), tr("Message"))
        self.place = widgets.label(quiet=True, wrap=False)
        self.renew = widgets.button(tr("&Update preview"), self.preview, tip=tr("Make the pages anew (F5)"))
        self.renew.setShortcut("F5")
        self.bar = fields.bar(tr("Progress"))
        self.bar.setFixedWidth(140)
        self.stop = widgets.button(tr("Cancel"), self._cancel)
        self.stop.setAccessibleName(tr("Cancel what is being done"))
        self.export = widgets.button(tr("&Export PDF…"), self.choose_file, primary=True)
        self.leave = widgets.button(tr("Close"), self.close)
        for each in (self.renew, self.stop, self.export, self.leave):
            each.setAutoDefault(False)  # Enter in a field is no wish to export
        self._arrange()
        self._rest()
        self.form.edited.connect(self._edited)
        self.status.currentIndexChanged.connect(self._edited)
        self.paper.currentIndexChanged.connect(self._edited)
        self.pages.moved.connect(self._tell_place)
        self.pages.failed.connect(self._no_pages)
        for lane in (opencase.work, opencase.previewing):
            lane.moved.connect(self._move)
            lane.ended.connect(self._rest)
        room = parent.window().size()
        self.resize(min(_WIDTH, room.width() - 40), min(_HEIGHT, room.height() - 40))

    def _arrange(self) -> None:
        choices = [widgets.label(tr("Status"), quiet=True, wrap=False), self.status]
        choices += [widgets.label(tr("Paper"), quiet=True, wrap=False), self.paper]
        head = row(*choices, spring(), self.place, self.renew, spacing=10)
        right = column(head, (self.pages, 1), spacing=8)
        self.form.setFixedWidth(470)
        middle = row(self.form, (right, 1), spacing=18)
        foot = row((self.message, 1), self.bar, self.stop, self.leave, self.export, spacing=10)
        self.setLayout(column((middle, 1), foot, margins=(18, 16, 18, 14), spacing=12))
        order = [*self.form.in_order(), self.status, self.paper, self.renew, self.pages]
        order += [self.stop, self.leave, self.export]
        for one, other in pairwise(order):
            self.setTabOrder(one, other)

    # What is asked for

    def details(self) -> CaseDetails:
        """What the form says; raises a sentence when something in it is too long."""
        said = replace(self.form.details(), status=self.status.currentData(), paper=self.paper.currentData())
        return CaseDetails.from_json(said.to_json())

    def _asked(self) -> tuple[CaseDetails, list[str]] | None:
        """The details and the texts of the report, or None with a sentence that says what is missing."""
        try:
            details = self.details()
        except ForensiaError as error:
            self.message.setText(str(error))
            return None
        documents = self.form.documents()
        if not documents:
            self.message.setText(tr("Tick at least one disputed text: a report is about one or several."))
            self.form.texts.setFocus()
            return None
        return details, documents

    # The preview

    def preview(self) -> None:
        """Make the report into the scratch folder and show its pages; the case is only read."""
        asked = self._asked()
        if asked is None:
            return
        details, documents = asked
        self._made += 1
        try:
            self._scratch = self._scratch or Scratch()
        except StorageError as error:
            self.message.setText(str(error))
            return
        target = self._scratch.path / f"preview-{self._made}.pdf"

        def done(pages: int) -> None:
            if self._here:
                self._show(target)

        def failed(error: BaseException) -> None:
            if self._here and not isinstance(error, Cancelled):
                self.message.setText(sentence(error))

        self._busy(tr("Making the preview…"))
        self.opencase.preview_report(target, details, documents, done, failed)

    def _show(self, made: Path) -> None:
        try:
            pdf = made.read_bytes()
        except OSError as error:
            self.message.setText(sentence(error))
            return
        finally:
            with contextlib.suppress(OSError):
                made.unlink(missing_ok=True)
        self.message.clear()
        self.pages.show_pdf(pdf)

    def _no_pages(self, error: BaseException) -> None:
        if isinstance(error, NoReader):
            self.message.setText(
                tr("The pages cannot be shown here because the library 'pypdfium2' is not installed. Export works without it.")
            )  # fmt: skip
        elif self._here and not isinstance(error, Cancelled):  # whatever the library makes of it: it is only a preview
            self.message.setText(sentence(error))

    # The export

    def choose_file(self) -> None:
        """Ask where, then write the report in the background."""
        asked = self._asked()
        if asked is None:
            return
        details, documents = asked
        if details.missing:
            self.message.setText(tr("A final report needs a case number and the name of the analyst."))
            self.form.lines[details.missing].setFocus()
            return
        if self.opencase.work.busy:
            self.message.setText(
                tr("{0} is still going on: wait for it, or cancel it.").format(self.opencase.work.name)
            )
            return
        target = ask_file(self, self.proposal(details))
        if target is None:
            return

        def done() -> None:
            if self._here:
                self._kept = details
                self.message.setText(tr("Saved as {0}.").format(words.shortened(words.one_line(target.name))))

        self.opencase.previewing.cancel()
        self.opencase.export_report(target, details, documents, done)
        self._busy(tr("Writing the report…"))

    def proposal(self, details: CaseDetails) -> str:
        """A safe name beside the case, from the case number or the case's own name; a draft says that it is one."""
        parts = (tr("Report"), details.case_number or self._shown.name, tr("draft") if details.status == DRAFT else "")
        name = safe_name(" ".join(part for part in parts if part)) + ".pdf"
        return name if self._shown.untitled else str(self._shown.path.parent / name)

    # What is seen of it

    def _edited(self, *_: object) -> None:
        if not self.opencase.previewing.busy and self.pages.pages:
            self.message.setText(tr("The preview shows the report before your last changes."))

    def _tell_place(self, page: int, pages: int) -> None:
        self.place.setText(tr("Page {0} of {1}").format(page, pages) if pages else "")

    def _busy(self, text: str) -> None:
        self.message.setText(text)
        self.bar.setValue(0)
        self._move(0.0, "", -1.0)

    def _move(self, fraction: float, message: str, left: float) -> None:
        self.bar.setValue(round(fraction * 1000))
        self.bar.show()
        self.stop.show()
        self.export.setEnabled(not self.opencase.work.busy)

    def _rest(self, *_: object) -> None:
        if self.opencase.work.busy or self.opencase.previewing.busy:
            return
        self.bar.hide()
        self.stop.hide()
        self.export.setEnabled(True)
        if self.message.text() in (tr("Making the preview…"), tr("Writing the report…")):
            self.message.setText(tr("Stopped; nothing was written."))

    def _cancel(self) -> None:
        self.opencase.previewing.cancel()
        self.opencase.work.cancel()

    def done(self, result: int) -> None:
        """However the dialog is left: keep what was typed, let go of the preview. A report that is being written is finished."""
        if self._here:
            self._here = False
            self.opencase.previewing.cancel()
            with contextlib.suppress(ForensiaError):  # too long to be kept; the message has said so
                said = self.details()
                if said not in (self._kept, self._start) and not self.opencase.work.busy:
                    self.opencase.keep_details(said)
            self.pages.clear()
            if self._scratch is not None:
                self._scratch.close()
        super().done(result)
