"""The results for each disputed text: what may be said, every candidate, every known text, and what the likeness rests on."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

from forensia import figures
from forensia.evidence.result import FUSED, LAZY, STACKED, Alternative, Candidate
from forensia.report.contents import JudgedText
from forensia.report.grid import Cell, Column, table
from forensia.report.letters import Piece
from forensia.report.paper import BODY, CAPTION, Style
from forensia.report.printing import NONE
from forensia.report.scale import READING, scale_cell
from forensia.report.sections import disputedtext, features
from forensia.report.writing import SectionWriter, band, interval, marked, placed, short_ratio, with_subject
from forensia.wording import conditions, opinion
from forensia.wording.ratios import CONFORMAL_CAPTION, PLACED_AMONG, RANKING_CAPTION, STAND_INS_CAPTION
from forensia.wording.reasons import ALTERNATIVES, COUNTS_LESS, HEADS, SYSTEMS, warnings
from forensia.wording.templates import listed

_NARROW = Style(8.7, 11.2)
_WIDTHS = {FUSED: 34, LAZY: 42, STACKED: 44}
_FEW = 10  # candidates in the table and the strip plot of each text when there are many texts


def write(report: SectionWriter) -> None:
    """Results, if a text was held against candidates."""
    doc = report.doc
    if not report.found.documents:
        return
    doc.heading("Results", follow=120)
    systems = [HEADS[system] for system in report.found.documents[0].result.rankings]
    alone = report.found.candidates == 1
    among = PLACED_AMONG if report.found.population and len(systems) > 1 else ""
    what = f"the score{among}" if alone else f"rank, and in brackets the score ({RANKING_CAPTION}{among})"
    told = f"How to read the table{'' if alone and not report.many else 's'} of candidates. {listed(systems)}: {what}."
    if any(each.headline for document in report.found.documents for each in document.result.candidates):
        told += (
            f" LR: how many times more probable the findings are if the author wrote the text than if {_alternative(report)}; ≥ (at "
            f"least) and ≤ (at most) mark the limit that the number of validation comparisons supports. {READING} In words: support for "
            f"the author, or against. p: {STAND_INS_CAPTION if report.found.population else CONFORMAL_CAPTION}."
        )
        if not report.found.closed and not alone:
            told += " The table after it has the LR against each alternative by itself."
    doc.paragraph(told)
    if report.many:
        doc.paragraph(f"How to read what the likeness rests on. {features.how_to_read(report.found.documents)}")
    for document in report.found.documents:
        _document(report, document)


def _alternative(report: SectionWriter) -> str:
    if report.found.closed:
        return "another of the listed authors did"
    if report.found.candidates == 1:
        return "somebody else did, for whom the reference population stands"
    return f"the alternative is true, whichever of both gives the {_less(report)} LR"


def _less(report: SectionWriter) -> str:
    """Which of two LRs is the headline."""
    return "weaker" if report.found.older_validation else "lower"


def _document(report: SectionWriter, document: JudgedText) -> None:
    doc = report.doc
    doc.settle()  # no figure of the text before comes under this one's heading
    doc.heading(report.name(document), 1, follow=120)
    _opinion(report, document)
    _candidates(report, document)
    _strip(report, document)
    _agreement(report, document)
    features.write(report, document)
    disputedtext.write(report, document)


def _opinion(report: SectionWriter, document: JudgedText) -> None:
    """The opinion with its reasons, the findings it rests on, the warnings."""
    doc, say, result = report.doc, report.say, document.result
    said = result.opinion
    findings = opinion.findings(result)
    if asked := opinion.particular(result):
        doc.paragraph(f"The question: {asked}")
    doc.paragraph(
        [
            *(Piece(f"{each} ", BODY) for each in report.no_new_source(result)),
            Piece(opinion.statement(result), BODY.strong if not said.given else BODY),
            Piece(" " + " ".join(opinion.reasons(result)), BODY),
        ]
    )
    if findings is not None and said.kind in ("none given", "none of these"):
        first = "" if result.asked else f"The author with the highest score is {said.about}. "
        about = said.about if result.asked else "this author"
        doc.paragraph(f"{first}The findings about {about}, on which no opinion rests: {findings.statement}")
    share = said.family_p
    if share is not None and result.population:
        who = "a stand-in" if len(result.candidates) == 1 else f"one of {say.count(len(result.candidates))} stand-ins"
        doc.paragraph(
            f"Of texts by others, about {say.share(share)} score as high with {who} for the candidate"
            f"{'' if len(result.candidates) == 1 else 's'} as this one does with {result.candidates[0].author}."
        )
    elif share is not None:
        doc.paragraph(
            f"Of texts by people who are not in the corpus, about {say.share(share)} would score as high with the one of the "
            f"{say.count(len(result.candidates))} listed authors who comes first for them"
            f"{'' if report.found.older_validation else f', {COUNTS_LESS}'}."
        )
    doc.paragraph(f"The text has {say.count(result.words)} words. {conditions.holds(result)}".strip())
    kept_in_mind = warnings(result)
    if kept_in_mind:
        doc.bullets(kept_in_mind)


def _candidates(report: SectionWriter, document: JudgedText) -> None:
    """Every candidate with ranks, scores and LR; of many texts, the first in a table and the others in a sentence."""
    say, result = report.say, document.result
    listed = result.candidates
    if report.many and len(listed) > _FEW + 2:
        listed = with_subject(result, _FEW)
    systems = result.rankings
    rows: list[tuple[Cell, ...]] = []
    for each in listed:
        rows.append(
            (
                marked(result, each),
                *(placed(say, result, each, system) for system in systems),
                short_ratio(say, each.headline),
                interval(say, each.headline),
                scale_cell(each.headline),
                band(result, each.headline),
                say.p(each.p),
            )
        )
    columns = [
        Column("Author", lines=2), *(Column(HEADS[system], _WIDTHS[system], "right", 1) for system in systems),
        Column("LR", 34, "right", 1), Column("95 % interval", 60, "right", 1), Column("LR on a scale", 44, lines=1), Column("In words", 60),
        Column("p", 26, "right", 1),
    ]  # fmt: skip
    if all(each.headline is None for each in result.candidates):  # not validated: a ranking and nothing else
        columns = [Column("Author", lines=2), *(Column(HEADS[system], 110, "right", 1) for system in systems)]
        rows = [row[: 1 + len(systems)] for row in rows]
    table(
        report.doc,
        columns,
        rows,
        caption="The only candidate."
        if len(result.candidates) == 1
        else f"{_which(report, len(rows), len(result.candidates))} ({RANKING_CAPTION}).",
        style=_NARROW,
        gap=5.5,
        after=12 if len(rows) == len(result.candidates) else 6,
    )
    _alternatives(report, listed)
    _others(report, [each for each in result.candidates if each not in listed])


def _alternatives(report: SectionWriter, candidates: Sequence[Candidate]) -> None:
    """The LRs of candidates against both alternatives; where there is only one, the table of candidates has it."""
    if all(each.unlisted is None for each in candidates) or all(each.listed is None for each in candidates):
        return
    outside = Alternative.POPULATION if report.found.population else Alternative.UNLISTED
    say, both = report.say, (Alternative.LISTED, outside)
    table(
        report.doc,
        [
            Column("Author", lines=2),
            *(
                column
                for each in both
                for column in (
                    Column(f"LR, {ALTERNATIVES[each.value]}", 84, "right"),
                    Column("95 % interval", 76, "right", 1),
                )
            ),
        ],
        [
            (
                each.author,
                *(show(say, ratio) for ratio in (each.listed, each.unlisted) for show in (short_ratio, interval)),
            )
            for each in candidates
        ],
        caption=f"Their LRs against each alternative; the {_less(report)} of the two is the LR above.",
        style=_NARROW,
        lines=not report.many,
        gap=5.5,
        after=12,
    )


def _which(report: SectionWriter, shown: int, whole: int) -> str:
    if shown == whole:
        return f"All {report.say.count(whole)} candidates"
    return f"The first {report.say.count(shown)} of {report.say.count(whole)} candidates"


def _others(report: SectionWriter, rows: Sequence[Candidate]) -> None:
    """The candidates that the table leaves out, with their LRs."""
    if not rows:
        return
    letters, say = report.doc.letters, report.say
    told = ", ".join(f"{letters.fitted(each.author, CAPTION, 150)} {short_ratio(say, each.headline)}" for each in rows)
    report.doc.paragraph(
        f"The other candidates in their order, each with its LR ({NONE}: none): {told}.", CAPTION, after=10
    )


def _strip(report: SectionWriter, document: JudgedText) -> None:
    """Pr(Same) with every known text; those of a population stand together."""
    result, say = document.result, report.say
    if result.fused_only:
        return
    ranked = result.ranked(LAZY)[: _FEW if report.many else figures.MOST_ROWS - 1]
    others = f"population ({say.count(result.population)} authors)"
    together = {author: others for author in result.known.authors if author not in result.by_author}
    rows = [each.author for each in ranked] + ([others] if together else [])
    scores = [each.systems[LAZY].score for each in ranked] + ([nan] if together else [])
    drawing = figures.pr_same(
        result.pair_scores, [together.get(author, author) for author in result.known.authors], rows, result.k,
        report.look(3.0), author_scores=scores, reach={others: 0, **{each.author: each.reach for each in ranked}}, most=len(rows),
    )  # fmt: skip
    report.doc.figures([drawing], floating=True)


def _agreement(report: SectionWriter, document: JudgedText) -> None:
    """Whether methods of other kinds agree."""
    result = document.result
    if not result.votes or len(result.candidates) == 1:
        return
    rows = [
        *((SYSTEMS[system], result.ranked(system)[0].author, "") for system in result.rankings),
        *(
            (
                SYSTEMS[vote.method],
                vote.first,
                "" if vote.accepts is None else "accepts" if vote.accepts else "accepts nobody",
            )
            for vote in result.votes
        ),
    ]
    if report.many:
        letters = report.doc.letters
        told = "; ".join(
            f"{method}: {letters.fitted(first, BODY, 200)}{f' ({own})' if own else ''}" for method, first, own in rows
        )
        report.doc.paragraph(f"Methods of different kinds and whom they put first. {told}.")
        return
    table(
        report.doc,
        [Column("Method", 110), Column("First author", lines=2), Column("By its own threshold", 130)],
        rows,
        caption="Whether methods of other kinds come to the same author.",
    )
