"""The verdict between two texts: one writer or two, with the likelihood ratio on its scale and what must be kept in mind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from forensia.gui import widgets
from forensia.gui.help import HelpButton
from forensia.gui.views import numbers
from forensia.gui.views.numbers import Ratio
from forensia.gui.views.scale import ScaleBar


def tr(text: str) -> str:
    """Words of this module in the user's language."""
    return QCoreApplication.translate("", text)


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
        self.warnings = widgets.label(scale=0.92)
        self.warnings.setProperty("warning", True)
        for each, name in (
            (self.head, tr("Verdict")),
            (self.statement, tr("Verdict in words")),
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
        column.addWidget(self.warnings)
        self.say(tr("One writer or two?"), "")

    def say(self, head: str, sentence: str) -> None:
        """Say something where there is no verdict."""
        self.head.setText(head)
        self.statement.setText(sentence)
        for each in (self.more, self.ends, self.scale, self.score, self.warnings):
            each.hide()

    def show_found(self, found: Mapping[str, Any]) -> None:
        """Show what was found about two texts."""
        opinion = found["opinion"]
        numbers_of = opinion.get("findings") or {}
        given = bool(opinion["given"])
        self.head.setText(tr("Opinion") if given else tr("No opinion"))
        self.statement.setText(
            str(numbers_of.get("statement", opinion["statement"])) if given else "\n".join(opinion["reasons"])
        )
        more = str(numbers_of.get("support", "")) if given else str(numbers_of.get("statement", ""))
        self.more.setText(more)
        self.more.setVisible(bool(more))
        ratio = Ratio.of(found["log10_lr"], found["log10_lr_interval"], found["bounded"])
        self.scale.show_ratio(ratio)
        for each in (self.scale, self.ends):
            each.setVisible(ratio.value is not None)
        self.score.setText(
            tr(
                "Model score Pr(Same) {0}, from training with equal numbers of same-author and different-author pairs; not the "
                "probability that one person wrote both."
            ).format(numbers.score(found["score"]))
        )  # fmt: skip
        self.score.show()
        self.warnings.setText("\n".join(f"⚠ {warning}" for warning in found["warnings"]))
        self.warnings.setVisible(bool(found["warnings"]))
