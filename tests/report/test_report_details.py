"""What the analyst adds, and the limits that follow from what was found."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from forensia import cli, codec
from forensia.case.documents import ChosenSources
from forensia.case.store import Case
from forensia.cli.answers import parsed_date
from forensia.corpus.document import AS_WRITTEN, Corpus, Document, Problem, Severity
from forensia.errors import ForensiaError, InputError, SettingsError
from forensia.report import make
from forensia.report.contents import Contents, as_json, collect
from forensia.report.details import CaseDetails, Exhibit
from forensia.report.limits import limits
from forensia.report.make import make_report
from forensia.report.materials import AuthorTexts, FoundProblem, GivenSources, SetAside, materials
from forensia.report.sections import materials as sections
from forensia.wording import limits as wording
from forensia.wording.numbers import Printer
from support.pdf import pages_of
from tests.report.conftest import DATE, DETAILS, Printed
from tests.report.reading import flat, strange_numbers


def test_the_sources_of_an_author_are_counted_one_by_one() -> None:
    texts = [("Ann", ("1",)), ("Ann", ("1", "2")), ("Ann", ()), ("Bob", ())]
    made = [
        Document(author, str(row), str(row), sources=each, path=str(row)) for row, (author, each) in enumerate(texts)
    ]
    corpus = Corpus.of([*made, Document("Ann", "out", "x", sources=("3",), excluded="torn")])
    chosen = {each.id: ChosenSources(each.sources, "the archive") for each in (made[0], made[1])}
    found = materials(corpus, [], CaseDetails(), chosen)
    assert [(each.author, each.sources, each.untold, each.one_source) for each in found.authors] == [
        ("Ann", {"1": 2, "2": 1}, 1, False), ("Bob", {}, 1, True)
    ]  # fmt: skip
    assert {each.source for each in found.known} == {"1", "1; 2", "", "3"}
    assert found.given_sources == (GivenSources("the archive", documents=2, sources=2),)


def test_the_sources_of_each_author_are_listed(printed: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which, how many texts in each, how many more than are named, and who has one only."""
    monkeypatch.setattr(make, "BODY", (sections.materials,))
    found = printed.contents.materials
    assert all(len(each.sources) > 1 and sum(each.sources.values()) == each.documents for each in found.authors)
    text = flat(printed.text)
    for each in found.authors:
        told = ", ".join(f"{name} ({count})" for name, count in each.sources.items())
        assert flat(f"{each.author} {len(each.sources)} {told}") in text
    assert "Authors with one source only: 0 of 10." in text
    many, none = {f"box {number:02d}": 1 for number in range(40)}, found.authors[1]
    first = replace(found.authors[0], sources=many)
    changed = (first, replace(none, sources={}, untold=4), replace(found.authors[2], sources={"diary": 4}))

    def with_authors(authors: tuple[AuthorTexts, ...]) -> str:
        contents = replace(printed.contents, materials=replace(found, authors=authors)).finished()
        made = make.draw(contents)
        assert strange_numbers(made, pages_of(made.pdf)) == []
        return flat(" ".join(pages_of(made.pdf)))

    text = with_authors((*changed, *found.authors[3:]))
    assert "box 11 (1), and 28 more" in text and "box 12" not in text and "of no source that was named (4)" in text
    assert f"Authors with one source only: 2 of 10 ({none.author} and {changed[2].author})." in text
    text = with_authors(tuple(replace(each, sources={}, untold=each.documents) for each in found.authors))
    assert "Nobody said what the known texts come from." in text


def test_sources_that_the_analyst_gave_are_told(own_case: Path, tmp_path: Path) -> None:
    with Case.open(own_case) as case:
        case.choices.set_sources(
            {each.id: each.sources for each in case.documents.known()}, "the folders are those of the archive"
        )
        made = make_report(case, tmp_path / "report.pdf", DETAILS, date=DATE)
    text = " ".join(" ".join(pages_of(made.pdf)).split())
    assert "what 40 of the known texts come from" in text and "because: the folders are those of the archive" in text


def test_details_come_back_as_they_were(tmp_path: Path) -> None:
    assert CaseDetails.from_json(json.loads(json.dumps(DETAILS.to_json()))) == DETAILS
    file = tmp_path / "details.json"
    file.write_text(json.dumps({"case_number": "7", "facts": ["a", "b"]}), "utf-8")
    assert CaseDetails.from_file(file, DETAILS) == replace(DETAILS, case_number="7", facts=("a", "b"))
    assert DETAILS.exhibit("anonymous-1.txt") == "JH/1" and DETAILS.exhibit("other") == ""


@pytest.mark.parametrize(
    "given",
    [
        [], "x", {"unknown": "x"}, {"analyst": 3}, {"facts": "x"}, {"facts": [1]}, {"exhibits": [{"label": "x"}]}, {"status": "READY"},
        {"paper": "A3"}, {"question": "x" * 20_001}, {"exhibits": [{"label": "a", "file": "b", "more": "c"}]}, {"facts": ["x"] * 501},
    ],
)  # fmt: skip
def test_details_that_make_no_sense_are_refused_in_a_sentence(given: Any) -> None:
    with pytest.raises(SettingsError, match=r"\.$"):
        CaseDetails.from_json(given)


def test_a_file_that_is_no_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b"\xff{")
    for file in (tmp_path / "x.json", tmp_path / "gone.json"):
        with pytest.raises(SettingsError):
            CaseDetails.from_file(file)


def test_the_case_keeps_them_beside_what_the_window_keeps_there(own_case: Path) -> None:
    with Case.open(own_case) as case:
        unknown = {
            "reason": "Not known.",
            "message": "No source is known.",
            "code": "sources-not-known",
        }  # true no longer
        case.choices.set_settings(
            {"report": {"ignored": {"k": {"reason": "r", "message": "m", "code": "c"}, "sources": unknown}}}
        )
        results = [result.current for result in case.results.all()]
        DETAILS.keep(case)
        entries = len(case.log.entries())
        DETAILS.keep(case)  # unchanged: nothing is noted twice
        assert len(case.log.entries()) == entries
        assert CaseDetails.of_case(case) == DETAILS
        assert case.choices.settings()["report"]["ignored"]
        assert [result.current for result in case.results.all()] == results == [True, True]
        found = collect(case, DETAILS, date=DATE)
    assert found.preprocessing.set_aside == (SetAside("m", "r"),)
    assert "set-aside" in {each.code for each in found.limits}
    assert found.materials.disputed[0].exhibit == "JH/1"


def test_only_current_results_of_known_documents_are_reported(own_case: Path) -> None:
    with Case.open(own_case) as case:
        with pytest.raises(InputError, match="no disputed text 'nobody'"):
            collect(case, CaseDetails(), documents=["nobody"], date=DATE)
        case.choices.exclude([case.documents.known()[0].id], "not by them")
        with pytest.raises(ForensiaError, match="out of date"):
            collect(case, CaseDetails(), date=DATE)
        case.results.remove_disputed(case.documents.disputed()[0].id)
        case.results.remove_disputed(case.documents.disputed()[0].id)
        with pytest.raises(ForensiaError, match="Analyse one first"):
            collect(case, CaseDetails(), date=DATE)


QUOTED_MAIL = Problem("x", Severity.WARNING, {AS_WRITTEN: ("Quoted mail.", "")})


def subject(result: dict[str, Any]) -> dict[str, Any]:
    """The candidate whom the findings are about, as plain data."""
    return next(each for each in result["candidates"] if each["author"] == result["opinion"]["about"])


def test_each_limit_follows_from_what_was_found(printed: Printed) -> None:
    here = {limit.code for limit in printed.contents.limits}
    assert {"no-opinion", "short", "quick", "open-set", "few-authors", "several", "genre", "weak-test"} <= here

    def changed(change: Any) -> set[str]:
        found = as_json(printed.contents)
        change(found, found["documents"][0]["result"])
        every = limits(codec.typed(Contents, found))
        assert all(wording.title(limit) and wording.text(limit).endswith(".") for limit in every)
        return {limit.code for limit in every}

    def unreadable(found: dict[str, Any], result: dict[str, Any]) -> None:
        """Likelihood ratios without a validation: those of a version whose validation cannot be read."""
        found["validation"] = None

    def without_validation(found: dict[str, Any], result: dict[str, Any]) -> None:
        found["validation"] = None
        for document in found["documents"]:
            document["result"]["condition"] = None

    assert {"not-validated", "older-validation", "quick"} & changed(unreadable) == {"older-validation"}
    assert {"not-validated", "older-validation", "quick"} & changed(without_validation) == {"not-validated"}
    for code, change in {
        "stated-known": lambda found, result: result.update(stated={"source": "known", "because": "the same diary"}),
        "no-new-source": lambda found, result: found["validation"].update(
            figures=[each for each in found["validation"]["figures"] if each["condition"]["source"] == "known"]
        ),
        "not-converged": lambda found, result: found["model"]["pairs"].update(converged=False),
        "validation-not-converged": lambda found, result: found["validation"].update(converged=False),
        "unlisted-not-estimable": lambda found, result: found["validation"]["figures"][0].update(unlisted=None),
        "disguise": lambda found, result: None,
        "fused-only": lambda found, result: [
            each.update(systems={"fused": each["systems"]["fused"]}) for each in result["candidates"]
        ],
        "unequal-counts": lambda found, result: found["materials"]["authors"][0].update(documents=40),
        "few-sources": lambda found, result: found["validation"]["by_author"][0].update(source_left_out=False),
        "disagreement": lambda found, result: result["candidates"][0]["systems"]["stacked"].update(rank=99),
        "sensitive": lambda found, result: result["sensitivity"].update(survives=False),
        "topic": lambda found, result: result["sensitivity"]["variants"].append(
            {"kind": "mask", "what": "", "first": "X", "rank": 2, "log10": None}
        ),
        "wide-interval": lambda found, result: subject(result)["headline"].update(interval=[-1.0, 2.0]),
        "at-bound": lambda found, result: subject(result)["headline"].update(reached="upper"),
        "other-language": lambda found, result: found["materials"]["disputed"][0].update(language="xx"),
        "no-sentences": lambda found, result: result.update(no_sentences=True),
        "paper-profile": lambda found, result: found["model"].update(profile="paper"),
        "no-passages": lambda found, result: found["documents"][0].update(no_passages="No model."),
        "doubtful-text": lambda found, result: found["preprocessing"]["problems"].append(
            codec.plain(FoundProblem("disputed", QUOTED_MAIL, 1))
        ),
        "cost-listed": lambda found, result: [
            each["listed"].update(cllr_interval=[0.5, 1.2]) for each in found["validation"]["figures"]
        ],
        "other-length": lambda found, result: result.update(words=100_000),
    }.items():
        assert code in changed(change), code

    def untried(found: dict[str, Any], result: dict[str, Any]) -> None:
        """A validation without the diff-vector part, of which alone a quick one tries less."""
        systems = found["validation"]["systems"]
        found["validation"]["systems"] = {"fused": systems["fused"]}

    assert "quick" not in changed(untried)

    def clear(found: dict[str, Any], result: dict[str, Any]) -> None:
        found["documents"] = found["documents"][:1]
        result["opinion"].update(kind="author", reasons=[])
        result.update(words=5_000, condition={"source": "new", "words": 4_000, "texts": 32})

    assert not {"no-opinion", "several", "short", "other-length", "stated-known", "no-new-source"} & changed(clear)


def test_numbers_are_never_printed_as_nothing_or_all() -> None:
    say = Printer()
    assert (say.score(0.9999), say.score(1e-9), say.score(0.5)) == ("above 0.99", "below 0.01", "0.50")
    assert (say.share(0.0001), say.share(0.99999), say.share(0.0), say.share(None)) == (
        "below 0.1 %", "above 99.9 %", "0 %", "not estimable",
    )  # fmt: skip
    assert (say.ratio(1.6), say.ratio(-1.6), say.ratio(99.0), say.ratio(None)) == (
        "40", "0.025", "at least 1,000,000,000", "not estimable",
    )  # fmt: skip
    assert (say.p(0.0), say.cost(0.378), say.signed(-0.001), say.setting(0.0375), say.count(12345)) == (
        "< 0.01", "0.38", "0.00", "0.0375", "12,345",
    )  # fmt: skip
    assert len(say.printed) == 14 and say.printed[0].value == 0.9999


def test_what_a_final_report_lacks_is_named() -> None:
    assert CaseDetails().missing == ""
    assert CaseDetails(status="FINAL", analyst="N. N.").missing == "case_number"
    assert CaseDetails(status="FINAL", case_number="7", analyst=" ").missing == "analyst"
    assert CaseDetails(status="FINAL", case_number="7", analyst="N. N.").missing == ""


def test_a_final_report_needs_a_number_and_a_name(own_case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["report", str(own_case), "--final"]) == 1
    assert "needs a case number" in capsys.readouterr().err and not own_case.with_suffix(".pdf").exists()
    assert cli.run(["report", str(own_case), "--date", "soon"]) == 1
    assert "'soon' is no date" in capsys.readouterr().err


def test_dates_are_read_as_people_type_them() -> None:
    assert parsed_date("2026-11-16").isoformat() == "2026-11-16T00:00:00+00:00"
    assert parsed_date("2026-11-16T12:00:00+02:00").utcoffset() is not None
    with pytest.raises(InputError, match="no date"):
        parsed_date("yesterday")


def test_an_exhibit_is_a_label_for_a_file() -> None:
    assert CaseDetails(exhibits=(Exhibit("A", "x.txt"),)).exhibit("x.txt") == "A"
