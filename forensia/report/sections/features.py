"""What the likeness rests on: families of features, the strongest single ones, and passages from both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from forensia import figures
from forensia.evidence.contributions import Having
from forensia.evidence.explanation import Usage
from forensia.report.contents import JudgedText
from forensia.report.grid import Cell, Column, table
from forensia.report.letters import Piece
from forensia.report.paper import SMALL
from forensia.report.printing import NONE
from forensia.report.strongest import (
    ExplainedFeature,
    ExplainedFused,
    ExplainedScore,
    Family,
    Feature,
    Quoted,
    Strongest,
)
from forensia.report.writing import SectionWriter
from forensia.wording.reasons import SIGNS

_LISTED, _FEW = 8, 4  # features for and against, and of each text when there are many
_PAIRED = (
    "A feature speaks for the same author when the texts differ less in it than is usual between different authors, and against when "
    "they differ more. Contributions are to the log-odds of Pr(Same), compared with what is usual; they add up exactly."
)
_FUSED = (
    "The fused score of an author is a sum over features. It is shown by how much it exceeds the score of another author, and the mean of "
    "all others. Each contribution is compared with the average known text, so that what the disputed text lacks counts as well as what "
    "it has; the baseline is what the average text would get. Baseline and contributions add up to the total, but for rounding. The unit "
    "is that of natural logarithms: one more makes the odds 2.7 times as high, before any limit of the likelihood ratio. In the names of "
    f"{'; in those of '.join(f'{family} {signs}' for family, signs in SIGNS.items())}."
)
_ALONE = (
    "The fused score of the candidate is a sum over features: of what the candidate's texts have in common, beside what all known authors "
    "share. Each contribution is compared with the average known text, in which every author, candidate or population, counts the "
    "same, so that what the disputed text lacks counts as well as what it has; the baseline is what the average text would get. Baseline "
    "and contributions add up to the total, but for rounding. In the names of "
    f"{'; in those of '.join(f'{family} {signs}' for family, signs in SIGNS.items())}."
)
_QUOTE = replace(SMALL, size=8.8, leading=11.4)
_SOURCE = replace(_QUOTE, grey=80)
Told = TypeVar("Told", Feature, ExplainedFeature)


def how_to_read(documents: Sequence[JudgedText]) -> str:
    """What the numbers of the features are."""
    found = [document.explained for document in documents if document.explained is not None]
    return (_ALONE if found[0].alone else _FUSED) if found else _PAIRED


def write(report: SectionWriter, document: JudgedText) -> None:
    """Features and passages of one disputed text."""
    doc, found = report.doc, document.strongest
    if document.explained is not None:
        _write_fused(report, document.explained)
        return
    if found is None:
        doc.paragraph("Features and passages are not shown here. " + document.no_passages)
        return
    name = doc.letters.shown(found.author)
    doc.heading(f"What the likeness to {name[:70]} rests on", 2, follow=150)
    compared = f"The disputed text is compared with {_listed(found.compared)}."
    doc.paragraph(compared if report.many else f"{compared} {_PAIRED}")
    used = [each for each in found.families if each.features]
    if report.many:
        told = ", ".join(f"{each.family} {report.say.signed(each.relative)}" for each in used)
        doc.paragraph(f"By family, compared with what is usual: {told}.")
    else:
        _families(report, used)
    _table(report, found)
    _passages(report, found.favourable, found.adverse)


def _write_fused(report: SectionWriter, found: ExplainedFused) -> None:
    """Against the highest of the others and against all: the families, then the strongest features, then passages."""
    doc, say = report.doc, report.say
    name = doc.letters.shown(found.author)[:70]
    first = found.scores[0]
    doc.heading(f"What the score of {name} rests on", 2, follow=150)
    if report.many:
        told = ", ".join(f"{each.family} {say.signed(each.relative)}" for each in first.families)
        doc.paragraph(
            f"Against {_shown(report, first, found)}, by family: {told}; baseline {say.signed(first.baseline)}; total "
            f"{say.signed(first.score)}."
        )
    else:
        besides = " Last stands the score itself, which is against everybody else, candidate or population."
        doc.paragraph(_ALONE if found.alone else _FUSED + (besides if report.found.population else ""))
        _fused_families(report, found)
    for score in found.scores[:1] if report.many else found.scores:
        _fused_table(report, name, score, found)
    _passages(report, first.favourable, first.adverse)


def _shown(report: SectionWriter, score: ExplainedScore, found: ExplainedFused) -> str:
    """Whom the author is held against."""
    if score.against:
        return report.doc.letters.shown(score.against)[:70]
    if found.alone:
        return "the average known text"
    if report.found.population:
        return "everybody else" if score is found.scores[-1] else "all other candidates"
    return "all others"


def _fused_families(report: SectionWriter, found: ExplainedFused) -> None:
    say, scores = report.say, found.scores
    rows: list[tuple[Cell, ...]] = [("Baseline", *(say.signed(each.baseline) for each in scores))]
    for number, family in enumerate(scores[0].families):
        rows.append((family.family, *(say.signed(each.families[number].relative) for each in scores)))
    totals = ("Total", *(say.signed(each.score) for each in scores))
    rows.append(tuple(Piece(each, SMALL.strong) for each in totals))
    heads = [
        f"Against {_shown(report, each, found)}{', the highest of the others' if each.against else ''}"
        for each in scores
    ]
    table(
        report.doc,
        [Column("Family of features"), *(Column(head, 150 if len(heads) < 3 else 112, "right", 3) for head in heads)],
        rows,
        caption="What each family contributes to the fused score."
        if found.alone
        else "What each family contributes to the difference of the fused scores"
        + (", and to the score itself, which is against everybody else." if report.found.population else "."),
    )


def _fused_table(report: SectionWriter, name: str, score: ExplainedScore, found: ExplainedFused) -> None:
    """The strongest features, what all others contribute, and the total that they add up to."""
    say = report.say
    rows: list[tuple[Cell, ...]] = [
        (
            f"{each.feature} (in neither)" if each.in_neither else each.feature, word, say.count(each.count), _having(report, each.own),
            _having(report, each.others), say.signed(each.relative),
        )
        for word, side in _sides(score.favourable, score.adverse) for each in side
    ]  # fmt: skip
    for word, value in (("All other features", score.rest), ("Baseline", score.baseline)):
        rows.append((word, "", "", "", "", say.signed(value)))
    total = say.signed(score.score)
    rows.append((Piece("Total", SMALL.strong), "", "", "", "", Piece(total, SMALL.strong)))
    against = _shown(report, score, found)
    table(
        report.doc,
        [
            Column("Feature", lines=2), Column("Speaks", 40), Column("Times in the disputed text", 66, "right"),
            Column("The author's texts with it", 72, "right"), Column("The others' texts with it", 72, "right"),
            Column("Contribution", 58, "right"),
        ],
        rows,
        caption=f"The strongest features for {name} and against, held against {against}; 'in neither': neither the disputed text nor any "
        "known text of the author has it.",
    )  # fmt: skip


def _having(report: SectionWriter, some: Having) -> str:
    return f"{report.say.count(some.texts)} of {report.say.count(some.of)}"


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
    for word, features in _sides(found.favourable, found.adverse):
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


def _sides(favourable: Sequence[Told], adverse: Sequence[Told]) -> tuple[tuple[str, Sequence[Told]], ...]:
    return ("for", favourable), ("against", adverse)


def _usage(report: SectionWriter, usage: Usage | None) -> str:
    if usage is None:
        return NONE
    rate = "" if usage.rate is None else f" ({report.say.rate(usage.rate)})"
    return f"{report.say.count(usage.count)}{rate}"


def _passages(report: SectionWriter, favourable: Sequence[Told], adverse: Sequence[Told]) -> None:
    """Short quotations from both sides, the feature itself shaded."""
    doc = report.doc
    quoted = [(word, each) for word, side in _sides(favourable, adverse) for each in side if each.quoted or each.known]
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
