"""Under which condition figures hold, in words: how long the texts were, and whether from a new or a known source.

Both figures stand side by side wherever they are shown; the analyst says which of them holds for a disputed text, and why. In a few
sentences beside them: how far a model can be trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from forensia.evidence.result import FUSED, Alternative, Condition, Result, Source
from forensia.evidence.summary import (
    AuthorFigure,
    Figure,
    ValidationSummary,
)
from forensia.wording import opinion, reasons
from forensia.wording.numbers import Printer
from forensia.wording.ratios import NOT_ESTIMABLE, share
from forensia.wording.reasons import ALTERNATIVES
from forensia.wording.templates import listed, named

SOURCES: dict[Source, str] = {"new": "New source", "known": "Known source"}
"""What the two figures are called at the head of a column, in their order."""

AMONG_OTHERS = "among as many other authors"
"""For whom the interval of the outsiders' rate holds."""

_NOT_TRIED = "not known"
_Row = tuple[str, Callable[[Figure], str]]


def holds(result: Result) -> str:
    """For which texts the figures of a result hold, and what the analyst states; empty where there are no figures."""
    condition, stated = result.condition, result.stated
    if condition is None:
        return ""
    texts = f"These figures hold for {length(condition)}"
    if condition.source == "unknown":
        return f"{texts}; whether they came from a new source or from a known one was not asked."
    if stated.source == "known":
        return f"{texts}, from the source of known texts, {_stated(stated.because)}."
    if condition.source == "known":
        return f"{texts}, from the sources of known texts. There are none for a text from a new source, which this is taken to be."
    return f"{texts}, from a new source."


def length(condition: Condition) -> str:
    """How long the texts were that a figure was measured on."""
    if condition.words is None:
        return f"texts as long as the known ones{_median(condition)}"
    joined = f" ({condition.texts:,} known texts joined)" if condition.texts > 1 else ""
    return f"texts of about {condition.words:,} words{joined}"


def measured(condition: Condition) -> str:
    """The texts that a figure was measured on, by length and source."""
    source = {"new": " from a new source", "known": " from a known source"}.get(condition.source, "")
    return f"{whole(condition) if condition.words is None else length(condition)}{source}"


def whole(condition: Condition) -> str:
    """Whole texts, and how long they were."""
    return f"whole known texts{_median(condition)}"


def _median(condition: Condition) -> str:
    return f" (in the median {condition.median:,} words)" if condition.median else ""


def which(results: Iterable[tuple[str, Result]]) -> list[str]:
    """Which of the two figures holds for which of some disputed texts, by name: a sentence for each figure and each reason."""
    texts: dict[tuple[Source, Source, str], list[str]] = {}
    for name, result in results:
        if result.condition is not None and result.condition.source in SOURCES:
            stated = result.stated
            texts.setdefault((stated.source, result.condition.source, stated.because), []).append(name)
    said = []
    for (source, tried, because), names in texts.items():
        which = "all disputed texts" if len(texts) == 1 < len(names) else named(names)
        if source == "known":
            said.append(f"The figures for a known source hold for {which}, {_stated(because)}.")
        elif tried == "new":
            said.append(f"The figures for a new source hold for {which}.")
        else:
            said.append(f"No figures hold for {which}, taken to be from a new source.")
    return said


def _stated(because: str) -> str:
    return f'as the analyst states: "{because.rstrip(".")}"'


def lacks_new_source(summary: ValidationSummary) -> str:
    """That there is no figure for a new source, and why; empty where there is one."""
    return no_new_source(summary.told) if summary.of("new") is None else ""


def no_new_source(sources_known: bool) -> str:
    """The same of a case, in which the sources of texts are known or not."""
    why = (
        "no author has known texts from two sources" if sources_known else "nobody said what the known texts come from"
    )
    return f"How well authors are recognised in a text from a new source is not known: {why}."


def one_source(summary: ValidationSummary) -> str:
    """The authors about whom nothing is known of new sources, by name; empty where there are none, or where it is so for all."""
    if summary.of("new") is None or not summary.one_source:
        return ""
    return f"Authors with one source, about whom no opinion is given on a text from a new one: {listed(summary.one_source)}."


def worst_outsider(summary: ValidationSummary) -> AuthorFigure | None:
    """The author whose texts got most opinions for somebody else when nothing by the author was known; None where none did."""
    rows = [each for each in summary.by_author if each.outside_supported]
    return max(rows, key=lambda each: each.outside_supported or 0.0, default=None)


def estimated(summary: ValidationSummary) -> str:
    """How it was estimated what a model of all known texts does; empty where nothing was."""
    if not _gains([summary.of(source) for source in SOURCES]):
        return ""
    return (
        "A text that is left out with others leaves its author fewer known texts than there are. What the missing ones are worth was "
        "estimated by trying it once more with half of those that were left: 'with all known texts' is that estimate."
    )


def _gains(figures: Iterable[Figure | None]) -> bool:
    """Whether more known texts than were left are worth something to the first place."""
    firsts = [each.first for each in figures if each is not None]
    return any(each.left_out is not None and each.left_out != each.share for each in firsts)


@dataclass(frozen=True)
class _Cells:
    """What was measured under one condition, a figure as each row has it."""

    say: Printer

    def first(self, figure: Figure) -> str:
        return self._share(*figure.first.counted, figure.first.documents)

    def with_all(self, figure: Figure) -> str:
        place = figure.first
        return (
            NOT_ESTIMABLE
            if place.share is None
            else f"{self.say.share(place.share)} ({self.say.shares(place.interval)})"
        )

    def cost(self, figure: Figure, alternative: Alternative) -> str:
        measured = figure.against(alternative)
        if measured is None or measured.cllr is None:
            return NOT_ESTIMABLE
        return f"{self.say.cost(measured.cllr)} ({self.say.costs(measured.cllr_interval)})"

    def opinions(self, figure: Figure) -> str:
        found = figure.open_set.listed
        return self._share(found.opinion, found.opinion_interval, found.documents)

    def right(self, figure: Figure) -> str:
        found = figure.open_set.listed
        return self._share(found.right_when_given, found.right_interval, found.given)

    def none(self, figure: Figure) -> str:
        found = figure.open_set.listed
        return self._share(found.none_of_these, found.none_interval, found.documents)

    def outsiders(self, figure: Figure) -> str:
        found = figure.open_set.unlisted
        return NOT_ESTIMABLE if found is None else self._share(found.wrongly_supported, None, found.documents)

    def most(self, figure: Figure) -> str:
        found = figure.open_set.unlisted
        return self.say.share(
            None if found is None or found.supported_interval is None else found.supported_interval[1]
        )

    def denied(self, figure: Figure) -> str:
        found = figure.denied
        return NOT_ESTIMABLE if found is None else self._share(found.wrongly, None, found.own)

    def others_denied(self, figure: Figure) -> str:
        found = figure.denied
        return NOT_ESTIMABLE if found is None else self._share(found.rightly, None, found.others)

    def _share(self, value: float | None, ends: Sequence[float] | None, of: int) -> str:
        if value is None:
            return NOT_ESTIMABLE
        return f"{self.say.share(value)} of {self.say.count(of)}" + (
            "" if ends is None else f" ({self.say.shares(ends)})"
        )


def side_by_side(summary: ValidationSummary, say: Printer) -> list[tuple[str, str, str]]:
    """What was measured on whole texts from a new source and from a known one: a name and both figures in each row.

    With a population, what became of texts of stand-ins, and of texts by others that were held against them.
    """
    cells, reference = _Cells(say), summary.reference
    new, known = (summary.of(source) for source in SOURCES)
    costs: list[_Row] = [
        (f"Cllr against '{ALTERNATIVES[each.value]}'", partial(cells.cost, alternative=each))
        for each in summary.alternatives
    ]
    at_most = f"at most, {AMONG_OTHERS}", cells.most
    if reference is None:
        more: list[_Row] = [("the same with all known texts, estimated", cells.with_all)]
        rows = [
            ("Own author first", cells.first),
            *(more if _gains((new, known)) else []),
            *costs,
            ("Opinions for an author", cells.opinions),
            ("of these right", cells.right),
            ("'None of these', wrongly", cells.none),
            ("Outsiders' texts with an opinion for somebody", cells.outsiders),
            at_most,
        ]
    else:
        several: list[_Row] = [(f"Own texts: own author first of {reference.candidates:,} stand-ins", cells.first)]
        right: list[_Row] = [("of these right", cells.right), ("Own texts: 'none of these', wrongly", cells.none)]
        rows = [
            *([] if reference.alone else several),
            *costs,
            (f"Own texts: opinion for {'the stand-in' if reference.alone else 'a stand-in'}", cells.opinions),
            *([] if reference.alone else right),
            ("Own texts: own author ruled out, wrongly", cells.denied),
            ("Texts by others: opinion for a stand-in, wrongly", cells.outsiders),
            at_most,
            ("Texts by others: the stand-in ruled out", cells.others_denied),
        ]

    def shown(value: Callable[[Figure], str], figure: Figure | None) -> str:
        return _NOT_TRIED if figure is None else value(figure)

    return [(name, shown(value, new), shown(value, known)) for name, value in rows]


def by_chance(summary: ValidationSummary) -> float:
    """How often systems that rank all known authors would put the right one first by chance; with a population some are no candidates."""
    return 1 / summary.authors if summary.reference is not None else summary.chance


def stand_ins(summary: ValidationSummary) -> str:
    """Who was tried in the place of candidates; empty where there is no population."""
    found = summary.reference
    if found is None:
        return ""
    tried = sorted(set(found.used.values()))
    texts = f"{tried[0]:,}" if len(tried) == 1 else f"{tried[0]:,} to {tried[-1]:,}"
    once = "one" if found.alone else f"{found.candidates:,}"
    place, those = ("the candidate", "the") if found.alone else ("candidates", "a")
    return (
        f"In the place of {place} {found.stand_ins:,} known authors were tried, each with as many texts as {those} candidate has "
        f"({texts}), {once} at a time: own texts are those of such a stand-in, left out when they are tried."
    )


def thinned(summary: ValidationSummary) -> str:
    """The candidates of whom not all texts could be used; empty where there are none."""
    if summary.reference is None:
        return ""
    used = summary.reference.used
    more = [(each, used[each.author]) for each in summary.by_author if each.documents > used.get(each.author, 0)]
    used_of = [f"{count:,} of {each.documents:,} texts of {each.author}" for each, count in more]
    why = "too few other authors have as many to be tried with in the candidate's place"
    return f"Only {listed(used_of)} are used: {why}." if used_of else ""


_NO_NEW_SOURCE = ("sources-not-known", "nobody-has-two-sources")


def no_source_figures(summary: ValidationSummary) -> str:
    """That there are no figures for a new source, why, and how to change that; empty where there are."""
    return " ".join(reasons.sentences(note for note in summary.notes if note.code in _NO_NEW_SOURCE))


def trust(summary: ValidationSummary) -> tuple[str, str, str, str]:
    """On what was measured, whether LRs may be worth nothing, which outsider was taken for others most often, and how pairs fared."""
    return _measured(summary), _costly(summary), _outsider(summary), opinion.strangers(summary)


def other_notes(summary: ValidationSummary) -> list[str]:
    """What else limits the validation."""
    return reasons.sentences(note for note in summary.notes if note.code not in _NO_NEW_SOURCE)


def in_short(summary: ValidationSummary) -> str:
    """A few words for the status bar."""
    whole = summary.whole
    cllr, first = (whole.unlisted or whole.listed).cllr, whole.first.share
    said = [f"Cllr {cllr:.2f}"] if cllr is not None else []
    said += [f"own author first for {share(first)}"] if first is not None else []
    source = "new source" if whole.condition.source == "new" else "known source"
    return f"validated ({source}): {', '.join(said) or NOT_ESTIMABLE}"


def _measured(summary: ValidationSummary) -> str:
    said = [
        f"Measured on {summary.documents:,} known documents by {summary.authors:,} authors, each judged by models that had not seen it."
    ]
    others = [
        f"{reasons.METHODS[system]} for {share(each.accuracy)}"
        for system, each in summary.systems.items()
        if system != FUSED
    ]
    if others:
        said.append(f"Beside the fused ranking, the true author is put first by {', '.join(others)}.")
    if summary.reference is None:
        said.append(
            f"By chance it would be about {share(summary.chance)}, by always naming the author with most texts {share(summary.majority)}."
        )
    else:
        said.append(
            f"{summary.reference.stand_ins:,} authors stood in for a candidate, each with as many texts; whoever wrote a tried text, and "
            "the stand-in, were left out of those whom they were held against."
        )
    said.append(f"Authors and plots are those for {measured(summary.whole.condition)}.")
    return " ".join(said)


def _costly(summary: ValidationSummary) -> str:
    performances = [each for figure in summary.figures for each in (figure.listed, figure.unlisted) if each is not None]
    if all(each.cllr is None or each.cllr < 1 for each in performances):
        return ""
    return "Where the cost (Cllr) reaches 1, the likelihood ratios are no better than none: no opinion is given."


def _outsider(summary: ValidationSummary) -> str:
    worst = worst_outsider(summary)
    if worst is None or worst.outside_supported is None:
        return ""
    return (
        f"Of the texts by people not in the corpus, those by {worst.author} led to an opinion for somebody else most often: "
        f"{share(worst.outside_supported)}."
    )
