"""The stages of the engine, from the same vectors for both sides: training, scoring, STD-AA, Impostors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.bench.measuring import Arrays, BenchKnown, Task, Work, load_known, load_pair_model, save

SEED = 0
COMPARED = 2000  # pairs of a test document and a known one, by which trained models are compared
ONE_FOLD_ABOVE = (
    1000  # training pairs: beyond, the reference solved to convergence would take from half an hour to a day
)
FOLDS = 5
SCORED = 20_000  # pairs: beyond, the reference scores a random part of them
PART = 2000
ASKED = 20  # documents, one after the other against all known ones, which both sides make ready once: the row gives the mean
OF_EACH_CLASS = 50  # pairs of test documents for Impostors
TUNING = 10  # pairs of each class for sigma*, which is not measured

Found = Mapping[str, NDArray[Any]]
Agreement = dict[str, float]


# --- training --------------------------------------------------------------------------------------------------------


def forensia_train(task: Task) -> Work:
    return _forensia_train(task, fold_too=True)


def forensia_train_only(task: Task) -> Work:
    """The same without the fold, which only the reference solved to convergence is compared with."""
    return _forensia_train(task, fold_too=False)


def _forensia_train(task: Task, fold_too: bool) -> Work:
    import scipy.special  # noqa: F401
    import threadpoolctl  # noqa: F401

    from forensia.diffvectors import DVBin

    known = load_known(task)

    def do() -> Callable[[], Arrays]:
        learner = DVBin(seed=SEED).fit(known.vectors, known.authors)

        def result() -> Arrays:
            asked, against = compared_pairs(known)
            scores = learner.scores(known.queries, known.vectors)[asked, against]
            training = learner.training_
            found = {"c": np.array(training.c), "probability": scores, "losses": _on_grid(training.losses)}
            return found | (_forensia_fold(known, training.c) if fold_too else {})

        return result

    return Work(do, len(known.vectors))


def _forensia_fold(known: BenchKnown, c: float) -> Arrays:
    """The first fold by itself, over the whole grid of C, and its model at the C that was chosen: what the reference does of many pairs."""
    from forensia.diffvectors import DVBin, sample_pairs
    from forensia.diffvectors.pairs import Split, split_pairs

    pairs = sample_pairs(known.authors, SEED)
    every = split_pairs(pairs, SEED)
    first = Split(every.train[:, :1], every.test[:, :1], grouped=False)
    path = DVBin(seed=SEED, whole_path=True).fit_pairs(known.vectors, pairs, first)
    model = DVBin(seed=SEED, grid=(c,)).fit_pairs(known.vectors, pairs.take(first.train[:, 0]), first)
    asked, against = compared_pairs(known)
    scores = model.scores(known.queries, known.vectors)[asked, against]
    return {"fold_probability": scores, "fold_losses": _on_grid(path.training_.losses)}


def _on_grid(losses: Mapping[float, float]) -> NDArray[np.float64]:
    """The loss at each C; NaN where the path had ended before."""
    from forensia.diffvectors.dvbin import GRID

    return np.array([losses.get(c, np.nan) for c in GRID])


def reference_train(task: Task) -> Work:
    """To convergence; of many pairs one fold, along all C. Five of them are counted, and the last fit on all pairs is not."""
    import sklearn.linear_model
    import sklearn.metrics  # noqa: F401

    from forensia.bench import reference
    from forensia.diffvectors import count_pairs

    known = load_known(task)
    one_fold = 2 * min(count_pairs(known.authors)) > ONE_FOLD_ABOVE
    written: list[reference.Written] = []

    def do() -> Callable[[], Arrays]:
        if not one_fold:
            fitted, losses = reference.train_exactly(written[0])
            return lambda: _reference_result(known, [fitted], losses)
        path: list[reference.Fitted] = []
        for fitted in reference.fold_path(written[0], 0):
            path.append(fitted)
            save(
                task.out, _fold_result(known, path)
            )  # a moment, against the minutes it took; it may be stopped at its limit
        return lambda: _fold_result(known, path)

    scale = FOLDS if one_fold else 1.0
    return Work(do, len(known.vectors), scale, one_fold, once=lambda: written.append(_written(known)))


def reference_train_defaults(task: Task) -> Work:
    import sklearn.linear_model  # noqa: F401

    from forensia.bench import reference

    known = load_known(task)

    def do() -> Callable[[], Arrays]:
        fitted = reference.train_by_default(_written(known))
        converged = np.array(reference.converged(fitted.model))
        return lambda: _reference_result(known, [fitted]) | {"converged": converged}

    return Work(do, len(known.vectors))


def _written(known: BenchKnown) -> Any:
    from forensia.bench import reference
    from forensia.diffvectors import sample_pairs

    return reference.write_out(known.vectors, sample_pairs(known.authors, SEED), SEED)


def _reference_result(known: BenchKnown, fitted: Sequence[Any], losses: NDArray[Any] | None = None) -> Arrays:
    from forensia.bench import reference

    asked, against = compared_pairs(known)
    queries, vectors = reference.joined(known.queries), reference.joined(known.vectors)
    differences = reference.diff_vectors(queries, asked, vectors, against)
    return {
        "c": np.array([each.c for each in fitted]),
        "probability": np.array([each.probability(differences) for each in fitted]),
        "losses": np.full(len(reference.GRID), np.nan) if losses is None else losses,
    }


def _fold_result(known: BenchKnown, path: Sequence[Any]) -> Arrays:
    losses = _on_grid({fitted.c: fitted.loss for fitted in path})
    return _reference_result(known, path, losses) | {"one_fold": np.array(True)}


def compared_pairs(known: BenchKnown) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of a test document and a known one, the same for both sides."""
    rng = np.random.default_rng(SEED)
    count = len(known.queries) * len(known.vectors)
    chosen = np.sort(rng.choice(count, size=min(COMPARED, count), replace=False))
    return chosen // len(known.vectors), chosen % len(known.vectors)


def exact_agreement(ours: Found, theirs: Found) -> Agreement:
    """1 - the largest difference of Pr(Same) over 2,000 unseen pairs, at the same C; 0 if another C was found best.

    Where the reference did one fold only, the models of that fold are compared, and the C that is best on it.
    """
    part = "fold_" if "one_fold" in theirs else ""
    own, losses = ours[f"{part}probability"], ours[f"{part}losses"]
    both = np.isfinite(losses) & np.isfinite(theirs["losses"])
    at = np.flatnonzero(theirs["c"] == ours["c"])
    if not len(at) or not both.any():
        return {"agreement": 0.0, "c": float(ours["c"]), "reference_c": float(theirs["c"][-1])}
    best, reference_best = (int(np.argmin(np.where(both, found, np.inf))) for found in (losses, theirs["losses"]))
    found = _compared(own, theirs["probability"][at[0]])
    return {
        "agreement": found["agreement"] if best == reference_best else 0.0,
        "c": float(ours["c"]),
        "reference_c": float(theirs["c"][at[0]]),
        "same_decisions": found["same_decisions"],
        "largest_difference": found["largest_difference"],
        "largest_loss_difference": float(np.abs(losses - theirs["losses"])[both].max()),
        "losses_compared": float(both.sum()),
    }


def default_agreement(ours: Found, theirs: Found) -> Agreement:
    """1 - the largest difference of Pr(Same) over 2,000 unseen pairs, each side with the C that it chose itself."""
    found = _compared(ours["probability"], theirs["probability"][0])
    chosen = {"c": float(ours["c"]), "reference_c": float(theirs["c"][0])}
    return found | chosen | {"reference_converged": float(theirs["converged"])}


def _compared(ours: NDArray[Any], theirs: NDArray[Any]) -> Agreement:
    largest = float(np.abs(ours - theirs).max())
    same = float(((ours > 0.5) == (theirs > 0.5)).mean())
    return {"agreement": 1 - largest, "largest_difference": largest, "same_decisions": same}


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
    from forensia.bench import reference

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
    from forensia.bench import reference

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


def score_agreement(ours: Found, theirs: Found) -> Agreement:
    """1 - the largest difference of Pr(Same) over all pairs that the reference scored."""
    return _compared(ours["probability"], theirs["probability"])


# --- baselines -------------------------------------------------------------------------------------------------------


def forensia_std_aa(task: Task) -> Work:
    import scipy.special  # noqa: F401
    import threadpoolctl  # noqa: F401

    from forensia.systems.baselines import StandardAttributor

    known = load_known(task)

    def do() -> Callable[[], Arrays]:
        learner = StandardAttributor(seed=SEED).fit(known.vectors, known.authors)
        return lambda: {"author": learner.predict(known.queries), "c": np.array(learner.model_.c_[0])}

    return Work(do, len(known.vectors))


def reference_std_aa(task: Task) -> Work:
    import sklearn.linear_model  # noqa: F401

    from forensia.bench import reference
    from forensia.diffvectors.pairs import codes
    from forensia.systems.multinomial import held_out

    known = load_known(task)
    fold = held_out(codes(known.authors), FOLDS, SEED)

    def do() -> Callable[[], Arrays]:
        fitted = reference.standard(known.vectors, known.authors, fold)
        return lambda: {
            "author": fitted.model.predict(reference.joined(known.queries)),
            "c": np.array(fitted.c),
            "converged": np.array(reference.converged(fitted.model)),
        }

    return Work(do, len(known.vectors))


def author_agreement(ours: Found, theirs: Found) -> Agreement:
    """The share of test documents that both give to the same author."""
    return {
        "agreement": float((ours["author"] == theirs["author"]).mean()),
        "c": float(ours["c"]),
        "reference_c": float(theirs["c"]),
        "reference_converged": float(theirs["converged"]),
    }


def forensia_impostors(task: Task) -> Work:
    from forensia.systems.baselines import half_norms

    known = load_known(task)
    method = _fitted_impostors(known)
    pairs = _test_pairs(known)
    method.scores(known.queries, pairs.first[:1], pairs.second[:1])

    def do() -> Callable[[], Arrays]:
        half_norms(
            known.vectors, method.draws_.halves
        )  # made when the method was fitted, but the reference has nothing like it
        scores = method.scores(known.queries, pairs.first, pairs.second)
        return lambda: {"scores": scores, "sigma": np.array(method.sigma_)}

    return Work(do, len(known.vectors), 1 / len(pairs))


def reference_impostors(task: Task) -> Work:
    from forensia.bench import reference

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


def _fitted_impostors(known: BenchKnown) -> Any:
    from forensia.systems.baselines import Impostors

    return Impostors(seed=SEED, validation=TUNING).fit(known.vectors, known.authors)


def _test_pairs(known: BenchKnown) -> Any:
    from forensia.diffvectors import sample_pairs

    return sample_pairs(known.query_authors, SEED, cap=OF_EACH_CLASS)


def decision_agreement(ours: Found, theirs: Found) -> Agreement:
    """The share of pairs on which both decide the same at sigma*."""
    same = (ours["scores"] > ours["sigma"]) == (theirs["scores"] > ours["sigma"])
    largest = np.abs(ours["scores"] - theirs["scores"]).max()
    return {"agreement": float(same.mean()), "largest_difference": float(largest)}
