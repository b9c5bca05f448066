"""What to train with: profile, families of features, hiding the topic, and what most people leave as it is."""

from __future__ import annotations

from importlib import metadata
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from forensia.corpus import Severity
from forensia.features import FAMILIES, FUSED_FAMILIES
from forensia.gui import dialogs, help, widgets, words
from forensia.gui.desk import Desk
from forensia.gui.pages.model.maskexample import MaskExample
from forensia.gui.snapshot import Snapshot
from forensia.gui.words import tr
from forensia.profile import profile_named
from forensia.systems.pairmodel import FEWEST, TrainingOptions

EMBEDDED = "embedded"


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

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._desk = desk
        self.profile = _choice(tr("Profile"), {key: name for key, (name, _) in words.profiles().items()})
        self.profile_about = widgets.label(quiet=True, scale=0.92)
        self.masking = _choice(tr("Hide the topic"), {key: name for key, (name, _) in masks().items()})
        self.mask_about = widgets.label(quiet=True, scale=0.92)
        self.example = widgets.button(tr("Show an example…"), self._show_example)
        self.families = {name: QCheckBox(shown) for name, (shown, _) in words.families().items()}
        self.fold = widgets.button(tr("Advanced ▾"), self._unfold)
        self.fold.setAccessibleName(tr("Advanced settings"))
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
            sentence = words.families()[name][1]
            box.setAccessibleDescription(sentence)
            box.setToolTip(words.tip(tr("Called '{0}' in reports").format(name)))
            about = widgets.label(sentence, quiet=True, scale=0.92)
            about.setContentsMargins(22, 0, 0, 2)
            column.addWidget(box)
            column.addWidget(about)
            box.toggled.connect(lambda *_: self.tell())
        column.addSpacing(8)
        column.addWidget(help.heading(tr("Hide the topic"), "masking"))
        column.addWidget(self.masking)
        column.addWidget(self.mask_about)
        column.addWidget(self.example, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addSpacing(8)
        column.addWidget(widgets.label(tr("Known texts"), bold=True))
        column.addLayout(self._at_most())
        column.addWidget(
            widgets.label(
                tr(
                    "Very unequal numbers of texts can mislead. Those that are used are drawn with the seed, from each source in turn."
                ),
                quiet=True,
                scale=0.92,
            )
        )
        column.addSpacing(8)
        column.addWidget(self.fold, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._advanced())
        column.addStretch(1)
        self._area = area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inside)
        area.setAccessibleName(tr("Settings of the model"))
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.blocked = widgets.label()
        self.blocked.setProperty("warning", True)
        self.button = widgets.button(tr("Train"), lambda: self.train.emit(self.options()), primary=True)
        self.button.setMinimumHeight(40)
        self.profile.currentIndexChanged.connect(lambda *_: self.tell())
        self.masking.currentIndexChanged.connect(lambda *_: self.tell())
        whole = QVBoxLayout(self)
        whole.setContentsMargins(14, 14, 14, 14)
        whole.setSpacing(8)
        whole.addWidget(widgets.label(tr("Settings"), scale=1.35, bold=True))
        for part in (area, self.blocked, self.button):
            whole.addWidget(part)

    def _at_most(self) -> QHBoxLayout:
        """'Use at most [all] texts of each author': 'all' is what stands below the smallest number."""
        self.at_most = QSpinBox()
        self.at_most.setRange(FEWEST - 1, 100_000)
        self.at_most.setSpecialValueText(tr("all"))
        self.at_most.setMinimumHeight(28)
        self.at_most.setAccessibleName(tr("Use at most so many texts of each author"))
        row = QHBoxLayout()
        row.addWidget(widgets.label(tr("Use at most")))
        row.addWidget(self.at_most)
        row.addWidget(widgets.label(tr("texts of each author")), stretch=1)
        return row

    def _advanced(self) -> QWidget:
        self.seed = QSpinBox()
        self.seed.setRange(0, 2_000_000_000)
        self.seed.setMinimumHeight(28)
        self.seed.setAccessibleName(tr("Seed"))
        self.language = QComboBox()
        self.language.setEditable(True)
        widgets.name_field(self.language, tr("Language model"))
        self.language.addItems([EMBEDDED, *installed_models()])
        self.function_words = QLineEdit()
        self.function_words.setAccessibleName(tr("Function words"))
        self.function_words.setPlaceholderText(tr("those of the language"))
        self.browse = widgets.button(tr("Choose…"), self._choose_words)
        self.browse.setAccessibleName(tr("Choose a file of function words"))
        row = QHBoxLayout()
        row.addWidget(self.function_words, stretch=1)
        row.addWidget(self.browse)
        self.advanced = QWidget()
        column = QVBoxLayout(self.advanced)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(3)
        column.addWidget(help.heading(tr("Seed"), "seed"))
        column.addWidget(self.seed)
        column.addSpacing(6)
        column.addWidget(widgets.label(tr("Language model"), bold=True))
        column.addWidget(self.language)
        column.addWidget(
            widgets.label(
                tr("English is built in. For another language name a spaCy model that is installed on this machine."),
                quiet=True,
                scale=0.92,
            )
        )
        column.addSpacing(6)
        column.addWidget(widgets.label(tr("Function words"), bold=True))
        column.addLayout(row)
        column.addWidget(
            widgets.label(
                tr("A plain text file with one word a line, for a language model without a list of its own."),
                quiet=True,
                scale=0.92,
            )
        )
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
        shown = self._desk.shown
        self.profile_about.setText(words.profiles()[self.profile.currentData()][1])
        fused = profile_named(self.profile.currentData()).out_of_fold
        for name, box in self.families.items():
            box.setEnabled(fused or name in FAMILIES)
        self.mask_about.setText(masks()[self.masking.currentData()][1])
        self.example.setVisible(self.masking.currentData() != "none")
        why = self._hindrance(shown) if shown else ""
        self.blocked.setText(why)
        self.blocked.setVisible(bool(why))
        self.button.setEnabled(not why and not self._desk.work.busy)
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
        shown = self._desk.shown
        if shown is not None and shown.active:
            MaskExample(self, self._desk, self.options()).open()


def installed_models() -> list[str]:
    """The spaCy models that are installed, without loading spaCy."""
    return sorted({entry.name for entry in metadata.entry_points(group="spacy_models")})


def _choice(name: str, values: dict[str, str]) -> QComboBox:
    made = QComboBox()
    made.setAccessibleName(name)
    for key, text in values.items():
        made.addItem(text, key)
    return made
