"""HTML as text: what a reader of the page would read. Nothing is fetched, no script runs, hidden elements are left out.

The standard library's parser: it makes no tree, follows no link and survives any input. Its slow cases on hostile input are
why pages are read in the child process.
"""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

from forensia.corpus.filetypes.extraction import ExtractedPart, Extraction, Limits, Prose, decoded, finished, notes_on

_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_IN_XML = re.compile(rb"^\s{0,99}<\?xml[^>]{0,99}?encoding\s{0,9}=\s{0,9}[\"']([A-Za-z0-9_.:-]{1,40})")
_HEAD = 4_096  # bytes in which an encoding must be declared

_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer"
    " form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol p pre search section summary table tbody"
    " td tfoot th thead title tr ul".split()
)
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr frame".split())
_NOT_TEXT = frozenset(
    "script style template noscript iframe object applet svg math canvas audio video map select datalist textarea button"
    " noframes noembed rp rt".split()
)
_REMOTE = dict.fromkeys("img iframe frame embed script video audio source input track".split(), "src")
_REMOTE |= {"link": "href", "object": "data", "body": "background"}
# An element that begins ends the open one of its kind, for authors leave out the end tags.
_CLOSES = {
    "li": {"li"}, "dt": {"dt", "dd"}, "dd": {"dt", "dd"}, "tr": {"tr", "td", "th"}, "td": {"td", "th"}, "th": {"td", "th"},
    "option": {"option"},
}  # fmt: skip
_INVISIBLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all", re.IGNORECASE)


def read(data: bytes, file: str, limits: Limits) -> Extraction:
    """The text of a page, its title and its author."""
    head = data[:_HEAD]
    declared = _IN_XML.search(head) or _DECLARED.search(head)
    name = declared[1].decode("ascii") if declared else ""
    markup, encoding, notes = decoded(data, name, file)
    page = HtmlPage(markup)
    part = ExtractedPart(page.text, page.title, page.author, encoding=encoding)
    return finished([part], notes + notes_on(page.counts), file, limits)


class HtmlPage:
    """A page that was read: its text, title and author, and what was left out."""

    def __init__(self, markup: str) -> None:
        parser = _Parser(markup.lstrip().startswith("<?xml"))
        # A NUL is no character of HTML, and the parser has had faults with it.
        parser.feed(markup.replace("\0", "\ufffd"))
        parser.close()
        self.text = parser.prose.text()
        self.title = " ".join("".join(parser.title).split())
        self.author = " ".join(parser.author.split())
        self.counts = parser.counts


class _Parser(HTMLParser):
    """Keeps the open elements, to know where a hidden one ends."""

    def __init__(self, xml: bool) -> None:
        super().__init__(convert_charrefs=True)
        self._xml = xml
        self.prose = Prose(collapse=True)
        self.title: list[str] = []
        self.author = ""
        self.counts: Counter[str] = Counter()
        self._open: list[str] = []
        # Of open elements by name: to look for one that is not there costs nothing.
        self._number: Counter[str] = Counter()
        self._hidden = 0  # depth of the element that is left out, 0 for none
        self._kept_lines = 0  # open <pre> elements

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag in _REMOTE and "//" in attributes.get(_REMOTE[tag], ""):
            self.counts["remote-content"] += 1
        if tag == "meta" and attributes.get("name", "").lower() == "author":
            self.author = self.author or attributes.get("content", "")
        if tag in _BLOCKS:
            self._close_implied(tag)
        if not self._hidden:
            if tag in _BLOCKS:
                self.prose.paragraph()
            elif tag == "br":
                self.prose.exactly("\n")
        if tag in _VOID:
            return
        self._open.append(tag)
        self._number[tag] += 1
        self._kept_lines += tag == "pre"
        if not self._hidden and tag != "body":
            self._hide(tag, attributes)

    def _hide(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in _NOT_TEXT:
            self.counts["invisible-elements"] += 1
        elif "hidden" in attributes or _INVISIBLE.search(attributes.get("style", "")):
            self.counts["hidden-text"] += 1
        else:
            return
        self._hidden = len(self._open)

    def _close_implied(self, tag: str) -> None:
        closed = _CLOSES.get(tag, {"p"})
        while self._open and (self._open[-1] in closed or self._open[-1] == "p"):
            self._pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if self._xml and tag not in _VOID:  # in HTML a browser takes no notice of the slash, and <script/> stays open
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("p", "br") and not self._number[tag] and not self._hidden:
            self.prose.paragraph()
        if not self._number[tag]:
            return
        while self._pop() != tag:
            pass

    def _pop(self) -> str:
        tag = self._open.pop()
        self._number[tag] -= 1
        self._kept_lines -= tag == "pre"
        if len(self._open) < self._hidden:
            self._hidden = 0
        elif tag in _BLOCKS and not self._hidden:
            self.prose.paragraph()
        return tag

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        if self._number["title"]:
            self.title.append(data)
        elif self._kept_lines:
            self.prose.exactly(data)
        else:
            self.prose.write(data)
