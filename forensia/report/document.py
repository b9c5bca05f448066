"""A report as pages of a PDF: text, headings, figures, contents, running heads. fpdf2 writes the file; where things stand is decided here.

PDF/A-3u with all fonts embedded. Nothing in it depends on when or where it is made but for the date that is given: the same content
gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from fpdf import FPDF
from fpdf.fonts import TTFFont

from forensia.report.frame import RunningHead, draw_contents, draw_foot, draw_head, pages_of_contents
from forensia.report.letters import Letters, Piece, TextLine, elided, in_reading_order
from forensia.report.metadata import Metadata, xmp
from forensia.report.paper import BODY, CAPTION, HEADINGS, SMALL, Paper, Style, font_files

if TYPE_CHECKING:
    from forensia.figures import Drawing

__all__ = ["PdfDocument", "RunningHead"]

_OUTLINED = 120  # letters of a bookmark
_SHADE = 222
_HANG = (26.0, 32.0, 40.0)  # from the number of a heading to its words
_STROKE = 0.6


@dataclass
class Trial:
    """What a trial found out: how many page breaks there would be."""

    breaks: int = 0


class _Pdf(FPDF):
    """fpdf2 with our head on each page, and operators of our own."""

    def __init__(self, paper: Paper) -> None:
        super().__init__(unit="pt", format=(paper.width, paper.height), enforce_compliance="PDFA_3U")
        self.on_page: Callable[[], None] = lambda: None

    def header(self) -> None:
        self.on_page()

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


class PdfDocument:
    """Pages in the making. `y` is how far down the current page is filled; what does not fit goes to the next one."""

    def __init__(self, paper: Paper, head: RunningHead, about: Metadata, date: datetime) -> None:
        self.paper = paper
        self._head = head
        self._pdf = _Pdf(paper)
        self._date = date
        for face, file in font_files().items():
            family, emphasis = face.rstrip("BI"), face[len(face.rstrip("BI")) :]
            self._pdf.add_font(family, emphasis, file)
        self.letters = Letters(dict(self._pdf.fonts))  # type: ignore[arg-type]
        self._pdf.set_margins(paper.left, paper.top, paper.right)
        self._pdf.set_auto_page_break(False, paper.bottom)
        self._pdf.alias_nb_pages("")  # or it would replace what looks like its sign in any text
        self._pdf.set_creation_date(date)
        self._pdf.set_lang("en")
        self._pdf.set_title(about.title)
        self._pdf.set_xmp_metadata(xmp(about, date))
        self._pdf.on_page = partial(draw_head, self, head)
        self._numbers = [0, 0, 0]
        self._appendix = False
        self._counts = {"Figure": 0, "Table": 0}
        self.left, self.width = paper.left, paper.measure
        self.y = paper.top
        self._trial: Trial | None = None
        self._waiting: list[tuple[float, Callable[[], None]]] = []  # figures: how high, and what puts them down
        self._headings: list[
            tuple[float, float, Callable[[], None]]
        ] = []  # how high, what must follow, what puts them down

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
        while not self.page or (
            self.room < height and not self.fresh
        ):  # figures that waited may fill the next page too
            self.new_page()
            over = True
        for _, _, place in headings:
            place()
        return over

    def space(self, height: float) -> None:
        """Some white; none at the top of a page."""
        if not self.fresh:
            self.y += height

    @contextmanager
    def trial(self) -> Iterator[Trial]:
        """Within it nothing is drawn; afterwards everything stands as it did, and it is known whether it would have fitted."""
        before = self.y, list(self._numbers), dict(self._counts), list(self._headings)
        self._trial = Trial()
        try:
            yield self._trial
        finally:
            self._trial = None
            self.y, self._numbers, self._counts, self._headings = before

    @contextmanager
    def inset(self, left: float, right: float = 0.0) -> Iterator[None]:
        """Within it, text is narrower."""
        before = self.left, self.width
        self.left, self.width = self.left + left, self.width - left - right
        try:
            yield
        finally:
            self.left, self.width = before

    # Text

    def heading(self, text: str, level: int = 0, *, follow: float = 60.0, numbered: bool = True) -> None:
        """A heading with its bookmark. It waits for what follows it, so that it is never alone at the foot of a page.

        `follow` is what must stand under it at least.
        """
        if not level:
            self.settle()
        style = HEADINGS[level]
        number = self._numbered(level) if numbered else ""
        hang = max(_HANG[level], self.letters.width(number, style) + 8) if number else 0.0
        lines = self.letters.lines(text, style, self.width - hang)[:3]
        before, after = ((24.0, 10.0), (15.0, 5.0), (10.0, 3.0))[level]
        left = self.left

        def place() -> None:
            self.space(before)
            self._bookmark(f"{number} {text}".strip(), level)
            if number:
                self.write(left, self.y, number, style)
            for line in lines:
                self.draw(line, left + hang, self.y, style)
                self.y += style.leading
            self.y += after

        if level == 0 and self.room < self.paper.height * 0.25:
            self.need(self.paper.height)
        self._headings.append((before + len(lines) * style.leading + after, follow, place))

    def _bookmark(self, name: str, level: int) -> None:
        if self._trial is None:
            self._pdf.set_y(self.y)
            self._pdf.start_section(elided(self.letters.shown(name), _OUTLINED), level)

    def appendices(self) -> None:
        """From here on first-level headings are lettered."""
        self._appendix, self._numbers = True, [0, 0, 0]

    def _numbered(self, level: int) -> str:
        self._numbers[level] += 1
        self._numbers[level + 1 :] = [0] * (len(self._numbers) - level - 1)
        first = chr(64 + self._numbers[0]) if self._appendix else str(self._numbers[0])
        return ".".join([first, *(str(number) for number in self._numbers[1 : level + 1])])

    def paragraph(
        self, text: str | Sequence[Piece], style: Style = BODY, *, after: float = 5.0, keep: float = 0.0
    ) -> None:
        """A paragraph. Neither its first nor its last line stands alone on a page; `keep` more points go with its end."""
        pieces = [Piece(text, style)] if isinstance(text, str) else list(text)
        lines = self.letters.compose(pieces, self.width)
        leading = max(piece.style.leading for piece in pieces) if pieces else style.leading
        self.set_lines(lines, leading, style, keep)
        self.y += after

    def set_lines(self, lines: Sequence[TextLine], leading: float, style: Style = BODY, keep: float = 0.0) -> None:
        """Lines under each other, over as many pages as they take."""
        for number, line in enumerate(lines):
            left = len(lines) - number
            together = 2 if left == 2 else 1
            if number == 0:
                together = left if left <= 3 else 2
            self.need(together * leading + (keep if left <= together else 0.0))
            self.draw(line, self.left, self.y, style)
            self.y += leading

    def bullets(self, items: Sequence[str | Sequence[Piece]], style: Style = BODY, *, gap: float = 3.0) -> None:
        """A list."""
        for item in items:
            pieces = [Piece(item, style)] if isinstance(item, str) else list(item)
            lines = self.letters.compose(pieces, self.width - 14)
            self.need(min(len(lines), 2) * style.leading)
            self.write(self.left + 2, self.y, "•", style)
            with self.inset(14):
                self.set_lines(lines, style.leading, style)
            self.y += gap
        self.y += 3

    def facts(self, rows: Sequence[tuple[str, str]], *, label: float = 110.0, style: Style = SMALL) -> None:
        """Labels with what belongs to them, side by side."""
        for name, value in rows:
            heads = self.letters.lines(name, replace(style, grey=70), label - 8)
            lines = self.letters.lines(value, style, self.width - label)
            self.need(min(max(len(heads), len(lines)), 4) * style.leading)
            for number, line in enumerate(heads):
                self.draw(line, self.left, self.y + number * style.leading, style)
            with self.inset(label):
                self.set_lines(lines, style.leading, style)
            self.y += 2.5 + max(0, len(heads) - len(lines)) * style.leading
        self.y += 5

    def write(self, x: float, y: float, text: str, style: Style, align: str = "left") -> float:
        """One line of text at a place, whose top is `y`; gives its width."""
        shown = self.letters.shown(text)
        wide = self.letters.width(shown, style)
        x -= wide if align == "right" else wide / 2 if align == "centre" else 0.0
        self.draw(TextLine(((0.0, shown, style),), wide), x, y, style)
        return wide

    def draw(self, line: TextLine, x: float, y: float, style: Style) -> None:
        """A composed line with its top at `y`."""
        if self._trial is not None:
            return
        base = y + style.leading * 0.5 + style.size * 0.31
        for start, text, own in line.stretches:
            wide = self.letters.width(text, own) if own.shade or own.line else 0.0
            if own.shade:
                self.fill(x + start, base - own.size * 0.78, wide, own.size * 1.02, _SHADE)
            if own.line:
                self.stroke(x + start, base + 2.1, x + start + wide, base + 2.1, _STROKE, dashed=own.line == "dashed")
        for start, text, own in line.stretches:
            self._pdf.set_text_color(own.grey)
            at = x + start
            for face, part in self.letters.runs(in_reading_order(text), own):
                family, emphasis = face.rstrip("BI"), face[len(face.rstrip("BI")) :]
                self._pdf.set_font(family, emphasis, own.size)
                self._pdf.text(at, base, part)
                at += self.letters.width(part, own)

    # Shapes and figures

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

    def dot(self, x: float, y: float, size: float, *, hollow: bool = False, grey: int = 0) -> None:
        """A round mark."""
        if self._trial is not None:
            return
        pdf = self._pdf
        pdf.set_draw_color(grey)
        pdf.set_line_width(0.9)
        pdf.set_fill_color(255 if hollow else grey)
        pdf.circle(x, y, size / 2, style="DF")
        pdf.set_fill_color(0)

    def rule(self, *, width: float = 0.5, grey: int = 0, after: float = 6.0) -> None:
        """A line across the text."""
        self.stroke(self.left, self.y, self.left + self.width, self.y, width, grey=grey)
        self.y += after

    def figures(
        self, drawings: Sequence[Drawing], *, caption: str = "", gap: float = 14.0, floating: bool = False
    ) -> None:
        """One figure, or several side by side, each as wide as its share, with a caption that says how to read it.

        One that is `floating` goes to the top of the next page when it does not fit, and what follows goes on under the text.
        """
        wide = (self.width - gap * (len(drawings) - 1)) / len(drawings)
        sizes = [tuple(72.0 * float(inches) for inches in each.figure.get_size_inches()) for each in drawings]
        scales = [min(1.0, wide / width) for width, _ in sizes]
        height = max(tall * scale for (_, tall), scale in zip(sizes, scales, strict=True))
        limit = self.paper.foot - self.paper.top - 60
        if height > limit:  # rather smaller than cut off
            scales, height = [scale * limit / height for scale in scales], limit
        lines = self.letters.compose(self.numbered("Figure", caption or drawings[0].reading), self.width)
        whole = height + 4 + len(lines) * CAPTION.leading

        def place() -> None:
            for number, (each, (_, tall), scale) in enumerate(zip(drawings, sizes, scales, strict=True)):
                self._image(each, self.left + number * (wide + gap), tall, scale)
            self.y += height + 4
            self.set_lines(lines, CAPTION.leading, CAPTION)
            self.y += 12

        above = sum(tall for tall, _, _ in self._headings)
        if floating and self.room < above + whole and not self.fresh and self._trial is None:
            self._waiting.append((whole, place))
            return
        self.need(whole)
        place()

    def _image(self, drawing: Drawing, x: float, height: float, scale: float) -> None:
        from forensia.figures.operators import to_operators

        if self._trial is None:
            y = self.paper.height - self.y - height * scale
            self._pdf.shapes(to_operators(drawing.figure, x, y, scale), self.letters.shown(drawing.alt))

    def settle(self) -> None:
        """Put the figures down that are waiting for a page: nothing of the next part comes before them."""
        while self._waiting:
            whole, place = self._waiting[0]
            if not self.need(whole):  # a new page takes those that wait by itself
                self._waiting.pop(0)
                place()

    def numbered(self, kind: str, text: str) -> list[Piece]:
        """A caption with its number."""
        self._counts[kind] += 1
        return [Piece(f"{kind} {self._counts[kind]}. ", CAPTION.strong), Piece(text, CAPTION)]

    # The whole

    def contents(self, entries: int) -> None:
        """Leave pages for the table of contents, which has about so many entries; it is filled when all else is known."""
        self.new_page()
        self._pdf.set_y(self.y)
        self._pdf.insert_toc_placeholder(partial(draw_contents, self), pages_of_contents(self.paper, entries))
        self.y = self.paper.top

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
            draw_foot(self, self._head, pages)
        return bytes(self._pdf.output())

    def close(self) -> None:
        """Let go of the font files."""
        for font in self._pdf.fonts.values():
            if isinstance(font, TTFFont):
                font.ttfont.close()
