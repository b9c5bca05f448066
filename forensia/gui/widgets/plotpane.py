"""A pane that shows a plot: drawn by a child process when it is seen, and anew for another size or theme; saved, read aloud, pointed at."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QMenu, QScrollArea, QSizePolicy, QToolTip, QWidget

from forensia.errors import Cancelled, ForensiaError
from forensia.gui import dialogs, theme, widgets, words
from forensia.gui.lane import Failed, Lane
from forensia.gui.tasks import plots
from forensia.gui.tasks.plots import Plot
from forensia.gui.widgets.asking import delayed
from forensia.gui.words import tr
from forensia.jobs import Progress
from forensia.jobs.worker import News, Worker, nothing


@dataclass(frozen=True)
class Picture:
    """A drawn plot: what it looks like, what it says to those who do not see it, how to read it, and where its points lie."""

    image: QImage
    alt: str
    reading: str
    points: tuple[tuple[float, float, int], ...]  # x, y from the upper left, and which one it is

    def at(self, x: float, y: float, reach: float = 8.0) -> int | None:
        """The position in `points` of the one nearest to a place, if it is within reach."""
        near = [((px - x) ** 2 + (py - y) ** 2, place) for place, (px, py, _) in enumerate(self.points)]
        distance, place = min(near, default=(float("inf"), -1))
        return place if distance <= reach**2 else None


@dataclass(frozen=True)
class PictureLook:
    """How a plot is to be drawn: dark or light, in so many pixels, of which so many make one of the screen's."""

    dark: bool
    width: int
    height: int
    ratio: float


class Drawer(Lane):
    """One lane for all panes; each pane has at most one request waiting."""

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.worker = worker

    def draw(
        self, pane: QObject, plot: Plot, look: PictureLook, done: Callable[[Picture], None], failed: Failed
    ) -> None:
        """Draw for a pane."""

        def work(progress: Progress, news: News) -> Picture:
            kind, data = plots.as_sent(plot)
            drawn = self.worker.do(plots.draw, progress, nothing, plot=kind, data=data, **asdict(look))
            image = QImage.fromData(base64.b64decode(drawn.png))
            image.setDevicePixelRatio(look.ratio)
            return Picture(image, drawn.alt, drawn.reading, drawn.points)

        self.ask(tr("Drawing"), work, done, failed, key=id(pane))

    def save(self, plot: Plot, target: Path, done: Callable[[], None], failed: Failed) -> None:
        """Write a plot to a file."""

        def work(progress: Progress, news: News) -> None:
            kind, data = plots.as_sent(plot)
            self.worker.do(plots.save, progress, nothing, plot=kind, data=data, target=str(target))

        self.ask(tr("Drawing"), work, lambda _: done(), failed)


_WAIT = 120  # milliseconds after the last change of size before it is drawn anew
_LEAST = QSize(160, 90)
_MOST = 4_000  # pixels on a side
_EDGE = 8  # pixels of empty edge that are not worth a scroll bar
_BAR = 12  # pixels for a scroll bar beside a plot that is higher than its place


class PlotPane(QWidget):
    """Shows one plot at a time. `pointed` and `picked` tell the index of a point; `describe` gives its words for the tooltip."""

    pointed = Signal(int)
    picked = Signal(int)
    saved = Signal(str)
    drawn = Signal()

    def __init__(
        self, name: str, drawer: Drawer, describe: Callable[[int], str] | None = None, *, sideways: bool = False
    ) -> None:
        super().__init__()
        self.name = name
        self.reach = 8.0  # pixels around a point that still mean it
        self._drawer = drawer
        self._describe = describe
        self._plot: Plot | None = None
        self._drawn: tuple[object, ...] = ()
        self.canvas = _Canvas(self)
        self.canvas.setAccessibleName(name)
        self._area = QScrollArea()
        self._area.setWidget(self.canvas)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        if not sideways:
            self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setAccessibleName(name)
        self._waiting = widgets.label("", quiet=True)
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setLayout(widgets.column(self._waiting, self._area))
        self._timer = delayed(self, _WAIT, self._ask)
        self.show_plot(None)

    @property
    def picture(self) -> Picture | None:
        """What is shown now."""
        return self.canvas.picture

    @property
    def reading(self) -> str:
        """One line that tells how to read the plot; empty until it is drawn."""
        return self.canvas.picture.reading if self.canvas.picture else ""

    def show_plot(self, plot: Plot | None, *, grown: bool = False) -> None:
        """Show another plot; None empties the pane. One that has only `grown` takes the place of the old one without a blank."""
        if plot is not None and plot == self._plot and self.canvas.picture is not None:
            return
        self._plot = plot
        self._drawn = ()
        if grown and self.canvas.picture is not None:
            self._drawer.forget(id(self))
            self._ask()
            return
        self.canvas.show_picture(None)
        self._drawer.forget(id(self))
        self.say(tr("Drawing…") if plot else "")
        self._ask()

    def describe(self, index: int) -> str:
        """The words for a point."""
        return self._describe(index) if self._describe else ""

    def ring(self, index: int | None) -> None:
        """Show where a point is that was chosen elsewhere, without a word."""
        points = self.picture.points if self.picture else ()
        place = next((at for at, point in enumerate(points) if point[2] == index), None)
        self.canvas.ring(place)
        if place is not None:
            self._area.ensureVisible(round(points[place][0]), round(points[place][1]), 20, 30)

    def say(self, text: str) -> None:
        """Words in the place of a picture."""
        self._waiting.setText(text)
        self._waiting.setVisible(self.canvas.picture is None)
        self._area.setVisible(self.canvas.picture is not None)

    def _ask(self) -> None:
        """Ask for a picture, if it would be seen and be another one than that which is there."""
        plot = self._plot
        if plot is None or not self.isVisible():
            return
        size = self.size().expandedTo(_LEAST)
        look = PictureLook(
            dark=theme.now() is theme.DARK,
            width=min(size.width() - _BAR, _MOST),
            height=min(size.height() - 2, _MOST),
            ratio=self.devicePixelRatioF(),
        )
        wanted = (id(plot), look)
        if wanted == self._drawn:
            return
        self._drawn = wanted

        def done(picture: Picture) -> None:
            if plot is self._plot:
                self.canvas.show_picture(picture)
                self.say("")
                self.drawn.emit()

        def failed(error: BaseException) -> None:
            if plot is self._plot and not isinstance(error, Cancelled):
                self._drawn = ()
                self.say(tr("This plot could not be drawn. {0}").format(_reason(error)))

        self._drawer.draw(self, plot, look, done, failed)

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self._ask()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._timer.start()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._timer.start()

    # Saving

    def menu(self) -> QMenu:
        """What can be done with a plot."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Save picture…"), self.choose_place).setEnabled(self._plot is not None)
        menu.addAction(tr("How to read this plot"), self._explain).setEnabled(bool(self.reading))
        return menu

    def choose_place(self) -> None:
        """Ask where to save the plot, and save it."""
        target = dialogs.ask_picture(self, self.name)
        if target is not None:
            self.save(target)

    def save(self, target: Path) -> None:
        """Write the plot to a file: PNG, SVG or PDF by its ending."""
        if self._plot is not None:
            self._drawer.save(
                self._plot,
                target,
                lambda: self.saved.emit(str(target)),
                self._not_saved,
            )

    def _not_saved(self, error: BaseException) -> None:
        if not isinstance(error, Cancelled):
            dialogs.tell(self, _reason(error))

    def _explain(self) -> None:
        dialogs.tell(self, self.reading)


def current(page: QWidget) -> PlotPane | None:
    """The plot that 'Save picture…' of the menu means: the one with the focus, or the first that is seen on the page."""
    seen = [pane for pane in page.findChildren(PlotPane) if pane.isVisible() and pane.picture is not None]
    focused = [pane for pane in seen if pane.canvas.hasFocus()]
    return next(iter(focused or seen), None)


def _fitted(wanted: int, room: int) -> int:
    """A side of a picture: an empty edge that is a little too long is not worth a scroll bar."""
    return room if room < wanted <= room + _EDGE else wanted


def _reason(error: BaseException) -> str:
    return str(error) if isinstance(error, ForensiaError) else type(error).__name__


class _Canvas(QWidget):
    """The picture itself; the pointer or the arrow keys on a point name it, a click or Enter picks it."""

    def __init__(self, pane: PlotPane) -> None:
        super().__init__()
        self._pane = pane
        self.picture: Picture | None = None
        self._at: int | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    def show_picture(self, picture: Picture | None) -> None:
        self.picture = picture
        self._at = None
        self.setAccessibleDescription(picture.alt if picture else "")
        if picture is not None:
            size = picture.image.deviceIndependentSize().toSize()
            self.resize(_fitted(size.width(), self._pane.width() - _BAR), _fitted(size.height(), self._pane.height()))
        self.update()

    def ring(self, place: int | None) -> None:
        """Put a ring around a point, by its place in the picture; None takes it away."""
        self._at = place
        self.update()

    def point(self, place: int | None) -> None:
        """Point at a point: the ring, its words, and the signal; None takes them away."""
        if place == self._at:
            return
        self.ring(place)
        if self.picture is None or place is None:
            QToolTip.hideText()
            return
        x, y, index = self.picture.points[place]
        text = self._pane.describe(index)
        if text:
            QToolTip.showText(self.mapToGlobal(QPointF(x + 8, y + 8).toPoint()), words.tip(text), self)
        self._pane.pointed.emit(index)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.picture is None:
            return
        painter = QPainter(self)
        painter.drawImage(QPointF(0, 0), self.picture.image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._at is not None:
            x, y, _ = self.picture.points[self._at]
            painter.setPen(QPen(QColor(theme.now().text), 1.6))
            painter.drawEllipse(QPointF(x, y), 6.5, 6.5)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.now().accent), 1))
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.picture is not None and self.picture.points:
            self.point(self.picture.at(event.position().x(), event.position().y(), self._pane.reach))

    def leaveEvent(self, event: QEvent) -> None:
        self.point(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.picture is None or event.button() != Qt.MouseButton.LeftButton:
            return
        place = self.picture.at(event.position().x(), event.position().y(), self._pane.reach)
        if place is not None:
            self._pane.picked.emit(self.picture.points[place][2])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        picture = self.picture
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Menu:
            self._pane.menu().popup(self.mapToGlobal(self.rect().center()))
        elif picture is not None and picture.points and key in steps:
            self.point(((-1 if self._at is None else self._at) + steps[key]) % len(picture.points))
        elif picture is not None and self._at is not None and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._pane.picked.emit(picture.points[self._at][2])
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._pane.menu().popup(event.globalPos())
