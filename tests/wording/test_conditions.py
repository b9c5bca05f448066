"""Under which condition figures hold, to the word; and what is said where nothing is known of anybody else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.evidence.opinion import NONE, Doubts, decide
from forensia.evidence.result import Alternative, Condition, Opinion, Result, Stated
from forensia.wording import conditions, opinion
from forensia.wording.numbers import Printer
from forensia.wording.ratios import forbidden_in, provided_listed
from support import results

KNOWN = Stated("known", "It stands in the same notebook.")


def of(condition: Condition | None, stated: Stated | None = None, file: str = results.FILE) -> Result:
    return replace(results.result(file), condition=condition, stated=stated or Stated())


@pytest.mark.parametrize(
    ("condition", "stated", "said"),
    [
        (None, None, ""),
        (Condition("new"), None, "These figures hold for texts as long as the known ones, from a new source."),
        (
            Condition("new", median=1_506),
            None,
            "These figures hold for texts as long as the known ones (in the median 1,506 words), from a new source.",
        ),
        (Condition("new", 1_250), None, "These figures hold for texts of about 1,250 words, from a new source."),
        (
            Condition("new", 4_000, 8),
            None,
            "These figures hold for texts of about 4,000 words (8 known texts joined), from a new source.",
        ),
        (
            Condition("known", 300),
            KNOWN,
            "These figures hold for texts of about 300 words, from the source of known texts, as the analyst states: "
            '"It stands in the same notebook".',
        ),
        (
            Condition("known", 300),
            None,
            "These figures hold for texts of about 300 words, from the sources of known texts. There are none for a text from a new "
            "source, which this is taken to be.",
        ),
        (
            Condition("unknown", 300),
            None,
            "These figures hold for texts of about 300 words; whether they came from a new source or from a known one was not asked.",
        ),
    ],
)
def test_for_which_texts_figures_hold(condition: Condition | None, stated: Stated | None, said: str) -> None:
    assert conditions.holds(of(condition, stated)) == said


def test_whole_texts_are_said_to_be_so_long() -> None:
    assert (
        conditions.measured(Condition("new", median=506))
        == "whole known texts (in the median 506 words) from a new source"
    )
    assert conditions.measured(Condition("known")) == "whole known texts from a known source", "of an earlier version"
    assert conditions.measured(Condition("known", 300)) == "texts of about 300 words from a known source"


def test_which_figure_holds_for_which_text() -> None:
    new, known = of(Condition("new")), of(Condition("known"), KNOWN)
    assert conditions.which([("a", new)]) == ["The figures for a new source hold for 'a'."]
    assert conditions.which([("a", new), ("b", new)]) == ["The figures for a new source hold for all disputed texts."]
    assert conditions.which([("a", new), ("b", known), ("c", new)]) == [
        "The figures for a new source hold for 'a', 'c'.",
        "The figures for a known source hold for 'b', as the analyst states: \"It stands in the same notebook\".",
    ]
    other = of(Condition("known"), Stated("known", "The same thread"))
    assert len(conditions.which([("b", known), ("c", other)])) == 2, "each reason is told"
    assert conditions.which([("a", of(Condition("known")))]) == [
        "No figures hold for 'a', taken to be from a new source."
    ]
    assert conditions.which([("a", of(None)), ("b", of(Condition("unknown")))]) == []


def test_both_figures_stand_side_by_side() -> None:
    say = Printer()
    rows = conditions.side_by_side(results.both_sources(results.summary()), say)
    assert [row[0] for row in rows] == [
        "Own author first", "Cllr against 'another listed author'", "Cllr against 'somebody not in the corpus'",
        "Opinions for an author", "of these right", "'None of these', wrongly", "Outsiders' texts with an opinion for somebody",
        "at most, among as many other authors",
    ]  # fmt: skip
    assert rows[0][1:] == ("50 % of 16 (60 % to 88 %)", "75 % of 16 (60 % to 88 %)")
    assert rows[3][1] == "75 % of 16 (60 % to 90 %)" and rows[4][1] == "97 % of 12 (90 % to 99 %)"
    assert (rows[6][1], rows[7][1]) == ("4.0 % of 16", "12 %"), "of outsiders the upper end"
    assert 0.5 in {each.value for each in say.printed}, "and every number is noted where it is printed"


def test_what_was_estimated_is_told_apart_from_what_was_found() -> None:
    """A model of all known texts does better than one without a source; the counted share and the estimate are two rows."""
    plain = results.both_sources(results.summary())
    assert conditions.estimated(plain) == ""
    figures = tuple(
        replace(each, first=replace(each.first, left_out=0.25, left_out_interval=(0.1, 0.4))) for each in plain.figures
    )
    found = replace(plain, figures=figures)
    rows = conditions.side_by_side(found, Printer())
    assert rows[0] == ("Own author first", "25 % of 16 (10 % to 40 %)", "25 % of 16 (10 % to 40 %)")
    assert rows[1] == ("the same with all known texts, estimated", "50 % (60 % to 88 %)", "75 % (60 % to 88 %)")
    assert len(rows) == len(conditions.side_by_side(plain, Printer())) + 1
    assert "'with all known texts' is that estimate" in conditions.estimated(found)


def test_what_is_not_known_is_said_in_its_place() -> None:
    lacking = results.summary()
    assert {row[1] for row in conditions.side_by_side(lacking, Printer())} == {"not known"}
    assert conditions.lacks_new_source(lacking).endswith("not known: nobody said what the known texts come from.")
    assert conditions.lacks_new_source(replace(lacking, told=True)).endswith(
        "not known: no author has known texts from two sources."
    )
    assert conditions.one_source(lacking) == "", "it is so for all of them"
    both = results.both_sources(lacking)
    assert conditions.lacks_new_source(both) == ""
    assert conditions.one_source(both).endswith(f"on a text from a new one: {results.AUTHORS[0]}.")
    closed = replace(lacking.whole, unlisted=None, open_set=replace(lacking.whole.open_set, unlisted=None))
    rows = conditions.side_by_side(replace(lacking, figures=(closed,)), Printer())
    assert rows[2][2] == rows[6][2] == rows[7][2] == "not estimable" != rows[1][2]


def test_the_worst_outsider_is_the_one_with_most_wrong_opinions() -> None:
    found = results.summary()
    worst = conditions.worst_outsider(found)
    assert worst is not None and worst.author == results.AUTHORS[-1]
    assert (
        conditions.worst_outsider(
            replace(found, by_author=tuple(replace(each, outside_supported=0.0) for each in found.by_author))
        )
        is None
    )


# --- a closed set -----------------------------------------------------------------------------------------------------


def closed(result: Result) -> Result:
    """The same where nothing is known of anybody else."""
    return replace(
        result,
        candidates=tuple(
            replace(each, headline=ratio, listed=ratio, unlisted=None)
            for each in result.candidates
            if each.headline is not None
            for ratio in (replace(each.headline, alternative=Alternative.CLOSED),)
        ),
    )


def test_in_a_closed_set_the_condition_comes_first() -> None:
    open_set, said = opinion.statement(results.result()), opinion.statement(closed(results.result()))
    assert said.startswith(
        "Provided that one of the 4 listed authors wrote the disputed text, the findings are about 25 "
    )
    assert " Of anybody else nothing is known. On the scale of " in said and not forbidden_in(said)
    assert "Provided" not in open_set and "anybody else" not in open_set
    found = opinion.findings(closed(replace(results.result(), opinion=Opinion("none given", results.AUTHORS[0]))))
    assert found is not None and found.statement.startswith("Provided that one of the 4 listed authors"), "as a finding"


def test_a_statement_on_a_condition_keeps_its_words() -> None:
    assert provided_listed("The findings are clear.", 2, "it") == (
        "Provided that one of the 2 listed authors wrote it, the findings are clear. Of anybody else nothing is known."
    )


@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=6), st.floats(0.0, 1.0))
def test_in_a_closed_set_none_of_these_is_no_answer(p: list[float], doubt: float) -> None:
    """However unusual the text is for every listed author."""
    row, everybody = np.array([p]), np.ones(len(p), bool)

    def decided(outsiders: float) -> int:
        doubts = Doubts(np.array([outsiders]), np.array([doubt]), np.ones(1))
        return int(decide(row, -row - 1, -row - 1, row * 0.01, doubts, 1.0, everybody)[0])

    assert decided(float("nan")) != NONE and decided(1.0) == NONE
