"""Texts compared with each other, in the report: the question, the answer, every pair, and nothing that is out of date."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from forensia import cli
from forensia.case import Case, CaseRefused
from forensia.evidence.writers import Grouping, GroupingError, WrongPairs
from forensia.report.contents import collect
from forensia.report.make import draw
from forensia.wording.numbers import Printer
from forensia.wording.ratios import forbidden_in
from forensia.wording.writers import answer, question
from support.pdf import pages_of
from tests.report.conftest import DATE, DETAILS, Printed, print_report

NAMES = ["Q1 (anonymous-1.txt)", "Q2 (anonymous-2.txt)", "Q3 (anonymous-3.txt)"]


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@pytest.fixture
def own(compared: Printed, tmp_path: Path) -> Path:
    """A copy of the case for a test that changes it."""
    return Path(shutil.copy(compared.case, tmp_path / "small.forensia"))


def test_question_and_answer_on_page_two(compared: Printed) -> None:
    page = flat(compared.pages[1])
    three, two = compared.contents.comparisons
    for each, names in ((three, NAMES), (two, NAMES[:2])):
        assert question(names) in page and flat(" ".join(answer(each.found, names))) in page
        assert flat(" ".join(answer(each.found, names))) in flat(compared.text[compared.text.rindex("Conclusion") :])
    assert "Are Q1 (anonymous-1.txt) and Q2 (anonymous-2.txt) by one writer?" in page
    assert forbidden_in(flat(compared.text)) == []


def test_every_pair_with_its_ratio(compared: Printed) -> None:
    text, say = flat(compared.text), Printer()
    three, two = compared.contents.comparisons
    assert len(three.found.pairs) == 3 and len(two.found.pairs) == 1
    for pair in (*three.found.pairs, *two.found.pairs):
        assert pair.ratio is not None
        row = f"{say.short_ratio(pair.ratio.log10, pair.ratio.bounds)} {say.short_ratios(pair.ratio.interval, pair.ratio.bounds)}"
        assert row in text
    assert (
        "log10 likelihood ratios of all pairs" in text or "Each cell is the log10 likelihood ratio of two texts" in text
    )


def test_kept_as_it_was_told(compared: Printed) -> None:
    """The JSON of the command has the numbers that are kept, and the exhibits; two texts have the ratio that they have alone."""
    three, two = compared.contents.comparisons
    told = json.loads(compared.case.with_name("three.json").read_text("utf-8"))
    assert [each["exhibit"] for each in told["texts"]] == ["Q1", "Q2", "Q3"]
    assert [each["fused_log_odds"] for each in told["pairs"]] == [each.fused for each in three.found.pairs]
    alone = json.loads(compared.case.with_name("two.json").read_text("utf-8"))
    (pair,) = two.found.pairs
    assert pair.ratio is not None and alone["log10_lr"] == pytest.approx(pair.ratio.log10)
    assert alone["opinion"]["given"] is pair.given
    assert alone["error"] is two.found.error is None, (
        "a pair whose LR is worth nothing has no answer that could be wrong"
    )


def test_groups_with_their_error(compared: Printed) -> None:
    """As a case with more texts has them: the groups by name, and how often such groups are wrong, in counts and with intervals."""
    three = compared.contents.comparisons[0]
    log10 = (0.7, -0.5, -0.6)
    pairs = [
        replace(pair, ratio=replace(pair.ratio, log10=value, interval=(value - 0.1, value + 0.1)), reasons=())
        for pair, value in zip(three.found.pairs, log10, strict=True)
        if pair.ratio is not None
    ]
    error = GroupingError(300, (1, 3), WrongPairs(57, 500, (0.035, 0.19)), WrongPairs(97, 400, None))
    found = replace(Grouping.of(three.found.texts, pairs), error=error)
    contents = replace(compared.contents, comparisons=(replace(three, found=found),))
    pages = pages_of(draw(contents).pdf)
    page, text = flat(pages[1]), flat("\n".join(pages))
    assert f"Group 1: {NAMES[0]} and {NAMES[1]}. Group 2: {NAMES[2]}." in page
    assert "of two texts by two writers, 11 % (57 of 500 pairs; 95 % interval 3.5 % to 19 %) were put together" in page
    assert "of two texts by one writer, 24 % (97 of 400 pairs) were kept apart." in page
    assert "support no opinion" not in text and "Texts of one group stand together, within a frame." in text


def test_texts_that_were_only_compared_are_in_the_case_and_in_the_materials(compared: Printed) -> None:
    materials = compared.contents.materials
    assert [each.file for each in materials.disputed] == [f"anonymous-{number}.txt" for number in (1, 2, 3)]
    assert len(compared.contents.documents) == 2, "the third was not held against candidates"
    with Case.open(compared.case, read_only=True) as case:
        assert [each.current for each in case.results.comparisons()] == [True, True]
        events = [each.event for each in case.log.entries()]
    assert events.count("comparison stored") == 2


def test_a_report_of_comparisons_alone(own: Path) -> None:
    with Case.open(own) as case:
        kept = [each.id for each in case.documents.disputed()]
        for result in case.results.raw():
            with case.step("result taken out"):
                case.database.delete("result", result.name)
        assert case.results.all() == () and len(kept) == 3
    report = print_report(own)
    page, text = flat(report.pages[1]), flat(report.text)
    assert report.contents.documents == () and question(NAMES) in page and "Did " not in page
    assert "Highest score" not in text and "first of the listed" not in text
    assert "Texts compared with each other" in text and "Pairs of texts" in text


def test_which_comparisons_are_told(own: Path) -> None:
    """Those of nothing but the chosen texts, and of the same texts the newest."""
    files = [f"anonymous-{number}.txt" for number in (1, 2)]
    with Case.open(own) as case:

        def numbers(documents: list[str] | None = None) -> list[int]:
            return [each.number for each in collect(case, DETAILS, documents=documents, date=DATE).comparisons]

        assert (numbers(), numbers(files), numbers(files[:1])) == ([1, 2], [2], [])
        two = case.results.comparisons()[-1]
        case.results.store_comparison(two.documents[::-1], two.found, two.rests.models)
        assert sorted(numbers()) == [1, 3]


def test_one_that_is_out_of_date_is_refused(own: Path) -> None:
    with Case.open(own) as case:
        case.choices.exclude([case.documents.known()[0].id], "a copy")
        for result in case.results.raw():
            with case.step("result taken out"):
                case.database.delete("result", result.name)
    with pytest.raises(CaseRefused, match=r"out of date.*Compare them again"):
        print_report(own)


def test_words_that_do_not_fit(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = str(own)
    for words in (["a.txt", "b.txt", "--exhibit", "A"], ["a.txt", "b.txt", "--keep", "--exhibit", "A"]):
        with pytest.raises(SystemExit) as left:
            cli.run(["compare", case, *words])
        assert left.value.code == 2 and "--exhibit" in capsys.readouterr().err
