"""Several texts: which of them are by one writer? The texts to tick, the answer, all pairs as a figure and as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QTabWidget,
    QWidget,
)

from forensia.evidence.writers import Grouping, TextPair
from forensia.gui import dialogs, drops, help, widgets, words
from forensia.gui.lane import Questions
from forensia.gui.snapshot import Snapshot
from forensia.gui.tasks import inquiries
from forensia.gui.tasks.plots import PairMapPlot
from forensia.gui.widgets import column, fields, panel, row, split, spring
from forensia.gui.widgets.plotpane import Drawer, PlotPane
from forensia.gui.widgets.table import RowColumn, RowsTable, number
from forensia.gui.words import tr
from forensia.jobs.worker import Worker
from forensia.wording import numbers, reasons, writers
from forensia.wording.ratios import NOT_ESTIMABLE

_FEWEST = 3  # two are compared side by side
_TEXT = Qt.ItemDataRole.UserRole
Text = Mapping[str, str]


def keep_button(pressed: Callable[[], None]) -> QPushButton:
    """The button that has a comparison kept in the case."""
    tip = tr("Keep this comparison in the case, with its texts: the report tells it, and it can be verified")
    return widgets.button(tr("Keep"), pressed, tip=tip)


class SeveralTexts(QWidget):
    """The disputed texts of the case and files that are dropped here; those that are ticked are compared when the button is pressed."""

    back = Signal()
    kept = Signal(object)  # the texts whose comparison is to be kept in the case

    def __init__(self, worker: Worker, drawer: Drawer) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self._case = ""
        self._model = ""
        self.questions = Questions(worker, self)
        self.questions.moved.connect(self._move)
        self.list = fields.named(QListWidget(), tr("Texts to compare"))
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.itemChanged.connect(lambda *_: self._wait())
        self.files = widgets.button(tr("Add files…"), lambda: self.add(dialogs.ask_texts(self)))
        self.all = widgets.button("", self._tick_all)
        self.button = widgets.button("", self.compare, primary=True)
        self.stop = widgets.button(tr("Cancel"), self._wait)
        self.keep = keep_button(self._keep)
        self._keeping: list[Text] = []  # those whose comparison is being kept
        self._stored = 0  # how many comparisons the case keeps
        self.bar = fields.bar(tr("Comparing"))
        self.head = widgets.label(tr("Are these texts by one writer?"), bold=True, scale=1.15)
        self.answer = widgets.label()
        self.groups = widgets.label()
        self.error = widgets.label(quiet=True)
        self.pane = PlotPane(tr("All pairs"), drawer, sideways=True)
        self.table: RowsTable[_Pair] = RowsTable(tr("Pairs of texts"), _columns())
        self.results = fields.named(QTabWidget(), tr("What was found"))
        self.results.setDocumentMode(True)
        self.results.addTab(widgets.card(self.pane, margin=2), tr("Figure"))
        self.results.addTab(self.table, tr("Pairs"))
        left = widgets.card(
            help.heading(tr("Several texts"), "several"),
            widgets.label(tr("Tick disputed texts of the case, or drop files here."), quiet=True),
            self.list,
            row(self.files, self.all, spring()),
            (widgets.button(tr("Two texts"), self.back.emit), Qt.AlignmentFlag.AlignLeft),
        )
        running = row(self.button, (self.bar, 1), self.stop, self.keep, spring(0))
        said = widgets.card(self.head, self.answer, self.groups, self.error, running)
        right = panel(column(said, (self.results, 1), spring(0), spacing=10))
        self.setLayout(column(split((left, 0, 290), (right, 1, 750)), margins=(18, 14, 18, 12)))
        self._wait()

    # Which texts

    def show_case(self, shown: Snapshot) -> None:
        """List the disputed texts of the case; another case begins anew, and with another model nothing that was found holds."""
        case, model = str(shown.path), shown.model.time if shown.model else ""
        self._settle(shown)
        with QSignalBlocker(self.list):
            if case != self._case:
                self.list.clear()
            there = {each.id: each for each in shown.disputed}
            for item in self._items:
                name = item.data(_TEXT).get("id")
                if name is not None and there.pop(name, None) is None:
                    self.list.takeItem(self.list.row(item))
            for each in there.values():
                self._put(words.one_line(each.title), {"id": each.id})
        if (case, model) != (self._case, self._model) or there:
            self._case, self._model = case, model
            self._wait()

    def add(self, files: Sequence[Path]) -> None:
        """List further files, ticked."""
        listed = [item.data(_TEXT) for item in self._items]
        with QSignalBlocker(self.list):
            for file in files:
                text = {"path": str(file)}
                if text not in listed:
                    self._put(words.one_line(file.name), text)
        self._wait()

    def _put(self, name: str, text: Text) -> None:
        item = QListWidgetItem(name)
        item.setData(_TEXT, dict(text))
        item.setToolTip(words.tip(text.get("path", name)))
        item.setCheckState(Qt.CheckState.Checked)
        self.list.addItem(item)

    @property
    def _items(self) -> list[QListWidgetItem]:
        return [self.list.item(place) for place in range(self.list.count())]

    @property
    def ticked(self) -> list[Text]:
        """The texts to compare, as an inquiry takes them."""
        return [item.data(_TEXT) for item in self._items if item.checkState() == Qt.CheckState.Checked]

    def _tick_all(self) -> None:
        state = Qt.CheckState.Unchecked if self.ticked else Qt.CheckState.Checked
        with QSignalBlocker(self.list):
            for item in self._items:
                item.setCheckState(state)
        self._wait()

    # Comparing

    def compare(self) -> None:
        """Compare the texts that are ticked."""
        texts = self.ticked
        self.answer.setText(tr("The first time takes a while: the known texts are read and grouped as these are."))
        self.button.hide()
        self.bar.setValue(0)
        self.bar.show()
        self.stop.show()
        self.questions.put(inquiries.compare_several, self.show_grouping, self._failed, case=self._case, texts=texts)

    def _keep(self) -> None:
        """Have the comparison that is shown kept in the case."""
        self._keeping = self.ticked
        self.kept.emit(self._keeping)

    def _settle(self, shown: Snapshot) -> None:
        """Once a comparison was kept, the files that were in it are disputed texts of the case: list them as such."""
        documents = shown.comparisons[-1].documents if shown.comparisons else ()
        before, self._stored = self._stored, len(shown.comparisons)
        if before == self._stored or len(documents) != len(self._keeping):
            return
        disputed = {each.id for each in shown.disputed}
        with QSignalBlocker(self.list):
            for item in self._items:
                text = item.data(_TEXT)
                name = documents[self._keeping.index(text)] if text in self._keeping else ""
                if name in disputed:
                    item.setData(_TEXT, {"id": name})
        self._keeping = []
        self.keep.setEnabled(False)

    def show_kept(self, grouping: Grouping) -> None:
        """Show what was kept of texts that may not be those that are ticked now."""
        self._wait()
        self.show_grouping(grouping)
        self.keep.hide()

    def _move(self, share: float, doing: str, left: float) -> None:
        self.bar.setValue(round(1000 * share))
        self.bar.setAccessibleDescription(doing)

    def _failed(self, sentence: str) -> None:
        self._wait()
        self.answer.setText(sentence)

    def show_grouping(self, grouping: Grouping) -> None:
        """Show what came of a comparison."""
        self._still()
        names = tuple(words.one_line(text.file) for text in grouping.texts)
        self.head.setText(tr("Are these {0} texts by one writer?").format(f"{len(names):,}"))
        self.answer.setText(writers.groups(grouping))
        listed = ("; ".join(names[text] for text in group) for group in grouping.groups)
        groups = [tr("{0}. {1}").format(place, group) for place, group in enumerate(listed, start=1)]
        self.groups.setText("\n".join(groups or writers.why_none(grouping)))
        self.groups.show()
        fields.say(self.error, " ".join(writers.error(grouping)))
        log10 = tuple(tuple(None if value != value else value for value in row) for row in grouping.log10.tolist())
        self.pane.show_plot(PairMapPlot(log10, names, grouping.groups))
        together = {text: place for place, group in enumerate(grouping.groups) for text in group}
        rows = [
            _Pair(names[each.a], names[each.b], each, together[each.a] == together[each.b] if together else None)
            for each in grouping.pairs
        ]
        self.table.rows.set_rows(sorted(rows, key=lambda row: -(row.log10 if row.log10 is not None else -99)))
        self.results.show()
        self.keep.setEnabled(True)
        self.keep.show()

    def _still(self) -> None:
        """Nothing is being compared."""
        for each in (self.bar, self.stop, self.button, self.keep):
            each.hide()

    def _wait(self) -> None:
        """Stop comparing; what was found before no longer holds: say what can be done."""
        self.questions.cancel()
        self._still()
        self._keeping = []
        for each in (self.groups, self.error, self.results):
            each.hide()
        ticked = len(self.ticked)
        self.head.setText(tr("Are these texts by one writer?"))
        self.answer.setText(
            tr("Every two of them are compared, and put into groups by one writer; how often such groups are wrong is tried "
               "on known texts.")
            if ticked >= _FEWEST else tr("Tick three texts or more.")
        )  # fmt: skip
        _rename(self.button, tr("Compare {0} texts").format(f"{ticked:,}"))
        self.button.setEnabled(ticked >= _FEWEST)
        self.button.show()
        _rename(self.all, tr("Tick none") if ticked else tr("Tick all"))
        self.all.setEnabled(self.list.count() > 0)

    # Drops: texts only; anything else goes on to the window

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if drops.texts_of(event.mimeData()):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.add(drops.texts_of(event.mimeData()))


def _rename(button: QPushButton, text: str) -> None:
    button.setText(text)
    button.setAccessibleName(text)


@dataclass(frozen=True)
class _Pair:
    """A row of the table."""

    first: str
    second: str
    pair: TextPair
    together: bool | None  # None where there are no groups

    @property
    def log10(self) -> float | None:
        return numbers.log10(self.pair.ratio)

    def end(self, place: int) -> float | None:
        """An end of the interval."""
        return numbers.end(self.pair.ratio, place)


def _interval(row: _Pair) -> str:
    low, high = row.end(0), row.end(1)
    if low is None or high is None:
        return numbers.NOTHING
    return tr("{0} to {1}").format(numbers.signed(low, 2), numbers.signed(high, 2))


def _group(row: _Pair) -> str:
    if row.together is None:
        return numbers.NOTHING
    return tr("the same") if row.together else tr("another")


def _why(row: _Pair) -> str:
    return "\n".join(reasons.sentences(row.pair.reasons))


def _columns() -> tuple[RowColumn[_Pair], ...]:
    return (
        RowColumn(tr("First text"), lambda row: row.first),
        RowColumn(tr("Second text"), lambda row: row.second),
        number(
            tr("log10 LR"), lambda row: row.log10, lambda log10: NOT_ESTIMABLE if log10 is None else numbers.signed(log10, 2),
            tr("Above 0 it speaks for one writer, below 0 for two"), spoken=lambda row: numbers.spoken(row.pair.ratio), width=100,
        ),
        RowColumn(tr("95 % interval"), _interval, raw=lambda row: row.end(0), right=True, width=130, drawn=True),
        RowColumn(tr("Lowest"), lambda row: numbers.signed(row.end(0), 2), raw=lambda row: row.end(0), hidden=True),
        RowColumn(tr("Highest"), lambda row: numbers.signed(row.end(1), 2), raw=lambda row: row.end(1), hidden=True),
        RowColumn(tr("Group"), _group, width=84),
        RowColumn(
            tr("Opinion"), lambda row: tr("given") if row.pair.given else tr("none"), tip=lambda row: _why(row) or tr("given"), width=76
        ),
    )  # fmt: skip
