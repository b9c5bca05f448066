"""OpenDocument texts (.odt) of LibreOffice and others: the text of the body with its notes, by the `POLICY` of `extraction`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from forensia.corpus.filetypes import untrusted
from forensia.corpus.filetypes.extraction import ExtractedPart, Extraction, Limits, Prose, Refusal, finished, notes_on
from forensia.corpus.filetypes.untrusted import Archive, locked

_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
_PREFIXES = {
    f"{_OASIS}:office:1.0": "office",
    f"{_OASIS}:text:1.0": "text",
    f"{_OASIS}:style:1.0": "style",
    f"{_OASIS}:drawing:1.0": "draw",
    f"{_OASIS}:meta:1.0": "meta",
    f"{_OASIS}:manifest:1.0": "manifest",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.w3.org/1998/Math/MathML": "math",
}
_SKIPPED = {"text:note-citation", "text:ruby-text", "office:forms", "office:scripts", "text:index-title-template"}
_COUNTED_AND_SKIPPED = {
    "office:annotation": "comments",
    "math:math": "formulas",
    "draw:object": "embedded",
    "draw:object-ole": "embedded",
    "text:hidden-text": "hidden-text",
    "text:hidden-paragraph": "hidden-text",
}
_PARAGRAPHS = ("text:p", "text:h")
_MOST_SPACES = 100  # text:s may claim any number


def read(data: bytes, file: str, limits: Limits) -> Extraction:
    """The text of an OpenDocument text, its title and the name in its properties."""
    archive = Archive(data, file, limits)

    def parse(entry: str, sink: untrusted.Sink) -> None:
        if entry in archive:
            untrusted.parse(archive.chunks(entry), sink, file, limits, _PREFIXES)

    manifest = _Manifest()
    parse("META-INF/manifest.xml", manifest)
    if manifest.encrypted:
        raise locked(file)
    if "content.xml" not in archive:
        raise Refusal("wrong-type", file, "not odt")
    styles = _Styles()
    parse("styles.xml", styles)
    body = _Body(styles)
    parse("content.xml", body)
    if not body.is_text:
        raise Refusal("wrong-type", file, "no text")
    meta = untrusted.Properties()
    parse("meta.xml", meta)
    author = meta.value("meta:initial-creator") or meta.value("dc:creator")
    if len(body.revisers) > 1:
        body.counts["revisers"] = len(body.revisers)
    body.counts["headers-footers"] = styles.headers
    part = ExtractedPart(body.prose.text(), meta.value("dc:title"), author)
    return finished([part], notes_on(body.counts), file, limits)


class _Manifest(untrusted.Silent):
    """Whether any entry is encrypted."""

    encrypted = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.encrypted = self.encrypted or tag == "manifest:encryption-data"


class _Styles(untrusted.HidingStyles):
    """The styles of an OpenDocument text, and how many headers and footers there are."""

    headers = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "style:style":
            self._style = attributes.get("style:name", "")
            self._base[self._style] = attributes.get("style:parent-style-name", "")
        elif tag == "style:text-properties" and self._style and "text:display" in attributes:
            self._own[self._style] = attributes["text:display"] == "none"
        elif tag in ("style:header", "style:footer"):
            self.headers += 1

    def end(self, tag: str) -> None:
        if tag == "style:style":
            self._style = ""


class _Body:
    """Listens to content.xml."""

    def __init__(self, styles: _Styles) -> None:
        self.prose = Prose(collapse=True)
        self.counts: Counter[str] = Counter()
        self.revisers: set[str] = set()
        self.is_text = False
        self._styles = styles
        self._depth = 0
        self._skip = 0
        self._changes = 0  # depth of the list of tracked changes
        self._name: list[str] | None = None
        self._paragraph = 0  # paragraphs open around us: text outside them is layout
        self._outer: list[tuple[Prose, int, str]] = []  # what goes on after a note or a text box

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        if self._changes:
            self._change(tag)
        elif self._skip:
            return
        elif not self.is_text:
            self.is_text = tag == "office:text"
            self._styles.start(tag, attributes)
        elif tag == "text:tracked-changes":
            self._changes = self._depth
        elif tag in _SKIPPED:
            self._skip = self._depth
        elif tag in _COUNTED_AND_SKIPPED or self._hidden(tag, attributes):
            self.counts[_COUNTED_AND_SKIPPED.get(tag, "hidden-text")] += 1
            self._skip = self._depth
        elif tag in ("text:note", "draw:text-box"):
            note = tag == "text:note"
            self.counts["footnotes" if note else "text-boxes"] += 1
            self._outer.append((self.prose, self._paragraph, attributes.get("text:note-class", "")))
            self.prose, self._paragraph = Prose(collapse=True), 0
        elif tag in _PARAGRAPHS:
            self._paragraph += 1
        elif self._paragraph:
            self._inline(tag, attributes)

    def _hidden(self, tag: str, attributes: Mapping[str, str]) -> bool:
        if tag in (*_PARAGRAPHS, "text:span"):
            return self._styles.hides(attributes.get("text:style-name", ""))
        return tag == "text:section" and attributes.get("text:display") == "none"

    def _inline(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "text:s":
            count = attributes.get("text:c", "1")
            self.prose.exactly(" " * min(int(count) if count.isdecimal() and len(count) < 9 else 1, _MOST_SPACES))
        elif tag == "text:tab":
            self.prose.exactly("\t")
        elif tag == "text:line-break":
            self.prose.exactly("\n")

    def _change(self, tag: str) -> None:
        if tag in ("text:insertion", "text:deletion"):
            self.counts[f"tracked-{tag[5:]}s"] += 1
        elif tag == "dc:creator":
            self._name = []

    def end(self, tag: str) -> None:
        depth, self._depth = self._depth, self._depth - 1
        if self._changes:
            if self._name is not None and tag == "dc:creator":
                self.revisers.add("".join(self._name))
                self._name = None
            if depth == self._changes:
                self._changes = 0
        elif self._skip:
            if depth == self._skip:
                self._skip = 0
        elif not self.is_text:
            self._styles.end(tag)
        elif tag in ("text:note", "draw:text-box") and self._outer:
            inner = self.prose.text()
            self.prose, self._paragraph, kind = self._outer.pop()
            (self.prose.at_end if kind == "endnote" else self.prose.after)(inner)
            if not self._paragraph:
                self.prose.paragraph()  # a frame between paragraphs
        elif tag in _PARAGRAPHS:
            self._paragraph -= 1
            self.prose.paragraph()

    def text(self, data: str) -> None:
        if self._name is not None:
            self._name.append(data)
        elif self.is_text and self._paragraph and not self._skip and not self._changes:
            self.prose.write(data)
