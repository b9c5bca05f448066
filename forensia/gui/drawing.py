"""Pictures of plots, made by a child process: a pane asks, and gets its picture when it is ready; only its newest wish counts."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from forensia import codec
from forensia.gui import plots
from forensia.gui.bridge import Bridge
from forensia.gui.plots import Plot
from forensia.jobs import Progress
from forensia.jobs.errands import Errands


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


Done = Callable[[Picture], None]
Failed = Callable[[BaseException], None]
_Wish = tuple[Callable[[Progress], Any], Callable[[Any], None], Failed]


class Drawer(QObject):
    """One lane for all panes; each pane has at most one wish waiting."""

    def __init__(self, parent: QObject | None = None, errands: Errands | None = None) -> None:
        super().__init__(parent)
        self.errands = errands or Errands(idle=300.0)
        self.bridge = Bridge(self)
        self._wishes: dict[int, _Wish] = {}
        self.bridge.ended.connect(lambda *_: self._go_on())

    @property
    def busy(self) -> bool:
        return self.bridge.busy or bool(self._wishes)

    def draw(self, pane: QObject, plot: Plot, look: PictureLook, done: Done, failed: Failed) -> None:
        """Draw for a pane."""

        def work(progress: Progress) -> Picture:
            answer = self.errands.do(plots.DRAW, {**plots.as_sent(plot), **asdict(look)}, progress)
            drawn = codec.typed(plots.Drawn, answer)
            image = QImage.fromData(base64.b64decode(drawn.png))
            image.setDevicePixelRatio(look.ratio)
            return Picture(image, drawn.alt, drawn.reading, drawn.points)

        self._wish(pane, (work, done, failed))

    def save(self, pane: QObject, plot: Plot, target: Path, done: Callable[[], None], failed: Failed) -> None:
        """Write a plot to a file."""
        arguments = {**plots.as_sent(plot), "target": str(target)}
        self._wish(self, (lambda progress: self.errands.do(plots.SAVE, arguments, progress), lambda _: done(), failed))

    def forget(self, pane: QObject) -> None:
        """A pane has gone, or shows nothing any more."""
        self._wishes.pop(id(pane), None)

    def cancel(self) -> None:
        self._wishes.clear()
        self.bridge.cancel()

    def _wish(self, pane: QObject, wish: _Wish) -> None:
        self._wishes[id(pane)] = wish
        self._go_on()

    def _go_on(self) -> None:
        if self.bridge.busy or not self._wishes:
            return
        key = next(iter(self._wishes))
        work, done, failed = self._wishes.pop(key)
        self.bridge.run(self.tr("Drawing"), work, done, failed)
