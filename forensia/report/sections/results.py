"""The results for each disputed text, whether they survive small changes, and texts that were compared with each other."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

from forensia import figures
from forensia.evidence.result import FUSED, LAZY, STACKED, Alternative, Candidate, Changed, Sensitivity
from forensia.report.blocks import Bullets, Cell, Column, Heading, Illustration, Paragraph, Table, strong
from forensia.report.contents import ComparisonEntry, JudgedText
from forensia.report.limits import turning
from forensia.report.sections import (
    SCALE_READING,
    Blocks,
    Report,
    explanations,
    interval,
    marked,
    placed,
    ratio_cells,
    ratio_columns,
    short_ratio,
    support_in_words,
    with_subject,
)
from forensia.wording import conditions, opinion, writers
from forensia.wording.numbers import NONE
from forensia.wording.ratios import (
    CONFORMAL_CAPTION,
    ONE_WRITER,
    PLACED_AMONG,
    RANKING_CAPTION,
    STAND_INS_CAPTION,
    TWO_WRITERS,
)
from forensia.wording.reasons import ALTERNATIVES, COUNTS_LESS, HEADS, SYSTEMS, sentences, warnings
from forensia.wording.templates import elided, listed

_WIDTHS = {FUSED: 34, LAZY: 42, STACKED: 44}
_FEW = 10  # candidates in the table and the strip plot of each text when there are many texts
_NAME = 40  # letters of a name in a sentence or a figure
_LIMITED = "≥ (at least) and ≤ (at most) mark the limit that the number of validation comparisons supports."


def results(report: Report) -> Blocks:
    """Results, if a text was held against candidates: what may be said, every candidate, every known text, and what it rests on."""
    contents, alone = report.contents, report.alone
    if not contents.documents:
        return
    yield Heading("Results", apart=True)
    systems = [HEADS[system] for system in contents.documents[0].result.rankings]
    among = PLACED_AMONG if contents.population and len(systems) > 1 else ""
    what = f"the score{among}" if alone else f"rank, and in brackets the score ({RANKING_CAPTION}{among})"
    said = f"How to read the table{'' if alone and not report.many else 's'} of candidates. {listed(systems)}: {what}."
    if any(each.headline for document in contents.documents for each in document.result.candidates):
        said += (
            f" LR: how many times more probable the findings are if the author wrote the text than if {_alternative(report)}; {_LIMITED} "
            f"{SCALE_READING} In words: support for "
            f"the author, or against. p: {STAND_INS_CAPTION if contents.population else CONFORMAL_CAPTION}."
        )
        if not contents.closed and not alone:
            said += " The table after it has the LR against each alternative by itself."
    yield Paragraph(said)
    if report.many:
        yield Paragraph(f"How to read what the likeness rests on. {explanations.how_to_read(contents.documents)}")
    for document in contents.documents:
        yield Heading(report.name(document), 1, apart=True)
        yield from _opinion(report, document)
        yield from _candidates(report, document)
        yield from _strip(report, document)
        yield from _agreement(report, document)
        yield from explanations.features(report, document)
        yield from explanations.disputed_text(report, document)


def _alternative(report: Report) -> str:
    if report.contents.closed:
        return "another of the listed authors did"
    if report.alone:
        return "somebody else did, for whom the reference population stands"
    return f"the alternative is true, whichever of both gives the {_less(report)} LR"


def _less(report: Report) -> str:
    """Which of two LRs is the headline."""
    return "weaker" if report.contents.older_validation else "lower"


def _opinion(report: Report, document: JudgedText) -> Blocks:
    """The opinion with its reasons, the findings it rests on, the warnings."""
    say, result = report.say, document.result
    given, findings, count = result.opinion, opinion.findings(result), len(result.candidates)
    if asked := opinion.particular(result):
        yield Paragraph(f"The question: {asked}")
    said = opinion.statement(result)
    yield Paragraph(
        (
            *(f"{each} " for each in report.no_new_source(result)),
            said if given.given else strong(said),
            " " + " ".join(opinion.reasons(result)),
        )
    )
    if findings is not None and given.kind in ("none given", "none of these"):
        first = "" if result.asked else f"The author with the highest score is {given.about}. "
        about = given.about if result.asked else "this author"
        yield Paragraph(f"{first}The findings about {about}, on which no opinion rests: {findings.statement}")
    share = given.family_p
    if share is not None and result.population:
        who = (
            "a stand-in for the candidate" if count == 1 else f"one of {say.count(count)} stand-ins for the candidates"
        )
        yield Paragraph(
            f"Of texts by others, about {say.share(share)} score as high with {who} as this one does with {result.candidates[0].author}."
        )
    elif share is not None:
        yield Paragraph(
            f"Of texts by people who are not in the corpus, about {say.share(share)} would score as high with the one of the "
            f"{say.count(count)} listed authors who comes first for them"
            f"{'' if report.contents.older_validation else f', {COUNTS_LESS}'}."
        )
    yield Paragraph(f"The text has {say.count(result.words)} words. {conditions.holds(result)}".strip())
    if kept_in_mind := warnings(result):
        yield Bullets(kept_in_mind)


def _candidates(report: Report, document: JudgedText) -> Blocks:
    """Every candidate with ranks, scores and LR; of many texts, the first in a table and the others in a sentence."""
    say, result = report.say, document.result
    everybody, systems, listed = result.candidates, result.rankings, result.candidates
    if report.many and len(listed) > _FEW + 2:
        listed = with_subject(result, _FEW)
    names = [(marked(result, each), *(placed(say, result, each, system) for system in systems)) for each in listed]
    rows: list[tuple[Cell, ...]] = [*names]
    validated = any(each.headline is not None for each in everybody)
    columns = [Column("Author", lines=2)]
    columns += [Column(HEADS[system], _WIDTHS[system] if validated else 110, "right", 1) for system in systems]
    if validated:  # else it is a ranking and nothing else
        columns += [*ratio_columns(60, 44, 60), Column("p", 26, "right", 1)]
        rows = [
            (*name, *ratio_cells(say, each.headline, support_in_words(each.headline)), say.p(each.p))
            for name, each in zip(names, listed, strict=True)
        ]
    which = f"The first {say.count(len(rows))} of {say.count(len(everybody))} candidates"
    if len(rows) == len(everybody):
        which = f"All {say.count(len(rows))} candidates"
    caption = "The only candidate." if len(everybody) == 1 else f"{which} ({RANKING_CAPTION})."
    yield Table(columns, rows, caption, "narrow", close=len(rows) < len(everybody))
    if any(each.unlisted is not None for each in listed) and any(each.listed is not None for each in listed):
        yield _alternatives(report, listed)
    if others := [each for each in everybody if each not in listed]:
        ratios = [f"{elided(each.author, _NAME)} {short_ratio(say, each.headline)}" for each in others]
        yield Paragraph(
            f"The other candidates in their order, each with its LR ({NONE}: none): {', '.join(ratios)}.", "caption"
        )


def _alternatives(report: Report, candidates: Sequence[Candidate]) -> Table:
    """The LRs of candidates against both alternatives; where there is only one, the table of candidates has it."""
    say = report.say
    outside = Alternative.POPULATION if report.contents.population else Alternative.UNLISTED
    columns = [Column("Author", lines=2)]
    for each in (Alternative.LISTED, outside):
        columns += [Column(f"LR, {ALTERNATIVES[each.value]}", 84, "right"), Column("95 % interval", 76, "right", 1)]
    rows = [
        (each.author, *(show(say, ratio) for ratio in (each.listed, each.unlisted) for show in (short_ratio, interval)))
        for each in candidates
    ]
    caption = f"Their LRs against each alternative; the {_less(report)} of the two is the LR above."
    return Table(columns, rows, caption, "narrow", lines=not report.many)


def _strip(report: Report, document: JudgedText) -> Blocks:
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
    yield Illustration([drawing], floating=True)


def _agreement(report: Report, document: JudgedText) -> Blocks:
    """Whether methods of other kinds agree."""
    result = document.result
    if not result.votes or len(result.candidates) == 1:
        return
    accepts = {None: "", True: "accepts", False: "accepts nobody"}
    rows = [
        *((SYSTEMS[system], result.ranked(system)[0].author, "") for system in result.rankings),
        *((SYSTEMS[vote.method], vote.first, accepts[vote.accepts]) for vote in result.votes),
    ]
    if report.many:
        said = [f"{method}: {elided(first, _NAME)}{f' ({own})' if own else ''}" for method, first, own in rows]
        yield Paragraph(f"Methods of different kinds and whom they put first. {'; '.join(said)}.")
        return
    yield Table(
        [Column("Method", 110), Column("First author", lines=2), Column("By its own threshold", 130)],
        rows,
        "Whether methods of other kinds come to the same author.",
    )


# --- sensitivity ----------------------------------------------------------------------------------------------------------

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


def sensitivity(report: Report) -> Blocks:
    """Does the first place survive when something that should not matter is changed?"""
    documents = report.contents.documents
    if not documents:
        return
    yield Heading("Sensitivity")
    if all(document.result.sensitivity is None for document in documents):
        yield Paragraph(_NOT_TRIED)
        return
    fused = any(FUSED in document.result.systems for document in documents)
    what, how = (_AGAINST if report.contents.population else _FUSED) if fused else _PAIRED
    lesson = (
        "A likelihood ratio that stays on its side of 1 does not hang on a single choice."
        if report.alone
        else "A first place that survives all of it does not hang on a single choice."
    )
    yield Paragraph(f"Something that should not matter is changed, one thing at a time: {what}. {lesson} {how}")
    if report.many:
        yield _together(report)
        return
    for document in documents:
        yield Heading(report.name(document), 1)
        if document.result.sensitivity is None:
            yield Paragraph(_NOT_TRIED)
        else:
            yield from _changes(report, document, document.result.sensitivity)


def _together(report: Report) -> Table:
    """A line for each of many texts: the embedded results have every change by itself."""
    say = report.say
    rows = []
    for document in report.contents.documents:
        result = document.result
        found, first = result.sensitivity, result.candidates[0].author
        if found is None:
            rows.append((report.name(document), NONE, "not tried: it needs a validation", NONE, NONE))
            continue
        alone, left = len(result.candidates) == 1, found.left_out
        changed = turning(result) if alone else [each for each in found.variants if each.first != first]
        rows.append(
            (
                report.name(document),
                found.author,
                "; ".join(map(_change, changed)) if changed else "none",
                f"{say.count(left.first_changes)} of {say.count(left.documents)}",
                NONE if not left.log10 else " to ".join(dict.fromkeys(say.short_ratio(end) for end in left.log10)),
            )
        )
    turns = "turn the LR to the other side of 1" if report.alone else "put another author first"
    columns = [
        Column("Disputed text", 80, lines=2), Column("About", 84, lines=2), Column(f"Changes that {turns}", lines=5),
        Column("Known texts whose absence does", 56, "right"), Column("LR without one of them", 58, "right", 2),
    ]  # fmt: skip
    return Table(
        columns,
        rows,
        "What becomes of the first place of each text. The embedded results have each change with its first author and its LR.",
    )


def _change(row: Changed) -> str:
    return f"{opinion.KINDS_OF_CHANGE[row.kind]}: {row.what}"


def _changes(report: Report, document: JudgedText, found: Sensitivity) -> Blocks:
    """What becomes of the first place, or of the LR of an only candidate, by each change."""
    say, left = report.say, found.left_out
    name, ends = elided(found.author, 60), [say.ratio(end) for end in left.log10 or ()]
    if len(document.result.candidates) == 1:
        yield Table(
            [Column("Change", lines=1), Column("LR", 60, "right", 1)],
            [(_change(row), say.short_ratio(row.log10)) for row in found.variants],
            f"What becomes of the likelihood ratio for {name}.",
            close=True,
        )
        if ends:
            yield Paragraph(
                f"With each of the candidate's {say.count(left.documents)} known texts left out in turn, the LR lies between "
                f"{ends[0]} and {ends[1]}."
            )
        return
    place = "the place" if document.result.question.kind == "did" else "the first place"
    yield Table(
        [
            Column("Change", lines=1), Column("First then", 130, lines=1), Column("Rank", 34, "right", 1),
            Column("LR", 50, "right", 1),
        ],
        [(_change(row), row.first, say.count(row.rank), say.short_ratio(row.log10)) for row in found.variants],
        f"What becomes of {place} of {name}.",
        close=True,
    )  # fmt: skip
    spread = f"; its LR then lies between {ends[0]} and {ends[1]}" if ends else ""
    yield Paragraph(
        f"Each of {say.count(left.documents)} known texts left out in turn: the first place changes {say.count(left.first_changes)} "
        f"times{spread}. The first place {'survives every' if found.survives else 'does not survive every'} change."
    )


# --- texts compared with each other ---------------------------------------------------------------------------------------


def comparisons(report: Report) -> Blocks:
    """Whether one person wrote some texts, pair by pair, and how often such an answer is wrong; if any were compared."""
    found = report.contents.comparisons
    if not found:
        return
    yield Heading("Texts compared with each other", apart=True)
    yield Paragraph(
        f"For each pair of texts the findings are weighed between two propositions: the first, {ONE_WRITER}; the second, {TWO_WRITERS}. "
        "No candidate takes part in it. How pairs are compared, and how well, stands in the section on the validation, under 'Pairs of "
        f"texts'. {writers.ALTERNATIVES_OF_PAIRS}"
    )
    if any(len(each.documents) > 2 for each in found):
        yield Paragraph(writers.GROUPED)
    yield Paragraph(
        "How to read the tables of pairs. LR: how many times more probable the findings are if one person wrote both texts than if two "
        f"did; {_LIMITED} {SCALE_READING}"
    )
    for each in found:
        yield from _comparison(report, each)


def _comparison(report: Report, compared: ComparisonEntry) -> Blocks:
    found, names = compared.found, report.compared(compared)
    yield Heading(writers.question(names) if len(names) == 2 else f"{report.say.count(len(names))} texts", 1)
    if len(names) > 2:
        yield Paragraph(writers.question(names))
    said, *more = writers.answer(found, names)
    yield Paragraph((strong(said), " " + " ".join(more)))
    if kept_in_mind := [*sentences(found.warnings), *writers.known(found, names)]:
        yield Bullets(kept_in_mind)
    yield _pairs(report, compared, names)
    if len(names) > 2:
        short = [elided(report.details.exhibit(text.file) or text.file, _NAME) for text in found.texts]
        yield Illustration([figures.pair_map(found.log10, short, found.groups, report.look(2.0))])


def _pairs(report: Report, compared: ComparisonEntry, names: list[str]) -> Table:
    """Every pair with its LR, and why it supports no opinion, if that is so."""
    rows = [
        (
            names[pair.a],
            names[pair.b],
            *ratio_cells(report.say, pair.ratio, support_in_words(pair.ratio, pair=True)),
            NONE if pair.ratio is None else writers.SECOND_WRITER[pair.ratio.alternative is Alternative.LISTED],
            " ".join(sentences(pair.reasons)) or "given",
        )
        for pair in sorted(compared.found.pairs, key=lambda each: 0.0 if each.ratio is None else -each.ratio.log10)
    ]
    which = "The pair" if len(rows) == 1 else "The pairs, the highest likelihood ratio first"
    return Table(
        [
            Column("Text"),
            Column("and text"),
            *ratio_columns(56, 60, 54),
            Column("Two writers", 50),
            Column("Opinion", 74),
        ],
        rows,
        f"{which}. Two writers: who they are taken to be, whichever claims less.",
        "narrow",
    )
