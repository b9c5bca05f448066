"""What the answer rests on: how much each family of features counts in the fused ranking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtWidgets import QVBoxLayout, QWidget

from forensia.gui import help, widgets, words
from forensia.gui.widgets import SHARE, BarDelegate
from forensia.gui.widgets.table import RowColumn, RowsTable
from forensia.gui.words import tr


@dataclass(frozen=True)
class WeightRow:
    """A family of features with its weight, and that weight as a share of the largest."""

    family: str
    weight: float
    share: float


class WeightsView(QWidget):
    """A heading, a sentence and the table, the heaviest family first; hidden where there is no fused ranking."""

    def __init__(self) -> None:
        super().__init__()
        self.table: RowsTable[WeightRow] = RowsTable(
            tr("What the answer rests on"),
            (
                RowColumn(
                    tr("Looked at"),
                    lambda row: words.family_name(row.family),
                    raw=lambda row: row.family,
                    tip=lambda row: tr("Called '{0}' in reports").format(row.family),
                ),
                RowColumn(
                    tr("Weight"),
                    lambda row: f"{row.weight:.2f}",
                    tr("What the scores of this family are multiplied by, each in units of its spread"),
                    raw=lambda row: row.weight,
                    roles={SHARE: lambda row: row.share},
                    right=True,
                    width=150,
                ),
            ),
            high=13,
        )
        self.table.setItemDelegateForColumn(1, BarDelegate(self.table))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 0)
        column.setSpacing(4)
        column.addWidget(help.heading(tr("What the answer rests on"), "fused"))
        column.addWidget(
            widgets.label(
                tr(
                    "How much each thing that is looked at counts in the fused ranking. The weights are those under which known texts, "
                    "each left out in turn, go to their authors; what did not help has the weight 0."
                ),
                quiet=True,
                scale=0.92,
            )
        )
        column.addWidget(self.table, stretch=1)
        self.show_weights({})

    def show_weights(self, weights: Mapping[str, float]) -> None:
        """Show those of another validation."""
        largest = max(weights.values(), default=0.0)
        rows = [WeightRow(family, weight, weight / largest if largest else 0.0) for family, weight in weights.items()]
        self.table.rows.set_rows(sorted(rows, key=lambda row: -row.weight))
        self.setVisible(bool(rows))
