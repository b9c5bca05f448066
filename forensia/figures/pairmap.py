"""Several texts against each other: the likelihood ratios of all pairs, in the order of their groups."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from forensia.figures.drawing import Drawing, Sheet, figure_function, not_estimable
from forensia.figures.look import LIGHT, Look, blend
from forensia.figures.matrix import cells, column_names, matrix_size, row_names, swatch

__all__ = ["pair_map"]


@figure_function
def pair_map(
    log10: ArrayLike, texts: Sequence[str], groups: Sequence[Sequence[int]] = (), look: Look = LIGHT
) -> Drawing:
    """log10 LRs of texts with each other (texts x texts), those of a group beside each other and framed."""
    title = "log10 likelihood ratios of all pairs: one writer against two"
    values = np.asarray(log10, dtype=np.float64)
    if len(texts) < 2 or not np.isfinite(values).any():
        return not_estimable(title, "There is no pair with a likelihood ratio.", look)
    order = [text for group in groups for text in group] or list(range(len(texts)))
    values = values[np.ix_(order, order)].copy()
    np.fill_diagonal(values, np.nan)
    names = [texts[text] for text in order]
    height, width = matrix_size(len(names), len(names), look)
    sheet = Sheet(title, look, height + 0.4, max(width, 4.2))
    axes = sheet.axes()
    row_names(sheet, axes, names, "")
    column_names(sheet, axes, names, "")
    most = float(np.nanmax(np.abs(values))) or 1.0
    words = [["" if np.isnan(value) else _signed(value) for value in row] for row in values]
    cells(sheet, axes, np.maximum(np.abs(values) / most, 1e-9), words, other=values < 0)
    start = -0.5
    for group in groups:
        end = start + len(group)
        corners = [start, end, end, start, start], [start, start, end, end, start]
        axes.plot(*corners, color=look.text, linewidth=1.2, zorder=4)
        start = end
    sheet.key(
        axes,
        [
            (swatch(blend(*look.ramp, 0.8), look.quiet), "above 0: for one writer"),
            (swatch(blend(look.different_soft, look.different, 0.8), look.quiet), "below 0: for two"),
        ],
        below=True,
    )
    told = f"{len(groups)} groups" if len(groups) != 1 else "one group"
    return sheet.done(
        f"Cells for {len(names):,} texts, in {told}. The values go from {np.nanmin(values):+.2f} to {np.nanmax(values):+.2f}.",
        "Each cell is the log10 likelihood ratio of two texts: above 0 it speaks for one writer, below 0 for two. Texts of one group "
        "stand together, within a frame.",
    )


def _signed(value: float) -> str:
    """With its sign, unless it is 0 as it is printed."""
    return f"{value:+.1f}" if round(value, 1) else "0.0"
