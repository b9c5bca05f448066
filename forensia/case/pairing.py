"""Two texts: one writer or two? For any two, read from files, pasted, or taken from the known ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from forensia.attribution.pairmodel import SENTENCES
from forensia.case.analysing import Bench
from forensia.corpus import Document, read_disputed
from forensia.diffvectors import probability
from forensia.errors import InputError
from forensia.evidence.explanation import PairExplanation, explain_pair
from forensia.evidence.opinion import FEW_WORDS, FEWEST_WORDS
from forensia.evidence.pairratios import PairCalibration
from forensia.evidence.verbal import support_statement
from forensia.evidence.wording import ONE_WRITER, TWO_WRITERS, lr_statement
from forensia.features import Vectors
from forensia.jobs import Progress, part, silent
from forensia.language import MemoryCache


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
    found: dict[str, Any]


def compare_files(bench: Bench, a: Path, b: Path, progress: Progress = silent) -> Compared:
    """Compare two files."""
    return compare_documents(bench, read_disputed(a), read_disputed(b), progress)


def compare_documents(bench: Bench, a: Document, b: Document, progress: Progress = silent) -> Compared:
    """Compare two texts; each of the known documents is recognised by its text, whatever its name."""
    if a.sha256_text == b.sha256_text:
        raise InputError("The two texts are the same. Choose another one for one side.")
    model, validation = bench.means.model, bench.means.validation
    places = {name: row for row, name in enumerate(model.documents)}
    known = bench.seen.active.documents
    rows = {document.sha256_text: places[document.id] for document in known if document.id in places}
    for document in (a, b):
        if all(document.sha256_text != each.sha256_text for each in known):
            bench.refuse_known(document)  # most of a known text would pass for a new one
    cache = MemoryCache()
    counted = [
        bench.count(document, cache, part(progress, 0.4 * side, 0.4 * (side + 1)))
        for side, document in enumerate((a, b))
    ]
    lacking = any(bool(counts.no_sentences[0]) for counts in counted) and SENTENCES in model.options.families
    fitted = (model.without(SENTENCES) if lacking else model).fitted
    sides = [
        Side(document, rows.get(document.sha256_text), fitted.vectors(counts))
        for document, counts in zip((a, b), counted, strict=True)
    ]
    seen = [side.row for side in sides if side.row is not None]
    background = bench.means.background.without(*{int(model.codes[row]) for row in seen})
    explanation = explain_pair(fitted, sides[0].vectors, sides[1].vectors, background, counts=(counted[0], counted[1]))
    progress(0.9, "comparing")
    log_odds = explanation.log_odds
    warnings = []
    if len(seen) == 2:
        if validation is None:
            raise InputError(
                "Both texts are known ones, which the model has seen, and the case has not been validated. Validate it first."
            )
        log_odds = float(validation.pairwise.log_odds[seen[0], seen[1]])
        warnings.append(
            "Both texts are known ones. The score is that of a model which had not seen both; the contributions are those of the "
            "final model, which has, and add up to its own score."
        )
    found = {
        "a": _side(sides[0], model.authors, model.codes),
        "b": _side(sides[1], model.authors, model.codes),
        "score": float(probability(np.array(log_odds))),
        "log_odds": log_odds,
        **_ratio(bench, sides, seen, lacking, log_odds, warnings),
        **explanation.to_json(),
    }
    found["explained_log_odds"] = explanation.log_odds
    found["log_odds"] = log_odds
    progress(1.0, "compared")
    return Compared(sides[0], sides[1], explanation, found)


def _side(side: Side, authors: tuple[str, ...], codes: Any) -> dict[str, Any]:
    document = side.document
    return {
        "file": document.path or document.title,
        "sha256": document.sha256_bytes,
        "words": document.words,
        "known_author": None if side.row is None else authors[int(codes[side.row])],
    }


def _ratio(
    bench: Bench, sides: list[Side], seen: list[int], lacking: bool, log_odds: float, warnings: list[str]
) -> dict[str, Any]:
    """The LR: of all calibrations that apply to such a pair, the one that claims least."""
    validation = bench.means.validation
    words = min(side.document.words for side in sides)
    reasons = []
    if words < FEWEST_WORDS:
        reasons.append(f"One of the texts has {words:,} words; fewer than {FEWEST_WORDS} are no basis for an opinion.")
    elif words < FEW_WORDS:
        warnings.append(
            f"One of the texts is short: {words:,} words. Below {FEW_WORDS:,} words results are less certain."
        )
    if lacking:
        reasons.append(
            "The likelihood ratios were validated with sentence lengths, and those of one text cannot be found."
        )
    empty = {"log10_lr": None, "log10_lr_interval": None, "bounded": None, "verbal": None}
    applying: list[PairCalibration] = []
    if validation is not None:
        fold = validation.whole.scores.inside_fold[seen]
        one_known = len(seen) == 1 or len(set(fold.tolist())) == 2  # two of one fold: a model had seen neither
        found = validation.pairwise.applying(one_known, validation.rung(words).words)
        applying = [calibration for calibration, _ in found]
        reasons += [
            "In this corpus the likelihood ratios of two texts may be no better than none: the upper bound of their "
            f"cost (Cllr) is {measured.cllr_interval.high:.2g}."
            for _, measured in found
            if measured.cllr_interval.high >= 1
        ]
    if not applying:
        why = "The likelihood ratio of two texts is not estimable: the case is not validated, or has too few texts."
        said = {"given": False, "statement": "No opinion.", "reasons": [*reasons, why]}
        return {**empty, "opinion": said, "warnings": warnings}
    ratios = [(*each.ratio(log_odds), each.bounds) for each in applying]
    llr, ends, bounded, bounds = min(
        ratios, key=lambda found: abs(found[0]) if len({f[0] > 0 for f in ratios}) == 1 else found[0]
    )
    interval = (ends.low, ends.high)
    if ends.spans(0.0):
        reasons.append("The interval of the likelihood ratio includes 1.")
    statement = lr_statement(llr, ONE_WRITER, TWO_WRITERS, interval, bounds)
    support = support_statement(llr, ONE_WRITER, TWO_WRITERS, interval, bounds, bench.means.scale)
    said = {
        "given": not reasons,
        "statement": "No opinion." if reasons else f"{statement} {support}",
        "reasons": reasons,
        "findings": {"statement": statement, "support": support},
    }
    return {
        "log10_lr": llr,
        "log10_lr_interval": list(interval) if np.isfinite(interval).all() else None,
        "bounded": bounded,
        "verbal": bench.means.scale.support(llr).words,
        "opinion": said,
        "warnings": warnings,
    }
