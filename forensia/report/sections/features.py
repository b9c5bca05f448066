"""What the likeness rests on: families of features, the strongest single ones, and passages from both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from forensia import figures
from forensia.evidence.usage import Usage
from forensia.report.contents import JudgedText
from forensia.report.grid import Column, table
from forensia.report.letters import Piece
from forensia.report.paper import SMALL
from forensia.report.printing import NONE
from forensia.report.strongest import Family, Feature, Quoted, Strongest
from forensia.report.writing import SectionWriter

_LISTED, _FEW = 8, 4  # features for and against, and of each text when there are many
HOW_TO_READ = (
    "A feature speaks for the same author when the texts differ less in it than is usual between different authors, and against when "
    "they differ more. Contributions are to the log-odds of Pr(Same), compared with what is usual; they add up exactly."
)
_QUOTE = replace(SMALL, size=8.8, leading=11.4)
_SOURCE = replace(_QUOTE, grey=80)


def write(report: SectionWriter, document: JudgedText) -> None:
    """Features and passages of one disputed text."""
    doc, found = report.doc, document.strongest
    if found is None:
        doc.paragraph("Features and passages are not shown here. " + document.no_passages)
        return
    name = doc.letters.shown(found.author)
    doc.heading(f"What the likeness to {name[:70]} rests on", 2, follow=150)
    compared = f"The disputed text is compared with {_listed(found.compared)}."
    doc.paragraph(compared if report.many else f"{compared} {HOW_TO_READ}")
    used = [each for each in found.families if each.features]
    if report.many:
        told = ", ".join(f"{each.family} {report.say.signed(each.relative)}" for each in used)
        doc.paragraph(f"By family, compared with what is usual: {told}.")
    else:
        _families(report, used)
    _table(report, found)
    _passages(report, found)


def _families(report: SectionWriter, used: Sequence[Family]) -> None:
    """What each family speaks for, as a figure."""
    drawing = figures.families(
        [each.family for each in used], [max(0.0, each.relative) for each in used], [min(0.0, each.relative) for each in used],
        report.look(2.2), unit="contribution, compared with what is usual",
    )  # fmt: skip
    report.doc.figures([drawing])


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:4])
    return shown + (" and others" if len(names) > 4 else "")


def _table(report: SectionWriter, found: Strongest) -> None:
    """The strongest features in numbers that can be counted again."""
    say, total = report.say, report.found.materials.documents
    most = _FEW if report.many else _LISTED
    rows = []
    for word, features in _sides(found):
        for each in features[:most]:
            rows.append(
                (
                    each.feature, word, _usage(report, each.usage_a), _usage(report, each.usage_b),
                    NONE if each.documents is None else say.count(each.documents), say.signed(each.relative),
                )
            )  # fmt: skip
    table(
        report.doc,
        [
            Column("Feature", lines=2), Column("Speaks", 40), Column("Disputed text", 78, "right"),
            Column("Author's texts", 78, "right"), Column("Known texts with it", 54, "right"), Column("Contribution", 58, "right"),
        ],
        rows,
        caption="The strongest features: how often each occurs, with its rate (per 1,000 words, 100 sentences or 100 punctuation marks), "
        f"in how many of the {say.count(total)} known texts, and its contribution compared with what is usual.",
    )  # fmt: skip


def _sides(found: Strongest) -> tuple[tuple[str, Sequence[Feature]], ...]:
    return ("for", found.favourable), ("against", found.adverse)


def _usage(report: SectionWriter, usage: Usage | None) -> str:
    if usage is None:
        return NONE
    rate = "" if usage.rate is None else f" ({report.say.rate(usage.rate)})"
    return f"{report.say.count(usage.count)}{rate}"


def _passages(report: SectionWriter, found: Strongest) -> None:
    """Short quotations from both sides, the feature itself shaded."""
    doc = report.doc
    quoted = [(word, each) for word, features in _sides(found) for each in features if each.quoted or each.known]
    if report.many:
        quoted = quoted[:_FEW]
    if not quoted:
        return
    doc.paragraph("Passages with the strongest features, from the disputed text and from the author's own:", keep=75)
    for word, feature in quoted:
        entries = [("disputed text", each) for each in feature.quoted]
        entries += [(known.document, each) for known in feature.known for each in known.quoted]
        blocks = [
            doc.letters.compose(_quotation(doc.letters.fitted(name, _SOURCE, 190), each), doc.width - 14)
            for name, each in entries
        ]
        doc.need(min(sum(map(len, blocks)), 4) * _QUOTE.leading + SMALL.leading + 4)
        head = doc.letters.fitted(feature.feature, SMALL.strong, doc.width - 120)
        wide = doc.write(doc.left, doc.y, head, SMALL.strong)
        doc.write(doc.left + wide + 6, doc.y, f"({feature.family}; speaks {word})", SMALL)
        doc.y += SMALL.leading + 1
        with doc.inset(14):
            for lines in blocks:
                doc.set_lines(lines, _QUOTE.leading, _QUOTE)
        doc.y += 4
    doc.y += 6


def _quotation(name: str, each: Quoted) -> list[Piece]:
    return [
        Piece(f"“{each.before}", _QUOTE),
        Piece(each.there, replace(_QUOTE, shade=True, bold=True)),
        Piece(f"{each.after}”", _QUOTE),
        Piece(f" {name}", _SOURCE),
    ]
