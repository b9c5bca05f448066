"""What the window is told about texts and models, made up: with names that try to be more than names, and without a child process."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_type_hints

import numpy as np

from forensia import codec
from forensia.evidence.calibration import Bounds
from forensia.evidence.contributions import FusedFamily, FusedFeature, Having
from forensia.evidence.explanation import FamilySum, FeatureContribution, Usage
from forensia.evidence.opinion import FEW_AUTHORS, FEW_WORDS
from forensia.evidence.result import (
    FUSED,
    LAZY,
    STACKED,
    Alternative,
    Candidate,
    Changed,
    ComparedText,
    Condition,
    Known,
    LeftOut,
    Opinion,
    PairResult,
    Placed,
    Reason,
    Result,
    Sensitivity,
)
from forensia.evidence.summary import (
    Figure,
    FirstPlace,
    OnListed,
    OnUnlisted,
    OpenSet,
    Performance,
    Recognised,
    ValidationSummary,
)
from forensia.evidence.writers import Grouping, GroupingError, TextPair, WrongPairs
from forensia.gui.snapshot import ModelState
from forensia.gui.tasks.inquiries import (
    Contrast,
    ExplainedAuthor,
    ExplainedPair,
    ListedFeatures,
    Located,
    PairListed,
    Texts,
    TrustCurves,
    Typical,
    ValidationScores,
)
from forensia.gui.tasks.plots import ScoreGroup
from forensia.report import curves as reported
from forensia.systems.others import COSINE, IMPOSTORS
from support import results

HOSTILE = "<b>A & $x$"
AUTHORS = (HOSTILE, "محمد بن عبد الله", "C" * 90, "_smith")
TEXT = "I can't say, and I won't.\nThe 🜚 sign \u202eis hidden; and so on, and on."
BOUNDS = Bounds(-1.3, 3.0, 20, 60)
RATIOS = (1.6, -0.04, -1.3, None)


def _candidate(place: int, author: str, texts: int, shift: float) -> Candidate:
    """The first author leads by the fused score, Lazy and cosine, the second by Stacked and impostors; the last has no likelihood ratio."""
    second = (2, 1, 3, 4)[place]
    systems = {
        FUSED: Placed((7.25, 2.0, -0.04, -3.5)[place], place + 1),
        LAZY: Placed((0.997 - shift, 0.42, 0.1, 0.002)[place], place + 1, place == 0),
        STACKED: Placed((0.2, 0.7, 0.05, 0.05)[place], second, second == 1),
        COSINE: Placed(0.9 - place / 10, place + 1),
        IMPOSTORS: Placed(1 / (1 + second), second, False),
    }
    made = Candidate(author, texts, min(2, texts), systems, p=(0.36, 0.09, 0.004, None)[place])
    log10 = RATIOS[place]
    if log10 is None:
        return made
    ratio = results.ratio(log10, (log10 - 0.5, log10 + 0.6), bounds=BOUNDS)
    higher = results.ratio(log10 + 0.2, alternative=Alternative.UNLISTED, bounds=BOUNDS)
    return replace(made, headline=ratio, listed=ratio, unlisted=higher)


def result(
    file: str = "disputed.txt", *, given: bool = True, documents: int = 3, shift: float = 0.0, first: str = HOSTILE
) -> Result:
    """What is said of one text: the first author leads."""
    authors = (first, *AUTHORS[1:])
    random = np.random.default_rng(7)
    known = Known(
        tuple(f"{author}/letters/text {number}.txt" for number in range(documents) for author in authors),
        authors * documents,
    )
    reasons = () if given else (Reason("interval-includes-1", {"author": first}),)
    return replace(
        results.result(file, authors, words=834),
        candidates=tuple(_candidate(place, author, documents, shift) for place, author in enumerate(authors)),
        known=known,
        pair_scores=tuple(float(score) for score in random.uniform(0.01, 0.98, len(known.documents))),
        k=2,
        opinion=Opinion("author" if given else "none given", first, reasons, 0.01),
        warnings=(Reason("short", {"words": 834, "few": FEW_WORDS}),),
        sensitivity=Sensitivity(
            first,
            (
                Changed("family off", "layout", first, 1, 1.4),
                Changed("family off", "masked tokens", authors[1], 3, -0.2),
                Changed("half", "first half", first, 1, 0.8),
            ),
            LeftOut(12, 0, (), (1.5, 1.8)),
            survives=False,
        ),
    )


def closed() -> Result:
    """What is said of a text where so few authors are listed that nothing is known of anybody else."""

    def among(candidate: Candidate) -> Candidate:
        if candidate.listed is None:
            return candidate
        ratio = replace(candidate.listed, alternative=Alternative.CLOSED)
        return replace(candidate, headline=ratio, listed=ratio, unlisted=None)

    found = result()
    opinion = replace(found.opinion, family_p=None)
    return replace(found, candidates=tuple(map(among, found.candidates)), opinion=opinion)


def of_version_0_1() -> Result:
    """What the first version said of a text: Lazy led, and another sample of pairs was tried."""
    found = result()
    assert found.sensitivity is not None
    tried = (Changed("seed", "seed 1", HOSTILE, 1, 1.4), *found.sensitivity.variants)
    return replace(
        found,
        candidates=tuple(
            replace(each, systems={name: placed for name, placed in each.systems.items() if name != FUSED})
            for each in found.candidates
        ),
        sensitivity=replace(found.sensitivity, variants=tried),
        format=1,
    )


def without_validation() -> Result:
    """What a model says that was never validated."""
    found = result(given=False)
    bare = {"headline": None, "listed": None, "unlisted": None, "p": None}
    rankings = (LAZY, STACKED)
    return replace(
        found,
        condition=None,
        candidates=tuple(
            replace(each, **bare, systems={name: each.systems[name] for name in rankings}) for each in found.candidates
        ),
        opinion=Opinion("none given", HOSTILE, (Reason("not-validated"),)),
        sensitivity=None,
    )


def feature(column: int, name: str, family: str, relative: float) -> FeatureContribution:
    """A feature that contributes so much in relation to what is usual."""
    return FeatureContribution(
        column, name, family, "group", 1.0, 2.0, difference=3.0 - relative, usual_difference=3.0, weight=-1.0,
        documents=5, authors=2, usage_a=Usage(3, 12.34, "per 1,000 words"), usage_b=Usage(0, 0.0, "per 1,000 words"),
    )  # fmt: skip


def places(text: str, word: str) -> tuple[tuple[int, int], ...]:
    """Where a word stands in a text."""
    return tuple((start, start + len(word)) for start in range(len(text)) if text.startswith(word, start))


def texts(other: str = "And nobody can't, and nobody won't.") -> Texts:
    """A disputed text and another, with the places of four features."""
    words = {1: "and", 2: ",", 3: "hidden", 4: "sign"}

    def located(title: str, content: str) -> Located:
        there = {column: places(content, word) for column, word in words.items()}
        return Located(title, HOSTILE, 14, content, 0, {column: spans for column, spans in there.items() if spans})

    return located("<i>disputed", TEXT), located("nearest", other)


def found() -> PairListed:
    """What speaks for one author of two texts and against."""
    return ListedFeatures(
        2.51,
        1.0,
        (
            FamilySum("function words", "group", 148, 110, -1.0, -3.0),
            FamilySum("punctuation", "group", 12, 6, -1.0, -0.5),
            FamilySum("words", "group", 30, 6, 0.01, 0.0),
        ),
        {
            1: feature(1, "function word 'and'", "function words", 2.0),
            2: feature(2, "punctuation: comma", "punctuation", -1.0),
            3: feature(3, "punctuation: <i>", "punctuation", 0.5),
            4: feature(4, "word 'sign'", "words", 0.01),
        },
        (1, 3, 4),
        (2,),
        {"function words": ((1,), ()), "punctuation": ((3,), (2,)), "words": ((4,), ())},
    )


def contrast(author: str, against: str, share: float) -> Contrast:
    """What speaks for an author, held against another or against all; `share` times as much as in the first."""

    def fused(column: int, name: str, family: str, relative: float, count: int, own: int) -> FusedFeature:
        value = 0.3 if count else 0.0
        weight = share * relative / (value - 0.1)
        return FusedFeature(column, name, family, value, 0.1, weight, count, Having(own, 10), Having(3, 9))

    features = (
        fused(1, "function word 'and'", "function words", 2.0, 12, 10),
        fused(2, "tokens '[word] [comma] and'", "masked tokens", -1.0, 1, 4),
        fused(3, "tokens '[<i>]'", "masked tokens", 0.5, 0, 0),
        fused(4, "word 'sign'", "words", 0.01, 1, 1),
    )
    return Contrast(
        author,
        against,
        ListedFeatures(
            share * 3.0,
            share * 0.25,
            (
                FusedFamily("function words", 148, 40, share * 2.5),
                FusedFamily("masked tokens", 9_000, 310, share * 0.2),
                FusedFamily("words", 700, 99, share * 0.05),
            ),
            {each.column: each for each in features},
            (1, 3, 4),
            (2,),
            {"function words": ((1,), ()), "masked tokens": ((3,), (2,)), "words": ((4,), ())},
        ),
    )


def explained(author: str = HOSTILE) -> ExplainedAuthor:
    """Why a text resembles an author, by the fused score."""
    rival = next(each for each in AUTHORS if each != author)
    return ExplainedAuthor(author, texts(), (contrast(author, rival, 1.0), contrast(author, "", 2.0)))


def explained_by_pairs(author: str = HOSTILE) -> ExplainedAuthor:
    """Why a text resembles an author, by Pr(Same) alone."""
    return ExplainedAuthor(author, texts(), pairs=found(), score=0.99999)


def compared(*, given: bool = True) -> ExplainedPair:
    """What a comparison of two texts gives."""
    few = Reason("pair-few-words", {"words": 60, "fewest": 80})
    return ExplainedPair(
        PairResult(
            ComparedText("a.txt", "0" * 64, 834, None, AUTHORS[0]),
            ComparedText("b.txt", "1" * 64, 534, HOSTILE, HOSTILE if given else None),
            score=0.9999,
            log_odds=9.2,
            fused=3.1,
            ratio=results.ratio(1.875, (1.3, 2.6), bounds=BOUNDS) if given else None,
            reasons=() if given else (few,),
            warnings=(Reason("pair-short", {"words": 534, "few": FEW_WORDS}),),
        ),
        found(),
        texts(),
    )


def grouping(*, grouped: bool = True) -> Grouping:
    """What a comparison of four texts gives: two writers, and one pair that is unsure."""
    log10 = {(0, 1): 1.2, (0, 2): -0.9, (0, 3): -1.1, (1, 2): -0.4, (1, 3): 0.1, (2, 3): 0.8}
    unsure = Reason("pair-interval-includes-1")
    few = Reason("pair-few-words", {"words": 60, "fewest": 80})
    pairs = [
        TextPair(
            a, b, value, results.ratio(value, (value - 0.5, value + 0.5), bounds=BOUNDS) if grouped else None,
            () if abs(value) > 0.5 else (unsure,) if grouped else (few,),
        )
        for (a, b), value in log10.items()
    ]  # fmt: skip
    names = ("<b>one.txt", "two.txt", "three.txt", "four.txt")
    made = Grouping.of(tuple(ComparedText(name, "0" * 64, 500, None, None) for name in names), pairs)
    error = GroupingError(300, (1, 4), WrongPairs(9, 100, (0.04, 0.15)), WrongPairs(20, 100, None))
    return replace(made, error=error) if grouped else made


def _scores(random: np.random.Generator, middle: float, size: int) -> ScoreGroup:
    return ScoreGroup(tuple(round(float(value), 3) for value in random.normal(middle, 2.0, size)), size)


def typical() -> Typical:
    """The scores of the validation and those of a text."""
    random = np.random.default_rng(3)
    return Typical(
        ValidationScores(_scores(random, 4, 60), _scores(random, -4, 180), _scores(random, -1, 160)),
        Condition("new", 400),
        own_of=dict.fromkeys(AUTHORS, (3.0, 4.5, 6.0)),
        here={author: 5.0 - 3 * place for place, author in enumerate(AUTHORS)},
    )


def curves(*, unlisted: bool = True) -> TrustCurves:
    """What the plots of the trust page show."""
    random = np.random.default_rng(5)

    def against() -> reported.Plots:
        return reported._plots(random.normal(1.2, 0.8, 60), random.normal(-1.5, 1.0, 300))

    falling = tuple(1 / (1 + place) for place in range(21))
    open_set = reported.OpenSetCurve(
        tuple(float(value) for value in np.logspace(0, 2, 21)),
        falling,
        tuple(each / 5 for each in falling),
        tuple(1 - each for each in falling),
        10,
    )
    ratios = reported.Curves(Condition("new", None), against())
    if unlisted:
        ratios = replace(ratios, unlisted=against(), open_set=open_set)
    return TrustCurves(ratios, typical().scores)


def summary(
    authors: Sequence[str] = AUTHORS, *, unlisted: bool = True, high: float = 0.56, new: bool = True
) -> ValidationSummary:
    """A validation of 120 documents; nobody can know the precision for any author but the first.

    The last author has one source; where nothing is known of `new` sources, nobody said what any text comes from.
    """

    def measured(cllr: float) -> Performance:
        made = results.performance(cllr=cllr)
        return replace(made, cllr_interval=(0.21, high))

    notes = [Reason("unlisted-few-authors", {"authors": 12, "few": FEW_AUTHORS})]
    alone = {"untried": 1, "total": len(authors), "authors": (authors[-1],)}
    notes.append(Reason("one-source", alone) if new else Reason("sources-not-known"))
    made = results.summary(authors, notes=notes)

    def figure(condition: Condition, first: float, given: int, right: float, supported: int) -> Figure:
        ends = (first - 0.05, first + 0.04)
        return Figure(
            condition,
            measured(0.2),
            measured(0.38) if unlisted else None,
            OpenSet(
                0.05,
                OnListed(
                    120, given / 120, right, 0.05, 0.2, given, (given / 120 - 0.1, given / 120 + 0.1), (0.8, 1.0), (0.02, 0.09)
                ),
                OnUnlisted(120, supported / 120, 0.36, 0.6, 0.96, (0.01, 0.09)) if unlisted else None,
            ),
            FirstPlace(120, first, ends, first),
        )  # fmt: skip

    known = (
        figure(Condition("known", median=800), 0.95, 52, 1.0, 5),
        figure(Condition("known", 400), 0.85, 30, 0.9, 6),
        figure(Condition("known", 1_600, 2), 0.96, 60, 1.0, 4),
    )
    sources = (figure(Condition("new", median=800), 0.75, 48, 0.75, 6), figure(Condition("new", 400), 0.55, 24, 0.5, 7))
    return replace(
        made,
        documents=120,
        systems={
            FUSED: replace(made.headline, accuracy=0.95, accuracy_interval=(0.901, 0.984)),
            LAZY: replace(made.headline, accuracy=0.925, accuracy_interval=(0.867, 0.975)),
            STACKED: replace(made.headline, accuracy=0.892, accuracy_interval=None),
        },
        figures=(*sources, *known) if new else known,
        by_author=tuple(
            replace(
                each,
                documents=10,
                systems={FUSED: Recognised(None if place else 0.85, 0.8, 0.9), LAZY: Recognised(0.5, 0.5, 0.5)},
                source_left_out=new and place < len(authors) - 1,
                outside_supported=(0.0, 0.1, 0.0)[min(place, 2)] if unlisted else None,
            )
            for place, each in enumerate(made.by_author)
        ),
        told=new,
    )


def model(time: str = "t1", *, validated: bool = True, **record: Any) -> ModelState:
    """A model as a page is shown it."""
    return ModelState(time, True, validated, results.model(**record))


class Answers:
    """Stands for the child process: gives these answers by the name of what is asked, and keeps what was asked."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.asked: list[tuple[str, Mapping[str, Any]]] = []

    def do(
        self, task: Callable[..., Any], progress: Callable[..., None], news: Callable[..., None], **arguments: Any
    ) -> Any:
        progress(0.5, "")
        name = task.__name__
        self.asked.append((name, arguments))
        answer = self.answers[name]
        if isinstance(answer, BaseException):
            raise answer
        if name == "trust":
            first, answer = answer
            news(_sent(first))
        kind = get_type_hints(inspect.unwrap(task))["return"]
        return codec.typed(kind, _sent(answer(arguments) if callable(answer) else answer))

    def close(self) -> None:
        """Nothing is left behind."""


def _sent(value: object) -> Any:
    return json.loads(json.dumps(codec.plain(value)))
