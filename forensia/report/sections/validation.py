"""The validation for this case: how it was done, how good the likelihood ratios and the rankings were, what becomes of outsiders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from forensia import figures
from forensia.evidence.calibration import Bounds
from forensia.evidence.measures import Confusion
from forensia.evidence.reasons import ReferenceGroup
from forensia.evidence.result import FUSED, Alternative, Condition, Ends
from forensia.evidence.summary import (
    THRESHOLDS,
    AuthorFigure,
    Figure,
    Performance,
    ValidationSummary,
)
from forensia.figures import Drawing, Look
from forensia.report import trust as stored
from forensia.report.grid import Cell, Column, Group, Row, table
from forensia.report.letters import Piece
from forensia.report.paper import BODY
from forensia.report.printing import NONE
from forensia.report.trust import Curves, OpenSetCurve, Plots
from forensia.report.writing import SectionWriter
from forensia.wording import conditions
from forensia.wording.opinion import strangers
from forensia.wording.reasons import ALTERNATIVES, PAIR_METHODS, SYSTEMS, sentences

_WIDTHS = (28, 26, 52, 66, 36, 40, 46)  # of the table of authors
_AS_NEW = (
    "As if from a new source, one source of every author was left out at a time, the text's own among them (the texts of an author of "
    "which no source is named are one). "
)
_MOST_DRAWN = 30  # authors whose confusions can be read on a page
_STAND_INS = (
    "A text of a stand-in is tried with the stand-in's other texts alone, and the average is that of all other authors. A text by somebody "
    "else is tried with stand-ins who did not write it, and the average is that of those who wrote neither."
)


def write(report: SectionWriter) -> None:
    """Validation."""
    doc, say, validation = report.doc, report.say, report.found.validation
    doc.heading("Validation for this case")
    if validation is None and report.found.older_validation:
        doc.paragraph(
            f"The case was validated by version {report.found.older_validation} of the program, whose likelihood ratios are given. This "
            "version cannot read that validation; how good they are stands in the reports of that version."
        )
        return
    if validation is None:
        doc.paragraph(
            "The model of this case was not validated: it was trained with the protocol of the paper, or its validation was not "
            "finished. How far its rankings can be trusted is not known, and no likelihood ratio is given."
        )
        return
    if not report.found.documents:
        _pairs(report, validation)
        return
    for each in report.no_new_source():
        doc.paragraph([Piece(each, BODY.strong)])
    tried = conditions.stand_ins(validation)
    doc.paragraph(
        f"The {say.count(validation.documents)} known texts by {say.count(validation.authors)} authors were tried as if each were "
        "the disputed one. "
        + (f"{tried} {_STAND_INS} " if tried else "")
        + (_AS_NEW if validation.of("new") is not None else "")
        + "As if from a known source, one text of every author was left out at a time. "
        + (
            ""
            if tried
            else "As if by somebody else, all texts of the author were. The fits without what is left out follow exactly from the fit with "
            "it. "
        )
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
        + (", for a new source those of one source together." if validation.of("new") is not None else ".")
    )
    _both(report, validation)
    figure, curves = report.found.figure, report.found.curves
    assert figure is not None and curves is not None
    _ratios(report, figure, validation.alternatives)
    _figures(report, curves)
    _rankings(report, validation)
    _open_set(report, validation, figure, curves.open_set)
    _pairs(report, validation)
    _lengths(report, validation)


def _both(report: SectionWriter, validation: ValidationSummary) -> None:
    """The figures for a new source and for a known one, which of them holds for which text, and what is not known."""
    doc = report.doc
    doc.heading("Texts from a new source and from a known one", 1)
    table(
        doc,
        [Column(""), *(Column(head, 132, "right") for head in conditions.SOURCES.values())],
        conditions.side_by_side(validation, report.say),
        caption=f"What was measured on {conditions.whole(validation.whole.condition)}, with 95 % intervals, of outsiders the upper end. "
        "Cllr: 0 is perfect, 1 useless.",
    )
    if estimate := conditions.estimated(validation):
        doc.paragraph(estimate)
    for sentence in conditions.which((report.name(each), each.result) for each in report.found.documents):
        doc.paragraph(sentence)
    if alone := conditions.one_source(validation):
        doc.paragraph(alone)
    for note in sentences(note for note in validation.notes if note.code != "one-source"):
        doc.paragraph(note)


def _nearest(report: SectionWriter, figure: Figure) -> str:
    """What the condition of a figure is to the disputed texts."""
    documents = report.found.documents
    texts = "the disputed text" if len(documents) == 1 else "most disputed texts in this report"
    if any(each.result.stated.source == figure.condition.source for each in documents):
        return f"the condition of {texts}"
    return f"the nearest to the condition of {texts} of which there are figures"


def _ratios(report: SectionWriter, figure: Figure, alternatives: Sequence[Alternative]) -> None:
    """How good the LRs are, under the condition of most disputed texts."""
    doc, say = report.doc, report.say
    doc.heading("Likelihood ratios", 1)
    doc.paragraph(
        f"The next table and the figures are for {conditions.measured(figure.condition)}, {_nearest(report, figure)}.",
        keep=BODY.leading,
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
    row("Limits of the LR", lambda each: _limits(report, each.bounds))
    table(
        doc,
        [
            Column(""),
            *(Column(f"Against '{ALTERNATIVES[each.value]}'", 158, "right", 1) for each in alternatives),
        ],
        rows,
        caption="How good the likelihood ratios are, against either form of the second proposition."
        if len(alternatives) > 1
        else "How good the likelihood ratios are.",
    )


def _limits(report: SectionWriter, bounds: Bounds | None) -> str:
    return NONE if bounds is None else f"{report.say.limit(bounds.lower)} to {report.say.limit(bounds.upper)}"


def _figures(report: SectionWriter, curves: Curves) -> None:
    """The plots of both alternatives, side by side."""
    doc = report.doc
    there = [plots for plots in (curves.listed, curves.unlisted) if plots is not None]
    if not there:
        return
    outside = ALTERNATIVES[(Alternative.POPULATION if report.found.population else Alternative.UNLISTED).value]
    sides = f" Left: against another listed author; right: against {outside}." if len(there) == 2 else ""
    kinds: tuple[tuple[Callable[[Any, Look], Drawing], Callable[[Plots], Any], float], ...] = (
        (figures.tippett, stored.tippett, 2.45), (figures.ece, stored.ece, 2.25), (figures.pav_plot, stored.pav_fit, 2.45),
        (figures.reliability, stored.reliability, 2.9),
    )  # fmt: skip
    for draw, read, height in kinds:
        drawings = [draw(read(plots), report.look(height, 2)) for plots in there]
        doc.figures(drawings, caption=drawings[0].reading + sides)


def _rankings(report: SectionWriter, validation: ValidationSummary) -> None:
    doc, say = report.doc, report.say
    population = validation.reference is not None
    systems = {name: each for name, each in validation.systems.items() if not (population and name == FUSED)}
    if not systems:
        return
    doc.heading("Rankings", 1)
    told = [
        f"Known texts that put their author first{f' of all {say.count(validation.authors)}' if population else ''}, by "
        f"{SYSTEMS[system]}: "
        f"{say.rate_of(each.accuracy, each.documents, each.accuracy_interval)}; "
        f"macro-F1 {say.cost(each.macro_f1)} (95 % interval {say.costs(each.macro_f1_interval)})."
        for system, each in systems.items()
    ]
    told.append(
        f"By chance it would be {say.share(conditions.by_chance(validation))}, by always naming the author with most texts "
        f"{say.rate_of(validation.majority, validation.documents)}."
    )
    doc.paragraph(" ".join(told))
    if population:  # what became of each author as a stand-in says nothing of the candidates
        return
    rows: list[tuple[Cell, ...]] = [_author(report, each) for each in validation.by_author]
    heads = ("Texts", "F1", "Own texts supported", "Others' supported", "Median LR", "Smallest p", "As an outsider")
    table(
        doc,
        [
            Column("Author", lines=1),
            *(Column(head, width, "right") for head, width in zip(heads, _WIDTHS, strict=True)),
        ],
        rows,
        caption=f"How well each author is recognised, in {conditions.measured(validation.whole.condition)}. F1: precision and recall "
        "together, 1 is perfect. Supported: LR above 1. Median LR: of the author's own texts. Smallest p: the lowest that the test of "
        "usualness can give with so many texts. As an outsider: those of the author's texts with an opinion for somebody else when "
        "nothing by the author was known. The texts of one author are too few, and too like one another, for intervals.",
    )
    _confusions(report, validation)


def _confusions(report: SectionWriter, validation: ValidationSummary) -> None:
    """Who was taken for whom, as far as it can be read on a page."""
    names = tuple(each.author for each in validation.by_author)
    if not 1 < len(names) <= _MOST_DRAWN:
        report.doc.paragraph("Who was taken for whom stands in the embedded results.")
        return
    counts = np.array(validation.headline.confusion, dtype=np.float64)
    f1 = np.array([each.headline.f1 or 0.0 for each in validation.by_author])
    drawing = figures.confusion_matrix(Confusion(names, counts, f1), report.look(4.0))
    report.doc.figures(
        [drawing],
        caption=f"By {SYSTEMS[next(iter(validation.systems))]}, for {conditions.measured(validation.whole.condition)}. {drawing.reading}",
        floating=True,
    )


def _author(report: SectionWriter, row: AuthorFigure) -> tuple[Cell, ...]:
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


def _open_set(report: SectionWriter, validation: ValidationSummary, figure: Figure, drawn: OpenSetCurve | None) -> None:
    doc, say = report.doc, report.say
    found = figure.open_set
    listed, unlisted = found.listed, found.unlisted
    if validation.reference is not None:
        _stand_ins(report, validation.reference, figure)
        return
    doc.heading("Texts by somebody who is not listed", 1)
    doc.paragraph(
        f"What the rule does with {conditions.measured(figure.condition)} by listed authors: an opinion for an author in "
        f"{say.rate_of(listed.opinion, listed.documents, listed.opinion_interval)}, right in "
        f"{say.rate_of(listed.right_when_given, listed.given, listed.right_interval)} of these; 'none of these' in "
        f"{say.rate_of(listed.none_of_these, listed.documents, listed.none_interval)}; no opinion in "
        f"{say.rate_of(listed.no_opinion, listed.documents, listed.no_opinion_interval)}."
    )
    if unlisted is None:
        doc.paragraph("What becomes of texts by somebody who is not listed is not estimable in this case.")
        return
    doc.paragraph(
        "What it does with texts whose author the model did not know: wrongly in support of a listed author in "
        f"{say.rate_of(unlisted.wrongly_supported, unlisted.documents)} (95 % interval {conditions.AMONG_OTHERS} "
        f"{say.shares(unlisted.supported_interval)}); 'none of these' in "
        f"{say.rate_of(unlisted.none_of_these, unlisted.documents, unlisted.none_interval)}; no opinion in "
        f"{say.rate_of(unlisted.no_opinion, unlisted.documents, unlisted.no_opinion_interval)}."
    )
    worst = conditions.worst_outsider(validation)
    if worst is not None:
        doc.paragraph(
            f"How often differs from one outsider to another. Worst, in whole texts, was {worst.author}: when nothing by this author was "
            f"known, {say.share(worst.outside_supported)} of the author's {say.count(worst.documents)} texts led to support for somebody "
            "else. The table of authors has all of them."
        )
    table(
        doc,
        [
            Column("LR above"),
            Column("for one given author (comparisons)", 160, "right"),
            Column("for at least one of the authors (texts)", 230, "right"),
        ],
        [
            (
                say.plain(row.threshold),
                say.rate_of(row.one_author, 0 if figure.unlisted is None else figure.unlisted.different),
                say.rate_of(row.any_author, unlisted.documents, row.any_interval),
            )
            for row in found.false_support
        ],
        caption="How often a text by an outsider gets such a likelihood ratio by chance: the more candidates, the more often.",
    )
    if drawn is not None:
        doc.figures(
            [
                figures.open_set(
                    drawn.threshold, drawn.any_author, report.look(2.7), one_supported=drawn.one_author,
                    own_declined=drawn.declined, candidates=drawn.candidates,
                )
            ],
            floating=True,
        )  # fmt: skip


def _stand_ins(report: SectionWriter, reference: ReferenceGroup, figure: Figure) -> None:
    """What the rule does with the texts of stand-ins, and with those of others."""
    doc, say = report.doc, report.say
    found, denied = figure.open_set, figure.denied
    own, others = found.listed, found.unlisted
    doc.heading("Texts of stand-ins, and texts by others", 1)
    right = f", right in {say.rate_of(own.right_when_given, own.given, own.right_interval)} of these"
    none = f"'none of these' in {say.rate_of(own.none_of_these, own.documents, own.none_interval)}; "
    doc.paragraph(
        f"What the rule does with {conditions.measured(figure.condition)} when "
        f"{'the stand-in' if reference.alone else 'one of the stand-ins'} wrote them: an opinion for "
        f"{'the stand-in' if reference.alone else 'a stand-in'} in {say.rate_of(own.opinion, own.documents, own.opinion_interval)}"
        f"{'' if reference.alone else right}; {'' if reference.alone else none}"
        + ("" if denied is None else f"the author wrongly ruled out in {say.rate_of(denied.wrongly, denied.own)}.")
    )
    if others is None:
        doc.paragraph("What becomes of texts by somebody else is not estimable in this case.")
        return
    doc.paragraph(
        f"What it does with texts by others than the stand-in{'' if reference.alone else 's'}: wrongly an opinion "
        f"for {'the stand-in' if reference.alone else 'one of them'} in {say.rate_of(others.wrongly_supported, others.documents)} (95 % "
        f"interval {conditions.AMONG_OTHERS} {say.shares(others.supported_interval)})"
        + (
            "."
            if denied is None
            else f"; of the comparisons of such a text with a stand-in, {say.rate_of(denied.rightly, denied.others)} rule the stand-in out."
        )
    )
    table(
        doc,
        [Column("LR above"), Column("Texts by others with such an LR for a stand-in", 260, "right")],
        [
            (say.plain(row.threshold), say.rate_of(row.any_author, others.documents, row.any_interval))
            for row in found.false_support
        ],
        caption="How often a text by somebody else gets such a likelihood ratio by chance"
        + ("." if reference.alone else f", for at least one of {say.count(reference.candidates)} stand-ins."),
    )


def _pairs(report: SectionWriter, validation: ValidationSummary) -> None:
    """How well two texts are compared, by strangers above all."""
    doc, say, pairs = report.doc, report.say, validation.pairs
    found = pairs.strangers
    if validation.fused_only:
        return
    doc.heading("Pairs of texts", 1)
    if found is None:
        doc.paragraph(strangers(validation))
        return
    doc.paragraph(
        "Whether one person wrote two texts is judged by their cosines in each family of features, less what the known texts have in "
        "common, with weights from pairs of known texts that share no source, as far as there are such. Pairs were tried as if neither "
        "author were known."
    )
    if pairs.unseen_outside is not None:
        doc.paragraph(
            f"The cost Cllr of these likelihood ratios is {say.cost(pairs.unseen_outside.cllr)} (95 % interval "
            f"{say.costs(pairs.unseen_outside.cllr_interval)})."
        )
    table(
        doc,
        [Column("Method"), Column("Area under the ROC curve", 150, "right")],
        [(PAIR_METHODS[name], say.score(value)) for name, value in found.auc.items()],
        caption=f"Two texts by strangers, one writer or two: {say.count(found.same)} pairs by one writer and "
        f"{say.count(found.different)} by two, the same for all methods. 0.5 is chance, 1 is perfect.",
    )


def _lengths(report: SectionWriter, validation: ValidationSummary) -> None:
    """First places, opinions and the cost of LRs for shorter and longer texts, by condition."""
    doc, say = report.doc, report.say
    if len(validation.figures) < 2:
        return
    doc.heading("Shorter and longer texts", 1)

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
        return (
            NONE
            if measured is None or measured.cllr is None
            else f"{say.cost(measured.cllr)} ({dashed(say.costs(measured.cllr_interval))})"
        )

    def rate(value: float | None, ends: Ends | None, of: int) -> str:
        return say.out_of(value, of) + ("" if value is None or ends is None else f" ({dashed(say.shares(ends))})")

    against = validation.alternatives
    alone = len(against) == 1
    rows: list[Row] = []
    for source, name in conditions.SOURCES.items():
        some = [each for each in validation.figures if each.condition.source == source]
        rows += [Group(name)] if some else []
        for each in sorted(some, key=lambda figure: figure.condition.words or validation.median_words):
            rule = each.open_set.listed
            rows.append(
                (
                    length(each.condition),
                    *(() if alone else (rate(*each.first.counted, each.first.documents),)),
                    *(cost(each, alternative) for alternative in against),
                    rate(rule.opinion, rule.opinion_interval, rule.documents),
                    rate(wrongly.wrongly_supported, None, wrongly.documents)
                    if alone and (wrongly := each.open_set.unlisted) is not None
                    else rate(rule.right_when_given, rule.right_interval, rule.given),
                )
            )
    if alone:
        table(
            doc,
            [
                Column("Length"),
                Column("Cllr", 90, "right"),
                Column("Opinions, own texts", 110, "right"),
                Column("Opinions, others", 90, "right"),
            ],
            rows,
            caption="Known texts cut to shorter ones, and texts of one author joined to longer ones. Opinions: those of the texts that got "
            "one for the stand-in, who wrote them, or wrongly when somebody else did. In brackets 95 % intervals.",
        )
        return
    table(
        doc,
        [
            Column("Length"), Column("First", 63, "right"), Column("Cllr, listed", 62, "right"),
            Column("Cllr, not listed", 62, "right"), Column("Opinions", 63, "right"), Column("Right", 63, "right"),
        ],
        rows,
        caption="Known texts cut to shorter ones, and texts of one author joined to longer ones. First: those that put their own "
        f"author first. Cllr: against '{ALTERNATIVES['listed']}' and against '{ALTERNATIVES[against[1].value]}'. Opinions: "
        "those that got one for an author. Right: those of these that were right. In brackets 95 % intervals.",
    )  # fmt: skip
