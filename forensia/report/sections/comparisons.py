"""Texts that were compared with each other: whether one person wrote them, pair by pair, and how often such an answer is wrong."""

from __future__ import annotations

from forensia import figures
from forensia.evidence.result import Alternative
from forensia.report.contents import ComparisonEntry
from forensia.report.grid import Column, table
from forensia.report.letters import Piece
from forensia.report.paper import BODY, Style
from forensia.report.printing import NONE
from forensia.report.scale import READING, scale_cell
from forensia.report.writing import SectionWriter, interval, pair_band, short_ratio
from forensia.wording import writers
from forensia.wording.ratios import ONE_WRITER, TWO_WRITERS
from forensia.wording.reasons import sentences

_NARROW = Style(8.7, 11.2)
_NAMED = 40  # letters of a name in the figure


def write(report: SectionWriter) -> None:
    """Texts compared with each other, if any were."""
    found = report.found.comparisons
    if not found:
        return
    doc = report.doc
    doc.heading("Texts compared with each other", follow=120)
    doc.paragraph(
        f"For each pair of texts the findings are weighed between two propositions: the first, {ONE_WRITER}; the second, {TWO_WRITERS}. "
        "No candidate takes part in it. How pairs are compared, and how well, stands in the section on the validation, under 'Pairs of "
        f"texts'. {writers.ALTERNATIVES_OF_PAIRS}"
    )
    if any(len(each.documents) > 2 for each in found):
        doc.paragraph(writers.GROUPED)
    doc.paragraph(
        "How to read the tables of pairs. LR: how many times more probable the findings are if one person wrote both texts than if two "
        f"did; ≥ (at least) and ≤ (at most) mark the limit that the number of validation comparisons supports. {READING}"
    )
    for each in found:
        _comparison(report, each)


def _comparison(report: SectionWriter, compared: ComparisonEntry) -> None:
    doc, found = report.doc, compared.found
    names = report.compared(compared)
    doc.heading(writers.question(names) if len(names) == 2 else f"{report.say.count(len(names))} texts", 1, follow=120)
    if len(names) > 2:
        doc.paragraph(writers.question(names))
    said, *more = writers.answer(found, names)
    doc.paragraph([Piece(said, BODY.strong), Piece(" " + " ".join(more), BODY)])
    if kept_in_mind := [*sentences(found.warnings), *writers.known(found, names)]:
        doc.bullets(kept_in_mind)
    _pairs(report, compared, names)
    if len(names) > 2:
        short = [doc.letters.shown(report.details.exhibit(text.file) or text.file)[:_NAMED] for text in found.texts]
        doc.figures([figures.pair_map(found.log10, short, found.groups, report.look(2.0))])


def _pairs(report: SectionWriter, compared: ComparisonEntry, names: list[str]) -> None:
    """Every pair with its LR, and why it supports no opinion, if that is so."""
    say = report.say
    rows = [
        (
            names[pair.a],
            names[pair.b],
            short_ratio(say, pair.ratio),
            interval(say, pair.ratio),
            scale_cell(pair.ratio),
            pair_band(pair.ratio),
            NONE if pair.ratio is None else writers.SECOND_WRITER[pair.ratio.alternative is Alternative.LISTED],
            " ".join(sentences(pair.reasons)) or "given",
        )
        for pair in sorted(compared.found.pairs, key=lambda each: 0.0 if each.ratio is None else -each.ratio.log10)
    ]
    table(
        report.doc,
        [
            Column("Text", lines=3), Column("and text", lines=3), Column("LR", 34, "right", 1), Column("95 % interval", 56, "right", 1),
            Column("LR on a scale", 60, lines=1), Column("In words", 54), Column("Two writers", 50), Column("Opinion", 74),
        ],
        rows,
        caption=f"{'The pair' if len(rows) == 1 else 'The pairs, the highest likelihood ratio first'}. Two writers: who they are taken "
        "to be, whichever claims less.",
        style=_NARROW,
        gap=5.5,
        after=12,
    )  # fmt: skip
