"""What the child process finds out for the views, each a function for `jobs.errands`: JSON in, JSON out; the case is only read.

A model made ready to judge texts takes seconds to open, so the last one is kept by the child for the next question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensia.case.documents import basis
from forensia.case.store import Case
from forensia.corpus import Document, read_disputed
from forensia.errors import InputError
from forensia.jobs import Progress, part
from forensia.wording.problems import worded

if TYPE_CHECKING:
    from forensia.case.analysing import Bench
    from forensia.evidence.explanation import Explanation, FeatureContribution
    from forensia.language import Analysis, AnalysisCache

Json = Any
News = Callable[[Json], None]
SHOWN = 120_000
"""Characters of a text that are shown; a longer one would make the window wait."""

_PLACES = 200  # of one feature in one text
_OF_FAMILY = 8  # features for and against that are listed for one family
_PASTED = "pasted"


@worded()
def peek(progress: Progress, news: News, *, case: str, text: Mapping[str, Json]) -> Json:
    """A text by what it is called and the beginning of what it says, before it is compared with another."""
    progress(0.0, "Reading the text")
    with Case.open(case, read_only=True) as read:
        return _text(_document(read, text))


def explain(progress: Progress, news: News, *, case: str, document: str, author: str) -> Json:
    """Why a disputed text resembles an author's most similar documents or does not, with the places in it and in the nearest one."""
    progress(0.0, "Loading the model")
    from forensia.evidence.explanation import explain_author, nearest
    from forensia.evidence.training import SENTENCES
    from forensia.features import count_documents

    bench = _ready(case)
    model = bench.means.model
    if author not in model.authors:
        raise InputError(f"'{author}' is not among the authors of the model. Train the model again.")
    code = model.authors.index(author)
    with Case.open(case, read_only=True) as read, read.analyses() as cache:
        text = read.document(document)
        counts = bench.count(text, cache, part(progress, 0.2, 0.5))
        if bool(counts.no_sentences[0]) and SENTENCES in model.options.families:
            model = model.without(SENTENCES)
        query = model.fitted.vectors(counts)
        (ranking,) = model.rank_vectors(query)
        rows = nearest(ranking.pr_same, model.codes, code, int(model.reach[code]))
        known = [read.document(model.documents[int(row)]) for row in rows]
        mask = model.fitted.space.mask_
        others = count_documents(
            known, bench.language, model.options.families, mask, 1, cache, part(progress, 0.5, 0.7)
        )
        found = explain_author(model.fitted, query, bench.means.background, rows, counts=(counts, others))
        progress(0.8, "Finding the passages")
        listed = _all_listed(found)
        return {
            "author": author,
            "documents": [each.path or each.title for each in known],
            "score": float(ranking.pr_same[int(rows[0])]),
            **_listed(found, listed),
            "texts": [_located(found, listed, each, bench, cache) for each in (text, known[0])],
        }


@worded()
def compare(progress: Progress, news: News, *, case: str, a: Mapping[str, Json], b: Mapping[str, Json]) -> Json:
    """Two texts: one writer or two, why, and the places in both."""
    progress(0.0, "Loading the model")
    from forensia.case.pairing import compare_documents
    from forensia.language import MemoryCache

    bench = _ready(case)
    with Case.open(case, read_only=True) as read:
        first, second = _document(read, a), _document(read, b)
    progress(0.2, "Comparing the texts")
    compared = compare_documents(bench, first, second, part(progress, 0.2, 0.8))
    found = {name: value for name, value in compared.found.items() if name not in ("contributions", "for", "against")}
    cache = MemoryCache()
    progress(0.85, "Finding the passages")
    listed = _all_listed(compared.explanation)
    return {
        **found,
        **_listed(compared.explanation, listed),
        "texts": [_located(compared.explanation, listed, each, bench, cache) for each in (first, second)],
    }


@lru_cache(maxsize=1)
def _bench(case: str, state: tuple[str, ...]) -> Bench:
    from forensia.case.analysing import Bench

    with Case.open(case, read_only=True) as read:
        made = Bench.of(read)
        made.language  # noqa: B018  # loaded now, so that the next question is answered at once
    return made


def _ready(case: str) -> Bench:
    """The case made ready to judge texts; opened anew when anything it rests on has changed."""
    with Case.open(case, read_only=True) as read:
        state = (
            basis(read.database, sources=True),
            *(f"{kind} {digest}" for kind, digest in sorted(read.array_kinds().items())),
        )
    return _bench(case, state)


def _document(case: Case, text: Mapping[str, Json]) -> Document:
    """A text that the case holds (`id`), that lies in a file (`path`), or that was pasted (`pasted`)."""
    if "id" in text:
        return case.document(str(text["id"]))
    if "path" in text:
        return read_disputed(Path(str(text["path"])))
    return read_disputed(str(text[_PASTED]).encode("utf-8", "replace"), name=f"{_PASTED}.txt")


def _text(document: Document) -> dict[str, Json]:
    whole = document.text
    return {
        "title": document.title,
        "file": document.path or document.title,
        "author": document.author,
        "words": document.words,
        "text": whole[:SHOWN],
        "more": max(0, len(whole) - SHOWN),
    }


def _located(
    found: Explanation,
    listed: Sequence[FeatureContribution],
    document: Document,
    bench: Bench,
    cache: AnalysisCache,
) -> dict[str, Json]:
    """A text with the places of every feature that is listed, as offsets into it."""
    from forensia.evidence.passages import passages
    from forensia.language import analyse

    whole = document.text
    analysis: Analysis
    (analysis,) = analyse([whole], bench.language, cache=cache)
    places: dict[str, Json] = {}
    for column in sorted(set(_columns(listed))):
        spans = passages(found.space, column, whole, analysis, _PLACES)
        kept = [[start, end] for start, end in spans.spans if end <= SHOWN]
        if kept:
            places[str(column)] = {"spans": kept, "more": spans.more or len(kept) < len(spans.spans)}
    return {**_text(document), "places": places}


def _all_listed(found: Explanation) -> list[FeatureContribution]:
    listed = [each for side in found.strongest() for each in side]
    for family in found.families:
        listed += [each for side in found.strongest(_OF_FAMILY, family.family) for each in side]
    return listed


def _listed(found: Explanation, listed: Sequence[FeatureContribution]) -> dict[str, Json]:
    """The sums by family, and the strongest features of all and of each family, by their columns."""
    favourable, adverse = found.strongest()
    by_family = {}
    for family in found.families:
        sides = found.strongest(_OF_FAMILY, family.family)
        by_family[family.family] = {name: _columns(side) for name, side in zip(("for", "against"), sides, strict=True)}
    return {
        "families": [family.to_json() for family in found.families if family.features],
        "features": {str(each.column): {**each.to_json(), "reading": each.reading} for each in listed},
        "for": _columns(favourable),
        "against": _columns(adverse),
        "by_family": by_family,
    }


def _columns(features: Sequence[FeatureContribution]) -> list[int]:
    return [each.column for each in features]
