"""Characters that a text has lost on its way to us: read in a wrong encoding, written as question marks, or dropped.

Only the text itself is looked at, so what is found is what hardly ever stands in a sound text. U+FFFD, which says by itself that a
character was lost, is found with the other characters in `characters`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from forensia.corpus.characters import MAX_EXAMPLES, MAX_OFFSETS, visible
from forensia.corpus.document import Problem, Severity, Value, Values
from forensia.corpus.words import beyond_ascii

FEWEST = 2
"""Question marks or missing apostrophes; a single one may be a slip."""

FEWEST_WORDS = 200
"""Words in which a sound text has an accented letter: of 9,901 passages of this length in the five languages none had none."""

_ACCENTED = frozenset(("de", "es", "fr", "it", "pt"))
_AROUND = 20  # characters of an example before and after the place
_BLANK = re.compile(r"\s")
_ADDRESS = re.compile(r"[/=&@%]|\.\w+\?")

# UTF-8 read as Windows-1252, Latin-1 or Mac Roman. What may follow a capital Â or Ã in a sound text, such as a closing quote, is left
# out: there are always other characters.
_FOLLOWING = "€ƒ†‡ˆ‰Š‹ŒŽ•˜™š›œžŸ\x80-\x9f¢-ª«¬-º¼-¾"
_MOJIBAKE = re.compile(rf"[ÂÃ][{_FOLLOWING}]|â[€\x80][\x80-\uffff]|‚Ä[ôúùìîò¶]|√[©®¢†¥±º∂§üß™]")
_LEADS = frozenset("ÂÃâ‚√")
# Nearly all begin with what is looked for and look back from there, which is many times faster than to look ahead from every place.
_QUESTIONED = re.compile(r"\?(?:(?=[a-zß-ÿ])(?<=[^\W\d_]\?)|(?=[A-ZÀ-Þ])(?<=[A-ZÀ-Þ]\?)|(?=[^\W\d_])(?<![^\s(\[]\?))")
_APOSTROPHE = re.compile(r"['’‘`´ʼ′\ufffd?](?<=[^\W\d_].)(?=[^\W\d_])")
_PERSONS = r"(?:(?<=\bI ..)|(?<=\b[Yy]ou ..)|(?<=\b[Ww]e ..)|(?<=\b[Tt]hey ..))"
_SPACED = {
    "en": re.compile(rf" (?:[tT](?<=[nN] .)|m(?<=\bI .)|(?:ll|re|ve){_PERSONS}|s(?<=[a-z] .)(?= [a-z]))(?![\w'’-])"),
    "fr": re.compile(r" (?:(?<=\b[CDJLMNSTcdjlmnst] )|(?<=\b[Qq]u ))(?=[aeiouyhàâéèêîôœ])"),
}
_NOT = "|".join(
    rf"(?<=\b{word})"
    for word in "dont didnt doesnt isnt wasnt arent werent havent hasnt hadnt cant couldnt wouldnt shouldnt".split()
)
_JOINED = {
    "en": re.compile(rf"[nN][tT]\b(?i:{_NOT})|I(?<!\w.)(?:m|ve)\b"),
    "fr": re.compile(r"(?i:\b(?:cest|jai|quil|quils|quon|quun|quune|nest|sest|cétait|jétais|javais|navait|dun|lon)\b)"),
}


def lost_characters(text: str, language: str, words: int) -> Iterator[Problem]:
    """A problem for each way in which characters of a text were lost; `language` is the one it seems to be in."""
    if not text.isascii() and not _LEADS.isdisjoint(beyond_ascii(text)):
        yield from _found("mojibake", Severity.WARNING, text, _MOJIBAKE, 1)
    questioned = "?" in text and [*_found("question-marks", Severity.WARNING, text, _QUESTIONED)]
    if questioned:
        yield from questioned
    elif language in _ACCENTED and words >= FEWEST_WORDS and not _accented(text):
        yield Problem.of("no-accents", words=words, language=language)
    if language in _SPACED and not _APOSTROPHE.search(text):
        yield from _found("no-apostrophes", Severity.WARNING, text, _SPACED[language], why="spaced")
        yield from _found("no-apostrophes", Severity.NOTE, text, _JOINED[language], why="joined")


def _found(
    code: str, severity: Severity, text: str, lost: re.Pattern[str], fewest: int = FEWEST, **values: Value
) -> Iterator[Problem]:
    """The problem with its places and some examples, where there are enough of them."""
    count = 0
    first: list[re.Match[str]] = []  # a hostile text may have millions of places
    for match in lost.finditer(text):
        if "?" in match[0] and _ADDRESS.search(_whole(text, match)):
            continue
        count += 1
        if count <= MAX_OFFSETS:
            first.append(match)
    if count >= fewest:
        examples = dict.fromkeys(visible(_whole(text, match)).text for match in first)
        counted: Values = {"count": count, "examples": tuple(examples)[:MAX_EXAMPLES], **values}
        yield Problem(code, severity, counted, offsets=tuple(match.start() for match in first))


def _whole(text: str, match: re.Match[str]) -> str:
    """What was matched with all that hangs together with it, cut where that is long."""
    start, end = match.span()
    before, behind = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    return _BLANK.split(before)[-1] + match[0] + _BLANK.split(behind)[0]


def _accented(text: str) -> bool:
    """Whether there is a letter beyond ASCII, be it accented or of its own; a ligature is none."""
    letters = (character for character in beyond_ascii(text) if character.isalpha())
    return any(not unicodedata.normalize("NFKC", letter).isascii() for letter in letters)
