"""The reference recipe: the same method the straightforward way, with NLTK, spaCy and scikit-learn as most people use them.

The benchmark measures Forensia against it, and tests compare the results. It is written for clarity, not for speed, and
nothing in the program depends on it.

Of the engine: diff-vectors written out, scikit-learn, one prediction a pair. Values are in double precision, as scikit-learn's own
vectorisers give them.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.characters import WORD
from forensia.diffvectors.dvbin import PairModel
from forensia.diffvectors.pairs import Pairs, Split, split_pairs
from forensia.features.names import mark_name, with_family
from forensia.features.texts import PUNCTUATION
from forensia.features.vectors import Vectors
from forensia.language import fold


@dataclass(frozen=True)
class Tagged:
    """What spaCy says of one text: its tags, and the number of words in each sentence."""

    tags: list[str]
    sentences: list[int]


def tag(texts: Sequence[str], nlp: Any) -> list[Tagged]:
    """Tags and sentences of each text, from one pass of spaCy."""
    tagged = []
    for doc in nlp.pipe(texts):
        tags = [token.pos_ for token in doc if not token.is_space]
        sentences = [len(WORD.findall(sentence.text)) for sentence in doc.sents]
        tagged.append(Tagged(tags, [length for length in sentences if length]))
    return tagged


@dataclass(frozen=True)
class ReferenceFeatures:
    """The matrices of the training documents, and what their columns are."""

    dense: NDArray[np.float64]
    dense_names: list[tuple[str, str]]
    sparse: Any
    vectorizers: Mapping[str, Any]
    kept: NDArray[np.int64]

    @property
    def sparse_names(self) -> list[tuple[str, str]]:
        """Family and feature of each sparse column."""
        names = [
            (family, str(name))
            for family, vectorizer in self.vectorizers.items()
            for name in vectorizer.get_feature_names_out()
        ]
        return [names[column] for column in self.kept]


def features(
    texts: Sequence[str],
    authors: Sequence[str],
    function_words: Sequence[str],
    tagged: Sequence[Tagged] | None = None,
    keep: int = 50_000,
) -> ReferenceFeatures:
    """All families of METHOD.md, fitted on these documents; without `tagged` those that need spaCy are left out."""
    from nltk.tokenize import RegexpTokenizer
    from scipy.sparse import hstack
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.feature_selection import SelectKBest, chi2
    from sklearn.preprocessing import StandardScaler

    tokenizer = RegexpTokenizer(WORD.pattern)
    tokens = [tokenizer.tokenize(text) for text in texts]

    # Group 1: shares, standardised.
    listed = CountVectorizer(
        vocabulary=sorted(set(function_words)), analyzer=lambda words: [fold(word) for word in words]
    )
    shares = listed.transform(tokens).toarray() / np.array([max(len(words), 1) for words in tokens])[:, None]
    columns = [("function words", word) for word in listed.get_feature_names_out()]
    blocks = [shares]
    families: list[tuple[str, list[Counter[Any]]]] = [
        ("word lengths", [Counter(map(len, words)) for words in tokens]),
        ("punctuation", [Counter(sign for sign in text if sign in PUNCTUATION) for text in texts]),
    ]
    if tagged is not None:
        families.insert(1, ("sentence lengths", [Counter(each.sentences) for each in tagged]))
    for family, counters in families:
        seen = sorted(set().union(*counters))
        blocks.append(_shares(counters, seen))
        columns += [(family, str(key)) for key in seen]
    dense = np.hstack(blocks)
    varied = dense.max(axis=0) > dense.min(axis=0)
    dense = StandardScaler().fit_transform(dense[:, varied])

    # Group 2: tf-idf, then the features with the highest chi-square.
    vectorizers: dict[str, tuple[Any, Iterable[Any]]] = {
        "words": (CountVectorizer(analyzer=lambda words: [word.lower() for word in words]), tokens),
        "character n-grams": (
            CountVectorizer(analyzer="char", ngram_range=(2, 5), lowercase=False),
            [re.sub(r"\s+", " ", text) for text in texts],
        ),
    }
    if tagged is not None:
        by_spaces = CountVectorizer(tokenizer=str.split, token_pattern=None, lowercase=False, ngram_range=(3, 4))
        vectorizers = {"POS n-grams": (by_spaces, [" ".join(each.tags) for each in tagged]), **vectorizers}
    matrices = [ltc(vectorizer.fit_transform(documents)) for vectorizer, documents in vectorizers.values()]
    sparse = hstack(matrices, format="csr")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a feature of every document has no chi-square
        selection = SelectKBest(chi2, k=min(keep, sparse.shape[1])).fit(sparse, authors)
    kept = selection.get_support(indices=True)
    return ReferenceFeatures(
        dense,
        [name for name, kept_column in zip(columns, varied, strict=True) if kept_column],
        sparse[:, kept],
        {family: vectorizer for family, (vectorizer, _documents) in vectorizers.items()},
        kept,
    )


def ltc(counts: Any) -> Any:
    """(1 + ln tf) * ln(N / df), normalised. scikit-learn adds one to ln(N / df); that is taken off again."""
    from sklearn.feature_extraction.text import TfidfTransformer

    transformer = TfidfTransformer(sublinear_tf=True, smooth_idf=False).fit(counts)
    transformer.idf_ = transformer.idf_ - 1
    return transformer.transform(counts)


def _shares(counters: Sequence[Mapping[Any, int]], keys: Sequence[Any]) -> NDArray[np.float64]:
    shares = np.zeros((len(counters), len(keys)))
    for row, counter in enumerate(counters):
        total = max(sum(counter.values()), 1)
        for column, key in enumerate(keys):
            shares[row, column] = counter.get(key, 0) / total
    return shares


def names(found: ReferenceFeatures) -> list[str]:
    """The columns under the names that Forensia gives them."""
    return [_name(family, feature) for family, feature in [*found.dense_names, *found.sparse_names]]


def _name(family: str, feature: str) -> str:
    if family == "character n-grams":
        feature = "".join("·" if sign == " " else sign for sign in feature)
    return with_family(family, mark_name(feature) if family == "punctuation" else feature)


def load(folder: Path) -> Any:
    """The language model as everybody loads it."""
    import spacy

    return spacy.load(folder)


Floats = NDArray[np.float64]
Rows = NDArray[np.integer]

# newton-cg ends when no component of the gradient is above `tol`, and scikit-learn divides the objective by C times the number
# of rows: the same tolerance means less and less as C grows. With this one, divided by C, the objective is within 5e-8 of the optimum
# and Pr(Same) of held-out pairs within 3e-4; with ten times as much Pr(Same) was wrong by 0.0014 to 0.004 (quick run, one fold).
TOLERANCE = 1e-5
GRID = (1.0, 10.0, 100.0, 1000.0, 10000.0)


def joined(vectors: Vectors) -> Any:
    """Both groups of features in one sparse matrix."""
    from scipy.sparse import csr_matrix, hstack

    return hstack([csr_matrix(vectors.dense), vectors.sparse], format="csr", dtype=np.float64)


def diff_vectors(left: Any, first: Rows, right: Any, second: Rows) -> Any:
    """|a - b| of pairs of rows, written out."""
    return abs(left[first] - right[second])


@dataclass(frozen=True)
class Written:
    """The diff-vectors of all training pairs, and the folds over them: Forensia's, so that both sides do the same."""

    differences: Any
    same: NDArray[np.bool_]
    split: Split


def write_out(vectors: Vectors, pairs: Pairs, seed: int) -> Written:
    """The diff-vectors of all pairs."""
    matrix = joined(vectors)
    differences = diff_vectors(matrix, pairs.first, matrix, pairs.second)
    return Written(differences, pairs.same, split_pairs(pairs, seed))


@dataclass(frozen=True)
class Fitted:
    """A model, the C it was trained with, and, where it was asked for, its loss on held-out rows."""

    c: float
    model: Any
    loss: float = np.nan

    def probability(self, differences: Any) -> Floats:
        return np.asarray(self.model.predict_proba(differences)[:, 1])


def train_exactly(written: Written) -> tuple[Fitted, Floats]:
    """What LogisticRegressionCV does, but to convergence: each fold along C, each start the last solution; then the best C on all.

    Returns the model and the mean loss at each C.
    """
    paths = [list(fold_path(written, fold)) for fold in range(written.split.test.shape[1])]
    losses = np.array([[fitted.loss for fitted in path] for path in paths]).mean(axis=0)
    best = int(losses.argmin())
    coefficients = np.mean([path[best].model.coef_ for path in paths], axis=0)
    intercept = np.mean([path[best].model.intercept_ for path in paths], axis=0)
    return _solve(written.differences, written.same, GRID[best], (coefficients, intercept)), losses


def fold_path(written: Written, fold: int) -> Iterable[Fitted]:
    """One fold at every C."""
    from sklearn.metrics import log_loss

    train, test = written.split.train[:, fold], written.split.test[:, fold]
    differences, held_out = written.differences[train], written.differences[test]
    start: tuple[Floats, Floats] | None = None
    for c in GRID:
        fitted = _solve(differences, written.same[train], c, start)
        start = (fitted.model.coef_, fitted.model.intercept_)
        yield replace(fitted, loss=float(log_loss(written.same[test], fitted.probability(held_out))))


def _solve(differences: Any, same: NDArray[np.bool_], c: float, start: tuple[Floats, Floats] | None) -> Fitted:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=c, solver="newton-cg", tol=TOLERANCE / c, max_iter=1000, warm_start=True)
    if start is not None:
        model.coef_, model.intercept_ = start[0].copy(), start[1].copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a line search that cannot go on: the optimum to the last digit
        return Fitted(c, model.fit(differences, same))


def train_by_default(written: Written) -> Fitted:
    """LogisticRegressionCV as it comes: L-BFGS, at most 100 steps; only the grid, the loss and the folds are given."""
    split = written.split
    folds = [
        (np.flatnonzero(train), np.flatnonzero(test)) for train, test in zip(split.train.T, split.test.T, strict=True)
    ]
    return _cross_validated(written.differences, written.same, folds)


def standard(vectors: Vectors, authors: NDArray[Any], fold: NDArray[np.int64]) -> Fitted:
    """STD-AA: a multinomial model on the vectors of the documents themselves, by LogisticRegressionCV as it comes."""
    folds = [(np.flatnonzero(fold != number), np.flatnonzero(fold == number)) for number in range(fold.max() + 1)]
    return _cross_validated(joined(vectors), authors, folds)


def _cross_validated(matrix: Any, labels: NDArray[Any], folds: Sequence[tuple[Rows, Rows]]) -> Fitted:
    from sklearn.linear_model import LogisticRegressionCV

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it does not converge is what the benchmark shows
        model = LogisticRegressionCV(Cs=list(GRID), cv=folds, scoring="neg_log_loss").fit(matrix, labels)
    return Fitted(float(np.ravel(model.C_)[0]), model)


def converged(model: Any) -> bool:
    """Whether LogisticRegressionCV came to an end everywhere before its limit of steps."""
    return bool(np.max(model.n_iter_) < model.max_iter)


def classifier(model: PairModel) -> Any:
    """A trained pair model as scikit-learn's."""
    from sklearn.linear_model import LogisticRegression

    fitted = LogisticRegression()
    fitted.classes_ = np.array([False, True])
    fitted.coef_ = np.concatenate((model.dense, model.sparse)).astype(np.float64)[None, :]
    fitted.intercept_ = np.array([model.intercept])
    fitted.n_features_in_ = fitted.coef_.shape[1]
    return fitted


def score(model: Any, left: Any, first: Rows, right: Any, second: Rows) -> Floats:
    """Pr(Same), one pair after the other."""
    return np.array(
        [
            model.predict_proba(abs(left[i] - right[j]))[0, 1]
            for i, j in zip(first.tolist(), second.tolist(), strict=True)
        ]
    )


def impostors(
    documents: Any, known: Any, first: Rows, second: Rows, halves: Sequence[Rows], urn: Floats, size: int
) -> Floats:
    """The scores of pairs by the impostors method, a round after the other, with the halves and draws of Forensia.

    `halves` has the features of each round, `urn` (rounds x candidates) how early each candidate is drawn.
    """
    from scipy.sparse import vstack
    from sklearn.metrics.pairwise import cosine_similarity

    def direction(x: int, y: int) -> float:
        similar = cosine_similarity(documents[y], known)[0]
        candidates = np.argsort(-similar, kind="stable")[: urn.shape[1]]
        closer = 0
        for kept, early in zip(halves, urn, strict=True):
            drawn = candidates[np.argsort(early[: len(candidates)], kind="stable")[:size]]
            others = vstack([documents[y], known[drawn]], format="csr")[:, kept]
            similarity = cosine_similarity(documents[x][:, kept], others)[0]
            closer += bool(similarity[0] > similarity[1:].max())
        return closer / len(halves)

    pairs = zip(first.tolist(), second.tolist(), strict=True)
    return np.array([(direction(x, y) + direction(y, x)) / 2 for x, y in pairs])
