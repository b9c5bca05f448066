"""What to train with: profile, families of features, hiding the topic, and what most people leave as it is."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QFrame, QLayout, QPlainTextEdit, QWidget

from forensia.corpus import Severity
from forensia.features import FAMILIES, FUSED_FAMILIES
from forensia.gui import dialogs, help, widgets, words
from forensia.gui.opencase import OpenCase
from forensia.gui.snapshot import Snapshot
from forensia.gui.tasks import Masked
from forensia.gui.widgets import Part, column, fields, gap, panel, row, scrolled, spring
from forensia.gui.words import tr
from forensia.profile import profile_named
from forensia.systems.pairmodel import FEWEST, TrainingOptions

EMBEDDED = "embedded"
_LEFT = Qt.AlignmentFlag.AlignLeft
_LISTED = 200  # documents to choose an example from


def masks() -> dict[str, tuple[str, str]]:
    """The ways of hiding the topic: name and sentence."""
    return {
        "none": (tr("None"), tr("Words and letters count as they are.")),
        "posnoise": (tr("Word classes"), tr("Content words are replaced by signs of their class; style remains.")),
        "distortion": (tr("Asterisks"), tr("All but the most frequent words become asterisks of the same length.")),
    }


class TrainingPanel(QFrame):
    """The choices, each with a sentence, and the button; `train` gives the fields of `TrainingOptions`."""

    train = Signal(object)

    def __init__(self, opencase: OpenCase) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._opencase = opencase
        self.profile = fields.choice(tr("Profile"), {key: name for key, (name, _) in words.profiles().items()})
        self.profile_about = fields.note()
        self.masking = fields.choice(tr("Hide the topic"), {key: name for key, (name, _) in masks().items()})
        self.mask_about = fields.note()
        self.example = widgets.button(tr("Show an example…"), self._show_example)
        self.families = {name: QCheckBox(shown) for name, (shown, _) in words.families().items()}
        self.fold = fields.named(widgets.button(tr("Advanced ▾"), self._unfold), tr("Advanced settings"))
        unequal = tr(
            "Very unequal numbers of texts can mislead. Those that are used are drawn with the seed, from each source in turn."
        )
        inside = column(
            widgets.label(tr("Profile"), bold=True), self.profile, self.profile_about, gap(8),
            widgets.label(tr("What the model looks at"), bold=True), *self._looked_at(), gap(8),
            help.heading(tr("Hide the topic"), "masking"), self.masking, self.mask_about, (self.example, _LEFT), gap(8),
            widgets.label(tr("Known texts"), bold=True), self._at_most(), fields.note(unequal), gap(8),
            (self.fold, _LEFT), self._advanced(), spring(),
            margins=(0, 0, 10, 0), spacing=3,
        )  # fmt: skip
        self._area = scrolled(panel(inside), tr("Settings of the model"))
        self.blocked = widgets.label()
        self.blocked.setProperty("warning", True)
        self.button = widgets.button(tr("Train"), lambda: self.train.emit(self.options()), primary=True)
        self.button.setMinimumHeight(40)
        for choice in (self.profile, self.masking):
            choice.currentIndexChanged.connect(lambda *_: self.tell())
        title = widgets.label(tr("Settings"), scale=1.35, bold=True)
        self.setLayout(column(title, self._area, self.blocked, self.button, margins=14, spacing=8))

    def _looked_at(self) -> list[Part]:
        """Each family with its sentence."""
        parts: list[Part] = []
        for name, box in self.families.items():
            box.setChecked(True)
            sentence = words.families()[name][1]
            box.setAccessibleDescription(sentence)
            box.setToolTip(words.tip(tr("Called '{0}' in reports").format(name)))
            about = fields.note(sentence)
            about.setContentsMargins(22, 0, 0, 2)
            parts += [box, about]
            box.toggled.connect(lambda *_: self.tell())
        return parts

    def _at_most(self) -> QLayout:
        """'Use at most [all] texts of each author': 'all' is what stands below the smallest number."""
        self.at_most = fields.whole_number(tr("Use at most so many texts of each author"), FEWEST - 1, 100_000)
        self.at_most.setSpecialValueText(tr("all"))
        return row(widgets.label(tr("Use at most")), self.at_most, (widgets.label(tr("texts of each author")), 1))

    def _advanced(self) -> QWidget:
        self.seed = fields.whole_number(tr("Seed"), 0, 2_000_000_000)
        self.language = fields.choice(tr("Language model"))
        self.language.setEditable(True)
        widgets.name_field(self.language, tr("Language model"))
        self.language.addItems([EMBEDDED, *installed_models()])
        self.function_words = fields.line(tr("Function words"), tr("those of the language"))
        self.browse = widgets.button(tr("Choose…"), self._choose_words)
        self.browse.setAccessibleName(tr("Choose a file of function words"))
        other = tr("English is built in. For another language name a spaCy model that is installed on this machine.")
        listed = tr("A plain text file with one word a line, for a language model without a list of its own.")
        self.advanced = panel(
            column(
                help.heading(tr("Seed"), "seed"), self.seed, gap(6),
                widgets.label(tr("Language model"), bold=True), self.language, fields.note(other), gap(6),
                widgets.label(tr("Function words"), bold=True), row((self.function_words, 1), self.browse), fields.note(listed),
                margins=(0, 4, 0, 0), spacing=3,
            )
        )  # fmt: skip
        self.advanced.hide()
        return self.advanced

    def options(self) -> dict[str, Any]:
        """The choices as they stand."""
        return {
            "profile": self.profile.currentData(),
            "seed": self.seed.value(),
            "families": tuple(name for name, box in self.families.items() if box.isChecked()),
            "mask": self.masking.currentData(),
            "language": self.language.currentText().strip() or EMBEDDED,
            "function_words": self.function_words.text().strip(),
            "at_most": self.at_most.value() if self.at_most.value() >= FEWEST else 0,
        }

    def tell(self) -> None:
        """Say what the choices mean, and whether training can begin."""
        shown = self._opencase.shown
        self.profile_about.setText(words.profiles()[self.profile.currentData()][1])
        fused = profile_named(self.profile.currentData()).out_of_fold
        for name, box in self.families.items():
            box.setEnabled(fused or name in FAMILIES)
        self.mask_about.setText(masks()[self.masking.currentData()][1])
        self.example.setVisible(self.masking.currentData() != "none")
        why = self._hindrance(shown) if shown else ""
        fields.say(self.blocked, why)
        self.button.setEnabled(not why and not self._opencase.work.busy)
        self.button.setText(tr("Train again") if shown and shown.model else tr("Train"))

    def _hindrance(self, shown: Snapshot) -> str:
        blocking = shown.count(Severity.BLOCKING)
        if shown.read_only:
            return tr("This case can only be read: {0}. Save a copy to train.").format(shown.read_only)
        if blocking:
            return tr("{0} must be solved on the Corpus page first.").format(
                words.counted(blocking, tr("problem"), tr("problems"))
            )
        options = self.options()
        chosen = TrainingOptions(profile=profile_named(options["profile"]), families=options["families"])
        if not chosen.families:
            return tr("Choose at least one thing for the model to look at.")
        if not chosen.paired:
            return tr("Pr(Same) is learnt from none of these. Choose one more thing for the model to look at.")
        if not chosen.enough:
            usable = ", ".join(words.families()[name][0] for name in words.families() if name in FUSED_FAMILIES)
            return tr("The fused ranking rests on none of these. It needs one of: {0}.").format(usable)
        return ""

    def _unfold(self) -> None:
        opened = not self.advanced.isVisibleTo(self)
        self.advanced.setVisible(opened)
        self.fold.setText(tr("Advanced ▴") if opened else tr("Advanced ▾"))
        if opened:
            QTimer.singleShot(0, self, lambda: self._area.ensureWidgetVisible(self.advanced))

    def _choose_words(self) -> None:
        path = dialogs.ask_word_list(self)
        if path is not None:
            self.function_words.setText(str(path))

    def _show_example(self) -> None:
        """A known text before and after masking."""
        shown = self._opencase.shown
        if shown is not None and shown.active:
            MaskExample(self, self._opencase, self.options()).open()


def installed_models() -> list[str]:
    """The spaCy models that are installed, without loading spaCy."""
    return sorted({entry.name for entry in metadata.entry_points(group="spacy_models")})


class MaskExample(QDialog):
    """What hiding the topic does: the beginning of a known text, as it is and as a model with these training options would see it."""

    def __init__(self, parent: QWidget, opencase: OpenCase, options: Mapping[str, Any]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("What the model would see"))
        self.resize(860, 520)
        self._opencase, self._options = opencase, options
        self.which = fields.choice(tr("Known text"), letters=40)
        for each in opencase.shown.active[:_LISTED] if opencase.shown else ():
            self.which.addItem(words.shortened(words.one_line(f"{each.author}: {each.title}"), 80), each.id)
        self.state = widgets.label(quiet=True)
        self.before, self.after = (self._pane(name) for name in (tr("As it is"), tr("With the topic hidden")))
        texts = row(
            *(column(widgets.label(pane.accessibleName(), bold=True), pane) for pane in (self.before, self.after)),
            spacing=12,
        )
        close = (widgets.button(tr("Close"), self.accept), Qt.AlignmentFlag.AlignRight)
        self.setLayout(column(self.which, texts, self.state, close, margins=(20, 16, 20, 16), spacing=10))
        self.which.currentIndexChanged.connect(lambda _: self._ask())
        self._ask()

    def _pane(self, name: str) -> QPlainTextEdit:
        made = fields.named(QPlainTextEdit(), name)
        made.setReadOnly(True)
        made.setTabChangesFocus(True)
        return made

    def _ask(self) -> None:
        name = self.which.currentData()
        if name:
            self.state.setText(tr("Reading the text…"))
            self._opencase.show_masked(name, self._options, self._show)

    def _show(self, text: Masked) -> None:
        self.before.setPlainText(text.before)
        self.after.setPlainText(text.after)
        self.state.setText(tr("The beginning of the text. Sentence lengths and punctuation are counted as they are."))

    def done(self, result: int) -> None:
        self._opencase.trying.cancel()
        super().done(result)
