"""Figures like the paper's: quality over the number of documents (rows m, columns data sets), and distributions of scores.

Pure functions from lines of results to a `Drawing`; the window, picture files and the report use the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from forensia.experiments.resultsfile import ResultsFile, ScoreRecord
from forensia.experiments.resulttables import MEASURES, SHOWN, TITLES, ResultLine, lines
from forensia.figures.drawing import Drawing, Sheet, figure_function
from forensia.figures.look import LIGHT, Look, blend, lightness, shortened
from forensia.systems.others import RANKERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colour and marker of each method; the colours are those that people with any kind of colour vision tell apart.
STYLES: Mapping[str, tuple[str, str]] = {
    "DV-Bin": ("#0072b2", "o"),
    "DV-2xAA": ("#d55e00", "s"),
    "STD-CosDist": ("#009e73", "^"),
    "STD-2xAA": ("#8a6d00", "D"),
    "Impostors": ("#a8447f", "v"),
    "STD-L1Dist": ("#1f7a8c", "<"),
    "STD-L2Dist": ("#6b7f00", ">"),
    "Impostors-minmax": ("#5c4b99", "P"),
    "Lazy AA": ("#d55e00", "s"),
    "Stacked AA": ("#0072b2", "o"),
    "STD-AA": ("#009e73", "^"),
    "STD-Bin": ("#8a6d00", "D"),
    "fused": ("#5c4b99", "P"),
    "Lazy AV": ("#d55e00", "s"),
    "Stacked AV": ("#0072b2", "o"),
    **dict(zip(RANKERS, cycle((("#a8447f", "v"), ("#1f7a8c", "<"), ("#6b7f00", ">"))), strict=False)),
}
DASHES: Mapping[str, Any] = {"paper": "-", "forensic": (0, (4, 1.5))}
BINS = 40
_FLOOR = 1e-3  # where 'nothing' stands on a logarithmic axis of Impostors, whose lowest score above it is 1 in 200
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sketch:
    """A figure that could be drawn: its headline, how, and whether its rows can be made lower to fit a room."""

    title: str
    make: Callable[..., Drawing]
    flexible: bool = False

    def draw(self, look: Look, room: float | None = None) -> Drawing:
        """Draw it, in a room of so many inches if it can."""
        return self.make(look, room=room) if self.flexible else self.make(look)


def sketches(results: ResultsFile) -> dict[str, Sketch]:
    """All figures of a results file, by the name of their file."""
    every = lines(results.records)
    found: dict[str, Sketch] = {}
    for task, measures in SHOWN.items():
        for measure in measures:
            own = [line for line in every if (line.place.task, line.place.measure) == (task, measure)]
            if any(len(sizes) > 1 for sizes in _sizes(own).values()):
                if measure == measures[0]:
                    found[f"{task}-{measure}"] = Sketch(_title(own), partial(curves, own), flexible=True)
            elif own:
                found[f"{task}-{measure}"] = Sketch(_title(own), partial(methods, own))
    scores = results.scores
    for task in TITLES:
        kept = [record for record in scores if record.scores.task == task]
        if kept:
            found[f"scores-{task}"] = Sketch(_scores_title(task), partial(distributions, kept))
    return found


def drawings(results: ResultsFile, look: Look = LIGHT) -> dict[str, Drawing]:
    """All figures of a results file, drawn."""
    return {name: sketch.draw(look) for name, sketch in sketches(results).items()}


@figure_function
def curves(own: Sequence[ResultLine], look: Look = LIGHT, *, room: float | None = None) -> Drawing:
    """Mean over the runs with a band of one deviation, over q; rows are m, columns are data sets.

    Rows are as high as in the paper, or lower where that makes the figure fit a room of so many inches.
    """
    place = own[0].place
    data = list(dict.fromkeys(line.place.data for line in own))
    ms = sorted({line.place.m for line in own})
    width = max(look.width, 0.9 + 2.5 * len(data))
    high = 0.9 + 1.55 * len(ms)
    sheet = Sheet(_title(own), look, high if room is None else max(0.9 + len(ms), min(high, room)), width)
    panes = sheet.figure.subplots(len(ms), len(data), squeeze=False, sharex="col", sharey=True)
    low, high = _span(own)
    series = list(dict.fromkeys((line.method, line.place.profile) for line in own))
    entries: dict[tuple[str, str], Any] = {}
    for row, m in enumerate(ms):
        for column, name in enumerate(data):
            axes = panes[row, column]
            sheet.quiet(axes, sides=("bottom", "left"))
            axes.grid(axis="y", color=look.line, linewidth=0.6)
            axes.set_axisbelow(True)
            here = [line for line in own if (line.place.data, line.place.m) == (name, m)]
            for key in series:
                handle = _curve(axes, [line for line in here if (line.method, line.place.profile) == key], look)
                if handle is not None:
                    entries.setdefault(key, handle)
            axes.set_ylim(low, high)
            axes.set_xticks(sorted({line.place.q for line in own if line.place.data == name}))
            if not here:
                axes.text(0.5, 0.5, "no results", transform=axes.transAxes, ha="center", color=look.quiet)
            if row == 0:
                axes.set_title(_shown(name, look), fontsize=look.font_size, color=look.text)
            if row == len(ms) - 1:
                axes.set_xlabel("q: training documents of each author")
            if column == 0:
                axes.set_ylabel(f"m = {m}\n{MEASURES[place.measure]}")
    profiles = {profile for _, profile in series}
    words = [(entries[key], _named(*key, several=len(profiles) > 1)) for key in series if key in entries]
    sheet.key(None, words)  # below the title: seen first, also where the figure is longer than the window
    best = _leaders(own)
    return sheet.done(
        f"{len(ms)} rows for m = {', '.join(map(str, ms))} authors, {len(data)} columns for {', '.join(data)}. {best}",
        "Each line is the mean over the runs, the band around it one standard deviation; further up is better.",
    )


def _curve(axes: Axes, own: Sequence[ResultLine], look: Look) -> Any:
    if not own:
        return None
    own = sorted(own, key=lambda line: line.place.q)
    colour, marker = _style(own[0].method, look)
    profile = own[0].place.profile
    q = [line.place.q for line in own]
    mean = np.array([line.mean for line in own])
    sd = np.array([line.sd or 0.0 for line in own])
    band = blend(look.paper, colour, 0.18)
    lower, upper = np.clip(mean - sd, 0, 1), np.clip(mean + sd, 0, 1)
    axes.fill_between(
        q, lower, upper, facecolor=band, edgecolor=blend(look.paper, colour, 0.5), linewidth=0.5, alpha=0.6
    )
    (handle,) = axes.plot(
        q,
        mean,
        color=colour,
        marker=marker,
        markersize=3.6,
        linewidth=1.3,
        linestyle=DASHES[profile],
        markerfacecolor=colour if profile == "paper" else look.paper,
    )
    return handle


@figure_function
def methods(own: Sequence[ResultLine], look: Look = LIGHT) -> Drawing:
    """Mean and deviation of each method where each data set has one m and q; the paper's printed means as open diamonds."""
    data = list(dict.fromkeys(line.place.data for line in own))
    series = list(dict.fromkeys((line.method, line.place.profile) for line in own))
    width = max(look.width, 1.6 + 2.2 * len(data))
    sheet = Sheet(_title(own), look, 1.4 + 0.27 * len(series), width)
    panes = sheet.figure.subplots(1, len(data), squeeze=False, sharey=True)[0]
    several = len({profile for _, profile in series}) > 1
    values = [line.mean + sign * (line.sd or 0) for line in own for sign in (-1, 1)] + [
        line.paper for line in own if line.paper is not None
    ]
    low, high = max(0.0, min(values) - 0.05), min(1.02, max(values) + 0.05)
    printed: Any = None
    for axes, name in zip(panes, data, strict=True):
        sheet.quiet(axes)
        axes.grid(axis="x", color=look.line, linewidth=0.6)
        axes.set_axisbelow(True)
        for line in (line for line in own if line.place.data == name):
            row = series.index((line.method, line.place.profile))
            colour, marker = _style(line.method, look)
            span = [max(line.mean - (line.sd or 0), 0.0), min(line.mean + (line.sd or 0), 1.0)]
            axes.plot(span, [row, row], color=colour, linewidth=2.2)
            axes.plot([line.mean], [row], marker=marker, markersize=6, color=colour)
            if line.paper is not None:
                (printed,) = axes.plot(
                    [line.paper],
                    [row],
                    marker="d",
                    markersize=7,
                    color=look.text,
                    markerfacecolor="none",
                    linestyle="None",
                )
        axes.set(xlim=(low, high), ylim=(len(series) - 0.4, -0.6))
        axes.set_title(_shown(name, look), fontsize=look.font_size, color=look.text, loc="left")
        axes.set_xlabel(MEASURES[own[0].place.measure])
        axes.set_yticks(range(len(series)), [_named(*key, several=several) for key in series])
    if printed is not None:
        sheet.key(None, [(printed, "printed in the paper")])
    return sheet.done(
        _leaders(own),
        "Each mark is the mean over the runs, its line one standard deviation to both sides; right is better.",
    )


@figure_function
def distributions(kept: Sequence[ScoreRecord], look: Look = LIGHT) -> Drawing:
    """Histograms with densities of the scores of Same and Different pairs, and the threshold; rows data sets, columns methods."""
    task = kept[0].scores.task
    rows = list(dict.fromkeys((record.data, record.profile) for record in kept))
    order = list(STYLES)
    columns = sorted({record.scores.method for record in kept}, key=order.index)
    sheet = Sheet(_scores_title(task), look, 1.0 + 1.7 * len(rows), 1.0 + 2.9 * len(columns))
    panes = sheet.figure.subplots(len(rows), len(columns), squeeze=False)
    entries: list[tuple[Any, str]] = []
    told = []
    for row, (name, profile) in enumerate(rows):
        for column, method in enumerate(columns):
            axes = panes[row, column]
            sheet.quiet(axes)
            own = [each for each in kept if (each.data, each.profile, each.scores.method) == (name, profile, method)]
            if not own:
                axes.set_axis_off()
                continue
            entries = _distribution(axes, own, look)
            right = np.mean(
                [
                    np.concatenate(
                        (each.scores.same > each.scores.threshold, each.scores.different <= each.scores.threshold)
                    ).mean()
                    for each in own
                ]
            )
            told.append(f"{method} on {name}: {right:.0%} on the right side of the threshold")
            if row == 0:
                axes.set_title(method, fontsize=look.font_size, color=look.text)
            if column == 0:
                axes.set_ylabel(_shown(name, look) + ("" if profile == "paper" else f"\n({profile})") + "\ndensity")
    sheet.key(None, entries)
    return sheet.done(
        ". ".join(told) + ".",
        "Filled: pairs by one author; outlined: pairs by two. The dashed line is the threshold above which the answer is Same.",
    )


def _distribution(axes: Axes, own: Sequence[ScoreRecord], look: Look) -> list[tuple[Any, str]]:
    logarithmic = own[0].scores.method in ("Impostors", "Impostors-minmax")
    threshold = float(np.mean([record.scores.threshold for record in own]))
    same, different = (
        np.concatenate([getattr(record.scores, side) for record in own]) for side in ("same", "different")
    )
    if logarithmic:
        same, different = (np.log10(np.maximum(values, _FLOOR)) for values in (same, different))
        threshold = float(np.log10(max(threshold, _FLOOR)))
        low, high = float(np.log10(_FLOOR)), 0.0
    else:
        low, high = 0.0, 1.0
    edges = np.linspace(low, high, BINS + 1)
    top = 0.0
    handles = []
    for values, colour, fill in ((same, look.same, look.same_soft), (different, look.different, look.different_soft)):
        heights, _ = np.histogram(values, edges, density=True)
        filled = values is same
        handles.append(
            axes.stairs(heights, edges, fill=filled, facecolor=fill, edgecolor=colour, linewidth=1.0)
            if filled
            else axes.stairs(heights, edges, edgecolor=colour, linewidth=1.0)
        )
        top = max(top, float(heights.max()))
    for values, colour, style in ((same, look.same, "-"), (different, look.different, (0, (3, 1)))):
        at, density = _density(values, low, high)
        if len(at):
            axes.plot(at, np.minimum(density, 1.08 * top), color=colour, linewidth=1.5, linestyle=style)
    mark = axes.plot([threshold, threshold], [0, 1.1 * top], color=look.text, linewidth=1.0, linestyle=(0, (4, 2)))[0]
    axes.set(xlim=(low, high), ylim=(0, 1.12 * top))
    axes.yaxis.set_major_locator(_few())
    if logarithmic:
        ticks = [-3, -2, -1, 0]
        axes.set_xticks(ticks, ["0", "0.01", "0.1", "1"])
        axes.set_xlabel("score (logarithmic)")
    else:
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"])
        axes.set_xlabel("Pr(Same)")
    return [(handles[0], "Same"), (handles[1], "Different"), (mark, "threshold")]


def _density(values: Floats, low: float, high: float) -> tuple[Floats, Floats]:
    """A Gaussian density mirrored at both ends, so that what is piled up there is not smeared beyond."""
    if len(values) < 3 or float(np.std(values)) < 1e-9:
        return np.zeros(0), np.zeros(0)
    spread = float(np.std(values))
    quartiles = np.percentile(values, [25, 75])
    bandwidth = 0.9 * min(spread, float(quartiles[1] - quartiles[0]) / 1.34 or spread) * len(values) ** -0.2
    bandwidth = max(bandwidth, (high - low) / 200)
    mirrored = np.concatenate((values, 2 * low - values, 2 * high - values))
    at = np.linspace(low, high, 201)
    kernel = np.exp(-0.5 * ((at[:, None] - mirrored[None, :]) / bandwidth) ** 2)
    return at, np.asarray(kernel.sum(axis=1) / (len(values) * bandwidth * np.sqrt(2 * np.pi)))


def _few() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=4)


def _style(method: str, look: Look) -> tuple[str, str]:
    colour, marker = STYLES[method]
    return (blend(colour, "#ffffff", 0.35) if lightness(look.paper) < 0.2 else colour), marker


def _named(method: str, profile: str, *, several: bool) -> str:
    return f"{method} ({profile})" if several else method


def _shown(name: str, look: Look) -> str:
    return shortened(name, look.fonts, 30)


def _title(own: Sequence[ResultLine]) -> str:
    place = own[0].place
    return f"{TITLES[place.task]}: {MEASURES[place.measure]}"


def _scores_title(task: str) -> str:
    return f"Scores of test pairs: {TITLES[task].lower()}"


def _span(own: Sequence[ResultLine]) -> tuple[float, float]:
    low = min(line.mean - (line.sd or 0) for line in own)
    high = max(line.mean + (line.sd or 0) for line in own)
    return max(0.0, np.floor(low * 20) / 20 - 0.02), min(1.0, np.ceil(high * 20) / 20) + 0.02


def _sizes(own: Sequence[ResultLine]) -> dict[str, set[tuple[int, int]]]:
    found: dict[str, set[tuple[int, int]]] = {}
    for line in own:
        found.setdefault(line.place.data, set()).add((line.place.m, line.place.q))
    return found


def _leaders(own: Sequence[ResultLine]) -> str:
    """Which method is best where, in a sentence for those who cannot see the figure."""
    best: dict[str, int] = {}
    for line in own:
        if line.best:
            best[line.method] = best.get(line.method, 0) + 1
    total = sum(best.values())
    return "Best: " + ", ".join(f"{method} in {count} of {total}" for method, count in best.items()) + "."
