"""Corpora, trained models and made-up scores that several tests share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from forensia import paths
from forensia.corpus import Corpus, read_corpus
from forensia.evidence.judge import Judge
from forensia.evidence.likelihood import Scores
from forensia.evidence.training import Trained, train
from forensia.evidence.validation import Validation
from forensia.language import LanguageModel, MemoryCache, load_model
from forensia.profile import Profile
from forensia.systems.pairmodel import TrainingOptions

Simulate = Callable[..., Scores]


@pytest.fixture(scope="session")
def language() -> LanguageModel:
    return load_model()


@pytest.fixture(scope="session")
def sample() -> Corpus:
    """All known texts of the sample case."""
    return read_corpus(Path(paths.sample_case() / "known"))


@pytest.fixture(scope="session")
def few(sample: Corpus) -> Corpus:
    """Five authors, six texts of each, from three sources."""
    kept = [
        [each for each in sample.documents if each.author == author and each.source == source][:2]
        for author in sample.authors[:5]
        for source in ("diary", "letters", "mails")
    ]
    return Corpus.of(document for some in kept for document in some)


@pytest.fixture(scope="session")
def cache() -> MemoryCache:
    """The analyses of all texts that were read so far."""
    return MemoryCache()


@pytest.fixture(scope="session")
def trained(few: Corpus, language: LanguageModel, cache: MemoryCache, hasty: Profile) -> Trained:
    """A forensic model of those five authors, with its out-of-fold scores."""
    ten_folds = replace(hasty, effort=replace(hasty.effort, folds=10))
    return train(few, TrainingOptions(profile=ten_folds), language, cache=cache)


@pytest.fixture(scope="session")
def judge(validated_case: Path) -> Judge:
    """Everything a validated case of ten authors has to judge a text with."""
    from forensia.case import Case
    from forensia.case.session import open_judge

    with Case.open(validated_case, read_only=True) as case:
        return open_judge(case)


@pytest.fixture(scope="session")
def validation(judge: Judge) -> Validation:
    assert judge.validation is not None
    return judge.validation


SIGNALS = (0.8, 0.6)
"""What two independent families say, so that together they say as much as one whose scores lie `apart`."""


@pytest.fixture(scope="session")
def simulate() -> Simulate:
    """Makes normal scores of two families: those of authors for their own texts lie `apart` above all others.

    With `strange` above 0 the text of an outsider resembles one of the listed authors by so much.
    """

    def make(authors: int = 12, each: int = 10, apart: float = 2.0, seed: int = 0, strange: float = 0.0) -> Scores:
        rng = np.random.default_rng(seed)
        codes = np.repeat(np.arange(authors), each)
        own = codes[:, None] == np.arange(authors)
        resembled = (codes + 1 + rng.integers(authors - 1, size=len(codes))) % authors
        inside, outside = rng.normal(size=(2, len(codes), authors, len(SIGNALS)))
        inside += apart * own[:, :, None] * np.array(SIGNALS)
        outside[np.arange(len(codes)), resembled] += strange * np.array(SIGNALS)
        outside[own] = np.nan
        return Scores(inside, outside, codes, np.bincount(codes))

    return make
