"""Charts of shaded cells: authors or documents against each other. Cells are shapes, not a picture, so that they print sharp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from forensia.figures.drawing import Array, Sheet
from forensia.figures.look import Look, blend, ink_on
from forensia.figures.names import labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

__all__: list[str] = []

_GAP = 0.06  # of a cell, so that neighbours of one shade stay apart
_SMALLEST = 5.2  # points; smaller letters are not read


def matrix_size(rows: int, columns: int, look: Look) -> tuple[float, float]:
    """Height and width in inches that keep cells about square: names beside and above, cells in the rest."""
    width = look.width if columns > 12 else min(look.width, 2.4 + 0.36 * columns)
    cell = min(0.36, (width - 1.9) / columns)
    return max(2.2, 1.95 + cell * rows), width


def cell_letters(sheet: Sheet, count: int) -> float:
    """The size of letters that fit beside a cell when so many share the width."""
    return min(sheet.look.font_size * 0.94, max(_SMALLEST, (sheet.width - 1.9) * 72 / max(1, count) * 0.88))


def row_names(sheet: Sheet, axes: Axes, names: Sequence[str], what: str, size: float | None = None) -> None:
    """Names of the rows, in letters that fit as many rows as columns unless a size is given."""
    sheet.ticks(axes.yaxis, range(len(names)), labels(names, sheet.look.fonts, 22))
    axes.tick_params(axis="y", labelcolor=sheet.look.text, labelsize=size or cell_letters(sheet, len(names)))
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_ylabel(what)
    for spine in axes.spines.values():
        spine.set_visible(False)


def column_names(sheet: Sheet, axes: Axes, names: Sequence[str], what: str, at: Sequence[float] | None = None) -> None:
    """Names of the columns, on top and turned, so that long ones fit."""
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    places = range(len(names)) if at is None else at
    sheet.ticks(axes.xaxis, places, labels(names, sheet.look.fonts, 18))
    axes.tick_params(
        axis="x", labelcolor=sheet.look.text, labelsize=cell_letters(sheet, len(names)), labelrotation=90, length=0
    )  # fmt: skip
    axes.set_xlabel(what)


def cells(
    sheet: Sheet,
    axes: Axes,
    shares: Array,
    words: Sequence[Sequence[str]] | None = None,
    other: NDArray[np.bool_] | None = None,
    between: Array | None = None,
) -> None:
    """A shaded cell for each share above 0, in the second hue where `other` is set, with words where all of them fit."""
    from matplotlib.collections import PolyCollection

    look = sheet.look
    rows, columns = (each.tolist() for each in np.nonzero(np.nan_to_num(shares) > 0))
    axes.set_xlim(-0.5, shares.shape[1] - 0.5)
    colours = [
        blend(look.different_soft, look.different, min(1.0, 0.3 + 2 * float(shares[row, column])))
        if other is not None and other[row, column]
        else blend(*look.ramp, float(shares[row, column]))
        for row, column in zip(rows, columns, strict=True)
    ]
    half = 0.5 - _GAP / 2
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    outlines = np.column_stack([columns, rows])[:, None, :] + corners[None, :, :]
    axes.add_collection(PolyCollection(list(outlines), facecolors=colours, edgecolors="none", zorder=2))
    grid = {"color": look.line, "linewidth": 0.4, "zorder": 0}
    axes.hlines(np.arange(shares.shape[0] + 1) - 0.5, -0.5, shares.shape[1] - 0.5, **grid)  # type: ignore[arg-type]
    axes.vlines(np.arange(shares.shape[1] + 1) - 0.5, -0.5, shares.shape[0] - 0.5, **grid)  # type: ignore[arg-type]
    if between is not None:
        axes.vlines(between, -0.5, shares.shape[0] - 0.5, color=look.text, linewidth=0.9, zorder=3)
    wide = (sheet.width - 1.9) * 72 / shares.shape[1]
    longest = (
        max((len(words[row][column]) for row, column in zip(rows, columns, strict=True)), default=0) if words else 0
    )
    size = min(look.font_size * 0.9, wide / max(1.6, 0.62 * longest + 0.5))
    if words is None or size < _SMALLEST:
        return
    for row, column, colour in zip(rows, columns, colours, strict=True):
        axes.text(
            column, row, words[row][column], ha="center", va="center", color=ink_on(colour, look), fontsize=size,
            in_layout=False,
        )  # fmt: skip


def swatch(colour: str, line: str) -> Any:
    """A sample of a shade for the key."""
    from matplotlib.patches import Patch

    return Patch(facecolor=colour, edgecolor=line, linewidth=0.6)
