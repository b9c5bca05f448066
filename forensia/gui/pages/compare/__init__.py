"""The Compare page: any two texts, one writer or two; both side by side, with what speaks for and against between them. Or several."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from forensia.evidence.writers import Grouping
from forensia.gui import widgets, words
from forensia.gui.lane import Questions
from forensia.gui.opencase import OpenCase
from forensia.gui.pages.compare.several import SeveralTexts, keep_button
from forensia.gui.pages.compare.side import ChooseDocument, DocumentEntry, Source, TextSide, entries
from forensia.gui.pages.page import Empty, Page
from forensia.gui.snapshot import Changes, Snapshot
from forensia.gui.tasks import inquiries
from forensia.gui.tasks.inquiries import ExplainedPair, Located
from forensia.gui.widgets import column, fields, panel, row, split, spring
from forensia.gui.widgets.featurepanel import Binding, FeaturePanel
from forensia.gui.widgets.opinioncards import VerdictCard
from forensia.gui.words import tr

_LONGEST = 90  # letters of a line in a menu


class ComparePage(Page):
    """Two texts that were chosen are compared at once; one that was typed waits for the button."""

    shows = Changes.CASE | Changes.MODEL | Changes.DISPUTED
    to_model = Signal()

    @staticmethod
    def called() -> str:
        return tr("Compare")

    def __init__(self, opencase: OpenCase) -> None:
        super().__init__(opencase)
        self._model: object = None
        self.questions = Questions(opencase.quick, self)
        self.untrained = Empty(
            tr("No model yet"),
            tr(
                "Two texts are compared by a model that has learnt from texts whose authors are known. Train one first."
            ),
            (widgets.button(tr("Go to Model"), self.to_model.emit, primary=True),),
        )
        self.left, self.right = TextSide(tr("First text")), TextSide(tr("Second text"))
        self.peeks = {side: Questions(opencase.quick, self) for side in (self.left, self.right)}
        self.several = SeveralTexts(opencase.quick, opencase.drawer)
        self.several.back.connect(lambda: self.setCurrentIndex(1))
        self.several.kept.connect(opencase.keep)
        opencase.watched += [self.questions, *self.peeks.values(), self.several.questions]
        self.verdict = VerdictCard()
        self.panel = FeaturePanel()
        self.button = widgets.button(tr("Compare"), self.compare, primary=True)
        self.more = widgets.button(
            tr("Several texts…"), self._several, tip=tr("Three texts or more: which of them are by one writer?")
        )
        self.keep = keep_button(self._keep)
        self.kept = widgets.button(tr("Kept"), lambda: None, tip=tr("Comparisons that are kept in the case"))
        self.kept.setMenu(QMenu(self.kept))
        self.bar = fields.bar(tr("Comparing"))
        self.bar.setRange(0, 0)
        self.binding = Binding(self.panel, self.left.text, self.right.text)
        self.addWidget(self.untrained)
        self.addWidget(self._build())
        self.addWidget(self.several)
        for side, other in ((self.left, self.right), (self.right, self.left)):
            side.filled.connect(lambda side=side: self._filled(side))
            side.spare.connect(lambda file, other=other: other.take(_file(file)))
            side.several.connect(self._several)
            side.file.connect(lambda side=side: self._ask_file(side))
            side.document.connect(lambda side=side: self._ask_document(side))
        self._wait()

    def _build(self) -> QWidget:
        beside = row(self.keep, self.more, self.kept, spring())
        parts = (self.verdict, self.bar, self.button, beside, (self.panel, 1), spring(0))
        middle = panel(column(*parts, spacing=8))
        sides = split((self.left, 5, 350), (middle, 4, 340), (self.right, 5, 350))
        return panel(column(sides, margins=(18, 14, 18, 12)))

    def refresh(self) -> None:
        """Show the case as it is now: with another case or model, what was found before no longer holds."""
        shown = self.opencase.shown
        if shown is None or shown.model is None:
            self._model = None
            self.setCurrentIndex(0)
            return
        if self.currentIndex() == 0:
            self.setCurrentIndex(1)
        self.several.show_case(shown)
        self._list_kept(shown)
        before, self._model = self._model, (str(shown.path), shown.model.time)
        if before is None or not isinstance(before, tuple):
            return
        if before[0] != self._model[0]:
            for side in (self.left, self.right):
                side.empty()
        elif before != self._model:
            self._wait()

    def _list_kept(self, shown: Snapshot) -> None:
        """The comparisons that the case keeps, the newest first; the newest may be the one that is shown."""
        menu = self.kept.menu()
        if len(shown.comparisons) != len(menu.actions()):
            self.keep.setEnabled(False)
        menu.clear()
        for each in reversed(shown.comparisons):
            names = words.one_line("; ".join(text.file for text in each.found.texts))
            name = names if each.current else tr("{0} (outdated: texts, settings or model have changed)").format(names)
            action = menu.addAction(words.ampersands(words.shortened(name, _LONGEST)))
            action.triggered.connect(lambda _=False, grouping=each.found: self._show_kept(grouping))
        self.kept.setVisible(bool(shown.comparisons))

    def _show_kept(self, grouping: Grouping) -> None:
        self._several()
        self.several.show_kept(grouping)

    def _keep(self) -> None:
        """Have the comparison that is shown kept in the case."""
        self.opencase.keep([side.source.text for side in (self.left, self.right) if side.source is not None])

    def open_pair(self, first: Source, second: Source) -> None:
        """Compare two texts that were chosen elsewhere."""
        self.setCurrentIndex(1)
        with QSignalBlocker(self.left):
            self.left.take(first)
        self.right.take(second)

    def _several(self, files: Sequence[Path] = ()) -> None:
        """Compare more than two, with these files among them."""
        self.several.add(files)
        self.setCurrentIndex(2)
        self.several.list.setFocus()

    # Filling the sides

    def _ask_file(self, side: TextSide) -> None:
        name, _ = QFileDialog.getOpenFileName(self, side.name)
        if name:
            side.take(_file(Path(name)))

    def _ask_document(self, side: TextSide) -> None:
        def chosen(entry: DocumentEntry) -> None:
            side.take(Source(entry.title, {"id": entry.id}))

        ChooseDocument(self, entries(self.opencase.shown), chosen).open()

    def _filled(self, side: TextSide) -> None:
        """Compare when both sides were chosen; a side alone is read, so that it can be seen."""
        self._wait()
        both = (self.left, self.right)
        if all(each.source is not None and not each.typed for each in both):
            self.compare()
        elif side.source is not None and not side.typed:
            self._peek(side)

    def _peek(self, side: TextSide) -> None:
        source, shown = side.source, self.opencase.shown
        if source is None or shown is None:
            return

        def done(text: Located) -> None:
            if side.source is source:
                side.text.show_text(text)
                side.show_text(text, text.author if "id" in source.text else None)

        def failed(sentence: str) -> None:
            if side.source is source:
                side.say(sentence)

        self.peeks[side].put(inquiries.peek, done, failed, case=str(shown.path), text=source.text)

    # Comparing

    def compare(self) -> None:
        """Compare what is on both sides."""
        shown, sources = self.opencase.shown, (self.left.source, self.right.source)
        if shown is None or shown.model is None or sources[0] is None or sources[1] is None:
            return
        for side in (self.left, self.right):
            side.settle()
            self.peeks[side].forget()
        kept = (self.left.source, self.right.source)
        self.verdict.say(tr("Comparing…"), tr("The first time takes a few seconds, while the model is loaded."))
        self.button.hide()
        self.keep.hide()
        self.bar.show()

        def done(answer: ExplainedPair) -> None:
            if (self.left.source, self.right.source) == kept:
                self._show(answer)

        def failed(sentence: str) -> None:
            if (self.left.source, self.right.source) == kept:
                self._wait()
                self.verdict.say(tr("Not compared"), sentence)

        a, b = sources[0].text, sources[1].text
        self.questions.put(inquiries.compare, done, failed, case=str(shown.path), a=a, b=b)

    def _show(self, answer: ExplainedPair) -> None:
        self.bar.hide()
        self.button.hide()
        self.verdict.show_result(answer.result)
        self.binding.show_texts(answer.texts)
        self.panel.show_features(answer.listed)
        first, second = answer.texts
        for side, text, about in ((self.left, first, answer.result.a), (self.right, second, answer.result.b)):
            side.show_text(text, about.known_author)
        self.panel.show()
        self.keep.setEnabled(True)
        self.keep.show()

    def _wait(self) -> None:
        """Nothing is compared: say what is missing."""
        self.questions.forget()
        self.bar.hide()
        self.keep.hide()
        self.panel.hide()
        self.panel.show_features(None)
        there = [side for side in (self.left, self.right) if side.source is not None]
        self.button.show()
        self.button.setEnabled(len(there) == 2)
        self.verdict.say(
            tr("One writer or two?"),
            tr("Press Compare.")
            if len(there) == 2
            else tr("Drop, paste or choose a text on either side: a disputed one, a known one, or any other."),
        )


def _file(path: Path) -> Source:
    return Source(words.one_line(path.name), {"path": str(path)})
