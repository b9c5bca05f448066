"""The methods written down plainly, a few lines each, as one would from the paper: what the fast ones must agree with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, hstack

from forensia.features import Vectors
from forensia.systems.leaving_out import Round


def joined(vectors: Vectors) -> csr_matrix:
    """Both blocks as one matrix."""
    return hstack([csr_matrix(vectors.dense), vectors.sparse], format="csr").astype(np.float64)


def lazy_scores(h: Sequence[float], labels: Sequence[Any], k: int) -> dict[Any, float]:
    """Each author's mean over the k highest scores of their documents; authors without a score are left out."""
    scores = {}
    for author in dict.fromkeys(labels):
        own = sorted((s for s, label in zip(h, labels, strict=True) if label == author and s == s), reverse=True)[:k]
        if own:
            scores[author] = sum(own) / len(own)
    return scores


def lazy_accuracy(matrix: np.ndarray, labels: Sequence[Any], k: int) -> float:
    """Leave-one-out accuracy at one k; among equal scores the author of the earliest document is taken."""
    right = 0
    for row, label in enumerate(labels):
        others = [j for j in range(len(labels)) if j != row]
        scores = lazy_scores([matrix[row, j] for j in others], [labels[j] for j in others], k)
        order = list(dict.fromkeys(labels))
        best = max(scores, key=lambda author: (scores[author], -order.index(author)))
        right += best == label
    return right / len(labels)


def cosine(a: csr_matrix, b: csr_matrix) -> float:
    """Of two rows; 0 where one is empty."""
    scale = np.sqrt(a.multiply(a).sum() * b.multiply(b).sum())
    return float(a.multiply(b).sum() / scale) if scale > 0 else 0.0


def minmax(a: csr_matrix, b: csr_matrix) -> float:
    """Of two rows, each written with what is above zero first and what is below it after that; 0 where both are empty."""
    one, other = (np.concatenate((np.maximum(row, 0), np.maximum(-row, 0))) for row in (a.toarray()[0], b.toarray()[0]))
    most = np.maximum(one, other).sum()
    return float(np.minimum(one, other).sum() / most) if most > 0 else 0.0


def l1(a: csr_matrix, b: csr_matrix) -> float:
    return float(abs(a - b).sum())


def l2(a: csr_matrix, b: csr_matrix) -> float:
    return float(np.sqrt((a - b).power(2).sum()))


DISTANCES = {"cosine": lambda a, b: 1 - cosine(a, b), "l1": l1, "l2": l2}
SIMILARITIES = {"cosine": cosine, "minmax": minmax}
Measure = Callable[[csr_matrix, csr_matrix], float]


def impostors_direction(
    x: csr_matrix, y: csr_matrix, candidates: csr_matrix, halves: np.ndarray, drawn: np.ndarray, similarity: Measure
) -> float:
    """The share of rounds in which x is closer to y than to every impostor drawn from the candidates, round by round."""
    count = 0
    for number, chosen in enumerate(drawn):
        kept = np.flatnonzero(halves[:, number])
        x_half, y_half, impostors = x[:, kept], y[:, kept], candidates[chosen][:, kept]
        closest = max(similarity(x_half, impostors[row]) for row in range(len(chosen)))
        count += similarity(x_half, y_half) > closest
    return count / len(drawn)


def impostors_score(
    documents: csr_matrix,
    known: csr_matrix,
    x: int,
    y: int,
    halves: np.ndarray,
    urn: np.ndarray,
    size: int,
    similarity: Measure,
) -> float:
    """Both directions, with the candidates found anew."""
    forth_and_back = []
    for one, other in ((x, y), (y, x)):
        similar = np.array([similarity(documents[other], known[row]) for row in range(known.shape[0])])
        candidates = np.argsort(-similar, kind="stable")[: urn.shape[1]]
        drawn = np.argsort(urn[:, : len(candidates)], axis=1, kind="stable")[:, :size]
        forth_and_back.append(
            impostors_direction(documents[one], documents[other], known[candidates], halves, drawn, similarity)
        )
    return sum(forth_and_back) / 2


def least_squares(kernel: np.ndarray, codes: np.ndarray, weights: np.ndarray, ridge: float, authors: int) -> np.ndarray:
    """The duals of one weighted fit for all authors, with an intercept that is drawn to nothing as any other weight is."""
    targets = np.array([[(code == author) - 1 / authors for author in range(authors)] for code in codes])
    return np.linalg.solve(kernel + 1 + np.diag(ridge / weights), targets)


def equal_weights(codes: np.ndarray) -> np.ndarray:
    """Of texts: authors count equally, and a text counts one on average."""
    sizes = [int((codes == code).sum()) for code in codes]
    return np.array([len(codes) / len(set(codes.tolist())) / size for size in sizes])


def refits(
    kernel: np.ndarray, asked: np.ndarray, codes: np.ndarray, tried: Sequence[Round], ridge: float
) -> np.ndarray:
    """Scores by fits that never saw what was left out, one real fit for each round."""
    authors = int(codes.max()) + 1
    found: list[list[np.ndarray]] = [[] for _ in codes]
    for each in tried:
        left = np.setdiff1d(np.arange(len(codes)), each.away)
        duals = least_squares(kernel[np.ix_(left, left)], codes[left], equal_weights(codes)[left], ridge, authors)
        for row in each.tried:
            found[row].append(asked[row, left] @ duals + duals.sum(axis=0))
    return np.array([np.mean(each, axis=0) if each else np.full(authors, np.nan) for each in found])


def fused_loss(
    w: np.ndarray, scores: np.ndarray, codes: np.ndarray, sizes: np.ndarray, centre: float, prior: float, loose: float
) -> float:
    """Minus the log of what the texts' authors get, authors counting equally, plus the prior; scores in units of their spread."""
    tried = [row for row, code in enumerate(codes) if not np.isnan(scores[row, code]).any()]
    number = {code: sum(codes[row] == code for row in tried) for code in codes[tried]}
    size = np.log(sizes) - np.log(sizes).mean()
    total = prior / 2 * float(((w[:-1] - centre) ** 2).sum()) + loose / 2 * float(w[-1]) ** 2
    for row in tried:
        z = {
            author: float(scores[row, author] @ w[:-1] + w[-1] * size[author])
            for author in range(len(sizes))
            if not np.isnan(scores[row, author]).any()
        }
        top = max(z.values())
        share = top + np.log(sum(np.exp(value - top) for value in z.values())) - z[codes[row]]
        total += len(tried) / len(number) / number[codes[row]] * share
    return total


def fused_weights(scores: np.ndarray, codes: np.ndarray, sizes: np.ndarray, prior: float = 2.0) -> np.ndarray:
    """The least of that by a general solver: first one common weight, drawn to a typical sum, then all around it; beta comes last."""
    tried = ~np.isnan(scores[np.arange(len(codes)), codes]).any(axis=1)
    scaled = scores / np.nanstd(scores[tried], axis=(0, 1))
    families = scores.shape[2]
    loss = partial(fused_loss, scores=scaled, codes=codes, sizes=sizes)

    def alone(w: np.ndarray) -> float:
        typical = 4.0 / 2 * (families * w[0] - 2.0) ** 2
        return loss(np.append(np.full(families, w[0]), 0.0), centre=0.0, prior=0.0, loose=0.0) + typical

    exact = {"ftol": 1e-15, "gtol": 1e-9, "maxiter": 5_000, "maxfun": 100_000}
    common = minimize(alone, [1 / families], method="L-BFGS-B", bounds=[(0, None)], options=exact).x[0]
    start = np.append(np.full(families, common), 0.0)
    whole = partial(loss, centre=common, prior=prior, loose=0.1)
    bounds = [(0, None)] * families + [(None, None)]
    return minimize(whole, start, method="L-BFGS-B", bounds=bounds, options=exact).x
