"""Does the conclusion survive when something that should not matter is changed?

Other seeds of the pair sample, each family of features off, the topic masked (or unmasked), each known document left out, each half of the
disputed text. The models of other seeds and of the mask are fitted when the case is trained and kept with it; they take over
the C of the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from forensia.attribution.pairmodel import FittedPairs, fit_pairs
from forensia.diffvectors import DVBin, PairModel, Scorer, one_blas_thread, probability
from forensia.evidence.authorscores import raw_scores
from forensia.evidence.training import Arrays, TrainedModel, load_pairs, pack_pairs
from forensia.features import Counts, Vectors
from forensia.jobs import Progress, part, silent

OTHER_SEEDS = (1, 2)  # added to the seed of the case
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Variant:
    """One change: who comes first then, where the author of the conclusion stands, and the scores of all (raw)."""

    kind: Literal["seed", "family off", "mask", "half"]
    what: str
    scores: Floats

    @property
    def first(self) -> int:
        return int(np.where(np.isnan(self.scores), -np.inf, self.scores).argmax())

    def rank(self, author: int) -> int:
        return 1 + int((self.scores > self.scores[author]).sum())


@dataclass(frozen=True)
class OtherModels:
    """h with other pair samples on the same vectors, and a whole model with the topic masked (unmasked, if the case's is masked)."""

    seeds: Mapping[int, PairModel]
    masked: FittedPairs | None
    masked_known: Vectors | None

    @property
    def mask_words(self) -> str:
        return (
            "topic masked" if self.masked is not None and self.masked.space.mask_.kind != "none" else "topic not masked"
        )

    def to_arrays(self) -> tuple[Arrays, dict[str, Any]]:
        arrays: Arrays = {}
        for seed, model in self.seeds.items():
            arrays[f"seed {seed}/dense"], arrays[f"seed {seed}/sparse"] = model.dense, model.sparse
            arrays[f"seed {seed}/intercept"] = np.array([model.intercept])
        header: dict[str, Any] = {"seeds": list(self.seeds), "masked": None}
        if self.masked is not None and self.masked_known is not None:
            packed, header["masked"] = pack_pairs(self.masked, self.masked_known)
            arrays |= {f"masked/{name}": array for name, array in packed.items()}
        return arrays, header

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], header: Mapping[str, Any]) -> OtherModels:
        seeds = {
            int(seed): PairModel(
                arrays[f"seed {seed}/dense"], arrays[f"seed {seed}/sparse"], float(arrays[f"seed {seed}/intercept"][0])
            )
            for seed in header["seeds"]
        }
        if header["masked"] is None:
            return cls(seeds, None, None)
        inner = {name.removeprefix("masked/"): arrays[name] for name in arrays if name.startswith("masked/")}
        return cls(seeds, *load_pairs(inner, header["masked"]))


def other_models(model: TrainedModel, masked: Counts, threads: int = 1, progress: Progress = silent) -> OtherModels:
    """Fit them, at the C of the model; `masked` are the known documents counted with the other mask."""
    labels = [model.authors[code] for code in model.codes]
    c = model.fitted.training.c
    seeds: dict[int, PairModel] = {}
    steps = len(OTHER_SEEDS) + 1
    for number, added in enumerate(OTHER_SEEDS):
        stage = part(progress, number / steps, (number + 1) / steps)
        stage(0.0, "trying other samples of pairs")
        learner = DVBin(profile=model.options.profile, seed=model.options.seed + added, grid=(c,), threads=threads)
        seeds[model.options.seed + added] = learner.fit(model.known, labels, stage, model.fitted.model).model_
    stage = part(progress, 1 - 1 / steps, 1.0)
    stage(0.0, "trying texts with the topic hidden")
    fitted, known = fit_pairs(masked, labels, model.options, near=model.fitted, threads=threads, progress=stage)
    return OtherModels(seeds, fitted, known)


def variants(
    model: TrainedModel,
    others: OtherModels,
    query: Vectors,
    masked_query: Counts | None,
    halves: Sequence[Vectors] = (),
) -> list[Variant]:
    """Every change, one by one, for one text."""
    found = [
        Variant("seed", f"seed {seed}", _lazy(model, replace(model.fitted, model=pairs), model.known, query))
        for seed, pairs in others.seeds.items()
    ]
    found += [
        Variant("family off", block.family, _without_family(model, query, block.family)) for block in model.known.blocks
    ]
    if masked_query is not None and others.masked is not None and others.masked_known is not None:
        vectors = others.masked.vectors(masked_query)
        found.append(Variant("mask", others.mask_words, _lazy(model, others.masked, others.masked_known, vectors)))
    names = ("first half", "second half")
    found += [
        Variant("half", name, _lazy(model, model.fitted, model.known, half))
        for name, half in zip(names, halves, strict=False)
    ]
    return found


def left_out(model: TrainedModel, pr_same: Floats) -> list[tuple[int, Floats]]:
    """For each known document, the raw author scores without it; only its author's score can change."""
    whole = model.lazy(pr_same[None])[0]
    found = []
    for document, author in enumerate(model.codes):
        mine = np.flatnonzero(model.codes == author)
        rest = pr_same[mine[mine != document]]
        scores = whole.copy()
        scores[author] = np.sort(rest)[::-1][: model.reach[author]].mean() if len(rest) else np.nan
        found.append((document, raw_scores(scores)))
    return found


def halves_of(text: str) -> tuple[str, str]:
    """The two halves of a text by words, cut between words."""
    from forensia.corpus.words import WORD

    found = [match.start() for match in WORD.finditer(text)]
    middle = found[len(found) // 2] if found else 0
    return text[:middle], text[middle:]


def _lazy(model: TrainedModel, fitted: FittedPairs, known: Vectors, query: Vectors) -> Floats:
    with one_blas_thread():
        log_odds = Scorer(fitted.model, known).log_odds(query)
    return np.asarray(raw_scores(model.lazy(probability(log_odds)))[0])


def _without_family(model: TrainedModel, query: Vectors, family: str) -> Floats:
    """The scores when a family says the same of every known document: its mean over them stands for each."""
    one = model.without(family).fitted.model
    with one_blas_thread():
        whole = Scorer(model.fitted.model, model.known).log_odds(query)
        rest = Scorer(one, model.known).log_odds(query)
    log_odds = rest + (whole - rest).mean()
    return np.asarray(raw_scores(model.lazy(probability(log_odds)))[0])
