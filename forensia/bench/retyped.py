"""Texts typed anew as a word processor, a mail program or another keyboard would: what becomes of the likelihood ratio."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from forensia.bench.comparedsets import FOREIGN
from forensia.bench.packs import SEED, AskedTexts, TriedPack
from forensia.bench.rows import Row
from forensia.corpus import Document, ReadOptions, read_disputed
from forensia.corpus.characters import NO_INK
from forensia.evidence.likelihood import Floats

TEXTS = 25  # of each set: 200 of eight
COLUMNS = 72
_APOSTROPHES, _QUOTES = re.compile("['‘’]"), re.compile('["“”]')
_NO_INK = re.compile(f"[{NO_INK}]")
_DASH = re.compile(r" ?(?:—|–|(?<!-)--(?!-)) ?")


def _curly(text: str) -> str:
    """Apostrophes and quotes as a word processor makes them: opening after a space, closing otherwise."""
    text = re.sub(r"(^|[\s(\[])[\"“”]", r"\1“", text, flags=re.MULTILINE)
    text = re.sub(r"(^|[\s(\[“])['‘’]", r"\1‘", text, flags=re.MULTILINE)
    return _APOSTROPHES.sub(lambda mark: mark[0] if mark[0] == "‘" else "’", text.replace('"', "”"))


def _straight(text: str) -> str:
    return _QUOTES.sub('"', _APOSTROPHES.sub("'", text))


def _wrapped(text: str) -> str:
    """Every line that is longer than the columns broken between words; the spaces at a break are lost, all others stay.

    What has no ink takes no column, and goes first.
    """
    return "\n".join(part for line in _NO_INK.sub("", text).split("\n") for part in _broken(line))


def _broken(line: str) -> Iterator[str]:
    while len(line) > COLUMNS:
        indent = len(line) - len(line.lstrip())
        at = line.rfind(" ", indent, COLUMNS + 1)
        if at < 0:
            at = line.find(" ", max(indent, COLUMNS))
        if at < 0 or not line[at:].strip():
            break
        yield line[:at].rstrip(" ")
        line = line[at:].lstrip(" ")
    yield line


def _unbreakable(text: str) -> str:
    """Every third space between two words cannot be broken."""
    places = iter(range(len(text)))
    return re.sub(r"(?<=\S) (?=\S)", lambda space: space[0] if next(places) % 3 else "\u00a0", text)


def _dashed(dash: str) -> Callable[[str], str]:
    """Every dash this one, spaces around it as they were."""
    return lambda text: _DASH.sub(lambda found: re.sub(r"—|–|--", dash, found[0]), text)


WAYS: Mapping[str, Callable[[str], str]] = {
    "curly": _curly,
    "straight": _straight,
    f"wrapped at {COLUMNS}": _wrapped,
    "no-break spaces": _unbreakable,
    "dashes --": _dashed("--"),
    "dashes –": _dashed("–"),
    "dashes —": _dashed("—"),
}


def retyped(pack: TriedPack) -> Row:
    """By how much the headline LR of the author who was first moves, in percent: the most of each text, and of each way of typing."""
    rows = np.random.default_rng([SEED, 7]).permutation(len(pack.disputed))[:TEXTS]
    texts = [pack.disputed[row].original for row in rows]
    options = ReadOptions(language=FOREIGN.get(pack.name, "en"))

    def asked(typed: Callable[[str], str]) -> AskedTexts:
        return pack.program.asked([_read(typed(text), options) for text in texts], pack.source)

    before = asked(str)
    at = (np.arange(len(texts)), before.first)
    moves: dict[str, Floats] = {
        way: 100 * np.abs(10.0 ** (asked(typed).headline[at] - before.headline[at]) - 1) for way, typed in WAYS.items()
    }
    return {
        "moves": np.max(list(moves.values()), axis=0).tolist(),
        "by_way": {way: float(each.max()) for way, each in moves.items()},
        "changed": {way: sum(typed(text) != text for text in texts) for way, typed in WAYS.items()},
    }


def _read(text: str, options: ReadOptions) -> Document:
    """A text as the program reads it from a file."""
    return read_disputed(text.encode("utf-8"), options, name="disputed.txt")
