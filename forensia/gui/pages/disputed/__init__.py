"""The Disputed page: for the chosen text what may be said, the candidates, and everything that it rests on."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from forensia import paths
from forensia.case.results import StoredResult
from forensia.corpus.document import Document
from forensia.corpus.walking import place_of
from forensia.errors import InputError
from forensia.evidence.result import Result
from forensia.gui import widgets, words
from forensia.gui.opencase import OpenCase
from forensia.gui.pages.compare.side import Source
from forensia.gui.pages.disputed.answer import Answered, AnswerView
from forensia.gui.pages.page import Empty, Page
from forensia.gui.snapshot import Changes
from forensia.gui.widgets import column, gap, panel, row
from forensia.gui.words import tr


class DisputedPage(Page):
    """Says what is missing until there is a result."""

    shows = Changes.CASE | Changes.MODEL | Changes.DISPUTED
    to_model = Signal()
    to_corpus = Signal()
    add = Signal()
    report = Signal()
    pair = Signal(object, object)  # two texts to open in Compare
    chosen = Signal(str)  # another disputed document

    @staticmethod
    def called() -> str:
        return tr("Disputed")

    def __init__(self, opencase: OpenCase) -> None:
        super().__init__(opencase)
        self._name = ""
        self.untrained = Empty(
            tr("No model yet"),
            tr(
                "A disputed text is compared with texts whose authors are known. Train a model first; then drop it anywhere "
                "on the window."
            ),
            (widgets.button(tr("Go to Model"), self.to_model.emit, primary=True),),
        )  # fmt: skip
        self.sample = widgets.button(tr("Analyse the sample's disputed texts"), self._sample)
        self.empty = Empty(
            tr("Drop a disputed text"),
            tr(
                "One or many, anywhere on the window: plain text, Word, OpenDocument, PDF, mail. Each is analysed at once and "
                "listed on the left."
            ),
            (widgets.button(tr("Choose files…"), self.add.emit, primary=True), self.sample),
        )  # fmt: skip
        self.addWidget(self.untrained)
        self.addWidget(self.empty)
        self.addWidget(self._build())

    def _build(self) -> QWidget:
        self.title = widgets.title()
        self.about = widgets.label(quiet=True, wrap=False)
        self.again = widgets.button(tr("Analyse again"), self._again, primary=True)
        self.more = widgets.button(tr("Add files…"), self.add.emit)
        self.remove = widgets.button(tr("Remove"), self._remove, tip=tr("Take this text and its results out"))
        self.reporting = widgets.button(
            tr("Report…"),
            self.report.emit,
            tip=tr("Fill in, look at and export the report of this case (Ctrl+R)"),
        )
        head = row((self.title, 1), self.about, gap(10), self.again, self.more, self.remove, self.reporting)
        self.answer = AnswerView(self.opencase.quick, self.opencase.drawer)
        self.strip = self.answer.nearness.strip
        self.answer.pair.connect(self._open)
        self.answer.text.connect(self.chosen.emit)
        self.answer.stated.connect(self.opencase.state)
        self.answer.labelled.connect(self._label)
        self.answer.sources.connect(self.to_corpus)
        self.answer.reading.wanted.connect(self._read)
        self.opencase.watched += [self.answer.explain.questions, self.answer.typical.questions]
        return panel(column(head, (self.answer, 1), margins=(18, 10, 18, 12), spacing=8))

    def choose(self, name: str) -> None:
        """Show another disputed document."""
        self._name = name
        self.refresh()

    def refresh(self) -> None:
        """Show the case as it is now."""
        shown = self.opencase.shown
        if shown is None or (shown.model is None and not shown.results):
            self.setCurrentIndex(0)
            return
        if not shown.disputed:
            self.sample.setVisible(shown.is_sample)
            self.setCurrentIndex(1)
            return
        listed = {each.id: each for each in shown.disputed}
        if self._name not in listed:
            self._name = shown.disputed[0].id
        self.setCurrentIndex(2)
        self._show(listed[self._name], shown.results.get(self._name))

    def _show(self, document: Document, result: StoredResult[Result] | None) -> None:
        self.title.setText(document.title)
        facts = (
            words.counted(document.words, tr("word"), tr("words")),
            tr("added {0}").format(document.added.replace("T", " ")[:16]),
            f"SHA-256 {document.sha256_bytes[:8]}…",
        )
        self.about.setText(" · ".join(facts))
        shown = self.opencase.shown
        fresh = bool(shown and shown.model and shown.model.current and not shown.read_only)
        self.again.setVisible(fresh and (result is None or not result.current))
        self.reporting.setEnabled(bool(shown and any(each.current for each in shown.results.values())))
        notes, why_not = [], ""
        if result is not None and not result.current:
            next_step = tr("Analyse it again.") if fresh else tr("Train the model again, then analyse it again.")
            why_not = tr("Out of date: the known texts or the model have changed. {0}").format(next_step)
            notes.append(why_not)
        others = [
            (each.id, each.title, shown.results[each.id].result)
            for each in (shown.disputed if shown else ())
            if shown and each.id in shown.results
        ]
        label = shown.exhibits.get(document.path or document.title, "") if shown else ""
        self.answer.show_answer(
            Answered(
                str(shown.path) if shown else "", document.id, document.title, result.result if result else None, notes,
                others, why_not, fresh, label, bool(shown and not shown.read_only), (result.name, result.current) if result else "none",
            )
        )  # fmt: skip

    def _disputed(self, name: str) -> Document | None:
        shown = self.opencase.shown
        return next((each for each in shown.disputed if each.id == name), None) if shown else None

    def _label(self, name: str, exhibit: str) -> None:
        document = self._disputed(name)
        if document is not None:
            self.opencase.label(document.path or document.title, exhibit)

    def _open(self, document: str, place: int) -> None:
        """Open a disputed text and a known one side by side; a result names known ones by their place."""
        shown = self.opencase.shown
        result = shown.results.get(document) if shown else None
        if shown is None or result is None:
            return
        author, document_name = result.result.known.authors[place], result.result.known.documents[place]
        names = shown.model.names if shown.model and result.current else ()
        name = names[place] if place < len(names) else ""
        known = next((each for each in shown.documents if each.id == name), None) or next(
            (each for each in shown.documents if each.author == author and document_name in (each.path, each.title)),
            None,
        )
        disputed = self._disputed(document)
        if known is None or disputed is None:
            self.opencase.status.emit(tr("This document is no longer in the case."))
        else:
            self.pair.emit(Source(disputed.title, {"id": disputed.id}), Source(known.title, {"id": known.id}))

    def _read(self, name: str) -> None:
        """Read a disputed text for the tab that shows it."""
        self.opencase.look_up(name, lambda read: self.answer.reading.show_document(name, read))

    def _again(self) -> None:
        """Analyse the file anew, where it lies."""
        document = self._disputed(self._name)
        if document is None:
            return
        file = Path(place_of(document.root, document.path))
        if file.is_file():
            self.opencase.analyse([file])
        else:
            text = tr("'{0}' is not where it was. Drop the file again from where it is now.")
            self.opencase.failed.emit(InputError(text.format(document.path)))

    def _remove(self) -> None:
        if self._name:
            self.opencase.remove_disputed(self._name)

    def _sample(self) -> None:
        folder: Path = paths.sample_case() / "disputed"
        self.opencase.analyse(sorted(folder.glob("*.txt")))
