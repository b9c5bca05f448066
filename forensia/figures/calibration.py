"""Are the likelihood ratios worth what they say? Tippett, PAV, empirical cross-entropy and reliability plots, and the open set."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from forensia.evidence.measures import EceCurve, PavFit, ReliabilityCurve, TippettCurves
from forensia.figures.drawing import Array, Drawing, Sheet, figure_function, not_estimable
from forensia.figures.look import LIGHT, Look, decades, ratio, ratios
from forensia.wording.ratios import share

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ece", "open_set", "pav_plot", "reliability", "tippett"]

SAME = "texts by the same author"
DIFFERENT = "texts by different authors"
BOTH_NEEDED = "It takes comparisons of texts by the same author and of texts by different authors."
RATIO = "likelihood ratio (LR)"


@figure_function
def tippett(curves: TippettCurves, look: Look = LIGHT) -> Drawing:
    """Share of comparisons that reach each LR, for both kinds of comparisons."""
    title = "Tippett plot: how often the LR reaches each value"
    if not _usable(curves.log10_lr, curves.same, curves.different):
        return not_estimable(title, BOTH_NEEDED, look)
    sheet = Sheet(title, look)
    axes = sheet.axes()
    low, high = _decade_axis(sheet, axes, curves.log10_lr)
    sheet.shares(axes.yaxis)
    axes.set(xlim=(low, high), ylim=(0, 1), xlabel=RATIO, ylabel="share with at least this LR")
    unity(axes, look)
    (same,) = axes.plot(curves.log10_lr, curves.same, **stroke(look, "same"))
    (different,) = axes.plot(curves.log10_lr, curves.different, **stroke(look, "different"))
    sheet.key(axes, [(same, SAME), (different, DIFFERENT)])
    return sheet.done(
        "Two falling curves over the likelihood ratio: the share of same-author comparisons (solid) and of different-author "
        "comparisons (dashed) with at least that likelihood ratio. A vertical line marks a likelihood ratio of 1.",
        "The farther apart the curves, the better. Left of the line LR = 1 the solid curve should still be near 100 %; right of it "
        "the dashed curve should be near 0 %: what it shows there is misleading evidence.",
    )


@figure_function
def pav_plot(fit: PavFit | None, look: Look = LIGHT) -> Drawing:
    """The LRs as computed against the best that any rising map of them could give; `fit` is PAV on log10 LRs."""
    title = "PAV plot: computed and best LRs"
    if fit is None or not fit.low.size:
        return not_estimable(title, BOTH_NEEDED, look)
    best = fit.log10_lr
    ends = np.concatenate([fit.low, fit.high, best])
    limit = float(np.ceil(2 * np.max(np.abs(ends[np.isfinite(ends)]), initial=1.0) + 0.5) / 2)
    low, high = np.clip(fit.low, -limit, limit), np.clip(fit.high, -limit, limit)
    sheet = Sheet(title, look, width=look.half)
    axes = sheet.axes()
    at, words = decades(-limit, limit, sheet.letters(look.font_size, 0.9))
    for axis in (axes.xaxis, axes.yaxis):
        sheet.ticks(axis, at, words, grid=True)
    axes.set(xlim=(-limit, limit), ylim=(-limit, limit), xlabel="LR as computed", ylabel="LR after PAV")
    (ideal,) = axes.plot([-limit, limit], [-limit, limit], color=look.quiet, linewidth=0.9, linestyle=(0, (1, 2)))
    finite = np.isfinite(best)
    steps_x = np.column_stack([low[finite], high[finite]]).ravel()
    (line,) = axes.plot(steps_x, np.repeat(best[finite], 2), color=look.same, linewidth=1.5)
    entries: list[tuple[Any, str]] = [(line, "LRs of the validation"), (ideal, "perfectly calibrated")]
    beyond = ~finite
    if beyond.any():
        level = np.where(best[beyond] > 0, limit, -limit)
        for x0, x1, y in zip(low[beyond], high[beyond], level, strict=True):
            (edge,) = axes.plot([x0, x1], [y, y], color=look.different, linewidth=3, solid_capstyle="butt")
        entries.append((edge, "no misleading LR beyond"))
    sheet.key(axes, entries)
    return sheet.done(
        "Likelihood ratios before (across) and after (up) the best rising correction; a dotted diagonal shows perfect "
        "calibration. Thick strips at the upper and lower edge mark LRs beyond which nothing misleading was seen.",
        "On the diagonal the LRs are worth what they say. Right of it they overstate support for the same author, left of it they "
        "understate it; the thick strips at the edges are LRs that only bounds can hold back.",
    )


@figure_function
def ece(curve: EceCurve, look: Look = LIGHT) -> Drawing:
    """The uncertainty that the LRs leave, whatever was believed before."""
    title = "Empirical cross-entropy (ECE): uncertainty that is left"
    if not _usable(curve.prior_log10_odds, curve.lr, curve.pav, curve.neutral):
        return not_estimable(title, BOTH_NEEDED, look)
    odds = curve.prior_log10_odds
    top = max(1.05, min(1.5, 1.05 * float(np.nanmax(curve.lr))))
    sheet = Sheet(title, look)
    axes = sheet.axes()
    low, high = _decade_axis(sheet, axes, odds)
    marks = [mark for mark in (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5) if mark <= top]
    sheet.ticks(axes.yaxis, marks, [f"{mark:g}" for mark in marks], grid=True)
    axes.set(
        xlim=(low, high), ylim=(0, top), xlabel="prior odds, same to different author", ylabel="cross-entropy (bits)"
    )
    lines = [
        axes.plot(odds, np.where(values <= top, values, np.nan), **style)[0]
        for values, style in (
            (curve.neutral, {"color": look.quiet, "linewidth": 1.0, "linestyle": (0, (1, 2))}),
            (curve.pav, stroke(look, "different")),
            (curve.lr, stroke(look, "same")),
        )
    ]
    words = ("without the texts (LR = 1)", "at their best (after PAV)", "LRs of the validation")
    sheet.key(axes, list(zip(lines, words, strict=True))[::-1])
    even = np.flatnonzero(np.isclose(odds, 0.0))
    cllr = ""
    if even.size and curve.lr[even[0]] <= top:
        value = float(curve.lr[even[0]])
        axes.plot([0], [value], "o", markersize=5, color=look.same)
        note(axes, look, f"Cllr {value:.2f}", (0, value), (7, 5), "left")
        cllr = f" At even odds the LRs leave {value:.2f} bits, which is Cllr."
    return sheet.done(
        "Cross-entropy in bits over the prior odds, for the LRs of the validation (solid), the same at their best (dashed) and "
        f"without the texts (dotted).{cllr}",
        "Lower is better. Where the solid line is below the dotted one, the LRs help; above it they mislead. The distance from solid "
        "to dashed is what calibration still loses.",
    )


@figure_function
def reliability(curve: ReliabilityCurve, look: Look = LIGHT) -> Drawing:
    """Stated against observed shares of same-author pairs, with the share of comparisons behind each point below."""
    title = "Reliability: stated and observed shares"
    if not curve.stated.size or not np.isfinite(curve.stated).all() or curve.count.sum() <= 0:
        return not_estimable(title, "There are no comparisons with a stated score.", look)
    sheet = Sheet(title, look, width=look.half)
    axes, below = sheet.figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": (4, 1)})
    for each in (axes, below):
        sheet.quiet(each)
    sheet.shares(axes.yaxis)
    sheet.shares(below.xaxis)
    (ideal,) = axes.plot([0, 1], [0, 1], color=look.quiet, linewidth=0.9, linestyle=(0, (1, 2)))
    (line,) = axes.plot(
        curve.stated,
        curve.observed,
        color=look.same,
        linewidth=1.2,
        marker="o",
        markersize=4.5,
        markerfacecolor=look.paper,
    )
    axes.set(xlim=(0, 1), ylim=(0, 1), ylabel="observed: same author")
    axes.tick_params(labelbottom=False)
    weight = curve.count / curve.count.sum()
    below.bar(curve.stated, weight, width=0.05, color=look.same_soft, edgecolor=look.same, linewidth=0.6)
    most = float(weight.max())
    below.set(ylim=(0, most * 1.05), xlabel="stated", ylabel="share")
    sheet.ticks(below.yaxis, [0, most], ["0", share(most)])
    sheet.key(axes, [(line, "groups of scores"), (ideal, "perfectly calibrated")])
    return sheet.done(
        f"Observed against stated shares of same-author comparisons in {curve.stated.size} groups, with a dotted diagonal for "
        "perfect calibration; bars below show how many comparisons are in each group.",
        "Points below the diagonal: the scores claim too much. Above it: too little. Trust a point as far as the bar under it is high.",
    )


def stroke(look: Look, role: str) -> dict[str, Any]:
    """How the lines of the two roles are drawn everywhere: solid and dark, or dashed and lighter."""
    if role == "same":
        return {"color": look.same, "linewidth": 1.7}
    return {"color": look.different, "linewidth": 1.7, "linestyle": (0, (4, 1.6))}


def unity(axes: Axes, look: Look) -> None:
    """The line LR = 1, where findings are neutral."""
    axes.axvline(0, color=look.quiet, linewidth=0.9, zorder=1)


def note(axes: Axes, look: Look, words: str, at: tuple[float, float], away: tuple[float, float], side: str) -> None:
    """Words beside a point, at a distance in points."""
    axes.annotate(
        words, at, xytext=away, textcoords="offset points", ha=side, va="center", color=look.text, fontsize=look.font_size,
        bbox={"facecolor": look.background or "none", "edgecolor": "none", "pad": 0.8}, zorder=6,
    )  # fmt: skip


def _decade_axis(sheet: Sheet, axes: Axes, log10: Array) -> tuple[float, float]:
    """The span of an axis of ratios, at least a decade each way, with its ticks."""
    low, high = min(-1.0, float(log10.min())), max(1.0, float(log10.max()))
    at, words = decades(low, high, sheet.letters(sheet.look.font_size, 0.7))
    sheet.ticks(axes.xaxis, at, words, grid=True)
    return low, high


def _usable(*arrays: Array) -> bool:
    return all(each.size > 1 and bool(np.isfinite(each).all()) for each in arrays)


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
    said = _label_decades(axes, look, at, rows[0], marks)
    sheet.key(axes, entries)
    return sheet.done(
        f"Rates over the LR threshold for texts by authors outside the corpus ({of} is supported"
        f"{'; one given author is supported' if rows[1] is not None else ''})"
        f"{' and for texts by listed authors that support nobody' if rows[2] is not None else ''}.{said}",
        "The solid line is how often a text by somebody outside the list would support one of the listed authors by chance; the "
        "dashed line is the price: texts by listed authors for which nobody reaches the threshold.",
    )


def _label_decades(axes: Axes, look: Look, at: Array, values: Array, marks: list[int]) -> str:
    """The rates at LR 1, 10, 100… beside the line, where they were measured at exactly these; also as words."""
    said = []
    for mark in marks:
        here = np.flatnonzero(np.isclose(at, mark))
        if here.size:
            value = float(values[here[0]])
            axes.plot([mark], [value], "o", markersize=4, color=look.different)
            last, high = mark >= at.max() - 0.2, value > 0.85
            away = (-2 if last else 6, (-9 if high else 9) if last or high else 7)
            note(axes, look, share(value), (mark, value), away, "right" if last else "left")
            said.append(f"{share(value)} above {ratio(mark, powers=False)}")
    return f" At least one candidate is supported in {', '.join(said)}." if said else ""
