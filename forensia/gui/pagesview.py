"""The pages of a PDF to look through: only those in sight are drawn, and only a few of them are kept."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from forensia.gui import theme

_KEPT = 8  # pictures of pages: more than are ever in sight
_GAP = 14
_WIDEST = 900
_SHARPEST = 4000  # pixels across, whatever the screen says


class NoReader(Exception):
    """What draws the pages of a PDF is not installed."""


def open_pdf(pdf: bytes) -> Any:
    """A PDF made ready to draw. The library is optional: without it a report can be written but not shown."""
    try:
        import pypdfium2  # type: ignore[import-untyped,unused-ignore]
    except (ImportError, OSError) as error:  # OSError: its shared library does not fit this machine
        raise NoReader from error
    return pypdfium2.PdfDocument(pdf)


class PagesView(QScrollArea):
    """Pages below each other, as wide as there is room."""

    moved = Signal(int, int)  # the page in sight, from 1, and how many there are

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Preview of the pages"))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.sheets = _Sheets(self)
        self.setWidget(self.sheets)
        self.verticalScrollBar().valueChanged.connect(self._tell)

    @property
    def pages(self) -> int:
        return len(self.sheets.sizes)

    @property
    def page(self) -> int:
        """The page in the middle of what is in sight, from 1; 0 without pages."""
        middle = self.verticalScrollBar().value() + self.viewport().height() / 2
        there = [number for number in range(self.pages) if self.sheets.area(number).top() <= middle]
        return max(1, len(there)) if self.pages else 0

    def show_pdf(self, pdf: bytes) -> None:
        """Show these pages; one stays where one was looking. Raises `NoReader`."""
        self.sheets.take(open_pdf(pdf))
        self._fit()
        self.setAccessibleDescription(self.tr("{0} pages").format(self.pages))

    def clear(self) -> None:
        """Show nothing, and let go of the PDF."""
        self.sheets.take(None)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.sheets.fit(self.viewport().width())
        self._tell()

    def _tell(self) -> None:
        self.moved.emit(self.page, self.pages)


class _Sheets(QWidget):
    """What the area scrolls: it knows where each page is and draws those that are looked at, one at a time between two events."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.sizes: list[tuple[float, float]] = []  # in points
        self.pictures: OrderedDict[int, QImage] = OrderedDict()
        self._document: Any = None
        self._wide = 300.0
        self._tops: list[float] = [_GAP]
        self._wanted: list[int] = []
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._draw_one)

    def take(self, document: Any) -> None:
        """Draw from another document."""
        before, self._document = self._document, document
        self.pictures.clear()
        self._wanted.clear()
        self.sizes = [document.get_page_size(number) for number in range(len(document))] if document else []
        if before is not None:
            before.close()
        self.update()

    def fit(self, width: int) -> None:
        """Arrange the pages in a width."""
        wide = float(min(max(width - 2 * _GAP, 120), _WIDEST))
        if wide != self._wide:
            self.pictures.clear()
        self._wide = wide
        self._tops = [float(_GAP)]
        for across, down in self.sizes:
            self._tops.append(self._tops[-1] + wide * down / across + _GAP)
        self.resize(QSize(width, round(self._tops[-1])))

    def area(self, number: int) -> QRectF:
        """Where a page is."""
        top, below = self._tops[number], self._tops[number + 1]
        return QRectF((self.width() - self._wide) / 2, top, self._wide, below - top - _GAP)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for number in range(len(self.sizes)):
            area = self.area(number)
            if not area.intersects(QRectF(event.rect())):
                continue
            picture = self.pictures.get(number)
            if picture is None:
                painter.fillRect(area, QColor("white"))
                if number not in self._wanted:
                    self._wanted.append(number)
            else:
                painter.drawImage(area, picture)
            painter.setPen(QPen(QColor(theme.now().line)))
            painter.drawRect(area)
        if self._wanted:
            self._soon.start()

    def _draw_one(self) -> None:
        if self._document is None or not self._wanted:
            return
        number = self._wanted.pop(0)
        seen = QRectF(self.visibleRegion().boundingRect())
        if number < len(self.sizes) and number not in self.pictures and self.area(number).intersects(seen):
            across = min(self._wide * self.devicePixelRatioF(), _SHARPEST)
            self.pictures[number] = _picture(self._document, number, across / self.sizes[number][0])
            while len(self.pictures) > _KEPT:
                self.pictures.popitem(last=False)
            self.update(self.area(number).toAlignedRect())
        if self._wanted:
            self._soon.start()


def _picture(document: Any, number: int, scale: float) -> QImage:
    page = document[number]
    try:
        bitmap = page.render(scale=scale, prefer_bgrx=True, may_draw_forms=False)
        kind = QImage.Format.Format_BGR888 if bitmap.n_channels == 3 else QImage.Format.Format_RGB32
        seen = QImage(bytes(bitmap.buffer), bitmap.width, bitmap.height, bitmap.stride, kind)
        return seen.copy()  # the bytes above live no longer than this function
    finally:
        page.close()
