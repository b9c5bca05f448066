"""What a figure function returns, and the sheet of paper that all of them draw on.

Every text on it is literal and carries its own size, colour and font, so that it looks the same whoever draws it later: the
window, a picture file or the report. Nothing is clipped, because the report's SVG reader clips only half of what it should:
a figure function never draws outside its axes.
"""

from __future__ import annotations

import contextlib
import functools
import textwrap
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np
from numpy.typing import NDArray

from forensia.figures.look import Look
from forensia.figures.strokes import lay_out
from forensia.wording.ratios import NOT_ESTIMABLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

__all__ = ["Drawing", "not_estimable"]

Array = NDArray[np.float64]
P = ParamSpec("P")

# Settings of the person's own matplotlib that would change a figure; the rest (backends, caches) is not ours to touch.
_OURS = (
    "axes", "errorbar", "figure", "font", "grid", "hatch", "image", "legend", "lines", "markers", "mathtext", "patch", "path",
    "pdf", "savefig", "scatter", "svg", "text", "xtick", "ytick",
)  # fmt: skip
# matplotlib's settings are global: two figures drawn in two threads would restore each other's.
_DRAWING = threading.RLock()


@dataclass(frozen=True)
class Drawing:
    """A figure with its text alternative and one line that tells a linguist how to read it.

    `points` has a row (x, y, index) for everything that can be pointed at, in data coordinates of the first axes.
    """

    figure: Figure
    alt: str
    reading: str
    points: Array | None = None


@contextlib.contextmanager
def default_settings(**settings: Any) -> Iterator[None]:
    """Within it, matplotlib is as it was shipped, but for `settings` (dots written as double underscores)."""
    import matplotlib

    shipped: dict[Any, Any] = {k: v for k, v in matplotlib.rcParamsDefault.items() if str(k).partition(".")[0] in _OURS}
    shipped |= {key.replace("__", "."): value for key, value in settings.items()}
    with _DRAWING, matplotlib.rc_context(shipped):
        yield


def figure_function(draw: Callable[P, Drawing]) -> Callable[P, Drawing]:
    """Makes a function draw with the shipped settings, whatever the person's own are."""

    @functools.wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> Drawing:
        with default_settings():
            return draw(*args, **kwargs)

    return drawn


class Sheet:
    """A figure in the making: it knows the look, and `done` makes everything on it literal."""

    def __init__(self, title: str, look: Look, height: float | None = None, width: float | None = None) -> None:
        from matplotlib.figure import Figure

        self.look = look
        self.width = look.width if width is None else width
        self.figure = Figure(
            figsize=(self.width, look.height if height is None else height),
            facecolor=look.background or "none",
            layout="constrained",
        )
        self.figure.get_layout_engine().set(w_pad=0.09, h_pad=0.05, hspace=0.03, wspace=0.03)  # type: ignore[union-attr,call-arg]
        self.title = title
        size = look.font_size * 1.1
        lines = textwrap.wrap(title, self.letters(size))
        self._headline = self.figure.suptitle(
            "\n".join(lines), x=0.01, ha="left", fontsize=size, fontweight="bold", color=look.text
        )

    def letters(self, size: float, besides: float = 0.0) -> int:
        """About how many letters of a size fit on the width, or on what is left besides so many inches."""
        return max(12, int((self.width - besides) * 72 / (0.6 * size)))

    def axes(self) -> Axes:
        """The only axes."""
        made = self.figure.subplots()
        self.quiet(made)
        return made

    def quiet(self, axes: Axes, *, sides: Sequence[str] = ("bottom",)) -> None:
        """Quiet axes: a base line, no box, no tick marks."""
        look = self.look
        axes.set_facecolor("none")
        for side, spine in axes.spines.items():
            spine.set_visible(side in sides)
            spine.set_color(look.quiet)
            spine.set_linewidth(0.7)
        axes.tick_params(axis="x", pad=5)
        axes.tick_params(length=0, labelsize=look.font_size * 0.94, labelcolor=look.quiet)
        for axis in (axes.xaxis, axes.yaxis):
            axis.label.set(color=look.text, fontsize=look.font_size)

    def ticks(self, axis: Axis, at: Sequence[float], words: Sequence[str], *, grid: bool = False) -> None:
        """Fixed ticks with their words, and a quiet line at each where they help to read values."""
        axis.set_ticks(list(at), labels=list(words))
        if grid:
            axis.grid(True, color=self.look.line, linewidth=0.6)
            axis.axes.set_axisbelow(True)

    def shares(self, axis: Axis, step: float = 0.25) -> None:
        """An axis from 0 to 100 %."""
        at = [float(value) for value in np.arange(0.0, 1.0 + step / 2, step)]
        self.ticks(axis, at, [f"{100 * value:.0f} %" for value in at], grid=True)

    def key(self, axes: Axes | None, entries: Sequence[tuple[Any, str]], *, below: bool = False) -> None:
        """What is what, in a row above or below the axes, or, for a figure of many (None), below its title.

        Words are set afterwards, because a legend drops those that begin with '_'.
        """
        if not entries:
            return
        from matplotlib.transforms import ScaledTranslation, blended_transform_factory

        size = self.look.font_size * 0.97
        handle = 2.6 if any(_is_line(handle) for handle, _ in entries) else 1.3
        columns = _columns([3 + 2 * handle + len(words) for _, words in entries], self.letters(size))
        # Above, it starts at the left of the figure and ends at the upper edge of the axes; below, it is a row of its own.
        place: dict[str, Any] = {"loc": "outside lower left"}
        if axes is None:
            under = ScaledTranslation(0.0, -self._below_title(-(-len(entries) // columns)), self.figure.dpi_scale_trans)
            place = {
                "loc": "upper left",
                "bbox_to_anchor": (0.01, 1.0),
                "bbox_transform": self.figure.transFigure + under,
            }
        elif not below:
            across = blended_transform_factory(self.figure.transFigure, axes.transAxes)
            place = {"loc": "lower left", "bbox_to_anchor": (0.01, 1.0), "bbox_transform": across}
        legend = (self.figure if below or axes is None else axes).legend(
            [handle for handle, _ in entries],
            [str(number) for number in range(len(entries))],
            **place,
            ncols=columns,
            frameon=False,
            borderaxespad=0.0 if axes is None else 0.9,
            borderpad=0.0,
            handlelength=handle,
            columnspacing=1.6,
            labelcolor=self.look.text,
            fontsize=size,
        )
        for text, (_, words) in zip(legend.get_texts(), entries, strict=True):
            text.set_text(words)

    def _below_title(self, rows: int) -> float:
        """Make room below the title for so many rows of a key; where it begins, in inches below the upper edge.

        Two things outside the axes at the same edge are laid upon each other, so the title takes the room, in empty lines.
        """
        title = self._headline
        lines = title.get_text().count("\n") + 1
        title.set_text(title.get_text() + "\n" * (rows + 1))
        return 0.05 + (1.2 * lines + 0.5) * float(title.get_fontsize()) / 72

    def done(self, alt: str, reading: str, points: Array | None = None) -> Drawing:
        """The finished drawing: every text is what it says, in our font; nothing is clipped; everything has its place."""
        from matplotlib.text import Text

        for text in self.figure.findobj(Text):
            text.set_parse_math(False)
            text.set_fontfamily(list(self.look.fonts))
        for axes in self.figure.axes:
            for artist in (*axes.lines, *axes.collections, *axes.patches):
                artist.set_clip_on(False)
        lay_out(self.figure)
        return Drawing(self.figure, f"{self.title}. {alt}", reading, points)


def _columns(widths: Sequence[float], room: int) -> int:
    """As many columns as fit; a key is filled column by column, and each is as wide as the widest in it."""
    for columns in range(len(widths), 1, -1):
        rows = -(-len(widths) // columns)
        if sum(max(widths[at : at + rows]) for at in range(0, len(widths), rows)) <= room:
            return columns
    return 1


def _is_line(handle: Any) -> bool:
    """Whether a sample in the key needs length to show its dashes."""
    from matplotlib.collections import LineCollection
    from matplotlib.lines import Line2D
    from matplotlib.patches import StepPatch

    return isinstance(handle, LineCollection | StepPatch) or (
        isinstance(handle, Line2D) and handle.get_linestyle() != "None"
    )


@figure_function
def not_estimable(title: str, reason: str, look: Look) -> Drawing:
    """An honest empty figure: what it would show, and why it cannot."""
    sheet = Sheet(title, look, min(look.height, 1.6))
    axes = sheet.axes()
    axes.set_axis_off()
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.text(
        0.5, 0.62, NOT_ESTIMABLE.capitalize(), ha="center", va="center", color=look.text, fontsize=look.font_size * 1.3
    )
    axes.text(0.5, 0.3, reason, ha="center", va="center", color=look.quiet, fontsize=look.font_size, wrap=True)
    words = f"{NOT_ESTIMABLE.capitalize()}: {reason}"
    return sheet.done(words, words)
