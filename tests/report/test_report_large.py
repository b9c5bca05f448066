"""A report of 25 authors with 50 texts each: short enough, complete, nothing cut off, and it says what it leaves out."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from forensia import figures
from forensia.corpus.document import AS_WRITTEN, Problem, Severity
from forensia.report import make, pdfpages
from forensia.report.contents import Contents, as_json, canonical
from forensia.report.embedded import read_embedded
from forensia.report.make import Made, draw
from forensia.report.materials import FoundProblem, LeftOutOf, Preprocessing
from forensia.report.sections import materials
from forensia.wording.ratios import forbidden_in
from support.pdf import pages_of
from tests.report.conftest import Printed
from tests.report.large import AUTHORS, ELSEWHERE, NAMES, TEXTS, enlarged
from tests.report.reading import assert_margins, assert_no_lonely_heading, flat, numbers, pictures, strange_numbers

TEXT = "\n".join(
    f"This is line {'abcdefgh'[n % 8]} of a letter that nobody signed, and it goes on." for n in range(160)
)
MOST = 40


def with_texts(found: Contents) -> Contents:
    return replace(found, texts={document.id: TEXT for document in found.documents})


@pytest.fixture(scope="module")
def large(printed: Printed) -> tuple[Made, tuple[str, ...]]:
    """One disputed text, on Letter paper: the shorter of both."""
    made = draw(with_texts(enlarged(printed.contents, paper="Letter")))
    return made, pages_of(made.pdf)


@pytest.fixture(scope="module")
def twenty(printed: Printed) -> tuple[Made, tuple[str, ...]]:
    """Twenty disputed texts. Figures have their place and are not drawn: that takes most of the time, and other tests look at them."""
    drawn: list[figures.Drawing] = []
    strip = figures.pr_same

    def once(*given: Any, **options: Any) -> figures.Drawing:
        drawn[:] = drawn or [strip(*given, **options)]
        return drawn[0]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(figures, "pr_same", once)
        patched.setattr(pdfpages.ReportPages, "image", lambda *_: None)
        made = draw(with_texts(enlarged(printed.contents, 20)))
    return made, pages_of(made.pdf)


def titles(pdf: bytes, section: str) -> list[str]:
    """What stands under a section in the outline."""
    outline = PdfReader(io.BytesIO(pdf)).outline
    under = outline[[getattr(item, "title", "") for item in outline].index(section) + 1]
    return [item.title for item in under if not isinstance(item, list)] if isinstance(under, list) else []


def test_it_is_short_enough_and_nothing_is_cut_off(large: tuple[Made, tuple[str, ...]], tmp_path: Path) -> None:
    made, pages = large
    assert len(pages) == made.pages <= MOST
    assert_margins(pictures(made.pdf, tmp_path), "Letter")
    assert_no_lonely_heading(made.pdf, pages)


def test_every_author_and_every_file_is_in_it(large: tuple[Made, tuple[str, ...]]) -> None:
    made, pages = large
    listed = flat("\n".join(pages))
    assert f"Each of the {AUTHORS * TEXTS:,} files" in listed and "the embedded results have all digits" in listed
    for each in made.contents.materials.known:
        assert each.file.removeprefix(f"{each.author}/").removeprefix(f"{ELSEWHERE}/") in listed, each.file
        assert each.sha256[:16] in listed
    for name in NAMES:
        assert f"{name}: {TEXTS} texts" in listed
    assert f"in {ELSEWHERE}/" in listed
    candidates = flat("\n".join(page for page in pages if "Lazy AA Stacked AA LR 95 % interval" in flat(page)))
    assert f"All {AUTHORS} candidates" in candidates
    for each in made.contents.documents[0].result.candidates:
        assert each.author.replace(" ", "") in candidates.replace(" ", ""), each.author


def test_what_is_left_out_is_said(
    large: tuple[Made, tuple[str, ...]], printed: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = flat("\n".join(large[1]))
    assert "and the middle of a long log; the embedded results have all entries" in text
    problem = FoundProblem("corpus", Problem("alike", Severity.NOTE, {AS_WRITTEN: ("Texts are alike.", "")}), 2)
    cut = LeftOutOf("a", 1, 9, ("quoted",))
    found = replace(enlarged(printed.contents), preprocessing=Preprocessing((problem,) * 90, (cut,) * 60, ()))
    monkeypatch.setattr(make, "BODY", (materials.preprocessing,))
    text = flat("\n".join(pages_of(draw(found).pdf)))
    assert text.count("Texts are alike.") == 5
    assert "only the first are listed; the embedded results have all 90" in text
    assert "The embedded results have all 60." in text


def test_every_number_is_one_of_the_json(
    large: tuple[Made, tuple[str, ...]], twenty: tuple[Made, tuple[str, ...]]
) -> None:
    for made, pages in (large, twenty):
        known = set(numbers(json.loads(canonical(as_json(made.contents)))))
        assert not {each for each in made.printed if float(each.value) not in known}
        assert strange_numbers(made, pages) == []
        assert forbidden_in("\n".join(pages[:3])) == []


def test_twenty_texts_have_a_part_each_and_a_line_in_the_summary(
    twenty: tuple[Made, tuple[str, ...]], tmp_path: Path
) -> None:
    made, pages = twenty
    names = [f"letter-{number + 1}.txt" for number in range(20)]
    summary, contents = flat(pages[1]), flat(pages[2])
    assert "1 Summary" in summary and "Main limits" in summary and "Contents" in contents
    assert all(name in summary and name in contents for name in names)
    assert "2 Instructions" in flat(pages[3]), "the contents take one page"
    assert [title.split(" ", 1)[1] for title in titles(made.pdf, "8 Results")] == names
    assert len(pages) <= 110, "about three pages for each text"
    assert_no_lonely_heading(made.pdf, pages)
    assert_margins(pictures(made.pdf, tmp_path), "A4")


def test_of_many_texts_each_still_names_every_candidate(twenty: tuple[Made, tuple[str, ...]]) -> None:
    text = flat("\n".join(twenty[1]))
    parts = re.split(r"8\.\d+ letter-\d+\.txt", text[text.rindex("8 Results") : text.rindex("9 Sensitivity")])[1:]
    assert len(parts) == 20
    for part, row in zip(parts, twenty[0].contents.documents, strict=True):
        assert "The first 10 of 25 candidates" in part
        said = part[part.index("The first 10") :].replace(" ", "")  # names may be broken anywhere
        for candidate in row.result.candidates:
            assert candidate.author.replace(" ", "") in said, candidate.author


def test_many_texts_share_one_table_of_what_survives(twenty: tuple[Made, tuple[str, ...]]) -> None:
    made, pages = twenty
    assert titles(made.pdf, "9 Sensitivity") == []
    text = flat("\n".join(pages))
    part = text[text.rindex("9 Sensitivity") : text.rindex("10 Limits")]
    assert "The embedded results have each change" in part
    for each in made.contents.documents:
        found = each.result.sensitivity
        assert found is not None and each.result.file in part
        for variant in found.variants:
            if variant.first != found.author:
                assert variant.what.split()[-1] in part


def test_the_numbers_can_be_taken_out_again(large: tuple[Made, tuple[str, ...]], tmp_path: Path) -> None:
    (tmp_path / "large.pdf").write_bytes(large[0].pdf)
    found = read_embedded(tmp_path / "large.pdf").found
    assert isinstance(found, Contents) and len(found.materials.known) == AUTHORS * TEXTS
    assert found == replace(large[0].contents, texts={})


def test_a_page_has_more_than_two_digits(twenty: tuple[Made, tuple[str, ...]], printed: Printed) -> None:
    """Each page says which of how many it is, however many there are."""
    for made, pages in (twenty, (printed.made, printed.pages)):
        for number, page in enumerate(pages, start=1):
            assert f"Page {number} of {made.pages}" in page
