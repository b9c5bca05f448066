"""What must come out of any texts: nothing from names dealt out anew, something from each family, no favour for large authors."""

from __future__ import annotations

import numpy as np

from forensia.bench.packs import SEED, TriedPack
from forensia.bench.rows import Row
from forensia.evidence.likelihood import LN10, Scores, crossfitted
from forensia.evidence.summary import figure
from forensia.systems.fusion import Fusion

SMALL, LARGE, UNEQUAL = 7, 28, 6


def shuffled(pack: TriedPack) -> Row:
    """Names dealt out anew: nothing can be learnt, and the validation must say so."""
    names = [document.author for document in pack.known.documents]
    mixed = [names[place] for place in np.random.default_rng(5).permutation(len(names))]
    claim = figure(pack.known.whole().by(mixed).validated().validation.whole)
    return {
        "chance": 1 / len(set(names)),
        "first": claim.first.share,
        "cllr_listed": claim.listed.cllr,
        "opinions": claim.open_set.listed.opinion,
    }


def families(pack: TriedPack) -> Row:
    """Whether each family has earned its place: how much worse left-out texts are told without it."""
    validation = pack.program.validation
    whole, names = loss_and_first(validation.whole.scores), [family.name for family in validation.system.families]
    without = {name: loss_and_first(validation.whole.scores.without(place)) for place, name in enumerate(names)}
    return {
        "loss": whole[0],
        "first": whole[1],
        "without": {
            name: {"loss": loss - whole[0], "first": first - whole[1]} for name, (loss, first) in without.items()
        },
    }


def loss_and_first(scores: Scores) -> tuple[float, float]:
    """The log loss and the first places of left-out texts."""
    fusion = Fusion.fit(scores.inside, scores.codes, scores.sizes)
    odds = crossfitted(scores, fusion, SEED).inside[0][scores.tried] * LN10 - np.log(len(scores.sizes) - 1)
    codes = scores.codes[scores.tried]
    own = odds[np.arange(len(odds)), codes]
    first = np.where(np.isnan(odds), -np.inf, odds).argmax(axis=1)
    return float(np.logaddexp(0.0, -own).mean()), float((first == codes).mean())


def imbalance(pack: TriedPack) -> Row:
    """How often the author with few known texts is put first, each of six authors in turn being that author."""
    codes, names = pack.known.codes, list(dict.fromkeys(document.author for document in pack.known.documents))
    enough = np.flatnonzero(np.bincount(codes) >= LARGE)[:UNEQUAL]
    theirs = [[document for document in pack.disputed if document.author == names[author]] for author in enough]
    least = min(map(len, theirs))
    asked = [document for each in theirs for document in each[:least]]
    shares = []
    for small in enough:
        sizes = {author: SMALL if author == small else LARGE for author in enough}
        rows = np.sort(np.concatenate([np.flatnonzero(codes == author)[: sizes[author]] for author in enough]))
        program = pack.known.whole().rows(rows).validated()
        first = program.asked(asked, pack.source).first
        shares.append(float((first == program.validation.authors.index(names[small])).mean()))
    return {"equal_share": 1 / UNEQUAL, "mean": float(np.mean(shares)), "each": shares}
