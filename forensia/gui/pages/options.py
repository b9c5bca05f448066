"""How the known texts are read: layout, cleaning, segmenting; what it would change is shown before it is done."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QScrollArea, QSpinBox, QVBoxLayout, QWidget

from forensia.corpus import LAYOUTS, ReadOptions
from forensia.corpus.cleaning import Step
from forensia.gui import help, widgets, words
from forensia.gui.tasks import Effect

_WAIT = 250  # milliseconds after the last change before options are tried out


def step_name(step: Step) -> str:
    """A cleaning step in words."""
    names = {
        Step.QUOTED_REPLIES: QCoreApplication.translate("Options", "Quoted replies in mail"),
        Step.FORWARDED: QCoreApplication.translate("Options", "Forwarded mail"),
        Step.SIGNATURES: QCoreApplication.translate("Options", "Signatures"),
        Step.MAIL_HEADERS: QCoreApplication.translate("Options", "Mail headers"),
        Step.BOILERPLATE: QCoreApplication.translate("Options", "Licences, notices, disclaimers"),
        Step.BLOCK_QUOTATIONS: QCoreApplication.translate("Options", "Block quotations"),
        Step.LINE_END_HYPHENS: QCoreApplication.translate("Options", "Hyphens at line ends"),
    }
    return names[step]


class OptionsPanel(QScrollArea):
    """The choices about reading; `wanted` asks for a trial, `apply` for reading again."""

    wanted = Signal(object)
    apply = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setAccessibleName(self.tr("Options for reading"))
        self._applied = ReadOptions()
        self._writable = True
        self.layouts = QComboBox()
        self.layouts.setAccessibleName(self.tr("Layout of the texts"))
        self.layouts.addItem(self.tr("Recognise by itself"), None)
        self.layouts.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for layout in LAYOUTS:
            self.layouts.addItem(layout.name, layout.name)
        self.sentence = widgets.label(quiet=True, scale=0.92)
        self.steps = {step: QCheckBox(step_name(step)) for step in Step}
        self.segment = QSpinBox()
        self.segment.setRange(0, 100_000)
        self.segment.setSingleStep(100)
        self.segment.setSpecialValueText(self.tr("Keep texts whole"))
        self.segment.setSuffix(self.tr(" words"))
        self.segment.setAccessibleName(self.tr("Length of segments"))
        self.sources = QLineEdit()
        self.sources.setPlaceholderText(self.tr("As they were found"))
        self.sources.setAccessibleName(self.tr("Sources of the texts"))
        self.effect = widgets.label()
        self.effect.setAccessibleName(self.tr("Effect of the options"))
        self.button = widgets.button(self.tr("Read again with these options"), self._apply, primary=True)
        self.note = widgets.label(
            self.tr("What you left out or reassigned stays so where a document is still the same."),
            quiet=True,
            scale=0.92,
        )
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(2, 10, 8, 8)
        column.setSpacing(7)
        column.addWidget(widgets.label(self.tr("How the texts are arranged"), bold=True))
        column.addWidget(self.layouts)
        column.addWidget(self.sentence)
        column.addSpacing(6)
        column.addWidget(widgets.label(self.tr("What the texts come from"), bold=True))
        column.addWidget(
            widgets.label(
                self.tr(
                    "A CSV file with the columns file and source, or a pattern that finds the source in the path of a text, such as {0}"
                ).format(r"([^/]+)_\d+\.txt$"),
                quiet=True,
                scale=0.92,
            )
        )
        column.addWidget(self.sources)
        column.addSpacing(6)
        column.addWidget(widgets.label(self.tr("Passages to cut"), bold=True))
        column.addWidget(
            widgets.label(
                self.tr("They stay visible, struck through, and are left out of the analysis."), quiet=True, scale=0.92
            )
        )
        for step, box in self.steps.items():
            box.setToolTip(words.tip(self.tr("Cut as: {0}").format(step.value)))
            box.toggled.connect(self._changed)
            column.addWidget(box)
        column.addSpacing(6)
        column.addWidget(help.heading(self.tr("Segments"), "segments"))
        column.addWidget(widgets.label(self.tr("Cut long texts into pieces at sentence ends."), quiet=True, scale=0.92))
        column.addWidget(self.segment)
        column.addSpacing(8)
        column.addWidget(widgets.card(widgets.label(self.tr("What would change"), bold=True), self.effect, margin=10))
        column.addWidget(self.button)
        column.addWidget(self.note)
        column.addStretch(1)
        self.setWidget(inside)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT)
        self._timer.timeout.connect(lambda: self.wanted.emit(self.options()))
        self.layouts.currentIndexChanged.connect(self._changed)
        self.segment.valueChanged.connect(self._changed)
        self.sources.textChanged.connect(self._changed)

    def options(self) -> ReadOptions:
        """The options as they stand in the panel."""
        return replace(
            self._applied,
            layout=self.layouts.currentData(),
            steps=tuple(step for step, box in self.steps.items() if box.isChecked()),
            segment_words=self.segment.value() or None,
            sources=self.sources.text(),
        )

    def show_options(self, applied: ReadOptions, writable: bool) -> None:
        """Begin from the options that were used last."""
        self._writable = writable
        if applied == self._applied and self.effect.text():
            self._tell()
            return
        self._applied = applied
        widgets_: tuple[QWidget, ...] = (self.layouts, self.segment, self.sources, *self.steps.values())
        for widget in widgets_:
            widget.blockSignals(True)
        self.layouts.setCurrentIndex(max(0, self.layouts.findData(applied.layout)))
        self.segment.setValue(applied.segment_words or 0)
        self.sources.setText(applied.sources)
        for step, box in self.steps.items():
            box.setChecked(step in applied.steps)
        for widget in widgets_:
            widget.blockSignals(False)
        self._tell()

    def show_effect(self, found: Effect) -> None:
        """Say what the options would do."""
        lines = []
        if self.options().steps:
            share = 1 - found.words_after / found.words_before if found.words_before else 0.0
            lines.append(
                self.tr("Cuts: {0} in {1}, {2} of the words.").format(
                    words.counted(found.cuts, self.tr("passage"), self.tr("passages")),
                    words.counted(found.cut_documents, self.tr("document"), self.tr("documents")),
                    f"{share:.1%}".replace("%", " %"),
                )
            )
        if self.options().segment_words:
            lines.append(
                self.tr("Segments: {0} become {1}.").format(
                    words.counted(found.documents, self.tr("text"), self.tr("texts")),
                    words.counted(found.pieces, self.tr("piece"), self.tr("pieces")),
                )
            )
        if self.options().layout != self._applied.layout:
            lines.append(self.tr("Another layout: who wrote what shows after reading."))
        if self.options().sources != self._applied.sources:
            lines.append(self.tr("Other sources: which text has which shows after reading."))
        self.effect.setText("\n".join(lines) or self.tr("Texts whole, nothing cut."))

    def _changed(self) -> None:
        self._tell()
        self.effect.setText(self.tr("Trying it on the texts…"))
        self._timer.start()

    def _tell(self) -> None:
        name = self.layouts.currentData()
        sentences = {layout.name: layout.sentence for layout in LAYOUTS}
        self.sentence.setText(sentences.get(name, self.tr("Forensia looks at the files and chooses.")))
        same = self.options() == self._applied
        self.button.setEnabled(not same and self._writable)
        if same:
            self.effect.setText(self.tr("Nothing: these are the options in use."))

    def _apply(self) -> None:
        self.apply.emit(self.options())
