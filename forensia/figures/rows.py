"""Charts with a row for each author: how high they are, what stands beside the rows, and what is said when there are too many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from forensia.figures.drawing import Sheet
from forensia.figures.lettering import labels
from forensia.figures.look import Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MOST_ROWS"]

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
