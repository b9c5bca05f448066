"""The Corpus page: who is there, which texts, what is wrong with them, and what can be done about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSplitter, QTabWidget, QVBoxLayout, QWidget

from forensia.corpus import Document, ReadOptions, Role
from forensia.corpus.decoding import ENCODINGS
from forensia.corpus.layouts.records import several
from forensia.corpus.proposedsources import common_name, proposed
from forensia.corpus.sources import each_its_own, shared
from forensia.errors import ForensiaError
from forensia.gui import dialogs, widgets, words
from forensia.gui.desk import Desk
from forensia.gui.pages.authors import AuthorsTree
from forensia.gui.pages.documentspane import DocumentsPane
from forensia.gui.pages.options import OptionsPanel
from forensia.gui.pages.page import Page
from forensia.gui.pages.problems import ProblemLine, ProblemPanel
from forensia.gui.pages.prospects import Prospects
from forensia.gui.pages.sourceline import SourceLine
from forensia.gui.pages.welcome import Welcome
from forensia.gui.snapshot import NOT_KNOWN, Changes, Finding, Snapshot
from forensia.gui.tasks import Effect
from forensia.gui.tasks.plots import AuthorsPlot
from forensia.gui.widgets.plotpane import PlotPane
from forensia.gui.widgets.preview import Preview
from forensia.wording.problems import message

_MOST_OFFERED = 500  # sources in the list to choose from


class CorpusPage(Page):
    """Empty until texts are there; then authors on the left, documents in the middle, the chosen text on the right."""

    shows = Changes.CASE | Changes.CORPUS | Changes.MODEL
    open_folder = Signal()
    open_file = Signal()
    open_case = Signal()
    train = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._read_now: Document | None = None
        self.empty = Welcome(
            (
                widgets.button(self.tr("Open folder…"), self.open_folder.emit, primary=True),
                widgets.button(self.tr("Open case…"), self.open_case.emit),
                widgets.button(self.tr("Try the sample case"), desk.sample),
            )
        )
        self.empty.recent.connect(desk.open)
        self.addWidget(self.empty)
        self.addWidget(self._build())

    # Building

    def _build(self) -> QWidget:
        self.title = widgets.title()
        self.totals = widgets.label(quiet=True, wrap=False)
        self.line = ProblemLine()
        self.line.toggled.connect(self._unfold)
        self.add = widgets.button(
            self.tr("Add texts"),
            lambda: None,
            tip=self.tr("Further texts, of candidates or of a population around them; or drop them on the window"),
        )
        self.ways = QMenu(self)
        self.ways.addAction(self.tr("Folder…"), self.open_folder.emit)
        self.ways.addAction(self.tr("Table or population…"), self.open_file.emit)
        self.add.setMenu(self.ways)
        self.onward = widgets.button(self.tr("Train a model ▸"), self.train.emit, primary=True)
        self.panel = ProblemPanel()
        self.panel.hide()
        self.panel.show_documents.connect(self._show_only)
        self.panel.exclude.connect(self._exclude)
        self.panel.include.connect(self._include)
        self.panel.reassign.connect(self._reassign)
        self.panel.merge.connect(self._merge)
        self.panel.choose_encoding.connect(self._encoding)
        self.panel.ignore.connect(self._ignore)
        self.panel.heed.connect(self.desk.heed)
        self.source_line = SourceLine()
        self.source_line.use.connect(lambda finding: self.desk.set_sources(proposed(finding.problem)))
        self.source_line.ignore.connect(
            lambda finding: self.desk.ignore(finding, self.tr("These texts do not share a source."))
        )
        self.source_line.each.connect(lambda: self._each_its_own(self._every()))
        self.source_line.together.connect(lambda: self.documents.table.setFocus())
        self.source_line.unknown.connect(lambda: self.desk.ignore(NOT_KNOWN, self.tr("Not known.")))
        head = QHBoxLayout()
        head.addWidget(self.title, stretch=1)
        head.addWidget(self.totals)
        head.addSpacing(12)
        head.addWidget(self.add)
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
        column.addWidget(self.source_line)
        column.addWidget(split, stretch=1)
        return page

    def _left(self) -> QWidget:
        self.tree = AuthorsTree()
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
        self.documents = DocumentsPane()
        self.documents.chosen.connect(self._chosen)
        self.documents.leave_out.connect(self._exclude)
        self.documents.take_in.connect(self._include)
        self.documents.reassign.connect(self._reassign)
        self.documents.one_source.connect(self._one_source)
        self.documents.each_its_own.connect(self._each_its_own)
        self.documents.shared_source.connect(lambda names: self._share(names, True))
        self.documents.own_source.connect(lambda names: self._share(names, False))
        self.documents.candidates.connect(lambda names: self._set_role(names, Role.CANDIDATE))
        self.documents.population.connect(lambda names: self._set_role(names, Role.POPULATION))
        self.documents.no_source.connect(lambda names: self.desk.set_sources(dict.fromkeys(names, ())))
        self.tree.chosen.connect(self.documents.show_author)
        return self.documents

    def _right(self) -> QWidget:
        self.preview = Preview()
        self.options = OptionsPanel()
        self.options.wanted.connect(self._try)
        self.options.apply.connect(self.desk.reread)
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(self.tr("Text and options"))
        self.prospects = Prospects()
        self.prospects.role.connect(lambda role: self._set_role(self._every(), role))
        self.tabs.addTab(self.prospects, self.tr("Possible"))
        self.tabs.addTab(self.preview, self.tr("Text"))
        self.tabs.addTab(self.options, self.tr("Reading options"))
        self.tabs.setDocumentMode(True)
        return self.tabs

    # Showing

    def refresh(self) -> None:
        """Show the case as it is now."""
        shown = self.desk.shown
        if shown is None or not shown.documents:
            self._read_now = None
            self.setCurrentIndex(0)
            return
        self.title.setText(self.tr("Known texts"))
        total = words.counted(sum(each.words for each in shown.active), self.tr("word"), self.tr("words"))
        self.totals.setText(f"{words.known(*shown.known)} · {total}")
        self._unfold(self.line.isChecked() and bool(shown.findings))
        self.panel.show_case(shown)
        self.source_line.show_case(shown)
        self.tree.show_documents(shown.documents)
        self.prospects.show_case(shown)
        self.documents.show_case(shown)
        self.add.setEnabled(not shown.read_only)
        self.options.show_options(shown.reading, not shown.read_only)
        self._draw(shown)
        self.setCurrentIndex(1)

    def _draw(self, shown: Snapshot) -> None:
        counts: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
        for each in shown.active:
            documents, total = counts[each.author]
            counts[each.author] = (documents + 1, total + each.words)
        pairs = list(counts.values())
        plot = AuthorsPlot(tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs))
        self.chart.show_plot(plot if pairs else None)

    def _chosen(self) -> None:
        """Another document is chosen: its text is read in the background, and only when it is another one."""
        name = self.documents.current()
        row = self.documents.model.row_of(name) if name else -1
        wanted = self.documents.model.document(row) if row >= 0 else None
        if wanted == self._read_now and wanted is not None:
            return
        self._read_now = wanted
        if wanted is not None and self.tabs.currentWidget() is self.prospects:
            self.tabs.setCurrentWidget(self.preview)
        if wanted is None:
            self.preview.show_document(None)
        else:
            self.desk.look_up(name, self._read)

    def _read(self, found: Document | ForensiaError) -> None:
        if isinstance(found, ForensiaError):
            self.preview.show_document(None, str(found))
        else:
            self.preview.show_document(found)

    def _show_only(self, names: Sequence[str]) -> None:
        self.tree.setCurrentIndex(self.tree.authors.index(0, 0))
        self.documents.show_only(names)

    def _unfold(self, opened: bool) -> None:
        self.panel.setVisible(opened)
        self.frame.setVisible(not opened)  # the authors need the place more
        if self.desk.shown is not None:
            self.line.show_case(self.desk.shown)

    # Choices

    def _exclude(self, names: Sequence[str]) -> None:
        listed = list(names)
        if listed:
            dialogs.ask_reason(self, len(listed), lambda reason: self.desk.exclude(listed, reason))

    def _include(self, names: Sequence[str]) -> None:
        self.desk.include(list(names))

    def _reassign(self, names: Sequence[str]) -> None:
        shown = self.desk.shown
        listed = list(names)
        if shown is None or not listed:
            return
        now = next((each.author for each in shown.documents if each.id == listed[0]), "")
        dialogs.ask_author(
            self, shown.authors, now, len(listed), lambda author: self.desk.reassign(listed, author.strip())
        )

    def _every(self) -> list[str]:
        return [each.id for each in self.desk.shown.documents] if self.desk.shown is not None else []

    def _one_source(self, names: Sequence[str]) -> None:
        shown = self.desk.shown
        wanted = set(names)
        if shown is None or not wanted:
            return
        sources = tuple(sorted({source for each in shown.documents for source in each.sources}, key=str.casefold))
        proposal = common_name([each for each in shown.documents if each.id in wanted])
        dialogs.ask_source(
            self,
            sources[:_MOST_OFFERED],
            proposal,
            len(wanted),
            lambda text: self.desk.set_sources(dict.fromkeys(names, several(text))),
        )

    def _each_its_own(self, names: Sequence[str]) -> None:
        shown = self.desk.shown
        wanted = set(names)
        if shown is not None and wanted:
            own = each_its_own(each for each in shown.documents if each.id in wanted)
            dialogs.ask_why_each(self, len(wanted), lambda because: self.desk.set_sources(own, because))

    def _share(self, names: Sequence[str], between: bool) -> None:
        """Say that the sources of some documents are shared between authors, or each author's own: so they are for all who have them."""
        shown = self.desk.shown
        chosen = set(names)
        if shown is not None:
            sources = {source for each in shown.documents if each.id in chosen for source in each.sources}
            self.desk.set_sources(shared(shown.documents, sources, between))

    def _set_role(self, names: Sequence[str], role: Role) -> None:
        shown = self.desk.shown
        chosen = set(names)
        if shown is not None and chosen:
            self.desk.set_role({each.author for each in shown.documents if each.id in chosen}, role)

    def _merge(self, names: Sequence[str]) -> None:
        """Make several authors one: all their documents get the name that is chosen."""
        shown = self.desk.shown
        if shown is None:
            return
        wanted = set(names)
        authors = tuple(sorted({each.author for each in shown.documents if each.id in wanted}))
        listed = [each.id for each in shown.documents if each.author in authors]
        dialogs.ask_merge(self, authors, len(listed), lambda author: self.desk.reassign(listed, author.strip()))

    def _encoding(self, files: Sequence[str]) -> None:
        shown = self.desk.shown
        if shown is None or not files:
            return
        reading = shown.reading

        def answered(encoding: str) -> None:
            chosen = {**reading.encodings, **dict.fromkeys(files, encoding)}
            self.desk.reread(replace(reading, encodings=chosen))

        dialogs.ask_encoding(self, tuple(files), ENCODINGS, answered)

    def _ignore(self, finding: Finding) -> None:
        dialogs.ask_why_ignored(self, message(finding.problem), lambda reason: self.desk.ignore(finding, reason))

    def _try(self, options: ReadOptions) -> None:
        """Try options out in the background; what was begun for older ones is stopped."""

        def done(found: Effect) -> None:
            if self.options.options() == options:
                self.options.show_effect(found)

        self.desk.try_out(options, done)
