"""The cover, and one page that says it all: question, answer in words, likelihood ratios, ranking, how far to trust it, main limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from forensia import figures
from forensia.evidence.result import LAZY, Candidate
from forensia.figures import Drawing
from forensia.report.blocks import (
    Bullets,
    Column,
    Cover,
    FirstThatFits,
    Heading,
    Illustration,
    OnScale,
    PageBreak,
    Paragraph,
    Piece,
    Table,
    strong,
)
from forensia.report.contents import ComparisonEntry, JudgedText
from forensia.report.sections import (
    SCALE_READING,
    Blocks,
    Report,
    days,
    marked,
    placed,
    short_ratio,
    support_in_words,
    trimmed,
    with_subject,
)
from forensia.wording import conditions, opinion, writers
from forensia.wording.limits import text, title
from forensia.wording.ratios import PLACED_AMONG, RANKING_CAPTION
from forensia.wording.reasons import HEADS
from forensia.wording.templates import elided, listed

_NOT_STATED = "not stated"
_LISTED = 8
_NAME = 60  # letters of a name in a sentence
_NAMES = 100  # and of several
_LINES = {"Disputed texts": 4, "Qualifications": 3}  # of what takes more than two on the cover
_BEYOND = "beyond the dashed lines the validation supports no statement."
_STATED = 6  # so many disputed texts get a sentence each; beyond, the table says it


def cover(report: Report) -> Blocks:
    """The first page: which case, which texts, who, when, and whether this is a draft."""
    contents, details = report.contents, report.details
    names = [details.named(each.file) for each in contents.materials.disputed]
    texts = ", ".join(names[:_LISTED])
    if len(names) > _LISTED:
        texts = f"{report.say.count(len(names))} texts: {texts}, …"
    rows = (
        ("Case number", details.case_number or _NOT_STATED),
        ("Instructed by", details.client or _NOT_STATED),
        ("Disputed texts", texts),
        ("Analyst", details.analyst or _NOT_STATED),
        ("Qualifications", details.qualifications),
        ("Reviewer", details.reviewer or _NOT_STATED),
        ("Materials received", details.received),
        ("Date of this report", days(contents.date)),
        ("Report id", contents.id),
        ("Case file", f"{contents.case.file} (id {contents.case.id})"),
        ("Made with", f"Forensia {contents.program}"),
    )
    yield Cover(
        "Forensic authorship analysis",
        details.title or ("Report on a disputed text" if len(names) == 1 else "Report on disputed texts"),
        contents.status,
        [(name, value, _LINES.get(name, 2)) for name, value in rows if value],
        "This report says how much more probable the findings are if one proposition is true than if another is. It does not say how "
        "probable it is that anybody wrote a text: that depends on other evidence too, and is for the court to judge.",
    )


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


def summary(report: Report) -> Blocks:
    """The summary in the fullest form that fits on one page."""
    scales: dict[int, Drawing] = {}  # what was drawn for a form is kept for the others
    yield PageBreak()
    yield FirstThatFits(list(_summary(report, form, scales)) for form in _FORMS)


def _summary(report: Report, form: _Form, scales: dict[int, Drawing]) -> Blocks:
    contents = report.contents
    documents, comparisons = contents.documents, contents.comparisons
    yield Heading("Summary")
    for sentence in report.no_new_source() if documents else ():
        yield Paragraph((strong(sentence),))
    yield Heading("The question", 3)
    yield Paragraph(report.details.question or report.question, most=form.question)
    yield Heading("The answer", 3)
    if len(documents) == 1:
        yield _answer(report, documents[0], named=bool(comparisons), alone=True)
        yield from _candidates(report, documents[0], form, scales)
    elif documents:
        if len(documents) <= _STATED and form.stated:
            for each in documents:
                yield _answer(report, each, named=True)
        else:
            yield Paragraph(
                f"For each of the {report.say.count(len(documents))} disputed texts the table gives the author whom the findings are about "
                "and the likelihood ratio; the section on results has the sentences.",
                "brief",
            )
        yield _about_each(report, form)
    for compared in comparisons:
        yield _compared(report, compared)
    if documents:
        yield Heading("How far this can be trusted", 3)
        yield from _trust(report, form)
    yield Heading("Main limits", 3)
    shown = contents.limits[: form.limits]
    yield Bullets(
        [(strong(f"{title(each)}. "), trimmed(text(each)) if form.explained else "") for each in shown], "brief"
    )
    if len(contents.limits) > len(shown):
        yield Paragraph("The section on limits has all of them.", "note")


def _answer(report: Report, document: JudgedText, *, named: bool, alone: bool = False) -> Paragraph:
    """What may be said of one text."""
    result = document.result
    said, found = opinion.statement(result), opinion.findings(result)
    if named and found is not None and result.opinion.kind in ("author", "not the author"):
        said = found.statement
    said = " ".join([said, *opinion.reasons(result)])
    pieces = [Piece(said, "strong" if not named and not result.opinion.given else "")]
    if named:
        pieces.insert(0, strong(f"{elided(report.name(document), _NAME)}: "))
    return Paragraph(pieces, "lead" if alone else "brief", bar=True)


def _compared(report: Report, compared: ComparisonEntry) -> Paragraph:
    """What may be said of texts that were compared with each other, and how often such an answer is wrong."""
    names = report.compared(compared)
    said, *more = writers.answer(compared.found, names)
    pieces: list[str | Piece] = [strong(said), " " + " ".join(more)]
    if len(report.contents.comparisons) > 1 or report.contents.documents:
        pieces.insert(0, strong(f"{elided(listed(names), _NAMES)}: "))
    return Paragraph(pieces, "brief", bar=True)


def _candidates(report: Report, document: JudgedText, form: _Form, scales: dict[int, Drawing]) -> Blocks:
    """The LRs of the first authors on a scale, and the rankings, for a single text."""
    say, result = report.say, document.result
    rows, alone = with_subject(result, form.ranked or 3), len(result.candidates) == 1
    if rows[0].headline is not None and form.ranked:
        if len(rows) not in scales:
            scales[len(rows)] = _scale(report, rows)
        which = "The likelihood ratio, with its 95 % interval" if alone else (
            "Likelihood ratios of the first authors, with their 95 % intervals"
        )  # fmt: skip
        yield Illustration([scales[len(rows)]], f"{which}; {_BEYOND}")
    among = PLACED_AMONG if result.population and LAZY in result.systems else ""
    first, whole = say.count(len(rows)), say.count(len(result.candidates))
    which = f"all {whole} candidates" if first == whole else f"{first} of {whole} candidates"
    heads = (*(HEADS[system] for system in result.rankings), "LR")
    yield Table(
        [Column("Author", lines=1), *(Column(head, 74, "right", 1) for head in heads)],
        [
            (
                marked(result, each),
                *(placed(say, result, each, system) for system in result.rankings),
                short_ratio(say, each.headline),
            )
            for each in rows
        ],
        f"The scores of the only candidate{among}."
        if alone
        else f"Ranks and scores of {which} ({RANKING_CAPTION}{among}).",
        close=True,
    )


def _scale(report: Report, rows: Sequence[Candidate]) -> Drawing:
    """The LRs of some authors with their intervals, within the bounds of the alternative that is outside the corpus, if there are any."""
    ratios = [each.headline for each in rows]
    ends = [ratio.interval if ratio and ratio.interval else (math.nan, math.nan) for ratio in ratios]
    values = [ratio.log10 if ratio else math.nan for ratio in ratios]
    bounded = [*(each.unlisted for each in rows), *(each.listed for each in rows)]
    narrow = next((ratio.bounds for ratio in bounded if ratio is not None), None)
    return figures.lr_scale([each.author for each in rows], values, report.look(2.0), intervals=ends, bounds=narrow)


def _about_each(report: Report, form: _Form) -> Table:
    """A line for each of several texts."""
    rows = []
    for document in report.contents.documents:
        result = document.result
        agreed, ratio = result.question.kind == "one of these", result.subject.headline
        rows.append(
            (
                report.name(document),
                f"{result.subject.author} (if one of them)" if agreed else marked(result, result.subject),
                short_ratio(report.say, ratio),
                OnScale(ratio),
                support_in_words(ratio, validated=result.condition is not None),
                "given" if result.opinion.given else "none",
            )
        )
    results = [each.result for each in report.contents.documents]
    head, caption = "Highest score", f"The author with the highest score for each text ({RANKING_CAPTION})."
    if all(each.asked is not None for each in results):
        head, caption = "Asked about", "The author who is asked about, for each text."
    elif len({each.question.kind for each in results}) > 1:
        head = "About"
        caption = "The author whom the findings are about, for each text: with the highest score, or asked about."
    columns = [
        Column("Disputed text", lines=1), Column(head, 90, lines=2), Column("LR", 44, "right", 1),
        Column("LR on a scale", 80), Column("In words", 74, lines=1), Column("Opinion", 36, lines=1),
    ]  # fmt: skip
    return Table(columns, rows, f"{caption} {SCALE_READING}", lines=form.lines, close=True)


def _trust(report: Report, form: _Form) -> Blocks:
    """Both figures side by side, and which of them holds for which text; or why nothing is said of how far the numbers can be trusted."""
    validation, older = report.contents.validation, report.contents.older_validation
    if validation is None:
        why = "The model has no validation: how far its rankings can be trusted was not measured."
        if older:
            why = (
                f"The case was validated by version {older} of the program. This version cannot read that validation, "
                "so how far the numbers can be trusted is not stated."
            )
        yield Bullets([why], "brief")
        return
    yield Table(
        [Column("", lines=1), *(Column(head, 138, "right", 1) for head in conditions.SOURCES.values())],
        conditions.side_by_side(validation, report.say),
        "Whole known texts, each tried by a model that had not seen it: left out with its source (new source), or without it (known "
        f"source); in brackets 95 % intervals. Cllr: 0 is perfect, 1 useless. {conditions.stand_ins(validation)}".strip(),
        "narrow",
        lines=form.lines,
        close=True,
    )
    documents = [(report.name(each), each.result) for each in report.contents.documents]
    yield Paragraph(" ".join(conditions.which(documents)), "brief", most=4)
