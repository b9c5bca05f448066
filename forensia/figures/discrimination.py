"""How well are authors told apart? ROC, score distributions and the open-set rates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from forensia.evidence.measures import RocCurve
from forensia.figures.calibration import BOTH_NEEDED, DIFFERENT, RATIO, SAME, note, stroke
from forensia.figures.drawing import Array, Drawing, Sheet, figure_function, not_estimable
from forensia.figures.look import LIGHT, Look
from forensia.figures.names import elided, visible
from forensia.figures.numbers import even, ratio, ratios
from forensia.wording.ratios import share

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["open_set", "roc", "score_distributions"]


@figure_function
def roc(curve: RocCurve, look: Look = LIGHT, *, eer: float | None = None) -> Drawing:
    """Hits against false alarms for every threshold, with the convex hull and the point of equal errors on it."""
    title = "ROC: hits and false alarms"
    if not np.isfinite(curve.false_alarms).all() or curve.false_alarms.size < 2:
        return not_estimable(title, BOTH_NEEDED, look)
    sheet = Sheet(title, look, width=look.half)
    axes = sheet.axes()
    sheet.shares(axes.xaxis)
    sheet.shares(axes.yaxis)
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="different authors taken for one", ylabel="same author recognised")
    (chance,) = axes.plot([0, 1], [0, 1], color=look.quiet, linewidth=0.9, linestyle=(0, (1, 2)))
    (hull,) = axes.plot(curve.hull_false_alarms, curve.hull_hits, **(stroke(look, "different") | {"linewidth": 1.2}))
    (line,) = axes.plot(curve.false_alarms, curve.hits, **stroke(look, "same"))
    sheet.key(axes, [(line, "every threshold"), (hull, "convex hull"), (chance, "guessing")])
    known = eer is not None and not math.isnan(eer)
    if eer is not None and known:
        axes.plot([eer], [1 - eer], "o", markersize=6, markerfacecolor=look.paper, color=look.text, zorder=5)
        note(axes, look, f"equal error rate {share(eer)}", (eer, 1 - eer), (8, -8), "left")
    return sheet.done(
        "Share of same-author pairs recognised over the share of different-author pairs taken for one, for every threshold."
        + (f" Both errors are equal at {share(eer)}." if eer is not None and known else ""),
        "The nearer the curve comes to the upper left corner, the better; on the dotted diagonal it would be guessing. At the ring "
        "both kinds of error are equally frequent.",
    )


@figure_function
def score_distributions(
    same: ArrayLike,
    different: ArrayLike,
    look: Look = LIGHT,
    *,
    case: float | None = None,
    case_name: str = "this case",
    score: str = "score",
    bins: int = 30,
) -> Drawing:
    """Where scores of same-author and of different-author comparisons lie, each adding up to 100 %, and where the case lies."""
    title = "Scores of the validation, and of this case" if case is not None else "Scores of the validation"
    arrays = [np.asarray(values, dtype=np.float64).ravel() for values in (same, different)]
    arrays = [values[np.isfinite(values)] for values in arrays]
    if not all(values.size for values in arrays):
        return not_estimable(title, BOTH_NEEDED, look)
    marked = case is not None and math.isfinite(case)
    everything = np.concatenate([*arrays, [case] if case is not None and marked else []])
    low, high = float(everything.min()), float(everything.max())
    room = 0.02 * (high - low) or 0.5
    edges = np.linspace(low - room, high + room, bins + 1)
    shares = [np.histogram(values, edges)[0] / values.size for values in arrays]
    top = 1.2 * max(float(each.max()) for each in shares)
    sheet = Sheet(title, look)
    axes = sheet.axes()
    filled = axes.stairs(shares[0], edges, fill=True, facecolor=look.same_soft, edgecolor=look.same, linewidth=1.2)
    dashed = axes.stairs(shares[1], edges, **stroke(look, "different"))
    axes.set(xlim=(edges[0], edges[-1]), ylim=(0, top), xlabel=score, ylabel="share of comparisons")
    marks, _ = even(0.0, top, 6)
    sheet.ticks(axes.yaxis, marks, [f"{100 * mark:g} %" for mark in marks], grid=True)
    sheet.ticks(axes.xaxis, *even(float(edges[0]), float(edges[-1])))
    words = [f"{name} ({values.size:,})" for name, values in zip((SAME, DIFFERENT), arrays, strict=True)]
    sheet.key(axes, list(zip((filled, dashed), words, strict=True)))
    where = ""
    if case is not None and marked:
        name = elided(visible(case_name, look.fonts), 40)
        axes.plot([case, case], [0, top * 0.93], color=look.text, linewidth=1.3)
        axes.plot([case], [top * 0.93], "v", markersize=6, color=look.text)
        right = case < (low + high) / 2
        note(axes, look, name, (case, top * 0.95), (7 if right else -7, 3), "left" if right else "right")
        below = [float(np.mean(values <= case)) for values in arrays]
        where = (
            f" {name} lies at {case:.2f}: {share(below[0])} of the same-author and {share(below[1])} of the different-author "
            "comparisons score as low or lower."
        )
    return sheet.done(
        f"Distributions of the score over {arrays[0].size:,} comparisons of {SAME} (filled) and {arrays[1].size:,} of {DIFFERENT} "
        f"(dashed).{where}",
        "Filled: texts known to be by one author; dashed: texts by different authors. The less they overlap, the more a score can "
        "tell." + (" The marked line shows where this case lies among them." if marked else ""),
    )


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
