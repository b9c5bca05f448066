"""Small populations for tests: made of the sample's texts, or of made-up ones."""

from __future__ import annotations

from collections.abc import Sequence

from forensia.corpus.characters import count_words
from forensia.corpus.document import Document, text_hash


def document(author: str, text: str, sources: Sequence[str] = (), title: str = "t") -> Document:
    """A text as reading would give it."""
    return Document(author, title, text, tuple(sources), sha256_text=text_hash(text), words=count_words(text))


def documents() -> list[Document]:
    """Five texts by three authors, from 20 to 700 words, one of them typed in curly quotes and from two sources."""
    return [
        document("Ann", "The boat came in late, and nobody's hand was there to take the rope. " * 50, ("letters",)),
        document("Ann", "We said “no” — it isn’t ours; we’d rather wait. " * 30, ("diary", "shared: The Times")),
        document("Ben", "It rained. So he went home, and then he slept until the next morning came. " * 20, ("shared: The Times",)),
        document("Ben", "Twenty words are few, but they are enough for one block of a text that is shorter than any other."),
        document("Cyd", "I have seen it in 1815, and again in 1816 (as they told me):\n\n- once;\n- twice. " * 20),
    ]  # fmt: skip
