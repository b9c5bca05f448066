"""The stages before DV-Bin: from texts to vectors, with and without what needs the language model; and the fused ranking."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.bench.enginestages import ASKED, SEED
from forensia.bench.measuring import QUERIES, Arrays, Task, Work, read_sample, read_samples


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


def fused_train_validate(task: Task) -> Work:
    """Every fit, every leave-out and the fusion; each text is a source of its own."""
    sample = read_sample(task)
    counts = _counted(task, sample.texts)

    def do() -> Callable[[], Arrays]:
        system, left_out = _fitted(counts, sample.authors)
        return lambda: {"weights": system.fusion.weights, "left_out": left_out[0].inside}

    return Work(do, len(sample.texts))


def fused_one(task: Task) -> Work:
    """Test documents one after the other against all known ones: the row gives the mean."""
    samples = read_samples(task, {"train": task.documents, "test": QUERIES})
    known, asked = samples["train"], samples["test"].texts[:ASKED]
    system = _fitted(_counted(task, known.texts), known.authors)[0]
    system.z(_counted(task, asked[:1]))

    def do() -> Callable[[], Arrays]:
        found = [system.z(_counted(task, [text])) for text in asked]
        return lambda: {"z": np.concatenate(found)}

    return Work(do, len(known.texts), 1 / len(asked))


@lru_cache(maxsize=1)
def _language(choice: str) -> Any:
    from forensia.language import load_model

    return load_model(choice)


def _counted(task: Task, texts: Sequence[str]) -> Any:
    """What the families of the fused answer count in texts, which are typed alike first."""
    from forensia.corpus.typing import typed
    from forensia.features import extract
    from forensia.features.vectors import FUSED_FAMILIES
    from forensia.language import analyse

    model = _language(task.model)
    read = [typed(text, "canonical").text for text in texts]
    return extract(read, analyse(read, model), FUSED_FAMILIES, model.function_words)


def _fitted(counts: Any, authors: Sequence[str]) -> Any:
    from forensia.diffvectors.pairs import codes
    from forensia.features.vectors import FUSED_FAMILIES
    from forensia.systems.fused import fit_fused
    from forensia.systems.leaving_out import rounds

    numbers = codes(list(authors))
    return fit_fused(counts, numbers, [rounds(numbers, [()] * len(numbers), SEED)], FUSED_FAMILIES)
