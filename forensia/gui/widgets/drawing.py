"""Pictures of plots, made by a child process: a pane asks, and gets its picture when it is ready; only its newest wish counts."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from forensia.gui.lane import Failed, Lane
from forensia.gui.tasks import plots
from forensia.gui.tasks.plots import Plot
from forensia.jobs.progress import Progress
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
    """One lane for all panes; each pane has at most one wish waiting."""

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

        self.ask(self.tr("Drawing"), work, done, failed, key=id(pane))

    def save(self, plot: Plot, target: Path, done: Callable[[], None], failed: Failed) -> None:
        """Write a plot to a file."""

        def work(progress: Progress, news: News) -> None:
            kind, data = plots.as_sent(plot)
            self.worker.do(plots.save, progress, nothing, plot=kind, data=data, target=str(target))

        self.ask(self.tr("Drawing"), work, lambda _: done(), failed)
