"""What was found in the known texts: a line on top, and the list it opens, each problem with its next step and its buttons."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListView,
    QPushButton,
    QScrollArea,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from forensia.corpus import Severity
from forensia.gui import export, icons, theme, widgets, words
from forensia.gui.snapshot import Finding, Snapshot
from forensia.gui.widgets import Index
from forensia.gui.words import tr
from forensia.report.tables import ReportTable
from forensia.wording.problems import message, next_step

_ROOT = QModelIndex()
Role = Qt.ItemDataRole
_ENCODING_CODES = ("undecodable", "encoding-proposed", "lost-characters", "mojibake")
_MERGE_CODES = ("similar-authors",)


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
            return words.one_line(f"{tr('Ignored')} · {told(finding)}" if finding.ignored else told(finding))
        if role == Role.ToolTipRole:
            why = f"\n{tr('Ignored: {0}').format(finding.ignored)}" if finding.ignored else ""
            return words.tip(f"{told(finding)}\n{next_step(problem)}{why}")
        if role == Role.ForegroundRole and finding.ignored:
            return QColor(theme.now().quiet)
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
    file = f"'{problem.file}': " if problem.file and problem.file not in message(problem) else ""
    counted = words.counted(finding.more, tr("more document"), tr("more documents"))
    more = f" ({tr('{0} like this').format(counted)})" if finding.more else ""
    return f"{file}{message(problem)}{more}"


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
        ignored = sum(bool(finding.ignored) for finding in shown.findings)
        if ignored:
            parts.append(self.tr("{0} ignored").format(ignored))
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
    merge = Signal(object)
    choose_encoding = Signal(object)
    ignore = Signal(object)
    heed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._left_out: frozenset[str] = frozenset()
        self._writable = True
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
        export.offer(self.list, self.tr("Problems"), self._table)
        self.message = widgets.label(bold=True)
        self.next_step = widgets.label()
        self.why = widgets.label(quiet=True)
        self.see = widgets.button(self.tr("Show documents"), lambda: self._emit(self.show_documents))
        self.out = widgets.button(self.tr("Leave out…"), lambda: self._emit(self.exclude))
        self.back = widgets.button(self.tr("Take back in"), lambda: self._emit(self.include))
        self.other = widgets.button(self.tr("Change author…"), lambda: self._emit(self.reassign))
        self.one = widgets.button(self.tr("Merge authors…"), lambda: self._emit(self.merge))
        self.coding = widgets.button(self.tr("Choose encoding…"), self._encoding)
        self.aside = widgets.button(self.tr("Ignore…"), lambda: self._emit_finding(self.ignore))
        self.up = widgets.button(self.tr("Stop ignoring"), lambda: self._emit_finding(self.heed))
        buttons = QHBoxLayout()
        for button in (self.see, self.out, self.back, self.other, self.one, self.coding, self.aside, self.up):
            buttons.addWidget(button)
        buttons.addStretch(1)
        words_ = QWidget()
        texts = QVBoxLayout(words_)
        texts.setContentsMargins(0, 0, 6, 0)
        for label in (self.message, self.next_step, self.why):
            texts.addWidget(label)
        texts.addStretch(1)
        area = QScrollArea()  # the message may name many files
        area.setWidgetResizable(True)
        area.setWidget(words_)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(self.tr("The chosen problem"))
        right = QVBoxLayout()
        right.addWidget(area, stretch=1)
        right.addLayout(buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 12, 12, 12)
        row.setSpacing(16)
        row.addWidget(self.list, stretch=4)
        row.addLayout(right, stretch=5)
        self.setMaximumHeight(230)

    def show_case(self, shown: Snapshot) -> None:
        row = self.list.currentIndex().row()
        self._left_out = frozenset(each.id for each in shown.documents if each.excluded is not None)
        self._writable = not shown.read_only
        self.model.set_findings(shown.findings)
        if self.model.rowCount():
            self.list.setCurrentIndex(self.model.index(min(max(row, 0), self.model.rowCount() - 1)))
        self._show()

    def _finding(self) -> Finding | None:
        return self.model.finding(self.list.currentIndex().row())

    def _show(self) -> None:
        """The chosen problem in words, and the buttons that can do something about it."""
        finding = self._finding()
        self.message.setText(told(finding) if finding else "")
        self.next_step.setText(self.tr("Next: {0}").format(next_step(finding.problem)) if finding else "")
        self.why.setText(self.tr("Ignored: {0}").format(finding.ignored) if finding and finding.ignored else "")
        names = frozenset(finding.documents) if finding else frozenset()
        code = finding.problem.code if finding else ""
        solvable = self._writable and finding is not None
        for button, wanted in (
            (self.see, bool(names)),
            (self.out, solvable and bool(names - self._left_out)),
            (self.back, solvable and bool(names & self._left_out)),
            (self.other, solvable and bool(names) and code not in _MERGE_CODES),
            (self.one, solvable and code in _MERGE_CODES),
            (self.coding, solvable and bool(finding and finding.files) and code in _ENCODING_CODES),
            (self.aside, solvable and bool(finding and _can_be_ignored(finding))),
            (self.up, solvable and bool(finding and finding.ignored)),
        ):
            button.setVisible(wanted)

    def _emit(self, signal: object) -> None:
        finding = self._finding()
        if finding is not None:
            signal.emit(finding.documents)  # type: ignore[attr-defined]

    def _emit_finding(self, signal: object) -> None:
        finding = self._finding()
        if finding is not None:
            signal.emit(finding)  # type: ignore[attr-defined]

    def _encoding(self) -> None:
        finding = self._finding()
        if finding is not None and finding.files:
            self.choose_encoding.emit(finding.files)

    def _table(self) -> ReportTable:
        heads = (tr("Severity"), tr("Problem"), tr("Next step"), tr("Documents"), tr("Ignored because"))
        rows = tuple(
            (each.problem.severity.value, told(each), next_step(each.problem), len(each.documents), each.ignored)
            for row in range(self.model.rowCount())
            if (each := self.model.finding(row)) is not None
        )
        return ReportTable(self.tr("Problems"), heads, rows)


def _can_be_ignored(finding: Finding) -> bool:
    """What must be solved cannot be talked away."""
    return not finding.ignored and finding.problem.severity is not Severity.BLOCKING
