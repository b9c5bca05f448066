"""What version 0.1 kept of a result, read as today's types. It kept sentences: they are shown as they were written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from forensia.case.arrays import Models
from forensia.evidence.calibration import Bounds
from forensia.evidence.result import (
    INDEPENDENT,
    LAZY,
    STACKED,
    Alternative,
    Candidate,
    Changed,
    Condition,
    Known,
    LeftOut,
    LikelihoodRatio,
    Opinion,
    Placed,
    Reason,
    Result,
    Sensitivity,
)

PROGRAM = "0.1.0"
FORMAT = 1
Json = Mapping[str, Any]
_UNLIMITED = Bounds(-9.0, 9.0, 0, 0)
_VALIDATION = "validation"
_LIMIT = re.compile(r"the limit that ([\d,]+) validation comparisons support")


def result(kept: Models, found: Json, models: Mapping[str, str]) -> Result:
    """A result of version 0.1, which rests on these arrays; anything else raises one of Python's errors for wrong data."""
    pairs = found["pairs"]
    said = found["opinion"]
    findings = said.get("findings")
    words = found["validated_at_words"]
    validated = findings is not None
    standing = models.get(_VALIDATION) == kept.hashes().get(_VALIDATION)
    limits = _limits(kept, words or 0) if validated and standing else None
    lazy, stacked = ({row["author"]: row for row in found[name]} for name in (LAZY, STACKED))
    authors = [row["author"] for row in found["verification"]]
    # The order of the codes is that of the first known texts.
    codes = list(dict.fromkeys(row["author"] for row in pairs))
    votes = {vote["method"]: (_placed(vote["scores"], codes), vote["accepts"]) for vote in found["agreement"]}

    def systems(author: str) -> dict[str, Placed]:
        placed = {
            name: Placed(float(rows[author]["score"]), int(rows[author]["rank"]), rows[author]["rank"] == 1)
            for name, rows in ((LAZY, lazy), (STACKED, stacked))
        }
        for name in INDEPENDENT:
            if name in votes and author in votes[name][0]:
                scores, accepts = votes[name]
                score, rank = scores[author]
                placed[name] = Placed(score, rank, accepts if rank == 1 else None)
        return placed

    return Result(
        document="",
        file=str(found["file"]),
        sha256=str(found["sha256"]),
        words=int(found["words"]),
        condition=Condition(words=words) if validated else None,
        candidates=tuple(
            Candidate(
                author=str(row["author"]),
                texts=int(row["documents"]),
                reach=int(found["k_by_author"][row["author"]]),
                systems=systems(row["author"]),
                **_ratios(row, limits or _reached(row, findings)),
                p=row["conformal_p"],
                p_among=0,
                used=(),
            )
            for row in found["verification"]
        ),
        known=Known(tuple(str(row["document"]) for row in pairs), tuple(str(row["author"]) for row in pairs)),
        pair_scores=tuple(float(row["score"]) for row in pairs),
        k=int(found["k"]),
        opinion=Opinion(
            kind=said["kind"],
            about=str(findings["author"]) if findings else str(authors[0]),
            reasons=tuple(_written(sentence) for sentence in said["reasons"]),
            family_p=said.get("family_p"),
        ),
        warnings=tuple(_written(sentence) for sentence in found["warnings"]),
        sensitivity=_sensitivity(found["sensitivity"]),
        no_sentences=bool(found["no_sentences"]),
        program=PROGRAM,
        format=FORMAT,
    )


def _written(sentence: str) -> Reason:
    return Reason("as-written", {"sentence": str(sentence)})


def _placed(scores: Sequence[float], authors: Sequence[str]) -> dict[str, tuple[float, int]]:
    """The score and the rank of each author, equal scores in the order of the authors."""
    order = sorted(range(len(authors)), key=lambda place: -scores[place])
    return {authors[place]: (float(scores[place]), rank) for rank, place in enumerate(order, start=1)}


def _limits(models: Models, words: int) -> tuple[Bounds, Bounds]:
    """The bounds against both alternatives at a length, which version 0.1 kept with the validation alone."""
    kept = models.get(_VALIDATION)
    for rung in [] if kept is None else kept.header.get("rungs", []):
        if rung["words"] == words:
            listed, unlisted = rung["listed_bounds"], rung["unlisted_bounds"]
            return Bounds.from_dict(listed), _UNLIMITED if unlisted is None else Bounds.from_dict(unlisted)
    return _UNLIMITED, _UNLIMITED


def _reached(row: Json, findings: Json | None) -> tuple[Bounds, Bounds]:
    """The bounds of a validation that is gone, as far as an LR stood at them: by the row, and by the sentence about its author."""
    value, ends = row["log10_lr"], row["log10_lr_interval"]
    bounds = _UNLIMITED
    if row["bounded"]:
        bounds = replace(bounds, upper=value) if value > 0 else replace(bounds, lower=value)
    written = findings["statement"] if findings is not None and findings["author"] == row["author"] else ""
    if limit := _LIMIT.search(written):
        bounds = replace(bounds, n_same=int(limit.group(1).replace(",", "")))
        for words, end in (("at least", value < 0), ("at most", value >= 0)):  # below 1 the sentence is turned round
            if ends is not None and words in written:
                bounds = replace(bounds, lower=ends[0]) if end else replace(bounds, upper=ends[1])
    return bounds, bounds


def _ratios(row: Json, limits: tuple[Bounds, Bounds]) -> dict[str, LikelihoodRatio | None]:
    ends = row["log10_lr_interval"]

    def ratio(key: str, alternative: Alternative, bounds: Bounds) -> LikelihoodRatio | None:
        value = row[key]
        return None if value is None else LikelihoodRatio(value, None, alternative, bounds, bounds.side(value))

    listed = ratio("log10_lr_listed", Alternative.LISTED, limits[0])
    unlisted = ratio("log10_lr_unlisted", Alternative.UNLISTED, limits[1])
    second = row["log10_lr"] is not None and row["log10_lr"] == row["log10_lr_unlisted"]
    headline = ratio("log10_lr", Alternative.UNLISTED if second else Alternative.LISTED, limits[second])
    if headline is not None and ends is not None:
        headline = LikelihoodRatio(
            headline.log10, (float(ends[0]), float(ends[1])), headline.alternative, headline.bounds, headline.reached
        )
    return {"headline": headline, "listed": listed, "unlisted": unlisted}


def _sensitivity(found: Json | None) -> Sensitivity | None:
    if found is None:
        return None
    left = found["left_out"]
    ends = left["log10_lr"]
    return Sensitivity(
        str(found["author"]),
        tuple(
            Changed(row["kind"], str(row["what"]), str(row["first"]), int(row["rank"]), row["log10_lr"])
            for row in found["variants"]
        ),
        LeftOut(
            int(left["documents"]),
            int(left["first_changes"]),
            tuple(str(name) for name in left["changed_by"]),
            None if ends is None else (float(ends[0]), float(ends[1])),
        ),
        bool(found["survives"]),
    )
