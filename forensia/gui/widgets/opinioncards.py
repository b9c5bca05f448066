"""The opinion on a text in words, or 'No opinion' with its reasons; beside it what must be kept in mind."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout

from forensia.evidence.result import Result
from forensia.gui import widgets
from forensia.gui.help import HelpButton
from forensia.wording import opinion, reasons

_SOURCES = frozenset(("sources-not-known", "nobody-has-two-sources", "one-source-author"))


class OpinionCard(QFrame):
    """What may be said, first of all; no number here is larger than the words that go with it.

    `sources` asks for the place where the analyst says what the known texts come from.
    """

    sources = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.setAccessibleName(self.tr("Opinion"))
        self.head = widgets.label(scale=1.2, bold=True, wrap=False)
        self.statement = widgets.label(scale=1.06)
        self.more = widgets.label(quiet=True)
        self.warnings = widgets.label(scale=0.95)
        self.warnings.setProperty("warning", True)
        self.warnings.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.helps = {name: HelpButton(name) for name in ("likelihood_ratio", "no_opinion", "interval")}
        self.meaning = widgets.button(self.tr("What does this mean?"), self._explain)
        self.meaning.setProperty("flat", True)
        self.to_sources = widgets.button(self.tr("Say what the known texts come from ▸"), self.sources.emit)
        for each, name in (
            (self.head, self.tr("Kind of opinion")),
            (self.statement, self.tr("Opinion in words")),
            (self.more, self.tr("More on the opinion")),
            (self.warnings, self.tr("What must be kept in mind")),
        ):
            each.setAccessibleName(name)
        top = QHBoxLayout()
        top.addWidget(self.head)
        for made in self.helps.values():
            top.addWidget(made)
        top.addWidget(self.meaning)
        top.addStretch(1)
        left = QVBoxLayout()
        left.setSpacing(5)
        left.addLayout(top)
        left.addWidget(self.statement)
        left.addWidget(self.more)
        left.addWidget(self.to_sources, alignment=Qt.AlignmentFlag.AlignLeft)
        left.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 10, 16, 12)
        row.setSpacing(24)
        row.addLayout(left, stretch=8)
        row.addWidget(self.warnings, stretch=5)
        self.show_result(None)

    def _explain(self) -> None:
        self.helps["likelihood_ratio" if self.helps["likelihood_ratio"].isVisible() else "no_opinion"].open()

    def show_result(self, result: Result | None, notes: Sequence[str] = ()) -> None:
        """Show the opinion of a result; `notes` are warnings that the window adds, such as that it is out of date."""
        codes = {each.code for each in result.opinion.reasons} if result is not None else set()
        self.to_sources.setVisible(not codes.isdisjoint(_SOURCES))
        if result is None:
            self._say(
                self.tr("Not analysed yet"), self.tr("Press Analyse again, or drop the file again."), "", list(notes)
            )
            return
        given, found = result.opinion.given, opinion.findings(result)
        head = self.tr("Opinion") if given else self.tr("No opinion")
        said, more = opinion.statement(result), ""
        if result.opinion.kind == "author" and found is not None:
            said, more = found.statement, found.support
        elif not given:
            said = "\n".join(opinion.reasons(result)) or said
            more = self.tr("What was found all the same: {0}").format(found.statement) if found is not None else ""
        self._say(head, said, more, [*notes, *reasons.warnings(result)], given)

    def _say(self, head: str, statement: str, more: str, warnings: Sequence[str], given: bool = False) -> None:
        self.helps["no_opinion"].setVisible(not given)
        self.helps["likelihood_ratio"].setVisible(given)
        self.helps["interval"].setVisible(given)
        self.head.setText(head)
        self.statement.setText(statement)
        self.more.setText(more)
        self.more.setVisible(bool(more))
        self.warnings.setText("\n".join(f"⚠ {warning}" for warning in warnings))
        self.warnings.setVisible(bool(warnings))
