"""The known texts at a glance: documents and words of each author."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from forensia.figures.drawing import Array, Drawing, Sheet, figure_function, not_estimable
from forensia.figures.lettering import even
from forensia.figures.look import LIGHT, Look
from forensia.figures.rows import MOST_ROWS, author_rows, left_out, row_font, rows_height

__all__ = ["by_author", "by_author_small"]

_READING = "Authors with few documents or few words are harder to recognise, and unequal numbers can mislead: look for short bars."


@figure_function
def by_author(authors: Sequence[str], documents: ArrayLike, words: ArrayLike, look: Look = LIGHT) -> Drawing:
    """Documents and words of each author side by side, the authors with most documents first."""
    title = "Known texts by author"
    counts, order = _ordered(documents, words)
    if not len(authors) or not order.size:
        return not_estimable(title, "There are no known texts.", look)
    order = order[-MOST_ROWS:]
    more = left_out(order.size, len(authors), "those with the fewest documents")
    sheet = Sheet(title, look, rows_height(order.size, look, 0.75))
    panes = sheet.figure.subplots(1, 2)
    shown = author_rows(sheet, panes[0], [authors[at] for at in order.tolist()], lines=False)
    for axes, values, name, colour in zip(
        panes, counts, ("documents", "words"), (look.same, look.same_soft), strict=True
    ):
        sheet.plain(axes, sides=())
        kept = values[order]
        axes.barh(np.arange(kept.size), kept, height=0.66, color=colour, edgecolor=look.same, linewidth=0.6)
        axes.set(xlim=(0, max(1.0, float(kept.max())) * 1.25), ylim=(kept.size - 0.4, -0.6))
        axes.set_xticks([])
        axes.set_title(name, loc="left", fontsize=look.font_size, color=look.text, pad=3)
        for row, value in enumerate(kept):
            axes.annotate(
                f"{value:,.0f}", (value, row), xytext=(3, 0), textcoords="offset points", va="center", color=look.text,
                fontsize=row_font(kept.size, look) * 0.95,
            )  # fmt: skip
    panes[0].tick_params(axis="y", labelcolor=look.text, labelsize=row_font(order.size, look), pad=5)
    panes[1].set_yticks([])
    panes[0].set_xlabel(more)
    return sheet.done(
        f"{_totals(counts)} Most documents: {shown[0]} ({counts[0][order[0]]:,.0f}); fewest: {shown[-1]} "
        f"({counts[0][order[-1]]:,.0f}).{f' Shown are {more}.' if more else ''}",
        _READING,
    )


@figure_function
def by_author_small(documents: ArrayLike, words: ArrayLike, look: Look = LIGHT) -> Drawing:
    """The same without names, for a corner of the window: two rows of bars that show at once whether the numbers are even."""
    title = "Known texts by author"
    counts, order = _ordered(documents, words)
    if not order.size:
        return not_estimable(title, "There are no known texts.", look)
    sheet = Sheet("", look)
    panes = sheet.figure.subplots(2, 1, sharex=True)
    for axes, values, name, colour in zip(
        panes, counts, ("Documents", "Words"), (look.same, look.same_soft), strict=True
    ):
        sheet.plain(axes)
        axes.bar(np.arange(order.size), values[order], width=0.78, color=colour, edgecolor=look.same, linewidth=0.4)
        top = max(1.0, float(values.max()))
        at = [value for value in even(0.0, top, 3)[0] if value == int(value)]
        sheet.ticks(axes.yaxis, at, [f"{value / 1000:g}k" if value >= 10_000 else f"{value:,.0f}" for value in at])
        axes.set(xlim=(-0.6, order.size - 0.4), ylim=(0, top))
        axes.set_title(f"{name} by author", fontsize=look.font_size, loc="left", color=look.text, pad=3)
        axes.set_xticks([])
    panes[1].set_xlabel(f"{order.size:,} authors, most texts first", color=look.quiet)
    return sheet.done(f"{title}. {_totals(counts)}", _READING)


def _ordered(
    documents: ArrayLike, words: ArrayLike
) -> tuple[tuple[Array, Array], np.ndarray[tuple[int], np.dtype[np.intp]]]:
    many, long = (np.asarray(each, dtype=np.float64).ravel() for each in (documents, words))
    return (many, long), np.lexsort((-long, -many))


def _totals(counts: tuple[Array, Array]) -> str:
    return f"{counts[0].size:,} authors, {counts[0].sum():,.0f} documents, {counts[1].sum():,.0f} words."
