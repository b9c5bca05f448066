"""The Model page: what to train with, on the left; how it goes and what came of it, on the right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from forensia.gui import widgets, words
from forensia.gui.desk import Desk
from forensia.gui.help import HelpButton
from forensia.gui.pages.empty import Empty
from forensia.gui.pages.model.stages import Stages
from forensia.gui.pages.model.training import TrainingPanel
from forensia.gui.pages.model.trust import TrustView
from forensia.gui.pages.page import Page
from forensia.gui.snapshot import Changes, ModelState
from forensia.gui.words import tr


class ModelPage(Page):
    """Empty until there are known texts."""

    shows = Changes.CASE | Changes.CORPUS | Changes.MODEL
    to_corpus = Signal()
    to_disputed = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._training = False
        self.empty = Empty(
            tr("No known texts yet"),
            tr("A model learns from texts whose authors are known. Load some first; training comes after."),
            (
                widgets.button(tr("Go to Corpus"), self.to_corpus.emit, primary=True),
                widgets.button(tr("Try the sample case"), desk.sample),
            ),
        )
        self.addWidget(self.empty)
        self.settings = TrainingPanel(desk)
        self.settings.train.connect(self.train)
        self.stages = Stages()
        self.stages.stopped.connect(desk.work.cancel)
        self.outcome = QStackedWidget()
        self.outcome.addWidget(
            Empty(
                tr("No model yet"),
                tr(
                    "Press Train. The window stays usable meanwhile, and you can stop at any time; nothing is half done."
                ),
                width=460,
            )
        )
        self.outcome.addWidget(self.stages)
        self.outcome.addWidget(self._trained())
        page = QWidget()
        row = QHBoxLayout(page)
        row.setContentsMargins(18, 14, 18, 12)
        row.setSpacing(16)
        row.addWidget(self.settings, stretch=2)
        row.addWidget(self.outcome, stretch=3)
        self.addWidget(page)
        desk.work.started.connect(self._started)
        desk.work.moved.connect(self._moved)
        desk.work.ended.connect(lambda *_: self._ended())

    def _trained(self) -> QWidget:
        self.stale = widgets.label()
        self.stale.setProperty("warning", True)
        self.trust = TrustView(self.desk.quick, self.desk.drawer)
        self.trust.validate.connect(self.desk.validate)
        self.desk.watched.append(self.trust.questions)
        self.numbers = widgets.Facts()
        details = QWidget()
        inside = QVBoxLayout(details)
        inside.setContentsMargins(0, 12, 0, 0)
        inside.addWidget(self.numbers)
        inside.addWidget(self.trust.weights, stretch=1)
        inside.addStretch(0)
        self.trust.tabs.addTab(details, tr("Details"))
        self.onward = widgets.button(tr("Go to disputed texts ▸"), self.to_disputed.emit, primary=True)
        head = QHBoxLayout()
        head.addWidget(widgets.label(tr("How far can you trust this model?"), scale=1.35, bold=True, wrap=False))
        head.addWidget(HelpButton("validation"))
        head.addWidget(HelpButton("cllr"))
        head.addStretch(1)
        head.addWidget(self.onward)
        frame = widgets.card(margin=16)
        column = frame.layout()
        assert isinstance(column, QVBoxLayout)
        column.addLayout(head)
        column.addWidget(self.stale)
        column.addWidget(self.trust, stretch=1)
        return frame

    # Showing

    def refresh(self) -> None:
        """Show the case as it is now."""
        shown = self.desk.shown
        if shown is None or not shown.documents:
            self.setCurrentIndex(0)
            return
        self.setCurrentIndex(1)
        self.settings.tell()
        if self._training and not self.desk.adding:
            return
        if shown.model is None:
            self.outcome.setCurrentIndex(0)
        else:
            self._show_model(shown.model)
            self.outcome.setCurrentIndex(2)

    def _show_model(self, model: ModelState) -> None:
        record = model.record
        self.stale.setVisible(not model.current)
        self.stale.setText(
            tr("⚠ The known texts have changed since this model was trained. Train again before you rely on it.")
        )
        rows = [
            (tr("Trained"), model.time.replace("T", " ")[:16]),
            (tr("Profile"), words.profiles().get(record.profile, (record.profile, ""))[0]),
            (tr("Seed"), str(record.seed)),
        ]
        if record.used is not None:
            used = tr("{0} of {1}, at most {2} of each author")
            counts = (record.used.documents, record.used.known, record.used.at_most)
            rows.append((tr("Known texts used"), used.format(*(f"{count:,}" for count in counts))))
        pairs = record.pairs
        if pairs is not None:
            rows += [
                (tr("Features"), f"{pairs.features:,}"),
                (tr("Pairs of texts"), f"{pairs.pairs:,}"),
                (tr("Strength C of the fit"), f"{pairs.c:g}"),
                (tr("Documents of an author that count for Lazy, k"), str(pairs.k)),
            ]
        if pairs is not None and not pairs.converged:
            rows.append((tr("Warning"), tr("The fit did not converge; its numbers are not final.")))
        self.numbers.show_rows(rows)
        why_not = ""
        if record.profile == "paper":
            why_not = tr(
                "A model as published has no validation: its protocol judges texts with a model that has seen them. Train with the "
                "forensic profile for likelihood ratios and opinions."
            )
        path = str(self.desk.shown.path) if self.desk.shown else ""
        self.trust.show_model(path, model, why_not)
        if self.desk.adding:
            self.trust.missing.hide()  # it is being trained

    # Training

    def train(self, options: Mapping[str, Any]) -> None:
        """Train with these options; what the panel's button and the menu do."""
        self._training = True
        self.stages.begin(str(options["profile"]))
        self.desk.train(options)
        if not self.desk.work.busy:
            self._training = False

    def _started(self, _: str) -> None:
        self.settings.button.setEnabled(False)
        if self._training:
            self.outcome.setCurrentIndex(1)

    def _moved(self, fraction: float, message: str, left: float) -> None:
        if self._training and not self.desk.adding:
            self.stages.move_on(fraction, message, left)

    def _ended(self) -> None:
        self._training = False
        self._changed(self.shows)
