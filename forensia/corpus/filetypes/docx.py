"""Word documents (.docx): the text of the body with its notes, by the `POLICY` of `extraction`.

Read from the XML itself: python-docx builds a tree of all parts and knows neither tracked changes nor hidden text nor notes.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Mapping

from forensia.corpus.filetypes import untrusted
from forensia.corpus.filetypes.extraction import ExtractedPart, Extraction, Limits, Prose, Refusal, finished, notes_on
from forensia.corpus.filetypes.untrusted import Archive

_PREFIXES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m",
    "http://purl.org/dc/elements/1.1/": "dc",
}
# Elements with everything in them that is not the text: the older state of a format, the second form of a text box.
_SKIPPED = {
    "w:rPrChange", "w:pPrChange", "w:sectPrChange", "w:tblPrChange", "w:tblGridChange", "w:tcPrChange",
    "w:trPrChange", "w:tblPrExChange", "w:numberingChange", "w:sectPr", "mc:Fallback", "w:instrText", "w:delInstrText",
    "w:rt",
}  # fmt: skip
_COUNTED_AND_SKIPPED = {
    "w:del": "tracked-deletions",
    "w:moveFrom": "tracked-deletions",
    "m:oMath": "formulas",
    "w:altChunk": "embedded",
    "w:subDoc": "embedded",
}
_COUNTED = {
    "w:ins": "tracked-insertions",
    "w:moveTo": "tracked-insertions",
    "w:commentReference": "comments",
    "w:object": "embedded",
}
_CHARACTERS = {
    "w:tab": "\t", "w:ptab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "\u2011", "w:softHyphen": "\u00ad",
}  # fmt: skip
_RUN_PROPERTIES = "w:rPr"


def read(data: bytes, file: str, limits: Limits) -> Extraction:
    """The text of a Word document, its title and the name in its properties."""
    archive = Archive(data, file, limits)

    def parse(entry: str, sink: untrusted.Sink) -> None:
        untrusted.parse(archive.chunks(entry), sink, file, limits, _PREFIXES)

    package = _Relations()
    if "_rels/.rels" in archive:
        parse("_rels/.rels", package)
    body = package.target("officeDocument", "") or "word/document.xml"
    if body not in archive:
        raise Refusal("wrong-type", file, "not word" if archive.names() else "empty archive")
    folder, name = posixpath.split(body)
    relations = _Relations()
    if f"{folder}/_rels/{name}.rels" in archive:
        parse(f"{folder}/_rels/{name}.rels", relations)

    styles = _Styles()
    place = relations.target("styles", folder)
    if place in archive:
        parse(place, styles)
    counts: Counter[str] = Counter()
    revisers: set[str] = set()
    notes: dict[str, dict[str, str]] = {"w:footnoteReference": {}, "w:endnoteReference": {}}
    for kind, found in notes.items():
        place = relations.target(kind[2:].replace("Reference", "s"), folder)
        if place in archive:
            parse(place, _Body(counts, revisers, styles, {}, found))
    text = _Body(counts, revisers, styles, notes, {})
    parse(body, text)

    counts["open-fields"] = text.open_fields
    counts["headers-footers"] = relations.count("header") + relations.count("footer")
    counts["revisers"] = len(revisers) if len(revisers) > 1 else 0
    properties = untrusted.Properties()
    place = package.target("core-properties", "")
    if place in archive:
        parse(place, properties)
    part = ExtractedPart(text.prose.text(), properties.value("dc:title"), properties.value("dc:creator"))
    return finished([part], notes_on(counts), file, limits)


class _Relations(untrusted.Silent):
    """Which part of the package plays which role; links to places outside are never followed."""

    def __init__(self) -> None:
        self._targets: list[tuple[str, str]] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "Relationship" and attributes.get("TargetMode") != "External":
            role = attributes.get("Type", "").rpartition("/")[2]
            self._targets.append((role, attributes.get("Target", "")))

    def target(self, role: str, folder: str) -> str:
        """The name of the entry in that role, or nothing."""
        for found, target in self._targets:
            if found == role and target:
                return posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        return ""

    def count(self, role: str) -> int:
        return sum(1 for found, _ in self._targets if found == role)


class _Styles(untrusted.HidingStyles):
    """The styles of a Word document."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "w:style":
            self._style = attributes.get("w:styleId", "")
        elif tag == "w:basedOn" and self._style:
            self._base[self._style] = attributes.get("w:val", "")
        elif tag == "w:vanish" and self._style:
            self._own[self._style] = _on(attributes)

    def end(self, tag: str) -> None:
        if tag == "w:style":
            self._style = ""


class _Body:
    """Listens to the body or to a part with notes; the notes go to `found`, by their number."""

    def __init__(
        self,
        counts: Counter[str],
        revisers: set[str],
        styles: _Styles,
        notes: Mapping[str, dict[str, str]],
        found: dict[str, str],
    ) -> None:
        self.prose = Prose()
        self._counts, self._revisers, self._styles = counts, revisers, styles
        self._notes, self._found = notes, found
        self._path: list[str] = []
        self._skip = 0  # depth of the element that is left out, 0 for none
        self._outer: list[tuple[Prose, bool, bool, bool]] = []  # the paragraphs around a text box
        self._fields: list[bool] = []  # for each open field: are we in its code?
        self._note = ""
        self._pieces: list[str] = []
        self._in_text = self._preserve = False
        self._run_hidden = self._run_counted = self._paragraph_hidden = self._joined = False

    @property
    def open_fields(self) -> int:
        """Fields in whose code the document ended: whatever followed was not taken for text."""
        return sum(self._fields)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        path = self._path
        path.append(tag)
        if self._skip:
            return
        parent = path[-2] if len(path) > 1 else ""
        if parent in (_RUN_PROPERTIES, "w:pPr", "w:trPr", "w:tcPr"):
            self._property(tag, parent, attributes)
        elif tag in _SKIPPED:
            self._skip = len(path)
        elif tag in _COUNTED_AND_SKIPPED:
            self._count(_COUNTED_AND_SKIPPED[tag], attributes)
            self._skip = len(path)
        elif tag in _COUNTED:
            self._count(_COUNTED[tag], attributes)
        elif tag == "w:t":
            self._in_text, self._preserve = True, attributes.get("xml:space") == "preserve"
            self._pieces = []
        elif tag == "w:r":
            self._run_hidden, self._run_counted = self._paragraph_hidden, False
        elif tag == "w:p":
            self._paragraph_hidden = self._run_hidden = self._joined = False
        elif tag == "w:txbxContent":
            self._outer.append((self.prose, self._paragraph_hidden, self._run_hidden, self._joined))
            self.prose = Prose()
            self._counts["text-boxes"] += 1
        else:
            self._inline(tag, attributes)

    def _inline(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in _CHARACTERS and self._path[-2:-1] == ["w:r"]:
            self._write(_CHARACTERS[tag])
        elif tag == "w:sym":
            self._counts["symbols"] += not self._run_hidden
        elif tag == "w:fldChar":
            kind = attributes.get("w:fldCharType")
            if kind == "begin":
                self._fields.append(True)
            elif self._fields:
                if kind == "separate":
                    self._fields[-1] = False
                elif kind == "end":
                    self._fields.pop()
        elif tag in self._notes and not self._run_hidden:
            # Once: a note called a million times is an attack.
            note = self._notes[tag].pop(attributes.get("w:id", ""), "")
            if note:
                self._counts["footnotes"] += 1
                (self.prose.after if tag == "w:footnoteReference" else self.prose.at_end)(note)
        elif tag in ("w:footnote", "w:endnote"):
            self.prose = Prose()
            self._note = attributes.get("w:id", "") if attributes.get("w:type", "normal") == "normal" else ""

    def _property(self, tag: str, parent: str, attributes: Mapping[str, str]) -> None:
        """A property of the run, paragraph, row or cell we are in."""
        of_run = parent == _RUN_PROPERTIES and self._path[-3:-2] == ["w:r"]
        of_mark = parent == _RUN_PROPERTIES and self._path[-3:-2] == ["w:pPr"]
        if tag in _SKIPPED:
            self._skip = len(self._path)
        elif tag == "w:vanish" and of_run:
            self._run_hidden = _on(attributes)
        elif tag == "w:rStyle" and of_run:
            self._run_hidden = self._run_hidden or self._styles.hides(attributes.get("w:val", ""))
        elif tag == "w:pStyle":
            self._paragraph_hidden = self._styles.hides(attributes.get("w:val", ""))
        elif tag in ("w:del", "w:moveFrom") and of_mark:
            self._joined = True  # the end of this paragraph was deleted: it goes on in the next one
            self._count("tracked-deletions", attributes)
        elif tag in ("w:ins", "w:moveTo") and (of_mark or parent == "w:trPr"):
            self._count("tracked-insertions", attributes)
        elif (tag == "w:del" and parent == "w:trPr") or tag == "w:cellDel":
            self._count("tracked-deletions", attributes)
            self._skip = len(self._path) - 2  # the row or cell whose property this is

    def end(self, tag: str) -> None:
        depth = len(self._path)
        self._path.pop()
        if self._skip:
            if depth == self._skip:
                self._skip = 0
            return
        if tag == "w:t":
            self._in_text = False
            text = "".join(self._pieces)
            self._write(text if self._preserve else text.strip(" \t\r\n"))
        elif tag == "w:p":
            if not self._joined:
                self.prose.paragraph()
            self._joined = False
        elif tag == "w:txbxContent" and self._outer:
            box = self.prose.text()
            self.prose, self._paragraph_hidden, self._run_hidden, self._joined = self._outer.pop()
            self.prose.after(box)
        elif tag in ("w:footnote", "w:endnote"):
            if self._note:
                self._found[self._note] = self.prose.text().strip()  # a space follows the number
            self.prose = Prose()

    def text(self, data: str) -> None:
        if self._in_text and not self._skip:
            self._pieces.append(data)

    def _write(self, text: str) -> None:
        if any(self._fields):
            return
        if not self._run_hidden:
            self.prose.write(text)
        elif text and not self._run_counted:
            self._counts["hidden-text"] += 1
            self._run_counted = True

    def _count(self, code: str, attributes: Mapping[str, str]) -> None:
        self._counts[code] += 1
        if code.startswith("tracked") and attributes.get("w:author"):
            self._revisers.add(attributes["w:author"])


def _on(attributes: Mapping[str, str]) -> bool:
    """Whether a switch of Word is on; without a value it is."""
    return attributes.get("w:val", "true").lower() not in ("0", "false", "off")
