"""How often is somebody supported when the author is not among the candidates? The open-set rates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from forensia.figures.calibration import RATIO, note, stroke
from forensia.figures.drawing import Array, Drawing, Sheet, figure_function, not_estimable
from forensia.figures.lettering import ratio, ratios
from forensia.figures.look import LIGHT, Look
from forensia.wording.ratios import share

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["open_set"]


@figure_function
def open_set(
    thresholds: ArrayLike,
    any_supported: ArrayLike,
    look: Look = LIGHT,
    *,
    one_supported: ArrayLike | None = None,
    own_declined: ArrayLike | None = None,
    candidates: float | None = None,
) -> Drawing:
    """What happens at each LR threshold when the author is not among the candidates, and when they are.

    `any_supported`: share of texts by outsiders for which at least one candidate reaches the LR; `one_supported`: the same for
    one given candidate; `own_declined`: share of texts by listed authors for which no candidate reaches it.
    """
    title = "Open set: false support and declined texts"
    at = np.log10(np.asarray(thresholds, dtype=np.float64).ravel())
    rows = [
        None if each is None else np.asarray(each, dtype=np.float64).ravel()
        for each in (any_supported, one_supported, own_declined)
    ]
    if at.size < 2 or rows[0] is None or not np.isfinite(rows[0]).all():
        return not_estimable(title, "It takes texts by authors who are left out of the candidates.", look)
    sheet = Sheet(title, look)
    axes = sheet.axes()
    marks = list(range(math.ceil(at.min() - 1e-9), math.floor(at.max() + 1e-9) + 1))
    sheet.ticks(axes.xaxis, marks, ratios(marks), grid=True)
    sheet.shares(axes.yaxis)
    axes.set(xlim=(at.min(), at.max()), ylim=(0, 1), xlabel=f"threshold: {RATIO} above", ylabel="share of texts")
    of = "at least one candidate" if candidates is None else f"at least one of {candidates:,}"
    if candidates == 1:
        of, rows[1] = "the candidate", None
    styles = (
        (f"outsider: supports {of}", {"color": look.different, "linewidth": 1.9}),
        (
            "outsider: supports one given author",
            {"color": look.different, "linewidth": 1.2, "linestyle": (0, (1, 1.5))},
        ),
        ("listed author: supports nobody", stroke(look, "same") | {"linestyle": (0, (5, 1.6))}),
    )
    entries = []
    for values, (words, style) in zip(rows, styles, strict=True):
        if values is not None and np.isfinite(values).all():
            entries.append((axes.plot(at, values, **style)[0], words))
    told = _label_decades(axes, look, at, rows[0], marks)
    sheet.key(axes, entries)
    return sheet.done(
        f"Rates over the LR threshold for texts by authors outside the corpus ({of} is supported"
        f"{'; one given author is supported' if rows[1] is not None else ''})"
        f"{' and for texts by listed authors that support nobody' if rows[2] is not None else ''}.{told}",
        "The solid line is how often a text by somebody outside the list would support one of the listed authors by chance; the "
        "dashed line is the price: texts by listed authors for which nobody reaches the threshold.",
    )


def _label_decades(axes: Axes, look: Look, at: Array, values: Array, marks: list[int]) -> str:
    """The rates at LR 1, 10, 100… beside the line, where they were measured at exactly these; also as words."""
    told = []
    for mark in marks:
        here = np.flatnonzero(np.isclose(at, mark))
        if here.size:
            value = float(values[here[0]])
            axes.plot([mark], [value], "o", markersize=4, color=look.different)
            last, high = mark >= at.max() - 0.2, value > 0.85
            away = (-2 if last else 6, (-9 if high else 9) if last or high else 7)
            note(axes, look, share(value), (mark, value), away, "right" if last else "left")
            told.append(f"{share(value)} above {ratio(mark, powers=False)}")
    return f" At least one candidate is supported in {', '.join(told)}." if told else ""
