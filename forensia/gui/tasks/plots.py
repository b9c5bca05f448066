"""The plots of the window, drawn by a child process. matplotlib never comes near the event loop.

A plot is a dataclass of its numbers with a `draw` that makes a `Drawing` of `figures`; `kinds` lists them all.
"""

from __future__ import annotations

import base64
import contextlib
import io
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from forensia import codec, files
from forensia.errors import InputError
from forensia.jobs import Progress
from forensia.jobs.worker import News

if TYPE_CHECKING:
    from forensia.figures import Drawing, Look

Json = Any
KINDS = (".png", ".svg", ".pdf")
_DPI = 96  # pixels of an inch on a screen without scaling


class Plot(Protocol):
    """The numbers of a plot, a dataclass that `codec` can send, and how it is drawn."""

    def draw(self, look: Look) -> Drawing: ...


@dataclass(frozen=True)
class AuthorsPlot:
    """Documents and words of each author, without names."""

    documents: tuple[int, ...]
    words: tuple[int, ...]

    def draw(self, look: Look) -> Drawing:
        from forensia import figures

        return figures.by_author_small(self.documents, self.words, look)


@dataclass(frozen=True)
class AccuracyPlot:
    """Accuracy on known texts for each k."""

    accuracy: tuple[float, ...]
    k: int
    chance: float | None = None

    def draw(self, look: Look) -> Drawing:
        from forensia import figures

        return figures.k_accuracy(self.accuracy, self.k, look, chance=self.chance)


@dataclass(frozen=True)
class Drawn:
    """A plot that was drawn: a PNG in base 64, its words for those who do not see it, how to read it, and where its points lie."""

    png: str
    alt: str
    reading: str
    points: tuple[tuple[float, float, int], ...]  # x, y from the upper left, and which one it is


def kinds() -> Mapping[str, type[Plot]]:
    """Every plot by its name."""
    from forensia.gui.tasks.experiments import ExperimentPlot
    from forensia.gui.tasks.pictures import PICTURES

    return {each.__name__: each for each in (AuthorsPlot, AccuracyPlot, ExperimentPlot, *PICTURES)}


def as_sent(plot: Plot) -> tuple[str, Json]:
    """A plot as the arguments `plot` and `data` of the tasks below."""
    return type(plot).__name__, codec.plain(plot)


def draw(
    progress: Progress,
    news: News,
    *,
    plot: str,
    data: Json,
    dark: bool,
    width: int,
    height: int,
    ratio: float,
) -> Drawn:
    """A plot as PNG for a place of so many pixels; where the points lie that can be pointed at, from the upper left."""
    from forensia.figures.look import DARK, LIGHT

    progress(0.0, "")
    with _quiet():
        drawing = _drawing(plot, data, (DARK if dark else LIGHT).sized(width / _DPI, height / _DPI))
        figure = drawing.figure
        buffer = io.BytesIO()
        dpi = _DPI * ratio
        figure.savefig(buffer, format="png", dpi=dpi, pil_kwargs={"compress_level": 1})
    points: list[tuple[float, float, int]] = []
    if drawing.points is not None and len(drawing.points):
        figure.dpi = dpi
        shown = figure.axes[0].transData.transform(drawing.points[:, :2]) / ratio
        high = float(figure.get_figheight()) * _DPI
        points = [
            (round(float(x), 1), round(high - float(y), 1), int(index))
            for (x, y), index in zip(shown, drawing.points[:, 2], strict=True)
        ]
    png = base64.b64encode(buffer.getvalue()).decode("ascii")
    return Drawn(png, drawing.alt, drawing.reading, tuple(points))


def save(progress: Progress, news: News, *, plot: str, data: Json, target: str) -> None:
    """A plot as a file, light, whatever the window looks like: PNG, SVG or PDF by its ending."""
    from forensia.figures import LIGHT, to_pdf, to_png, to_svg

    progress(0.0, "")
    place = Path(target)
    kind = place.suffix.lower()
    if kind not in KINDS:
        raise InputError(f"'{place.name}' must end in .png, .svg or .pdf. Choose one of these.")
    with _quiet():
        figure = _drawing(plot, data, LIGHT).figure
        written = {".png": to_png, ".svg": to_svg, ".pdf": to_pdf}[kind](figure)
    files.write(place, written)


def _drawing(plot: str, data: Json, look: Look) -> Drawing:
    return codec.typed(kinds()[plot], data).draw(look)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """A letter that no font has is a box, and a plot in a very small place is crowded: neither is a fault."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
