"""The Model page: what to train with, on the left; how it goes and what came of it, on the right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from forensia.gui import widgets, words
from forensia.gui.desk import Desk
from forensia.gui.drawing import Plot
from forensia.gui.pages.empty import Empty
from forensia.gui.pages.page import Page
from forensia.gui.pages.stages import Stages
from forensia.gui.pages.training import TrainingPanel, families, profiles
from forensia.gui.plotpane import PlotPane
from forensia.gui.snapshot import ModelState

__all__ = ["ModelPage", "families", "profiles"]


def tr(text: str) -> str:
    """Words of this module in the user's language."""
    return QCoreApplication.translate("ModelPage", text)


class ModelPage(Page):
    """Empty until there are known texts."""

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
        self.stages.stopped.connect(desk.bridge.cancel)
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
        desk.bridge.started.connect(self._started)
        desk.bridge.moved.connect(self._moved)
        desk.bridge.ended.connect(lambda *_: self._ended())

    def _trained(self) -> QWidget:
        self.sentence = widgets.label(scale=1.12)
        self.stale = widgets.label()
        self.stale.setProperty("warning", True)
        self.caution = widgets.label(
            tr(
                "This says how well known texts are told apart, and a little too well, because k was chosen on the same texts. "
                "How strong the evidence on a disputed text is (likelihood ratios, error rates with their uncertainty) is not "
                "built yet in this version; until then no opinion is given."
            ),
            quiet=True,
        )
        self.numbers = widgets.Facts()
        self.curve = PlotPane(tr("Leave-one-out accuracy by k"), self.desk.drawer)
        self.curve.setMinimumHeight(220)
        self.curve.setMaximumHeight(380)
        self.onward = widgets.button(tr("Go to disputed texts ▸"), self.to_disputed.emit, primary=True)
        frame = widgets.card(widgets.label(tr("The model"), scale=1.35, bold=True), margin=18)
        column = frame.layout()
        assert isinstance(column, QVBoxLayout)
        column.setSpacing(10)
        column.addWidget(self.stale)
        column.addWidget(self.sentence)
        column.addWidget(self.caution)
        column.addWidget(self.curve, stretch=4)
        column.addWidget(self.numbers)
        column.addStretch(1)
        column.addWidget(self.onward, alignment=Qt.AlignmentFlag.AlignRight)
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
        if self._training:
            return
        if shown.model is None:
            self.outcome.setCurrentIndex(0)
        else:
            self._show_model(shown.model)
            self.outcome.setCurrentIndex(2)

    def _show_model(self, model: ModelState) -> None:
        header = model.header
        training = header.get("training", {})
        accuracy = model.k_accuracy[model.k - 1] if len(model.k_accuracy) >= model.k else None
        if accuracy is not None:
            right = round(accuracy * model.documents)
            self.sentence.setText(
                tr(
                    "Of {0} known documents by {1} authors, {2} ({3}) are given to their author when each is judged without "
                    "itself; by chance it would be about {4}."
                ).format(
                    f"{model.documents:,}",
                    f"{model.authors:,}",
                    f"{right:,}",
                    words.percent(accuracy),
                    words.percent(1 / max(1, model.authors)),
                )
            )
        self.stale.setVisible(not model.current)
        self.stale.setText(
            tr("⚠ The known texts have changed since this model was trained. Train again before you rely on it.")
        )
        options = header.get("options", {})
        rows = [
            (tr("Trained"), model.time.replace("T", " ")[:16]),
            (tr("Profile"), profiles().get(str(options.get("profile")), (str(options.get("profile")), ""))[0]),
            (tr("Features"), _features(header)),
            (tr("Pairs of texts"), f"{int(training.get('pairs', 0)):,}"),
            (tr("Strength C of the fit"), f"{float(training.get('c', 0)):g}"),
            (tr("Documents of an author that count, k"), str(model.k)),
            (tr("Seed"), str(options.get("seed", ""))),
        ]
        if training.get("converged") is False:
            rows.append((tr("Warning"), tr("The fit did not converge; its numbers are not final.")))
        self.numbers.show_rows(rows)
        curve = {"accuracy": list(model.k_accuracy), "k": model.k, "chance": 1 / max(1, model.authors)}
        self.curve.show_plot(Plot("k_accuracy", curve) if accuracy is not None else None)

    # Training

    def train(self, options: Mapping[str, Any]) -> None:
        """Train with these options; what the panel's button and the menu do."""
        self._training = True
        self.stages.begin(str(options["profile"]))
        self.desk.train(options)
        if not self.desk.bridge.busy:
            self._training = False

    def _started(self, _: str) -> None:
        self.settings.button.setEnabled(False)
        if self._training:
            self.outcome.setCurrentIndex(1)

    def _moved(self, fraction: float, message: str, left: float) -> None:
        if self._training:
            self.stages.move_on(fraction, message, left)

    def _ended(self) -> None:
        self._training = False
        self._changed()


def _features(header: Mapping[str, Any]) -> str:
    return f"{sum(int(block['stop']) - int(block['start']) for block in header.get('blocks', ())):,}"
