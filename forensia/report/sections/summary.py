"""One page that says it all: question, answer in words, likelihood ratios, ranking, how far to trust it, main limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from forensia import figures
from forensia.evidence.result import LAZY, Candidate
from forensia.figures import Drawing
from forensia.report.contents import ComparisonEntry, JudgedText
from forensia.report.document import PdfDocument
from forensia.report.grid import Column, table
from forensia.report.letters import Piece
from forensia.report.paper import BODY, NOTE, Style
from forensia.report.scale import READING, scale_cell
from forensia.report.writing import SectionWriter, agreed, band, marked, placed, short_ratio, trimmed, with_subject
from forensia.wording import conditions, opinion, writers
from forensia.wording.limits import Limit, text, title
from forensia.wording.ratios import PLACED_AMONG, RANKING_CAPTION
from forensia.wording.reasons import HEADS
from forensia.wording.templates import listed

_ANSWER = Style(11.0, 14.8)
_SCALE = "Likelihood ratios of the first authors, with their 95 % intervals; beyond the dashed lines the validation supports no statement."
_SCALE_OF_ONE = (
    "The likelihood ratio, with its 95 % interval; beyond the dashed lines the validation supports no statement."
)
_BRIEF = Style(9.6, 12.6)
_SMALL = Style(8.7, 11.2)
_STATED = 6  # so many disputed texts get a sentence each; beyond, the table says it


@dataclass(frozen=True)
class _Form:
    """How full the summary is: authors, limits, and whether limits are explained, answers stated, and tables set with lines."""

    ranked: int
    limits: int
    explained: bool = True
    stated: bool = True
    question: int = 4
    lines: bool = True


_FORMS = (
    _Form(5, 6), _Form(4, 5), _Form(3, 5), _Form(3, 4), _Form(3, 3), _Form(3, 5, explained=False), _Form(0, 5), _Form(0, 4),
    _Form(3, 4, explained=False, stated=False, question=2), _Form(0, 3, explained=False, stated=False, question=2),
    _Form(0, 3, explained=False, stated=False, question=2, lines=False),
)  # fmt: skip


def write(report: SectionWriter) -> None:
    """The summary in the fullest form that fits on one page."""
    report.doc.new_page()
    scales: dict[int, Drawing] = {}
    for form in _FORMS:
        with report.doc.trial() as trial:
            _write(report, form, scales)
        if not trial.breaks:
            break
    _write(report, form, scales)


def _write(report: SectionWriter, form: _Form, scales: dict[int, Drawing]) -> None:
    doc, documents = report.doc, report.found.documents
    doc.heading("Summary", 0)
    for sentence in report.no_new_source() if documents else ():
        doc.paragraph([Piece(sentence, BODY.strong)], BODY, after=7)
    _label(report, "The question")
    doc.paragraph(doc.letters.fitted(_question(report), BODY, doc.width, form.question), BODY, after=7)
    _label(report, "The answer")
    if len(documents) == 1:
        _answer(report, documents[0], _ANSWER, named=bool(report.found.comparisons))
        _candidates(report, documents[0], form, scales)
    elif documents:
        if len(documents) <= _STATED and form.stated:
            for each in documents:
                _answer(report, each, _BRIEF, named=True)
        else:
            doc.paragraph(
                f"For each of the {report.say.count(len(documents))} disputed texts the table gives the author whom the findings are about "
                "and the likelihood ratio; the section on results has the sentences.",
                _BRIEF,
            )
        _table(report, form)
    for compared in report.found.comparisons:
        _compared(report, compared)
    if documents:
        _label(report, "How far this can be trusted")
        _trust(report, form)
    _label(report, "Main limits")
    limits = report.found.limits
    shown = limits[: form.limits]
    doc.bullets([_limit(limit, form) for limit in shown], _BRIEF, gap=1.5)
    if len(limits) > len(shown):
        doc.paragraph("The section on limits has all of them.", NOTE, after=0)


def _label(report: SectionWriter, text: str) -> None:
    doc = report.doc
    doc.need(2 * BODY.leading)
    doc.write(doc.left, doc.y, text, BODY.strong)
    doc.y += BODY.leading + 2


def _question(report: SectionWriter) -> str:
    return report.details.question or report.question


def _answer(report: SectionWriter, document: JudgedText, style: Style, *, named: bool = False) -> None:
    """What may be said of one text, with a line beside it."""
    doc, result = report.doc, document.result
    said, found = opinion.statement(result), opinion.findings(result)
    if named and found is not None and result.opinion.kind in ("author", "not the author"):
        said = found.statement
    said = " ".join([said, *opinion.reasons(result)])
    pieces = [Piece(said, style if named else style.strong if not result.opinion.given else style)]
    if named:
        name = doc.letters.fitted(report.name(document), style.strong, doc.width * 0.6)
        pieces.insert(0, Piece(f"{name}: ", style.strong))
    _beside_a_line(doc, pieces, style)


def _compared(report: SectionWriter, compared: ComparisonEntry) -> None:
    """What may be said of texts that were compared with each other, and how often such an answer is wrong."""
    names = report.compared(compared)
    said, *more = writers.answer(compared.found, names)
    pieces = [Piece(said, _BRIEF.strong), Piece(" " + " ".join(more), _BRIEF)]
    if len(report.found.comparisons) > 1 or report.found.documents:
        about = report.doc.letters.fitted(listed(names), _BRIEF.strong, report.doc.width * 0.6)
        pieces.insert(0, Piece(f"{about}: ", _BRIEF.strong))
    _beside_a_line(report.doc, pieces, _BRIEF)


def _beside_a_line(doc: PdfDocument, pieces: Sequence[Piece], style: Style) -> None:
    with doc.inset(10):
        lines = doc.letters.compose(pieces, doc.width)
        height = len(lines) * style.leading
        doc.need(height)
        doc.stroke(doc.left - 7, doc.y + 1, doc.left - 7, doc.y + height - 1, 2.0, grey=90)
        doc.set_lines(lines, style.leading, style)
    doc.y += 5


def _candidates(report: SectionWriter, document: JudgedText, form: _Form, scales: dict[int, Drawing]) -> None:
    """The LRs of the first authors on a scale, and the rankings, for a single text; `scales` keeps what was drawn for a trial."""
    doc, say, result = report.doc, report.say, document.result
    rows = with_subject(result, form.ranked or 3)
    if rows[0].headline is not None and form.ranked:
        if len(rows) not in scales:
            scales[len(rows)] = _scale(report, rows)
        doc.y += 2
        doc.figures([scales[len(rows)]], caption=_SCALE_OF_ONE if len(result.candidates) == 1 else _SCALE)
        doc.y -= 8
    among = PLACED_AMONG if result.population and LAZY in result.systems else ""
    first, whole = say.count(len(rows)), say.count(len(result.candidates))
    which = f"all {whole} candidates" if first == whole else f"{first} of {whole} candidates"
    table(
        doc,
        [
            Column("Author", lines=1),
            *(Column(head, 74, "right", 1) for head in (*(HEADS[system] for system in result.rankings), "LR")),
        ],
        [
            (
                marked(result, each),
                *(placed(say, result, each, system) for system in result.rankings),
                short_ratio(say, each.headline),
            )
            for each in rows
        ],
        caption=f"The scores of the only candidate{among}."
        if len(result.candidates) == 1
        else f"Ranks and scores of {which} ({RANKING_CAPTION}{among}).",
        after=8,
    )


def _scale(report: SectionWriter, rows: Sequence[Candidate]) -> Drawing:
    """The LRs of some authors with their intervals, within the bounds of the alternative that is outside the corpus, if there are any."""
    ratios = [each.headline for each in rows]
    ends = [ratio.interval if ratio and ratio.interval else (math.nan, math.nan) for ratio in ratios]
    values = [ratio.log10 if ratio else math.nan for ratio in ratios]
    bounded = [*(each.unlisted for each in rows), *(each.listed for each in rows)]
    narrow = next((ratio.bounds for ratio in bounded if ratio is not None), None)
    names = [each.author for each in rows]
    return figures.lr_scale(names, values, report.look(2.0), intervals=ends, bounds=narrow)


def _table(report: SectionWriter, form: _Form) -> None:
    """A line for each of several texts."""
    say = report.say
    rows = []
    for document in report.found.documents:
        result = document.result
        first = result.subject
        rows.append(
            (
                report.name(document),
                agreed(result),
                short_ratio(say, first.headline),
                scale_cell(first.headline),
                band(result, first.headline),
                "given" if result.opinion.given else "none",
            )
        )
    asked = all(each.result.asked is not None for each in report.found.documents)
    head = "Asked about" if asked else "Highest score"
    mixed = len({each.result.question.kind for each in report.found.documents}) > 1
    caption = f"The author with the highest score for each text ({RANKING_CAPTION}). {READING}"
    if mixed:
        head = "About"
        caption = (
            f"The author whom the findings are about, for each text: with the highest score, or asked about. {READING}"
        )
    if asked:
        caption = f"The author who is asked about, for each text. {READING}"
    columns = [
        Column("Disputed text", lines=1), Column(head, 90, lines=2), Column("LR", 44, "right", 1),
        Column("LR on a scale", 80), Column("In words", 74, lines=1), Column("Opinion", 36, lines=1),
    ]  # fmt: skip
    table(report.doc, columns, rows, caption=caption, lines=form.lines, after=9)


def _not_validated(report: SectionWriter) -> list[str]:
    """Why nothing is said of how far the numbers can be trusted."""
    if report.found.older_validation:
        return [
            f"The case was validated by version {report.found.older_validation} of the program. This version cannot read that validation, "
            "so how far the numbers can be trusted is not stated."
        ]
    return ["The model has no validation: how far its rankings can be trusted was not measured."]


def _trust(report: SectionWriter, form: _Form) -> None:
    """Both figures side by side, and which of them holds for which text."""
    doc, validation = report.doc, report.found.validation
    if validation is None:
        doc.bullets(_not_validated(report), _BRIEF, gap=1.5)
        return
    columns = [Column("", lines=1), *(Column(head, 138, "right", 1) for head in conditions.SOURCES.values())]
    caption = (
        "Whole known texts, each tried by a model that had not seen it: left out with its source (new source), or without it (known "
        f"source); in brackets 95 % intervals. Cllr: 0 is perfect, 1 useless. {conditions.stand_ins(validation)}".strip()
    )
    rows = conditions.side_by_side(validation, report.say)
    table(doc, columns, rows, caption=caption, style=_SMALL, lines=form.lines, after=5)
    documents = [(report.name(each), each.result) for each in report.found.documents]
    doc.paragraph(doc.letters.fitted(" ".join(conditions.which(documents)), _BRIEF, doc.width, 4), _BRIEF, after=7)


def _limit(limit: Limit, form: _Form) -> list[Piece]:
    pieces = [Piece(f"{title(limit)}. ", _BRIEF.strong)]
    return [*pieces, Piece(trimmed(text(limit)), _BRIEF)] if form.explained else pieces
