"""What was found in the known texts: a line on top, and the list it opens, each problem with its next step and its buttons."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListView,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from forensia.corpus import Severity
from forensia.gui import icons, theme, widgets, words
from forensia.gui.snapshot import Finding, Snapshot
from forensia.gui.widgets import Index

_ROOT = QModelIndex()
Role = Qt.ItemDataRole
_ENCODING_CODES = ("undecodable", "encoding-proposed", "lost-characters")


def severity_colour(severity: Severity) -> str:
    """The name of the colour that goes with a severity; its icon has a form of its own."""
    return {Severity.BLOCKING: "blocking", Severity.WARNING: "warning", Severity.NOTE: "quiet"}[severity]


class FindingsModel(QAbstractListModel):
    """The problems as lines, the gravest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._findings: tuple[Finding, ...] = ()

    def set_findings(self, findings: tuple[Finding, ...]) -> None:
        if findings == self._findings:
            return
        self.beginResetModel()
        self._findings = findings
        self.endResetModel()

    def finding(self, row: int) -> Finding | None:
        return self._findings[row] if 0 <= row < len(self._findings) else None

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._findings)

    def data(self, index: Index, role: int = Role.DisplayRole) -> object:
        finding = self.finding(index.row()) if index.isValid() else None
        if finding is None:
            return None
        problem = finding.problem
        if role == Role.DisplayRole:
            return words.one_line(told(finding))
        if role == Role.ToolTipRole:
            return words.tip(f"{told(finding)}\n{problem.next_step}")
        if role == Role.DecorationRole:
            parent = QObject.parent(self)
            if isinstance(parent, QWidget):
                return icons.icon(problem.severity.value, getattr(theme.now(), severity_colour(problem.severity)))
        if role == Role.AccessibleTextRole:
            return f"{problem.severity.value}: {told(finding)}"
        return None


def told(finding: Finding) -> str:
    """The message of a problem, and how many others are like it."""
    problem = finding.problem
    file = f"'{problem.file}': " if problem.file and problem.file not in problem.message else ""
    more = f" ({words.counted(finding.more, 'more document', 'more documents')} like this)" if finding.more else ""
    return f"{file}{problem.message}{more}"


class ProblemLine(QPushButton):
    """The one line that says how it stands; pressing it opens the list."""

    def __init__(self) -> None:
        super().__init__()
        self.setCheckable(True)
        self.setProperty("flat", True)
        self.setIconSize(QSize(18, 18))
        self._shown: Snapshot | None = None

    def show_case(self, shown: Snapshot) -> None:
        self._shown = shown
        blocking, warnings, notes = (shown.count(each) for each in (Severity.BLOCKING, Severity.WARNING, Severity.NOTE))
        parts = []
        if blocking:
            parts.append(self.tr("{0} must be solved before training").format(blocking))
        if warnings:
            parts.append(words.counted(warnings, self.tr("warning"), self.tr("warnings")))
        if notes:
            parts.append(words.counted(notes, self.tr("note"), self.tr("notes")))
        text = " · ".join(parts) if parts else self.tr("No problems found")
        self.setText(f"{text}   {'▴' if self.isChecked() else '▾'}" if parts else text)
        self.setAccessibleName(self.tr("Problems: {0}").format(text))
        self.setCheckable(bool(parts))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if parts else Qt.FocusPolicy.NoFocus)
        sign, colour = (
            ("blocking", "blocking") if blocking else ("warning", "warning") if warnings else ("note", "quiet")
        )
        if not parts:
            sign, colour = "done", "support"
        self.setIcon(icons.icon(sign, getattr(theme.now(), colour)))


class _OneLine(QStyledItemDelegate):
    """A line as wide as the list, so that what does not fit is elided instead of scrolled to."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(40, super().sizeHint(option, index).height() + 2)


class ProblemPanel(QFrame):
    """The list, and what can be done about the chosen problem."""

    show_documents = Signal(object)
    exclude = Signal(object)
    include = Signal(object)
    reassign = Signal(object)
    choose_encoding = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.model = FindingsModel(self)
        self.list = QListView()
        self.list.setAccessibleName(self.tr("Problems"))
        self.list.setModel(self.model)
        self.list.setIconSize(QSize(16, 16))
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(_OneLine(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.selectionModel().currentChanged.connect(lambda *_: self._show())
        self.message = widgets.label(bold=True)
        self.next_step = widgets.label()
        self.see = widgets.button(self.tr("Show documents"), lambda: self._emit(self.show_documents))
        self.out = widgets.button(self.tr("Leave out…"), lambda: self._emit(self.exclude))
        self.back = widgets.button(self.tr("Take back in"), lambda: self._emit(self.include))
        self.other = widgets.button(self.tr("Change author…"), lambda: self._emit(self.reassign))
        self.coding = widgets.button(self.tr("Choose encoding…"), self._encoding)
        buttons = QHBoxLayout()
        for button in (self.see, self.out, self.back, self.other, self.coding):
            buttons.addWidget(button)
        buttons.addStretch(1)
        right = QVBoxLayout()
        right.addWidget(self.message)
        right.addWidget(self.next_step)
        right.addStretch(1)
        right.addLayout(buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 12, 12, 12)
        row.setSpacing(16)
        row.addWidget(self.list, stretch=4)
        row.addLayout(right, stretch=5)
        self.setMaximumHeight(230)

    def show_case(self, shown: Snapshot) -> None:
        row = self.list.currentIndex().row()
        self.model.set_findings(shown.findings)
        if self.model.rowCount():
            self.list.setCurrentIndex(self.model.index(min(max(row, 0), self.model.rowCount() - 1)))
        self._show(shown.read_only == "")

    def _finding(self) -> Finding | None:
        return self.model.finding(self.list.currentIndex().row())

    def _show(self, writable: bool = True) -> None:
        finding = self._finding()
        self.message.setText(told(finding) if finding else "")
        self.next_step.setText(self.tr("Next: {0}").format(finding.problem.next_step) if finding else "")
        documents = bool(finding and finding.documents)
        self.see.setVisible(documents)
        for button in (self.out, self.back, self.other):
            button.setVisible(documents and writable)
        self.coding.setVisible(bool(finding and finding.files and finding.problem.code in _ENCODING_CODES) and writable)

    def _emit(self, signal: object) -> None:
        finding = self._finding()
        if finding is not None:
            signal.emit(finding.documents)  # type: ignore[attr-defined]

    def _encoding(self) -> None:
        finding = self._finding()
        if finding is not None and finding.files:
            self.choose_encoding.emit(finding.files[0])
