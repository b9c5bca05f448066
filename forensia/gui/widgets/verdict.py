"""The verdict between two texts: one writer or two, with the likelihood ratio on its scale and what must be kept in mind."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from forensia.evidence.result import PairResult
from forensia.gui import numbers, widgets
from forensia.gui.help import HelpButton
from forensia.gui.widgets.ratioscale import ScaleBar
from forensia.gui.words import tr
from forensia.wording import opinion, reasons


class VerdictCard(QFrame):
    """What may be said about two texts, or why nothing is."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setAccessibleName(tr("One writer or two"))
        self.head = widgets.label(scale=1.15, bold=True, wrap=False)
        self.statement = widgets.label()
        self.more = widgets.label(quiet=True, scale=0.95)
        self.scale = ScaleBar()
        self.ends = widgets.label(
            tr("two writers  ◂  likelihood ratio  ▸  one writer"), quiet=True, scale=0.88, wrap=False
        )
        self.ends.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.score = widgets.label(quiet=True, scale=0.92)
        self.attributions = widgets.label(quiet=True, scale=0.92)
        self.warnings = widgets.label(scale=0.92)
        self.warnings.setProperty("warning", True)
        for each, name in (
            (self.head, tr("Verdict")),
            (self.statement, tr("Verdict in words")),
            (self.attributions, tr("Attribution of both texts")),
            (self.warnings, tr("What must be kept in mind")),
        ):
            each.setAccessibleName(name)
        top = QHBoxLayout()
        top.addWidget(self.head)
        top.addStretch(1)
        for topic in ("likelihood_ratio", "pr_same"):
            top.addWidget(HelpButton(topic))
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(5)
        column.addLayout(top)
        column.addWidget(self.statement)
        column.addWidget(self.ends)
        column.addWidget(self.scale)
        column.addWidget(self.more)
        column.addWidget(self.score)
        column.addWidget(self.attributions)
        column.addWidget(self.warnings)
        self.say(tr("One writer or two?"), "")

    def say(self, head: str, sentence: str) -> None:
        """Say something where there is no verdict."""
        self.head.setText(head)
        self.statement.setText(sentence)
        for each in (self.more, self.ends, self.scale, self.score, self.attributions, self.warnings):
            each.hide()

    def show_result(self, result: PairResult) -> None:
        """Show what was found about two texts."""
        found = opinion.pair_findings(result)
        said, more = "\n".join(reasons.sentences(result.reasons)), found.statement if found is not None else ""
        if result.given and found is not None:
            said, more = found.statement, found.support
        self.head.setText(tr("Opinion") if result.given else tr("No opinion"))
        self.statement.setText(said)
        self.more.setText(more)
        self.more.setVisible(bool(more))
        self.scale.show_ratio(result.ratio)
        for each in (self.scale, self.ends):
            each.setVisible(result.ratio is not None)
        self.score.setText(
            tr(
                "Beside it, and no part of it: DV-Bin's model score Pr(Same) {0}, from training with equal numbers of same-author and "
                "different-author pairs; not the probability that one person wrote both."
            ).format(numbers.score(result.score))
        )  # fmt: skip
        self.score.show()
        attributions = opinion.pair_attributions(result)
        self.attributions.setText(attributions)
        self.attributions.setVisible(bool(attributions))
        self.warnings.setText("\n".join(f"⚠ {warning}" for warning in reasons.sentences(result.warnings)))
        self.warnings.setVisible(bool(result.warnings))
