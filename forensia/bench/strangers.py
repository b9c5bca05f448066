"""Two texts by people of whom nothing is known: the AUC of the fused score, DV-Bin, cosine and impostors, and Cllr claimed and found.

    python -m forensia.bench.strangers DATA OUT.json [--set NAME ...] [--table]

DATA holds the packs (archives or folders with a manifest). Everything is learnt from the known texts of the closed authors, and tried on
pairs of texts by the open ones; in packs without open authors, by half of the authors. Same pairs share no source. All methods are tried on
the same pairs; DV-Bin is that of the forensic profile, and cosine and impostors see its vectors. What is claimed comes from the closed
authors alone.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.bench import Row, arguments_of, markdown, run
from forensia.bench.packs import CORPORA, NEW_SOURCE, ComparedSet, ComparedTexts, read_set, unpacked
from forensia.diffvectors import one_blas_thread
from forensia.diffvectors.pairs import codes
from forensia.evidence.bootstrap import resamples
from forensia.evidence.crossfit import OutOfFold, with_copies
from forensia.evidence.knowntexts import WHOLE, Texts
from forensia.evidence.likelihood import LN10
from forensia.evidence.measures import auc, cllr
from forensia.evidence.pairwise import PairTexts, compared, log_odds
from forensia.evidence.result import COSINE, DV_BIN, FUSED, IMPOSTORS
from forensia.features import FAMILIES, FUSED_FAMILIES
from forensia.features.weighting import products
from forensia.profile import FORENSIC
from forensia.systems import Impostors
from forensia.systems.centred import NOBODY
from forensia.systems.distances import pair_cosines
from forensia.systems.fused import fit_fused
from forensia.systems.leaving_out import rounds
from forensia.systems.pairmodel import TrainingOptions, fit_pairs

SEED = 0
PAIRS = 1_000  # of each class
RESAMPLES = 200
SETS = [*CORPORA, *(name for name in NEW_SOURCE if name != "novels_english")]  # three authors are no half to learn from
METHODS = (FUSED, DV_BIN, COSINE, IMPOSTORS)


def of_authors(texts: ComparedTexts, chosen: NDArray[Any]) -> Texts:
    """The known texts of some authors."""
    rows = np.flatnonzero(np.isin(texts.codes, chosen))
    labels = [texts.documents[row].author for row in rows]
    return Texts(texts.known.rows(rows), labels, [texts.documents[row].sources for row in rows])


def measured(known: Texts, strange: Texts) -> Row:
    """Learn from known texts, and compare texts by others."""
    begun = time.process_time()
    numbers = codes(list(known.labels)).astype(np.intp)
    sources = with_copies(known.labels, known.sources, known.counts)
    left_out = rounds(numbers, sources, SEED) or rounds(numbers, [()] * len(numbers), SEED)
    families = [family for family in FUSED_FAMILIES if family in known.counts.families]
    system, _ = fit_fused(known.counts, numbers, [left_out], families)
    paired = tuple(family for family in FAMILIES if family in known.counts.families)
    options = TrainingOptions(profile=FORENSIC, seed=SEED, families=paired).learnable(known.counts)
    fitted, vectors = fit_pairs(known.counts, list(known.labels), options)
    nothing = np.full((len(numbers), len(numbers)), np.nan, np.float32)
    unscored = OutOfFold(nothing, nothing, np.zeros(len(numbers), np.int64), (), True)
    pairwise = compared(known, system, vectors, unscored, SEED, FORENSIC.effort)
    assert pairwise.fusion is not None
    claim, claimed = pairwise.unseen_outside[WHOLE]

    first, second, same = pairs_of(strange)
    columns = []
    with one_blas_thread():
        for family, means in zip(system.families, system.means, strict=True):
            rows = family.weighted.vectors(strange.counts.table(family.name))
            columns.append(
                means.cosines(rows, rows, products(rows, rows), first, second, np.full((len(first), 2), NOBODY))
            )
        fused = log_odds(pairwise.fusion, np.column_stack(columns))
    texts = fitted.vectors(strange.counts)
    impostors = Impostors(seed=SEED).fit(vectors, list(known.labels))
    scores = {
        FUSED: fused,
        DV_BIN: fitted.model.pair_log_odds(texts, first, second),
        COSINE: pair_cosines(texts, first, second),
        IMPOSTORS: impostors.scores(texts, first, second),
    }
    llr = claim.bounds.apply((claim.line[0] + claim.line[1] * fused) / LN10)
    found = {name: auc(each[same], each[~same]) for name, each in scores.items()}
    return {
        "known": [len(system.sizes), len(numbers)],
        "strangers": [len(set(strange.labels)), len(strange.labels)],
        "pairs": [int(same.sum()), int((~same).sum())],
        "auc": found,
        "before_best_other": _before(scores, found, same, codes(list(strange.labels)), first, second),
        "claimed_auc": claimed.auc,
        "cllr": {"claimed": claimed.cllr, "found": cllr(llr[same], llr[~same])},
        "weights": dict(zip(families, pairwise.fusion.weights.tolist(), strict=True)),
        "cpu_s": round(time.process_time() - begun, 1),
    }


def pairs_of(texts: Texts) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    """Pairs of texts with whether one author wrote both, as many of each class."""
    numbers = codes(list(texts.labels)).astype(np.intp)
    drawn = PairTexts.of(texts, numbers, SEED).kinds(SEED)["unseen_outside"]
    same = numbers[drawn.first] == numbers[drawn.second]
    rng = np.random.default_rng(SEED)
    rows = np.concatenate([rng.permutation(np.flatnonzero(same == label))[:PAIRS] for label in (True, False)])
    return drawn.first[rows], drawn.second[rows], same[rows]


def _before(
    scores: dict[str, NDArray[np.float64]],
    found: dict[str, float],
    same: NDArray[np.bool_],
    numbers: NDArray[np.int32],
    first: NDArray[np.intp],
    second: NDArray[np.intp],
) -> list[float]:
    """How far the fused AUC is above that of the best other method, with its 95 % interval: strangers are drawn anew."""
    best = max((name for name in found if name != FUSED), key=found.__getitem__)
    draws = []
    for draw in resamples(numbers.astype(np.intp), RESAMPLES, SEED, "authors"):
        one, other = draw.authors[numbers[first]], draw.authors[numbers[second]]
        times = np.where(same, one, one * other).astype(np.intp)
        again, both = np.repeat(np.arange(len(same)), times), np.repeat(same, times)
        if both.any() and not both.all():
            values = (scores[name][again] for name in (FUSED, best))
            ours, theirs = (auc(each[both], each[~both]) for each in values)
            draws.append(ours - theirs)
    low, high = np.quantile(draws, (0.025, 0.975))
    return [found[FUSED] - found[best], float(low), float(high)]


def read_sides(data: Path, name: str, place: Path) -> tuple[Texts, Texts]:
    """The texts to learn from, and those of strangers."""
    folder = unpacked(data, name, place)
    closed = read_set(folder, ComparedSet(name, name), place)
    authors = np.unique(closed.codes)
    if name in CORPORA:
        others = read_set(folder, ComparedSet(name, name, role="open"), place)
        return of_authors(closed, authors), of_authors(others, np.unique(others.codes))
    shuffled = np.random.default_rng(SEED).permutation(authors)
    half = len(authors) // 2
    return of_authors(closed, shuffled[:half]), of_authors(closed, shuffled[half:])


def table(rows: Sequence[Row]) -> str:
    """The rows for the README."""
    head = ["set", *METHODS, "fused − best other (95 %)", "AUC claimed", "Cllr claimed / found"]
    body = []
    for row in rows:
        gain, low, high = row["before_best_other"]
        cost = row["cllr"]
        body.append(
            [
                row["set"],
                *(f"{row['auc'][name]:.3f}" for name in METHODS),
                f"{gain:+.3f} ({low:+.3f} to {high:+.3f})",
                f"{row['claimed_auc']:.3f}",
                f"{cost['claimed']:.2f} / {cost['found']:.2f}",
            ]
        )
    return "\n".join(markdown(head, body)) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    options = arguments_of(__doc__ or "", SETS).parse_args(arguments)
    return run(options, table, [], lambda name: [()], read_sides, lambda sides: measured(*sides))


if __name__ == "__main__":
    raise SystemExit(main())
