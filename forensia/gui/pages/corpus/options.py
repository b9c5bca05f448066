"""How the known texts are read: layout, cleaning, segmenting; what it would change is shown before it is done."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QScrollArea, QSpinBox, QWidget

from forensia.corpus import LAYOUTS, ReadOptions
from forensia.corpus.cleaning import Step
from forensia.gui import help, widgets, words
from forensia.gui.tasks import Effect
from forensia.gui.widgets import fields
from forensia.gui.widgets.asking import delayed
from forensia.gui.words import tr

_WAIT = 250  # milliseconds after the last change before options are tried out


def step_name(step: Step) -> str:
    """A cleaning step in words."""
    names = {
        Step.QUOTED_REPLIES: tr("Quoted replies in mail"),
        Step.FORWARDED: tr("Forwarded mail"),
        Step.SIGNATURES: tr("Signatures"),
        Step.MAIL_HEADERS: tr("Mail headers"),
        Step.BOILERPLATE: tr("Licences, notices, disclaimers"),
        Step.BLOCK_QUOTATIONS: tr("Block quotations"),
        Step.LINE_END_HYPHENS: tr("Hyphens at line ends"),
    }
    return names[step]


class OptionsPanel(QScrollArea):
    """The choices about reading; `wanted` asks for a trial, `apply` for reading again."""

    wanted = Signal(object)
    apply = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setAccessibleName(tr("Options for reading"))
        self._applied = ReadOptions()
        self._writable = True
        self.layouts = fields.choice(tr("Layout of the texts"))
        self.layouts.addItem(tr("Recognise by itself"), None)
        self.layouts.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for layout in LAYOUTS:
            self.layouts.addItem(layout.name, layout.name)
        self.sentence = fields.note()
        self.steps = {step: QCheckBox(step_name(step)) for step in Step}
        self.segment = fields.named(QSpinBox(), tr("Length of segments"))
        self.segment.setRange(0, 100_000)
        self.segment.setSingleStep(100)
        self.segment.setSpecialValueText(tr("Keep texts whole"))
        self.segment.setSuffix(tr(" words"))
        self.sources = fields.line(tr("Sources of the texts"), tr("As they were found"))
        self.effect = fields.named(widgets.label(), tr("Effect of the options"))
        self.button = widgets.button(tr("Read again with these options"), self._apply, primary=True)
        self.note = fields.note(tr("What you left out or reassigned stays so where a document is still the same."))
        for step, box in self.steps.items():
            box.setToolTip(words.tip(tr("Cut as: {0}").format(step.value)))
            box.toggled.connect(self._changed)
        pattern = tr(
            "A CSV file with the columns file and source, or a pattern that finds the source in the path of a text, such as {0}"
        )
        self.setWidget(
            widgets.panel(
                widgets.column(
                    widgets.label(tr("How the texts are arranged"), bold=True),
                    self.layouts,
                    self.sentence,
                    widgets.gap(6),
                    widgets.label(tr("What the texts come from"), bold=True),
                    fields.note(pattern.format(r"([^/]+)_\d+\.txt$")),
                    self.sources,
                    widgets.gap(6),
                    widgets.label(tr("Passages to cut"), bold=True),
                    fields.note(tr("They stay visible, struck through, and are left out of the analysis.")),
                    *self.steps.values(),
                    widgets.gap(6),
                    help.heading(tr("Segments"), "segments"),
                    fields.note(tr("Cut long texts into pieces at sentence ends.")),
                    self.segment,
                    widgets.gap(8),
                    widgets.card(widgets.label(tr("What would change"), bold=True), self.effect, margin=10),
                    self.button,
                    self.note,
                    widgets.spring(),
                    margins=(2, 10, 8, 8),
                    spacing=7,
                )
            )
        )
        self._timer = delayed(self, _WAIT, lambda: self.wanted.emit(self.options()))
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

    def show_effect(self, effect: Effect) -> None:
        """Say what the options would do."""
        lines = []
        if self.options().steps:
            share = 1 - effect.words_after / effect.words_before if effect.words_before else 0.0
            lines.append(
                tr("Cuts: {0} in {1}, {2} of the words.").format(
                    words.counted(effect.cuts, tr("passage"), tr("passages")),
                    words.counted(effect.cut_documents, tr("document"), tr("documents")),
                    f"{share:.1%}".replace("%", " %"),
                )
            )
        if self.options().segment_words:
            lines.append(
                tr("Segments: {0} become {1}.").format(
                    words.counted(effect.documents, tr("text"), tr("texts")),
                    words.counted(effect.pieces, tr("piece"), tr("pieces")),
                )
            )
        if self.options().layout != self._applied.layout:
            lines.append(tr("Another layout: who wrote what shows after reading."))
        if self.options().sources != self._applied.sources:
            lines.append(tr("Other sources: which text has which shows after reading."))
        self.effect.setText("\n".join(lines) or tr("Texts whole, nothing cut."))

    def _changed(self) -> None:
        self._tell()
        self.effect.setText(tr("Trying it on the texts…"))
        self._timer.start()

    def _tell(self) -> None:
        name = self.layouts.currentData()
        sentences = {layout.name: layout.sentence for layout in LAYOUTS}
        self.sentence.setText(sentences.get(name, tr("Forensia looks at the files and chooses.")))
        same = self.options() == self._applied
        self.button.setEnabled(not same and self._writable)
        if same:
            self.effect.setText(tr("Nothing: these are the options in use."))

    def _apply(self) -> None:
        self.apply.emit(self.options())
