"""The plots of the window, drawn by a child process. matplotlib never comes near the event loop.

A plot is a dataclass of its numbers with a `draw` that makes a `Drawing` of `figures`; `kinds` lists them all.
"""

from __future__ import annotations

import base64
import contextlib
import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from forensia import codec, files
from forensia.errors import InputError
from forensia.jobs import Progress
from forensia.jobs.worker import News
from forensia.report.curves import OpenSetCurve, Plots

if TYPE_CHECKING:
    from forensia.figures import Drawing, Look


Json = Any
KINDS = (".png", ".svg", ".pdf")
_DPI = 96  # pixels of an inch on a screen without scaling


class Plot(Protocol):
    """The numbers of a plot, a dataclass that `codec` can send, and how it is drawn."""

    def draw(self, look: Look) -> Drawing: ...


@dataclass(frozen=True)
class AuthorsPlot:
    """Documents and words of each author, without names."""

    documents: tuple[int, ...]
    words: tuple[int, ...]

    def draw(self, look: Look) -> Drawing:
        from forensia import figures

        return figures.by_author_small(self.documents, self.words, look)


@dataclass(frozen=True)
class AccuracyPlot:
    """Accuracy on known texts for each k."""

    accuracy: tuple[float, ...]
    k: int
    chance: float | None = None

    def draw(self, look: Look) -> Drawing:
        from forensia import figures

        return figures.k_accuracy(self.accuracy, self.k, look, chance=self.chance)


@dataclass(frozen=True)
class Drawn:
    """A plot that was drawn: a PNG in base 64, its words for those who do not see it, how to read it, and where its points lie."""

    png: str
    alt: str
    reading: str
    points: tuple[tuple[float, float, int], ...]  # x, y from the upper left, and which one it is


def kinds() -> Mapping[str, type[Plot]]:
    """Every plot by its name."""
    from forensia.gui.tasks.experiments import ExperimentPlot

    every = (
        AuthorsPlot, AccuracyPlot, ExperimentPlot, PrSamePlot, HeatPlot, ScoresPlot, RatioPlot,
        OpenSetPlot, RecognitionPlot, ConfusionPlot, PairMapPlot,
    )  # fmt: skip
    return {each.__name__: each for each in every}


def as_sent(plot: Plot) -> tuple[str, Json]:
    """A plot as the arguments `plot` and `data` of the tasks below."""
    return type(plot).__name__, codec.plain(plot)


def draw(
    progress: Progress,
    news: News,
    *,
    plot: str,
    data: Json,
    dark: bool,
    width: int,
    height: int,
    ratio: float,
) -> Drawn:
    """A plot as PNG for a place of so many pixels; where the points lie that can be pointed at, from the upper left."""
    from forensia.figures.look import DARK, LIGHT

    progress(0.0, "")
    with _quiet():
        drawing = _drawing(plot, data, (DARK if dark else LIGHT).sized(width / _DPI, height / _DPI))
        figure = drawing.figure
        buffer = io.BytesIO()
        dpi = _DPI * ratio
        figure.savefig(buffer, format="png", dpi=dpi, pil_kwargs={"compress_level": 1})
    points: list[tuple[float, float, int]] = []
    if drawing.points is not None and len(drawing.points):
        figure.dpi = dpi
        shown = figure.axes[0].transData.transform(drawing.points[:, :2]) / ratio
        high = float(figure.get_figheight()) * _DPI
        points = [
            (round(float(x), 1), round(high - float(y), 1), int(index))
            for (x, y), index in zip(shown, drawing.points[:, 2], strict=True)
        ]
    png = base64.b64encode(buffer.getvalue()).decode("ascii")
    return Drawn(png, drawing.alt, drawing.reading, tuple(points))


def save(progress: Progress, news: News, *, plot: str, data: Json, target: str) -> None:
    """A plot as a file, light, whatever the window looks like: PNG, SVG or PDF by its ending."""
    from forensia.figures import LIGHT, WRITERS

    progress(0.0, "")
    place = Path(target)
    kind = place.suffix.lower()
    if kind not in KINDS:
        raise InputError(f"'{place.name}' must end in .png, .svg or .pdf. Choose one of these.")
    with _quiet():
        figure = _drawing(plot, data, LIGHT).figure
        written = WRITERS[kind[1:]](figure)
    files.write(place, written)


def _drawing(plot: str, data: Json, look: Look) -> Drawing:
    return codec.typed(kinds()[plot], data).draw(look)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """A letter that no font has is a box, and a plot in a very small place is crowded: neither is a fault."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


SCORE = "how far an author stands above all authors of a text, in units of their spread"
FUSED_SCORE = "fused score with a candidate, or with an author who stands in for one"
Floats = tuple[float, ...]


@dataclass(frozen=True)
class PrSamePlot:
    """The disputed text with every known one, by author: `order` has the best author first, `reach` how many texts count for each."""

    scores: Floats
    authors: tuple[str, ...]
    order: tuple[str, ...]
    k: int
    author_scores: Floats | None = None
    reach: Mapping[str, int] | None = None

    def draw(self, look: Look) -> Drawing:
        from forensia import figures

        return figures.pr_same(
            self.scores, self.authors, self.order, self.k, look, author_scores=self.author_scores, reach=self.reach
        )


@dataclass(frozen=True)
class HeatPlot:
    """Disputed texts (rows) against known ones."""

    scores: tuple[Floats, ...]
    disputed: tuple[str, ...]
    authors: tuple[str, ...]
    k: int

    def draw(self, look: Look) -> Drawing:
        from forensia import figures

        return figures.heat_map(self.scores, self.disputed, self.authors, look, k=self.k)


@dataclass(frozen=True)
class ScoreGroup:
    """Scores of one kind; of many, `values` are a selection and `size` counts all."""

    values: Floats
    size: int


@dataclass(frozen=True)
class NamedScores:
    """A row of the plot of scores; `same` says whether text and author belong together."""

    name: str
    same: bool
    scores: ScoreGroup


@dataclass(frozen=True)
class ScoresPlot:
    """The scores of the validation, and the case among them."""

    rows: tuple[NamedScores, ...]
    case: float | None = None
    case_name: str = ""
    stand_ins: bool = False

    def draw(self, look: Look) -> Drawing:
        from forensia.figures.scorerows import ScoreRow, score_rows

        rows = [ScoreRow(row.name, row.scores.values, row.same, row.scores.size) for row in self.rows]
        score = FUSED_SCORE if self.stand_ins else SCORE
        return score_rows(rows, look, case=self.case, case_name=self.case_name, score=score)


@dataclass(frozen=True)
class RatioPlot:
    """How good the likelihood ratios against one alternative are, in one of the ways in which the report shows it."""

    kind: Literal["tippett", "ece", "pav", "reliability"]
    points: Plots

    def draw(self, look: Look) -> Drawing:
        from forensia import figures
        from forensia.evidence.measures import EceCurve, PavFit, ReliabilityCurve, TippettCurves
        from forensia.report.curves import as_curve

        points = self.points
        if self.kind == "tippett":
            return figures.tippett(as_curve(TippettCurves, points.tippett), look)
        if self.kind == "ece":
            return figures.ece(as_curve(EceCurve, points.ece), look)
        if self.kind == "pav":
            return figures.pav_plot(as_curve(PavFit, points.pav), look)
        return figures.reliability(as_curve(ReliabilityCurve, points.reliability), look)


@dataclass(frozen=True)
class OpenSetPlot:
    """What becomes of texts by outsiders at each threshold."""

    curve: OpenSetCurve

    def draw(self, look: Look) -> Drawing:
        from forensia import figures

        curve = self.curve
        return figures.open_set(
            curve.threshold,
            curve.any_author,
            look,
            one_supported=curve.one_author,
            own_declined=curve.declined,
            candidates=int(curve.candidates),
        )


@dataclass(frozen=True)
class RecognitionPlot:
    """How well each author is recognised."""

    authors: tuple[str, ...]
    documents: tuple[int, ...]
    f1: tuple[float | None, ...]
    precision: tuple[float | None, ...]
    recall: tuple[float | None, ...]

    def draw(self, look: Look) -> Drawing:
        from forensia import figures

        return figures.f1_by_author(
            self.authors,
            _numbers(self.f1),
            look,
            precision=_numbers(self.precision),
            recall=_numbers(self.recall),
            documents=self.documents,
        )


@dataclass(frozen=True)
class ConfusionPlot:
    """Who was taken for whom."""

    authors: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    def draw(self, look: Look) -> Drawing:
        import numpy as np

        from forensia import figures
        from forensia.evidence.measures import Confusion

        counts = np.asarray(self.counts, dtype=np.float64)
        return figures.confusion_matrix(Confusion(self.authors, counts, np.zeros(len(counts))), look)


@dataclass(frozen=True)
class PairMapPlot:
    """log10 LRs of several texts with each other; None where not estimable."""

    log10: tuple[tuple[float | None, ...], ...]
    texts: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]

    def draw(self, look: Look) -> Drawing:
        from forensia import figures

        return figures.pair_map([_numbers(row) for row in self.log10], self.texts, self.groups, look)


def _numbers(values: Sequence[float | None]) -> list[float]:
    return [float("nan") if value is None else value for value in values]
