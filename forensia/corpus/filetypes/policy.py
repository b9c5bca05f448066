"""What is kept and what is left out when a file becomes a text: one table, so that every report can state the policy.

The text is the document as its author would send it: insertions accepted, deletions gone, nothing that a reader of the page
does not see.
"""

from __future__ import annotations

from collections.abc import Mapping

from forensia.corpus.document import Problem, Severity

POLICY: dict[str, Severity] = {
    "tracked-insertions": Severity.WARNING,
    "tracked-deletions": Severity.WARNING,
    "revisers": Severity.WARNING,
    "comments": Severity.WARNING,
    "hidden-text": Severity.WARNING,
    "footnotes": Severity.NOTE,
    "headers-footers": Severity.NOTE,
    "text-boxes": Severity.NOTE,
    "formulas": Severity.NOTE,
    "symbols": Severity.WARNING,
    "embedded": Severity.WARNING,
    "open-fields": Severity.WARNING,
    "unknown-code-page": Severity.WARNING,
    "undecodable": Severity.WARNING,
    "invisible-elements": Severity.NOTE,
    "remote-content": Severity.NOTE,
    "tei-notes": Severity.NOTE,
    "tei-deletions": Severity.NOTE,
    "tei-speakers": Severity.NOTE,
    "tei-editorial": Severity.NOTE,
    "entities": Severity.WARNING,
    "attachments": Severity.WARNING,
    "attached-messages": Severity.WARNING,
    "cut-off": Severity.WARNING,
    "html-only": Severity.NOTE,
    "empty-messages": Severity.NOTE,
    "unread-messages": Severity.WARNING,
    "pages-without-text": Severity.WARNING,
    "ligatures": Severity.NOTE,
}
"""What is counted, in the order in which it is told, and how much it matters."""


def notes_on(counts: Mapping[str, int]) -> tuple[Problem, ...]:
    """A note for everything that was found at least once, in the order of the table."""
    return tuple(
        Problem.of(code, severity, count=counts[code]) for code, severity in POLICY.items() if counts.get(code, 0) > 0
    )
