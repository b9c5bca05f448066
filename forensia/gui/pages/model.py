"""The Model page: what to train with, on the left; how it goes and what came of it, on the right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QProgressBar,
    QScrollArea,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from forensia.corpus import Severity
from forensia.errors import InputError
from forensia.gui import widgets, words
from forensia.gui.desk import Desk
from forensia.gui.drawing import Plot
from forensia.gui.pages.empty import Empty
from forensia.gui.pages.page import Page
from forensia.gui.plotpane import PlotPane
from forensia.gui.snapshot import ModelState, Snapshot

_STAGES = (0.0, 0.15, 0.4, 0.9)  # where the stages of training begin, as `evidence.training.train` shares its progress


def tr(text: str) -> str:
    """Words of this module in the user's language."""
    return QCoreApplication.translate("ModelPage", text)


def families() -> dict[str, tuple[str, str]]:
    """The families of features, each by a name and a sentence for a linguist."""
    return {
        "function words": (
            tr("Function words"),
            tr("How often each small word such as 'of', 'upon' or 'which' is used."),
        ),
        "word lengths": (tr("Word lengths"), tr("How long the words are.")),
        "sentence lengths": (tr("Sentence lengths"), tr("How long the sentences are.")),
        "punctuation": (tr("Punctuation"), tr("Which marks are used, and how often.")),
        "POS n-grams": (tr("Word classes in a row"), tr("How word classes follow one another: a trace of syntax.")),
        "words": (tr("Words"), tr("Which words are chosen; closest to the topic, so mask it where topics differ.")),
        "character n-grams": (tr("Letters in a row"), tr("Endings, spelling habits, spacing.")),
    }


def profiles() -> dict[str, tuple[str, str]]:
    """The profiles: name and sentence."""
    return {
        "forensic": (
            tr("Forensic"),
            tr("Made for evidence: every known text is judged by a model that has not seen it."),
        ),
        "paper": (tr("As published"), tr("The method of the paper to the letter, for comparison with it.")),
    }


def masks() -> dict[str, tuple[str, str]]:
    """The ways of hiding the topic: name and sentence."""
    return {
        "none": (tr("None"), tr("Words and letters count as they are.")),
        "posnoise": (tr("Word classes"), tr("Content words are replaced by signs of their class; style remains.")),
        "distortion": (tr("Asterisks"), tr("All but the most frequent words become asterisks of the same length.")),
    }


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
        page = QWidget()
        row = QHBoxLayout(page)
        row.setContentsMargins(18, 14, 18, 12)
        row.setSpacing(16)
        row.addWidget(self._settings(), stretch=2)
        row.addWidget(self._outcome(), stretch=3)
        self.addWidget(page)
        desk.bridge.started.connect(self._started)
        desk.bridge.moved.connect(self._moved)
        desk.bridge.ended.connect(lambda *_: self._ended())

    # Building

    def _settings(self) -> QWidget:
        self.profile = _choice(tr("Profile"), {key: name for key, (name, _) in profiles().items()})
        self.profile_about = widgets.label(quiet=True, scale=0.92)
        self.masking = _choice(tr("Hide the topic"), {key: name for key, (name, _) in masks().items()})
        self.mask_about = widgets.label(quiet=True, scale=0.92)
        self.families = {name: QCheckBox(shown) for name, (shown, _) in families().items()}
        self.seed = QSpinBox()
        self.seed.setRange(0, 2_000_000_000)
        self.seed.setMinimumHeight(28)
        self.seed.setAccessibleName(tr("Seed"))
        self.seed.setToolTip(words.tip(tr("The same texts, settings and seed give the same model, on any machine.")))
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 10, 0)
        column.setSpacing(3)
        column.addWidget(widgets.label(tr("Profile"), bold=True))
        column.addWidget(self.profile)
        column.addWidget(self.profile_about)
        column.addSpacing(8)
        column.addWidget(widgets.label(tr("What the model looks at"), bold=True))
        for name, box in self.families.items():
            box.setChecked(True)
            sentence = families()[name][1]
            box.setAccessibleDescription(sentence)
            box.setToolTip(words.tip(tr("Called '{0}' in reports").format(name)))
            about = widgets.label(sentence, quiet=True, scale=0.92)
            about.setContentsMargins(22, 0, 0, 2)
            column.addWidget(box)
            column.addWidget(about)
            box.toggled.connect(lambda *_: self._tell())
        column.addSpacing(8)
        column.addWidget(widgets.label(tr("Hide the topic"), bold=True))
        column.addWidget(self.masking)
        column.addWidget(self.mask_about)
        column.addSpacing(8)
        form = QFormLayout()
        form.addRow(widgets.label(tr("Language: English (built in)")))
        form.addRow(widgets.label(tr("Seed"), bold=True, wrap=False), self.seed)
        column.addLayout(form)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inside)
        area.setAccessibleName(tr("Settings of the model"))
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.blocked = widgets.label()
        self.blocked.setProperty("warning", True)
        self.button = widgets.button(tr("Train"), self._train, primary=True)
        self.button.setMinimumHeight(40)
        self.profile.currentIndexChanged.connect(lambda *_: self._tell())
        self.masking.currentIndexChanged.connect(lambda *_: self._tell())
        return widgets.card(widgets.label(tr("Settings"), scale=1.35, bold=True), area, self.blocked, self.button)

    def _outcome(self) -> QWidget:
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
        self.outcome.addWidget(self._stages())
        self.outcome.addWidget(self._trained())
        return self.outcome

    def _stages(self) -> QWidget:
        names = (
            tr("Reading words, sentences and word classes"),
            tr("Choosing features and learning from pairs of texts"),
            tr("Judging every text by a model that has not seen it"),
            tr("Learning to combine the comparisons"),
        )
        self.signs = [widgets.Sign("waiting") for _ in names]
        grid = QGridLayout()
        grid.setVerticalSpacing(12)
        grid.setHorizontalSpacing(10)
        for row, (sign, name) in enumerate(zip(self.signs, names, strict=True)):
            grid.addWidget(sign, row, 0)
            grid.addWidget(widgets.label(name), row, 1)
        grid.setColumnStretch(1, 1)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(tr("Progress of training"))
        self.message = widgets.label(quiet=True)
        self.cancel = widgets.button(tr("Cancel"), self._cancel)
        frame = widgets.card(widgets.label(tr("Training"), scale=1.35, bold=True), margin=18)
        column = frame.layout()
        assert isinstance(column, QVBoxLayout)
        column.addSpacing(6)
        column.addLayout(grid)
        column.addSpacing(10)
        column.addWidget(self.bar)
        column.addWidget(self.message)
        column.addWidget(self.cancel, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        return frame

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
        self._tell()
        if self._training:
            return
        if shown.model is None:
            self.outcome.setCurrentIndex(0)
        else:
            self.outcome.setCurrentIndex(2)
            self._show_model(shown.model)

    def _tell(self) -> None:
        """Say what the choices mean, and whether training can begin."""
        shown = self.desk.shown
        self.profile_about.setText(profiles()[self.profile.currentData()][1])
        self.mask_about.setText(masks()[self.masking.currentData()][1])
        why = self._hindrance(shown) if shown else ""
        self.blocked.setText(why)
        self.blocked.setVisible(bool(why))
        self.button.setEnabled(not why and not self.desk.bridge.busy)
        self.button.setText(tr("Train again") if shown and shown.model else tr("Train"))

    def _hindrance(self, shown: Snapshot) -> str:
        blocking = shown.count(Severity.BLOCKING)
        if shown.read_only:
            return tr("This case can only be read: {0}. Save a copy to train.").format(shown.read_only)
        if blocking:
            return tr("{0} must be solved on the Corpus page first.").format(
                words.counted(blocking, tr("problem"), tr("problems"))
            )
        if not any(box.isChecked() for box in self.families.values()):
            return tr("Choose at least one thing for the model to look at.")
        return ""

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

    def _train(self) -> None:
        chosen = tuple(name for name, box in self.families.items() if box.isChecked())
        if not chosen:
            self.desk.failed.emit(InputError(tr("Choose at least one family of features.")))
            return
        self._training = True
        self.desk.train(
            {
                "profile": self.profile.currentData(),
                "seed": self.seed.value(),
                "families": chosen,
                "mask": self.masking.currentData(),
            }
        )
        if not self.desk.bridge.busy:
            self._training = False

    def _started(self, _: str) -> None:
        self.button.setEnabled(False)
        if self._training:
            self.outcome.setCurrentIndex(1)
            self.cancel.setEnabled(True)
            self._moved(0.0, tr("Starting"), -1.0)

    def _moved(self, fraction: float, message: str, left: float) -> None:
        if not self._training:
            return
        stage = max(number for number, start in enumerate(_STAGES) if fraction >= start)
        for number, sign in enumerate(self.signs):
            if number < stage:
                sign.set("done", "support")
            elif number == stage:
                sign.set("running", "accent")
            else:
                sign.set("waiting", "quiet")
        self.bar.setValue(round(fraction * 1000))
        time = tr("{0} left").format(words.duration(left)) if left >= 0 else ""
        self.message.setText(" · ".join(part for part in (message[:1].upper() + message[1:], time) if part))

    def _cancel(self) -> None:
        self.cancel.setEnabled(False)
        self.message.setText(tr("Stopping…"))
        self.desk.bridge.cancel()

    def _ended(self) -> None:
        self._training = False
        self.refresh()


def _choice(name: str, values: dict[str, str]) -> QComboBox:
    made = QComboBox()
    made.setAccessibleName(name)
    for key, text in values.items():
        made.addItem(text, key)
    return made


def _features(header: Mapping[str, Any]) -> str:
    return f"{sum(int(block['stop']) - int(block['start']) for block in header.get('blocks', ())):,}"
