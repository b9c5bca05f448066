"""What the validation claims against what is found on texts that nobody touched, for both conditions."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from forensia.bench.packs import SEED, AskedTexts, Program, TriedPack
from forensia.bench.rows import Row
from forensia.corpus import Document
from forensia.evidence.measures import cllr, cllr_min, macro_f1
from forensia.evidence.opinion import NONE
from forensia.evidence.result import Source
from forensia.evidence.rung import Rung
from forensia.evidence.summary import Figure, figure
from forensia.systems.fusion import log_softmax

FIFTH = 0.2  # of each author's known texts is held out, where the pack has no disputed texts from a known source
Floats = NDArray[np.float64]
STRONG = 2.0  # log10 of an LR that must not be found for a wrong author


def held_out(pack: TriedPack) -> Row:
    """A cell for each condition that the pack can tell something of."""
    cells: Row = {pack.source: cell(pack.program, pack.disputed, pack.outsiders, pack.source)}
    if pack.source == "new":
        away = fifth(pack.known.codes)
        rest = pack.known.rows(np.setdiff1d(np.arange(len(pack.known.documents)), away))
        texts = [pack.known.documents[row] for row in away]
        cells["known"] = cell(rest.validated(), texts, pack.outsiders, "known")
    return {"cells": cells}


def fifth(codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """A fifth of each author's texts, drawn once for all time; of an author with two, none."""
    rng = np.random.default_rng([SEED, 5])
    drawn = []
    for code in np.unique(codes):
        rows = rng.permutation(np.flatnonzero(codes == code))
        drawn.append(rows[: min(round(FIFTH * len(rows)), len(rows) - 2)] if len(rows) > 2 else rows[:0])
    return np.sort(np.concatenate(drawn))


def cell(program: Program, documents: Sequence[Document], outsiders: Sequence[Document], source: Source) -> Row:
    """Every claim about texts from such a source, and what is found: the claims for whole texts, and those for each length beside them."""
    begun = time.process_time()
    claim = figure(program.validation.of(source)[0])
    answers, truth = program.asked(documents, source), program.truth(documents)
    own = truth[:, None] == np.arange(answers.z.shape[1])
    given, listed = answers.given, claim.open_set.listed
    row: Row = {
        "texts": len(documents),
        "authors": len(program.validation.authors),
        "words": float(np.median([document.words for document in documents])),
        "first": _first(claim, answers.first == truth),
        "confidence": float(np.exp(log_softmax(answers.z)).max(axis=1).mean()),
        "macro_f1": macro_f1(*([str(code) for code in each] for each in (truth, answers.first))),
        "cllr_listed": {"claimed": claim.listed.cllr, **_costs(answers.listed[own], answers.listed[~own])},
        "above_100_for_wrong_authors": share(answers.headline[~own] > STRONG),
        "opinions": {
            "could": int(answers.could.sum()),
            "given": int(given.sum()),
            "claimed": [listed.opinion, listed.right_when_given],
            "found": [share(given), share((answers.decided == truth)[given])],
        },
        "none_of_these": {"claimed": listed.none_of_these, "found": share(answers.decided == NONE)},
        "lengths": [_length(rung, answers, truth, answers.on == number) for number, rung in enumerate(answers.rungs)],
    }
    if outsiders:
        row["outsiders"] = _outsiders(program.asked(outsiders, source), answers.unlisted[own], claim)
    return {**row, "cpu_s": round(time.process_time() - begun, 1)}


def _outsiders(strange: AskedTexts, own: Floats, claim: Figure) -> Row:
    """What becomes of texts by people whom nobody listed; nothing is claimed of them where the candidates are few."""
    stated, cost = claim.open_set.unlisted, None if claim.unlisted is None else claim.unlisted.cllr
    ends = None if stated is None else stated.supported_interval
    return {
        "texts": len(strange.documents),
        "cllr_unlisted": {"claimed": cost, **_costs(own, strange.unlisted.ravel())},
        "supported": {
            "claimed": None if stated is None else stated.wrongly_supported,
            "upper": None if ends is None else ends[1],
            "found": share(strange.given),
        },
        "none_of_these": share(strange.decided == NONE),
        "above_100": share(strange.headline > STRONG),
    }


def _length(rung: Rung, answers: AskedTexts, truth: NDArray[np.intp], rows: NDArray[np.bool_]) -> Row:
    """First places and opinions of the texts on one rung, by its own claims."""
    claim, given = figure(rung), rows & answers.given
    return {
        "words": rung.condition.words,
        "joined": rung.condition.texts,
        "texts": int(rows.sum()),
        "first": _first(claim, (answers.first == truth)[rows]),
        "opinions": {
            "claimed": [claim.open_set.listed.opinion, claim.open_set.listed.right_when_given],
            "found": [share(answers.given[rows]), share((answers.decided == truth)[given])],
        },
    }


def _first(claim: Figure, right: NDArray[np.bool_]) -> Row:
    return {"claimed": claim.first.share, "interval": claim.first.interval, "found": share(right)}


def _costs(same: Floats, different: Floats) -> Row:
    """The cost of LRs, and what would be left of it after the best calibration; None where there are none."""
    if np.isnan(same).all() or np.isnan(different).all():
        return {"found": None, "least": None}
    return {"found": cllr(same, different), "least": cllr_min(same, different)}


def share(hits: NDArray[np.bool_]) -> float | None:
    """None of nothing."""
    return float(hits.mean()) if hits.size else None
