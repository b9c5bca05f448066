"""Charts of shaded cells: authors or documents against each other. Cells are shapes, not a picture, so that they print sharp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from forensia.evidence.measures import Confusion
from forensia.figures.authors import MOST_ROWS
from forensia.figures.drawing import Array, Drawing, Sheet, figure_function, not_estimable
from forensia.figures.look import LIGHT, Look, blend, ink_on, labels, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

__all__ = ["MOST_COLUMNS", "confusion_matrix", "heat_map", "pair_map"]

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
    first, best = (shortened(name, look.fonts) for name in (rows[int(place[0])], groups[column]))
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
    said = f"{len(groups)} groups" if len(groups) != 1 else "one group"
    return sheet.done(
        f"Cells for {len(names):,} texts, in {said}. The values go from {np.nanmin(values):+.2f} to {np.nanmax(values):+.2f}.",
        "Each cell is the log10 likelihood ratio of two texts: above 0 it speaks for one writer, below 0 for two. Texts of one group "
        "stand together, within a frame.",
    )


def _signed(value: float) -> str:
    """With its sign, unless it is 0 as it is printed."""
    return f"{value:+.1f}" if round(value, 1) else "0.0"


@figure_function
def confusion_matrix(confusion: Confusion, look: Look = LIGHT) -> Drawing:
    """Who was taken for whom: true authors in rows, given authors in columns; shades are shares of the true author's documents."""
    title = "Who was taken for whom"
    counts, names = confusion.counts, confusion.classes
    if not len(names) or counts.sum() <= 0:
        return not_estimable(title, "No document was judged.", look)
    sheet = Sheet(title, look, *matrix_size(len(names), len(names), look))
    axes = sheet.axes()
    row_names(sheet, axes, names, "true author")
    column_names(sheet, axes, names, "given to")
    whole = counts.sum(axis=1, keepdims=True)
    shares: Array = np.divide(counts, whole, out=np.zeros_like(counts), where=whole > 0)
    right = np.eye(len(names), dtype=bool)
    numbers = [[_count(value) for value in row] for row in counts]
    cells(sheet, axes, shares, numbers, other=~right & (counts > 0))
    swatches = [(look.ramp[1], "given to their author"), (look.different, "given to another")]
    sheet.key(axes, [(swatch(colour, look.quiet), words) for colour, words in swatches], below=True)
    wrong = np.where(right, 0.0, counts)
    worst = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
    said = ""
    if wrong[worst] > 0:
        true, given = (shortened(names[at], look.fonts) for at in worst)
        said = f" The most frequent error: {_count(wrong[worst])} of {_count(whole[worst[0], 0])} by {true} given to {given}."
    return sheet.done(
        f"{_count(np.trace(counts))} of {_count(counts.sum())} documents by {len(names):,} authors were given to their author.{said}",
        "Each row is a true author. What lies on the diagonal was given to the right author; every cell off it is an error, the "
        "stronger its shade the more frequent.",
    )


def _count(value: float) -> str:
    """A count, which weights may have made a fraction."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"
