"""What frames the pages: the menus, the rail of places and disputed documents on the left, and below what is being done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QColor, QFont, QFontMetrics, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from forensia import settings
from forensia.gui import dialogs, help, theme, widgets, words
from forensia.gui.lane import Lane
from forensia.gui.pages import PLACES, place_name
from forensia.gui.snapshot import Snapshot
from forensia.gui.widgets import fields
from forensia.gui.words import tr

if TYPE_CHECKING:
    from forensia.gui.window import MainWindow

WIDTH = 206
Keys = QKeySequence | QKeySequence.StandardKey | str
_BADGE = Qt.ItemDataRole.UserRole + 2
_DOCUMENT = Qt.ItemDataRole.UserRole + 3


class Rail(QFrame):
    """Where one is, and where one can go."""

    went = Signal(int)
    picked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("rail", True)
        self.setFixedWidth(WIDTH)
        self.places = fields.named(QListWidget(), tr("Places"))
        self.places.setItemDelegate(_PlaceDelegate(self.places))
        self.places.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.places.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for number, place in enumerate(PLACES, start=1):
            item = QListWidgetItem(place_name(place))
            item.setToolTip(words.tip(f"{place_name(place)} (Ctrl+{number})"))
            self.places.addItem(item)
        self.places.setFixedHeight(_PlaceDelegate.HEIGHT * len(PLACES) + 4)
        self.places.currentRowChanged.connect(self.went)
        self.documents = fields.named(QListWidget(), tr("Disputed documents"))
        self.documents.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.documents.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.documents.setUniformItemSizes(True)
        self.documents.currentItemChanged.connect(self._pick)
        self.documents.itemClicked.connect(lambda item: self._pick(item))
        self.hint = widgets.label(quiet=True, scale=0.92)
        self.hint.setContentsMargins(10, 4, 8, 10)
        heading = widgets.label(tr("DISPUTED TEXTS"), quiet=True, scale=0.82, bold=True)
        heading.setContentsMargins(10, 10, 6, 2)
        self._column = widgets.column(
            self.places, heading, (self.documents, 1), self.hint, margins=(6, 10, 6, 6), spacing=2
        )
        self.setLayout(self._column)
        self.show_case(None)

    def show_case(self, shown: Snapshot | None) -> None:
        """List the disputed documents, and say what to do about them."""
        current = self.current_document()
        self.documents.blockSignals(True)
        self.documents.clear()
        for document in shown.disputed if shown else ():
            item = QListWidgetItem(words.one_line(document.title))
            item.setData(_DOCUMENT, document.id)
            item.setToolTip(words.tip(document.path or document.title))
            self.documents.addItem(item)
            if document.id == current:
                self.documents.setCurrentItem(item)
        self.documents.blockSignals(False)
        self.documents.setVisible(bool(shown and shown.disputed))
        self._column.setStretch(3, 0 if shown and shown.disputed else 1)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        if shown is not None and shown.model is not None:
            self.hint.setText(tr("Drop disputed texts anywhere on the window."))
        else:
            self.hint.setText(tr("None yet. Train a model first; then drop them anywhere on the window."))
        blocking = sum(f.problem.severity.value == "blocking" for f in shown.findings) if shown else 0
        self._badge("corpus", str(blocking) if blocking else "")
        self._badge("disputed", str(len(shown.disputed)) if shown and shown.disputed else "")

    def show_share(self, share: float) -> None:
        """How far an experiment is that runs; below zero none does."""
        text = f"{share:.0%}" if share >= 0 else ""
        row, name = PLACES.index("experiments"), place_name("experiments")
        item = self.places.item(row)
        self._badge("experiments", text)
        item.setToolTip(words.tip(f"{name} (Ctrl+{row + 1}) {text}".strip()))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name} {text}".strip())

    def go(self, place: int | str) -> None:
        """Go to a place, by its row or its name."""
        self.places.setCurrentRow(PLACES.index(place) if isinstance(place, str) else place)

    def current_document(self) -> str:
        """The disputed document that is chosen; empty when none is."""
        item = self.documents.currentItem()
        return str(item.data(_DOCUMENT)) if item else ""

    def choose_document(self, name: str) -> None:
        """Choose a disputed document as a click would."""
        for row in range(self.documents.count()):
            if self.documents.item(row).data(_DOCUMENT) == name:
                self.documents.setCurrentRow(row)

    def _badge(self, place: str, text: str) -> None:
        self.places.item(PLACES.index(place)).setData(_BADGE, text)

    def _pick(self, item: QListWidgetItem | None, _: QListWidgetItem | None = None) -> None:
        if item is not None:
            self.picked.emit(str(item.data(_DOCUMENT)))


class _PlaceDelegate(QStyledItemDelegate):
    """A place: its icon, its name, and a small number when something waits there."""

    HEIGHT = 40

    def sizeHint(self, option: QStyleOptionViewItem, index: widgets.Index) -> QSize:
        return QSize(80, self.HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: widgets.Index) -> None:
        view = self.parent()
        if not isinstance(view, QWidget):
            return
        colours = theme.now()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        area = QRect(option.rect).adjusted(2, 2, -2, -2)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen or hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.chosen if chosen else colours.raised))
            painter.drawRoundedRect(area, 7, 7)
        if chosen:
            painter.setBrush(QColor(colours.accent))
            painter.drawRoundedRect(QRectF(area.left(), area.top() + 8, 3, area.height() - 16), 1.5, 1.5)
        ink = colours.accent if chosen else colours.quiet
        theme.draw_icon(painter, PLACES[index.row()], QRectF(area.left() + 12, area.center().y() - 10, 21, 21), ink)
        font = QFont(option.font)
        font.setBold(chosen)
        painter.setFont(font)
        painter.setPen(QColor(colours.text))
        painter.drawText(area.adjusted(44, 0, -30, 0), int(Qt.AlignmentFlag.AlignVCenter), str(index.data()))
        badge = index.data(_BADGE)
        if badge:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.blocking if PLACES[index.row()] == "corpus" else colours.quiet))
            font.setPointSizeF(font.pointSizeF() * 0.82)
            font.setBold(True)
            wide = max(22, QFontMetrics(font).horizontalAdvance(str(badge)) + 10)
            pill = QRectF(area.right() - 6 - wide, area.center().y() - 8, wide, 17)
            painter.drawRoundedRect(pill, 8, 8)
            painter.setPen(QColor(colours.surface))
            painter.setFont(font)
            painter.drawText(pill, int(Qt.AlignmentFlag.AlignCenter), str(badge))
        painter.restore()


class JobStrip(QWidget):
    """What is being done on a lane, how far it is, how long it will take, and Cancel; it keeps its width, so that nothing jumps."""

    def __init__(self, lane: Lane) -> None:
        super().__init__()
        self._lane = lane
        self.message = widgets.ElidedLabel()
        self.message.setMinimumWidth(330)
        self.left = widgets.label(quiet=True, wrap=False)
        self.bar = fields.bar(tr("Progress"))
        self.bar.setFixedWidth(140)
        self.stop = widgets.button(tr("Cancel"), self._cancel)
        self.stop.setAccessibleName(tr("Cancel what is being done"))
        self.stop.setShortcut("Ctrl+.")
        self._parts = (self.message, self.left, self.bar, self.stop)
        self.setLayout(widgets.row((self.message, 1), self.left, self.bar, self.stop, margins=(0, 3, 8, 3), spacing=10))
        lane.started.connect(self._start)
        lane.moved.connect(self._move)
        lane.ended.connect(lambda *_: self._rest())
        self._rest()

    def _start(self, name: str) -> None:
        self.message.setText(f"{name}…")
        self.left.clear()
        self.bar.setValue(0)
        self.stop.setEnabled(True)
        for part in self._parts:
            part.show()

    def _move(self, fraction: float, message: str, left: float) -> None:
        if message and self.stop.isEnabled():
            self.message.setText(f"{self._lane.name}: {message}")
        self.left.setText(tr("{0} left").format(words.duration(left)) if left >= 0 else "")
        self.bar.setValue(round(fraction * 1000))

    def _rest(self) -> None:
        self.message.clear()
        for part in self._parts:
            part.hide()

    def _cancel(self) -> None:
        self.stop.setEnabled(False)
        self.message.setText(tr("Stopping…"))
        self._lane.cancel()


class Menus:
    """The actions of the window, by name."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        opencase = window.opencase
        bar = window.menuBar()
        bar.setAccessibleName(tr("Menus"))
        standard = QKeySequence.StandardKey
        file = bar.addMenu(tr("&File"))
        self.new = self._add(file, tr("&New case"), opencase.new, standard.New)
        self.open_case = self._add(file, tr("&Open case…"), window.choose_case, standard.Open)
        self.open_folder = self._add(file, tr("Open &folder…"), window.choose_folder, "Ctrl+Shift+O")
        self.open_file = self._add(file, tr("Open table or &population…"), window.choose_collection)
        self.sample = self._add(file, tr("Try the &sample case"), opencase.sample)
        self.recent = file.addMenu(tr("&Recent"))
        self.recent.aboutToShow.connect(self.fill_recent)
        file.addSeparator()
        self.save = self._add(file, tr("Save a &copy…"), window.choose_copy, standard.SaveAs)
        if self.save.shortcut().isEmpty():
            self.save.setShortcut("Ctrl+Shift+S")
        self.export = self._add(file, tr("Save a copy &without texts…"), window.choose_export)
        file.addSeparator()
        self.table = self._add(file, tr("&Export table…"), window.export_table, "Ctrl+E")
        self.picture = self._add(file, tr("Save &picture…"), window.save_picture, "Ctrl+Shift+E")
        file.addSeparator()
        self.quit = self._add(file, tr("&Quit"), window.close, "Ctrl+Q")
        edit = bar.addMenu(tr("&Edit"))
        self.undo = self._add(edit, tr("&Undo"), opencase.undo, standard.Undo)
        self.redo = self._add(edit, tr("&Redo"), opencase.redo, standard.Redo)
        edit.addSeparator()
        self.filter = self._add(edit, tr("&Filter documents"), window.focus_filter, standard.Find)
        edit.addSeparator()
        self.preferences = self._add(edit, tr("&Preferences…"), window.show_preferences, "Ctrl+,")
        case = bar.addMenu(tr("&Case"))
        self.train = self._add(case, tr("&Train the model"), window.train_now, "Ctrl+T")
        self.add = self._add(case, tr("&Add disputed texts…"), window.choose_texts, "Ctrl+D")
        self.report = self._add(case, tr("&Report…"), window.show_report, "Ctrl+R")
        view = bar.addMenu(tr("&View"))
        self.places = [
            self._add(view, place_name(place), lambda row=row: window.rail.go(row), f"Ctrl+{row + 1}")  # type: ignore[misc]
            for row, place in enumerate(PLACES)
        ]
        view.addSeparator()
        self.themes = self._themes(view.addMenu(tr("&Theme")))
        help_ = bar.addMenu(tr("&Help"))
        self.shortcuts = self._add(
            help_, tr("&Keyboard shortcuts"), lambda: dialogs.show_shortcuts(window, self.keys()), "F1"
        )
        self.terms = self._add(help_, tr("What the &terms mean"), lambda: help.glossary(window), "Shift+F1")
        self.logs = self._add(help_, tr("Open &log folder"), dialogs.open_log_folder)
        self.about = self._add(help_, tr("&About Forensia"), lambda: dialogs.show_about(window))
        self._menus: tuple[QMenu, ...] = (file, edit, case, view, help_)

    def _add(self, menu: QMenu, text: str, done: Callable[[], object], keys: Keys | None = None) -> QAction:
        action = QAction(text, self._window)
        if keys is not None:
            action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda: done())
        menu.addAction(action)
        return action

    def _themes(self, menu: QMenu) -> dict[str, QAction]:
        group = QActionGroup(menu)
        made = {}
        for value, text in (
            ("system", tr("As the &system")),
            ("light", tr("&Light")),
            ("dark", tr("&Dark")),
        ):
            action = self._add(menu, text, lambda value=value: self._window.set_theme(value))  # type: ignore[misc]
            action.setCheckable(True)
            group.addAction(action)
            made[value] = action
        made[settings.load().theme].setChecked(True)
        return made

    def keys(self) -> list[tuple[str, QKeySequence]]:
        """What every shortcut does."""
        rows = [
            (action.text().replace("&", "").partition(":")[0].rstrip("…"), action.shortcut())
            for menu in self._menus
            for action in menu.actions()
            if not action.shortcut().isEmpty()
        ]
        rows.append((tr("Cancel what is being done"), QKeySequence("Ctrl+.")))
        rows.append((tr("Next part of the page"), QKeySequence("Tab")))
        return rows

    def show_case(self, shown: Snapshot | None) -> None:
        """Switch on what can be done now."""
        there = shown is not None
        self.save.setEnabled(there)
        self.export.setEnabled(there)
        texts = bool(shown and shown.documents)
        self.filter.setEnabled(texts)
        self.train.setEnabled(texts)
        self.add.setEnabled(texts)
        self.report.setEnabled(bool(shown and any(each.current for each in shown.results.values())))
        undo, redo = (shown.undo, shown.redo) if shown else (None, None)
        self.undo.setEnabled(bool(undo))
        self.redo.setEnabled(bool(redo))
        self.undo.setText(tr("&Undo: {0}").format(words.ampersands(undo)) if undo else tr("&Undo"))
        self.redo.setText(tr("&Redo: {0}").format(words.ampersands(redo)) if redo else tr("&Redo"))

    def fill_recent(self) -> None:
        """List the recent cases; one that is gone can be seen to be gone."""
        self.recent.clear()
        listed = settings.load().recent
        for name in listed:
            path = Path(name)
            action = QAction(words.ampersands(words.shortened(words.one_line(path.stem))), self.recent)
            action.setStatusTip(words.one_line(name))
            action.setEnabled(path.exists())
            action.triggered.connect(lambda _=False, path=path: self._window.opencase.open(path))
            self.recent.addAction(action)
        if not listed:
            self.recent.addAction(tr("None yet")).setEnabled(False)
