"""Figures as pure functions of what they show. Names from files are drawn letter by letter: no mathematics, no hidden labels.

matplotlib is imported by the functions, never by the module: the window is there before it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from forensia.gui.theme import Colours
from forensia.gui.words import one_line, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FONT = 8.5


@contextlib.contextmanager
def literal() -> Iterator[None]:
    """Within it, text with dollar signs is text."""
    import matplotlib

    with matplotlib.rc_context({"text.parse_math": False, "font.size": _FONT, "svg.fonttype": "none"}):
        yield


def _figure(colours: Colours, width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), facecolor=colours.surface, layout="constrained")


def _plain(axes: Axes, colours: Colours) -> None:
    axes.set_facecolor(colours.surface)
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(colours.line)
    axes.tick_params(colors=colours.quiet, length=0, labelsize=_FONT)
    axes.xaxis.label.set_color(colours.quiet)
    axes.yaxis.label.set_color(colours.quiet)


def by_author(counts: Mapping[str, tuple[int, int]], colours: Colours) -> Figure:
    """Documents and words of each author, side by side, the authors in the order of their documents."""
    with literal():
        figure = _figure(colours, 2.6, 2.2)
        ordered = sorted(counts.values(), reverse=True)
        panes = figure.subplots(2, 1, sharex=True)
        for number, (axes, title) in enumerate(zip(panes, ("Documents", "Words"), strict=True)):
            values = [pair[number] for pair in ordered]
            axes.bar(range(len(values)), values, width=0.78, color=colours.support if number == 0 else colours.bar)
            _plain(axes, colours)
            axes.set_title(f"{title} by author", fontsize=_FONT, loc="left", color=colours.text)
            axes.set_xticks([])
            axes.yaxis.set_major_locator(_few_ticks())
            axes.yaxis.set_major_formatter(lambda value, _: f"{value / 1000:g}k" if value >= 10_000 else f"{value:,g}")
        panes[-1].set_xlabel(f"{len(ordered):,} authors, most texts first")
        return figure


def _few_ticks(*, share: bool = False) -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=4, steps=[1, 2, 5, 10]) if share else MaxNLocator(nbins=3, integer=True)


def pr_same(
    pairs: Sequence[Mapping[str, Any]], order: Sequence[str], k: int, colours: Colours
) -> tuple[Figure, list[Mapping[str, Any]]]:
    """Every known document as a dot in the strip of its author; filled are the k of each author that count for the ranking.

    Also gives the pairs in the order of the dots, so that a dot can be named when the pointer is on it.
    """
    with literal():
        figure = _figure(colours, 7, max(2.2, 0.27 * len(order) + 0.9))
        axes = figure.subplots()
        _plain(axes, colours)
        listed: list[Mapping[str, Any]] = []
        nearest: list[Mapping[str, Any]] = []
        for row, author in enumerate(order):
            own = sorted((pair for pair in pairs if pair["author"] == author), key=lambda pair: -pair["score"])
            nearest += own[:k]
            listed += own[k:]
            axes.axhline(row, color=colours.line, linewidth=0.6, zorder=0)
        rows = {author: row for row, author in enumerate(order)}
        for group, face, edge, size in (
            (listed, colours.surface, colours.quiet, 20),
            (nearest, colours.support, colours.support, 30),
        ):
            axes.scatter(
                [pair["score"] for pair in group],
                [rows[pair["author"]] for pair in group],
                s=size,
                facecolors=face,
                edgecolors=edge,
                linewidths=0.9,
                zorder=2 if group is listed else 3,
                picker=False,
            )
        axes.set_yticks(range(len(order)), [shortened(one_line(author), 28) for author in order])
        axes.set_ylim(len(order) - 0.4, -0.6)
        axes.set_xlim(-0.02, 1.02)
        axes.set_xlabel("model score Pr(Same) of the disputed text with each known document")
        axes.tick_params(axis="y", colors=colours.text)
        axes.axvline(0.5, color=colours.line, linewidth=0.8, linestyle=(0, (3, 3)), zorder=0)
        return figure, listed + nearest


def k_curve(accuracy: Sequence[float], k: int, colours: Colours) -> Figure:
    """How many known documents go to their author when k of their neighbours count, for each k."""
    with literal():
        figure = _figure(colours, 5, 2.3)
        axes = figure.subplots()
        _plain(axes, colours)
        numbers = range(1, len(accuracy) + 1)
        axes.plot(numbers, accuracy, color=colours.support, linewidth=1.4, marker="o", markersize=3.5)
        axes.plot([k], [accuracy[k - 1]], marker="o", markersize=9, markerfacecolor="none", color=colours.text)
        axes.annotate(f"k = {k}", (k, accuracy[k - 1]), textcoords="offset points", xytext=(-6, 9), color=colours.text)
        axes.set_title(
            "Documents given to their author, each judged without itself",
            fontsize=_FONT,
            loc="left",
            color=colours.text,
        )
        axes.set_xlabel("k: documents of an author that count")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        axes.xaxis.set_major_locator(_few_ticks_many())
        axes.set_ylim(max(0.0, min(accuracy) - 0.06), 1.04)
        axes.yaxis.set_major_locator(_few_ticks(share=True))
        axes.grid(axis="y", color=colours.line, linewidth=0.6)
        axes.set_axisbelow(True)
        return figure


def _few_ticks_many() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=8, integer=True)
