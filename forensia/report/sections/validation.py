"""The validation for this case: how it was done, how good the likelihood ratios and the rankings were, what becomes of outsiders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from forensia import figures
from forensia.evidence.measures import Confusion, EceCurve, PavFit, ReliabilityCurve, TippettCurves
from forensia.evidence.reasons import ReferenceGroup
from forensia.evidence.result import FUSED, Alternative, Condition, Ends
from forensia.evidence.summary import THRESHOLDS, AuthorFigure, Figure, Performance, ValidationSummary
from forensia.figures import Drawing, Look
from forensia.report.blocks import Cell, Column, Group, Heading, Illustration, Paragraph, Row, Table, strong
from forensia.report.curves import Curves, OpenSetCurve, as_curve
from forensia.report.sections import Blocks, Report
from forensia.wording import conditions
from forensia.wording.numbers import NONE
from forensia.wording.opinion import strangers
from forensia.wording.reasons import ALTERNATIVES, PAIR_METHODS, SYSTEMS, sentences

_WIDTHS = (28, 26, 52, 66, 36, 40, 46)  # of the table of authors
_AS_NEW = (
    "As if from a new source, one source of every author was left out at a time, the text's own among them (the texts of an author of "
    "which no source is named are one). "
)
_AS_OTHERS = "As if by somebody else, all texts of the author were. The fits without what is left out follow exactly from the fit with it. "
_MOST_DRAWN = 30  # authors whose confusions can be read on a page
_STAND_INS = (
    "A text of a stand-in is tried with the stand-in's other texts alone, and the average is that of all other authors. A text by somebody "
    "else is tried with stand-ins who did not write it, and the average is that of those who wrote neither."
)


def validation(report: Report) -> Blocks:
    """Validation."""
    summary, older = report.contents.validation, report.contents.older_validation
    yield Heading("Validation for this case")
    if summary is None and older:
        yield Paragraph(
            f"The case was validated by version {older} of the program, whose likelihood ratios are given. This "
            "version cannot read that validation; how good they are stands in the reports of that version."
        )
    elif summary is None:
        yield Paragraph(
            "The model of this case was not validated: it was trained with the protocol of the paper, or its validation was not "
            "finished. How far its rankings can be trusted is not known, and no likelihood ratio is given."
        )
    elif report.contents.documents:
        yield from _of_candidates(report, summary)
        yield from _pairs(report, summary)
        yield from _lengths(report, summary)
    else:
        yield from _pairs(report, summary)


def _of_candidates(report: Report, validation: ValidationSummary) -> Blocks:
    """How candidates were held against known texts, and what came of it."""
    say = report.say
    for each in report.no_new_source():
        yield Paragraph((strong(each),))
    tried, new = conditions.stand_ins(validation), validation.of("new") is not None
    yield Paragraph(
        f"The {say.count(validation.documents)} known texts by {say.count(validation.authors)} authors were tried as if each were "
        "the disputed one. "
        + (f"{tried} {_STAND_INS} " if tried else "")
        + (_AS_NEW if new else "")
        + "As if from a known source, one text of every author was left out at a time. "
        + ("" if tried else _AS_OTHERS)
        + "Which features are rare was learnt from all known texts. Then the rule by which an opinion is given was applied, with weights, "
        "a calibration, a limit of doubt and outsiders' texts that are not of the text's author; the bounds of the ratios were learnt from "
        "all. The interval of a disputed text is wider than theirs: it also covers the choice of known texts. So opinions on disputed "
        "texts are rarer than these figures say, most of all with few known texts. "
        + (
            ""
            if validation.fused_only
            else "For Lazy AA and Stacked AA features and model were made anew without the texts that were tried, in "
            f"{'five' if validation.quick else 'ten'} parts. "
        )
        + "Intervals (95 %) come from resampling authors and their texts"
        + (", for a new source those of one source together." if new else ".")
    )
    yield from _both(report, validation)
    figure, curves = report.contents.figure, report.contents.curves
    assert figure is not None and curves is not None
    yield from _ratios(report, figure, validation)
    yield from _plots(report, curves)
    yield from _rankings(report, validation)
    if validation.reference is None:
        yield from _open_set(report, validation, figure, curves.open_set)
    else:
        yield from _stand_ins(report, validation.reference, figure)


def _both(report: Report, validation: ValidationSummary) -> Blocks:
    """The figures for a new source and for a known one, which of them holds for which text, and what is not known."""
    yield Heading("Texts from a new source and from a known one", 1)
    yield Table(
        [Column(""), *(Column(head, 132, "right") for head in conditions.SOURCES.values())],
        conditions.side_by_side(validation, report.say),
        f"What was measured on {conditions.whole(validation.whole.condition)}, with 95 % intervals, of outsiders the upper end. "
        "Cllr: 0 is perfect, 1 useless.",
    )
    which = conditions.which((report.name(each), each.result) for each in report.contents.documents)
    notes = sentences(note for note in validation.notes if note.code != "one-source")
    for sentence in (conditions.estimated(validation), *which, conditions.one_source(validation), *notes):
        if sentence:
            yield Paragraph(sentence)


def _nearest(report: Report, figure: Figure) -> str:
    """What the condition of a figure is to the disputed texts."""
    documents = report.contents.documents
    texts = "the disputed text" if len(documents) == 1 else "most disputed texts in this report"
    if any(each.result.stated.source == figure.condition.source for each in documents):
        return f"the condition of {texts}"
    return f"the nearest to the condition of {texts} of which there are figures"


def _ratios(report: Report, figure: Figure, validation: ValidationSummary) -> Blocks:
    """How good the LRs are, under the condition of most disputed texts."""
    say, alternatives = report.say, validation.alternatives
    yield Heading("Likelihood ratios", 1)
    yield Paragraph(
        f"The next table and the figures are for {conditions.measured(figure.condition)}, {_nearest(report, figure)}.",
        keep=True,
    )
    rows: list[tuple[str, ...]] = []

    def row(name: str, value: Callable[[Performance], str]) -> None:
        both = [figure.against(alternative) for alternative in alternatives]
        rows.append((name, *(NONE if measured is None else value(measured) for measured in both)))

    row("Trials by the same author", lambda each: say.count(each.same))
    row("Trials by different authors", lambda each: say.count(each.different))
    row("Cost Cllr (0 perfect, 1 useless)", lambda each: say.cost(each.cllr))
    row("its 95 % interval", lambda each: say.costs(each.cllr_interval))
    row("Cllr at its best (after PAV)", lambda each: say.cost(each.cllr_min))
    row("Equal error rate", lambda each: say.share(each.eer))
    row("Area under the ROC curve", lambda each: say.score(each.auc))
    for threshold in THRESHOLDS:
        row(
            f"Wrong author with LR above {threshold:g}",
            lambda each, at=threshold: say.rate_of(each.beyond(at).different, each.different),  # type: ignore[misc]
        )
        row(
            f"Right author with LR below {'1' if threshold == 1 else f'1/{threshold:g}'}",
            lambda each, at=threshold: say.rate_of(each.beyond(at).same, each.same),  # type: ignore[misc]
        )
    row(
        "Limits of the LR",
        lambda each: (
            NONE if each.bounds is None else f"{say.limit(each.bounds.lower)} to {say.limit(each.bounds.upper)}"
        ),
    )
    several = ", against either form of the second proposition" if len(alternatives) > 1 else ""
    heads = [f"Against '{ALTERNATIVES[each.value]}'" for each in alternatives]
    yield Table(
        [Column(""), *(Column(head, 158, "right", 1) for head in heads)],
        rows,
        f"How good the likelihood ratios are{several}.",
    )


def _plots(report: Report, curves: Curves) -> Blocks:
    """The plots of both alternatives, side by side."""
    there = [plots for plots in (curves.listed, curves.unlisted) if plots is not None]
    outside = ALTERNATIVES[(Alternative.POPULATION if report.contents.population else Alternative.UNLISTED).value]
    sides = f" Left: against another listed author; right: against {outside}." if len(there) == 2 else ""

    def drawn(draw: Callable[[Any, Look], Drawing], kind: type[Any], name: str, height: float) -> Illustration:
        look = report.look(height, 2)
        drawings = [draw(as_curve(kind, getattr(plots, name)), look) for plots in there]
        return Illustration(drawings, drawings[0].reading + sides)

    if there:
        yield drawn(figures.tippett, TippettCurves, "tippett", 2.45)
        yield drawn(figures.ece, EceCurve, "ece", 2.25)
        yield drawn(figures.pav_plot, PavFit, "pav", 2.45)
        yield drawn(figures.reliability, ReliabilityCurve, "reliability", 2.9)


def _rankings(report: Report, validation: ValidationSummary) -> Blocks:
    say = report.say
    population = validation.reference is not None
    systems = {name: each for name, each in validation.systems.items() if not (population and name == FUSED)}
    if not systems:
        return
    yield Heading("Rankings", 1)
    first = [
        f"Known texts that put their author first{f' of all {say.count(validation.authors)}' if population else ''}, by "
        f"{SYSTEMS[system]}: "
        f"{say.rate_of(each.accuracy, each.documents, each.accuracy_interval)}; "
        f"macro-F1 {say.cost(each.macro_f1)} (95 % interval {say.costs(each.macro_f1_interval)})."
        for system, each in systems.items()
    ]
    chance = (
        f"By chance it would be {say.share(conditions.by_chance(validation))}, by always naming the author with most texts "
        f"{say.rate_of(validation.majority, validation.documents)}."
    )
    yield Paragraph(" ".join([*first, chance]))
    if population:  # what became of each author as a stand-in says nothing of the candidates
        return
    heads = ("Texts", "F1", "Own texts supported", "Others' supported", "Median LR", "Smallest p", "As an outsider")
    yield Table(
        [
            Column("Author", lines=1),
            *(Column(head, width, "right") for head, width in zip(heads, _WIDTHS, strict=True)),
        ],
        [_author(report, each) for each in validation.by_author],
        f"How well each author is recognised, in {conditions.measured(validation.whole.condition)}. F1: precision and recall "
        "together, 1 is perfect. Supported: LR above 1. Median LR: of the author's own texts. Smallest p: the lowest that the test of "
        "usualness can give with so many texts. As an outsider: those of the author's texts with an opinion for somebody else when "
        "nothing by the author was known. The texts of one author are too few, and too like one another, for intervals.",
    )
    yield _confusions(report, validation)


def _confusions(report: Report, validation: ValidationSummary) -> Illustration | Paragraph:
    """Who was taken for whom, as far as it can be read on a page."""
    names = tuple(each.author for each in validation.by_author)
    if not 1 < len(names) <= _MOST_DRAWN:
        return Paragraph("Who was taken for whom stands in the embedded results.")
    counts = np.array(validation.headline.confusion, dtype=np.float64)
    f1 = np.array([each.headline.f1 or 0.0 for each in validation.by_author])
    drawing = figures.confusion_matrix(Confusion(names, counts, f1), report.look(4.0))
    about = f"By {SYSTEMS[next(iter(validation.systems))]}, for {conditions.measured(validation.whole.condition)}."
    return Illustration([drawing], f"{about} {drawing.reading}", floating=True)


def _author(report: Report, row: AuthorFigure) -> tuple[Cell, ...]:
    say = report.say
    f1 = row.headline.f1
    return (
        row.author,
        say.count(row.documents),
        NONE if f1 is None else say.cost(f1),
        say.out_of(row.own_supported, row.tried),
        say.out_of(row.others_supported, row.others),
        say.short_ratio(row.median_log10),
        say.p(row.smallest_p),
        say.out_of(row.outside_supported, row.outside),
    )


def _open_set(report: Report, validation: ValidationSummary, figure: Figure, drawn: OpenSetCurve | None) -> Blocks:
    """What becomes of texts by listed authors, and of texts by outsiders."""
    say = report.say
    own, others = figure.open_set.listed, figure.open_set.unlisted
    yield Heading("Texts by somebody who is not listed", 1)
    yield Paragraph(
        f"What the rule does with {conditions.measured(figure.condition)} by listed authors: an opinion for an author in "
        f"{say.rate_of(own.opinion, own.documents, own.opinion_interval)}, right in "
        f"{say.rate_of(own.right_when_given, own.given, own.right_interval)} of these; 'none of these' in "
        f"{say.rate_of(own.none_of_these, own.documents, own.none_interval)}; no opinion in "
        f"{say.rate_of(own.no_opinion, own.documents, own.no_opinion_interval)}."
    )
    if others is None:
        yield Paragraph("What becomes of texts by somebody who is not listed is not estimable in this case.")
        return
    yield Paragraph(
        "What it does with texts whose author the model did not know: wrongly in support of a listed author in "
        f"{say.rate_of(others.wrongly_supported, others.documents)} (95 % interval {conditions.AMONG_OTHERS} "
        f"{say.shares(others.supported_interval)}); 'none of these' in "
        f"{say.rate_of(others.none_of_these, others.documents, others.none_interval)}; no opinion in "
        f"{say.rate_of(others.no_opinion, others.documents, others.no_opinion_interval)}."
    )
    worst = conditions.worst_outsider(validation)
    if worst is not None:
        yield Paragraph(
            f"How often differs from one outsider to another. Worst, in whole texts, was {worst.author}: when nothing by this author was "
            f"known, {say.share(worst.outside_supported)} of the author's {say.count(worst.documents)} texts led to support for somebody "
            "else. The table of authors has all of them."
        )
    comparisons = 0 if figure.unlisted is None else figure.unlisted.different
    yield Table(
        [
            Column("LR above"), Column("for one given author (comparisons)", 160, "right"),
            Column("for at least one of the authors (texts)", 230, "right"),
        ],
        [
            (
                say.setting(row.threshold), say.rate_of(row.one_author, comparisons),
                say.rate_of(row.any_author, others.documents, row.any_interval),
            )
            for row in figure.open_set.false_support
        ],
        "How often a text by an outsider gets such a likelihood ratio by chance: the more candidates, the more often.",
    )  # fmt: skip
    if drawn is not None:
        drawing = figures.open_set(
            drawn.threshold, drawn.any_author, report.look(2.7), one_supported=drawn.one_author, own_declined=drawn.declined,
            candidates=drawn.candidates,
        )  # fmt: skip
        yield Illustration([drawing], floating=True)


def _stand_ins(report: Report, reference: ReferenceGroup, figure: Figure) -> Blocks:
    """What the rule does with the texts of stand-ins, and with those of others."""
    say, alone = report.say, reference.alone
    own, others, denied = figure.open_set.listed, figure.open_set.unlisted, figure.denied
    yield Heading("Texts of stand-ins, and texts by others", 1)
    opinion = say.rate_of(own.opinion, own.documents, own.opinion_interval)
    if alone:
        said = f"the stand-in wrote them: an opinion for the stand-in in {opinion}; "
    else:
        said = (
            f"one of the stand-ins wrote them: an opinion for a stand-in in {opinion}, right in "
            f"{say.rate_of(own.right_when_given, own.given, own.right_interval)} of these; 'none of these' in "
            f"{say.rate_of(own.none_of_these, own.documents, own.none_interval)}; "
        )
    if denied is not None:
        said += f"the author wrongly ruled out in {say.rate_of(denied.wrongly, denied.own)}."
    yield Paragraph(f"What the rule does with {conditions.measured(figure.condition)} when {said}")
    if others is None:
        yield Paragraph("What becomes of texts by somebody else is not estimable in this case.")
        return
    by, whom = ("the stand-in", "the stand-in") if alone else ("the stand-ins", "one of them")
    said = (
        f"What it does with texts by others than {by}: wrongly an opinion for {whom} in "
        f"{say.rate_of(others.wrongly_supported, others.documents)} (95 % interval {conditions.AMONG_OTHERS} "
        f"{say.shares(others.supported_interval)})"
    )
    if denied is not None:
        rightly = say.rate_of(denied.rightly, denied.others)
        said += f"; of the comparisons of such a text with a stand-in, {rightly} rule the stand-in out"
    yield Paragraph(f"{said}.")
    among = "" if alone else f", for at least one of {say.count(reference.candidates)} stand-ins"
    yield Table(
        [Column("LR above"), Column("Texts by others with such an LR for a stand-in", 260, "right")],
        [
            (say.setting(row.threshold), say.rate_of(row.any_author, others.documents, row.any_interval))
            for row in figure.open_set.false_support
        ],
        f"How often a text by somebody else gets such a likelihood ratio by chance{among}.",
    )


def _pairs(report: Report, validation: ValidationSummary) -> Blocks:
    """How well two texts are compared, by strangers above all."""
    say, pairs = report.say, validation.pairs
    found = pairs.strangers
    if validation.fused_only:
        return
    yield Heading("Pairs of texts", 1)
    if found is None:
        yield Paragraph(strangers(validation))
        return
    yield Paragraph(
        "Whether one person wrote two texts is judged by their cosines in each family of features, less what the known texts have in "
        "common, with weights from pairs of known texts that share no source, as far as there are such. Pairs were tried as if neither "
        "author were known."
    )
    if pairs.unseen_outside is not None:
        yield Paragraph(
            f"The cost Cllr of these likelihood ratios is {say.cost(pairs.unseen_outside.cllr)} (95 % interval "
            f"{say.costs(pairs.unseen_outside.cllr_interval)})."
        )
    yield Table(
        [Column("Method"), Column("Area under the ROC curve", 150, "right")],
        [(PAIR_METHODS[name], say.score(value)) for name, value in found.auc.items()],
        f"Two texts by strangers, one writer or two: {say.count(found.same)} pairs by one writer and "
        f"{say.count(found.different)} by two, the same for all methods. 0.5 is chance, 1 is perfect.",
    )


def _lengths(report: Report, validation: ValidationSummary) -> Blocks:
    """First places, opinions and the cost of LRs for shorter and longer texts, by condition."""
    say = report.say
    if len(validation.figures) < 2:
        return
    yield Heading("Shorter and longer texts", 1)

    def length(condition: Condition) -> str:
        if condition.words is None:
            return "whole texts" + (f" (median {say.count(condition.median)} words)" if condition.median else "")
        joined = f", {say.count(condition.texts)} texts joined" if condition.texts > 1 else ""
        return f"{say.count(condition.words)} words{joined}"

    def dashed(ends: str) -> str:
        """An interval without a place to break the line."""
        return ends.replace(" % to ", "–").replace(" to ", "–")

    def cost(figure: Figure, alternative: Alternative) -> str:
        measured = figure.against(alternative)
        if measured is None or measured.cllr is None:
            return NONE
        return f"{say.cost(measured.cllr)} ({dashed(say.costs(measured.cllr_interval))})"

    def rate(value: float | None, ends: Ends | None, of: int) -> str:
        return say.out_of(value, of) + ("" if value is None or ends is None else f" ({dashed(say.shares(ends))})")

    against = validation.alternatives
    alone = len(against) == 1
    rows: list[Row] = []
    for source, name in conditions.SOURCES.items():
        some = [each for each in validation.figures if each.condition.source == source]
        rows += [Group(name)] if some else []
        for each in sorted(some, key=lambda figure: figure.condition.words or validation.median_words):
            rule, wrongly = each.open_set.listed, each.open_set.unlisted
            rows.append(
                (
                    length(each.condition),
                    *(() if alone else (rate(*each.first.counted, each.first.documents),)),
                    *(cost(each, alternative) for alternative in against),
                    rate(rule.opinion, rule.opinion_interval, rule.documents),
                    rate(wrongly.wrongly_supported, None, wrongly.documents)
                    if alone and wrongly is not None
                    else rate(rule.right_when_given, rule.right_interval, rule.given),
                )
            )
    if alone:
        heads: tuple[tuple[str, int], ...] = (("Cllr", 90), ("Opinions, own texts", 110), ("Opinions, others", 90))
        legend = "Opinions: those of the texts that got one for the stand-in, who wrote them, or wrongly when somebody else did."
    else:
        heads = (("First", 63), ("Cllr, listed", 62), ("Cllr, not listed", 62), ("Opinions", 63), ("Right", 63))
        legend = (
            f"First: those that put their own author first. Cllr: against '{ALTERNATIVES['listed']}' and against "
            f"'{ALTERNATIVES[against[1].value]}'. Opinions: those that got one for an author. Right: those of these that were right."
        )
    yield Table(
        [Column("Length"), *(Column(head, width, "right") for head, width in heads)],
        rows,
        f"Known texts cut to shorter ones, and texts of one author joined to longer ones. {legend} In brackets 95 % intervals.",
    )
