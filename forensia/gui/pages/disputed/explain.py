"""Explain: why a disputed text resembles an author or does not, with the disputed text and the author's nearest one side by side."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from forensia.gui import widgets, words
from forensia.gui.help import HelpButton
from forensia.gui.tasks import inquiries
from forensia.gui.tasks.inquiries import Contrast, ExplainedAuthor
from forensia.gui.widgets import column, fields, panel, row, split
from forensia.gui.widgets.asking import AskingView
from forensia.gui.widgets.featurepanel import Binding, FeaturePanel
from forensia.gui.widgets.texts import HighlightedText
from forensia.gui.words import tr
from forensia.jobs.worker import Worker
from forensia.wording import numbers


class ExplainView(AskingView):
    """Asks only when it is seen; the answer for an author is kept as long as the text is the same."""

    def __init__(self, worker: Worker) -> None:
        super().__init__(worker)
        self._case = self._document = ""
        self._kept: dict[str, ExplainedAuthor] = {}
        self._shown: ExplainedAuthor | None = None
        self.author = fields.choice(tr("Author to compare with"), letters=12, most=320)
        self.against = fields.choice(tr("Whom the author is held against"), letters=12, most=320)
        self.versus = widgets.label(tr("against"), wrap=False)
        self.panel = FeaturePanel(inside=False)
        self.left = HighlightedText(tr("Disputed text with the passages highlighted"))
        self.right = HighlightedText(tr("The author's nearest known document with the passages highlighted"))
        self.left_title, self.right_title = widgets.ElidedLabel(), widgets.ElidedLabel()
        self.binding = Binding(self.panel, self.left, self.right)
        self.said = widgets.label(quiet=True)
        self.again = widgets.button(tr("Try again"), self._look)
        self.again.hide()
        self.answer = self._answer()
        self.answer.hide()
        question = (widgets.label(tr("What speaks for"), wrap=False), (self.author, 2), self.versus, (self.against, 2))
        top = row(*question, HelpButton("explanation"), (self.said, 3), self.again)
        self.setLayout(column(top, (self.answer, 1), widgets.spring(0), spacing=4))
        self.author.currentIndexChanged.connect(lambda *_: self._look())
        self.against.currentIndexChanged.connect(lambda *_: self._show_contrast())
        self.show_text("", "", (), "")

    def _answer(self) -> QWidget:
        left, right = (
            panel(column(title, (text, 1), spacing=3))
            for title, text in ((self.left_title, self.left), (self.right_title, self.right))
        )
        self.panel.reading.setFixedHeight(3 * self.panel.reading.fontMetrics().lineSpacing() + 2)
        texts = split((left, 0, 300), (right, 0, 300), handle=8)
        below = panel(column((texts, 1), self.panel.steps, self.panel.reading, spacing=3))
        return split((self.panel, 2, 500), (below, 3, 520))

    def show_text(self, case: str, document: str, authors: Sequence[str], chosen: str, why_not: str = "") -> None:
        """Explain another text; `authors` in the order of the ranking. `why_not` says why it cannot be explained now."""
        self._forget()
        self._case, self._document = case, "" if why_not else document
        self._kept.clear()
        self.answer.hide()
        fields.refill_with_authors(self.author, authors, chosen)
        self._say(why_not or tr("Choose a disputed text to see what speaks for and against an author."))
        self._look()

    def choose(self, author: str) -> None:
        """Explain the resemblance to another author."""
        fields.choose(self.author, author)

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

        def done(answer: ExplainedAuthor) -> None:
            self._kept[author] = answer
            if self.author.currentData() == author:
                self._show(answer)

        def failed(sentence: str) -> None:
            self._say(sentence, failed=True)

        wanted = {"case": self._case, "document": self._document, "author": author}
        if self._ask(author, inquiries.explain, done, failed, **wanted):
            name = words.shortened(words.one_line(author))
            self._say(tr("Looking for what speaks for and against {0}…").format(name))

    def _show(self, answer: ExplainedAuthor) -> None:
        disputed, nearest = answer.texts
        about = nearest.title
        if answer.score is not None:
            about = tr("{0} · model score {1}").format(about, numbers.score(answer.score))
        self.left_title.setText(tr("Disputed: {0}").format(disputed.title))
        self.right_title.setText(tr("Nearest known: {0}").format(about))
        self._shown = answer
        self.binding.show_texts(answer.texts)
        chosen = min(self.against.currentIndex(), len(answer.contrasts) - 1)
        offered = [self._held_against(each, answer.contrasts) for each in answer.contrasts]
        fields.refill(self.against, enumerate(offered), chosen)
        for part in (self.versus, self.against):
            part.setVisible(bool(answer.contrasts))
        self._show_contrast()
        self.said.clear()
        self.again.hide()
        self.answer.setEnabled(True)
        self.answer.show()

    def _held_against(self, contrast: Contrast, beside: Sequence[Contrast]) -> str:
        if contrast.population:
            return tr("everybody else")
        if contrast.against:
            return tr("{0}, highest of the others").format(words.shortened(words.one_line(contrast.against), 48))
        ranked = any(each.population for each in beside)
        return tr("all other candidates") if ranked else tr("all others")

    def _show_contrast(self) -> None:
        """What speaks for the author and against, held against whoever is chosen; texts and their places stay."""
        shown = self._shown
        if shown is None:
            return
        if shown.pairs is not None:
            self.panel.show_features(shown.pairs)
        elif self.against.currentIndex() >= 0:
            contrast = shown.contrasts[self.against.currentIndex()]
            against = tr("everybody else") if contrast.population else contrast.against
            self.panel.show_features(contrast.listed, contrast.author, against)
