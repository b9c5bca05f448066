"""Both rankings of a disputed text side by side: author, score with a bar, by Lazy and by Stacked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from forensia.gui import export, words
from forensia.gui.export import RAW
from forensia.gui.widgets import SHARE, BarDelegate, Index

_ROOT = QModelIndex()
Role = Qt.ItemDataRole
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class RankingsModel(QAbstractTableModel):
    """One row an author, in the order of the Lazy ranking."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[tuple[int, str, float, float, int]] = []
        self._heads = ("#", self.tr("Author"), self.tr("Lazy"), self.tr("Stacked"), self.tr("Stacked #"))
        self._tips = (
            self.tr("Rank by Lazy"),
            self.tr("Candidate author"),
            self.tr("Mean model score of the author's nearest documents"),
            self.tr("Score of a second model that weighs all comparisons together"),
            self.tr("Rank by Stacked"),
        )

    def set_result(self, result: Mapping[str, Any] | None) -> None:
        self.beginResetModel()
        stacked = {row["author"]: row for row in result["stacked"]} if result else {}
        self._rows = [
            (
                int(row["rank"]),
                str(row["author"]),
                float(row["score"]),
                float(stacked.get(row["author"], {}).get("score", 0.0)),
                int(stacked.get(row["author"], {}).get("rank", 0)),
            )
            for row in (result["lazy"] if result else ())
        ]
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._heads)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> object:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._heads):
            return None
        if role == Role.DisplayRole:
            return self._heads[section]
        if role == Role.ToolTipRole:
            return words.tip(self._tips[section])
        return _RIGHT if role == Role.TextAlignmentRole and section != 1 else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        if not index.isValid() or not 0 <= index.row() < len(self._rows):
            return None
        rank, author, lazy, stacked, second = self._rows[index.row()]
        column = index.column()
        if role == Role.DisplayRole:
            return (str(rank), words.one_line(author), f"{lazy:.2f}", f"{stacked:.2f}", str(second or "–"))[column]
        if role == RAW:
            return (rank, author, lazy, stacked, second or None)[column]
        if role == SHARE and column in (2, 3):
            return (lazy, stacked)[column - 2]
        if role == Role.TextAlignmentRole:
            return _RIGHT if column != 1 else None
        if role == Role.ToolTipRole:
            return words.tip(author) if column == 1 else None
        if role == Role.FontRole and ((rank == 1 and column in (1, 2)) or (second == 1 and column == 3)):
            font = QFont()
            font.setBold(True)
            return font
        return None


class RankingsTable(QTableView):
    """The rankings as a quiet table."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Rankings of the candidate authors"))
        self.rankings = RankingsModel(self)
        self.setModel(self.rankings)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 15)
        bars = BarDelegate(self)
        self.setItemDelegateForColumn(2, bars)
        self.setItemDelegateForColumn(3, bars)
        export.offer(self, self.tr("Rankings of the candidate authors"))
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        for column, width in ((0, 36), (2, 86), (3, 86), (4, 80)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, width)
