"""The plots of the views: the numbers of each, which the window sends, and how the process that draws turns them into a `Drawing`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from forensia.figures import Drawing, Look

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
class TippettPlot:
    """How often the LR reaches each value."""

    log10_lr: Floats
    same: Floats
    different: Floats

    def draw(self, look: Look) -> Drawing:
        from forensia import figures
        from forensia.evidence.measures import TippettCurves

        return figures.tippett(TippettCurves(**_arrays(self)), look)


@dataclass(frozen=True)
class PavPlot:
    """Computed and best LRs."""

    low: Floats
    high: Floats
    same: Floats
    different: Floats

    def draw(self, look: Look) -> Drawing:
        from forensia import figures
        from forensia.evidence.measures import PavFit

        return figures.pav_plot(PavFit(**_arrays(self)), look)


@dataclass(frozen=True)
class EcePlot:
    """The uncertainty that the LRs leave."""

    prior_log10_odds: Floats
    lr: Floats
    pav: Floats
    neutral: Floats

    def draw(self, look: Look) -> Drawing:
        from forensia import figures
        from forensia.evidence.measures import EceCurve

        return figures.ece(EceCurve(**_arrays(self)), look)


@dataclass(frozen=True)
class ReliabilityPlot:
    """Stated against observed shares."""

    stated: Floats
    observed: Floats
    count: Floats

    def draw(self, look: Look) -> Drawing:
        from forensia import figures
        from forensia.evidence.measures import ReliabilityCurve

        return figures.reliability(ReliabilityCurve(**_arrays(self)), look)


@dataclass(frozen=True)
class OpenSetPlot:
    """What becomes of texts by outsiders at each threshold."""

    threshold: Floats
    any_author: Floats
    one_author: Floats
    declined: Floats
    candidates: int

    def draw(self, look: Look) -> Drawing:
        from forensia import figures

        return figures.open_set(
            self.threshold,
            self.any_author,
            look,
            one_supported=self.one_author,
            own_declined=self.declined,
            candidates=self.candidates,
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


PICTURES = (
    PrSamePlot, HeatPlot, ScoresPlot, TippettPlot, PavPlot, EcePlot, ReliabilityPlot, OpenSetPlot, RecognitionPlot, ConfusionPlot,
    PairMapPlot,
)  # fmt: skip


def _arrays(plot: Any) -> dict[str, NDArray[np.float64]]:
    import numpy as np

    return {each.name: np.asarray(getattr(plot, each.name), dtype=np.float64) for each in fields(plot)}


def _numbers(values: Sequence[float | None]) -> list[float]:
    return [float("nan") if value is None else value for value in values]
