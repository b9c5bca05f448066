"""Characters and words: what counts as a word, and characters that hide or pretend, such as zero-width ones or look-alike letters.

Hidden characters change features without changing what a reader sees, by accident (copied from a web page) or on purpose; so they are
counted, located and shown escaped, and nothing is removed silently.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

# An apostrophe inside keeps "don't" one word, as the function-word list has it; a hyphen inside splits, so that lengths
# mean what a reader expects.
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

_SHAPES = bytes(ord("a") if chr(code).isalnum() and code < 128 else ord(" ") for code in range(256))
_ASCII = bytes(range(128))
_MANY_CHARACTERS = 64
_SHORT_TEXT = 1_000


def beyond_ascii(text: str) -> set[str]:
    """The different characters outside ASCII. No byte of theirs in UTF-8 is an ASCII one, so the rest is dropped in one pass."""
    return set(text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass"))


def count_words(text: str) -> int:
    """The number of matches of WORD, found without making any of them: words are counted for every file that is read."""
    if not text.isascii():
        beyond = beyond_ascii(text)
        if len(beyond) > _MANY_CHARACTERS:
            return sum(1 for _ in WORD.finditer(text))
        for character in beyond:
            text = text.replace(character, "'" if character == "’" else "a" if character.isalnum() else " ")
    if "''" in text:
        text = text.replace("''", "  ")  # two apostrophes never join
    shapes = (b" " + text.encode("ascii")).translate(_SHAPES, b"'")
    if len(shapes) < _SHORT_TEXT:
        return shapes.count(b" a")
    import numpy as np

    # A word begins where the letter comes after the blank, which is less; 5 times faster.
    codes = np.frombuffer(shapes, np.uint8)
    return int(np.count_nonzero(codes[1:] > codes[:-1]))


MAX_OFFSETS = 1_000
"""How many places of one finding are kept; the count is always the full one."""

MAX_EXAMPLES = 5

NUL_SIGN = "␀"
"""Stands for a NUL character: databases, windows and PDF would cut the text at the real one."""


@dataclass
class CharacterFinding:
    """How often something occurs, where (the first thousand places), and what it looks like."""

    count: int = 0
    offsets: list[int] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)

    def add(self, offset: int, example: str) -> None:
        self.count += 1
        if len(self.offsets) < MAX_OFFSETS:
            self.offsets.append(offset)
        if len(self.examples) < MAX_EXAMPLES and example not in self.examples:
            self.examples.append(example)


CharacterFindings = defaultdict[str, CharacterFinding]
"""What `inspect` found, by the code of its problem.

Look-alikes are those mixed-script words that read like an ordinary word of the text's script.
"""

HIDDEN = {
    "nul-bytes": f"\0{NUL_SIGN}",
    "zero-width": "\u180e\u200b-\u200d\u2060\ufeff",
    "bidi": "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069",
    "soft-hyphen": "\u00ad",
    "invisible": (
        "\u034f\u115f\u1160\u17b4\u17b5\u2061-\u2065\u206a-\u206f\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffb"
        "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    ),
    "control": "\x01-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f",
    "lost-characters": "\ufffd",
}
"""The hidden and lost characters by the code of their problem, in the order in which they are told."""

_CODES = {code.replace("-", "_"): code for code in HIDDEN}
_HIDDEN = re.compile("|".join(f"(?P<{name}>[{HIDDEN[code]}])" for name, code in _CODES.items()))
NO_INK = "".join(HIDDEN[code] for code in ("zero-width", "bidi", "soft-hyphen", "invisible"))
"""The characters that show nothing, as the inside of a regular expression's class."""


_INK = re.compile(rf"[^\s{NO_INK}]")
_ASCII_CONTROLS = bytes([*range(0x09), 0x0B, *range(0x0E, 0x20), 0x7F])


def inspect(text: str) -> CharacterFindings:
    """All hidden characters and words of mixed script in a normalised text; a plain ASCII text costs next to nothing."""
    found = CharacterFindings(CharacterFinding)
    beyond = "".join(beyond_ascii(text))
    raw = text.encode("utf-8", "surrogatepass")
    if _HIDDEN.search(beyond) or len(raw.translate(None, _ASCII_CONTROLS)) < len(raw):
        for offset, code, character in _hidden(text):
            found[code].add(offset, describe("\0" if character == NUL_SIGN else character))
    if _BEYOND_LATIN.search(beyond):
        _add_mixed_words(text, found)
    return found


def has_ink(text: str) -> bool:
    """Whether there is anything at all that a reader would see."""
    return _INK.search(text) is not None


def _hidden(text: str) -> Iterator[tuple[int, str, str]]:
    """Offset, kind and character of everything hidden, less what its script or an emoji needs."""
    for match in _HIDDEN.finditer(text):
        offset, character = match.start(), match[0]
        if not _belongs(text, offset, character):
            yield offset, _CODES[match.lastgroup or ""], character


_JOINING_SCRIPTS = frozenset(
    (
        "Arabic", "Syriac", "Mongolian", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu",
        "Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar",
    )
)  # fmt: skip
_JOINERS = "\u200c\u200d"
_EMOJI_SELECTOR = "\ufe0f"
_BLACK_FLAG = "\U0001f3f4"
_SELECTORS_AND_TAGS = re.compile("[\ufe00-\ufe0f\U000e0020-\U000e007f\U000e0100-\U000e01ef]")


def _belongs(text: str, offset: int, character: str) -> bool:
    """Whether a joiner, selector or tag does its lawful work: within an emoji, or in a script that is written with it."""
    joiner = character in _JOINERS
    if not offset or not (joiner or _SELECTORS_AND_TAGS.match(character)):
        return False
    before = text[offset - 1]
    if before == _BLACK_FLAG or "\U000e0020" <= before <= "\U000e007f":
        return character > "\U000e0000"  # the flags of England, Scotland and Wales are spelled in tags
    symbol = unicodedata.category(before) in ("So", "Sk", "Sm")
    if joiner:
        return _name_start(before) in _JOINING_SCRIPTS or (
            character == "\u200d" and (symbol or before == _EMOJI_SELECTOR)
        )
    if character == _EMOJI_SELECTOR:
        return symbol or before in "0123456789#*‼⁉〰〽"
    return symbol or _name_start(before) in _JOINING_SCRIPTS | _EAST_ASIAN


def _name_start(character: str) -> str:
    """The first part of a character's Unicode name, which for letters and their marks is the script."""
    return unicodedata.name(character, "").partition(" ")[0].partition("-")[0].title()


def describe(character: str) -> str:
    """Code point and name, as in 'U+200B ZERO WIDTH SPACE'."""
    name = unicodedata.name(character, "CONTROL CHARACTER" if unicodedata.category(character) == "Cc" else "UNNAMED")
    return f"U+{ord(character):04X} {name}"


# Scripts and look-alike letters

_EAST_ASIAN = frozenset(("Cjk", "Hiragana", "Katakana", "Hangul", "Bopomofo"))
_STYLED = "Styled"
_STYLES = frozenset(
    ("Mathematical", "Fullwidth", "Circled", "Parenthesized", "Squared", "Negative", "Double", "Script")
)
_NO_SCRIPT = frozenset(
    ("Modifier", "Micro", "Feminine", "Masculine", "Superscript", "Subscript", "Black", "Planck", "Information")
)
# Everything from Greek on that may hold letters, but for further Latin, punctuation, symbols and emoji.
_BEYOND_LATIN = re.compile(
    "[\u0370-\u1cff\u1f00-\u1fff\u2c00-\u2c5f\u2c80-\u2dff\u3005-\ua71f\ua800-\uab2f\uab70-\ufaff\ufb07-\ufdff\ufe70-\ufefe"
    "\uff21-\uffdc\U00010000-\U0001efff\U00020000-\U000dffff]"
)

_LOOK_ALIKES = dict(
    zip(
        "аеорсухѕіјһԁԛԝӏкАВЕЅІЈКМНОРСТУХԚԜҮΑΒΕΖΗΙΚΜΝΟΡΤΥΧοναιρυκχϲϳօոսհցՕՏԼՍᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ",
        "aeopcyxsijhdqwlkABESIJKMHOPCTYXQWYABEZHIKMNOPTYXovaipukxcjonuhgOSLUABCDEGHJKLMPRSTVWZ",
        strict=True,
    )
)


@cache
def script_of(character: str) -> str:
    """The script of a letter as Unicode names it ('Latin', 'Cyrillic', 'Cjk'), 'Styled' for decorated Latin, '' for all else."""
    if not character.isalpha():
        return ""
    script = _name_start(character)
    if script in _STYLES:
        return _STYLED
    if script == "Halfwidth":
        return unicodedata.name(character).split()[1].title()
    return "" if script in _NO_SCRIPT else script


@cache
def plain_letter(character: str) -> str:
    """The Latin letter that a foreign one looks like, or ''."""
    if script_of(character) == _STYLED:
        plain = unicodedata.normalize("NFKC", character)
        return plain if len(plain) == 1 and plain.isascii() else ""
    return _LOOK_ALIKES.get(character, "")


def _add_mixed_words(text: str, found: CharacterFindings) -> None:
    """Words of more than one alphabet, and words spelled wholly in letters that only look like the text's own."""
    letters = set(text)
    scripts = {script for script in map(script_of, letters) if script and script not in _EAST_ASIAN}
    if len(scripts) < 2:
        return
    # A script that brings a letter of its own is really used in the text; one that does not may be pretending.
    pretending = scripts - {"Latin"} - {script_of(letter) for letter in letters if not plain_letter(letter)}
    for match in WORD.finditer(text):
        word = match[0]
        if word.isascii():
            continue
        used = {script_of(letter) for letter in word} - _EAST_ASIAN - {""}
        pretends = len(used) == 1 and used <= pretending
        if len(used) < 2 and not pretends:
            continue
        foreign = [letter for letter in word if script_of(letter) not in ("Latin", "")]
        example = f"{word} ({', '.join(dict.fromkeys(map(describe, foreign[:3])))})"
        found["mixed-script"].add(match.start(), example)
        if all(map(plain_letter, foreign)):
            found["look-alikes"].add(match.start(), example)


def script_counts(text: str) -> Counter[str]:
    """Letters of each script, the East Asian ones apart."""
    counts = Counter(map(script_of, text))
    del counts[""]
    return counts


# Showing


@dataclass(frozen=True)
class Visible:
    """A text as a window may show it, every hidden character written out, with the way back to the offsets of the text."""

    text: str
    places: tuple[int, ...] = ()
    """Where, in the original, the characters stand that were written out."""
    shown: tuple[int, ...] = ()
    """Where, in the shown text, each of them begins."""
    widths: tuple[int, ...] = ()

    def to_shown(self, offset: int) -> int:
        """The place in the shown text of an offset of the original."""
        index = bisect_right(self.places, offset) - 1
        if index < 0:
            return offset
        beyond = offset - self.places[index]
        return self.shown[index] + (beyond - 1 + self.widths[index] if beyond else 0)


def visible(text: str) -> Visible:
    """The text with every hidden character escaped, as in ⟨U+200B⟩, so that nothing turns around or disappears on screen."""
    pieces: list[str] = []
    places: list[int] = []
    shown: list[int] = []
    widths: list[int] = []
    position = length = 0
    for offset, _, character in _hidden(text):
        escape = f"⟨U+{0 if character == NUL_SIGN else ord(character):04X}⟩"
        pieces += (text[position:offset], escape)
        length += offset - position
        places.append(offset)
        shown.append(length)
        widths.append(len(escape))
        length += len(escape)
        position = offset + 1
    if not places:
        return Visible(text)
    pieces.append(text[position:])
    return Visible("".join(pieces), tuple(places), tuple(shown), tuple(widths))


_OTHER_LINE_ENDS = ("\x85", "\u2028", "\u2029")
_HALF_CHARACTERS = re.compile("[\ud800-\udfff]")


def normalise(text: str) -> str:
    """NFC, line ends as LF, no byte order mark in front, NUL made visible, halves of characters replaced by U+FFFD.

    Nothing else changes: hidden characters stay where they are, because they are findings. Doing it twice changes nothing.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        text = text.replace("\0", NUL_SIGN)
    if text.isascii():
        return text
    text = text.lstrip("\ufeff")
    for line_end in _OTHER_LINE_ENDS:
        text = text.replace(line_end, "\n")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = _HALF_CHARACTERS.sub("\ufffd", text)
    return unicodedata.normalize("NFC", text)
