"""Explain: why a disputed text resembles an author or does not, with the disputed text and the author's nearest one side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from forensia.gui import numbers, widgets, words
from forensia.gui.help import HelpButton
from forensia.gui.lane import Questions
from forensia.gui.tasks import inquiries
from forensia.gui.tasks.found import Contrast, ExplainedAuthor
from forensia.gui.widgets.binding import Binding
from forensia.gui.widgets.featurepanel import FeaturePanel
from forensia.gui.widgets.highlight import HighlightedText
from forensia.jobs.worker import Worker


class ExplainView(QWidget):
    """Asks only when it is seen; the answer for an author is kept as long as the text is the same."""

    def __init__(self, worker: Worker) -> None:
        super().__init__()
        self.questions = Questions(worker, self)
        self._case = self._document = ""
        self._kept: dict[str, ExplainedAuthor] = {}
        self._asked = ""
        self._shown: ExplainedAuthor | None = None
        self.author = QComboBox()
        self.author.setAccessibleName(self.tr("Author to compare with"))
        self.author.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.author.setMinimumContentsLength(12)
        self.author.setMaximumWidth(320)
        self.against = QComboBox()
        self.against.setAccessibleName(self.tr("Whom the author is held against"))
        self.against.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.against.setMinimumContentsLength(12)
        self.against.setMaximumWidth(320)
        self.versus = widgets.label(self.tr("against"), wrap=False)
        self.panel = FeaturePanel(inside=False)
        self.left = HighlightedText(self.tr("Disputed text with the passages highlighted"))
        self.right = HighlightedText(self.tr("The author's nearest known document with the passages highlighted"))
        self.left_title, self.right_title = widgets.ElidedLabel(), widgets.ElidedLabel()
        self.binding = Binding(self.panel, self.left, self.right)
        self.said = widgets.label(quiet=True)
        self.again = widgets.button(self.tr("Try again"), self._look)
        self.again.hide()
        self.answer = self._answer()
        self.answer.hide()
        top = QHBoxLayout()
        top.addWidget(widgets.label(self.tr("What speaks for"), wrap=False))
        top.addWidget(self.author, stretch=2)
        top.addWidget(self.versus)
        top.addWidget(self.against, stretch=2)
        top.addWidget(HelpButton("explanation"))
        top.addWidget(self.said, stretch=3)
        top.addWidget(self.again)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(4)
        whole.addLayout(top)
        whole.addWidget(self.answer, stretch=1)
        whole.addStretch(0)
        self.author.currentIndexChanged.connect(lambda *_: self._look())
        self.against.currentIndexChanged.connect(lambda *_: self._show_contrast())
        self.show_text("", "", (), "")

    def _answer(self) -> QWidget:
        texts = QSplitter(Qt.Orientation.Horizontal)
        texts.setHandleWidth(8)
        texts.setChildrenCollapsible(False)
        for title, text in ((self.left_title, self.left), (self.right_title, self.right)):
            side = QWidget()
            beside = QVBoxLayout(side)
            beside.setContentsMargins(0, 0, 0, 0)
            beside.setSpacing(3)
            beside.addWidget(title)
            beside.addWidget(text, stretch=1)
            texts.addWidget(side)
        texts.setSizes([300, 300])
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addWidget(texts, stretch=1)
        column.addWidget(self.panel.steps)
        self.panel.reading.setFixedHeight(3 * self.panel.reading.fontMetrics().lineSpacing() + 2)
        column.addWidget(self.panel.reading)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(10)
        split.setChildrenCollapsible(False)
        split.addWidget(self.panel)
        split.addWidget(right)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        split.setSizes([500, 520])
        return split

    def show_text(self, case: str, document: str, authors: Sequence[str], chosen: str, why_not: str = "") -> None:
        """Explain another text; `authors` in the order of the ranking. `why_not` says why it cannot be explained now."""
        self.questions.forget()
        self._case, self._document, self._asked = case, document, ""
        self._kept.clear()
        self.answer.hide()
        self.author.blockSignals(True)
        self.author.clear()
        for author in authors:
            self.author.addItem(words.shortened(words.one_line(author), 48), author)
        self.author.setCurrentIndex(max(0, self.author.findData(chosen)))
        self.author.blockSignals(False)
        self._say(why_not or self.tr("Choose a disputed text to see what speaks for and against an author."))
        if document and authors and not why_not:
            self._look()

    def choose(self, author: str) -> None:
        """Explain the resemblance to another author."""
        place = self.author.findData(author)
        if place >= 0:
            self.author.setCurrentIndex(place)

    def _say(self, text: str, *, failed: bool = False) -> None:
        """Say something in the place of an answer; one that is there for another author is greyed."""
        self.said.setText(text)
        self.again.setVisible(failed)
        self.answer.setEnabled(False)

    def _look(self) -> None:
        author = self.author.currentData()
        if not author or not self._document:
            return
        if author in self._kept:
            self._show(self._kept[author])
            return
        if not self.isVisible() or self._asked == author:
            return
        self._asked = author
        document = self._document
        self._say(
            self.tr("Looking for what speaks for and against {0}…").format(words.shortened(words.one_line(author)))
        )

        def done(answer: ExplainedAuthor) -> None:
            if document == self._document and answer.author == author:
                self._asked = ""
                self._kept[author] = answer
                if self.author.currentData() == author:
                    self._show(answer)

        def failed(sentence: str) -> None:
            self._asked = ""
            self._say(sentence, failed=True)

        self.questions.put(inquiries.explain, done, failed, case=self._case, document=document, author=author)

    def _show(self, answer: ExplainedAuthor) -> None:
        disputed, nearest = answer.texts
        about = nearest.title
        if answer.score is not None:
            about = self.tr("{0} · model score {1}").format(about, numbers.score(answer.score))
        self.left_title.setText(self.tr("Disputed: {0}").format(disputed.title))
        self.right_title.setText(self.tr("Nearest known: {0}").format(about))
        self._shown = answer
        self.binding.show_texts(answer.texts)
        before = self.against.currentIndex()
        self.against.blockSignals(True)
        self.against.clear()
        for each in answer.contrasts:
            self.against.addItem(self._held_against(each, answer.contrasts))
        self.against.setCurrentIndex(max(0, min(before, len(answer.contrasts) - 1)))
        self.against.blockSignals(False)
        for part in (self.versus, self.against):
            part.setVisible(bool(answer.contrasts))
        self._show_contrast()
        self.said.clear()
        self.again.hide()
        self.answer.setEnabled(True)
        self.answer.show()

    def _held_against(self, contrast: Contrast, beside: Sequence[Contrast]) -> str:
        if contrast.population:
            return self.tr("everybody else")
        if contrast.against:
            return self.tr("{0}, highest of the others").format(words.shortened(words.one_line(contrast.against), 48))
        ranked = any(each.population for each in beside)
        return self.tr("all other candidates") if ranked else self.tr("all others")

    def _show_contrast(self) -> None:
        """What speaks for the author and against, held against whoever is chosen; texts and their places stay."""
        shown = self._shown
        if shown is None:
            return
        if shown.pairs is not None:
            self.panel.show_found(shown.pairs)
        elif self.against.currentIndex() >= 0:
            contrast = shown.contrasts[self.against.currentIndex()]
            against = self.tr("everybody else") if contrast.population else contrast.against
            self.panel.show_found(contrast.found, contrast.author, against)

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self._look()
