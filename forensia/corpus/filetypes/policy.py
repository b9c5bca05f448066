"""What is kept and what is left out when a file becomes a text: one table, so that every report can state the policy.

The text is the document as its author would send it: insertions accepted, deletions gone, nothing that a reader of the page
does not see.
"""

from __future__ import annotations

from collections.abc import Mapping

from forensia.corpus.document import Severity
from forensia.corpus.filetypes.model import Note

_CHANGES = "Accept or reject the changes in the original, if another version is wanted."
_LOOK = "Look at the original, if this matters."
_QUIET, _LOUD = Severity.NOTE, Severity.WARNING

# code -> severity, sentence before the count, next step
_POLICY: dict[str, tuple[Severity, str, str]] = {
    "tracked-insertions": (_LOUD, "Tracked insertions, kept in the text", _CHANGES),
    "tracked-deletions": (_LOUD, "Tracked deletions, left out", _CHANGES),
    "revisers": (_LOUD, "Persons who made tracked changes", "Check that the text is of one author."),
    "comments": (_LOUD, "Comments, left out", _LOOK),
    "hidden-text": (_LOUD, "Hidden passages, left out", _LOOK),
    "footnotes": (_QUIET, "Footnotes and endnotes, kept in reading order", ""),
    "headers-footers": (_QUIET, "Page headers and footers, left out", ""),
    "text-boxes": (_QUIET, "Text boxes, kept after the paragraph they belong to", ""),
    "formulas": (_QUIET, "Formulas, left out", ""),
    "symbols": (_LOUD, "Characters of symbol fonts, left out", _LOOK),
    "embedded": (_LOUD, "Embedded documents or objects, not read", "Save them as files of their own to read them."),
    "open-fields": (_LOUD, "Fields without an end, after which text may be missing", _LOOK),
    "unknown-code-page": (_LOUD, "Passages in a code page we do not know, read as Windows-1252", _LOOK),
    "undecodable": (_LOUD, "Characters that could not be decoded, replaced by U+FFFD", _LOOK),
    "invisible-elements": (_QUIET, "Scripts, styles and other elements that are not text, left out", ""),
    "remote-content": (_QUIET, "Links to content elsewhere (pictures, frames, styles), not fetched", ""),
    "tei-notes": (_QUIET, "Notes of the edition, left out", ""),
    "tei-deletions": (_QUIET, "Deletions marked in the edition, left out", ""),
    "tei-speakers": (_QUIET, "Names of speakers, stage directions and page furniture, left out", ""),
    "tei-editorial": (_QUIET, "Corrections and normalisations by the editor, left out for the author's own form", ""),
    "entities": (_LOUD, "Named characters whose definition lies outside the file, read by their usual meaning", _LOOK),
    "attachments": (_LOUD, "Attachments, not read", "Save them as files of their own to read them."),
    "attached-messages": (_LOUD, "Attached messages, not read", "Save them as files of their own to read them."),
    "cut-off": (_LOUD, "Messages that end before their last part does", "Export them again, if text is missing."),
    "html-only": (_QUIET, "Messages with HTML only, read as text", ""),
    "empty-messages": (_QUIET, "Messages without a text, left out", ""),
    "unread-messages": (_LOUD, "Messages that cannot be read, left out", "Save them one by one to see why."),
    "pages-without-text": (_LOUD, "Pages without a text layer, left out", "Run OCR on the file, if they hold text."),
    "ligatures": (_QUIET, "Typographic ligatures (such as ﬁ), written as letters", ""),
}


def notes_on(counts: Mapping[str, int]) -> tuple[Note, ...]:
    """A note for everything that was found at least once, in the order of the table."""
    return tuple(
        Note(code, f"{sentence}: {counts[code]:,}.", severity, step)
        for code, (severity, sentence, step) in _POLICY.items()
        if counts.get(code, 0) > 0
    )
