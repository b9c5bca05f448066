"""What frames the pages: on the left the rail of five places and the disputed documents, in the status bar what is being done."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from forensia.gui import theme, widgets, words
from forensia.gui.lane import Lane
from forensia.gui.snapshot import Snapshot
from forensia.gui.words import tr

PLACES = ("corpus", "model", "disputed", "compare", "experiments")
WIDTH = 206
_BADGE = Qt.ItemDataRole.UserRole + 2
_DOCUMENT = Qt.ItemDataRole.UserRole + 3


def place_name(place: str) -> str:
    """A place in the user's language."""
    names = {
        "corpus": tr("Corpus"),
        "model": tr("Model"),
        "disputed": tr("Disputed"),
        "compare": tr("Compare"),
        "experiments": tr("Experiments"),
    }
    return names[place]


class Rail(QFrame):
    """Where one is, and where one can go."""

    went = Signal(int)
    picked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("rail", True)
        self.setFixedWidth(WIDTH)
        self.places = QListWidget()
        self.places.setAccessibleName(tr("Places"))
        self.places.setItemDelegate(_PlaceDelegate(self.places))
        self.places.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.places.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for number, place in enumerate(PLACES, start=1):
            item = QListWidgetItem(place_name(place))
            item.setToolTip(words.tip(f"{place_name(place)} (Ctrl+{number})"))
            self.places.addItem(item)
        self.places.setFixedHeight(_PlaceDelegate.HEIGHT * len(PLACES) + 4)
        self.places.currentRowChanged.connect(self.went)
        self.documents = QListWidget()
        self.documents.setAccessibleName(tr("Disputed documents"))
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
        self._badge(0, str(blocking) if blocking else "")
        self._badge(2, str(len(shown.disputed)) if shown and shown.disputed else "")

    def show_share(self, share: float) -> None:
        """How far an experiment is that runs; below zero none does."""
        text = f"{share:.0%}" if share >= 0 else ""
        name = place_name(PLACES[-1])
        item = self.places.item(len(PLACES) - 1)
        self._badge(len(PLACES) - 1, text)
        item.setToolTip(words.tip(f"{name} (Ctrl+{len(PLACES)}) {text}".strip()))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name} {text}".strip())

    def go(self, row: int) -> None:
        """Go to a place."""
        self.places.setCurrentRow(row)

    def current_document(self) -> str:
        """The disputed document that is chosen; empty when none is."""
        item = self.documents.currentItem()
        return str(item.data(_DOCUMENT)) if item else ""

    def choose_document(self, name: str) -> None:
        """Choose a disputed document as a click would."""
        for row in range(self.documents.count()):
            if self.documents.item(row).data(_DOCUMENT) == name:
                self.documents.setCurrentRow(row)

    def _badge(self, row: int, text: str) -> None:
        self.places.item(row).setData(_BADGE, text)

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
            painter.setBrush(QColor(colours.blocking if index.row() == 0 else colours.quiet))
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
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(140)
        self.bar.setAccessibleName(tr("Progress"))
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
