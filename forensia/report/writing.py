"""What every section of a report is given: the pages, the numbers, the texts, and the one way to print a number."""

from __future__ import annotations

from dataclasses import dataclass, field

from forensia.evidence.result import FUSED, Candidate, LikelihoodRatio, Result
from forensia.figures import PRINT, Look
from forensia.report.contents import ComparisonEntry, Contents, JudgedText
from forensia.report.details import CaseDetails
from forensia.report.document import PdfDocument
from forensia.report.printing import NONE, Printer
from forensia.wording import conditions, opinion, writers
from forensia.wording.ratios import DISPUTED, MARQUIS_2016, NOT_ESTIMABLE
from forensia.wording.templates import named

__all__ = [
    "SectionWriter",
    "agreed",
    "band",
    "days",
    "interval",
    "marked",
    "pair_band",
    "placed",
    "short_ratio",
    "trimmed",
    "with_subject",
]

_GAP = 14.0
_WRITERS = {"hp": " for one writer", "hd": " for two", "neither": ""}
_SIDES = {"hp": " for", "hd": " against", "neither": ""}


@dataclass
class SectionWriter:
    """A report in the making."""

    doc: PdfDocument
    found: Contents
    say: Printer = field(default_factory=Printer)

    @property
    def details(self) -> CaseDetails:
        return self.found.details

    @property
    def many(self) -> bool:
        """Whether there are so many disputed texts that each gets less room."""
        return self.found.many

    def no_new_source(self, result: Result | None = None) -> list[str]:
        """The sentence that nothing is known of new sources, as far as that is so and the reasons for no opinion do not say it."""
        validation = self.found.validation
        if validation is None or (result is not None and result.stated.source != "known"):
            return []
        said = conditions.lacks_new_source(validation)
        return [said] if said else []

    @property
    def question(self) -> str:
        """What was asked of the disputed texts."""
        results = [each.result for each in self.found.documents]
        alone = self.name(self.found.documents[0]) if self.found.comparisons and results else DISPUTED
        what = alone if len(results) == 1 else "each of the disputed texts"
        asked: dict[str, list[str]] = {}
        for document in self.found.documents:
            asked.setdefault(opinion.question(document.result, "\0"), []).append(self.name(document))
        questions = [each.replace("\0", what if len(asked) == 1 else named(names)) for each, names in asked.items()]
        return " ".join([*questions, *(writers.question(self.compared(each)) for each in self.found.comparisons)])

    def compared(self, compared: ComparisonEntry) -> list[str]:
        """Texts that were compared with each other as the report calls them."""
        return [self.details.named(text.file) for text in compared.found.texts]

    def look(self, height: float, columns: int = 1) -> Look:
        """How figures look on this paper: as wide as the text, or as their share of it."""
        width = (self.doc.width - _GAP * (columns - 1)) / columns
        return PRINT.sized(width / 72, height)

    def name(self, document: JudgedText) -> str:
        """A disputed text as the report calls it: by its exhibit, if it has one, and its file."""
        return self.details.named(document.result.file)


def with_subject(result: Result, most: int) -> tuple[Candidate, ...]:
    """The first candidates, and whoever the findings are about."""
    first = result.candidates[:most]
    return first if result.subject in first else (*first, result.subject)


def marked(result: Result, candidate: Candidate) -> str:
    """The name of a candidate, marked where one of several is asked about."""
    asked = candidate.author == result.asked and len(result.candidates) > 1
    return f"{candidate.author} (asked about)" if asked else candidate.author


def agreed(result: Result) -> str:
    """The candidate whom the findings are about, marked where it is agreed that one of several wrote the text."""
    return (
        f"{result.subject.author} (if one of them)"
        if result.question.kind == "one of these"
        else marked(result, result.subject)
    )


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


def band(result: Result, ratio: LikelihoodRatio | None) -> str:
    """The words of the scale, short enough for a table."""
    if ratio is None:
        return NONE if result.condition is None else NOT_ESTIMABLE
    support = MARQUIS_2016.support(ratio.log10)
    return f"{support.band}{_SIDES[support.favours]}"


def pair_band(ratio: LikelihoodRatio | None) -> str:
    """The words of the scale for two texts, short enough for a table."""
    if ratio is None:
        return NOT_ESTIMABLE
    support = MARQUIS_2016.support(ratio.log10)
    return f"{support.band}{_WRITERS[support.favours]}"


def days(stamp: str) -> str:
    """A time of the case without its fractions of a second."""
    date, _, time = stamp.partition("T")
    return f"{date} {time[:8]} UTC" if time else date


def trimmed(text: str) -> str:
    """The first sentence of a text."""
    head, stop, _ = text.partition(". ")
    return head + ("." if stop else "")
