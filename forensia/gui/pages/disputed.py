"""The Disputed page: for the chosen text what may be said, both rankings, and its model score with every known document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from forensia import paths
from forensia.case.documents import StoredDocument
from forensia.case.results import StoredResult
from forensia.corpus.walking import place_of
from forensia.errors import InputError
from forensia.gui import help, widgets, words
from forensia.gui.desk import Desk
from forensia.gui.drawing import Plot
from forensia.gui.pages.empty import Empty
from forensia.gui.pages.page import Page
from forensia.gui.pages.rankings import RankingsTable
from forensia.gui.plotpane import PlotPane


class DisputedPage(Page):
    """Says what is missing until there is a result."""

    to_model = Signal()
    add = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._name = ""
        self._pairs: Sequence[Mapping[str, Any]] = ()
        self.untrained = Empty(
            self.tr("No model yet"),
            self.tr(
                "A disputed text is compared with texts whose authors are known. Train a model first; then drop it anywhere "
                "on the window."
            ),
            (widgets.button(self.tr("Go to Model"), self.to_model.emit, primary=True),),
        )  # fmt: skip
        self.sample = widgets.button(self.tr("Analyse the sample's disputed texts"), self._sample)
        self.empty = Empty(
            self.tr("Drop a disputed text"),
            self.tr(
                "One or many, anywhere on the window: plain text, Word, OpenDocument, PDF, mail. Each is analysed at once and "
                "listed on the left."
            ),
            (widgets.button(self.tr("Choose files…"), self.add.emit, primary=True), self.sample),
        )  # fmt: skip
        self.addWidget(self.untrained)
        self.addWidget(self.empty)
        self.addWidget(self._build())

    def _build(self) -> QWidget:
        self.title = widgets.title()
        self.about = widgets.label(quiet=True, wrap=False)
        self.again = widgets.button(self.tr("Analyse again"), self._again, primary=True)
        self.more = widgets.button(self.tr("Add files…"), self.add.emit)
        self.remove = widgets.button(self.tr("Remove"), self._remove, tip=self.tr("Take this text and its results out"))
        head = QHBoxLayout()
        head.addWidget(self.title, stretch=1)
        head.addWidget(self.about)
        head.addSpacing(10)
        head.addWidget(self.again)
        head.addWidget(self.more)
        head.addWidget(self.remove)
        self.opinion = widgets.label(scale=1.25, bold=True)
        self.reasons = widgets.label()
        self.warnings = widgets.label()
        self.warnings.setProperty("warning", True)
        card = widgets.card(self.opinion, self.reasons, self.warnings)
        card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.table = RankingsTable()
        self.agree = widgets.label(quiet=True, scale=0.92)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(help.heading(self.tr("Ranking of the candidate authors"), "ranking", "lazy"))
        column.addWidget(self.table, stretch=1)
        column.addWidget(self.agree)
        self.strip = PlotPane(self.tr("Model score with every known document"), self.desk.drawer, self._named)
        self.strip_help = widgets.label(
            self.tr("Each dot is one known document; filled are those that count for the author's score. Point at a dot to see which."),
            quiet=True,
            scale=0.92,
        )  # fmt: skip
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(help.heading(self.tr("Compared with every known document"), "pr_same", "k"))
        column.addWidget(widgets.card(self.strip, margin=8), stretch=1)
        column.addWidget(self.strip_help)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(12)
        split.setChildrenCollapsible(False)
        split.addWidget(left)
        split.addWidget(right)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        split.setSizes([430, 600])
        page = QWidget()
        whole = QVBoxLayout(page)
        whole.setContentsMargins(18, 14, 18, 12)
        whole.setSpacing(10)
        whole.addLayout(head)
        whole.addWidget(card)
        whole.addWidget(split, stretch=1)
        return page

    def choose(self, name: str) -> None:
        """Show another disputed document."""
        self._name = name
        self.refresh()

    def refresh(self) -> None:
        """Show the case as it is now."""
        shown = self.desk.shown
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
        self._show(listed[self._name], shown.results.get(self._name), shown.model.k if shown.model else 1)

    def _show(self, document: StoredDocument, result: StoredResult | None, k: int) -> None:
        self.title.setText(document.title)
        self.about.setText(
            " · ".join(
                (
                    words.counted(document.words, self.tr("word"), self.tr("words")),
                    self.tr("added {0}").format(document.added.replace("T", " ")[:16]),
                    f"SHA-256 {document.sha256_bytes[:8]}…",
                )
            )
        )
        shown = self.desk.shown
        fresh = bool(shown and shown.model and shown.model.current and not shown.read_only)
        self.again.setVisible(fresh and (result is None or not result.current))
        if result is None:
            self.opinion.setText(self.tr("Not analysed yet"))
            self.reasons.setText(self.tr("Press Analyse again, or drop the file again."))
            self.warnings.hide()
            self.table.rankings.set_result(None)
            self.agree.clear()
            self.strip.show_plot(None)
            return
        found = result.result
        self.opinion.setText(found["opinion"]["statement"])
        self.reasons.setText("\n".join(found["opinion"]["reasons"]))
        warnings = list(found["warnings"])
        if not result.current:
            next_step = (
                self.tr("Analyse it again.") if fresh else self.tr("Train the model again, then analyse it again.")
            )
            warnings.insert(0, self.tr("Out of date: the known texts or the model have changed. {0}").format(next_step))
        self.warnings.setText("\n".join(f"⚠ {warning}" for warning in warnings))
        self.warnings.setVisible(bool(warnings))
        self.table.rankings.set_result(found)
        first, second = found["lazy"][0]["author"], found["stacked"][0]["author"]
        same = first == second
        self.agree.setText(
            self.tr("Both methods put the same author first. A rank alone says little: somebody is always first.")
            if same
            else self.tr("The two methods disagree about the first place. Be careful with this text.")
        )
        self._pairs = found["pairs"]
        data = {
            "scores": [pair["score"] for pair in self._pairs],
            "authors": [pair["author"] for pair in self._pairs],
            "order": [row["author"] for row in found["lazy"]],
            "k": k,
        }
        self.strip.show_plot(Plot("pr_same", data))

    def _named(self, index: int) -> str:
        """The known document that a dot stands for."""
        pair = self._pairs[index]
        return f"{pair['author']}\n{pair['document']}\nPr(Same) {pair['score']:.2f}"

    def _again(self) -> None:
        """Analyse the file anew, where it lies."""
        shown = self.desk.shown
        document = next((each for each in shown.disputed if each.id == self._name), None) if shown else None
        if document is None:
            return
        file = Path(place_of(document.root, document.path))
        if file.is_file():
            self.desk.analyse([file])
        else:
            what = "'{0}' is not where it was. Drop the file again from where it is now."
            self.desk.failed.emit(InputError(self.tr(what).format(document.path)))

    def _remove(self) -> None:
        if self._name:
            self.desk.remove_disputed(self._name)

    def _sample(self) -> None:
        folder: Path = paths.sample_case() / "disputed"
        self.desk.analyse(sorted(folder.glob("*.txt")))
