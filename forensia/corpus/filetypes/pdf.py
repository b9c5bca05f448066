"""PDF: the text layer. There is no OCR here, and a file that needs it says so.

pypdf: pure Python, without dependencies, well kept, with limits on what streams unpack to. pdfminer.six brings a library of
compiled cryptography along; pdfium reads better and faster but is C++ at work on hostile files, without memory safety.
"""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections import Counter

from forensia.corpus.document import Problem
from forensia.corpus.filetypes.extraction import (
    ExtractedPart,
    Extraction,
    Limits,
    Refusal,
    damaged,
    finished,
    notes_on,
    too_large,
)
from forensia.corpus.filetypes.untrusted import locked

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ſt", "ﬆ": "st"}
_LIGATURE = re.compile(f"[{''.join(_LIGATURES)}]")
_NOISE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]")
_WIDE = re.compile(r"[ \t]{2,}")
_NOISY, _HOPELESS = 0.01, 0.25  # share of characters that mean nothing, from which a text layer is doubtful or useless
_TAIL = 4_096  # bytes at the end of a file in which its end mark must stand


def read(data: bytes, file: str, limits: Limits) -> Extraction:
    """The text of a PDF, page after page; hyphens at line ends are left for the cleaning."""
    if b"%PDF-" not in data[:1_024]:
        raise Refusal("wrong-type", file, "pdf")
    if b"%%EOF" not in data.rstrip(b"\0\r\n\t ")[-_TAIL:]:
        # pypdf would find some pages all the same, and half a text would pass for a whole one.
        raise damaged(file, "no end")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _read(data, file, limits)
    except (Refusal, MemoryError):
        raise
    # On a broken file pypdf raises whatever the breakage leads to, AssertionError to KeyError.
    except Exception as error:
        raise damaged(file) from error


def _read(data: bytes, file: str, limits: Limits) -> Extraction:
    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)  # its complaints quote the document
    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted:
        raise locked(file)
    total = len(reader.pages)
    if total > limits.pages:
        raise too_large(file, "pages", limit=limits.pages)
    pages: list[str] = []
    characters = 0
    for page in reader.pages:
        pages.append(page.extract_text())
        characters += len(pages[-1])
        if characters > limits.characters:
            raise too_large(file, "characters", limit=limits.characters)
    return _judged(pages, _title(reader), file, limits)


def _title(reader: object) -> tuple[str, str]:
    """Title and author of the properties, which are often broken and never worth a refusal."""
    try:
        metadata = getattr(reader, "metadata", None)
        values = (getattr(metadata, "title", None), getattr(metadata, "author", None))
        return " ".join(str(values[0] or "").split()), " ".join(str(values[1] or "").split())
    except Exception:
        return "", ""


def _judged(pages: list[str], properties: tuple[str, str], file: str, limits: Limits) -> Extraction:
    """The pages as one text, or a refusal when they hold none that can be used."""
    written = [page for page in pages if page.strip()]
    if not written:
        raise Refusal("no-text-layer", file, "pictures")
    counts = Counter({"pages-without-text": len(pages) - len(written)})
    # A sentence may run on to the next page, so its end is no end of a paragraph.
    text = "\n".join(page.strip("\n") for page in written)
    # Wide and trailing spaces come from justified lines, not from the author.
    text = _WIDE.sub(" ", text).replace(" \n", "\n")
    counts["ligatures"] = len(_LIGATURE.findall(text))
    text = _LIGATURE.sub(lambda match: _LIGATURES[match[0]], text)
    noise = len(_NOISE.findall(text)) / len(text)
    if noise > _HOPELESS:
        raise Refusal("no-text-layer", file, "letters")
    notes = notes_on(counts)
    if noise > _NOISY:
        notes += (Problem.of("doubtful-text-layer", share=noise),)
    return finished([ExtractedPart(text, *properties)], notes, file, limits)
