"""What the likeness rests on: families of features, the strongest single ones, passages from both sides, and the text with its marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from forensia import figures
from forensia.corpus.characters import WORD
from forensia.evidence.contributions import Having
from forensia.evidence.explanation import Usage
from forensia.report.blocks import Cell, Column, Heading, Illustration, Paragraph, Piece, Quotations, Table, strong
from forensia.report.contents import JudgedText
from forensia.report.passages import (
    ExplainedFeature,
    ExplainedFused,
    ExplainedScore,
    Feature,
    Marked,
    Quoted,
    Strongest,
)
from forensia.report.sections import Blocks, Report
from forensia.wording.numbers import NONE
from forensia.wording.reasons import SIGNS
from forensia.wording.templates import elided

_LISTED, _FEW = 8, 4  # features for and against, and of each text when there are many
_NAME = 70  # letters of an author's name
_PAIRED = (
    "A feature speaks for the same author when the texts differ less in it than is usual between different authors, and against when "
    "they differ more. Contributions are to the log-odds of Pr(Same), compared with what is usual; they add up exactly."
)
_NAMES_OF_FEATURES = f"In the names of {'; in those of '.join(f'{family} {signs}' for family, signs in SIGNS.items())}."
_FUSED = (
    "The fused score of an author is a sum over features. It is shown by how much it exceeds the score of another author, and the mean of "
    "all others. Each contribution is compared with the average known text, so that what the disputed text lacks counts as well as what "
    "it has; the baseline is what the average text would get. Baseline and contributions add up to the total, but for rounding. The unit "
    "is that of natural logarithms: one more makes the odds 2.7 times as high, before any limit of the likelihood ratio. "
    f"{_NAMES_OF_FEATURES}"
)
_ALONE = (
    "The fused score of the candidate is a sum over features: of what the candidate's texts have in common, beside what all known authors "
    "share. Each contribution is compared with the average known text, in which every author, candidate or population, counts the "
    "same, so that what the disputed text lacks counts as well as what it has; the baseline is what the average text would get. Baseline "
    f"and contributions add up to the total, but for rounding. {_NAMES_OF_FEATURES}"
)
Listed = TypeVar("Listed", Feature, ExplainedFeature)


def how_to_read(documents: Sequence[JudgedText]) -> str:
    """What the numbers of the features are."""
    found = [document.explained for document in documents if document.explained is not None]
    return (_ALONE if found[0].alone else _FUSED) if found else _PAIRED


def features(report: Report, document: JudgedText) -> Blocks:
    """Features and passages of one disputed text."""
    if document.explained is not None:
        yield from _of_fusion(report, document.explained)
    elif document.strongest is not None:
        yield from _of_pairs(report, document.strongest)
    else:
        yield Paragraph("Features and passages are not shown here. " + document.no_passages)


def _of_pairs(report: Report, found: Strongest) -> Blocks:
    """Against the author's most similar texts: the families, then the strongest features, then passages."""
    say = report.say
    yield Heading(f"What the likeness to {elided(found.author, _NAME)} rests on", 2)
    names = ", ".join(f"'{name}'" for name in found.compared[:4]) + (" and others" if len(found.compared) > 4 else "")
    compared = f"The disputed text is compared with {names}."
    yield Paragraph(compared if report.many else f"{compared} {_PAIRED}")
    used = [each for each in found.families if each.features]
    if report.many:
        said = ", ".join(f"{each.family} {say.signed(each.relative)}" for each in used)
        yield Paragraph(f"By family, compared with what is usual: {said}.")
    else:
        drawing = figures.families(
            [each.family for each in used], [max(0.0, each.relative) for each in used], [min(0.0, each.relative) for each in used],
            report.look(2.2), unit="contribution, compared with what is usual",
        )  # fmt: skip
        yield Illustration([drawing])
    most, known = _FEW if report.many else _LISTED, report.contents.materials.documents
    rows = [
        (
            each.feature, word, _usage(report, each.usage_a), _usage(report, each.usage_b),
            NONE if each.documents is None else say.count(each.documents), say.signed(each.relative),
        )
        for word, side in _sides(found.favourable, found.adverse) for each in side[:most]
    ]  # fmt: skip
    yield Table(
        [
            Column("Feature", lines=2), Column("Speaks", 40), Column("Disputed text", 78, "right"),
            Column("Author's texts", 78, "right"), Column("Known texts with it", 54, "right"), Column("Contribution", 58, "right"),
        ],
        rows,
        "The strongest features: how often each occurs, with its rate (per 1,000 words, 100 sentences or 100 punctuation marks), "
        f"in how many of the {say.count(known)} known texts, and its contribution compared with what is usual.",
    )  # fmt: skip
    yield from _passages(report, found.favourable, found.adverse)


def _of_fusion(report: Report, found: ExplainedFused) -> Blocks:
    """Against the highest of the others and against all: the families, then the strongest features, then passages."""
    say = report.say
    first = found.scores[0]
    yield Heading(f"What the score of {elided(found.author, _NAME)} rests on", 2)
    if report.many:
        said = ", ".join(f"{each.family} {say.signed(each.relative)}" for each in first.families)
        yield Paragraph(
            f"Against {_against(report, first, found)}, by family: {said}; baseline {say.signed(first.baseline)}; total "
            f"{say.signed(first.score)}."
        )
    else:
        besides = " Last stands the score itself, which is against everybody else, candidate or population."
        yield Paragraph(_ALONE if found.alone else _FUSED + (besides if report.contents.population else ""))
        yield _fused_families(report, found)
    for score in found.scores[:1] if report.many else found.scores:
        yield _fused_features(report, score, found)
    yield from _passages(report, first.favourable, first.adverse)


def _against(report: Report, score: ExplainedScore, found: ExplainedFused) -> str:
    """Whom the author is held against."""
    if score.against:
        return elided(score.against, _NAME)
    if found.alone:
        return "the average known text"
    if report.contents.population:
        return "everybody else" if score is found.scores[-1] else "all other candidates"
    return "all others"


def _fused_families(report: Report, found: ExplainedFused) -> Table:
    say, scores = report.say, found.scores
    rows: list[tuple[Cell, ...]] = [("Baseline", *(say.signed(each.baseline) for each in scores))]
    for number, family in enumerate(scores[0].families):
        rows.append((family.family, *(say.signed(each.families[number].relative) for each in scores)))
    rows.append((strong("Total"), *(strong(say.signed(each.score)) for each in scores)))
    width = 150 if len(scores) < 3 else 112
    heads = [
        f"Against {_against(report, each, found)}{', the highest of the others' if each.against else ''}"
        for each in scores
    ]
    to = "fused score"
    if not found.alone:
        itself = ", and to the score itself, which is against everybody else" if report.contents.population else ""
        to = f"difference of the fused scores{itself}"
    columns = [Column("Family of features"), *(Column(head, width, "right") for head in heads)]
    return Table(columns, rows, f"What each family contributes to the {to}.")


def _fused_features(report: Report, score: ExplainedScore, found: ExplainedFused) -> Table:
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
    rows.append((strong("Total"), "", "", "", "", strong(say.signed(score.score))))
    return Table(
        [
            Column("Feature", lines=2), Column("Speaks", 40), Column("Times in the disputed text", 66, "right"),
            Column("The author's texts with it", 72, "right"), Column("The others' texts with it", 72, "right"),
            Column("Contribution", 58, "right"),
        ],
        rows,
        f"The strongest features for {elided(found.author, _NAME)} and against, held against {_against(report, score, found)}; 'in "
        "neither': neither the disputed text nor any known text of the author has it.",
    )  # fmt: skip


def _having(report: Report, some: Having) -> str:
    return f"{report.say.count(some.texts)} of {report.say.count(some.of)}"


def _sides(favourable: Sequence[Listed], adverse: Sequence[Listed]) -> tuple[tuple[str, Sequence[Listed]], ...]:
    return ("for", favourable), ("against", adverse)


def _usage(report: Report, usage: Usage | None) -> str:
    if usage is None:
        return NONE
    rate = "" if usage.rate is None else f" ({report.say.rate(usage.rate)})"
    return f"{report.say.count(usage.count)}{rate}"


def _passages(report: Report, favourable: Sequence[Listed], adverse: Sequence[Listed]) -> Blocks:
    """Short quotations from both sides, the feature itself shaded."""
    quoted = [(word, each) for word, side in _sides(favourable, adverse) for each in side if each.quoted or each.known]
    if not quoted:
        return
    yield Paragraph(
        "Passages with the strongest features, from the disputed text and from the author's own:", keep=True
    )
    for word, feature in quoted[: _FEW if report.many else len(quoted)]:
        places = [("disputed text", each) for each in feature.quoted]
        places += [(known.document, each) for known in feature.known for each in known.quoted]
        head = (strong(elided(feature.feature, _NAME)), f" ({feature.family}; speaks {word})")
        yield Quotations(head, [_quotation(name, each) for name, each in places])


def _quotation(name: str, each: Quoted) -> tuple[str | Piece, ...]:
    name = elided(name, 50)
    return f"“{each.before}", Piece(each.there, "passage"), f"{each.after}”", Piece(f" {name}", "quiet")


# --- the disputed text ----------------------------------------------------------------------------------------------------

_WHOLE, _BRIEF = 1_300, 250  # words that are shown of a text, and of each when there are many texts
_WINDOW = 220
_GAP = "[…]"

Marks = Sequence[Marked]


def disputed_text(report: Report, document: JudgedText) -> Blocks:
    """The text, or the passages of it with most marks: the stretches in which the strongest features stand."""
    found, text = document.explained or document.strongest, report.contents.texts.get(document.id, "")
    if found is None or not text:
        return
    yield Heading("The text with its strongest features marked", 2)
    stretches = _stretches(text, found.marks, _BRIEF if report.many else _WHOLE)
    whole = stretches == [(0, len(text))]
    long = "The text is long: shown are the passages with most marks, […] stands for what is left out."
    yield Paragraph(
        (
            Piece("Shaded and underlined", "for"),
            f": features that speak for {elided(found.author, 60)}. ",
            Piece("Underlined with dashes", "against"),
            ": features that speak against. Features that stand everywhere in the text, and lengths of words and sentences, are not "
            f"marked. {'' if whole else long}",
        ),
        "caption",
    )
    for number, (start, end) in enumerate(stretches):
        if not whole and (number or start):
            yield Paragraph(_GAP, "disputed", close=True)
        for paragraph in _paragraphs(text, start, end, found.marks):
            yield Paragraph(paragraph, "disputed")
    if not whole and stretches[-1][1] < len(text):
        yield Paragraph(_GAP, "disputed")


def _stretches(text: str, marks: Marks, most: int) -> list[tuple[int, int]]:
    """The whole text if it is short enough; else the windows with most marks, in their order."""
    words = [match.span() for match in WORD.finditer(text)]
    if len(words) <= most:
        return [(0, len(text))]
    windows = []
    for first in range(0, len(words), _WINDOW // 2):
        last = min(first + _WINDOW, len(words)) - 1
        start, end = words[first][0], words[last][1]
        windows.append((sum(1 for mark in marks if start <= mark.start < end), start, end))
    chosen: list[tuple[int, int]] = []
    for _, start, end in sorted(windows, key=lambda each: (-each[0], each[1])):
        if all(end <= other[0] or start >= other[1] for other in chosen):
            chosen.append((start, end))
        if len(chosen) >= max(1, most // _WINDOW):
            break
    return sorted(chosen)


def _paragraphs(text: str, start: int, end: int, marks: Marks) -> list[list[str | Piece]]:
    """A stretch of the text as paragraphs of pieces, marked and not."""
    pieces: list[Piece] = []
    at = start
    for mark in marks:
        if mark.end <= start or mark.start >= end:
            continue
        first, last = max(mark.start, at), min(mark.end, end)
        if first > at:
            pieces.append(Piece(text[at:first]))
        if last > first:
            pieces.append(Piece(text[first:last], "for" if mark.sign > 0 else "against"))
            at = last
    if at < end:
        pieces.append(Piece(text[at:end]))
    paragraphs: list[list[str | Piece]] = [[]]
    for piece in pieces:
        for number, line in enumerate(piece.text.split("\n")):
            if number and paragraphs[-1]:
                paragraphs.append([])
            if line:
                paragraphs[-1].append(Piece(line, piece.mark))
    return [each for each in paragraphs if any(piece.text.strip() for piece in each if isinstance(piece, Piece))]
