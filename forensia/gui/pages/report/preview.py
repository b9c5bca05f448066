"""The pages of a PDF to look through: only those in sight are drawn, and only a few of them are kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from forensia.gui import theme
from forensia.gui.lane import NEWEST, Lane
from forensia.gui.widgets.asking import delayed
from forensia.gui.words import tr

_KEPT = 8  # pictures of pages: more than are ever in sight
_GAP = 14
_WIDEST = 900
_SHARPEST = 4000  # pixels across, whatever the screen says


class NoReader(Exception):
    """What draws the pages of a PDF is not installed."""


class OpenedPdf:
    """A PDF that is opened and drawn away from the window's own thread; the library can do one thing at a time."""

    _one = threading.Lock()

    def __init__(self, pdf: bytes) -> None:
        try:
            import pypdfium2  # type: ignore[import-untyped,unused-ignore]
        except (ImportError, OSError) as error:  # OSError: its shared library does not fit this machine
            raise NoReader from error
        with self._one:
            self._document: Any = pypdfium2.PdfDocument(pdf)
            self.sizes = [self._document.get_page_size(number) for number in range(len(self._document))]

    def picture(self, number: int, scale: float) -> QImage | None:
        """A page; None when nobody wants to see it any more."""
        with self._one:
            if self._document is None:
                return None
            page = self._document[number]
            try:
                bitmap = page.render(scale=scale, prefer_bgrx=True, may_draw_forms=False)
                kind = QImage.Format.Format_BGR888 if bitmap.n_channels == 3 else QImage.Format.Format_RGB32
                seen = QImage(bytes(bitmap.buffer), bitmap.width, bitmap.height, bitmap.stride, kind)
                return seen.copy()  # the bytes above live no longer than this function
            finally:
                page.close()

    def close(self) -> None:
        """Let go of the file, as soon as no page of it is being drawn; the window does not wait for that."""

        def work() -> None:
            with self._one:
                document, self._document = self._document, None
                if document is not None:
                    document.close()

        threading.Thread(target=work, name="pdf", daemon=True).start()


class PagesView(QScrollArea):
    """Pages below each other, as wide as there is room."""

    moved = Signal(int, int)  # the page in sight, from 1, and how many there are
    failed = Signal(object)  # why the pages cannot be shown
    opened = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Preview of the pages"))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._opening = Lane(self, hasty=True)
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
        """Show these pages, as soon as they are opened; one stays where one was looking."""

        def done(opened: OpenedPdf) -> None:
            self.sheets.take(opened)
            self._fit()
            self.setAccessibleDescription(tr("{0} pages").format(self.pages))
            self.opened.emit()

        self._opening.ask(tr("Opening the pages"), lambda *_: OpenedPdf(pdf), done, self.failed.emit, key=NEWEST)

    def clear(self) -> None:
        """Show nothing, and let go of the PDF."""
        self._opening.cancel()
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
        self._pdf: OpenedPdf | None = None
        self._drawing = Lane(self)
        self._drawing.ended.connect(lambda *_: self._draw_one())
        self._wide = 300.0
        self._tops: list[float] = [_GAP]
        self._wanted: list[int] = []
        self._soon = delayed(self, 0, self._draw_one)

    def take(self, pdf: OpenedPdf | None) -> None:
        """Draw from another document."""
        before, self._pdf = self._pdf, pdf
        self.pictures.clear()
        self._wanted.clear()
        self.sizes = pdf.sizes if pdf else []
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
        """Draw the next page that is looked at; one at a time, so that pages that were scrolled past are never drawn."""
        pdf = self._pdf
        if pdf is None or self._drawing.busy:
            return
        seen = QRectF(self.visibleRegion().boundingRect())
        while self._wanted:
            number = self._wanted.pop(0)
            if number < len(self.sizes) and number not in self.pictures and self.area(number).intersects(seen):
                scale = min(self._wide * self.devicePixelRatioF(), _SHARPEST) / self.sizes[number][0]
                self._draw(pdf, number, scale)
                return

    def _draw(self, pdf: OpenedPdf, number: int, scale: float) -> None:
        def done(picture: QImage | None) -> None:
            if pdf is not self._pdf or picture is None:
                return
            self.pictures[number] = picture
            while len(self.pictures) > _KEPT:
                self.pictures.popitem(last=False)
            self.update(self.area(number).toAlignedRect())

        self._drawing.ask(tr("Drawing a page"), lambda *_: pdf.picture(number, scale), done)
