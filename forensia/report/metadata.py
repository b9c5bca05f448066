"""What the PDF says about itself: its title, its kind, its date, and that it is PDF/A-3u. fpdf2 would write the time of day in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from xml.sax.saxutils import escape

__all__ = ["Metadata", "xmp"]


@dataclass(frozen=True)
class Metadata:
    """Title, author, subject and the id of the report; the name and version of the program that made it."""

    title: str
    author: str
    subject: str
    identifier: str
    program: str


def xmp(about: Metadata, date: datetime) -> str:
    """The XMP packet without its wrapping."""
    stamp = date.astimezone(UTC).isoformat(timespec="seconds")
    title, author, subject, identifier, program = (
        _plain(each) for each in (about.title, about.author, about.subject, about.identifier, about.program)
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


def _plain(text: str) -> str:
    """Text for XML: one line, and nothing that XML cannot hold."""
    kept = "".join(sign if sign.isprintable() else " " for sign in text)
    return escape(" ".join(kept.split()))
