"""The report states both figures side by side, which of them holds for each text and why, and first of all where one does not exist."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from forensia.evidence.result import Alternative, Condition, Stated
from forensia.evidence.summary import Figure
from forensia.report import make
from forensia.report.contents import Contents
from forensia.report.make import draw
from forensia.report.sections import closing, method, results, validation
from forensia.wording import conditions
from forensia.wording.numbers import Printer
from support.pdf import pages_of
from tests.report.conftest import Printed
from tests.report.reading import assert_margins, flat, pictures, strange_numbers

STATED = Stated("known", "Both letters came out of the minute book.")
SAID = 'as the analyst states: "Both letters came out of the minute book".'


def known(found: Contents, documents: int = 1) -> Contents:
    """The same findings as if the first texts had been stated to be from a known source."""
    assert found.validation is not None
    condition = next(each.condition for each in found.validation.figures if each.condition.source == "known")
    rows = [
        replace(each, result=replace(each.result, stated=STATED, condition=condition)) if place < documents else each
        for place, each in enumerate(found.documents)
    ]
    return replace(found, documents=tuple(rows)).finished()


def without_new(found: Contents) -> Contents:
    """As if nobody had said what the known texts come from."""
    assert found.validation is not None and found.curves is not None
    figures = tuple(each for each in found.validation.figures if each.condition.source == "known")
    assert 0 < len(figures) < len(found.validation.figures)
    documents = tuple(
        replace(each, result=replace(each.result, condition=figures[0].condition)) for each in found.documents
    )
    return replace(
        found,
        validation=replace(found.validation, figures=figures, told=False),
        curves=replace(found.curves, condition=figures[0].condition),
        documents=documents,
    ).finished()


def summary_of(text: str) -> str:
    return text[text.index("1 Summary") : text.index("Contents")]


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the sections that tell conditions, beside the summary."""
    monkeypatch.setattr(make, "BODY", (method.propositions, validation.validation, results.results, closing.conclusion))


def test_both_figures_stand_in_the_summary_and_in_the_validation(printed: Printed) -> None:
    text = flat(printed.text)
    found = printed.contents.validation
    assert found is not None
    new, kept = found.of("new"), found.of("known")
    assert new is not None and kept is not None
    rows = conditions.side_by_side(found, Printer())
    for name, first, second in rows:
        assert text.count(flat(f"{name} {first} {second}")) == 2, name
    assert text.count("New source Known source") == 2
    assert "The figures for a new source hold for all disputed texts." in summary_of(text)
    for document in printed.contents.documents:
        assert conditions.holds(document.result) in text


def test_every_rate_has_its_count_and_its_interval(printed: Printed) -> None:
    """Rankings, authors, opinions, outsiders and lengths: so many of so many, and 95 % intervals but for single authors."""
    say, text = Printer(), flat(printed.text)
    validation, figure = printed.contents.validation, printed.contents.figure
    assert validation is not None and figure is not None and figure.open_set.unlisted is not None
    for each in validation.systems.values():
        assert sum(map(sum, each.confusion)) == each.documents and each.accuracy_interval is not None
        right = sum(row[place] for place, row in enumerate(each.confusion))
        assert (
            f"{right} of {each.documents} ({say.share(each.accuracy)}; 95 % interval {say.shares(each.accuracy_interval)})"
            in text
        )
    for author in validation.by_author:
        cells = (author.own_supported, author.tried), (author.others_supported, author.others)
        assert author.tried == author.documents == author.outside and author.others == 36
        own, others = (f"{round((value or 0) * of)} of {of}" for value, of in cells)
        assert flat(f"{author.author} {author.documents} {say.cost(author.headline.f1)} {own} {others}") in text
    listed, unlisted = figure.open_set.listed, figure.open_set.unlisted
    rates = (
        (listed.none_of_these, listed.none_interval, listed.documents),
        (listed.no_opinion, listed.no_opinion_interval, listed.documents),
        (unlisted.none_of_these, unlisted.none_interval, unlisted.documents),
        (unlisted.no_opinion, unlisted.no_opinion_interval, unlisted.documents),
    )
    for rate, ends, of in rates:
        assert ends is not None and ends[0] <= rate <= ends[1]
        assert f"{round(rate * of)} of {of} ({say.share(rate)}; 95 % interval {say.shares(ends)})" in text
    for row in figure.open_set.false_support:
        assert row.any_interval is not None and row.any_author is not None
        assert row.any_interval[0] <= row.any_author <= row.any_interval[1]
        assert (
            f"{round(row.any_author * unlisted.documents)} of {unlisted.documents} ({say.share(row.any_author)}; 95 % interval"
            in text
        )
    part = text[text.rindex("Shorter and longer texts") : text.rindex("8 Results")]
    for each in validation.figures:
        share, ends = each.first.counted
        assert share is not None and ends is not None and ends[0] <= share <= ends[1]
        within = say.shares(ends).replace(" % to ", "–")
        assert f"{round(share * each.first.documents)} of {each.first.documents} ({within})" in part


def test_every_length_is_listed_under_its_source(printed: Printed) -> None:
    text = flat(printed.text)
    assert printed.contents.validation is not None
    part = text[text.rindex("Shorter and longer texts") : text.rindex("8 Results")]
    sides = part[: part.index("Known source")], part[part.index("Known source") :]
    joined = 0
    for figure in printed.contents.validation.figures:
        side, condition = sides[figure.condition.source == "known"], figure.condition
        more = f", {condition.texts} texts joined" if condition.texts > 1 else ""
        whole = f"whole texts (median {condition.median} words)"
        assert (whole if condition.words is None else f"{condition.words:,} words{more} ") in side
        joined += condition.texts > 1
    assert joined, "longer texts are among them"
    median = round(printed.contents.validation.median_words)
    assert f"What was measured on whole known texts (in the median {median} words), with" in text


def test_the_figures_are_those_of_the_condition_that_most_texts_have(printed: Printed) -> None:
    figure = printed.contents.figure
    assert figure is not None and figure.condition == printed.contents.documents[0].result.condition
    assert f"are for {conditions.measured(figure.condition)}, the condition of most disputed texts" in flat(
        printed.text
    )
    assert f"What the rule does with {conditions.measured(figure.condition)} by listed authors:" in flat(printed.text)


def test_what_the_analyst_states_is_told_with_its_reason(printed: Printed, brief: None) -> None:
    made = draw(known(printed.contents))
    text = flat("\n".join(pages_of(made.pdf)))
    assert f"The figures for a known source hold for 'JH/1 (anonymous-1.txt)', {SAID}" in summary_of(text)
    assert "The figures for a new source hold for 'anonymous-2.txt'." in summary_of(text)
    body = text[text.index("Validation for this case") :]
    assert body.count(SAID) >= 3, "in the validation, the results and the conclusion"
    assert "A known source, as stated" in summary_of(text), "it is among the main limits"
    assert strange_numbers(made, pages_of(made.pdf)) == []


def test_first_of_all_it_says_that_nothing_is_known_of_new_sources(printed: Printed, brief: None) -> None:
    lacking = "How well authors are recognised in a text from a new source is not known: nobody said what the known texts come from."
    assert lacking not in flat(printed.text)
    found = without_new(printed.contents)
    for contents, times in ((found, 2), (known(found, 2), 6)):
        text = flat("\n".join(pages_of(draw(contents).pdf)))
        assert summary_of(text).startswith(f"1 Summary {lacking}")
        body = text[text.rindex("Validation for this case") :]
        assert body.startswith(f"Validation for this case {lacking}")
        assert text.count(lacking) == times + 1, "the limit says it too"
        for document in contents.documents:
            name = document.result.file
            first = f"{name} {lacking}" in body or f"{name}) {lacking}" in body
            assert first is (document.result.stated.source == "known")
        assert "not known not known" not in text and "from a new source, one source of every author" not in text


def test_authors_with_one_source_and_the_worst_outsider_are_named(printed: Printed, brief: None) -> None:
    found = printed.contents
    assert found.validation is not None
    rows = tuple(
        replace(each, source_left_out=place > 4, outside_supported=0.01 * place)
        for place, each in enumerate(found.validation.by_author)
    )
    contents = replace(found, validation=replace(found.validation, by_author=rows))
    text = flat("\n".join(pages_of(draw(contents).pdf)))
    for each in rows[:5]:
        assert each.author in text[text.index("Authors with one source, about whom") :][:400]
    assert f"Worst, in whole texts, was {rows[-1].author}: " in text and "9.0 % of the author's 4 texts" in text


def test_of_a_closed_set_nothing_is_said_of_others(printed: Printed, brief: None) -> None:
    found = printed.contents
    assert found.validation is not None and found.curves is not None

    def without(figure: Figure) -> Figure:
        return replace(figure, unlisted=None, open_set=replace(figure.open_set, unlisted=None, false_support=()))

    documents = []
    for each in found.documents:
        candidates = []
        for row in each.result.candidates:
            assert row.listed is not None
            ratio = replace(row.listed, alternative=Alternative.CLOSED)
            candidates.append(replace(row, headline=ratio, listed=ratio, unlisted=None))
        documents.append(replace(each, result=replace(each.result, candidates=tuple(candidates))))
    contents = replace(
        found,
        validation=replace(found.validation, figures=tuple(map(without, found.validation.figures))),
        curves=replace(found.curves, unlisted=None, open_set=None),
        documents=tuple(documents),
    ).finished()
    text = flat("\n".join(pages_of(draw(contents).pdf)))
    assert "the second: another of the listed authors wrote the disputed text." in text
    assert "on the condition that one of the listed authors wrote the disputed text. They are too few" in text
    assert "They also stand for" not in text and "The lower of the two" not in text
    assert text.count("Provided that one of the 10 listed authors wrote the disputed text, ") >= len(found.documents)
    assert "Somebody else cannot be weighed" in text


def test_long_reasons_stay_on_the_page(printed: Printed, brief: None, tmp_path: Path) -> None:
    found = known(printed.contents, 2)
    long = Stated("known", "the same thread of messages, " * 60 + "x" * 200)
    documents = tuple(replace(each, result=replace(each.result, stated=long)) for each in found.documents)
    made = draw(replace(found, documents=documents).finished())
    pages = pages_of(made.pdf)
    assert "Main limits" in flat(pages[1]), "the summary is one page all the same"
    assert "x" * 40 in "".join(pages[3:]).replace("\n", ""), "and the reason stands whole further on"
    assert_margins(pictures(made.pdf, tmp_path), "A4")


def test_a_condition_that_was_not_asked_for_is_not_made_up(printed: Printed, brief: None) -> None:
    """As in results of version 0.1."""
    documents = tuple(
        replace(each, result=replace(each.result, condition=Condition("unknown", 300)))
        for each in printed.contents.documents
    )
    text = flat("\n".join(pages_of(draw(replace(printed.contents, documents=documents)).pdf)))
    assert "whether they came from a new source or from a known one was not asked" in text
    assert "The figures for a new source hold" not in text
