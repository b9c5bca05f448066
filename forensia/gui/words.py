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


def families() -> dict[str, tuple[str, str]]:
    """The families of features, each by a name and a sentence for a linguist."""
    return {
        "function words": (
            tr("Function words"),
            tr("How often each small word such as 'of', 'upon' or 'which' is used."),
        ),
        "word lengths": (tr("Word lengths"), tr("How long the words are.")),
        "sentence lengths": (tr("Sentence lengths"), tr("How long the sentences are.")),
        "punctuation": (tr("Punctuation"), tr("Which marks are used, and how often.")),
        "POS n-grams": (tr("Word classes in a row"), tr("How word classes follow one another: a trace of syntax.")),
        "words": (tr("Words"), tr("Which words are chosen; closest to the topic, so mask it where topics differ.")),
        "character n-grams": (tr("Letters in a row"), tr("Endings, spelling habits, spacing.")),
        "masked tokens": (
            tr("Function words in a row"),
            tr(
                "How small words and marks follow one another, with a gap for every other word: no topic. For the fused ranking only."
            ),
        ),
        "layout": (
            tr("Layout"),
            tr(
                "Line breaks, spaces, capitals and digits: telling in mail and chat, the editor's in print. For the fused ranking only."
            ),
        ),
    }


BASELINE = "baseline"
"""What stands for a family in the row of the baseline; no feature belongs to it."""


def family_name(family: str) -> str:
    """A family by its name for a linguist; nothing stands for all of them."""
    names = {name: shown for name, (shown, _) in families().items()} | {"": tr("Total"), BASELINE: tr("Baseline")}
    return names.get(family, family)


def profiles() -> dict[str, tuple[str, str]]:
    """The profiles: name and sentence."""
    return {
        "forensic": (
            tr("Forensic"),
            tr("Made for evidence: every known text is judged by a model that has not seen it."),
        ),
        "paper": (tr("As published"), tr("The method of the paper to the letter, for comparison with it.")),
    }
