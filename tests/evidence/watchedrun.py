"""One run of the program among authors with unequal numbers of texts, from the texts to the findings, watched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from forensia.corpus import Corpus, Document
from forensia.diffvectors import DVBin, Pairs, probability
from forensia.diffvectors.pairs import Split
from forensia.evidence import crossfit, judge, likelihood, reasons, rung, training, validation
from forensia.evidence.crossfit import Crossfit, OutOfFold
from forensia.evidence.result import Opinion, Result, Stated
from forensia.evidence.rung import Rung
from forensia.evidence.training import Ranking, Trained, TrainedModel
from forensia.evidence.validation import Validation
from forensia.features import Counts, count_documents
from forensia.language import LanguageModel, MemoryCache
from forensia.profile import FORENSIC, Effort
from forensia.systems.leaving_out import Round
from forensia.systems.pairmodel import TrainingOptions
from support.unbalanced import unbalanced
from tests.evidence.test_reasons import judged_of
from tests.evidence.test_rung import SIGNALS, rung_of

Floats = NDArray[np.float64]
PROFILE = replace(FORENSIC, effort=Effort(folds=5, resamples=40))
OPTIONS = TrainingOptions(PROFILE, families=("function words", "words"))
UNEVEN = replace(PROFILE, even=False)
KNOWN = Stated("known", "the sources of these texts are of no account")


@dataclass(frozen=True)
class Tried:
    """What came of trying the fused ranking on the known texts."""

    validation: Validation
    rounds: tuple[Round, ...]
    decisions: NDArray[np.int64]
    p: Floats  # by which the texts were judged


Training = tuple[
    Trained,
    tuple[tuple[Pairs, Split], ...],  # that h was learnt from, the final one first
    OutOfFold,
    tuple[frozenset[str], ...],  # whom the models without an author knew, fold by fold
]


class Run:
    """The way from the texts to the findings. What a check asks for is worked out when it does; nothing else is.

    With `before` the training is that of another run: most rules come after it.
    """

    def __init__(self, texts: Texts, before: Run | None = None) -> None:
        self.texts = texts
        self.trained, self.pairs, self.by_author, self.without = before.training if before else _training(texts)

    @property
    def training(self) -> Training:
        return self.trained, self.pairs, self.by_author, self.without

    @cached_property
    def tried(self) -> Tried:
        """The validation of the fused ranking, and what was seen of it."""
        with watched() as seen:
            made = validation.validate(self.model.learnt, self.trained.texts)
            decisions = made.whole.on_listed
        return Tried(made, tuple(seen.rounds), decisions, seen.p[-1])

    @property
    def validation(self) -> Validation:
        return self.tried.validation

    @cached_property
    def attributed(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """To whom Lazy and Stacked ascribe the known texts."""
        return validation.attribute(self.pr_same, self.codes.astype(np.intp), self.fold, OPTIONS.profile, OPTIONS.seed)

    @cached_property
    def judge(self) -> judge.Judge:
        return judge.Judge(self.model, self.validation)

    @cached_property
    def found(self) -> tuple[Result, ...]:
        return tuple(self.judge.judge(each, self.model.learnt.documents, stated=KNOWN) for each in self.asked)

    @cached_property
    def unstated(self) -> tuple[Result, ...]:
        """Of texts that may be from anywhere."""
        return tuple(self.judge.judge(each, self.model.learnt.documents) for each in self.asked)

    @cached_property
    def conditions(self) -> tuple[tuple[Validation, Result], ...]:
        """Of a text from a new source, and from a known one."""
        return in_both_conditions(self.trained, self.asked[0])

    @cached_property
    def simulated(self) -> Rung:
        made = rung_of(simulated_scores())
        assert len(made.on_listed)
        return made

    @property
    def opinions(self) -> dict[str, Opinion]:
        """On texts that are judged by it."""
        return {name: reasons.opinion(judged_of(self.simulated, row)) for name, row in simulated_texts().items()}

    @property
    def asked(self) -> list[judge.Counted]:
        texts = zip(self.texts.disputed, self.texts.counted, strict=True)
        return [judge.Counted(document, each, each) for document, each in texts]

    @property
    def counted(self) -> list[Counts]:
        return self.texts.counted

    @property
    def rankings(self) -> list[Ranking]:
        return [self.model.rank(each)[0] for each in self.counted]

    @property
    def model(self) -> TrainedModel:
        return self.trained.model

    @property
    def codes(self) -> NDArray[np.int32]:
        return self.model.codes

    @property
    def pr_same(self) -> Floats:
        """Of the known documents, by models that had not seen the one in the row."""
        assert self.trained.out_of_fold is not None
        return probability(self.trained.out_of_fold.log_odds.astype(np.float64))

    @property
    def fold(self) -> NDArray[np.int64]:
        assert self.trained.out_of_fold is not None
        return self.trained.out_of_fold.fold


@dataclass
class Texts:
    """The unbalanced corpus, read."""

    language: LanguageModel
    corpus: Corpus = field(init=False)
    disputed: list[Document] = field(init=False)
    counted: list[Counts] = field(init=False)
    cache: MemoryCache = field(default_factory=MemoryCache)

    def __post_init__(self) -> None:
        self.corpus, self.disputed = unbalanced()
        self.counted = [
            count_documents([each], self.language, OPTIONS.families, typing=OPTIONS.profile.typing)
            for each in self.disputed
        ]


def _training(texts: Texts) -> Training:
    with watched() as seen:
        trained = training.train(texts.corpus, OPTIONS, texts.language, cache=texts.cache)
        pairs = tuple(seen.pairs)
        seen.known.clear()
        by_author = Crossfit(trained.model.fitted, OPTIONS).by_author(trained.texts)
        return trained, pairs, by_author, tuple(map(frozenset, seen.known))


def in_both_conditions(trained: Trained, text: judge.Counted) -> tuple[tuple[Validation, Result], ...]:
    """The validation where every author has three sources, and a text judged as if from a new one and from a known one."""
    seen: dict[int, int] = {}
    named = []
    for code in trained.model.codes.tolist():
        seen[code] = seen.get(code, -1) + 1
        named.append((f"source {seen[code] % 3}",))
    sourced = validation.validate(trained.model.learnt, replace(trained.texts, sources=named))
    judging, shown = judge.Judge(None, sourced), list(trained.model.learnt.documents)
    return tuple((sourced, judging.judge(text, shown, named, stated)) for stated in (Stated(), KNOWN))


def simulated_scores() -> likelihood.Scores:
    """Fourteen authors, the first with 3 texts and the second with 7; a tenth of the texts resemble another author, though less."""
    sizes = np.array([3, 7, *(24,) * 12])
    rng, codes = np.random.default_rng(4), np.repeat(np.arange(14), sizes)
    own = codes[:, None] == np.arange(14)
    inside, outside = rng.normal(size=(2, len(codes), 14, 2))
    inside += 6.0 * own[:, :, None] * np.array(SIGNALS)
    wrong = np.flatnonzero(np.arange(len(codes)) % 10 == 9)
    inside[wrong, codes[wrong]] -= 6.0 * np.array(SIGNALS)
    inside[wrong, (codes[wrong] + 1) % 14] += 4.5 * np.array(SIGNALS)
    outside[codes == 5, 6] += 2.0 * np.array(SIGNALS)
    outside[own] = np.nan
    return likelihood.Scores(inside, outside, codes, sizes)


def simulated_texts() -> dict[str, Floats]:
    """Of the first author, about whom hardly anything was tried; clearly of another; and of two at once."""
    rows = {name: np.random.default_rng(1).normal(size=14) for name in ("few", "clear", "close")}
    rows["few"][0] = rows["clear"][8] = rows["close"][8] = 7.0
    rows["close"][9] = 5.7
    return rows


@dataclass
class Seen:
    rounds: list[Round] = field(default_factory=list)
    pairs: list[tuple[Pairs, Split]] = field(default_factory=list)
    known: list[list[str]] = field(default_factory=list)
    p: list[Floats] = field(default_factory=list)


@contextmanager
def watched() -> Iterator[Seen]:
    """Note the pairs that are learnt from, the labels of each model of a fold, what is left out, and the p of texts that are decided on."""
    seen = Seen()
    learn, fit, decide, fuse = DVBin.fit_pairs, crossfit.fit_pairs, rung.decide, validation.fit_fused

    def fit_pairs(self: DVBin, vectors: Any, pairs: Pairs, split: Split, *more: Any) -> DVBin:
        seen.pairs.append((pairs, split))
        return learn(self, vectors, pairs, split, *more)

    def fold(counts: Counts, labels: list[str], *more: Any, **named: Any) -> Any:
        seen.known.append(list(labels))
        return fit(counts, labels, *more, **named)

    def decided(scores: Floats, headline: Floats, low: Floats, p: Floats, *more: Any) -> NDArray[np.int64]:
        seen.p.append(p)
        return decide(scores, headline, low, p, *more)

    def fitted(counts: Counts, codes: Any, ways: Sequence[Sequence[Round]], *more: Any) -> Any:
        seen.rounds = list(ways[0])
        return fuse(counts, codes, ways, *more)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(validation, "fit_fused", fitted)
        patched.setattr(DVBin, "fit_pairs", fit_pairs)
        patched.setattr(crossfit, "fit_pairs", fold)
        patched.setattr(rung, "decide", decided)
        yield seen
