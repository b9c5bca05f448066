"""The Corpus page: who is there, which texts, what is wrong with them, and what can be done about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QSplitter,
    QTableView,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from forensia.corpus import Document, ReadOptions
from forensia.corpus.decoding import ENCODINGS
from forensia.errors import ForensiaError
from forensia.gui import dialogs, widgets, words
from forensia.gui.desk import Desk
from forensia.gui.drawing import Plot
from forensia.gui.errands import Effect
from forensia.gui.pages import documents as columns
from forensia.gui.pages.authors import AuthorsTree
from forensia.gui.pages.documents import DocumentsFilter, DocumentsModel
from forensia.gui.pages.empty import Empty, FolderPicture
from forensia.gui.pages.options import OptionsPanel
from forensia.gui.pages.page import Page
from forensia.gui.pages.preview import Preview
from forensia.gui.pages.problems import ProblemLine, ProblemPanel
from forensia.gui.plotpane import PlotPane
from forensia.gui.snapshot import Snapshot


class CorpusPage(Page):
    """Empty until texts are there; then authors on the left, documents in the middle, the chosen text on the right."""

    open_folder = Signal()
    open_case = Signal()
    train = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.empty = Empty(
            self.tr("Drop a folder of texts whose authors you know"),
            self.tr(
                "Anywhere on this window. A folder for each author with their texts inside is understood at once; so are "
                "tables (CSV, JSON) and several published collections."
            ),
            (
                widgets.button(self.tr("Open folder…"), self.open_folder.emit, primary=True),
                widgets.button(self.tr("Open case…"), self.open_case.emit),
                widgets.button(self.tr("Try the sample case"), desk.sample),
            ),
            FolderPicture(),
        )
        self.addWidget(self.empty)
        self.addWidget(self._build())

    # Building

    def _build(self) -> QWidget:
        self.title = widgets.ElidedLabel()
        font = self.title.font()
        font.setPointSizeF(font.pointSizeF() * 1.35)
        font.setBold(True)
        self.title.setFont(font)
        self.totals = widgets.label(quiet=True, wrap=False)
        self.line = ProblemLine()
        self.line.toggled.connect(self._unfold)
        self.onward = widgets.button(self.tr("Train a model ▸"), self.train.emit, primary=True)
        self.panel = ProblemPanel()
        self.panel.hide()
        self.panel.show_documents.connect(self._show_only)
        self.panel.exclude.connect(self._exclude)
        self.panel.include.connect(lambda names: self.desk.include(list(names)))
        self.panel.reassign.connect(self._reassign)
        self.panel.choose_encoding.connect(self._encoding)
        head = QHBoxLayout()
        head.addWidget(self.title, stretch=1)
        head.addWidget(self.totals)
        head.addSpacing(12)
        head.addWidget(self.onward)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setHandleWidth(10)
        split.setChildrenCollapsible(False)
        for place, (stretch, width) in enumerate(((0, 256), (3, 500), (2, 284))):
            side = (self._left, self._middle, self._right)[place]()
            side.setMinimumWidth(width - 50)
            split.addWidget(side)
            split.setStretchFactor(place, stretch)
        split.setSizes([256, 500, 284])
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(18, 14, 18, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.line, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.panel)
        column.addWidget(split, stretch=1)
        return page

    def _left(self) -> QWidget:
        self.tree = AuthorsTree()
        self.tree.chosen.connect(self._choose_author)
        self.chart = PlotPane(self.tr("Documents and words by author"), self.desk.drawer)
        self.chart.setFixedHeight(210)
        self.frame = widgets.card(self.chart, margin=6)
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.tree, stretch=1)
        column.addWidget(self.frame)
        return side

    def _middle(self) -> QWidget:
        self.filter = QLineEdit()
        self.filter.setAccessibleName(self.tr("Filter documents"))
        self.filter.setPlaceholderText(self.tr("Filter by author, title, source, remark"))
        self.filter.setClearButtonEnabled(True)
        self.state = QComboBox()
        self.state.setAccessibleName(self.tr("Which documents"))
        self.state.addItems([self.tr("All"), self.tr("With remarks"), self.tr("Left out"), self.tr("In use")])
        self.table = QTableView()
        self.table.setAccessibleName(self.tr("Documents"))
        self.model = DocumentsModel(self.table)
        self.proxy = DocumentsFilter(self.model, self.table)
        self.table.setModel(self.proxy)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setShowGrid(False)
        self.table.setWordWrap(False)
        self.table.setTabKeyNavigation(False)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(self.table.fontMetrics().height() + 10)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setStretchLastSection(True)
        header.setMinimumSectionSize(44)
        for column, width in (
            (columns.AUTHOR, 110),
            (columns.TITLE, 92),
            (columns.SOURCE, 66),
            (columns.WORDS, 56),
            (columns.ENCODING, 70),
            (columns.PROBLEMS, 60),
        ):
            header.resizeSection(column, width)  # fmt: skip
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(columns.AUTHOR, Qt.SortOrder.AscendingOrder)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._menu)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._chosen())
        self.filter.textChanged.connect(self._filtered)
        self.state.currentIndexChanged.connect(self._filtered)
        self.counted = widgets.label(quiet=True, wrap=False)
        self.out = widgets.button(self.tr("Leave out…"), lambda: self._exclude(self.selected()))
        self.back = widgets.button(self.tr("Take back in"), lambda: self.desk.include(self.selected()))
        self.other = widgets.button(self.tr("Change author…"), lambda: self._reassign(self.selected()))
        self.all = widgets.button(self.tr("Show all"), lambda: self._show_only(None))
        top = QHBoxLayout()
        top.addWidget(self.filter, stretch=1)
        top.addWidget(self.state)
        below = QHBoxLayout()
        below.addWidget(self.counted, stretch=1)
        for button in (self.all, self.out, self.back, self.other):
            below.addWidget(button)
        side = QWidget()
        column_ = QVBoxLayout(side)
        column_.setContentsMargins(0, 0, 0, 0)
        column_.setSpacing(8)
        column_.addLayout(top)
        column_.addWidget(self.table, stretch=1)
        column_.addLayout(below)
        return side

    def _right(self) -> QWidget:
        self.preview = Preview()
        self.options = OptionsPanel()
        self.options.wanted.connect(self._try)
        self.options.apply.connect(self.desk.reread)
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(self.tr("Text and options"))
        self.tabs.addTab(self.preview, self.tr("Text"))
        self.tabs.addTab(self.options, self.tr("Reading options"))
        self.tabs.setDocumentMode(True)
        return self.tabs

    # Showing

    def refresh(self) -> None:
        """Show the case as it is now."""
        shown = self.desk.shown
        if shown is None or not shown.documents:
            self.setCurrentIndex(0)
            return
        self.setCurrentIndex(1)
        self.title.setText(self.tr("Known texts"))
        active = shown.active
        self.totals.setText(
            " · ".join(
                (
                    words.counted(len({each.author for each in active}), self.tr("author"), self.tr("authors")),
                    words.counted(len(active), self.tr("document"), self.tr("documents")),
                    words.counted(sum(each.words for each in active), self.tr("word"), self.tr("words")),
                )
            )
        )
        self._unfold(self.line.isChecked() and bool(shown.findings))
        self.panel.show_case(shown)
        self.model.set_documents(shown.documents)
        self.tree.show_documents(shown.documents)
        self.options.show_options(shown.reading, not shown.read_only)
        self._chosen()
        self._draw(shown)

    def _draw(self, shown: Snapshot) -> None:
        counts: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
        for each in shown.active:
            documents, total = counts[each.author]
            counts[each.author] = (documents + 1, total + each.words)
        pairs = list(counts.values())
        data = {"documents": [pair[0] for pair in pairs], "words": [pair[1] for pair in pairs]}
        self.chart.show_plot(Plot("by_author_small", data) if pairs else None)

    def selected(self) -> list[str]:
        """The ids of the chosen documents."""
        rows = self.table.selectionModel().selectedRows()
        return [self.model.document(self.proxy.mapToSource(index).row()).id for index in rows]

    def select(self, names: Sequence[str]) -> None:
        """Choose documents as clicks would."""
        wanted = set(names)
        selection = self.table.selectionModel()
        selection.clear()
        how = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        for row in range(self.proxy.rowCount()):
            index = self.proxy.index(row, 0)
            if self.model.document(self.proxy.mapToSource(index).row()).id in wanted:
                selection.select(index, how)

    def _chosen(self) -> None:
        """The selection has changed: what can be done, and which text is shown."""
        names = self.selected()
        shown = self.desk.shown
        if shown is None:
            return
        by_id = {each.id: each for each in shown.documents}
        writable = not shown.read_only
        chosen = [by_id[name] for name in names if name in by_id]
        self.out.setEnabled(writable and any(each.excluded is None for each in chosen))
        self.back.setEnabled(writable and any(each.excluded is not None for each in chosen))
        self.other.setEnabled(writable and bool(chosen))
        self.all.setVisible(self.proxy.only is not None)
        total = self.proxy.rowCount()
        text = words.counted(total, self.tr("document"), self.tr("documents"))
        if total != len(shown.documents):
            text = self.tr("{0} of {1}").format(
                f"{total:,}", words.counted(len(shown.documents), self.tr("document"), self.tr("documents"))
            )
        self.counted.setText(self.tr("{0} · {1} chosen").format(text, len(names)) if len(names) > 1 else text)
        current = self.table.selectionModel().currentIndex()
        name = ""
        if current.isValid() and self.table.selectionModel().isRowSelected(current.row(), QModelIndex()):
            name = self.model.document(self.proxy.mapToSource(current).row()).id
        elif names:
            name = names[0]
        if not name:
            self.preview.show_document(None)
            return
        self.desk.look_up(name, self._read)

    def _read(self, found: Document | ForensiaError) -> None:
        if isinstance(found, ForensiaError):
            self.preview.show_document(None, str(found))
        else:
            self.preview.show_document(found)

    def _choose_author(self, author: str | None, source: str | None) -> None:
        self.proxy.set_author(author, source)
        self._chosen()

    def _filtered(self) -> None:
        self.proxy.set_words(self.filter.text())
        self.proxy.set_state(self.state.currentIndex())
        self._chosen()

    def _show_only(self, names: Sequence[str] | None) -> None:
        if names is not None:
            self.tree.setCurrentIndex(self.tree.authors.index(0, 0))
            self.filter.clear()
            self.state.setCurrentIndex(0)
        self.proxy.set_only(None if names is None else frozenset(names))
        if names is not None:
            self.select(names)
            self.table.setFocus()
        self._chosen()

    def _unfold(self, opened: bool) -> None:
        self.panel.setVisible(opened)
        self.frame.setVisible(not opened)  # the authors need the place more
        if self.desk.shown is not None:
            self.line.show_case(self.desk.shown)

    def _menu(self, place: QPoint) -> None:
        menu = QMenu(self.table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button in (self.out, self.back, self.other):
            menu.addAction(button.text(), button.click).setEnabled(button.isEnabled())
        menu.popup(self.table.viewport().mapToGlobal(place))

    # Choices

    def _exclude(self, names: Sequence[str]) -> None:
        listed = list(names)
        if listed:
            dialogs.ask_reason(self, len(listed), lambda reason: self.desk.exclude(listed, reason))

    def _reassign(self, names: Sequence[str]) -> None:
        shown = self.desk.shown
        listed = list(names)
        if shown is None or not listed:
            return
        now = next((each.author for each in shown.documents if each.id == listed[0]), "")
        dialogs.ask_author(
            self, shown.authors, now, len(listed), lambda author: self.desk.reassign(listed, author.strip())
        )

    def _encoding(self, file: str) -> None:
        shown = self.desk.shown
        if shown is None:
            return
        reading = shown.reading

        def answered(encoding: str) -> None:
            self.desk.reread(replace(reading, encodings={**reading.encodings, file: encoding}))

        dialogs.ask_encoding(self, file, ENCODINGS, answered)

    def _try(self, options: ReadOptions) -> None:
        """Try options out in the background; what was begun for older ones is stopped."""

        def done(found: Effect) -> None:
            if self.options.options() == options:
                self.options.show_effect(found)

        self.desk.try_out(options, done)
