"""The line above the documents that asks what they come from, or proposes it; it goes when nothing is left to ask."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout

from forensia.gui import widgets
from forensia.gui.snapshot import Finding, Snapshot
from forensia.wording.problems import message


class SourceLine(QFrame):
    """A proposal comes before the question: it may answer it."""

    use = Signal(object)  # a proposal, as a finding
    ignore = Signal(object)
    each = Signal()
    together = Signal()
    unknown = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.proposal: Finding | None = None
        self.text = widgets.label()
        self.accept = widgets.button(self.tr("Use"), lambda: self.use.emit(self.proposal))
        self.decline = widgets.button(self.tr("Ignore"), lambda: self.ignore.emit(self.proposal))
        self.own = widgets.button(self.tr("Each from an occasion of its own…"), self.each.emit)
        self.some = widgets.button(self.tr("I will say which belong together"), self._together)
        self.none = widgets.button(self.tr("Not known"), self.unknown.emit)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(8)
        row.addWidget(self.text, stretch=1)
        for button in (self.accept, self.decline, self.own, self.some, self.none):
            row.addWidget(button)
        self.hide()

    def show_case(self, shown: Snapshot) -> None:
        proposals = [] if shown.read_only else [each for each in shown.proposals if not each.ignored]
        self.proposal = proposals[0] if proposals else None
        asking = self.proposal is None and shown.sources_unasked and not shown.read_only
        for button in (self.accept, self.decline):
            button.setVisible(self.proposal is not None)
        for button in (self.own, self.some, self.none):
            button.setVisible(asking)
        if self.proposal is not None:
            self.text.setText(message(self.proposal.problem))
        elif asking:
            self.text.setText(
                self.tr("Where do these texts come from? Figures for a text from a new source rest on it.")
            )
        self.setVisible(asking or self.proposal is not None)

    def _together(self) -> None:
        self.some.hide()
        self.text.setText(self.tr("Choose texts of one source in the table, then press Sources."))
        self.together.emit()
