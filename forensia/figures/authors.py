"""Charts with authors in rows, and how often documents are given to their author: documents and words, F1, accuracy over k."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from forensia.figures.calibration import note
from forensia.figures.drawing import Array, Drawing, Sheet, figure_function, not_estimable
from forensia.figures.look import LIGHT, Look, even, labels
from forensia.wording.ratios import share

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MOST_ROWS", "by_author", "by_author_small", "f1_by_author", "k_accuracy"]

# What still fits on a page in readable letters; more are named as left out, never dropped silently.
MOST_ROWS = 60


def row_height(count: int, look: Look) -> float:
    """Inches for a row: airy for a few authors, tight for fifty."""
    airy, tight = 2.2, 1.45
    crowd = min(1.0, max(0.0, (count - 12) / 30))
    return look.font_size / 72 * (airy + (tight - airy) * crowd)


def rows_height(count: int, look: Look, around: float) -> float:
    """Inches for the whole chart: its rows and what is above and below them."""
    return count * row_height(count, look) + around


def row_font(count: int, look: Look) -> float:
    """Letters of the row labels."""
    return look.font_size if count <= 25 else look.font_size * 0.88


def author_rows(sheet: Sheet, axes: Axes, names: Sequence[str], *, lines: bool = True) -> list[str]:
    """Rows from the top, each with its author's name and a quiet line; gives the names as they are shown."""
    look = sheet.look
    shown = labels(names, look.fonts, 30 if sheet.width > 4.5 else 20)
    sheet.ticks(axes.yaxis, range(len(names)), shown)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", labelcolor=look.text, labelsize=row_font(len(names), look), pad=5)
    if lines:
        axes.hlines(
            range(len(names)), 0, 1, transform=axes.get_yaxis_transform(), color=look.line, linewidth=0.6, zorder=0
        )
    return shown


def beside(axes: Axes, look: Look, words: Sequence[str], heading: str = "") -> None:
    """A column of words to the right of the rows."""
    across = axes.get_yaxis_transform()
    for row, each in enumerate(words):
        axes.text(
            1.015,
            row,
            each,
            transform=across,
            va="center_baseline",
            color=look.text,
            fontsize=row_font(len(words), look),
        )
    if heading:
        axes.annotate(
            heading, (1.015, 1), xycoords="axes fraction", xytext=(0, 3), textcoords="offset points", va="bottom",
            color=look.quiet, fontsize=look.font_size * 0.94,
        )  # fmt: skip


def left_out(shown: int, whole: int, which: str) -> str:
    """A sentence for the axis and the text alternative when not all authors are drawn."""
    return f"{shown:,} of {whole:,} authors: {which}" if shown < whole else ""


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
        sheet.quiet(axes, sides=())
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
        sheet.quiet(axes)
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


@figure_function
def k_accuracy(accuracy: ArrayLike, k: int | None, look: Look = LIGHT, *, chance: float | None = None) -> Drawing:
    """Share of documents given to their author, each judged without itself, for k = 1, 2, …; the chosen k is marked."""
    title = "Documents given to their author, each judged without itself"
    values = np.asarray(accuracy, dtype=np.float64).ravel()
    if not values.size or not np.isfinite(values).all():
        return not_estimable(title, "It takes authors with at least two documents.", look)
    numbers = np.arange(1, values.size + 1)
    lowest = min(float(values.min()), 1.0 if chance is None else chance)
    bottom = max(0.0, np.floor((lowest - 0.04) * 10) / 10)
    sheet = Sheet(title, look, look.height * 0.8)
    axes = sheet.axes()
    marks, _ = even(bottom, 1.0, 6)
    sheet.ticks(axes.yaxis, marks, [f"{100 * mark:g} %" for mark in marks], grid=True)
    whole = [mark for mark in even(1.0, max(2.0, float(values.size)), 12)[0] if mark == int(mark)]
    whole = [1.0, *(mark for mark in whole if mark > 1)]
    sheet.ticks(axes.xaxis, whole, [f"{mark:.0f}" for mark in whole])
    axes.set(xlim=(0.5, values.size + 0.5), ylim=(bottom, 1.03), xlabel="k: documents of an author that count")
    axes.plot(numbers, values, color=look.same, linewidth=1.4, marker="o", markersize=3.2, zorder=3)
    said = ""
    if k is not None and 1 <= k <= values.size:
        value = float(values[k - 1])
        axes.plot([k], [value], "o", markersize=9, markerfacecolor="none", color=look.text, zorder=4)
        left = k > values.size * 0.7
        down = value > bottom + 0.75 * (1.03 - bottom)
        words = f"k = {k}: {share(value)}"
        note(axes, look, words, (k, value), (-4 if left else 4, -14 if down else 14), "right" if left else "left")
        said = f" The chosen k is {k}, with {share(value)}."
    if chance is not None:
        axes.axhline(chance, color=look.quiet, linewidth=0.9, linestyle=(0, (1, 2)), zorder=1)
        note(axes, look, f"by chance {share(chance)}", (values.size + 0.5, chance), (0, 6), "right")
        said += f" By chance it would be {share(chance)}."
    return sheet.done(
        f"Accuracy for k from 1 to {values.size}, between {share(float(values.min()))} and {share(float(values.max()))}.{said}",
        "How many documents go to their true author when only the k most similar documents of each author count; the ring is the k "
        "in use. A flat curve means that the choice of k hardly matters.",
    )


@figure_function
def f1_by_author(
    authors: Sequence[str],
    f1: ArrayLike,
    look: Look = LIGHT,
    *,
    precision: ArrayLike | None = None,
    recall: ArrayLike | None = None,
    intervals: ArrayLike | None = None,
    documents: Sequence[int] | None = None,
) -> Drawing:
    """F1 of each author, best first, with precision and recall, an interval (n x 2), and the number of documents beside it."""
    title = "How well each author is recognised (F1)"
    values = np.asarray(f1, dtype=np.float64).ravel()
    if not len(authors) or not np.isfinite(values).any():
        return not_estimable(title, "No document was judged.", look)
    order = np.argsort(-np.nan_to_num(values, nan=-1.0), kind="stable")
    order = order[-MOST_ROWS:]
    more = left_out(order.size, values.size, "those with the lowest F1")
    columns = [
        None if each is None else np.asarray(each, dtype=np.float64)[order] for each in (precision, recall, intervals)
    ]
    sheet = Sheet(title, look, rows_height(order.size, look, 1.0))
    axes = sheet.axes()
    shown = author_rows(sheet, axes, [authors[at] for at in order])
    sheet.shares(axes.xaxis)
    axes.set(xlim=(0, 1), xlabel=more)
    rows = np.arange(order.size)
    entries: list[tuple[Any, str]] = []
    if columns[2] is not None:
        low, high = columns[2][:, 0], columns[2][:, 1]
        bar = axes.hlines(rows, low, high, color=look.same_soft, linewidth=4, zorder=1)
        entries.append((bar, "95 % interval"))
    if columns[0] is not None and columns[1] is not None:
        axes.hlines(rows, *np.sort([columns[0], columns[1]], axis=0), color=look.different, linewidth=0.8, zorder=2)
        entries += [
            (axes.plot(column, rows, marker, markersize=4.6, color=look.different, markerfacecolor=look.paper, zorder=3)[0], words)
            for column, marker, words in (
                (columns[0], "D", "precision"),
                (columns[1], "<", "recall"),
            )
        ]  # fmt: skip
    (dots,) = axes.plot(values[order], rows, "o", markersize=5, color=look.same, zorder=4)
    sheet.key(axes, [(dots, "F1"), *entries])
    for row in np.flatnonzero(~np.isfinite(values[order])).tolist():
        axes.text(0.5, row, "not estimable", ha="center", va="center", color=look.quiet, fontsize=look.font_size * 0.9)
    if documents is not None:
        beside(axes, look, [f"{documents[at]:,}" for at in order], "texts")
    finite = values[np.isfinite(values)]
    return sheet.done(
        f"F1 of {len(authors):,} authors, from {share(float(finite.min()))} to {share(float(finite.max()))}, mean "
        f"{share(float(finite.mean()))}. First: {shown[0]}; last: {shown[-1]}.{f' Shown are {more}.' if more else ''}",
        "Dots to the right are authors whose texts are well recognised; findings about authors at the bottom deserve less trust."
        + (
            " Precision: how often it is right when this author is named; recall: how many of the author's texts are found."
            if columns[0] is not None and columns[1] is not None
            else ""
        ),
    )
