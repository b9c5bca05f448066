"""XML: editions in TEI by what their elements mean, any other XML as all of its text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from forensia.corpus.document import Problem
from forensia.corpus.filetypes import untrusted
from forensia.corpus.filetypes.extraction import ExtractedPart, Extraction, Limits, Prose, Refusal, finished, notes_on

_DECLARATION = re.compile(rb"^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff|\s{0,9}<\?xml[^>]{0,99}?encoding|<\0|\0<)")
_TEI_ROOTS = frozenset({"TEI", "TEI.2", "teiCorpus", "teiCorpus.2"})
_TEXTS = frozenset({"TEI", "TEI.2"})
# Inside the body: left out, and under which name it is counted.
_LEFT_OUT = {
    "note": "tei-notes", "noteGrp": "tei-notes", "del": "tei-deletions", "speaker": "tei-speakers", "stage": "tei-speakers",
    "fw": "tei-speakers", "figDesc": "tei-speakers", "corr": "tei-editorial", "reg": "tei-editorial", "expan": "tei-editorial",
    "teiHeader": "", "front": "", "back": "",
}  # fmt: skip
_IN_CHOICE = frozenset({"corr", "reg", "expan"})  # alone, they are all there is
_TEI_BLOCKS = frozenset(
    "p ab head lg sp div div0 div1 div2 div3 div4 div5 div6 div7 body quote q cit list item table row cell epigraph opener"
    " closer salute signed dateline trailer argument byline floatingText postscript milestone figure bibl listBibl".split()
)
_INLINE_WITHIN = frozenset({"quote", "q", "cit", "bibl", "figure", "milestone"})  # blocks, unless inside a paragraph
_LONGEST = 1_000  # characters of a title
_PARAGRAPHS = frozenset({"p", "ab", "l", "head", "item", "cell"})
_INLINE = frozenset(
    "a b i u em strong emph hi span sub sup s w c pc ref name persName placeName foreign term font tt code small big".split()
)


def read(data: bytes, file: str, limits: Limits) -> Extraction:
    """The texts of an XML file: one for each TEI document in it, or all text of any other XML."""
    try:
        return _read(data, file, limits, None, ())
    except Refusal as refusal:
        if refusal.code != "damaged" or _DECLARATION.match(data) or _is_utf8(data):
            raise
    # Without a declaration XML is UTF-8, and this is not.
    return _read(data, file, limits, "windows-1252", (Problem.of("encoding-proposed", why="xml"),))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _read(data: bytes, file: str, limits: Limits, encoding: str | None, notes: tuple[Problem, ...]) -> Extraction:
    sink = _Chooser()
    entities = untrusted.parse(untrusted.sliced(data), sink, file, limits, encoding=encoding, doctype=True)
    reading = sink.chosen
    reading.counts["entities"] = entities
    parts = [part if encoding is None else replace(part, encoding="cp1252") for part in reading.parts()]
    return finished(parts, notes + notes_on(reading.counts), file, limits)


class _Chooser:
    """Looks at the first element and listens as TEI or as anything."""

    def __init__(self) -> None:
        self.chosen: _Tei | _Any = _Any()
        self._first = True

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if self._first and tag in _TEI_ROOTS:
            self.chosen = _Tei()
        self._first = False
        self.chosen.start(tag, attributes)

    def end(self, tag: str) -> None:
        self.chosen.end(tag)

    def text(self, data: str) -> None:
        self.chosen.text(data)


class _Tei:
    """Takes the body of each text, the first title and author of its header, and the title of what it was taken from.

    That is the source it names, or else the edition of which it is one of many texts.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._parts: list[ExtractedPart] = []
        self._path: list[str] = []
        self._skip = 0
        self._bodies = 0
        self._paragraphs = 0
        self._prose = Prose(collapse=True)
        self._header: dict[str, list[str]] = {}
        self._field = ""
        self._edition = ""

    def parts(self) -> list[ExtractedPart]:
        return self._parts

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._path.append(tag)
        if self._skip:
            return
        if tag in _TEXTS:
            if not self._parts:
                self._edition = self._said("title")  # the header of a corpus comes before its texts
            self._prose, self._header = Prose(collapse=True), {}
        elif not self._bodies:
            if tag == "body":
                self._bodies = 1
            elif tag in ("title", "author") and self._path[-2:-1] == ["titleStmt"] and tag not in self._header:
                self._field, self._header[tag] = tag, []
            elif tag == "title" and "sourceDesc" in self._path and "source" not in self._header:
                self._field, self._header["source"] = "source", []
        elif tag in _LEFT_OUT and (tag not in _IN_CHOICE or self._path[-2:-1] == ["choice"]):
            self.counts[_LEFT_OUT[tag]] += 1
            self._skip = len(self._path)
        else:
            self._begin(tag, attributes)

    def _begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "lb" and attributes.get("break") != "no":
            self._prose.write(" ")
        elif tag == "l":
            self._prose.line()
        elif self._is_block(tag):
            self._prose.paragraph()
        self._bodies += tag == "body"
        self._paragraphs += tag in _PARAGRAPHS

    def _is_block(self, tag: str) -> bool:
        return tag in _TEI_BLOCKS and not (tag in _INLINE_WITHIN and self._paragraphs)

    def end(self, tag: str) -> None:
        depth = len(self._path)
        self._path.pop()
        if self._skip:
            if depth == self._skip:
                self._skip = 0
        elif self._bodies:
            self._paragraphs -= tag in _PARAGRAPHS
            self._bodies -= tag == "body"
            if tag == "l":
                self._prose.line()
            elif self._is_block(tag):
                self._prose.paragraph()
        elif tag in ("title", "author"):
            self._field = ""
        elif tag in _TEXTS:
            title, author, source = map(self._said, ("title", "author", "source"))
            self._parts.append(ExtractedPart(self._prose.text(), title, author, source or self._edition))

    def _said(self, key: str) -> str:
        return " ".join("".join(self._header.get(key, ())).split())[:_LONGEST]

    def text(self, data: str) -> None:
        if self._skip:
            return
        if self._bodies:
            self._prose.write(data)
        elif self._field:
            self._header[self._field].append(data)


class _Any:
    """All text. An element inside running text is part of its paragraph; any other begins a paragraph of its own."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._prose = Prose(collapse=True)
        self._running = [False]  # for each open element: has it had text of its own?
        self._inline = [False]  # for each open element: is it part of the paragraph around it?
        # An element has ended: text right after it belongs to the same paragraph, a further element does not.
        self._pending = False

    def parts(self) -> list[ExtractedPart]:
        return [ExtractedPart(self._prose.text())]

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        inline = len(self._running) > 1 and (tag in _INLINE or self._running[-1])
        if not inline or self._pending:
            self._prose.paragraph()
        self._pending = False
        self._running.append(inline)
        self._inline.append(inline)

    def end(self, tag: str) -> None:
        self._running.pop()
        if self._pending:
            self._prose.paragraph()
        self._pending = not self._inline.pop()

    def text(self, data: str) -> None:
        if data.strip():
            self._pending = False
            self._running[-1] = True
        self._prose.write(data)
