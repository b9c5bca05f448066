"""The plots of the views, from JSON to a `Drawing`; used by the process that draws, through `gui.plots`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from forensia.figures import Drawing, Look

Json = Any
SCORE = "score of a text for an author, compared with the best other authors"
RAW_SCORE = "score of a text for an author"


def pr_same_scored(data: Json, look: Look) -> Drawing:
    """The disputed text with every known one, by author, with the authors' scores."""
    from forensia import figures

    return figures.pr_same(
        data["scores"],
        data["authors"],
        data["order"],
        data["k"],
        look,
        author_scores=data["author_scores"],
        reach=data.get("reach"),
    )


def heat_map(data: Json, look: Look) -> Drawing:
    """Disputed texts against known ones."""
    from forensia import figures

    return figures.heat_map(data["scores"], data["disputed"], data["authors"], look, k=data["k"])


def score_rows(data: Json, look: Look) -> Drawing:
    """The scores of the validation, and the case among them."""
    from forensia.figures.scorerows import ScoreRow
    from forensia.figures.scorerows import score_rows as drawn

    rows = [ScoreRow(row["name"], row["values"], row["same"], row["size"]) for row in data["rows"]]
    score = SCORE if data.get("cohort", True) else RAW_SCORE
    return drawn(rows, look, case=data.get("case"), case_name=data.get("case_name", ""), score=score)


def tippett(data: Json, look: Look) -> Drawing:
    """How often the LR reaches each value."""
    from forensia import figures
    from forensia.evidence.measures import TippettCurves

    return figures.tippett(TippettCurves(**_arrays(data)), look)


def pav_plot(data: Json, look: Look) -> Drawing:
    """Computed and best LRs."""
    from forensia import figures
    from forensia.evidence.pav import PavFit

    return figures.pav_plot(PavFit(**_arrays(data)), look)


def ece(data: Json, look: Look) -> Drawing:
    """The uncertainty that the LRs leave."""
    from forensia import figures
    from forensia.evidence.measures import EceCurve

    return figures.ece(EceCurve(**_arrays(data)), look)


def reliability(data: Json, look: Look) -> Drawing:
    """Stated against observed shares."""
    from forensia import figures
    from forensia.evidence.measures import ReliabilityCurve

    return figures.reliability(ReliabilityCurve(**_arrays(data)), look)


def open_set(data: Json, look: Look) -> Drawing:
    """What becomes of texts by outsiders at each threshold."""
    from forensia import figures

    return figures.open_set(
        data["thresholds"],
        data["any_supported"],
        look,
        one_supported=data["one_supported"],
        own_declined=data["own_declined"],
        candidates=data["candidates"],
    )


def f1_by_author(data: Json, look: Look) -> Drawing:
    """How well each author is recognised."""
    from forensia import figures

    return figures.f1_by_author(
        data["authors"],
        _numbers(data["f1"]),
        look,
        precision=_numbers(data["precision"]),
        recall=_numbers(data["recall"]),
        documents=data["documents"],
    )


def confusion_matrix(data: Json, look: Look) -> Drawing:
    """Who was taken for whom."""
    import numpy as np

    from forensia import figures
    from forensia.evidence.measures import Confusion

    counts = np.asarray(data["counts"], dtype=np.float64)
    return figures.confusion_matrix(Confusion(tuple(data["authors"]), counts, np.zeros(len(counts))), look)


def pictures() -> Mapping[str, Callable[[Json, Look], Drawing]]:
    """Every plot of the views by its name."""
    made = (
        pr_same_scored, heat_map, score_rows, tippett, pav_plot, ece, reliability, open_set, f1_by_author, confusion_matrix,
    )  # fmt: skip
    return {each.__name__: each for each in made}


def _arrays(data: Mapping[str, Sequence[float]]) -> dict[str, NDArray[np.float64]]:
    import numpy as np

    return {name: np.asarray(values, dtype=np.float64) for name, values in data.items()}


def _numbers(values: Sequence[float | None]) -> list[float]:
    return [float("nan") if value is None else float(value) for value in values]
