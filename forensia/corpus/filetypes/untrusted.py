"""Zip archives and XML of strangers, which may be made to hurt: everything that can be checked is checked before it is used."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from html.entities import html5
from typing import Protocol
from xml.parsers import expat

from forensia.corpus.filetypes.extraction import Limits, Refusal, damaged, too_large

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENTRY = b"PK\x01\x02"
_PIECE = 1 << 20
_HARMLESS = 4_000_000  # unpacked bytes below which a ratio proves nothing
# What word processors write; the others (bzip2, LZMA) are a way to make us use memory.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError, struct.error, IndexError)


def locked(file: str) -> Refusal:
    """The refusal of an encrypted file."""
    return Refusal("encrypted", file, "password")


class Archive:
    """The entries of a zip file in memory, by name, in any case of letters.

    It may be a bomb: everything a table of contents can tell is checked before a byte is unpacked. zipfile of the standard library is
    safe with names here, for nothing is ever extracted to disk.
    """

    def __init__(self, data: bytes, file: str, limits: Limits) -> None:
        self._file, self._limits = file, limits
        if data.startswith(_OLE):
            raise Refusal("encrypted", file, "or old")
        # Counted before zipfile makes an object of each: every entry of the table of contents begins like this.
        if data.count(_ENTRY) > limits.entries:
            raise too_large(file, "entries", limit=limits.entries)
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            infos = self._zip.infolist()
        except _BROKEN as error:
            raise damaged(file) from error
        self._infos = {info.filename.lower().lstrip("/"): info for info in infos}
        if len(self._infos) < len(infos):
            raise damaged(file, "same names")

    def __contains__(self, entry: str) -> bool:
        return entry.lower() in self._infos

    def names(self) -> list[str]:
        return list(self._infos)

    def chunks(self, entry: str) -> Iterator[bytes]:
        """The bytes of an entry, after it was found to be no bomb."""
        info = self._infos.get(entry.lower())
        if info is None:
            raise damaged(self._file, "lacks a part")
        if info.flag_bits & 1:
            raise locked(self._file)
        if info.compress_type not in _METHODS:
            raise damaged(self._file, "packing")
        bomb = info.file_size > _HARMLESS and info.file_size > self._limits.ratio * max(info.compress_size, 1)
        if bomb or info.file_size > self._limits.unpacked:
            raise Refusal("zip-bomb", self._file, "ratio" if bomb else "size", size=info.file_size / 1e6)
        return self._read(info)

    def _read(self, info: zipfile.ZipInfo) -> Iterator[bytes]:
        # zipfile stops at the size that was declared and checks the sum, so a table of contents that lies is found out.
        try:
            with self._zip.open(info) as stream:
                while chunk := stream.read(_PIECE):
                    yield chunk
        except Refusal:
            raise
        except _BROKEN as error:
            raise damaged(self._file) from error


_CHUNK = 1 << 20  # large, because expat before 2.6 scans an unfinished token again with every chunk
_XML = "http://www.w3.org/XML/1998/namespace"


class Sink(Protocol):
    """Who listens to the events; names are `prefix:local` for the namespaces asked for and `local` for all others."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None: ...
    def end(self, tag: str) -> None: ...
    def text(self, data: str) -> None: ...


class Silent:
    """A sink that takes no notice of anything; those built on it say what they listen to."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None: ...
    def end(self, tag: str) -> None: ...
    def text(self, data: str) -> None: ...


class Properties(Silent):
    """The texts of the elements of a part that tells the title and the author."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._values: dict[str, str] = {}

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._open.append(tag)

    def end(self, tag: str) -> None:
        self._open.pop()

    def text(self, data: str) -> None:
        if self._open:
            self._values[self._open[-1]] = self._values.get(self._open[-1], "") + data

    def value(self, tag: str) -> str:
        return " ".join(self._values.get(tag, "").split())


class HidingStyles(Silent):
    """Which styles hide text, by themselves or because the style they build on does."""

    def __init__(self) -> None:
        self._style = ""
        self._own: dict[str, bool] = {}
        self._base: dict[str, str] = {}

    def hides(self, style: str) -> bool:
        above, seen = style, set[str]()
        while above and above not in seen and above not in self._own:
            seen.add(above)
            above = self._base.get(above, "")
        return self._own.get(above, False)


def sliced(data: bytes) -> Iterator[bytes]:
    """Bytes in memory as the chunks `parse` takes."""
    return (data[start : start + _CHUNK] for start in range(0, len(data), _CHUNK))


def parse(
    chunks: Iterable[bytes],
    sink: Sink,
    file: str,
    limits: Limits,
    prefixes: Mapping[str, str] | None = None,
    *,
    encoding: str | None = None,
    doctype: bool = False,
) -> int:
    """Send the events of a document to `sink`; return how many named characters were read by their usual meaning.

    `doctype` allows a bare DOCTYPE line, as old TEI has it; what it points to is not read either way.
    """
    return _Parsing(sink, file, limits, prefixes or {}, encoding, doctype).run(chunks)


class _Parsing:
    """One run of expat: no DTD is read, no entity defined, nothing fetched, and depth is limited.

    The standard library's expat with handlers of our own: defusedxml sets the same handlers but builds a tree, and a tree of a
    64 MB part takes more than 500 MB. Expat looks up nothing outside by itself.
    """

    def __init__(
        self, sink: Sink, file: str, limits: Limits, prefixes: Mapping[str, str], encoding: str | None, doctype: bool
    ) -> None:
        self.sink, self.file, self.limits, self.doctype = sink, file, limits, doctype
        self.prefixes = {_XML: "xml", **prefixes}
        self.names: dict[str, str] = {}
        self.depth = 0
        self.entities = 0
        parser = expat.ParserCreate(encoding, " ")
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = sink.text
        parser.StartDoctypeDeclHandler = self.on_doctype
        parser.EntityDeclHandler = self.refuse
        parser.ExternalEntityRefHandler = self.refuse
        parser.UnparsedEntityDeclHandler = self.refuse
        parser.SkippedEntityHandler = self.on_entity
        self.parser = parser

    def run(self, chunks: Iterable[bytes]) -> int:
        try:
            for chunk in chunks:
                self.parser.Parse(chunk, False)
            self.parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise damaged(self.file, "xml", line=error.lineno, column=error.offset + 1) from error
        except (LookupError, ValueError) as error:  # an encoding that is unknown, or has more than one byte a character
            raise damaged(self.file, "xml encoding") from error
        finally:
            # The handlers point to this object and it to the parser: without this, memory would wait for the collector.
            self.parser.StartElementHandler = self.parser.EndElementHandler = None
        return self.entities

    def name(self, raw: str) -> str:
        known = self.names.get(raw)
        if known is None:
            space, _, local = raw.rpartition(" ")
            prefix = self.prefixes.get(space)
            known = self.names[raw] = f"{prefix}:{local}" if prefix else local
        return known

    def start(self, raw: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > self.limits.depth:
            raise too_large(self.file, "elements", limit=self.limits.depth)
        if attributes:
            attributes = {self.name(key): value for key, value in attributes.items()}
        self.sink.start(self.name(raw), attributes)

    def end(self, raw: str) -> None:
        self.depth -= 1
        self.sink.end(self.name(raw))

    def on_doctype(self, name: str, system: str | None, public: str | None, internal: bool) -> None:
        if internal or not self.doctype:
            self.refuse()

    def refuse(self, *_: object) -> int:
        raise Refusal("dtd", self.file)

    def on_entity(self, name: str, parameter: bool) -> None:
        meaning = html5.get(f"{name};")
        if parameter:
            return
        if meaning is None:
            raise Refusal("entity", self.file, line=self.parser.CurrentLineNumber)
        self.entities += 1
        self.sink.text(meaning)
