"""What one disputed text says: Pr(Same) with every known document, LRs on the verbal scale, families for and against."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from forensia.evidence.calibration import Bounds
from forensia.figures.authors import MOST_ROWS, author_rows, beside, left_out, row_height, rows_height
from forensia.figures.calibration import RATIO
from forensia.figures.drawing import Array, Drawing, Sheet, figure_function, not_estimable
from forensia.figures.look import LIGHT, Look, blend, decades, even
from forensia.wording.ratios import MARQUIS_2016, VerbalScale, bounded_figures, lr_figure, model_score

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["families", "lr_scale", "pr_same"]


@figure_function
def pr_same(
    scores: ArrayLike,
    authors: Sequence[str],
    order: Sequence[str],
    k: int,
    look: Look = LIGHT,
    *,
    author_scores: Sequence[float] | None = None,
    reach: Mapping[str, int] | None = None,
    most: int = MOST_ROWS,
) -> Drawing:
    """Every known document as a dot in the strip of its author, for so many authors at most; filled are the k nearest of each.

    `scores[i]` and `authors[i]` belong to known document i; `order` lists the authors, best first, with their `author_scores`.
    `reach` says how many count for an author where that differs from k.
    The drawing's points are (x, y, i).
    """
    title = "Model score Pr(Same) with every known document"
    values = np.asarray(scores, dtype=np.float64).ravel()
    if not values.size or not len(order):
        return not_estimable(title, "There is no known document to compare with.", look)
    listed = list(order[:most])
    more = left_out(len(listed), len(order), "those ranked first")
    sheet = Sheet(title, look, rows_height(len(listed), look, 1.0))
    axes = sheet.axes()
    shown = author_rows(sheet, axes, listed)
    sheet.ticks(axes.xaxis, [0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"])
    axes.set(xlim=(-0.015, 1.015), xlabel="model score Pr(Same)" + (f" ({more})" if more else ""))
    axes.axvline(0.5, color=look.line, linewidth=0.9, linestyle=(0, (3, 3)), zorder=0)
    row_of = {author: row for row, author in enumerate(listed)}
    size = min(4.6, row_height(len(listed), look) * 72 * 0.3)
    points, near = [], []
    counting = dict(reach or {})
    for author, row in row_of.items():
        own = np.array(
            [i for i, each in enumerate(authors) if each == author and np.isfinite(values[i])], dtype=np.intp
        )
        own = own[np.argsort(-values[own], kind="stable")]
        shift = _lanes(values[own], size, sheet.width)
        points += [(values[i], row + lane, i) for i, lane in zip(own, shift, strict=True)]
        near += [rank < counting.get(author, k) for rank in range(own.size)]
    dots, filled = np.array(points, dtype=np.float64).reshape(-1, 3), np.array(near, dtype=bool)
    entries = []
    for chosen, face, edge, words in (
        (
            filled,
            look.same,
            look.same,
            _counting({counting.get(author, k) for author in listed} - {0}),
        ),
        (~filled, look.paper, look.quiet, "other known document"),
    ):
        (drawn,) = axes.plot(
            dots[chosen, 0], dots[chosen, 1], "o", markersize=size, markerfacecolor=face, markeredgecolor=edge,
            markeredgewidth=0.7, zorder=3 if face == look.same else 2,
        )  # fmt: skip
        entries.append((drawn, words))
    sheet.key(axes, entries)
    if author_scores is not None:
        beside(axes, look, [_score(score) for score in author_scores[: len(listed)]], "score")
    first = dots[dots[:, 1].round() == 0, 0]
    said = f" {shown[0]} stands first, with scores from {first.min():.2f} to {first.max():.2f}." if first.size else ""
    return sheet.done(
        f"A strip for each of {len(listed):,} authors, with a dot for each of {len(dots):,} known documents at its model score "
        f"with the disputed text.{said}{f' Shown are {more}.' if more else ''}",
        "Each dot is one known document; farther right means more alike in style. Filled dots are those that count for their "
        "author. The score comes from training with equal numbers of same-author and different-author pairs; it is not the "
        "probability that anyone wrote the text.",
        dots,
    )


@figure_function
def lr_scale(
    authors: Sequence[str],
    log10_lr: ArrayLike,
    look: Look = LIGHT,
    *,
    intervals: ArrayLike | None = None,
    bounds: Bounds | None = None,
    scale: VerbalScale = MARQUIS_2016,
) -> Drawing:
    """The LR of each author with its interval (n x 2) on a scale with its verbal bands and the bounds that validation supports."""
    title = "Likelihood ratio of each author"
    values = np.asarray(log10_lr, dtype=np.float64).ravel()
    if not len(authors) or not np.isfinite(values).any():
        return not_estimable(title, "No likelihood ratio could be computed.", look)
    names = list(authors[:MOST_ROWS])
    more = left_out(len(names), len(authors), "those listed first")
    ends = np.full((values.size, 2), np.nan) if intervals is None else np.asarray(intervals, dtype=np.float64)
    figures = [
        None if math.isnan(value) else bounded_figures(float(value), (float(low), float(high)), bounds)
        for value, (low, high) in zip(values[: len(names)], ends, strict=False)
    ]
    reached = [x for each in figures if each for x in (each.log10_lr, *(each.interval or ()))]
    reached += [] if bounds is None else [bounds.lower, bounds.upper]
    limit = float(min(9, max(4, math.ceil(max(map(abs, reached))))))
    bands = _Bands.of(scale, limit, look)
    sheet = Sheet(title, look, rows_height(len(names), look, 1.3 + bands.height))
    axes = sheet.axes()
    shown = author_rows(sheet, axes, names)
    at, words = decades(-limit, limit, sheet.letters(look.font_size, 2.7))
    sheet.ticks(axes.xaxis, at, words)
    axes.set(
        xlim=(-limit, limit),
        xlabel=f"← for the alternative        {RATIO}        for this author →" + (f"\n{more}" if more else ""),
    )
    bands.draw(axes, look)
    if bounds is not None:
        for edge in (bounds.lower, bounds.upper):
            axes.axvline(edge, color=look.quiet, linewidth=1.0, linestyle=(0, (4, 2)), zorder=1)
    axes.axvline(0, color=look.text, linewidth=1.0, zorder=1)
    for row, each in enumerate(figures):
        if each is None:
            continue  # the column beside says so
        colour = look.same if each.log10_lr > 0 else look.different
        if each.interval is not None and each.interval[0] < each.interval[1]:
            axes.plot(each.interval, [row, row], color=colour, linewidth=1.6, zorder=2)
            axes.plot(each.interval, [row, row], "|", color=colour, markersize=6, markeredgewidth=1.2, zorder=2)
        marker = "o" if not each.at_bound else ">" if each.log10_lr > 0 else "<"
        face = colour if each.log10_lr > 0 else look.paper
        axes.plot([each.log10_lr], [row], marker, markersize=6, color=colour, markerfacecolor=face, zorder=3)
    sheet.key(axes, _scale_key(look, intervals is not None, bounds is not None), below=True)
    beside(axes, look, [lr_figure(float(value), bounds) for value in values[: len(names)]], "LR")
    said = "; ".join(
        f"{name}: {lr_figure(float(value), bounds)}" for name, value in zip(shown[:10], values, strict=False)
    )
    return sheet.done(
        f"Likelihood ratios of {len(names):,} authors on the scale of {scale.name}. {said}{'; …' if len(shown) > 10 else ''}."
        f"{f' Shown are {more}.' if more else ''}",
        "Right of the line LR = 1 the findings are more probable if the author wrote the text, left of it if another did. The bar is "
        "the 95 % interval"
        + ("; between the dashed lines lies what the validation supports, and an arrow head stands at such a limit." if bounds else "."),
    )  # fmt: skip


@figure_function
def families(
    names: Sequence[str],
    supporting: ArrayLike,
    opposing: ArrayLike,
    look: Look = LIGHT,
    *,
    title: str = "What speaks for and against the same author",
    unit: str = "contribution to the log-odds",
) -> Drawing:
    """Contributions to the log-odds by family (or feature): those for the same author to the right, those against to the left.

    `supporting` is the sum of the positive contributions (>= 0), `opposing` of the negative ones (<= 0); where a row has both, a
    mark shows the balance.
    """
    plus, minus = (np.asarray(each, dtype=np.float64).ravel() for each in (supporting, opposing))
    if not len(names) or not np.isfinite(plus).all() or not np.isfinite(minus).all():
        return not_estimable(title, "No contribution could be computed.", look)
    order = np.argsort(-np.abs(plus + minus), kind="stable")[:MOST_ROWS]
    plus, minus = plus[order], minus[order]
    most, least = 1.06 * float(plus.max(initial=0)), 1.06 * float(minus.min(initial=0))
    # Neither side is narrower than a fifth of the other: an empty side says something too.
    high, low = max(most, -0.2 * least) or 1.0, min(least, -0.2 * most) or -1.0
    sheet = Sheet(title, look, rows_height(order.size, look, 1.05))
    axes = sheet.axes()
    shown = author_rows(sheet, axes, [names[at] for at in order], lines=False)
    sheet.ticks(axes.xaxis, *even(low, high), grid=True)
    axes.set(xlim=(low, high), xlabel=unit)
    rows = np.arange(order.size)
    right = axes.barh(rows, plus, height=0.62, color=look.same, zorder=2)
    left = axes.barh(
        rows, minus, height=0.62, color=look.different_soft, edgecolor=look.different, linewidth=0.9, zorder=2
    )
    axes.axvline(0, color=look.text, linewidth=0.9, zorder=3)
    balance = plus + minus
    entries: list[tuple[Any, str]] = [(left, "against"), (right, "for the same author")]
    mixed = bool(((plus > 0) & (minus < 0)).any())
    if mixed:
        (mark,) = axes.plot(balance, rows, "D", markersize=4.5, color=look.text, markerfacecolor=look.paper, zorder=4)
        entries.append((mark, "balance"))
    sheet.key(axes, entries)
    beside(axes, look, [_signed(value) for value in balance])
    said = "; ".join(f"{name} {_signed(value)}" for name, value in zip(shown[:10], balance, strict=False))
    return sheet.done(
        f"Balance by row, the largest first: {said}{'; …' if len(shown) > 10 else ''}.",
        "Bars to the right speak for the same author, bars to the left against"
        + ("; the diamond is what remains of both." if mixed else "."),
    )


@dataclass(frozen=True)
class _Bands:
    """The words of a verbal scale up to a limit, with the size in which they fit between their ends; turned where none does."""

    edges: tuple[tuple[float, float, str], ...]
    size: float
    turned: bool

    @classmethod
    def of(cls, scale: VerbalScale, limit: float, look: Look) -> _Bands:
        ends = [0.0, *(min(limit, math.log10(top)) for top, _ in scale.bands[:-1]), limit]
        edges = tuple((low, high, word) for low, high, (_, word) in zip(ends, ends[1:], scale.bands, strict=False))
        decade = (look.width - 2.5) * 72 / (2 * limit)
        usual = look.font_size * 0.85
        fits = min((high - low) * decade / max(map(len, word.split())) / 0.6 for low, high, word in edges if high > low)
        return cls(edges, usual if fits < 5.4 else min(usual, fits), fits < 5.4)

    @property
    def height(self) -> float:
        """Inches above the rows."""
        longest = max(len(word) for low, high, word in self.edges if high > low)
        return (longest * 0.6 if self.turned else 2.4) * self.size / 72

    def draw(self, axes: Axes, look: Look) -> None:
        """The words over alternating shades, the same on both sides of LR = 1."""
        for sign in (1, -1):
            for number, (low, high, word) in enumerate(self.edges):
                if high <= low:
                    continue
                if number % 2:
                    shade = blend(look.paper, look.line, 0.3)
                    axes.axvspan(*sorted((sign * low, sign * high)), color=shade, linewidth=0, zorder=-1)
                axes.annotate(
                    word if self.turned else word.replace(" ", "\n"), (sign * (low + high) / 2, 1),
                    xycoords=("data", "axes fraction"), xytext=(0, 3), textcoords="offset points", ha="center", va="bottom",
                    color=look.quiet, linespacing=1.0, fontsize=self.size, rotation=90 if self.turned else 0,
                )  # fmt: skip


def _scale_key(look: Look, spread: bool, limits: bool) -> list[tuple[Any, str]]:
    """What the signs of the scale mean."""
    from matplotlib.lines import Line2D

    bar = {"linewidth": 1.6} if spread else {"linestyle": "none"}
    with_bar = ", 95 % interval" if spread else ""
    entries: list[tuple[Any, str]] = [
        (Line2D([], [], color=look.same, marker="o", markersize=6, **bar), f"LR above 1{with_bar}"),
        (Line2D([], [], color=look.different, marker="o", markersize=6, markerfacecolor=look.paper, **bar), "below 1"),
    ]
    if limits:
        limit = Line2D([], [], color=look.quiet, linewidth=1.0, linestyle=(0, (4, 2)))
        entries.append((limit, "limit that the validation supports"))
    return entries


def _counting(counts: set[int]) -> str:
    """What the filled dots are."""
    if counts == {1}:
        return "nearest: counts for the author"
    low, high = min(counts), max(counts)
    return f"the {low if low == high else f'{low} to {high}'} nearest: count for the author"


def _signed(value: float) -> str:
    text = f"{value:+.2f}"
    return "0.00" if float(text) == 0 else text.replace("-", "−")


def _score(value: float) -> str:
    """Never 0 or 1, which no model score is."""
    return "–" if math.isnan(value) else model_score(value, short=True)


def _lanes(descending: Array, size: float, width: float) -> Array:
    """Small steps up and down for dots that would hide each other; always the same for the same scores."""
    gap = 0.8 * size / (72 * max(1.0, width - 2.0))
    offsets = (0.0, -0.17, 0.17, -0.32, 0.32)
    last = [math.inf] * len(offsets)
    lanes = np.zeros(descending.size)
    for at, score in enumerate(descending):
        free = [lane for lane, before in enumerate(last) if before - score >= gap]
        lane = free[0] if free else int(np.argmax(last))
        last[lane] = float(score)
        lanes[at] = offsets[lane]
    return lanes
