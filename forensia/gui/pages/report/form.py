"""The form of a report: what no computation gives, and which disputed texts it is about, each with its exhibit."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from forensia.gui import widgets, words
from forensia.gui.snapshot import Snapshot
from forensia.gui.widgets import column, gap, panel, spring
from forensia.gui.words import tr
from forensia.report.details import CaseDetails, Exhibit

_ROWS_SEEN = 6
_LONGEST = 500  # letters of a line; what takes more has a larger field


def _lines() -> tuple[tuple[str, str, str], ...]:
    """The fields of one line: name in `CaseDetails`, words, example."""
    return (
        ("case_number", tr("Case number"), ""),
        ("title", tr("Title"), tr("Report on a disputed text")),
        ("client", tr("Instructed by"), ""),
        ("analyst", tr("Analyst"), ""),
        ("qualifications", tr("Qualifications"), ""),
        ("reviewer", tr("Reviewer"), ""),
        ("received", tr("Materials received"), tr("When and how the texts came")),
    )


def _areas() -> tuple[tuple[str, str, str], ...]:
    """The fields of several lines."""
    return (
        ("question", tr("Question"), tr("The question as it was put to you")),
        ("facts", tr("Facts"), tr("What you were told of the case, one fact a line")),
        ("propositions", tr("Propositions"), tr("The two propositions as you were instructed to weigh them, if you were")),
        ("population", tr("Relevant population"), tr("Who else could have written it")),
        ("conclusion", tr("Conclusion"), tr("In your own words, beside what the program states")),
    )  # fmt: skip


class ReportForm(QScrollArea):
    """Fields for everything in `CaseDetails` but its status and paper."""

    edited = Signal()

    def __init__(self, now: CaseDetails, shown: Snapshot) -> None:
        super().__init__()
        self._now = now
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(tr("Details of the case"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.lines: dict[str, QLineEdit] = {}
        self.areas: dict[str, QPlainTextEdit] = {}
        form = QFormLayout()
        form.setSpacing(8)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for name, text, example in _lines():
            self.lines[name] = line = QLineEdit()
            line.setMaxLength(max(_LONGEST, len(getattr(now, name))))
            line.setText(getattr(now, name))
            line.setCursorPosition(0)
            line.setPlaceholderText(example)
            line.textEdited.connect(self._changed)
            _add(form, text, line)
        for name, text, example in _areas():
            kept = getattr(now, name)
            self.areas[name] = area = QPlainTextEdit("\n".join(kept) if name == "facts" else kept)
            area.setTabChangesFocus(True)
            area.setPlaceholderText(example)
            area.setFixedHeight(area.fontMetrics().lineSpacing() * 3 + 18)
            area.textChanged.connect(self._changed)
            _add(form, text, area)
        self.texts = self._texts(shown)
        texts = widgets.label(tr("Disputed texts in this report"), bold=True)
        details = widgets.label(tr("Details of the case"), bold=True)
        inside = column(texts, self.texts, gap(6), details, form, spring(), margins=(0, 0, 12, 0), spacing=8)
        self.setWidget(panel(inside))

    def in_order(self) -> list[QWidget]:
        """The fields as Tab goes through them."""
        return [self.texts, *self.lines.values(), *self.areas.values()]

    def details(self) -> CaseDetails:
        """What the form says; what it has no field for stays as it was."""
        said: dict[str, object] = {name: line.text().strip() for name, line in self.lines.items()}
        said |= {name: area.toPlainText().strip() for name, area in self.areas.items() if name != "facts"}
        facts = (line.strip() for line in self.areas["facts"].toPlainText().splitlines())
        return replace(self._now, **said, facts=tuple(filter(None, facts)), exhibits=self._exhibits())  # type: ignore[arg-type]

    def documents(self) -> list[str]:
        """The ids of the texts that are ticked."""
        rows = (self.texts.item(row, 0) for row in range(self.texts.rowCount()))
        return [
            row.data(Qt.ItemDataRole.UserRole)[0] for row in rows if row and row.checkState() is Qt.CheckState.Checked
        ]

    def _changed(self, *_: object) -> None:
        self.edited.emit()

    def _texts(self, shown: Snapshot) -> QTableWidget:
        """The disputed texts; only one whose result rests on the case as it is can be reported on."""
        table = QTableWidget(len(shown.disputed), 2)
        table.setAccessibleName(tr("Disputed texts in this report"))
        table.setAccessibleDescription(tr("Space ticks a text; F2 in the second column names its exhibit."))
        table.setHorizontalHeaderLabels([tr("Text"), tr("Exhibit")])
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        table.horizontalHeader().setHighlightSections(False)
        table.horizontalHeader().setStretchLastSection(True)
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setColumnWidth(0, 300)
        flag = Qt.ItemFlag
        for row, each in enumerate(shown.disputed):
            result = shown.results.get(each.id)
            ready = result is not None and result.current
            why = "" if ready else tr("out of date") if result else tr("not analysed")
            text = words.one_line(each.title)
            item = QTableWidgetItem(f"{text} ({why})" if why else text)
            item.setData(Qt.ItemDataRole.UserRole, (each.id, each.path or each.title))
            item.setFlags(flag.ItemIsSelectable | (flag.ItemIsEnabled | flag.ItemIsUserCheckable if ready else flag(0)))
            item.setCheckState(Qt.CheckState.Checked if ready else Qt.CheckState.Unchecked)
            item.setToolTip(words.tip(each.path or each.title))
            table.setItem(row, 0, item)
            exhibit = QTableWidgetItem(self._now.exhibit(each.path or each.title))
            exhibit.setToolTip(words.tip(tr("The name of this text in the case, such as JH/1")))
            table.setItem(row, 1, exhibit)
        high = table.verticalHeader().defaultSectionSize() * max(2, min(len(shown.disputed), _ROWS_SEEN))
        table.setFixedHeight(table.horizontalHeader().sizeHint().height() + high + 6)
        if shown.disputed:
            table.setCurrentCell(0, 0)
        table.itemChanged.connect(self._changed)
        return table

    def _exhibits(self) -> tuple[Exhibit, ...]:
        """Those in the table, and those of other files as they were."""
        labels: dict[str, str] = {}
        for row in range(self.texts.rowCount()):
            text, label = self.texts.item(row, 0), self.texts.item(row, 1)
            if text is not None and label is not None:
                labels[text.data(Qt.ItemDataRole.UserRole)[1]] = label.text().strip()
        kept = [replace(each, label=labels.pop(each.file, each.label)) for each in self._now.exhibits]
        kept += [Exhibit(label, file) for file, label in labels.items()]
        return tuple(each for each in kept if each.label)


def _add(form: QFormLayout, text: str, field: QWidget) -> None:
    label = widgets.label(text, quiet=True, wrap=False)
    label.setBuddy(field)
    field.setAccessibleName(text)
    form.addRow(label, field)
