"""Two texts: one writer or two? For any two, read from files, pasted, or taken from the known ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from forensia.case.session import Session
from forensia.corpus import Document, read_disputed
from forensia.diffvectors import probability
from forensia.errors import InputError
from forensia.evidence.explanation import PairExplanation, explain_pair
from forensia.evidence.opinion import FEW_WORDS
from forensia.evidence.pairratios import PairCalibration
from forensia.evidence.result import Alternative, ComparedText, LikelihoodRatio, PairResult, Reason
from forensia.evidence.training import TrainedModel
from forensia.evidence.validation import DiffVectors, Validation
from forensia.features import Counts, Vectors
from forensia.jobs import Progress, part, silent
from forensia.language import MemoryCache
from forensia.systems.pairmodel import SENTENCES


@dataclass(frozen=True)
class Side:
    """One of the two texts; `row` is its number among the known documents, or None when it is new to the model."""

    document: Document
    row: int | None
    vectors: Vectors


@dataclass(frozen=True)
class Compared:
    """Two texts with what was found about them."""

    a: Side
    b: Side
    explanation: PairExplanation
    result: PairResult


def compare_files(session: Session, a: Path, b: Path, progress: Progress = silent) -> Compared:
    """Compare two files."""
    return compare_documents(session, read_disputed(a), read_disputed(b), progress)


def compare_documents(session: Session, a: Document, b: Document, progress: Progress = silent) -> Compared:
    """Compare two texts; each of the known documents is recognised by its text, whatever its name."""
    if a.sha256_text == b.sha256_text:
        raise InputError("The two texts are the same. Choose another one for one side.")
    model, validation = session.judge.pairs, session.judge.validation
    tried = None if validation is None else validation.diff_vectors
    places = {name: row for row, name in enumerate(model.learnt.documents)}
    known = session.seen.active.documents
    rows = {document.sha256_text: places[document.id] for document in known if document.id in places}
    for document in (a, b):
        if all(document.sha256_text != each.sha256_text for each in known):
            session.refuse_known(document)  # most of a known text would pass for a new one
    cache = MemoryCache()
    counted = [
        session.count(document, cache, part(progress, 0.4 * side, 0.4 * (side + 1)))
        for side, document in enumerate((a, b))
    ]
    lacking = any(bool(counts.no_sentences[0]) for counts in counted) and SENTENCES in model.options.families
    used = model.without(SENTENCES) if lacking else model
    sides = [
        Side(document, rows.get(document.sha256_text), used.fitted.vectors(counts))
        for document, counts in zip((a, b), counted, strict=True)
    ]
    seen = [side.row for side in sides if side.row is not None]
    background = session.judge.background.without(*{int(model.codes[row]) for row in seen})
    explanation = explain_pair(
        used.fitted, sides[0].vectors, sides[1].vectors, background, counts=(counted[0], counted[1])
    )
    progress(0.9, "comparing")
    log_odds = explanation.log_odds
    warnings = []
    if len(seen) == 2:
        if tried is None:
            raise InputError(
                "Both texts are known ones, which the model has seen, and the case has not been validated. Validate it first."
            )
        log_odds = float(tried.log_odds[seen[0], seen[1]])
        warnings.append(Reason("pair-both-known"))
    words = min(side.document.words for side in sides)
    reasons = []
    if validation is not None and words < validation.shortest:
        reasons.append(Reason("pair-few-words", {"words": words, "fewest": int(validation.shortest)}))
    elif words < FEW_WORDS:
        warnings.append(Reason("pair-short", {"words": words, "few": FEW_WORDS}))
    if lacking:
        warnings.append(Reason("pair-no-sentence-lengths"))
    fused = None
    if validation is not None and validation.pairwise is not None:
        # In one order, so that the last digit does not depend on which text is shown first.
        one, other = (counts for _, counts in sorted(zip((a, b), counted, strict=True), key=_hash))
        authors = [int(model.codes[row]) for row in seen]
        fused = validation.pairwise.score(validation.system, one, other, authors)
    ratio, weak = _ratio(validation, words, len(seen), fused)
    result = PairResult(
        a=_compared(sides[0], used, tried),
        b=_compared(sides[1], used, tried),
        score=float(probability(np.array(log_odds))),
        log_odds=log_odds,
        fused=fused,
        ratio=ratio,
        reasons=(*reasons, *weak),
        warnings=tuple(warnings),
    )
    progress(1.0, "compared")
    return Compared(sides[0], sides[1], explanation, result)


def _compared(side: Side, model: TrainedModel, tried: DiffVectors | None) -> ComparedText:
    document = side.document
    return ComparedText(
        file=document.path or document.title,
        sha256=document.sha256_bytes,
        words=document.words,
        known_author=None if side.row is None else model.authors[int(model.codes[side.row])],
        attributed=_attributed(side, model, tried),
    )


def _attributed(side: Side, model: TrainedModel, tried: DiffVectors | None) -> str | None:
    """Whom Lazy AA puts first; a known text was attributed when the case was validated, by models that had not seen it."""
    if side.row is None:
        (ranking,) = model.rank_vectors(side.vectors)
        return model.authors[int(np.nanargmax(ranking.lazy))]
    return None if tried is None else model.authors[int(tried.lazy[side.row])]


def _hash(pair: tuple[Document, Counts]) -> str:
    return pair[0].sha256_text


def _ratio(
    validation: Validation | None, words: int, known: int, fused: float | None
) -> tuple[LikelihoodRatio | None, list[Reason]]:
    """The LR: of all calibrations that apply to such a pair, the one that claims least; and why it may be worth nothing."""
    applying: list[tuple[Alternative, PairCalibration]] = []
    reasons: list[Reason] = []
    if validation is not None and validation.pairwise is not None:
        for alternative, (calibration, measured) in validation.pairwise.applying(
            known, validation.rung(min(words, int(validation.learnt.median_words))).words
        ).items():
            applying.append((alternative, calibration))
            if measured.cllr_interval.high >= 1:
                reasons.append(Reason("pair-costly", {"cllr": measured.cllr_interval.high}))
    if not applying or fused is None:
        return None, [*reasons, Reason("pair-not-estimable")]
    ratios = [calibration.said(fused, alternative) for alternative, calibration in applying]
    agree = len({ratio.log10 > 0 for ratio in ratios}) == 1
    weakest = min(ratios, key=lambda ratio: abs(ratio.log10) if agree else ratio.log10)
    ends = weakest.interval
    if ends is None or ends[0] <= 0 <= ends[1]:  # an interval that is not known excludes nothing
        reasons.append(Reason("pair-interval-includes-1"))
    return weakest, reasons
