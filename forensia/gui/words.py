"""Words and numbers as the window shows them, and names from files made harmless for the few places that read markup."""

from __future__ import annotations

import html

from PySide6.QtCore import QCoreApplication

_MOST = 1_000  # characters of a name in a tooltip


def tr(text: str) -> str:
    """Words of the window in the user's language."""
    return QCoreApplication.translate("", text)


def tip(text: str) -> str:
    """A tooltip that shows `text` letter by letter: tooltips guess whether they hold HTML, so we leave them nothing to guess."""
    short = text if len(text) <= _MOST else f"{text[:_MOST]}…"
    return f"<span>{html.escape(short)}</span>".replace("\n", "<br>")


def ampersands(text: str) -> str:
    """A name for a menu or a button, where one '&' would underline the next letter."""
    return text.replace("&", "&&")


def shortened(text: str, most: int = 60) -> str:
    """A long name with its middle left out, for sentences and menus."""
    return text if len(text) <= most else f"{text[: most * 2 // 3]}…{text[-(most // 3) :]}"


def one_line(text: str) -> str:
    """A name on one line, whatever line ends are in it."""
    return " ".join(text.split("\n")).replace("\r", " ").replace("\u2028", " ").replace("\u2029", " ")


def counted(number: int, one: str, many: str) -> str:
    """'1 author', '12 authors'."""
    return f"{number:,} {one if number == 1 else many}"


def known(authors: int, documents: int, left_out: int = 0, population: int = 0) -> str:
    """'12 authors, 118 documents, 2 left out': the same words wherever the window says how many known texts there are.

    Of the authors so many are the population: '1 candidate, population of 25, 630 documents'.
    """
    who = counted(authors, tr("author"), tr("authors"))
    if population:
        candidates = counted(authors - population, tr("candidate"), tr("candidates"))
        who = tr("{0}, population of {1}").format(candidates, f"{population:,}")
    parts = [who, counted(documents, tr("document"), tr("documents"))]
    return ", ".join([*parts, tr("{0} left out").format(f"{left_out:,}")] if left_out else parts)


def duration(seconds: float) -> str:
    """A time left, no more exact than it is known."""
    if seconds < 5:
        return tr("a few seconds")
    if seconds < 55:
        return tr("about {0} seconds").format(round(seconds / 5) * 5)
    if seconds < 90:
        return tr("about a minute")
    if seconds < 5400:
        return tr("about {0} minutes").format(round(seconds / 60))
    return tr("about {0} hours").format(f"{seconds / 3600:.1f}")
