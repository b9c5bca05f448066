"""The limits of a report, made from what was found in this case: none is printed that does not apply, none that applies is left out.

Here is decided which apply and how grave they are; `wording.limits` has their titles and texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from forensia.corpus.document import Severity
from forensia.evidence.likelihood import FEWEST_AUTHORS
from forensia.evidence.opinion import ALPHA, FEW_AUTHORS, FEW_WORDS
from forensia.evidence.result import Alternative, Changed, Result
from forensia.wording.limits import Limit

if TYPE_CHECKING:
    from forensia.report.contents import Contents

__all__ = ["limits", "turning"]

_QUOTED = 4  # problems in the disputed texts
_WIDE = 1.5  # decades of an interval
_UNEQUAL = 2.0
_LONGER = 3.0
_COSTLY = 0.5


def limits(contents: Contents) -> list[Limit]:
    """Every limit that applies, the gravest first; what limits a ranking or its LRs, only where a text was held against candidates."""
    rules: Sequence[Callable[[Contents], Iterator[Limit]]] = (
        _abstentions, _lengths, _validation, _cost, _open_set, _authors, _sources, _counts, _of_texts, _weak_test, _genre, _several,
        _compared, _texts, _training, _passages,
    )  # fmt: skip
    if not contents.documents:
        rules = (_compared, _validation, _genre, _texts, _training)
    every = [limit for rule in rules for limit in rule(contents)]
    return sorted(every, key=lambda limit: -limit.weight)


def _results(contents: Contents) -> list[Result]:
    return [document.result for document in contents.documents]


def _files(results: Iterable[Result]) -> tuple[str, ...]:
    return tuple(result.file for result in results)


def _abstentions(contents: Contents) -> Iterator[Limit]:
    silent = [result for result in _results(contents) if not result.opinion.given]
    if silent:
        reasons = tuple(reason for result in silent for reason in result.opinion.reasons)
        yield Limit("no-opinion", 100, {"files": _files(silent)}, reasons)


def _lengths(contents: Contents) -> Iterator[Limit]:
    brief = [result for result in _results(contents) if result.words < FEW_WORDS]
    if brief:
        fewest = min(result.words for result in brief)
        yield Limit("short", 70, {"files": _files(brief), "few": FEW_WORDS, "words": fewest})


def _validation(contents: Contents) -> Iterator[Limit]:
    if contents.validation is None:
        older = contents.older_validation
        yield Limit("older-validation", 99, {"program": older}) if older else Limit("not-validated", 99)
        return
    if contents.validation.quick and not contents.validation.fused_only:
        yield Limit("quick", 80)
    if not contents.validation.converged:
        yield Limit("validation-not-converged", 82)


def _cost(contents: Contents) -> Iterator[Limit]:
    figure = contents.figure
    if figure is None:
        return
    for alternative in () if contents.validation is None else contents.validation.alternatives:
        measured = figure.against(alternative)
        if measured is None or measured.cllr is None:
            continue
        code = "cost-listed" if alternative is Alternative.LISTED else "cost-unlisted"
        against = {"alternative": alternative.value}
        ends = measured.cllr_interval
        if ends is not None and ends[1] >= 1:
            yield Limit(code, 92, {**against, "bound": ends[1]})
        elif measured.cllr > _COSTLY:
            yield Limit(code, 60, {**against, "cllr": measured.cllr})


def _open_set(contents: Contents) -> Iterator[Limit]:
    outsiders = None if contents.figure is None else contents.figure.open_set.unlisted
    wrongly = None if outsiders is None else outsiders.wrongly_supported
    agreed = [result for result in _results(contents) if result.question.kind == "one of these"]
    if agreed:
        because = tuple(dict.fromkeys(result.question.because for result in agreed))
        yield Limit("agreed", 89, {"files": _files(agreed), "because": because})
    if contents.population:
        candidates = contents.candidates
        yield Limit("population", 76, {"authors": contents.population, "candidates": candidates, "wrongly": wrongly})
        return
    yield Limit("open-set", 75, {"authors": contents.model.authors, "wrongly": wrongly})


def _authors(contents: Contents) -> Iterator[Limit]:
    authors = contents.model.authors
    if contents.validation is None:
        return
    if contents.validation.whole.unlisted is None:
        yield Limit("unlisted-not-estimable", 90, {"authors": authors, "fewest": FEWEST_AUTHORS})
    elif authors < FEW_AUTHORS:
        code = "few-in-population" if contents.population else "few-authors"
        yield Limit(code, 55, {"authors": authors, "few": FEW_AUTHORS})


def _sources(contents: Contents) -> Iterator[Limit]:
    if contents.validation is None:
        return
    untried = contents.validation.one_source
    if contents.validation.of("new") is None:
        yield Limit("no-new-source", 94, {"told": contents.validation.told})
    elif untried:
        yield Limit("few-sources", 58, {"names": untried, "authors": contents.validation.authors})
    known = [result for result in _results(contents) if result.stated.source == "known"]
    if known:
        because = tuple(dict.fromkeys(result.stated.because for result in known))
        yield Limit("stated-known", 88, {"files": _files(known), "because": because})


def _counts(contents: Contents) -> Iterator[Limit]:
    counts = [each.documents for each in contents.materials.candidates if each.documents]
    if counts and max(counts) > _UNEQUAL * min(counts):
        yield Limit("unequal-counts", 40, {"fewest": min(counts), "most": max(counts)})


def _of_texts(contents: Contents) -> Iterator[Limit]:
    """What limits the result of single texts."""
    for code, weight, applies in _OF_TEXTS:
        some = [result for result in _results(contents) if applies(result)]
        if some:
            yield Limit(code, weight, {"files": _files(some)})


def _disagree(result: Result) -> bool:
    """Whether methods of different kinds put different authors first."""
    firsts = {result.ranked(system)[0].author for system in result.rankings}
    return len(firsts) > 1 or any(not vote.agrees for vote in result.votes)


def _turns(result: Result) -> bool:
    """Whether the LR of an only candidate does not survive every change."""
    return len(result.candidates) == 1 and bool(turning(result))


def _falls(result: Result) -> bool:
    """Whether the first place of several does not."""
    tried = result.sensitivity
    return len(result.candidates) > 1 and tried is not None and not tried.survives


def _topical(result: Result) -> bool:
    """Whether another of several is first once the words of the topic are hidden."""
    variants = () if result.sensitivity is None or len(result.candidates) == 1 else result.sensitivity.variants
    return any(each.kind == "mask" and each.first != result.candidates[0].author for each in variants)


def _wide(result: Result) -> bool:
    """Whether the interval of the LR is wide."""
    ratio = result.subject.headline
    return ratio is not None and ratio.interval is not None and ratio.interval[1] - ratio.interval[0] > _WIDE


def _bounded(result: Result) -> bool:
    """Whether the LR stands at a bound."""
    return result.subject.headline is not None and result.subject.headline.reached is not None


def _typed_otherwise(code: str) -> Callable[[Result], bool]:
    """Whether there is a warning about how the text is typed."""
    return lambda result: any(each.code == code for each in result.warnings)


_OF_TEXTS: tuple[tuple[str, int, Callable[[Result], bool]], ...] = (
    ("disagreement", 78, _disagree),
    ("turns", 72, _turns),
    ("sensitive", 72, _falls),
    ("topic", 66, _topical),
    ("wide-interval", 64, _wide),
    ("at-bound", 35, _bounded),
    ("no-sentences", 63, lambda result: result.no_sentences),
    ("typing-differs", 51, _typed_otherwise("typing-differs")),
    ("typing-differs-and-counts", 67, _typed_otherwise("typing-differs-and-counts")),
    ("fused-only", 64, lambda result: result.fused_only),
)


def turning(result: Result) -> list[Changed]:
    """The changes by which the LR of the author whom the findings are about comes to the other side of 1."""
    ratio, tried = result.subject.headline, result.sensitivity
    if ratio is None or tried is None:
        return []
    return [each for each in tried.variants if each.log10 is not None and (each.log10 > 0) != (ratio.log10 > 0)]


def _weak_test(contents: Contents) -> Iterator[Limit]:
    if contents.validation is None:
        return
    smallest = [each.smallest_p or 1.0 for each in contents.validation.by_author]
    weak = sum(1 for p in smallest if p >= ALPHA)
    if weak:
        yield Limit("weak-test", 45, {"count": weak, "authors": len(smallest), "smallest": min(smallest)})


def _genre(contents: Contents) -> Iterator[Limit]:
    known = sorted(text.words for text in contents.materials.known if text.excluded is None)
    middle = known[len(known) // 2] if known else 0
    far = []
    for result in _results(contents):
        tried = middle if result.condition is None else result.condition.words or middle
        if tried and not 1 / _LONGER <= result.words / tried <= _LONGER:
            far.append(result)
    if far:
        yield Limit("other-length", 50, {"files": _files(far)})
    languages = {text.language for text in contents.materials.known if text.language}
    strange = tuple(
        text.file for text in contents.materials.disputed if text.language and text.language not in languages
    )
    if strange and languages:
        yield Limit("other-language", 85, {"files": strange})
    yield Limit("genre", 52)
    yield Limit("disguise", 54)


def _several(contents: Contents) -> Iterator[Limit]:
    if len(contents.documents) > 1:
        together = {document.id for document in contents.documents}
        compared = any(together <= set(each.documents) for each in contents.comparisons)
        yield Limit("several", 48, {"count": len(contents.documents), "compared": compared})


def _compared(contents: Contents) -> Iterator[Limit]:
    if contents.comparisons:
        sources = any(each.sources for each in contents.materials.authors)
        yield Limit("compared", 74, {"authors": contents.model.authors, "sources": sources})


def _texts(contents: Contents) -> Iterator[Limit]:
    grave = tuple(
        each.problem
        for each in contents.preprocessing.problems
        if each.where == "disputed" and each.problem.severity is not Severity.NOTE
    )
    if grave:
        yield Limit("doubtful-text", 68, problems=grave[:_QUOTED])
    if contents.preprocessing.set_aside:
        yield Limit("set-aside", 42, {"count": len(contents.preprocessing.set_aside)})


def _training(contents: Contents) -> Iterator[Limit]:
    if contents.model.pairs is not None and not contents.model.pairs.converged:
        yield Limit("not-converged", 84)
    if contents.model.profile == "paper":
        yield Limit("paper-profile", 98)


def _passages(contents: Contents) -> Iterator[Limit]:
    why = tuple(dict.fromkeys(document.no_passages for document in contents.documents if document.no_passages))
    if why:
        yield Limit("no-passages", 30, {"why": why})
