"""The public JSON of `forensia compare`: two texts, several, or many verification problems. Keys as in `contract`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from forensia.cli.contract import Json, about, condition, ends, fields
from forensia.evidence.explanation import FeatureContribution, PairExplanation
from forensia.evidence.learnt import ModelRecord
from forensia.evidence.result import ComparedText, LikelihoodRatio, PairResult
from forensia.evidence.writers import Grouping, WrongPairs
from forensia.wording import opinion, reasons
from forensia.wording.ratios import MARQUIS_2016

if TYPE_CHECKING:
    from forensia.service.comparing import ProblemAnswer, ProblemAnswers


def compared(result: PairResult, explanation: PairExplanation, kept: Grouping | None = None) -> Json:
    """`compare --json`; with how often such an answer is wrong, where it was kept."""
    ratio, found = result.ratio, opinion.pair_findings(result)
    said: Json = {
        "given": result.given,
        "statement": opinion.pair_statement(result),
        "reasons": reasons.sentences(result.reasons),
    }
    if found is not None:
        said["findings"] = fields(found, "statement", "support")
    return {
        **explained(explanation),
        "a": _side(result.a),
        "b": _side(result.b),
        **fields(result, "score", "log_odds"),
        "fused_log_odds": result.fused,
        "explained_log_odds": explanation.log_odds,
        **_ratio(ratio),
        "verbal": None if ratio is None else MARQUIS_2016.support(ratio.log10).words,
        "opinion": said,
        "warnings": reasons.sentences(result.warnings),
        "dv_2xaa": None
        if result.dv_2xaa is None
        else {"same": result.dv_2xaa, "a": result.a.attributed, "b": result.b.attributed},
        **({} if kept is None else {"error": _error(kept)}),
    }


def explained(explanation: PairExplanation) -> Json:
    """The log-odds taken apart: the sums of the families, the strongest features, and every single contribution."""
    favourable, adverse = explanation.strongest()
    return {
        **fields(explanation, "log_odds", "intercept", "baseline"),
        "families": [
            fields(each, "family", "group", "features", "differing", "contribution", "usual", "relative")
            for each in explanation.families
        ],
        "for": [_feature(each) for each in favourable],
        "against": [_feature(each) for each in adverse],
        "contributions": [_contribution(each) for each in explanation.every()],
    }


def _contribution(feature: FeatureContribution) -> Json:
    return fields(feature, "feature", "group", "a", "b", "weight", "contribution", "family", "relative", "documents")


def _feature(feature: FeatureContribution) -> Json:
    return {
        **_contribution(feature),
        **fields(feature, "column", "difference", "usual_difference", "authors"),
        "usage_a": None if feature.usage_a is None else asdict(feature.usage_a),
        "usage_b": None if feature.usage_b is None else asdict(feature.usage_b),
    }


def _side(text: ComparedText) -> Json:
    return fields(text, "file", "sha256", "words", "known_author")


def _ratio(ratio: LikelihoodRatio | None) -> Json:
    return {
        "log10_lr": None if ratio is None else ratio.log10,
        "log10_lr_interval": None if ratio is None else ends(ratio.interval),
        "bounded": None if ratio is None else ratio.reached is not None,
    }


def grouped(found: Grouping, exhibit: Callable[[str], str] = lambda file: "") -> Json:
    """`compare --json` of more than two texts; `a`, `b` and `groups` are numbers of texts, from 0."""
    return {
        "texts": [{**_side(each), "exhibit": exhibit(each.file)} for each in found.texts],
        "pairs": [
            {
                "a": each.a,
                "b": each.b,
                "fused_log_odds": each.fused,
                **_ratio(each.ratio),
                "given": each.given,
                "reasons": reasons.sentences(each.reasons),
            }
            for each in found.pairs
        ],
        "groups": [list(group) for group in found.groups] or None,
        "error": _error(found),
        "warnings": reasons.sentences(found.warnings),
    }


def _error(found: Grouping) -> Json | None:
    error = found.error
    if error is None:
        return None
    return {
        **fields(error, "draws", "writers"),
        "put_together": _wrong(error.together),
        "split": _wrong(error.split),
    }


def _wrong(found: WrongPairs | None) -> Json | None:
    return None if found is None else fields(found, "share", "interval", "wrong", "pairs")


def answered(model: ModelRecord, found: ProblemAnswers, lines: Path | None = None) -> Json:
    """`compare --problems --json`; `lines` is where the answers are in the format of PAN."""
    return {
        "model": about(model),
        "problems": [_answer(each) for each in found.answers],
        "refused": [{"problem": each.file, "reason": each.reason} for each in found.refused],
        "answers": None if lines is None else str(lines),
    }


def _answer(each: ProblemAnswer) -> Json:
    found, unknown = each.found, each.unknown
    return {
        "problem": each.problem,
        "known": [{"file": text.path, "sha256": text.sha256_bytes, "words": text.words} for text in each.known],
        "known_used": found.texts,
        "unknown": {"file": unknown.path, "sha256": unknown.sha256_bytes, "words": unknown.words},
        "condition": condition(found.condition),
        "score": found.score,
        "probability_at_even_odds": found.probability,
        **_ratio(found.ratio),
        "given": found.same is not None,
        "same_writer": found.same,
    }
