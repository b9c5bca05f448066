"""The parts of a report, each a function that yields blocks, and what all of them need: the contents, and the one way to print a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from forensia.evidence.result import FUSED, Candidate, LikelihoodRatio, Result
from forensia.figures import PRINT, Look
from forensia.report.blocks import Block, Cell, Column, OnScale
from forensia.report.contents import ComparisonEntry, Contents, JudgedText
from forensia.report.details import CaseDetails
from forensia.report.typesetting import paper_named
from forensia.wording import conditions, opinion, writers
from forensia.wording.numbers import NONE, Printer
from forensia.wording.ratios import DISPUTED, MARQUIS_2016, NOT_ESTIMABLE
from forensia.wording.templates import named

__all__ = [
    "SCALE_READING", "Blocks", "Report", "Section", "days", "interval", "marked", "placed", "ratio_cells", "ratio_columns", "short_ratio",
    "support_in_words", "trimmed", "with_subject",
]  # fmt: skip

SCALE_READING = (
    "The scale runs from 1/10,000 on the left over 1 (the black line) to 10,000 on the right, a tick for each power of ten; the bar is the "
    "95 % interval, the dot the likelihood ratio, hollow where it is below 1."
)
_GAP = 14.0  # between figures side by side
_SIDES = {"hp": " for", "hd": " against", "neither": ""}
_WRITERS = {"hp": " for one writer", "hd": " for two", "neither": ""}

Blocks = Iterator[Block]


@dataclass
class Report:
    """What a section is made from."""

    contents: Contents
    say: Printer = field(default_factory=Printer)

    @property
    def details(self) -> CaseDetails:
        return self.contents.details

    @property
    def many(self) -> bool:
        """Whether there are so many disputed texts that each gets less room."""
        return self.contents.many

    @property
    def alone(self) -> bool:
        """Whether there is one candidate only."""
        return self.contents.candidates == 1

    def no_new_source(self, result: Result | None = None) -> list[str]:
        """The sentence that nothing is known of new sources, as far as that is so and the reasons for no opinion do not say it."""
        validation = self.contents.validation
        if validation is None or (result is not None and result.stated.source != "known"):
            return []
        said = conditions.lacks_new_source(validation)
        return [said] if said else []

    @property
    def question(self) -> str:
        """What was asked of the disputed texts."""
        documents = self.contents.documents
        alone = self.name(documents[0]) if self.contents.comparisons and documents else DISPUTED
        what = alone if len(documents) == 1 else "each of the disputed texts"
        asked: dict[str, list[str]] = {}
        for document in documents:
            asked.setdefault(opinion.question(document.result, "\0"), []).append(self.name(document))
        questions = [each.replace("\0", what if len(asked) == 1 else named(names)) for each, names in asked.items()]
        return " ".join([*questions, *(writers.question(self.compared(each)) for each in self.contents.comparisons)])

    def compared(self, compared: ComparisonEntry) -> list[str]:
        """Texts that were compared with each other as the report calls them."""
        return [self.details.named(text.file) for text in compared.found.texts]

    def name(self, document: JudgedText) -> str:
        """A disputed text as the report calls it: by its exhibit, if it has one, and its file."""
        return self.details.named(document.result.file)

    def look(self, height: float, columns: int = 1) -> Look:
        """How figures look on this paper: as wide as the text, or as their share of it."""
        width = (paper_named(self.contents.paper).measure - _GAP * (columns - 1)) / columns
        return PRINT.sized(width / 72, height)


Section = Callable[[Report], Blocks]


def with_subject(result: Result, most: int) -> tuple[Candidate, ...]:
    """The first candidates, and whoever the findings are about."""
    first = result.candidates[:most]
    return first if result.subject in first else (*first, result.subject)


def marked(result: Result, candidate: Candidate) -> str:
    """The name of a candidate, marked where one of several is asked about."""
    asked = candidate.author == result.asked and len(result.candidates) > 1
    return f"{candidate.author} (asked about)" if asked else candidate.author


def placed(say: Printer, result: Result, candidate: Candidate, system: str) -> str:
    """The rank and the score of an author, for a table; an only candidate has no rank."""
    found = candidate.systems[system]
    score = say.fused_score(found.score) if system == FUSED else say.short_score(found.score)
    return score if len(result.candidates) == 1 else f"{say.count(found.rank)} ({score})"


def short_ratio(say: Printer, ratio: LikelihoodRatio | None) -> str:
    """An LR within its bounds, for a table."""
    return NONE if ratio is None else say.short_ratio(ratio.log10, ratio.bounds)


def interval(say: Printer, ratio: LikelihoodRatio | None) -> str:
    """The interval of an LR within its bounds, for a table."""
    return NONE if ratio is None else say.short_ratios(ratio.interval, ratio.bounds)


def support_in_words(ratio: LikelihoodRatio | None, *, pair: bool = False, validated: bool = True) -> str:
    """The words of the scale, short enough for a table: for an author or against, or of a `pair` of texts for one writer or two."""
    if ratio is None:
        return NOT_ESTIMABLE if validated else NONE
    support = MARQUIS_2016.support(ratio.log10)
    return f"{support.band}{(_WRITERS if pair else _SIDES)[support.favours]}"


def ratio_columns(ends: float, scale: float, words: float) -> list[Column]:
    """The columns of an LR with its interval, its place on the scale and its words, each so wide."""
    return [
        Column("LR", 34, "right", 1), Column("95 % interval", ends, "right", 1), Column("LR on a scale", scale, lines=1),
        Column("In words", words),
    ]  # fmt: skip


def ratio_cells(say: Printer, ratio: LikelihoodRatio | None, words: str) -> tuple[Cell, ...]:
    """What stands in these columns."""
    return short_ratio(say, ratio), interval(say, ratio), OnScale(ratio), words


def days(stamp: str) -> str:
    """A time of the case without its fractions of a second."""
    date, _, time = stamp.partition("T")
    return f"{date} {time[:8]} UTC" if time else date


def trimmed(text: str) -> str:
    """The first sentence of a text."""
    head, stop, _ = text.partition(". ")
    return head + ("." if stop else "")
