"""The Corpus page: who is there, which texts, what is wrong with them, and what can be done about it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QPushButton, QTabWidget, QWidget

from forensia import settings
from forensia.corpus import Document, ReadOptions
from forensia.errors import ForensiaError
from forensia.gui import theme, widgets, words
from forensia.gui.opencase import OpenCase
from forensia.gui.pages.corpus.authors import AuthorsTree
from forensia.gui.pages.corpus.decisions import CorpusDecisions
from forensia.gui.pages.corpus.documents import DocumentsPane
from forensia.gui.pages.corpus.findings import ProblemLine, ProblemPanel, Prospects, SourceLine
from forensia.gui.pages.corpus.options import OptionsPanel
from forensia.gui.pages.page import Empty, Page
from forensia.gui.snapshot import Changes, Snapshot
from forensia.gui.tasks import Effect
from forensia.gui.tasks.plots import AuthorsPlot
from forensia.gui.widgets import fields
from forensia.gui.widgets.plotpane import PlotPane
from forensia.gui.widgets.texts import Preview
from forensia.gui.words import tr

_LISTED = 5  # recent cases


class CorpusPage(Page):
    """Empty until texts are there; then authors on the left, documents in the middle, the chosen text on the right."""

    shows = Changes.CASE | Changes.CORPUS | Changes.MODEL
    open_folder = Signal()
    open_file = Signal()
    open_case = Signal()
    train = Signal()

    @staticmethod
    def called() -> str:
        return tr("Corpus")

    def __init__(self, opencase: OpenCase) -> None:
        super().__init__(opencase)
        self._read_now: Document | None = None
        self._decisions = CorpusDecisions(self, opencase)
        self.empty = Welcome(
            (
                widgets.button(tr("Open folder…"), self.open_folder.emit, primary=True),
                widgets.button(tr("Open case…"), self.open_case.emit),
                widgets.button(tr("Try the sample case"), opencase.sample),
            )
        )
        self.empty.recent.connect(opencase.open)
        self.addWidget(self.empty)
        self.addWidget(self._build())

    # Building

    def _build(self) -> QWidget:
        self.title = widgets.title()
        self.totals = widgets.label(quiet=True, wrap=False)
        self.line = ProblemLine()
        self.line.toggled.connect(self._unfold)
        self.add = widgets.menu_button(
            tr("Add texts"),
            tr("Further texts, of candidates or of a population around them; or drop them on the window"),
            (tr("Folder…"), self.open_folder.emit),
            (tr("Table or population…"), self.open_file.emit),
        )
        self.onward = widgets.button(tr("Train a model ▸"), self.train.emit, primary=True)
        self.panel = ProblemPanel(self._decisions)
        self.panel.hide()
        self.panel.show_documents.connect(self._show_only)
        self.source_line = SourceLine(self._decisions)
        self.source_line.together.connect(lambda: self.documents.table.setFocus())
        sides = ((self._left(), 0, 256), (self._middle(), 3, 500), (self._right(), 2, 284))
        for side, _, width in sides:
            side.setMinimumWidth(width - 50)
        return widgets.panel(
            widgets.column(
                widgets.row((self.title, 1), self.totals, widgets.gap(12), self.add, self.onward),
                (self.line, Qt.AlignmentFlag.AlignLeft),
                self.panel,
                self.source_line,
                (widgets.split(*sides), 1),
                margins=(18, 14, 18, 12),
                spacing=8,
            )
        )

    def _left(self) -> QWidget:
        self.tree = AuthorsTree()
        self.chart = PlotPane(tr("Documents and words by author"), self.opencase.drawer)
        self.chart.setFixedHeight(210)
        self.frame = widgets.card(self.chart, margin=6)
        return widgets.panel(widgets.column((self.tree, 1), self.frame, spacing=10))

    def _middle(self) -> QWidget:
        self.documents = DocumentsPane(self._decisions)
        self.documents.chosen.connect(self._chosen)
        self.tree.chosen.connect(self.documents.show_author)
        return self.documents

    def _right(self) -> QWidget:
        self.preview = Preview()
        self.options = OptionsPanel()
        self.options.wanted.connect(self._try)
        self.options.apply.connect(self.opencase.reread)
        self.tabs = fields.named(QTabWidget(), tr("Text and options"))
        self.prospects = Prospects()
        self.prospects.role.connect(lambda role: self._decisions.set_role(self._decisions.every, role))
        self.tabs.addTab(self.prospects, tr("Possible"))
        self.tabs.addTab(self.preview, tr("Text"))
        self.tabs.addTab(self.options, tr("Reading options"))
        self.tabs.setDocumentMode(True)
        return self.tabs

    # Showing

    def refresh(self) -> None:
        """Show the case as it is now."""
        shown = self.opencase.shown
        if shown is None or not shown.documents:
            self._read_now = None
            self.setCurrentIndex(0)
            return
        self.title.setText(tr("Known texts"))
        total = words.counted(sum(each.words for each in shown.active), tr("word"), tr("words"))
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
        wanted = self.documents.model.rows[row] if row >= 0 else None
        if wanted == self._read_now and wanted is not None:
            return
        self._read_now = wanted
        if wanted is not None and self.tabs.currentWidget() is self.prospects:
            self.tabs.setCurrentWidget(self.preview)
        if wanted is None:
            self.preview.show_document(None)
        else:
            self.opencase.look_up(name, self._read)

    def _read(self, read: Document | ForensiaError) -> None:
        if isinstance(read, ForensiaError):
            self.preview.show_document(None, str(read))
        else:
            self.preview.show_document(read)

    def _show_only(self, names: Sequence[str]) -> None:
        self.tree.setCurrentIndex(self.tree.authors.index(0, 0))
        self.documents.show_only(names)

    def _unfold(self, opened: bool) -> None:
        self.panel.setVisible(opened)
        self.frame.setVisible(not opened)  # the authors need the place more
        if self.opencase.shown is not None:
            self.line.show_case(self.opencase.shown)

    def _try(self, options: ReadOptions) -> None:
        """Try options out in the background; what was begun for older ones is stopped."""

        def done(effect: Effect) -> None:
            if self.options.options() == options:
                self.options.show_effect(effect)

        self.opencase.try_out(options, done)


class Welcome(QWidget):
    """For the first time: how it goes. Later: the recent cases."""

    recent = Signal(object)

    def __init__(self, buttons: Sequence[QPushButton]) -> None:
        super().__init__()
        self.empty = Empty(
            tr("Drop a folder of texts whose authors you know"),
            tr(
                "Anywhere on this window. A folder for each author with their texts inside is understood at once; so are "
                "tables (CSV, JSON) and several published collections."
            ),
            buttons,
            FolderPicture(),
        )
        self.steps = self._steps()
        self._list = widgets.column(spacing=0)
        self.cases = widgets.panel(self._list)
        centre = Qt.AlignmentFlag.AlignHCenter
        self.setLayout(
            widgets.column(
                (self.empty, 1), (self.steps, centre), (self.cases, centre), margins=(0, 0, 0, 18), spacing=0
            )
        )

    def _steps(self) -> QWidget:
        cards = []
        for number, (name, sentence) in enumerate(
            (
                (tr("Known texts"), tr("Load texts of the candidate authors, and look through what was found.")),
                (
                    tr("Model"),
                    tr("Train. Every known text is judged without itself, so you see how far to trust it."),
                ),
                (tr("Disputed text"), tr("Drop it on the window, and read what the findings support.")),
            ),
            start=1,
        ):
            head = widgets.label(f"{number}  {name}", bold=True)
            card = widgets.card(head, widgets.label(sentence, quiet=True), widgets.spring())
            card.setFixedWidth(250)
            cards.append(card)
        return widgets.panel(widgets.row(*cards, spacing=14))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """List the recent cases that are still there; with none, say how it goes."""
        while (item := self._list.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        listed = [path for name in settings.load().recent[: 2 * _LISTED] if (path := Path(name)).exists()][:_LISTED]
        self.steps.setVisible(not listed)
        self.cases.setVisible(bool(listed))
        if not listed:
            return
        self._list.addWidget(widgets.label(tr("Recent cases"), quiet=True, scale=0.92))
        for path in listed:
            name = words.shortened(words.one_line(path.stem))
            made = widgets.button(words.ampersands(name), lambda path=path: self.recent.emit(path), tip=str(path))  # type: ignore[misc]
            made.setAccessibleName(tr("Open {0}").format(name))
            made.setProperty("flat", True)
            self._list.addWidget(made)


class FolderPicture(QWidget):
    """The folder layout that is understood without any choice: a folder for each author, their texts inside."""

    _ROWS = (
        (0, "folder", "Known texts"),
        (1, "folder", "Adela Marsh"),
        (2, "text", "letter to the editor.txt"),
        (2, "text", "minutes.docx"),
        (1, "folder", "Bram Oakley"),
        (2, "text", "mail of 3 May.eml"),
    )
    _STEP, _LINE = 34, 29

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(330, self._LINE * len(self._ROWS) + 36)
        self.setAccessibleName(tr("Picture: a folder with a folder for each author, and their texts inside"))

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme.now()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QPen(QColor(colours.quiet), 1.4, Qt.PenStyle.DashLine)
        painter.setPen(frame)
        painter.setBrush(QColor(colours.surface))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 12, 12)
        for row, (level, name, text) in enumerate(self._ROWS):
            x, y = 26 + level * self._STEP, 18 + row * self._LINE
            painter.setPen(QPen(QColor(colours.line), 1.4))
            if level:
                above = max(at for at in range(row) if self._ROWS[at][0] == level - 1)
                bend = x - self._STEP + 10
                painter.drawLine(bend, 18 + above * self._LINE + 24, bend, y + 12)
                painter.drawLine(bend, y + 12, x - 4, y + 12)
            ink = colours.accent if name == "folder" else colours.quiet
            theme.draw_icon(painter, name, QRectF(x, y + 2, 20, 20), ink)
            painter.setPen(QColor(colours.text if name == "folder" else colours.quiet))
            painter.drawText(QRectF(x + 28, y, 240, 24), int(Qt.AlignmentFlag.AlignVCenter), text)
