"""The stages of features: from texts to vectors, with and without what needs the language model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.bench.measuring import Arrays, Task, Work
from forensia.bench.samples import read_sample


def forensia_features(task: Task) -> Work:
    import scipy.sparse  # noqa: F401

    from forensia.features import FeatureSpace, extract
    from forensia.language import analyse, load_model

    sample = read_sample(task)
    loaded = load_model(task.model)

    def do() -> Callable[[], Arrays]:
        analyses = analyse(sample.texts, loaded)
        counts = extract(sample.texts, analyses, function_words=loaded.function_words)
        space = FeatureSpace(keep=task.features)
        vectors = space.fit_transform(counts, sample.authors)
        return lambda: _result(vectors.dense, vectors.sparse, space.names())

    return Work(do, len(sample.texts))


def reference_features(task: Task) -> Work:
    import nltk.tokenize  # noqa: F401
    import sklearn.feature_extraction.text
    import sklearn.feature_selection
    import sklearn.preprocessing  # noqa: F401

    from forensia.bench import reference
    from forensia.language import load_model

    sample = read_sample(task)
    loaded = load_model(task.model)
    nlp = reference.load(loaded.folder)

    def do() -> Callable[[], Arrays]:
        tagged = reference.tag(sample.texts, nlp)
        found = reference.features(sample.texts, sample.authors, loaded.function_words, tagged, task.features)
        return lambda: _result(found.dense, found.sparse, reference.names(found))

    return Work(do, len(sample.texts))


def forensia_without_tags(task: Task) -> Work:
    import scipy.sparse  # noqa: F401

    from forensia.features import FAMILIES, FeatureSpace, extract
    from forensia.language import function_words

    sample = read_sample(task)
    words = function_words()
    families = [family for family in FAMILIES if family not in ("POS n-grams", "sentence lengths")]

    def do() -> Callable[[], Arrays]:
        counts = extract(sample.texts, None, families, words)
        space = FeatureSpace(families, task.features)
        vectors = space.fit_transform(counts, sample.authors)
        return lambda: _result(vectors.dense, vectors.sparse, space.names())

    return Work(do, len(sample.texts))


def reference_without_tags(task: Task) -> Work:
    import nltk.tokenize  # noqa: F401
    import sklearn.feature_extraction.text
    import sklearn.feature_selection
    import sklearn.preprocessing  # noqa: F401

    from forensia.bench import reference
    from forensia.language import function_words

    sample = read_sample(task)
    words = function_words()

    def do() -> Callable[[], Arrays]:
        found = reference.features(sample.texts, sample.authors, words, keep=task.features)
        return lambda: _result(found.dense, found.sparse, reference.names(found))

    return Work(do, len(sample.texts))


def _result(dense: Any, sparse: Any, names: Sequence[str]) -> Arrays:
    """What is kept for the comparison; features by the hash of their names, for nothing of a text may be left in a file."""
    hashes = [
        int.from_bytes(hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=8).digest(), "big")
        for name in names
    ]
    return {
        "dense": np.asarray(dense, np.float32),
        "data": np.asarray(sparse.data, np.float32),
        "indices": np.asarray(sparse.indices),
        "indptr": np.asarray(sparse.indptr),
        "names": np.array(hashes, np.uint64),
    }


def feature_agreement(ours: Mapping[str, NDArray[Any]], theirs: Mapping[str, NDArray[Any]]) -> dict[str, float]:
    """The share of features that both have, times the share of their values that are equal to five digits."""
    from scipy.sparse import csr_matrix, hstack

    def joined(arrays: Mapping[str, NDArray[Any]]) -> tuple[NDArray[Any], Any]:
        dense, names = arrays["dense"], arrays["names"]
        shape = (len(dense), len(names) - dense.shape[1])
        sparse = csr_matrix((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
        return names, hstack([csr_matrix(dense), sparse], format="csc")

    (own_names, own), (other_names, other) = joined(ours), joined(theirs)
    common, first, second = np.intersect1d(own_names, other_names, return_indices=True)
    left, right = own[:, first], other[:, second]
    different = int((abs(left - right) > 1e-5).sum())
    entries = max(left.nnz, right.nnz, 1)
    features, values = len(common) / max(len(own_names), len(other_names), 1), 1 - different / entries
    return {"agreement": features * values, "same_features": features, "same_values": values}
