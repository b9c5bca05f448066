"""The opinion on one text in words, or why there is none; and the warnings that go with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.evidence.agreement import Vote
from forensia.evidence.likelihood import FEWEST_AUTHORS, LEVEL, Ratios
from forensia.evidence.opinion import (
    ALPHA,
    FEW_AUTHORS,
    FEW_WORDS,
    FEWEST_DOCUMENTS,
    FEWEST_WORDS,
    NONE,
    decide,
)
from forensia.evidence.training import Ranking, TrainedModel
from forensia.evidence.validation import Rung, Validation
from forensia.evidence.verbal import VerbalScale, support_statement
from forensia.evidence.wording import another_listed, author_wrote, lr_statement, none_statement, percent, unlisted

Floats = NDArray[np.float64]
NO_SENTENCES = (
    "No sentences can be found in this text (hardly any end marks), so sentence lengths were left out of its analysis."
)


@dataclass(frozen=True)
class Judged:
    """A text with all that its opinion rests on; `first` is the author with the highest score after comparison with the cohort."""

    model: TrainedModel
    validation: Validation | None
    rung: Rung | None
    ratios: Ratios | None
    scores: Floats
    p: Floats | None
    words: int
    votes: list[Vote]
    first: int
    scale: VerbalScale
    no_sentences: bool = False

    @property
    def author(self) -> str:
        return self.model.authors[self.first]

    @property
    def family_p(self) -> float:
        """How often an outsider's text gets as high a score with one of the authors; NaN where not estimable."""
        if self.rung is None:
            return float("nan")
        return float(self.rung.family_p(self.scores[:, self.first], len(self.model.authors))[0])


def opinion(judged: Judged) -> dict[str, Any]:
    """The opinion: about an author, 'none of these', or none with the reasons. The findings about the first author stand beside it."""
    said: dict[str, Any] = {"given": False, "kind": "none given", "author": None, "statement": "", "reasons": []}
    rung, ratios, p = judged.rung, judged.ratios, judged.p
    if judged.validation is None or rung is None or ratios is None or p is None:
        said["reasons"] = [_not_validated(judged.model)]
        said["statement"] = "No opinion."
        return said
    numbers = _numbers(judged, rung, ratios)
    said["findings"] = numbers
    said["family_p"] = None if np.isnan(judged.family_p) else judged.family_p
    family = np.array([judged.family_p])
    decision = int(decide(judged.scores, ratios.headline, ratios.low, p[None], family)[0])
    always = _reasons(judged, rung)
    if decision == NONE and not always:
        said |= {"given": True, "kind": "none of these"}
        said["statement"] = none_statement(ALPHA, len(judged.model.authors))
        return said
    reasons = [*always, *_weak(judged, ratios, decision)]
    if decision >= 0 and not reasons:
        said |= {"given": True, "kind": "author", "author": judged.model.authors[decision]}
        said["statement"] = f"{numbers['statement']} {numbers['support']}"
        return said
    said["reasons"] = reasons
    said["statement"] = "No opinion."
    return said


def warnings(judged: Judged, ranking: Ranking, sensitivity: dict[str, Any] | None) -> list[str]:
    """What the reader must keep in mind, whatever the opinion is."""
    found = []
    model, rung = judged.model, judged.rung
    if FEWEST_WORDS <= judged.words < FEW_WORDS:
        found.append(f"The text is short: {judged.words:,} words. Below {FEW_WORDS:,} words results are less certain.")
    if judged.no_sentences:
        found.append(NO_SENTENCES)
    if rung is not None and rung.words:
        found.append(f"The validation for this text used known texts cut to {rung.words:,} words.")
    if rung is not None and FEWEST_AUTHORS <= len(model.authors) < FEW_AUTHORS:
        found.append(
            f"The alternative 'somebody who is not in the corpus' rests on {len(model.authors)} authors only; "
            f"{FEW_AUTHORS} or more would be better."
        )
    firsts = {
        "Lazy AA": int(ranking.lazy.argmax()),
        "Stacked AA": int(ranking.stacked.argmax()),
        **{vote.method: vote.first for vote in judged.votes},
    }
    others = [f"{method} ({model.authors[code]})" for method, code in firsts.items() if code != judged.first]
    if others:
        found.append(f"Methods disagree: {judged.author} is not first by {_listed(others)}.")
    if sensitivity is not None and not sensitivity["survives"]:
        found.append(
            "The first place does not survive every change of seed, features, masking, known documents or half of the text: "
            "see the sensitivity table."
        )
    if not model.fitted.training.converged:
        found.append("The model did not converge; its scores are less certain than they look.")
    if model.quick and judged.validation is not None:
        found.append("The validation is a quick one, of fewer and smaller models; its figures are less certain.")
    return found


def _not_validated(model: TrainedModel) -> str:
    if not model.options.profile.out_of_fold:
        return (
            "The model was trained with the paper's profile, which replays the paper's experiments; it has no likelihood ratios. "
            "Train with the forensic profile."
        )
    return "The case has not been validated yet, and a ranking alone is no evidence. Validate it first."


def _numbers(judged: Judged, rung: Rung, ratios: Ratios) -> dict[str, Any]:
    """The findings about the first author, in figures and words."""
    code = judged.first
    headline, outside = (float(values[0, code]) for values in (ratios.headline, ratios.unlisted))
    second = not np.isnan(outside) and headline == outside
    hp, hd = author_wrote(judged.author), unlisted() if second else another_listed()
    bounds = rung.calibration.unlisted_bounds if second else rung.calibration.listed_bounds
    ends = (float(ratios.low[0, code]), float(ratios.high[0, code]))
    return {
        "author": judged.author,
        "alternative": "somebody not in the corpus" if second else "another listed author",
        "statement": lr_statement(headline, hp, hd, ends, bounds, LEVEL),
        "support": support_statement(headline, hp, hd, ends, bounds, judged.scale, LEVEL),
        "log10_lr": headline if np.isfinite(headline) else None,
        "log10_lr_interval": list(ends) if np.isfinite(ends).all() else None,
    }


def _reasons(judged: Judged, rung: Rung) -> list[str]:
    """Why nothing may be said at all, whatever the numbers are."""
    found = []
    model = judged.model
    if judged.words < FEWEST_WORDS:
        found.append(f"The text has {judged.words:,} words; fewer than {FEWEST_WORDS} are no basis for an opinion.")
    if judged.no_sentences:
        found.append(
            "The likelihood ratios were validated with sentence lengths, and those of this text cannot be found."
        )
    documents = int((model.codes == judged.first).sum())
    if documents < FEWEST_DOCUMENTS:
        found.append(
            f"The known texts by {judged.author} are too few: {documents}, where {FEWEST_DOCUMENTS} are needed."
        )
    if len(model.authors) < FEWEST_AUTHORS:
        found.append(
            f"With {len(model.authors)} authors the alternative 'somebody who is not in the corpus' is not estimable; "
            f"{FEWEST_AUTHORS} are needed."
        )
    for name, ends in zip(("another listed author", "somebody not in the corpus"), rung.cllr_intervals, strict=True):
        if ends.high >= 1:
            found.append(
                f"In this corpus the likelihood ratios against '{name}' may be no better than none: the upper bound of their "
                f"cost (Cllr) is {ends.high:.2g}."
            )
    return found


def _weak(judged: Judged, ratios: Ratios, decision: int) -> list[str]:
    """Why the numbers themselves support nobody."""
    if decision >= 0:
        return []
    headline, low = float(ratios.headline[0, judged.first]), float(ratios.low[0, judged.first])
    if not np.isfinite(headline):
        return [f"The likelihood ratio for {judged.author} is not estimable."]
    if headline <= 0:
        return ["The findings support none of the listed authors against both alternatives."]
    if np.isnan(low):
        return [f"The interval of the likelihood ratio for {judged.author} is not estimable."]
    if low <= 0:
        return [f"The interval of the likelihood ratio for {judged.author} includes 1."]
    if np.isnan(judged.family_p):
        return ["How often somebody who is not in the corpus would score as high is not estimable."]
    if judged.family_p > ALPHA:
        return [
            f"Of texts by people who are not in the corpus, about {percent(_two(judged.family_p))} score as high with at "
            f"least one of the {len(judged.model.authors)} listed authors; more than {percent(ALPHA)} is too many."
        ]
    return []


def _two(share: float) -> float:
    return float(f"{share:.1e}")


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
