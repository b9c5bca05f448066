"""The plots of the window, drawn by a child process: JSON in, a picture out. matplotlib never comes near the event loop.

A new plot is one function here that turns JSON into a `Drawing` of `figures`; its name is what `PlotPane.show_plot` takes.
"""

from __future__ import annotations

import base64
import contextlib
import io
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensia import files
from forensia.errors import InputError
from forensia.jobs import Progress

if TYPE_CHECKING:
    from forensia.figures import Drawing, Look

Json = Any
DRAW = "forensia.gui.plots:draw"
SAVE = "forensia.gui.plots:save"
KINDS = (".png", ".svg", ".pdf")
_DPI = 96  # pixels of an inch on a screen without scaling


def by_author_small(data: Json, look: Look) -> Drawing:
    """Documents and words of each author, without names."""
    from forensia import figures

    return figures.by_author_small(data["documents"], data["words"], look)


def k_accuracy(data: Json, look: Look) -> Drawing:
    """Accuracy on known texts for each k."""
    from forensia import figures

    return figures.k_accuracy(data["accuracy"], data["k"], look, chance=data.get("chance"))


def pr_same(data: Json, look: Look) -> Drawing:
    """The disputed text with every known one, by author."""
    from forensia import figures

    return figures.pr_same(data["scores"], data["authors"], data["order"], data["k"], look)


def plots() -> Mapping[str, Callable[[Json, Look], Drawing]]:
    """Every plot by its name."""
    from forensia.gui.trialruns import figure
    from forensia.gui.views.pictures import pictures

    own = {each.__name__: each for each in (by_author_small, k_accuracy, pr_same)}
    return {**own, "experiment": figure, **pictures()}


def draw(
    progress: Progress,
    news: Callable[[Json], None],
    *,
    plot: str,
    data: Json,
    dark: bool,
    width: int,
    height: int,
    ratio: float,
) -> Json:
    """A plot as PNG for a place of so many pixels; where the points lie that can be pointed at, from the upper left."""
    from forensia.figures.look import DARK, LIGHT

    progress(0.0, "")
    with _quiet():
        drawing = _drawing(plot, data, (DARK if dark else LIGHT).sized(width / _DPI, height / _DPI))
        figure = drawing.figure
        buffer = io.BytesIO()
        dpi = _DPI * ratio
        figure.savefig(buffer, format="png", dpi=dpi, pil_kwargs={"compress_level": 1})
    points: list[list[float]] = []
    if drawing.points is not None and len(drawing.points):
        figure.dpi = dpi
        shown = figure.axes[0].transData.transform(drawing.points[:, :2]) / ratio
        high = figure.get_figheight() * _DPI
        points = [
            [round(float(x), 1), round(high - float(y), 1), int(index)]
            for (x, y), index in zip(shown, drawing.points[:, 2], strict=True)
        ]
    png = base64.b64encode(buffer.getvalue()).decode("ascii")
    return {"png": png, "alt": drawing.alt, "reading": drawing.reading, "points": points}


def save(progress: Progress, news: Callable[[Json], None], *, plot: str, data: Json, target: str) -> None:
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
    return plots()[plot](data, look)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """A letter that no font has is a box, and a plot in a very small place is crowded: neither is a fault."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
