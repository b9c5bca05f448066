"""Text as letters: literal, whole, within its width."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from forensia.errors import SettingsError
from forensia.figures import Drawing
from forensia.report.document import PdfDocument, RunningHead
from forensia.report.grid import Column, table
from forensia.report.letters import Letters, Piece, elided
from forensia.report.metadata import Metadata, xmp
from forensia.report.paper import BODY, PAPERS, SMALL, paper_named

DATE = datetime(2026, 1, 1, tzinfo=UTC)


def blank() -> PdfDocument:
    about = Metadata("title", "author", "subject", "id", "program")
    return PdfDocument(PAPERS["A4"], RunningHead("left", "right", "foot"), about, DATE)


@pytest.fixture(scope="module")
def letters() -> Iterator[Letters]:
    doc = blank()
    yield doc.letters
    doc.close()


def test_what_is_hidden_or_missing_is_shown_by_its_code(letters: Letters) -> None:
    assert letters.shown("a\u200bb\u202ec\ue000d\x07") == "a⟨U+200B⟩b⟨U+202E⟩c⟨U+E000⟩d⟨U+0007⟩"
    assert letters.shown("漢 \U0001f9ff \ud800") == "⟨U+6F22⟩ ⟨U+1F9FF⟩ ⟨U+D800⟩"
    assert letters.shown("e\u0301\u0301\u0301\u0301\u0301").endswith("⟨U+0301⟩⟨U+0301⟩")
    assert letters.shown("one\ntwo\tthree\u00a0four") == "one two three four"
    assert letters.shown("“Ω žluťoučký Ж שלום” **x** {nb} $y$ <b>") == "“Ω žluťoučký Ж שלום” **x** {nb} $y$ <b>"


def test_a_number_stays_with_its_percent_sign(letters: Letters) -> None:
    text = "the interval is 95 % and not 5 % of it " * 6
    for width in range(60, 200, 7):
        assert not any(line.text.startswith("%") for line in letters.lines(text, BODY, width))


@settings(max_examples=60)
@given(texts=st.lists(st.text(max_size=60), max_size=4), width=st.floats(30, 400))
def test_lines_hold_the_whole_text_and_fit(letters: Letters, texts: list[str], width: float) -> None:
    pieces = [Piece(text, BODY if number % 2 else SMALL.strong) for number, text in enumerate(texts)]
    lines = letters.compose(pieces, width)
    said = "".join(line.text for line in lines).replace(" ", "")
    assert said == "".join(letters.shown(text) for text in texts).replace(" ", "")
    widest = max(letters.width(letter, SMALL.strong) for letter in "⟨W")
    assert all(line.width <= width + widest for line in lines)


def test_a_long_name_keeps_both_ends(letters: Letters) -> None:
    name = "Anna " + "x" * 500 + " Zimmer"
    short = letters.fitted(name, BODY, 120)
    assert short.startswith("Anna") and short.endswith("mer") and "…" in short
    assert letters.width(short, BODY) <= 120
    assert len(letters.lines(letters.fitted(name, BODY, 120, 3), BODY, 120)) <= 3
    assert letters.fitted("short", BODY, 120) == "short"
    assert elided("abcdefghij", 5) == "abc…j" and elided("abc", 5) == "abc"


def test_a_trial_leaves_no_trace() -> None:
    doc = blank()
    doc.new_page()
    before = doc.y, doc.page
    with doc.trial() as trial:
        doc.heading("Nothing")
        doc.paragraph("text " * 5_000)
    assert trial.breaks > 1 and (doc.y, doc.page) == before
    doc.heading("Something")
    assert doc.finish().startswith(b"%PDF-1.7")
    doc.close()


def test_metadata_is_plain_xml() -> None:
    from xml.dom.minidom import parseString

    made = xmp(Metadata("<b>&\x00", "\ud800]]>", "s", "i", "p"), DATE)
    assert parseString(made).getElementsByTagName("pdfaid:part")[0].firstChild.data == "3"
    assert "2026-01-01T00:00:00+00:00" in made


def test_there_are_two_papers() -> None:
    assert {paper_named(name).name for name in ("A4", "Letter")} == {"A4", "Letter"}
    with pytest.raises(SettingsError, match="A3"):
        paper_named("A3")


def test_a_heading_goes_with_the_table_below_it() -> None:
    doc = blank()
    doc.new_page()
    doc.y = doc.paper.foot - 130  # the heading and a few rows would fit, the table as a whole does not
    doc.heading("Ten rows")
    table(doc, [Column("one"), Column("two")], [("a", "b")] * 10)
    assert doc.page == 2
    bookmarks = [(section.name, section.page_number) for section in doc._pdf._outline]
    assert bookmarks == [("1 Ten rows", 2)]
    doc.close()


def test_a_figure_that_waited_leaves_room_for_the_next_or_sends_it_on(monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[tuple[int, float, float]] = []

    def noted(doc: PdfDocument, drawing: Drawing, x: float, height: float, scale: float) -> None:
        places.append((doc.page, doc.y, doc.y + height * scale))

    monkeypatch.setattr(PdfDocument, "_image", noted)
    doc = blank()
    doc.new_page()
    doc.y = doc.paper.foot - 100
    tall = Drawing(Figure(figsize=(6.0, 7.0)), "words", "how to read it")
    doc.figures([tall], floating=True)
    assert not places
    doc.paragraph("text that goes on under the place where the figure did not fit")
    doc.figures([Drawing(Figure(figsize=(6.0, 4.0)), "words", "how to read it")])
    assert [page for page, _, _ in places] == [2, 3]
    assert all(end <= doc.paper.foot for _, _, end in places)
    doc.close()
