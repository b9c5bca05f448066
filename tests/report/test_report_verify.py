"""`forensia verify REPORT.pdf`: agreement is told number by number, and everything that was tampered with is found."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader, PdfWriter

from forensia import cli
from forensia.case.store import Case
from forensia.errors import InputError
from forensia.report.attachment import attached
from forensia.report.contents import Contents, as_json, canonical, identity
from forensia.report.embedded import OldReport, checked, read_embedded
from forensia.report.make import make_report
from forensia.service.verifying import confirm
from support.places import VERSION_0_1, real_case
from tests.report.conftest import DATE, DETAILS, Printed


@pytest.fixture
def place(printed: Printed, tmp_path: Path) -> Path:
    """The report with its case beside it, in a folder of their own."""
    shutil.copy(printed.case, tmp_path / "small.forensia")
    return Path(shutil.copy(printed.pdf, tmp_path / "report.pdf"))


def embed(pdf: Path, found: dict[str, Any] | bytes, name: str = "results.json") -> None:
    """Put other numbers into a report."""
    writer = PdfWriter()
    writer.append(PdfReader(io.BytesIO(pdf.read_bytes())))
    writer.add_attachment(name, found if isinstance(found, bytes) else canonical(found))
    buffer = io.BytesIO()
    writer.write(buffer)
    pdf.write_bytes(buffer.getvalue())


def plain(pdf: Path) -> None:
    """A PDF of one empty page in place of a report."""
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    writer.write(pdf)


def numbers_of(pdf: Path) -> dict[str, Any]:
    """The numbers in a report, to be changed."""
    found = read_embedded(pdf).found
    assert isinstance(found, Contents)
    return as_json(found)


@pytest.mark.timeout(600)
def test_everything_comes_out_again(
    compared: Printed,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    loaded_once: Callable[[], AbstractContextManager[None]],
) -> None:
    """Results and comparisons."""
    out = tmp_path / "told.json"
    with loaded_once():
        assert cli.run(["verify", str(compared.pdf), "--json", str(out)]) == 0
    said = json.loads(out.read_text("utf-8"))
    assert (
        said["agrees"] and said["run_again"] and said["differences"] == [] and said["case"].endswith("small.forensia")
    )
    assert {"documents", "comparisons", "validation", "model", "materials"} <= said["numbers"].keys()
    assert sum(part["in_report"] for part in said["numbers"].values()) > 1_000
    assert all(part["agree"] == part["in_report"] for part in said["numbers"].values())
    assert "and they came out again" in capsys.readouterr().err


def test_changed_numbers_are_found(place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = numbers_of(place)
    found["documents"][0]["result"]["candidates"][0]["systems"]["lazy"]["score"] = 0.123
    found["limits"] = []
    found["id"] = identity(found)
    plain(place)
    embed(place, found)
    out = tmp_path / "told.json"
    assert cli.run(["verify", str(place), "--quick", "--json", str(out)]) == 1
    said = json.loads(out.read_text("utf-8"))["differences"]
    assert any("lazy.score" in each["part"] and "0.123" in each["stored"] for each in said)
    assert any("limits" in each["part"] for each in said)
    assert any("not noted" in each["message"] for each in said)
    assert "lazy.score" in capsys.readouterr().err


def test_numbers_whose_id_does_not_fit_are_refused(place: Path) -> None:
    found = numbers_of(place)
    found["model"]["c"] = 3.0
    plain(place)
    embed(place, found)
    with pytest.raises(InputError, match="were changed"):
        read_embedded(place)


def test_numbers_that_lack_a_part_or_have_one_too_many_are_refused(place: Path) -> None:
    whole = numbers_of(place)
    lacking = {key: value for key, value in whole.items() if key != "limits"}
    for found in (lacking, {**whole, "more": 1}, {**whole, "texts": {}}, {**whole, "scale": {"name": 3, "bands": []}}):
        found["id"] = identity(found)
        with pytest.raises(InputError, match="were changed"):
            checked(canonical(found).decode(), "x.pdf")


def test_a_pdf_that_is_not_the_one_that_was_made_is_told(place: Path) -> None:
    place.write_bytes(place.read_bytes().replace(b"/Title", b"/Titel") + b"\n% more")
    (only,) = confirm(place, quick=True).differences
    assert only.part == "the file itself" and "not the file that was made" in only.message


@pytest.mark.parametrize(
    "content",
    [
        b"", b"no pdf", b"%PDF-1.7\n", b"%PDF-1.7\n%%EOF", b"%PDF-1.7\n" + b"1 0 obj << /Type /Catalog /Pages 1 0 R >> endobj\n" * 50,
    ],
)  # fmt: skip
def test_files_that_are_no_reports_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(content)
    with pytest.raises(InputError, match=r"x\.pdf"):
        read_embedded(tmp_path / "x.pdf")


@pytest.mark.parametrize(
    "numbers", ["{", "[]", "{}", '{"format": 1}', "[" * 100_000, '{"a": NaN}', '{"a": 1e999}', '{"format": true}']
)
def test_numbers_that_are_none_of_ours_are_refused(numbers: str) -> None:
    with pytest.raises(InputError, match="not those of a report"):
        checked(numbers, "x.pdf")


def test_a_pdf_without_numbers_is_no_report(tmp_path: Path) -> None:
    file = tmp_path / "x.pdf"
    plain(file)
    with pytest.raises(InputError, match=r"no results\.json"):
        read_embedded(file)
    embed(file, b"\xff")
    with pytest.raises(InputError, match="damaged"):
        read_embedded(file)


def test_the_case_must_be_there_and_be_the_right_one(place: Path, tmp_path: Path) -> None:
    """A case that was given, lies elsewhere and went on meanwhile still confirms an earlier report."""
    other = tmp_path / "other.forensia"
    Case.create(other).close()
    with pytest.raises(InputError, match="not the case"):
        confirm(place, other, quick=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    alone = Path(shutil.copy(place, elsewhere / "report.pdf"))
    with pytest.raises(InputError, match="--case"):
        confirm(alone, quick=True)
    with Case.open(place.with_name("small.forensia")) as case:
        case.log.note("something else")
    found = confirm(alone, place.with_name("small.forensia"), quick=True)
    assert found.differences == () and found.total == sum(agree for _, agree in found.numbers.values())
    assert found.notes == ("Nothing was run again.",)


def test_a_report_from_a_case_that_could_not_be_changed_is_confirmed_by_making_it_again(
    small_case: Path, tmp_path: Path
) -> None:
    place = Path(shutil.copy(small_case, tmp_path / "small.forensia"))
    with Case.open(place, read_only=True) as case:
        make_report(case, tmp_path / "r.pdf", DETAILS, documents=["anonymous-2.txt"], date=DATE)
        assert case.results.reports() == ()
    found = confirm(tmp_path / "r.pdf", quick=True)
    assert found.differences == () and "comes out of it again" in found.notes[0]


def test_a_name_that_leads_elsewhere_is_not_followed(place: Path) -> None:
    found = numbers_of(place)
    found["case"]["file"] = "../small.forensia"
    found["id"] = identity(found)
    plain(place)
    embed(place, found)
    with pytest.raises(InputError, match="--case"):
        confirm(place, quick=True)


def test_a_report_of_version_0_1_is_rehashed_and_told_who_made_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    real_case(tmp_path)
    report = Path(shutil.copy(VERSION_0_1 / "report.pdf", tmp_path / "report.pdf"))
    assert cli.run(["verify", str(report)]) == 0
    said = capsys.readouterr().err
    assert "Made by version 0.1.0: re-run it with that version." in said and "came out again" not in said
    found = confirm(report)
    assert found.differences == () and found.numbers == {} and not found.again
    report.write_bytes(report.read_bytes() + b"\n% more")
    (only,) = confirm(report).differences
    assert only.part == "the file itself"


def test_changed_numbers_of_version_0_1_are_refused() -> None:
    text = attached((VERSION_0_1 / "report.pdf").read_bytes(), "results.json")
    assert text is not None and isinstance(checked(text, "x.pdf"), OldReport)
    found = json.loads(text)
    for change in ({"model": {}}, {"case": {}}, {"report": {"id": "0"}}, {"report": []}):
        with pytest.raises(InputError, match="were changed"):
            checked(json.dumps({**found, **change}), "x.pdf")
