"""How often are documents given to their author? Accuracy over k, F1 by author, and who is taken for whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from forensia.evidence.measures import Confusion
from forensia.figures.calibration import note
from forensia.figures.drawing import Array, Drawing, Sheet, figure_function, not_estimable
from forensia.figures.lettering import even, shortened
from forensia.figures.look import LIGHT, Look
from forensia.figures.matrices import cells, column_names, matrix_size, row_names, swatch
from forensia.figures.rows import MOST_ROWS, author_rows, beside, left_out, rows_height
from forensia.wording.ratios import share

__all__ = ["confusion_matrix", "f1_by_author", "k_accuracy"]


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
    told = ""
    if k is not None and 1 <= k <= values.size:
        value = float(values[k - 1])
        axes.plot([k], [value], "o", markersize=9, markerfacecolor="none", color=look.text, zorder=4)
        left = k > values.size * 0.7
        down = value > bottom + 0.75 * (1.03 - bottom)
        words = f"k = {k}: {share(value)}"
        note(axes, look, words, (k, value), (-4 if left else 4, -14 if down else 14), "right" if left else "left")
        told = f" The chosen k is {k}, with {share(value)}."
    if chance is not None:
        axes.axhline(chance, color=look.quiet, linewidth=0.9, linestyle=(0, (1, 2)), zorder=1)
        note(axes, look, f"by chance {share(chance)}", (values.size + 0.5, chance), (0, 6), "right")
        told += f" By chance it would be {share(chance)}."
    return sheet.done(
        f"Accuracy for k from 1 to {values.size}, between {share(float(values.min()))} and {share(float(values.max()))}.{told}",
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
    told = ""
    if wrong[worst] > 0:
        true, given = (shortened(names[at], look.fonts) for at in worst)
        told = f" The most frequent error: {_count(wrong[worst])} of {_count(whole[worst[0], 0])} by {true} given to {given}."
    return sheet.done(
        f"{_count(np.trace(counts))} of {_count(counts.sum())} documents by {len(names):,} authors were given to their author.{told}",
        "Each row is a true author. What lies on the diagonal was given to the right author; every cell off it is an error, the "
        "stronger its shade the more frequent.",
    )


def _count(value: float) -> str:
    """A count, which weights may have made a fraction."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"
