"""Small corpora for the tests of this room: prose that differs from text to text, and folders made from a listing."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from forensia.corpus.characters import count_words
from forensia.corpus.document import Document, text_hash

_SMALL = (
    "the of and to a in that is was for it with as his on be at by this had not are but from or have an they".split()
)
_LARGE = (
    "harbour letter morning garden captain window river silence market stone kitchen evening promise winter journey "
    "shoulder question village answer carriage station summer butcher lantern orchard sermon quarrel neighbour parcel "
    "ladder meadow pocket candle bargain sailor widow chimney ribbon engine saddle copper thunder velvet anchor basket"
).split()

Prose = Callable[..., str]


@pytest.fixture
def prose() -> Prose:
    """`prose(seed, words)`: English-looking sentences, different for every seed."""

    def write(seed: int, words: int = 120) -> str:
        chance = random.Random(seed)
        out = []
        for number in range(words):
            word = chance.choice(_SMALL if chance.random() < 0.5 else _LARGE)
            out.append(word.capitalize() if number % 11 == 0 else word)
            if number % 11 == 10:
                out[-1] += "."
        return " ".join(out) + ".\n"

    return write


@pytest.fixture
def folder(tmp_path: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    """Make a folder with these files in it."""

    def make(files: Mapping[str, str | bytes]) -> Path:
        root = tmp_path / "corpus"
        root.mkdir(exist_ok=True)
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return root

    return make


@pytest.fixture
def document() -> Callable[..., Document]:
    """A document with its hashes, without a file."""

    def make(author: str, text: str, path: str = "", **more: object) -> Document:
        return Document(
            author, path or "untitled", text, path=path, sha256_text=text_hash(text), words=count_words(text), **more
        )  # type: ignore[arg-type]

    return make
