"""Disputed documents against known documents or, where these are too many for cells, against their authors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from forensia.figures.drawing import Array, Drawing, Sheet, figure_function, not_estimable
from forensia.figures.look import LIGHT, Look, blend
from forensia.figures.matrix import cells, column_names, row_names, swatch
from forensia.figures.names import elided, visible
from forensia.figures.rows import MOST_ROWS

__all__ = ["MOST_COLUMNS", "heat_map"]

# Known documents that still are cells and not hairs on a page; beyond, each author is one column.
MOST_COLUMNS = 120


@figure_function
def heat_map(
    scores: ArrayLike, disputed: Sequence[str], authors: Sequence[str], look: Look = LIGHT, *, k: int | None = None
) -> Drawing:
    """Pr(Same) of every disputed document (rows of `scores`) with every known one (columns, each with its author).

    Columns are grouped by author in the order in which authors first appear. With more than MOST_COLUMNS known documents a cell
    is the mean of the author's k highest scores (of all, if k is None). The drawing's points are (x, y, row * columns + column)
    with columns counted as in `scores`, or over the authors where these are the columns.
    """
    title = "Model score Pr(Same) of the disputed texts with the known ones"
    values = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    if not np.isfinite(values).any() or not len(authors) or not len(disputed):
        return not_estimable(title, "There is nothing to compare.", look)
    values, rows = values[:MOST_ROWS], list(disputed[:MOST_ROWS])
    more = f" ({len(rows)} of {len(disputed):,} disputed texts)" if len(rows) < len(disputed) else ""
    groups = list(dict.fromkeys(authors))
    members = {
        author: np.array([i for i, each in enumerate(authors) if each == author], dtype=np.intp) for author in groups
    }
    by_author = values.shape[1] > MOST_COLUMNS
    mean = ("" if not by_author else " (mean score)" if k is None else f" (mean of {k} highest)") if k != 1 else ""
    if by_author:
        shown = np.column_stack([_highest(values[:, members[author]], k) for author in groups])
        index = np.arange(len(groups))
        widths = [1] * len(groups)
    else:
        index = np.concatenate([members[author] for author in groups])
        shown, widths = values[:, index], [members[author].size for author in groups]
    sheet = Sheet(title, look, 2.1 + 0.21 * len(rows))
    axes = sheet.axes()
    row_names(sheet, axes, rows, "disputed text" if len(rows) > 3 else "", size=look.font_size * 0.94)
    starts = np.concatenate([[0], np.cumsum(widths)]) - 0.5
    column_names(sheet, axes, groups, f"known texts by{mean}", at=list((starts[:-1] + starts[1:]) / 2))
    words = [[f"{value:.2f}" for value in row] for row in shown]
    cells(sheet, axes, np.clip(shown, 1e-9, 1), words if by_author else None, between=None if by_author else starts)
    steps = (0.0, 0.25, 0.5, 0.75, 1.0)
    sheet.key(
        axes,
        [(swatch(blend(*look.ramp, step), look.quiet), f"{step:g}" if step else "score 0") for step in steps],
        below=True,
    )
    place = np.unravel_index(int(np.nanargmax(shown)), shown.shape)
    column = int(place[1]) if by_author else int(np.searchsorted(starts, place[1], side="right") - 1)
    first, best = (elided(visible(name, look.fonts), 40) for name in (rows[int(place[0])], groups[column]))
    across, down = np.meshgrid(np.arange(shown.shape[1]), np.arange(shown.shape[0]))
    points = np.column_stack([across.ravel(), down.ravel(), (down * shown.shape[1] + index[across]).ravel()]).astype(
        float
    )
    return sheet.done(
        f"Cells for {len(rows):,} disputed texts{more} and "
        f"{f'{len(groups):,} authors' if by_author else f'{shown.shape[1]:,} known documents of {len(groups):,} authors'}. The highest "
        f"score is {shown[place]:.2f}, of {first} with {best}.",
        "The stronger the shade, the more alike in style. A column shaded over several rows shows disputed texts that resemble one "
        "author; a row without a strong shade resembles nobody in the corpus.",
        points,
    )


def _highest(scores: Array, k: int | None) -> Array:
    """Mean of the k highest scores in each row."""
    kept = scores.shape[1] if k is None else min(k, scores.shape[1])
    return np.asarray(np.sort(scores, axis=1)[:, -kept:].mean(axis=1), dtype=np.float64)
