"""What was found about one disputed text, as plain data: rankings, verification, opinion, sensitivity, agreement, explanation.

This is the JSON of the contract for one document, with more keys for the window and the report. Nothing in it is said more strongly than
the validation of the case supports.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.attribution.pairmodel import SENTENCES
from forensia.corpus.document import Document
from forensia.evidence.agreement import Baselines
from forensia.evidence.authorscores import cohort_scores, raw_scores
from forensia.evidence.background import Background
from forensia.evidence.explanation import AuthorExplanation, explain_author, nearest
from forensia.evidence.likelihood import Ratios
from forensia.evidence.sensitivity import OtherModels, Variant, left_out, variants
from forensia.evidence.statement import Judged, opinion, warnings
from forensia.evidence.training import Ranking, TrainedModel
from forensia.evidence.validation import Rung, Validation
from forensia.evidence.validationsummary import number
from forensia.evidence.verbal import MARQUIS_2016, VerbalScale
from forensia.features import Counts, Vectors

Floats = NDArray[np.float64]
EXPLAINED = 3  # authors whose explanation is kept with the result; the window makes others on demand


@dataclass(frozen=True)
class Means:
    """Everything a case has to judge a text with; only the model is indispensable."""

    model: TrainedModel
    validation: Validation | None = None
    baselines: Baselines | None = None
    others: OtherModels | None = None
    scale: VerbalScale = field(default=MARQUIS_2016)

    @cached_property
    def background(self) -> Background:
        """What is usual among the known documents."""
        return Background.of(self.model.fitted, self.model.known, self.model.codes)


@dataclass(frozen=True)
class Counted:
    """A disputed text, counted whole, with the other mask, and in halves."""

    document: Document
    whole: Counts
    masked: Counts | None = None
    halves: tuple[Counts, ...] = ()


def findings(means: Means, text: Counted, shown: Sequence[str]) -> dict[str, Any]:
    """Everything about one text; `shown` are the names of the known documents for people."""
    lacking = bool(text.whole.no_sentences[0]) and SENTENCES in means.model.options.families
    model = means.model.without(SENTENCES) if lacking else means.model
    query = model.fitted.vectors(text.whole)
    (ranking,) = model.rank_vectors(query)
    raw = raw_scores(ranking.lazy)
    found: dict[str, Any] = {
        "file": text.document.path or text.document.title,
        "sha256": text.document.sha256_bytes,
        "words": text.document.words,
        "lazy": _ranked(model, ranking.lazy),
        "stacked": _ranked(model, ranking.stacked),
        "pairs": [
            {"document": name, "author": model.authors[code], "score": float(score)}
            for name, code, score in zip(shown, model.codes, ranking.pr_same, strict=True)
        ],
        "k": model.k,
        "k_by_author": dict(zip(model.authors, model.reach.tolist(), strict=True)),
        "no_sentences": lacking,
    }
    scores = cohort_scores(raw[None])
    rung = means.validation.rung(text.document.words) if means.validation else None
    ratios = rung.calibration.ratios(scores) if rung else None
    p = rung.conformal_p(scores)[0] if rung else None
    order = _order(ranking.lazy)
    found["validated_at_words"] = rung.words or None if rung else None
    found["verification"] = [_verified(means, rung, ratios, p, int(code), int(order[0])) for code in order]
    votes = [] if means.baselines is None else means.baselines.votes(means.model.known, model.codes, model.k, query)
    first = int(np.where(np.isnan(scores[0]), -np.inf, scores[0]).argmax())
    found["agreement"] = [
        {
            "method": vote.method,
            "first": model.authors[vote.first],
            "agrees": vote.first == first,
            "accepts": vote.accepts,
            "scores": [float(score) for score in vote.scores],
        }
        for vote in votes
    ]
    found["sensitivity"] = _sensitivity(means, model, text, ranking, first, rung, shown)
    judged = Judged(
        means.model, means.validation, rung, ratios, scores, p, text.document.words, votes, first, means.scale, lacking
    )
    found["opinion"] = opinion(judged)
    found["warnings"] = warnings(judged, ranking, found["sensitivity"])
    found["explanations"] = {
        model.authors[int(code)]: explained(means, model, query, ranking.pr_same, int(code)).to_json()
        for code in order[:EXPLAINED]
    }
    return found


def explained(means: Means, model: TrainedModel, query: Vectors, pr_same: Floats, author: int) -> AuthorExplanation:
    """Why a text resembles an author's most similar documents, or does not."""
    rows = nearest(pr_same, model.codes, author, int(model.reach[author]))
    return explain_author(model.fitted, query, means.background, rows)


def _verified(
    means: Means, rung: Rung | None, ratios: Ratios | None, p: Floats | None, code: int, first: int
) -> dict[str, Any]:
    row: dict[str, Any] = {"author": means.model.authors[code], "accepted": code == first}
    if rung is None or ratios is None or p is None:
        empty = ("log10_lr", "log10_lr_interval", "log10_lr_listed", "log10_lr_unlisted", "bounded", "verbal")
        return {**row, **dict.fromkeys(empty), "conformal_p": None, "documents": _documents(means.model, code)}
    headline, low, high = (float(values[0, code]) for values in (ratios.headline, ratios.low, ratios.high))
    estimable = np.isfinite(headline)
    return {
        **row,
        "log10_lr": number(headline),
        "log10_lr_interval": [low, high] if np.isfinite([low, high]).all() else None,
        "log10_lr_listed": number(float(ratios.listed[0, code])),
        "log10_lr_unlisted": number(float(ratios.unlisted[0, code])),
        "bounded": bool(ratios.bounded[0, code]) if estimable else None,
        "verbal": means.scale.support(headline).words,
        "conformal_p": number(float(p[code])) if len(rung.own[code]) else None,
        "documents": _documents(means.model, code),
    }


def _documents(model: TrainedModel, code: int) -> int:
    return int((model.codes == code).sum())


def _sensitivity(
    means: Means,
    model: TrainedModel,
    text: Counted,
    ranking: Ranking,
    first: int,
    rung: Rung | None,
    shown: Sequence[str],
) -> dict[str, Any] | None:
    """Whether the first author stays first under each change, and what becomes of the LR where the calibration applies."""
    if means.others is None:
        return None
    query = model.fitted.vectors(text.whole)
    halves = [model.fitted.vectors(half) for half in text.halves]
    rows = []
    for variant in variants(model, means.others, query, text.masked, halves):
        words = text.document.words // 2 if variant.kind == "half" else text.document.words
        rows.append(_changed(means, variant, first, words))
    scores = left_out(model, ranking.pr_same)
    llr = [_headline(rung, raw, first) for _, raw in scores]
    firsts = [int(np.where(np.isnan(raw), -np.inf, raw).argmax()) for _, raw in scores]
    changed = [shown[document] for (document, _), other in zip(scores, firsts, strict=True) if other != first]
    known = [value for value in llr if value is not None]
    survives = not changed and all(row["first"] == model.authors[first] for row in rows)
    return {
        "author": model.authors[first],
        "variants": rows,
        "left_out": {
            "documents": len(scores),
            "first_changes": len(changed),
            "changed_by": changed[:10],
            "log10_lr": [min(known), max(known)] if known else None,
        },
        "survives": survives,
    }


def _changed(means: Means, variant: Variant, first: int, words: int) -> dict[str, Any]:
    """A row of the table. The calibration holds for the model's own scores, so changes of the features have no LR."""
    rung = means.validation.rung(words) if means.validation and variant.kind in ("seed", "half") else None
    return {
        "kind": variant.kind,
        "what": variant.what,
        "first": means.model.authors[variant.first],
        "rank": variant.rank(first),
        "log10_lr": _headline(rung, variant.scores, first),
    }


def _headline(rung: Rung | None, raw: Floats, author: int) -> float | None:
    if rung is None:
        return None
    llr = rung.calibration.headline(*rung.calibration.lines.log10_lr(cohort_scores(raw[None])))
    return number(float(llr[0, author]))


def _order(scores: Floats) -> NDArray[np.intp]:
    return np.argsort(-np.where(np.isnan(scores), -np.inf, scores), kind="stable")


def _ranked(model: TrainedModel, scores: Floats) -> list[dict[str, Any]]:
    """Best first; equal scores share the order of the documents, never that of the names."""
    return [
        {"author": model.authors[int(code)], "score": float(scores[code]), "rank": rank}
        for rank, code in enumerate(_order(scores), start=1)
    ]
