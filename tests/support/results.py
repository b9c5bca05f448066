"""Results and validations that nobody computed: every number is plausible and in its place, and each can be given another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from forensia.evidence.calibration import Bounds
from forensia.evidence.learnt import ModelRecord, PairRecord
from forensia.evidence.result import (
    DV_BIN,
    FUSED,
    LAZY,
    RANKING,
    STACKED,
    Alternative,
    Candidate,
    Changed,
    Condition,
    Ends,
    Known,
    LeftOut,
    LikelihoodRatio,
    Opinion,
    Placed,
    Reason,
    Result,
    Sensitivity,
    Source,
    Strangers,
)
from forensia.evidence.summary import (
    THRESHOLDS,
    Attribution,
    AuthorFigure,
    FalseSupport,
    Figure,
    FirstPlace,
    Misleading,
    OnListed,
    OnUnlisted,
    OpenSet,
    PairFigures,
    Performance,
    Recognised,
    ValidationSummary,
)
from forensia.systems.others import COSINE, IMPOSTORS, SVM

AUTHORS = ("Ada Holm", "Bram Oakley", "Corin Vale", "Dorothea Finch")
FILE = "anonymous-1.txt"
TEXTS = 4  # known texts of each author
BOUNDS = Bounds(-1.5, 2.0, 16, 48)
SYSTEMS = (FUSED, LAZY, STACKED, COSINE, SVM, IMPOSTORS)
RATIOS = (1.4, -0.6, -1.1, -1.5)
"""The log10 LRs of the first authors; those after them have the last."""


def ratio(
    log10: float,
    interval: Ends | None = None,
    alternative: Alternative = Alternative.LISTED,
    bounds: Bounds = BOUNDS,
) -> LikelihoodRatio:
    """A likelihood ratio within its bounds; its interval is half a decade either way unless it is given."""
    ends = interval or (log10 - 0.5, log10 + 0.5)
    return LikelihoodRatio(
        float(bounds.apply(log10)),
        (float(bounds.apply(ends[0])), float(bounds.apply(ends[1]))),
        alternative,
        bounds,
        bounds.side(log10),
    )


def candidate(
    author: str, rank: int = 1, log10: float | None = None, *, texts: int = TEXTS, systems: Sequence[str] = SYSTEMS
) -> Candidate:
    """An author at a rank, the same in every system; without likelihood ratios, and so unfused, where `log10` is None."""
    score = 0.9 / rank
    placed = {
        name: Placed(score, rank, rank == 1 if name in (LAZY, STACKED) else None if name == COSINE else score > 0.5)
        for name in systems
        if name != FUSED
    }
    if FUSED in systems and log10 is not None:
        placed = {FUSED: Placed(5.0 - 3 * rank, rank)} | placed
    found = Candidate(author, texts, min(3, texts), placed)
    if log10 is None:
        return found
    lower = ratio(log10)
    higher = ratio(log10 + 0.2, alternative=Alternative.UNLISTED)
    return replace(found, headline=lower, listed=lower, unlisted=higher, p=round(0.8 / rank, 3))


def sensitivity(author: str = AUTHORS[0], *, survives: bool = True, other: str = AUTHORS[1]) -> Sensitivity:
    """The table of changes; the mask puts another author first where the first place does not survive."""
    first = author if survives else other
    return Sensitivity(
        author,
        (
            Changed("family off", "function words", author, 1, 1.3),
            Changed("mask", "topic masked", first, 1 if survives else 2, None),
            Changed("half", "first half", author, 1, 0.7),
        ),
        LeftOut(TEXTS * len(AUTHORS), 0, (), (1.1, 1.5)),
        survives,
    )


def result(
    file: str = FILE,
    authors: Sequence[str] = AUTHORS,
    *,
    reasons: Sequence[Reason] = (),
    validated: bool = True,
    words: int = 3_000,
) -> Result:
    """What is said of one text: an opinion for the first author, or none for the `reasons` given, or a mere ranking."""
    why = tuple(reasons) or (() if validated else (Reason("not-validated"),))
    ratios = [RATIOS[min(place, len(RATIOS) - 1)] for place in range(len(authors))]
    return Result(
        document="d" * 16,
        file=file,
        sha256="0" * 64,
        words=words,
        condition=Condition("known") if validated else None,
        candidates=tuple(
            candidate(author, place + 1, ratios[place] if validated else None) for place, author in enumerate(authors)
        ),
        known=Known(
            tuple(f"{author}/{text + 1}.txt" for author in authors for text in range(TEXTS)),
            tuple(author for author in authors for _ in range(TEXTS)),
        ),
        pair_scores=tuple(round(0.9 / (place + 1) - 0.02 * text, 4) for place in range(len(authors)) for text in range(TEXTS)),
        k=3,
        opinion=Opinion("none given" if why else "author", authors[0], why, 0.01 if validated else None),
        sensitivity=sensitivity(authors[0], other=authors[-1]),
    )  # fmt: skip


def performance(same: int = 16, different: int = 48, cllr: float = 0.31) -> Performance:
    """How good likelihood ratios are."""
    return Performance(
        same, different, cllr, round(cllr * 0.8, 4), (round(cllr * 0.7, 4), round(cllr * 1.5, 4)), 0.11, 0.95,
        misleading=tuple(Misleading(threshold, 0.05 / threshold, 0.09 / threshold) for threshold in THRESHOLDS),
        bounds=Bounds(-1.5, 2.0, same, different),
    )  # fmt: skip


def figure(condition: Condition | None = None, documents: int = 16, authors: int = len(AUTHORS)) -> Figure:
    """What was measured on texts of one length."""
    return Figure(
        condition or Condition("known"),
        performance(documents, documents * (authors - 1)),
        performance(documents, documents * 3, 0.44),
        OpenSet(
            0.05,
            OnListed(documents, 0.75, 0.97, 0.05, 0.2, 3 * documents // 4, (0.6, 0.9), (0.9, 0.99), (0.01, 0.09)),
            OnUnlisted(documents, 0.04, 0.36, 0.6, 0.96, (0.01, 0.12)),
            tuple(FalseSupport(threshold, 0.03 / threshold, 0.1 / threshold, authors) for threshold in THRESHOLDS),
        ),
        FirstPlace(documents, 0.75, (0.6, 0.88)),
    )


def both_sources(summary: ValidationSummary) -> ValidationSummary:
    """The same validation with figures for a new source too, which are worse; longer texts were joined, and one author has one source."""

    def moved(figure: Figure, source: Source) -> Figure:
        condition = replace(figure.condition, source=source)
        return replace(figure, condition=condition, first=replace(figure.first, share=0.5 if source == "new" else 0.75))

    figures = [*summary.figures, replace(summary.whole, condition=Condition("known", 1_600, 2))]
    one, *others = summary.by_author
    return replace(
        summary,
        figures=tuple(moved(each, source) for source in ("new", "known") for each in figures),
        by_author=(replace(one, source_left_out=False), *others),
        told=True,
    )


def summary(
    authors: Sequence[str] = AUTHORS, *, quick: bool = False, notes: Sequence[Reason] = ()
) -> ValidationSummary:
    """A validation of whole texts and of texts cut to 500 words."""
    count = TEXTS * len(authors)
    wrong = tuple(
        tuple(
            TEXTS - 1 if row == column else 1 if column == (row + 1) % len(authors) else 0
            for column in range(len(authors))
        )
        for row in range(len(authors))
    )
    attribution = Attribution(0.75, (0.6, 0.88), 0.74, (0.58, 0.87), wrong, count)
    pairs = replace(performance(), accuracy=0.9, misleading=(), bounds=None)
    return ValidationSummary(
        documents=count,
        median_words=800.0,
        quick=quick,
        converged=True,
        systems=dict.fromkeys(RANKING, attribution),
        pairs=PairFigures(
            pairs, pairs, pairs, pairs, Strangers(300, 280, {FUSED: 0.91, DV_BIN: 0.83, COSINE: 0.86, IMPOSTORS: 0.84})
        ),
        figures=tuple(
            figure(each, count, len(authors)) for each in (Condition("known", median=800), Condition("known", 500))
        ),
        by_author=tuple(
            AuthorFigure(
                author, TEXTS, {**dict.fromkeys((FUSED, LAZY), Recognised(0.75, 0.75, 0.75)), STACKED: Recognised(0.8, 0.75, 0.77)},
                0.8, 0.06, 1.1, 0.2, True, 0.25 if author == authors[-1] else 0.0,
            )
            for author in authors
        ),
        notes=(*((Reason("quick-validation"),) if quick else ()), *notes),
        weights={"words": 0.0, "function words": 1.5, "layout": 0.6},
        chance=1 / len(authors),
        majority=1 / len(authors),
    )  # fmt: skip


def pairs(**changed: Any) -> PairRecord:
    """How a classifier of pairs came about."""
    return replace(
        PairRecord(
            features=1_200, factors={"function words": 1.0, "words": 0.5}, pairs=240, pairs_sha256="1" * 64, c=0.1,
            losses={"0.1": 0.3, "1": 0.4}, converged=True, k=3, k_accuracy=(0.7, 0.72, 0.75),
        ),
        **changed,
    )  # fmt: skip


def model(authors: int = len(AUTHORS), **changed: Any) -> ModelRecord:
    """How a model came about."""
    return replace(
        ModelRecord(
            profile="forensic", seed=1, authors=authors, documents=TEXTS * authors,
            families=("function words", "punctuation", "words", "layout"), mask="none", quick=False,
            pairs=pairs(),
            language={"name": "en_core_web_sm", "version": "3.8.0", "language": "en", "sha256": "2" * 64,
                      "function_words": 300, "function_words_sha256": "3" * 64},
        ),
        **changed,
    )  # fmt: skip
