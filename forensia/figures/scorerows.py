"""Where a case stands among the scores of the validation: a row for each kind of comparison, one line through all of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from forensia.figures.authors import author_rows, beside
from forensia.figures.calibration import note
from forensia.figures.drawing import Array, Drawing, Sheet, figure_function, not_estimable
from forensia.figures.look import LIGHT, Look, blend, even, shortened
from forensia.wording.ratios import share

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ScoreRow", "score_rows"]

_BINS = 48
_HIGH = 0.78  # of a row that the highest bar takes
_FEW = 40  # values up to which each is a mark of its own


@dataclass(frozen=True)
class ScoreRow:
    """One kind of comparison. `same` says whether text and author belong together; `size` counts them where `values` are a selection."""

    name: str
    values: ArrayLike
    same: bool
    size: int | None = None


@figure_function
def score_rows(
    rows: Sequence[ScoreRow],
    look: Look = LIGHT,
    *,
    case: float | None = None,
    case_name: str = "this text",
    score: str = "score of a text for an author",
) -> Drawing:
    """The scores of each kind of comparison, and where the case lies among them.

    Heights compare within a row only: each row has its own comparisons. Beside a row stands how many of them are as low as the case
    (text and author belong together) or as high (they do not).
    """
    known = case is not None and math.isfinite(case)
    title = "This text among the scores of the validation" if known else "Scores of the validation"
    arrays = [np.asarray(row.values, dtype=np.float64).ravel() for row in rows]
    kept = [(row, values[np.isfinite(values)]) for row, values in zip(rows, arrays, strict=True)]
    kept = [(row, values) for row, values in kept if values.size]
    if not kept:
        return not_estimable(title, "No text was scored for an author.", look)
    everything = np.concatenate([*(values for _, values in kept), [case] if case is not None and known else []])
    low, high = float(everything.min()), float(everything.max())
    room = 0.02 * (high - low) or 0.5
    edges = np.linspace(low - room, high + room, _BINS + 1)
    tall = max(0.34 * len(kept) + 0.95, min(look.height, 0.85 * len(kept) + 0.95))
    sheet = Sheet(title, look, tall)
    axes = sheet.axes()
    author_rows(sheet, axes, [f"{row.name} ({row.size or values.size:,})" for row, values in kept])
    axes.set_ylim(len(kept) - 0.5, -0.95 if known else -0.6)
    sheet.ticks(axes.xaxis, *even(float(edges[0]), float(edges[-1])))
    axes.set(xlim=(edges[0], edges[-1]), xlabel=score)
    for number, (row, values) in enumerate(kept):
        _row(axes, look, number, row, values, edges)
    said = ""
    if case is not None and known:
        name = shortened(case_name, look.fonts)
        axes.plot([case, case], [-0.75, len(kept) - 0.5], color=look.text, linewidth=1.3, zorder=5)
        axes.plot([case], [-0.75], "v", markersize=6, color=look.text, zorder=6)
        right = case < (low + high) / 2
        note(axes, look, name, (case, -0.78), (8 if right else -8, 0), "left" if right else "right")
        shares = [_beyond(row, values, case) for row, values in kept]
        beside(axes, look, shares)
        said = f" {name} stands at {case:.1f}: " + "; ".join(
            f"{row.name}, {words}" for (row, _), words in zip(kept, shares, strict=True)
        )
    spans = "; ".join(f"{row.name}, from {values.min():.1f} to {values.max():.1f}" for row, values in kept)
    return sheet.done(
        f"A row for each kind of comparison with its scores: {spans}.{said}",
        "Filled: texts with their own author; outlined: texts with an author who did not write them. A text by the author should "
        "stand among the filled ones and beyond the outlined ones." if known else
        "Filled: texts with their own author; outlined: texts with an author who did not write them. The less they overlap, the "
        "more a score can tell.",
    )  # fmt: skip


def _row(axes: Axes, look: Look, number: int, row: ScoreRow, values: Array, edges: Array) -> None:
    colour, soft = (look.same, look.same_soft) if row.same else (look.different, look.different_soft)
    base = number + 0.4
    if values.size <= _FEW:
        face = colour if row.same else look.paper
        axes.plot(
            values, np.full(values.size, number + 0.1), "o", markersize=5, color=colour, markerfacecolor=face, zorder=3
        )
        return
    counts = np.histogram(values, edges)[0]
    heights = base - _HIGH * counts / counts.max()
    fill = soft if row.same else blend(look.paper, soft, 0.5)
    axes.stairs(
        heights, edges, baseline=base, fill=True, facecolor=fill, edgecolor=colour, zorder=2,
        linewidth=1.2 if row.same else 1.0, linestyle="-" if row.same else (0, (4, 1.6)),
    )  # fmt: skip


def _beyond(row: ScoreRow, values: Array, case: float) -> str:
    """How many of a row's comparisons are as extreme as the case, on the side on which it would be unusual there."""
    found, words = (values <= case, "as low or lower") if row.same else (values >= case, "as high or higher")
    return f"{share(float(np.mean(found))) if found.any() else 'none'} {words}"
