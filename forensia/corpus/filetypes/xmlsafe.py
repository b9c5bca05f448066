"""XML of strangers, as a stream of events: no DTD is read, no entity defined, nothing fetched, and depth is limited.

The standard library's expat with handlers of our own: defusedxml sets the same handlers but builds a tree, and a tree of a
64 MB part takes more than 500 MB. Expat looks up nothing outside by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html.entities import html5
from typing import Protocol
from xml.parsers import expat

from forensia.corpus.filetypes.extraction import Limits, Refusal, damaged, too_large

_CHUNK = 1 << 20  # large, because expat before 2.6 scans an unfinished token again with every chunk
_XML = "http://www.w3.org/XML/1998/namespace"


class Sink(Protocol):
    """Who listens to the events; names are `prefix:local` for the namespaces asked for and `local` for all others."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None: ...
    def end(self, tag: str) -> None: ...
    def text(self, data: str) -> None: ...


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
    """One run of expat."""

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
