"""The reference recipe: the same method the straightforward way, with NLTK, spaCy and scikit-learn as most people use them.

The benchmark measures Forensia against it, and tests compare the results. It is written for clarity, not for speed, and
nothing in the program depends on it.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.words import WORD
from forensia.features.names import mark_name, with_family
from forensia.features.texts import PUNCTUATION
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
