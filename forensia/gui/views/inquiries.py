"""What the child process finds out for the views, each a function for `jobs.errands`: JSON in, JSON out; the case is only read.

A model made ready to judge texts takes seconds to open, so the last one is kept by the child for the next question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensia import codec
from forensia.case.documents import basis
from forensia.case.store import Case
from forensia.corpus import Document, read_disputed
from forensia.errors import InputError
from forensia.gui.views.found import ExplainedAuthor, ExplainedPair, ExplainedTexts, Located, Span
from forensia.jobs import Progress, part
from forensia.wording.problems import worded

if TYPE_CHECKING:
    from forensia.case.session import Session
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
        return codec.plain(_located(_document(read, text)))


def explain(progress: Progress, news: News, *, case: str, document: str, author: str) -> Json:
    """Why a disputed text resembles an author's most similar documents or does not, with the places in it and in the nearest one."""
    progress(0.0, "Loading the model")
    from forensia.evidence.explanation import explain_author, nearest
    from forensia.systems.pairmodel import SENTENCES

    session = _ready(case)
    model = session.judge.pairs
    if author not in model.authors:
        raise InputError(f"'{author}' is not among the authors of the model. Train the model again.")
    code = model.authors.index(author)
    with Case.open(case, read_only=True) as read, read.analyses() as cache:
        text = read.document(document)
        counts = session.count(text, cache, part(progress, 0.2, 0.5))
        if bool(counts.no_sentences[0]) and SENTENCES in model.options.families:
            model = model.without(SENTENCES)
        query = model.fitted.vectors(counts)
        (ranking,) = model.rank_vectors(query)
        rows = nearest(ranking.pr_same, model.codes, code, int(model.reach[code]))
        known = [read.document(model.learnt.documents[int(row)]) for row in rows]
        others = session.count_all(known, cache, part(progress, 0.5, 0.7))
        found = explain_author(model.fitted, query, session.judge.background, rows, counts=(counts, others))
        progress(0.8, "Finding the passages")
        score = float(ranking.pr_same[int(rows[0])])
        return codec.plain(ExplainedAuthor(author, score, _found(found, (text, known[0]), session, cache)))


@worded()
def compare(progress: Progress, news: News, *, case: str, a: Mapping[str, Json], b: Mapping[str, Json]) -> Json:
    """Two texts: one writer or two, why, and the places in both."""
    progress(0.0, "Loading the model")
    from forensia.language import MemoryCache
    from forensia.service.comparing import compare_documents

    session = _ready(case)
    with Case.open(case, read_only=True) as read:
        first, second = _document(read, a), _document(read, b)
    progress(0.2, "Comparing the texts")
    compared = compare_documents(session, first, second, part(progress, 0.2, 0.8))
    progress(0.85, "Finding the passages")
    found = _found(compared.explanation, (first, second), session, MemoryCache())
    return codec.plain(ExplainedPair(compared.result, found))


@lru_cache(maxsize=1)
def _session(case: str, state: tuple[str, ...]) -> Session:
    from forensia.case.session import Session

    with Case.open(case, read_only=True) as read:
        made = Session.of(read)
        made.language  # noqa: B018  # loaded now, so that the next question is answered at once
    return made


def _ready(case: str) -> Session:
    """The case made ready to judge texts; opened anew when anything it rests on has changed."""
    with Case.open(case, read_only=True) as read:
        state = (
            basis(read.database, sources=True),
            *(f"{kind} {digest}" for kind, digest in sorted(read.array_kinds().items())),
        )
    return _session(case, state)


def _document(case: Case, text: Mapping[str, Json]) -> Document:
    """A text that the case holds (`id`), that lies in a file (`path`), or that was pasted (`pasted`)."""
    if "id" in text:
        return case.document(str(text["id"]))
    if "path" in text:
        return read_disputed(Path(str(text["path"])))
    return read_disputed(str(text[_PASTED]).encode("utf-8", "replace"), name=f"{_PASTED}.txt")


def _located(document: Document, places: Mapping[int, tuple[Span, ...]] | None = None) -> Located:
    whole = document.text
    more = max(0, len(whole) - SHOWN)
    return Located(document.title, document.author, document.words, whole[:SHOWN], more, places or {})


def _found(
    explanation: Explanation, documents: tuple[Document, Document], session: Session, cache: AnalysisCache
) -> ExplainedTexts:
    """What speaks for and against, with the places in both texts of every feature that is listed."""
    favourable, adverse = explanation.strongest()
    by_family = {each.family: explanation.strongest(_OF_FAMILY, each.family) for each in explanation.families}
    sides = [favourable, adverse, *(side for both in by_family.values() for side in both)]
    features = {each.column: each for side in sides for each in side}
    first, second = (_located(each, _places(explanation, sorted(features), each, session, cache)) for each in documents)
    return ExplainedTexts(
        tuple(each for each in explanation.families if each.features),
        features,
        _columns(favourable),
        _columns(adverse),
        {family: (_columns(one), _columns(other)) for family, (one, other) in by_family.items()},
        (first, second),
    )


def _places(
    explanation: Explanation, columns: Sequence[int], document: Document, session: Session, cache: AnalysisCache
) -> dict[int, tuple[Span, ...]]:
    """Where features stand in a text, as offsets into it; those beyond what is shown are left out."""
    from forensia.corpus.typing import typed
    from forensia.evidence.passages import passages
    from forensia.language import analyse

    read = typed(document.text, explanation.space.typing_)
    analysis: Analysis
    (analysis,) = analyse([read.text], session.language, cache=cache)
    found = {}
    for column in columns:
        spans = passages(explanation.space, column, read, analysis, _PLACES).spans
        kept = tuple((start, end) for start, end in spans if end <= SHOWN)
        if kept:
            found[column] = kept
    return found


def _columns(features: Sequence[FeatureContribution]) -> tuple[int, ...]:
    return tuple(each.column for each in features)
