"""Text as it is set: literal, whole, within its width; and what stays together on a page."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from forensia.errors import SettingsError
from forensia.figures import Drawing
from forensia.report.blocks import Column, FirstThatFits, Heading, Illustration, PageBreak, Paragraph, Table
from forensia.report.pdfpages import BODY, Imprint, ReportPages, xmp
from forensia.report.pdftables import SMALL
from forensia.report.pdfwriter import PdfWriter
from forensia.report.typesetting import PAPERS, Stretch, Typesetter, paper_named
from forensia.wording.templates import elided

DATE = datetime(2026, 1, 1, tzinfo=UTC)


def blank() -> ReportPages:
    return ReportPages(PAPERS["A4"], Imprint("title", "author", "subject", "id", "program", "left", "right"), DATE)


@pytest.fixture(scope="module")
def typesetter() -> Iterator[Typesetter]:
    pages = blank()
    yield pages.typesetter
    pages.close()


def test_what_is_hidden_or_missing_is_shown_by_its_code(typesetter: Typesetter) -> None:
    assert typesetter.shown("a\u200bb\u202ec\ue000d\x07") == "a⟨U+200B⟩b⟨U+202E⟩c⟨U+E000⟩d⟨U+0007⟩"
    assert typesetter.shown("漢 \U0001f9ff \ud800") == "⟨U+6F22⟩ ⟨U+1F9FF⟩ ⟨U+D800⟩"
    assert typesetter.shown("e\u0301\u0301\u0301\u0301\u0301").endswith("⟨U+0301⟩⟨U+0301⟩")
    assert typesetter.shown("one\ntwo\tthree\u00a0four") == "one two three four"
    assert typesetter.shown("“Ω žluťoučký Ж שלום” **x** {nb} $y$ <b>") == "“Ω žluťoučký Ж שלום” **x** {nb} $y$ <b>"


def test_a_number_stays_with_its_percent_sign(typesetter: Typesetter) -> None:
    text = "the interval is 95 % and not 5 % of it " * 6
    for width in range(60, 200, 7):
        assert not any(line.text.startswith("%") for line in typesetter.lines(text, BODY, width))


@settings(max_examples=60)
@given(texts=st.lists(st.text(max_size=60), max_size=4), width=st.floats(30, 400))
def test_lines_hold_the_whole_text_and_fit(typesetter: Typesetter, texts: list[str], width: float) -> None:
    stretches = [Stretch(text, BODY if number % 2 else SMALL.strong) for number, text in enumerate(texts)]
    lines = typesetter.compose(stretches, width)
    said = "".join(line.text for line in lines).replace(" ", "")
    assert said == "".join(typesetter.shown(text) for text in texts).replace(" ", "")
    widest = max(typesetter.width(letter, SMALL.strong) for letter in "⟨W")
    assert all(line.width <= width + widest for line in lines)


def test_a_long_name_keeps_both_ends(typesetter: Typesetter) -> None:
    name = "Anna " + "x" * 500 + " Zimmer"
    short = typesetter.fitted(name, BODY, 120)
    assert short.startswith("Anna") and short.endswith("mer") and "…" in short
    assert typesetter.width(short, BODY) <= 120
    assert len(typesetter.lines(typesetter.fitted(name, BODY, 120, 3), BODY, 120)) <= 3
    assert typesetter.fitted("short", BODY, 120) == "short"
    assert elided("abcdefghij", 5) == "abc…j" and elided("abc", 5) == "abc"


def test_a_trial_leaves_no_trace() -> None:
    pages = blank()
    writer = PdfWriter(pages)
    writer.write(PageBreak())
    before = pages.y, pages.page
    with pages.trial() as trial:
        writer.write_all([Heading("Nothing", 3), Paragraph("text " * 5_000)])
    assert trial.breaks > 1 and (pages.y, pages.page) == before
    writer.write(Heading("Something"))
    assert pages.finish().startswith(b"%PDF-1.7")
    pages.close()


def test_of_several_versions_the_first_that_fits_is_set() -> None:
    pages = blank()
    writer = PdfWriter(pages)
    versions = [[Heading(words), Paragraph(f"{words} " * count)] for words, count in (("long", 5_000), ("short", 50))]
    versions.append([Heading("never"), Paragraph("never")])
    writer.write_all([PageBreak(), FirstThatFits(versions), Heading("next")])
    pages.need(0)
    assert [each.name for each in pages._pdf._outline] == ["1 short", "2 next"] and pages.page == 1
    pages.close()


def test_metadata_is_plain_xml() -> None:
    from xml.dom.minidom import parseString

    made = xmp(Imprint("<b>&\x00", "\ud800]]>", "s", "i", "p", "c", "f"), DATE)
    assert parseString(made).getElementsByTagName("pdfaid:part")[0].firstChild.data == "3"
    assert "2026-01-01T00:00:00+00:00" in made


def test_there_are_two_papers() -> None:
    assert {paper_named(name).name for name in ("A4", "Letter")} == {"A4", "Letter"}
    with pytest.raises(SettingsError, match="A3"):
        paper_named("A3")


def test_a_heading_goes_with_the_table_below_it() -> None:
    pages = blank()
    writer = PdfWriter(pages)
    writer.write(PageBreak())
    pages.y = pages.paper.foot - 130  # the heading and a few rows would fit, the table as a whole does not
    writer.write_all([Heading("Ten rows"), Table([Column("one"), Column("two")], [("a", "b")] * 10)])
    assert pages.page == 2
    bookmarks = [(section.name, section.page_number) for section in pages._pdf._outline]
    assert bookmarks == [("1 Ten rows", 2)]
    pages.close()


def test_a_figure_that_waited_leaves_room_for_the_next_or_sends_it_on(monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[tuple[int, float, float]] = []

    def noted(pages: ReportPages, drawing: Drawing, x: float, height: float, scale: float) -> None:
        places.append((pages.page, pages.y, pages.y + height * scale))

    monkeypatch.setattr(ReportPages, "image", noted)
    pages = blank()
    writer = PdfWriter(pages)
    writer.write(PageBreak())
    pages.y = pages.paper.foot - 100
    tall = Drawing(Figure(figsize=(6.0, 7.0)), "words", "how to read it")
    writer.write(Illustration([tall], floating=True))
    assert not places
    writer.write(Paragraph("text that goes on under the place where the figure did not fit"))
    writer.write(Illustration([Drawing(Figure(figsize=(6.0, 4.0)), "words", "how to read it")]))
    assert [page for page, _, _ in places] == [2, 3]
    assert all(end <= pages.paper.foot for _, _, end in places)
    pages.close()
