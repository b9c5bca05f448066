"""The pages of a PDF: lines of text, strokes and figures at their places, running heads, bookmarks. fpdf2 writes the file.

PDF/A-3u with all fonts embedded. Nothing in it depends on when or where it is made but for the date that is given: the same content
gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from fpdf import FPDF
from fpdf.fonts import TTFFont

from forensia.report.typesetting import Paper, Style, TextLine, Typesetter, font_files, in_reading_order
from forensia.wording.templates import elided

if TYPE_CHECKING:
    from fpdf.outline import OutlineSection

    from forensia.figures import Drawing

__all__ = ["BODY", "HEADINGS", "NOTE", "Imprint", "ReportPages", "xmp"]

BODY = Style(10.5, 14.4)
NOTE = Style(8.6, 11.2, grey=60)
HEADINGS = (Style(17.0, 21.0, bold=True), Style(12.6, 16.0, bold=True), Style(10.8, 14.0, bold=True), BODY.strong)

_OUTLINED = 120  # letters of a bookmark
_SHADE = 222
_STROKE = 0.6
_GREY = 120  # of what frames a page
_LEADING, _TIGHT = 16.5, 13.2  # of the table of contents, and when it is long
_TITLE = 40.0


@dataclass(frozen=True)
class Imprint:
    """What the file says of itself, and what stands at the head and the foot of its pages."""

    title: str
    author: str
    subject: str
    identifier: str
    program: str
    case: str
    status: str


@dataclass
class Trial:
    """What a trial found out: how many page breaks there would be."""

    breaks: int = 0


class _Pdf(FPDF):
    """fpdf2 with our head on each page, and operators of our own."""

    def __init__(self, paper: Paper, on_page: Callable[[], None]) -> None:
        super().__init__(unit="pt", format=(paper.width, paper.height), enforce_compliance="PDFA_3U")
        self._on_page = on_page

    def header(self) -> None:
        self._on_page()

    def turn_to(self, page: int) -> None:
        """Go on writing on an earlier page: fpdf2 only writes what changes, and knows nothing of the font and pen in use there."""
        self.page = page
        self.current_font_is_set_on_page = False
        if self.draw_color is not None:
            self._out(f"{self.draw_color.serialize().upper()} {self.line_width:.2f} w")

    def shapes(self, operators: str, alt: str) -> None:
        """Operators on the page, with words for those who cannot see what they draw."""
        with self._marked_sequence(alt_text=alt):
            self._out(operators)


class ReportPages:
    """Pages in the making. `y` is how far down the current page is filled; what does not fit goes to the next one."""

    def __init__(self, paper: Paper, imprint: Imprint, date: datetime) -> None:
        self.paper = paper
        self._imprint = imprint
        self._date = date
        self._pdf = pdf = _Pdf(paper, self._draw_head)
        files = font_files()
        for face, file in files.items():
            pdf.add_font(face, "", file)
        self.typesetter = Typesetter({face: pdf.fonts[face.lower()] for face in files})  # type: ignore[misc]
        pdf.set_margins(paper.left, paper.top, paper.right)
        pdf.set_auto_page_break(False, paper.bottom)
        pdf.alias_nb_pages("")  # or it would replace what looks like its sign in any text
        pdf.set_creation_date(date)
        pdf.set_lang("en")
        pdf.set_title(imprint.title)
        pdf.set_xmp_metadata(xmp(imprint, date))
        self.left, self.width = paper.left, paper.measure
        self.y = paper.top
        self._trial: Trial | None = None
        self._waiting: list[tuple[float, Callable[[], None]]] = []  # figures: how high, and what puts them down
        # Headings: how high, what must follow, what puts them down.
        self._headings: list[tuple[float, float, Callable[[], None]]] = []

    # Where things stand

    @property
    def page(self) -> int:
        return int(self._pdf.page)

    @property
    def room(self) -> float:
        """What is left of the page."""
        return self.paper.foot - self.y

    @property
    def fresh(self) -> bool:
        """Whether nothing stands on the page yet."""
        return self.y <= self.paper.top

    def new_page(self) -> None:
        if self._trial is None:
            self._pdf.add_page()
        else:
            self._trial.breaks += 1
        self.y = self.paper.top
        while self._waiting and (self.fresh or self._waiting[0][0] < self.room):
            self._waiting.pop(0)[1]()

    def need(self, height: float) -> bool:
        """Go to the next page unless so much is left of this one; whether it was done. Headings that wait are put down."""
        headings, self._headings = self._headings, []
        if headings:
            height = sum(tall for tall, _, _ in headings) + max(height, headings[-1][1])
        over = False
        # Figures that waited may fill the next page too.
        while not self.page or (self.room < height and not self.fresh):
            self.new_page()
            over = True
        for _, _, place in headings:
            place()
        return over

    def space(self, height: float) -> None:
        """Some white; none at the top of a page."""
        if not self.fresh:
            self.y += height

    def with_next(self, height: float, follow: float, place: Callable[[], None]) -> None:
        """A heading waits for what follows it, at least so much of which stands under it: it is never alone at the foot of a page."""
        self._headings.append((height, follow, place))

    def float_or_place(self, height: float, place: Callable[[], None], *, floating: bool) -> None:
        """Put something down; if it does not fit and is `floating`, on the next page, and what follows goes on before it."""
        above = sum(tall for tall, _, _ in self._headings)
        if floating and self.room < above + height and not self.fresh and self._trial is None:
            self._waiting.append((height, place))
            return
        self.need(height)
        place()

    def settle(self) -> None:
        """Put the figures down that are waiting for a page: nothing of the next part comes before them."""
        while self._waiting:
            height, place = self._waiting[0]
            if not self.need(height):  # a new page takes those that wait by itself
                self._waiting.pop(0)
                place()

    @contextmanager
    def trial(self) -> Iterator[Trial]:
        """Within it nothing is drawn; afterwards everything stands as it did, and it is known whether it would have fitted."""
        before = self.y, list(self._headings)
        self._trial = Trial()
        try:
            yield self._trial
        finally:
            self._trial = None
            self.y, self._headings = before

    @contextmanager
    def inset(self, left: float) -> Iterator[None]:
        """Within it, text is narrower."""
        before = self.left, self.width
        self.left, self.width = self.left + left, self.width - left
        try:
            yield
        finally:
            self.left, self.width = before

    # What stands there

    def write(self, x: float, y: float, text: str, style: Style, align: str = "left") -> float:
        """One line of text at a place, whose top is `y`; gives its width."""
        shown = self.typesetter.shown(text)
        wide = self.typesetter.width(shown, style)
        x -= wide if align == "right" else 0.0
        self.draw(TextLine(((0.0, shown, style),), wide), x, y, style)
        return wide

    def draw(self, line: TextLine, x: float, y: float, style: Style) -> None:
        """A composed line with its top at `y`."""
        if self._trial is not None:
            return
        base = y + style.leading * 0.5 + style.size * 0.31
        for start, text, own in line.stretches:
            wide = self.typesetter.width(text, own) if own.shade or own.line else 0.0
            if own.shade:
                self.fill(x + start, base - own.size * 0.78, wide, own.size * 1.02, _SHADE)
            if own.line:
                self.stroke(x + start, base + 2.1, x + start + wide, base + 2.1, _STROKE, dashed=own.line == "dashed")
        for start, text, own in line.stretches:
            self._pdf.set_text_color(own.grey)
            at = x + start
            for face, part in self.typesetter.runs(in_reading_order(text), own):
                self._pdf.set_font(face, "", own.size)
                self._pdf.text(at, base, part)
                at += self.typesetter.width(part, own)

    def set_lines(self, lines: Sequence[TextLine], style: Style, keep: float = 0.0) -> None:
        """Lines under each other, over as many pages as they take. Neither the first nor the last of several stands alone on a page;
        `keep` more points go with their end."""
        for number, line in enumerate(lines):
            left = len(lines) - number
            together = 2 if left == 2 else 1
            if number == 0:
                together = left if left <= 3 else 2
            self.need(together * style.leading + (keep if left <= together else 0.0))
            self.draw(line, self.left, self.y, style)
            self.y += style.leading

    def stroke(
        self, x0: float, y0: float, x1: float, y1: float, width: float = _STROKE, *, grey: int = 0, dashed: bool = False
    ) -> None:
        """A straight line."""
        if self._trial is not None:
            return
        pdf = self._pdf
        pdf.set_draw_color(grey)
        pdf.set_line_width(width)
        if dashed:
            pdf.set_dash_pattern(1.6, 1.4)
        pdf.line(x0, y0, x1, y1)
        if dashed:
            pdf.set_dash_pattern()

    def fill(self, x: float, y: float, width: float, height: float, grey: int) -> None:
        """A filled rectangle."""
        if self._trial is not None:
            return
        self._pdf.set_fill_color(grey)
        self._pdf.rect(x, y, width, height, style="F")
        self._pdf.set_fill_color(0)

    def dot(self, x: float, y: float, size: float, *, hollow: bool = False) -> None:
        """A round mark."""
        if self._trial is not None:
            return
        pdf = self._pdf
        pdf.set_draw_color(0)
        pdf.set_line_width(0.9)
        pdf.set_fill_color(255 if hollow else 0)
        pdf.circle(x, y, size / 2, style="DF")
        pdf.set_fill_color(0)

    def rule(self, *, width: float = 0.5, after: float = 6.0) -> None:
        """A line across the text."""
        self.stroke(self.left, self.y, self.left + self.width, self.y, width)
        self.y += after

    def image(self, drawing: Drawing, x: float, height: float, scale: float) -> None:
        """A figure with its upper edge at the current place."""
        from forensia.figures.export import to_operators

        if self._trial is None:
            y = self.paper.height - self.y - height * scale
            self._pdf.shapes(to_operators(drawing.figure, x, y, scale), self.typesetter.shown(drawing.alt))

    def bookmark(self, name: str, level: int) -> None:
        """An entry of the outline that leads to the current place."""
        if self._trial is None:
            self._pdf.set_y(self.y)
            self._pdf.start_section(elided(self.typesetter.shown(name), _OUTLINED), level)

    # The whole

    def embed(self, name: str, content: bytes, about: str) -> None:
        """Put a file into the PDF."""
        self._pdf.embed_file(
            bytes=content, basename=name, desc=about, mime_type="application/json", compress=True, checksum=True,
            creation_date=self._date, modification_date=self._date, associated_file_relationship="Data",
        )  # fmt: skip

    def finish(self) -> bytes:
        """The bytes of the file."""
        self.settle()
        self.need(0)
        pages = self.page  # only now is it known how many there are
        for page in range(1, pages + 1):
            self._pdf.turn_to(page)
            self._draw_foot(pages)
        return bytes(self._pdf.output())

    def close(self) -> None:
        """Let go of the font files."""
        for font in self._pdf.fonts.values():
            if isinstance(font, TTFFont):
                font.ttfont.close()

    def _draw_head(self) -> None:
        """The top of the page; the cover has none."""
        if self.page == 1:
            return
        paper, typesetter = self.paper, self.typesetter
        y, end = paper.top - 42, paper.left + paper.measure
        right = typesetter.width(typesetter.shown(self._imprint.status), NOTE.strong)
        self.write(paper.left, y, typesetter.fitted(self._imprint.case, NOTE, paper.measure - right - 20), NOTE)
        self.write(end, y, self._imprint.status, NOTE.strong, "right")
        self.stroke(paper.left, y + 14, end, y + 14, 0.4, grey=_GREY)

    def _draw_foot(self, pages: int) -> None:
        paper = self.paper
        y, end = paper.height - 44, paper.left + paper.measure
        words = f"{self._imprint.program} · report {self._imprint.identifier}"
        self.stroke(paper.left, y - 4, end, y - 4, 0.4, grey=_GREY)
        self.write(paper.left, y, self.typesetter.fitted(words, NOTE, paper.measure - 90), NOTE)
        self.write(end, y, f"Page {self.page} of {pages}", NOTE, "right")

    def table_of_contents(self, entries: int) -> None:
        """Leave pages for the table of contents, which has about so many entries; it is filled when all else is known."""
        self.new_page()
        self._pdf.set_y(self.y)
        # Rather tight lines than a page for the last few.
        pages = max(1, -(-entries // int(self._listed // _TIGHT)))
        self._pdf.insert_toc_placeholder(lambda _, outline: self._draw_contents(outline), pages)
        self.y = self.paper.top

    @property
    def _listed(self) -> float:
        """How high a page of the table of contents is, below its title."""
        return self.paper.foot - self.paper.top - _TITLE

    def _draw_contents(self, outline: list[OutlineSection]) -> None:
        """Sections and what is directly in them, as far as there is room, each a link."""
        pdf, paper = self._pdf, self.paper
        left, right, y = paper.left, paper.left + paper.measure, paper.top
        first, pages = pdf.page, pdf.toc_placeholder.pages  # type: ignore[union-attr]
        pdf.turn_to(first)
        self.write(left, y, "Contents", HEADINGS[0])
        y += _TITLE
        listed = [each for each in outline if each.level < 2]
        room = pages * int(self._listed // _TIGHT)
        if len(listed) > room:
            listed = [each for each in listed if each.level == 0]
        leading = max(_TIGHT, min(_LEADING, pages * self._listed / max(1, len(listed))))
        for section in listed[:room]:
            if y + leading > paper.foot + 0.01:
                pdf.add_page()
                pdf.turn_to(pdf.page)
                y = paper.top
            style = BODY.strong if section.level == 0 else BODY
            x, page = left + 18 * section.level, str(section.page_number)
            number = self.typesetter.width(page, style)
            wide = self.write(x, y, self.typesetter.fitted(section.name, style, right - x - number - 24), style)
            self.write(right, y, page, style, "right")
            if section.level:
                base = y + style.leading * 0.5 + style.size * 0.3
                self.stroke(x + wide + 6, base, right - number - 6, base, 0.4, grey=_GREY, dashed=True)
            target = pdf.add_link(page=section.page_number, y=max(0.0, pdf.h - (section.dest.top or 0.0) / pdf.k - 10))
            pdf.link(left, y, right - left, leading, target)
            y += leading
        while pdf.page < first + pages - 1:
            pdf.add_page()


def xmp(imprint: Imprint, date: datetime) -> str:
    """What the PDF says about itself (XMP, without its wrapping), and that it is PDF/A-3u. fpdf2 would write the time of day in it."""
    stamp = date.astimezone(UTC).isoformat(timespec="seconds")
    title, author, subject, identifier, program = (
        _as_xml(each) for each in (imprint.title, imprint.author, imprint.subject, imprint.identifier, imprint.program)
    )
    creator = f"<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>\n" if author else ""
    return f"""<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>3</pdfaid:part>
<pdfaid:conformance>U</pdfaid:conformance>
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{subject}</rdf:li></rdf:Alt></dc:description>
{creator}<dc:identifier>{identifier}</dc:identifier>
<xmp:CreatorTool>{program}</xmp:CreatorTool>
<xmp:CreateDate>{stamp}</xmp:CreateDate>
<xmp:ModifyDate>{stamp}</xmp:ModifyDate>
<xmp:MetadataDate>{stamp}</xmp:MetadataDate>
<pdf:Producer>fpdf2</pdf:Producer>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>"""


def _as_xml(text: str) -> str:
    """Text for XML: one line, and nothing that XML cannot hold."""
    kept = "".join(sign if sign.isprintable() else " " for sign in text)
    return escape(" ".join(kept.split()))
