"""Does the first place survive when something that should not matter is changed?"""

from __future__ import annotations

from forensia.evidence.result import FUSED, Changed, LikelihoodRatio, Sensitivity
from forensia.report.contents import JudgedText
from forensia.report.grid import Column, table
from forensia.report.printing import NONE
from forensia.report.writing import SectionWriter

_KINDS = {
    "seed": "another sample of training pairs",  # in results of version 0.1
    "family off": "features left out",
    "mask": "words of the topic",
    "half": "half of the disputed text",
    "typing": "the disputed text",
    "source off": "a source of the author left out",
    "punctuation": "the disputed text",
    "equal numbers": "the known texts",
}
_NOT_TRIED = "Not tried: it needs a validation."
_FUSED = (
    "each family of features is left out, all families that know the words of a topic are, each known text is, and so is each source "
    "of the author where there are several; the text is given the punctuation of the average known text, and is compared with as many "
    "texts of each author where they have different numbers; each half of the disputed text is tried alone, and the whole as it was typed "
    "where it was read in another form",
    "For each change of the families fusion and calibration are learnt anew.",
)
_AGAINST = (
    "each family of features is left out, all families that know the words of a topic are, each text of a candidate is, and so is each "
    "source of the author where there are several; the text is given the punctuation of the average known text; each half of it is tried "
    "alone, and the whole as it was typed where it was read in another form",
    _FUSED[1],
)
_PAIRED = (  # what version 0.1 tried
    "the sample of training pairs, each family of features, the masking of topics, each known text, each half of the disputed text",
    "The likelihood ratio is given where the calibration still applies.",
)


def write(report: SectionWriter) -> None:
    """Sensitivity, if a text was held against candidates."""
    doc = report.doc
    if not report.found.documents:
        return
    doc.heading("Sensitivity")
    if all(document.result.sensitivity is None for document in report.found.documents):
        doc.paragraph(_NOT_TRIED)
        return
    fused = any(FUSED in document.result.systems for document in report.found.documents)
    what, how = (_AGAINST if report.found.population else _FUSED) if fused else _PAIRED
    lesson = (
        "A likelihood ratio that stays on its side of 1 does not hang on a single choice."
        if report.found.candidates == 1
        else "A first place that survives all of it does not hang on a single choice."
    )
    doc.paragraph(f"Something that should not matter is changed, one thing at a time: {what}. {lesson} {how}")
    if report.many:
        _together(report)
        return
    for document in report.found.documents:
        _document(report, document)


def _together(report: SectionWriter) -> None:
    """A line for each of many texts: the embedded results have every change by itself."""
    doc, say = report.doc, report.say
    rows = []
    turns = "turn the LR to the other side of 1" if report.found.candidates == 1 else "put another author first"
    for document in report.found.documents:
        found = document.result.sensitivity
        if found is None:
            rows.append((report.name(document), NONE, "not tried: it needs a validation", NONE, NONE))
            continue
        alone, ratio = len(document.result.candidates) == 1, document.result.subject.headline
        lost = [
            _told(each)
            for each in found.variants
            if (_turned(each, ratio) if alone else each.first != document.result.candidates[0].author)
        ]
        left = found.left_out
        rows.append(
            (
                report.name(document),
                found.author,
                "; ".join(lost) if lost else "none",
                f"{say.count(left.first_changes)} of {say.count(left.documents)}",
                NONE if not left.log10 else " to ".join(dict.fromkeys(say.short_ratio(end) for end in left.log10)),
            )
        )
    table(
        doc,
        [
            Column("Disputed text", 80, lines=2), Column("About", 84, lines=2),
            Column(f"Changes that {turns}", lines=5),
            Column("Known texts whose absence does", 56, "right"), Column("LR without one of them", 58, "right", 2),
        ],
        rows,
        caption="What becomes of the first place of each text. The embedded results have each change with its first author and its LR.",
    )  # fmt: skip


def _told(row: Changed) -> str:
    return f"{_KINDS[row.kind]}: {row.what}"


def _document(report: SectionWriter, document: JudgedText) -> None:
    doc, say = report.doc, report.say
    found = document.result.sensitivity
    doc.heading(report.name(document), 1, follow=90)
    if found is None:
        doc.paragraph(_NOT_TRIED)
        return
    left = found.left_out
    if len(document.result.candidates) == 1:
        _alone(report, found)
        return
    place = "the place" if document.result.question.kind == "did" else "the first place"
    table(
        doc,
        [
            Column("Change", lines=1), Column("First then", 130, lines=1), Column("Rank", 34, "right", 1),
            Column("LR", 50, "right", 1),
        ],
        [
            (
                _told(row),
                row.first,
                say.count(row.rank),
                say.short_ratio(row.log10),
            )
            for row in found.variants
        ],
        caption=f"What becomes of {place} of {doc.letters.shown(found.author)[:60]}.",
        after=7,
    )  # fmt: skip
    spread = (
        f"; its LR then lies between {say.ratio(left.log10[0])} and {say.ratio(left.log10[1])}" if left.log10 else ""
    )
    doc.paragraph(
        f"Each of {say.count(left.documents)} known texts left out in turn: the first place changes {say.count(left.first_changes)} "
        f"times{spread}. "
        + (
            "The first place survives every change."
            if found.survives
            else "The first place does not survive every change."
        )
    )


def _turned(row: Changed, ratio: LikelihoodRatio | None) -> bool:
    """Whether the LR comes to the other side of 1 by a change."""
    return ratio is not None and row.log10 is not None and (row.log10 > 0) != (ratio.log10 > 0)


def _alone(report: SectionWriter, found: Sensitivity) -> None:
    """What becomes of the LR of an only candidate."""
    doc, say, left = report.doc, report.say, found.left_out
    table(
        doc,
        [Column("Change", lines=1), Column("LR", 60, "right", 1)],
        [(_told(row), say.short_ratio(row.log10)) for row in found.variants],
        caption=f"What becomes of the likelihood ratio for {doc.letters.shown(found.author)[:60]}.",
        after=7,
    )
    if left.log10:
        doc.paragraph(
            f"With each of the candidate's {say.count(left.documents)} known texts left out in turn, the LR lies between "
            f"{say.ratio(left.log10[0])} and {say.ratio(left.log10[1])}."
        )
