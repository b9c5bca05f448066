"""Training as it goes: the stages with their signs, a bar, the time left, and Cancel."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QProgressBar, QVBoxLayout

from forensia.gui import widgets, words
from forensia.gui.words import tr


def stages(profile: str) -> tuple[tuple[float, str], ...]:
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
    """Shows one training."""

    stopped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._stages = stages("forensic")
        self._rows = [(widgets.Sign("waiting"), widgets.label(name)) for _, name in self._stages]
        grid = QGridLayout()
        grid.setVerticalSpacing(12)
        grid.setHorizontalSpacing(10)
        for row, (sign, label) in enumerate(self._rows):
            grid.addWidget(sign, row, 0)
            grid.addWidget(label, row, 1)
        grid.setColumnStretch(1, 1)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(tr("Progress of training"))
        self.message = widgets.label(quiet=True)
        self.cancel = widgets.button(tr("Cancel"), self._cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 18, 18, 18)
        column.addWidget(widgets.label(tr("Training"), scale=1.35, bold=True))
        column.addSpacing(6)
        column.addLayout(grid)
        column.addSpacing(10)
        column.addWidget(self.bar)
        column.addWidget(self.message)
        column.addWidget(self.cancel, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)

    def begin(self, profile: str) -> None:
        """A training begins."""
        self._stages = stages(profile)
        for row, (sign, label) in enumerate(self._rows):
            there = row < len(self._stages)
            label.setText(self._stages[row][1] if there else "")
            sign.setVisible(there)
        self.cancel.setEnabled(True)
        self.move_on(0.0, tr("Starting"), -1.0)

    def move_on(self, fraction: float, message: str, left: float) -> None:
        """How far it is, what is being done, and the seconds left."""
        now = max(row for row, (start, _) in enumerate(self._stages) if fraction >= start)
        for row, (sign, _) in enumerate(self._rows):
            if row < now:
                sign.set("done", "support")
            elif row == now:
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
