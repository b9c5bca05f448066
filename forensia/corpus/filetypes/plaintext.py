"""Plain text, and Markdown as plain text: the decoding room does all of it."""

from __future__ import annotations

from forensia.corpus.decoding import decode
from forensia.corpus.filetypes.extraction import ExtractedPart, Extraction, Limits, finished


def read(data: bytes, file: str, limits: Limits) -> Extraction:
    """The text of a file that is nothing but text."""
    decoded = decode(data)
    return finished([ExtractedPart(decoded.text, encoding=decoded.encoding)], decoded.problems, file, limits)
