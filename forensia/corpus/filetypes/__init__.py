"""What a file of any type says: its texts, with notes on what was left out, or a refusal that says what to do."""

from forensia.corpus.filetypes.extraction import DEFAULT, ExtractedPart, Extraction, Limits, Refusal
from forensia.corpus.filetypes.registry import FORMATS, REFUSED, Reader, extract, needs_child

__all__ = [
    "DEFAULT",
    "FORMATS",
    "REFUSED",
    "ExtractedPart",
    "Extraction",
    "Limits",
    "Reader",
    "Refusal",
    "extract",
    "needs_child",
]  # fmt: skip
