"""The stages of the engine, from the same vectors for both sides: training, scoring, STD-AA, Impostors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.experiments.benchdata import Known, load_known, load_pair_model
from forensia.experiments.measuring import Arrays, Task, Work

SEED = 0
COMPARED = 2000  # pairs of a test document and a known one, by which trained models are compared
ONE_FOLD_ABOVE = (
    1000  # training pairs: beyond, the reference solved to convergence would take from half an hour to a day
)
FITS = 26  # five folds at five values of C, and the last fit on all pairs
SCORED = 20_000  # pairs: beyond, the reference scores a random part of them
PART = 2000
ASKED = 20  # documents, one after the other against all known ones, which both sides make ready once: the row gives the mean
OF_EACH_CLASS = 50  # pairs of test documents for Impostors
TUNING = 10  # pairs of each class for sigma*, which is not measured

Found = Mapping[str, NDArray[Any]]


# --- training --------------------------------------------------------------------------------------------------------


def forensia_train(task: Task) -> Work:
    import scipy.special  # noqa: F401
    import threadpoolctl  # noqa: F401

    from forensia.diffvectors import DVBin, sample_pairs
    from forensia.diffvectors.folds import split_pairs

    known = load_known(task)

    def do() -> Callable[[], Arrays]:
        learner = DVBin(seed=SEED).fit(known.vectors, known.authors)

        def result() -> Arrays:
            asked, against = compared_pairs(known)
            c = learner.training_.c
            pairs = sample_pairs(known.authors, SEED)
            if len(pairs) > ONE_FOLD_ABOVE:  # the model of the fold that the reference solves, at the C that was chosen
                pairs = pairs.take(split_pairs(pairs, SEED).train[:, 0])
                part = DVBin(seed=SEED, grid=(c,)).fit_pairs(known.vectors, pairs, split_pairs(pairs, SEED))
                fold = part.scores(known.queries, known.vectors)[asked, against]
            else:
                fold = np.zeros(0)
            scores = learner.scores(known.queries, known.vectors)[asked, against]
            return {"c": np.array(c), "probability": scores, "fold": fold}

        return result

    return Work(do, len(known.vectors))


def reference_train(task: Task) -> Work:
    import sklearn.linear_model
    import sklearn.metrics  # noqa: F401

    from forensia.diffvectors import count_pairs, sample_pairs
    from forensia.experiments import referenceengine as reference

    known = load_known(task)
    one_fold = 2 * min(count_pairs(known.authors)) > ONE_FOLD_ABOVE

    def do() -> Callable[[], Arrays]:
        pairs = sample_pairs(known.authors, SEED)
        if one_fold:
            fitted = reference.train_one_fold(known.vectors, pairs, SEED)
        else:
            fitted = [reference.train_exactly(known.vectors, pairs, SEED)]
        return lambda: _reference_result(known, fitted)

    scale = FITS / len(reference.GRID) if one_fold else 1.0
    return Work(do, len(known.vectors), scale, extrapolated=one_fold)


def reference_train_defaults(task: Task) -> Work:
    import sklearn.linear_model  # noqa: F401

    from forensia.diffvectors import sample_pairs
    from forensia.experiments import referenceengine as reference

    known = load_known(task)

    def do() -> Callable[[], Arrays]:
        pairs = sample_pairs(known.authors, SEED)
        fitted = [reference.train_by_default(known.vectors, pairs)]
        return lambda: _reference_result(known, fitted)

    return Work(do, len(known.vectors))


def _reference_result(known: Known, fitted: list[Any]) -> Arrays:
    from forensia.experiments import referenceengine as reference

    asked, against = compared_pairs(known)
    queries, vectors = reference.joined(known.queries), reference.joined(known.vectors)
    differences = reference.diff_vectors(queries, asked, vectors, against)
    return {
        "c": np.array([each.c for each in fitted]),
        "probability": np.array([each.probability(differences) for each in fitted]),
    }


def compared_pairs(known: Known) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of a test document and a known one, the same for both sides."""
    rng = np.random.default_rng(SEED)
    count = len(known.queries) * len(known.vectors)
    chosen = np.sort(rng.choice(count, size=min(COMPARED, count), replace=False))
    return chosen // len(known.vectors), chosen % len(known.vectors)


def exact_agreement(ours: Found, theirs: Found) -> float:
    """1 - the largest difference of Pr(Same) over 2,000 unseen pairs, at the same C; 0 if another C was chosen.

    Where the reference did one fold only, the two models of that fold are compared.
    """
    same = np.flatnonzero(theirs["c"] == ours["c"])
    if not len(same):
        return 0.0
    own = ours["fold"] if len(theirs["c"]) > 1 else ours["probability"]
    return float(1 - np.abs(own - theirs["probability"][same[0]]).max())


def default_agreement(ours: Found, theirs: Found) -> float:
    """1 - the largest difference of Pr(Same) over 2,000 unseen pairs, each side with the C that it chose itself."""
    return float(1 - np.abs(ours["probability"] - theirs["probability"][0]).max())


# --- scoring ---------------------------------------------------------------------------------------------------------


def forensia_matrix(task: Task) -> Work:
    known = load_known(task)
    learner = _trained(task)
    learner.matrix(known.vectors.rows(slice(0, 3)))

    def do() -> Callable[[], Arrays]:
        matrix = learner.matrix(known.vectors)
        first, second = _matrix_pairs(len(known.vectors))
        return lambda: {"probability": matrix[first, second]}

    return Work(do, len(known.vectors))


def reference_matrix(task: Task) -> Work:
    from forensia.experiments import referenceengine as reference

    known = load_known(task)
    model, matrix = reference.classifier(load_pair_model(task)), reference.joined(known.vectors)
    first, second = _matrix_pairs(len(known.vectors))
    count = len(known.vectors) * (len(known.vectors) - 1) // 2
    reference.score(model, matrix, first[:3], matrix, second[:3])

    def do() -> Callable[[], Arrays]:
        scores = reference.score(model, matrix, first, matrix, second)
        return lambda: {"probability": scores}

    return Work(do, len(known.vectors), count / len(first), extrapolated=count > len(first))


def _matrix_pairs(documents: int) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
    """Which pairs the reference scores: all, once each, or of very many a random part."""
    first, second = np.triu_indices(documents, 1)
    if len(first) <= SCORED:
        return first, second
    chosen = np.sort(np.random.default_rng(SEED).choice(len(first), size=PART, replace=False))
    return first[chosen], second[chosen]


def forensia_one(task: Task) -> Work:
    from forensia.diffvectors import Scorer, probability

    known, model = load_known(task), load_pair_model(task)
    probability(Scorer(model, known.vectors.rows(slice(0, 3))).log_odds(known.queries.rows(slice(0, 1))))
    asked = range(min(ASKED, len(known.queries)))

    def do() -> Callable[[], Arrays]:
        scorer = Scorer(model, known.vectors)
        scores = [probability(scorer.log_odds(known.queries.rows(slice(row, row + 1)))) for row in asked]
        return lambda: {"probability": np.concatenate(scores)}

    return Work(do, len(known.vectors), 1 / len(asked))


def reference_one(task: Task) -> Work:
    from forensia.experiments import referenceengine as reference

    known, model = load_known(task), reference.classifier(load_pair_model(task))
    every = np.arange(len(known.vectors))
    asked = range(min(ASKED, len(known.queries)))
    few = reference.joined(known.vectors.rows(slice(0, 3)))
    reference.score(model, few, every[:1], few, every[1:2])

    def do() -> Callable[[], Arrays]:
        queries, matrix = reference.joined(known.queries), reference.joined(known.vectors)
        scores = [reference.score(model, queries, np.full(len(every), row), matrix, every) for row in asked]
        return lambda: {"probability": np.array(scores)}

    return Work(do, len(known.vectors), 1 / len(asked))


def _trained(task: Task) -> Any:
    from forensia.diffvectors import DVBin

    learner = DVBin()
    learner.model_ = load_pair_model(task)
    return learner


def score_agreement(ours: Found, theirs: Found) -> float:
    """1 - the largest difference of Pr(Same) over all pairs that the reference scored."""
    return float(1 - np.abs(ours["probability"] - theirs["probability"]).max())


# --- baselines -------------------------------------------------------------------------------------------------------


def forensia_std_aa(task: Task) -> Work:
    import scipy.special  # noqa: F401
    import threadpoolctl  # noqa: F401

    from forensia.attribution.standard import StandardAttributor

    known = load_known(task)

    def do() -> Callable[[], Arrays]:
        learner = StandardAttributor(seed=SEED).fit(known.vectors, known.authors)
        return lambda: {"author": learner.predict(known.queries)}

    return Work(do, len(known.vectors))


def reference_std_aa(task: Task) -> Work:
    import sklearn.linear_model  # noqa: F401

    from forensia.experiments import referenceengine as reference

    known = load_known(task)

    def do() -> Callable[[], Arrays]:
        fitted = reference.standard(known.vectors, known.authors)
        return lambda: {"author": fitted.model.predict(reference.joined(known.queries))}

    return Work(do, len(known.vectors))


def author_agreement(ours: Found, theirs: Found) -> float:
    """The share of test documents that both give to the same author."""
    return float((ours["author"] == theirs["author"]).mean())


def forensia_impostors(task: Task) -> Work:
    known = load_known(task)
    method = _fitted_impostors(known)
    pairs = _test_pairs(known)
    method.scores(known.queries, pairs.first[:1], pairs.second[:1])

    def do() -> Callable[[], Arrays]:
        scores = method.scores(known.queries, pairs.first, pairs.second)
        return lambda: {"scores": scores, "sigma": np.array(method.sigma_)}

    return Work(do, len(known.vectors), 1 / len(pairs))


def reference_impostors(task: Task) -> Work:
    from forensia.experiments import referenceengine as reference

    known = load_known(task)
    method = _fitted_impostors(known)
    draws, size = method.draws_, method.impostors
    halves = [np.flatnonzero(half) for half in draws.halves.T]
    pairs = _test_pairs(known)
    queries, matrix = reference.joined(known.queries), reference.joined(known.vectors)
    reference.impostors(queries, matrix, pairs.first[:1], pairs.second[:1], halves[:1], draws.urn[:1], size)

    def do() -> Callable[[], Arrays]:
        scores = reference.impostors(queries, matrix, pairs.first, pairs.second, halves, draws.urn, size)
        return lambda: {"scores": scores}

    return Work(do, len(known.vectors), 1 / len(pairs))


def _fitted_impostors(known: Known) -> Any:
    from forensia.attribution.impostors import Impostors

    return Impostors(seed=SEED, validation=TUNING).fit(known.vectors, known.authors)


def _test_pairs(known: Known) -> Any:
    from forensia.diffvectors import sample_pairs

    return sample_pairs(known.query_authors, SEED, cap=OF_EACH_CLASS)


def decision_agreement(ours: Found, theirs: Found) -> float:
    """The share of pairs on which both decide the same at sigma*."""
    return float(((ours["scores"] > ours["sigma"]) == (theirs["scores"] > ours["sigma"])).mean())
