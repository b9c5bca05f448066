"""The job strip in the status bar: what is being done, how far it is, how long it will take, and Cancel."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from forensia.gui import widgets, words
from forensia.gui.lane import Lane


class JobStrip(QWidget):
    """Shows one lane; it keeps its width, so that nothing jumps when work begins and ends."""

    def __init__(self, lane: Lane) -> None:
        super().__init__()
        self._lane = lane
        self.message = widgets.ElidedLabel()
        self.message.setMinimumWidth(330)
        self.left = widgets.label(quiet=True, wrap=False)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(140)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.stop = widgets.button(self.tr("Cancel"), self._cancel)
        self.stop.setAccessibleName(self.tr("Cancel what is being done"))
        self.stop.setShortcut("Ctrl+.")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 3, 8, 3)
        row.setSpacing(10)
        row.addWidget(self.message, stretch=1)
        row.addWidget(self.left)
        row.addWidget(self.bar)
        row.addWidget(self.stop)
        lane.started.connect(self._start)
        lane.moved.connect(self._move)
        lane.ended.connect(lambda *_: self._rest())
        self._rest()

    def _start(self, name: str) -> None:
        self.message.setText(f"{name}…")
        self.left.clear()
        self.bar.setValue(0)
        self.stop.setEnabled(True)
        for part in (self.message, self.left, self.bar, self.stop):
            part.show()

    def _move(self, fraction: float, message: str, left: float) -> None:
        if message and self.stop.isEnabled():
            self.message.setText(f"{self._lane.name}: {message}")
        self.left.setText(self.tr("{0} left").format(words.duration(left)) if left >= 0 else "")
        self.bar.setValue(round(fraction * 1000))

    def _rest(self) -> None:
        self.message.clear()
        for part in (self.message, self.left, self.bar, self.stop):
            part.hide()

    def _cancel(self) -> None:
        self.stop.setEnabled(False)
        self.message.setText(self.tr("Stopping…"))
        self._lane.cancel()
