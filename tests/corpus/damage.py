"""Damaged files: whatever they hold, they are read or refused in a sentence, and nothing else happens."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from forensia.corpus import ReadOptions, read_corpus
from forensia.corpus.layouts import Layout
from forensia.errors import InputError
from forensia.wording.problems import said

PIECES = (
    b'"', b"\0", b"\xff", b"\xe2\x80", b"\n", b"\r", b"\t", b",", b";", b"[" * 2000, b"{", b"</text>", b"<body>",
    b"\xef\xbb\xbf", b"\\ud800", b"9" * 5000,
)  # fmt: skip


def damaged(data: bytes, chance: random.Random) -> bytes:
    """The bytes with some of them cut, doubled, replaced or mixed with what readers trip over."""
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(data) + 1)
        length = chance.choice((0, 1, 7, len(data) // 2))
        piece = chance.choice((b"", data[:length], chance.choice(PIECES), chance.randbytes(chance.randint(1, 40))))
        data = data[:place] + piece + data[place + length :]
    return data


def read_or_refused(root: Path, name: str, sound: bytes, layouts: Sequence[Layout]) -> None:
    """Read a file of a folder as it should be, and then damaged in many ways and in any layout."""
    chance = random.Random(name)
    names = [None, *(layout.name for layout in layouts)]
    read = 0
    for number in range(200):
        (root / name).write_bytes(sound if number == 0 else damaged(sound, chance))
        target = root if name == "manifest.csv" else root / name
        options = ReadOptions(layout=None if number == 0 else chance.choice(names), split="all", role="all")
        try:
            corpus = read_corpus(target, options, layouts=layouts)
        except InputError as error:
            assert len(said(error)) > 20
            continue
        read += 1
        for document in corpus.documents:
            (document.author + document.title + document.source + document.text).encode()
            assert document.author
    assert read >= 1
