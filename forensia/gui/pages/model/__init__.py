"""The Model page: what to train with, on the left; how it goes and what came of it, on the right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QStackedWidget, QWidget

from forensia.gui import widgets, words
from forensia.gui.help import HelpButton
from forensia.gui.opencase import OpenCase
from forensia.gui.pages.model.training import TrainingPanel
from forensia.gui.pages.model.trust import TrustView
from forensia.gui.pages.page import Empty, Page
from forensia.gui.snapshot import Changes, ModelState
from forensia.gui.widgets import column, fields, gap, panel, row, spring
from forensia.gui.words import tr


class ModelPage(Page):
    """Empty until there are known texts."""

    shows = Changes.CASE | Changes.CORPUS | Changes.MODEL
    to_corpus = Signal()
    to_disputed = Signal()

    @staticmethod
    def called() -> str:
        return tr("Model")

    def __init__(self, opencase: OpenCase) -> None:
        super().__init__(opencase)
        self._training = False
        self.empty = Empty(
            tr("No known texts yet"),
            tr("A model learns from texts whose authors are known. Load some first; training comes after."),
            (
                widgets.button(tr("Go to Corpus"), self.to_corpus.emit, primary=True),
                widgets.button(tr("Try the sample case"), opencase.sample),
            ),
        )
        untrained = Empty(
            tr("No model yet"),
            tr("Press Train. The window stays usable meanwhile, and you can stop at any time; nothing is half done."),
            width=460,
        )
        self.settings = TrainingPanel(opencase)
        self.settings.train.connect(self.train)
        self.stages = Stages()
        self.stages.stopped.connect(opencase.work.cancel)
        self.outcome = QStackedWidget()
        for state in (untrained, self.stages, self._trained()):
            self.outcome.addWidget(state)
        self.addWidget(self.empty)
        self.addWidget(panel(row((self.settings, 2), (self.outcome, 3), margins=(18, 14, 18, 12), spacing=16)))
        opencase.work.started.connect(self._started)
        opencase.work.moved.connect(self._moved)
        opencase.work.ended.connect(lambda *_: self._ended())

    def _trained(self) -> QWidget:
        self.stale = widgets.label()
        self.stale.setProperty("warning", True)
        self.trust = TrustView(self.opencase.quick, self.opencase.drawer)
        self.trust.validate.connect(self.opencase.validate)
        self.opencase.watched.append(self.trust.questions)
        self.numbers = widgets.Facts()
        details = column(self.numbers, (self.trust.weights, 1), spring(0), margins=(0, 12, 0, 0))
        self.trust.tabs.addTab(panel(details), tr("Details"))
        self.onward = widgets.button(tr("Go to disputed texts ▸"), self.to_disputed.emit, primary=True)
        title = widgets.label(tr("How far can you trust this model?"), scale=1.35, bold=True, wrap=False)
        head = row(title, HelpButton("validation"), HelpButton("cllr"), spring(), self.onward)
        return widgets.card(head, self.stale, (self.trust, 1), margin=16)

    # Showing

    def refresh(self) -> None:
        """Show the case as it is now."""
        shown = self.opencase.shown
        if shown is None or not shown.documents:
            self.setCurrentIndex(0)
            return
        self.setCurrentIndex(1)
        self.settings.tell()
        if self._training and not self.opencase.adding:
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
        path = str(self.opencase.shown.path) if self.opencase.shown else ""
        self.trust.show_model(path, model, why_not)
        if self.opencase.adding:
            self.trust.missing.hide()  # it is being trained

    # Training

    def train(self, options: Mapping[str, Any]) -> None:
        """Train with these options; what the panel's button and the menu do."""
        self._training = True
        self.stages.begin(str(options["profile"]))
        self.opencase.train(options)
        if not self.opencase.work.busy:
            self._training = False

    def _started(self, _: str) -> None:
        self.settings.button.setEnabled(False)
        if self._training:
            self.outcome.setCurrentIndex(1)

    def _moved(self, fraction: float, message: str, left: float) -> None:
        if self._training and not self.opencase.adding:
            self.stages.move_on(fraction, message, left)

    def _ended(self) -> None:
        self._training = False
        self._changed(self.shows)


def _stages(profile: str) -> tuple[tuple[float, str], ...]:
    """What training does, and where each part of it begins, as `service.training.train_case` shares its progress."""
    reading = (0.0, tr("Reading words, sentences and word classes"))
    pairs = (
        tr("Choosing features and learning from pairs of texts"),
        tr("Judging every text by a model that has not seen it"),
        tr("Learning to combine the comparisons"),
    )
    if profile == "paper":
        return (reading, *zip((0.1, 0.37, 0.91), pairs, strict=True))
    return (
        reading,
        (0.1, tr("The fused ranking, and how far it can be trusted")),
        *zip((0.2, 0.32, 0.56), pairs, strict=True),
        (0.6, tr("Judging every author's texts as those of a stranger")),
        (0.86, tr("Measuring how far Lazy, Stacked and Pr(Same) can be trusted")),
    )


class Stages(QFrame):
    """Training as it goes: the stages with their signs, a bar, the time left, and Cancel."""

    stopped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._stages = _stages("forensic")
        self._rows = [(widgets.Sign("waiting"), widgets.label(name)) for _, name in self._stages]
        grid = QGridLayout()
        grid.setVerticalSpacing(12)
        grid.setHorizontalSpacing(10)
        for place, (sign, label) in enumerate(self._rows):
            grid.addWidget(sign, place, 0)
            grid.addWidget(label, place, 1)
        grid.setColumnStretch(1, 1)
        self.bar = fields.bar(tr("Progress of training"))
        self.message = widgets.label(quiet=True)
        self.cancel = widgets.button(tr("Cancel"), self._cancel)
        title = widgets.label(tr("Training"), scale=1.35, bold=True)
        cancel = (self.cancel, Qt.AlignmentFlag.AlignLeft)
        self.setLayout(column(title, gap(6), grid, gap(10), self.bar, self.message, cancel, spring(), margins=18))

    def begin(self, profile: str) -> None:
        """A training begins."""
        self._stages = _stages(profile)
        for place, (sign, label) in enumerate(self._rows):
            there = place < len(self._stages)
            label.setText(self._stages[place][1] if there else "")
            sign.setVisible(there)
        self.cancel.setEnabled(True)
        self.move_on(0.0, tr("Starting"), -1.0)

    def move_on(self, fraction: float, message: str, left: float) -> None:
        """How far it is, what is being done, and the seconds left."""
        now = max(place for place, (start, _) in enumerate(self._stages) if fraction >= start)
        for place, (sign, _) in enumerate(self._rows):
            if place < now:
                sign.set("done", "support")
            elif place == now:
                sign.set("running", "accent")
            else:
                sign.set("waiting", "quiet")
        self.bar.setValue(round(fraction * 1000))
        if self.cancel.isEnabled():
            time = tr("{0} left").format(words.duration(left)) if left >= 0 else ""
            self.message.setText(" · ".join(part for part in (message[:1].upper() + message[1:], time) if part))

    def _cancel(self) -> None:
        self.cancel.setEnabled(False)
        self.message.setText(tr("Stopping…"))
        self.stopped.emit()
