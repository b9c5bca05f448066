"""The validation in numbers: the JSON of `forensia validate`, which the trust page and the report show too.

What cannot be estimated is null, and `notes` say why.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from forensia.evidence.bootstrap import Interval
from forensia.evidence.conformal import false_support, smallest_p
from forensia.evidence.knowntexts import WHOLE
from forensia.evidence.likelihood import FEWEST_AUTHORS
from forensia.evidence.measures import accuracy, auc, cllr_min, confusion, eer, macro_f1, misleading_rates
from forensia.evidence.opinion import ABSTAIN, ALPHA, FEW_AUTHORS, NONE
from forensia.evidence.validation import Pairs, Rung, Validation

THRESHOLDS = (1.0, 10.0, 100.0)


def summary(validation: Validation) -> dict[str, Any]:
    """Everything that `forensia validate` tells."""
    intervals = validation.attribution_intervals
    whole = ratios(validation.whole)
    pairs = validation.pairwise
    return {
        "documents": len(validation.codes),
        "authors": len(validation.authors),
        "quick": validation.quick,
        "converged": validation.converged,
        "aa": {method: _attribution(validation, method) for method in ("lazy", "stacked")},
        "sav": _pairs(pairs.unseen),
        "sav_unlisted": _pairs(pairs.unseen_outside),
        "sav_one_known": _pairs(pairs.known),
        "sav_one_known_unlisted": _pairs(pairs.known_outside),
        "lr": whole,
        "by_author": _authors(validation),
        "open_set": open_set(validation.whole),
        "lengths": [
            {"words": rung.words, **ratios(rung), "open_set": open_set(rung)}
            for rung in validation.rungs.values()
            if rung.words
        ],
        "median_words": validation.median_words,
        "intervals": {
            "level": 0.95,
            **{f"{method} {name}": _ends(found) for method, each in intervals.items() for name, found in each.items()},
            "sav cllr": _pairs(pairs.unseen)["cllr_interval"],
            "lr cllr": whole["listed"]["cllr_interval"],
            "lr unlisted cllr": whole["unlisted"] and whole["unlisted"]["cllr_interval"],
        },
        "notes": notes(validation),
    }


def number(value: float) -> float | None:
    """A number for JSON: null where there is none."""
    return float(value) if math.isfinite(value) else None


def _ends(found: Interval) -> list[float] | None:
    return [found.low, found.high] if math.isfinite(found.low) and math.isfinite(found.high) else None


def _attribution(validation: Validation, method: str) -> dict[str, Any]:
    predicted = validation.predicted(method)
    found = confusion(validation.labels, predicted, classes=validation.authors)
    return {
        "accuracy": accuracy(validation.labels, predicted),
        "macro_f1": macro_f1(validation.labels, predicted),
        "confusion": found.counts.astype(int).tolist(),
    }


def _pairs(kind: Pairs) -> dict[str, Any]:
    """Of whole texts."""
    found = kind.get(WHOLE)
    if found is None:
        names = ("accuracy", "auc", "eer", "cllr", "cllr_min", "cllr_interval")
        return {"same": None, "different": None, **dict.fromkeys(names)}
    measured = found[1]
    return {
        "same": measured.same,
        "different": measured.different,
        "accuracy": measured.accuracy,
        "auc": number(measured.auc),
        "eer": number(measured.eer),
        "cllr": number(measured.cllr),
        "cllr_min": number(measured.cllr_min),
        "cllr_interval": _ends(measured.cllr_interval),
    }


def ratios(rung: Rung) -> dict[str, Any]:
    """How good the LRs of an author against each alternative are."""
    scores, judged = rung.scores, rung.judged
    listed, unlisted = rung.cllr_intervals
    own = scores.own

    def measured(same: Any, different: Any, cost: float, ends: Interval, bounds: Any) -> dict[str, Any]:
        return {
            "same": len(same),
            "different": len(different),
            "cllr": number(cost),
            "cllr_min": number(cllr_min(same, different)),
            "cllr_interval": _ends(ends),
            "eer": number(eer(same, different)),
            "auc": number(auc(same, different)),
            "misleading": [
                {"threshold": rate.threshold, "same": number(rate.same), "different": number(rate.different)}
                for rate in misleading_rates(same, different, thresholds=THRESHOLDS)
            ],
            "log10_bounds": [bounds.lower, bounds.upper],
        }

    second = None
    if rung.calibration.unlisted_bounds is not None:
        second = measured(
            judged.inside[1][own], judged.outside[1][scores.strange],
            rung.cllr_unlisted, unlisted, rung.calibration.unlisted_bounds,
        )  # fmt: skip
    first = measured(
        judged.inside[0][own], judged.inside[0][scores.other],
        rung.cllr_listed, listed, rung.calibration.listed_bounds,
    )  # fmt: skip
    return {"listed": first, "unlisted": second}


def open_set(rung: Rung) -> dict[str, Any]:
    """What becomes of texts by listed authors and by outsiders under the rule of the opinion (its lengths and counts aside)."""
    scores = rung.scores
    inside = rung.decisions_on_listed()
    given = inside >= 0
    found: dict[str, Any] = {
        "alpha": ALPHA,
        "listed": {
            "documents": len(inside),
            "opinion": float(given.mean()),
            "right_when_given": number(float((inside == scores.codes)[given].mean())) if given.any() else None,
            "none_of_these": float((inside == NONE).mean()),
            "no_opinion": float((inside == ABSTAIN).mean()),
        },
        "unlisted": None,
        "false_support": [],
        "declined": None,
    }
    if rung.calibration.unlisted_bounds is None or not scores.strange.any():
        return found
    outside = rung.decisions_on_outsiders()
    found["unlisted"] = {
        "documents": len(outside),
        "wrongly_supported": float((outside >= 0).mean()),
        "none_of_these": float((outside == NONE).mean()),
        "no_opinion": float((outside == ABSTAIN).mean()),
    }
    found["declined"] = float((outside < 0).mean())
    headline = rung.calibration.headline(*rung.judged.outside)
    for threshold in THRESHOLDS:
        support = false_support(headline, threshold)
        found["false_support"].append(
            {
                "threshold": threshold,
                "one_author": number(support.single),
                "any_author": number(support.family),
                "candidates": support.candidates,
            }
        )
    return found


def _authors(validation: Validation) -> list[dict[str, Any]]:
    rung = validation.whole
    tables = {
        method: confusion(validation.labels, validation.predicted(method), classes=validation.authors)
        for method in ("lazy", "stacked")
    }
    headline = rung.calibration.headline(*rung.judged.inside)
    rows = []
    for code, author in enumerate(validation.authors):
        own, other = rung.scores.own[:, code], rung.scores.other[:, code]
        mine = headline[own, code]
        row: dict[str, Any] = {"author": author, "documents": int((validation.codes == code).sum())}
        for method, table in tables.items():
            row[method] = {
                "precision": number(float(table.precision[code])),
                "recall": number(float(table.recall[code])),
                "f1": number(float(table.f1[code])),
            }
        row["own_supported"] = number(float((mine > 0).mean())) if mine.size else None
        row["others_supported"] = number(float((headline[other, code] > 0).mean())) if other.any() else None
        row["median_log10_lr"] = number(float(np.median(mine))) if mine.size else None
        row["smallest_conformal_p"] = smallest_p(len(rung.own[code])) if len(rung.own[code]) else None
        row["source_left_out"] = validation.sources[code]
        rows.append(row)
    return rows


def notes(validation: Validation) -> list[str]:
    """What limits the validation itself, in sentences."""
    found = []
    authors = len(validation.authors)
    if validation.quick:
        found.append(
            "Quick validation: 5 folds instead of 10. Its models know fewer texts and authors than the final one, and claim less for it."
        )
    if authors < FEWEST_AUTHORS:
        found.append(
            f"With {authors} authors the alternative 'somebody who is not in the corpus' is not estimable; it needs {FEWEST_AUTHORS}."
        )
    elif authors < FEW_AUTHORS:
        found.append(
            f"The alternative 'somebody who is not in the corpus' rests on {authors} authors; {FEW_AUTHORS} or more would be better."
        )
    if authors < 4:
        found.append("With fewer than four authors scores are not compared with those of a cohort of other authors.")
    left_out = sum(validation.sources)
    if left_out < authors:
        found.append(
            f"Performance on texts from a new source is not estimable for {authors - left_out} of {authors} authors: "
            "they have fewer than three sources."
        )
    if validation.torn:
        names = _few(validation.torn)
        found.append(
            f"Texts of one source, or texts that share most of their words, could not be kept together for {names}: too few others would "
            "be left. What is measured on such texts may be better than it will be on a new one."
        )
    lonely = [row for row, scores in enumerate(validation.whole.own) if len(scores) < 1]
    if lonely:
        names = _few([validation.authors[code] for code in lonely])
        found.append(f"Not estimable for authors with a single document or source: {names}.")
    if not validation.converged:
        found.append("Some models did not converge; their scores are less certain than they look.")
    return found


def _few(names: Sequence[str]) -> str:
    """The first of many names."""
    return f"{', '.join(names[:3])}{' …' if len(names) > 3 else ''}"
