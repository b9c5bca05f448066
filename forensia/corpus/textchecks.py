"""What is wrong with one text, lost characters among it, each thing with a severity, the places and a next step."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from forensia.corpus.characters import (
    MAX_EXAMPLES,
    MAX_OFFSETS,
    CharacterFinding,
    CharacterFindings,
    beyond_ascii,
    count_words,
    has_ink,
    inspect,
    visible,
)
from forensia.corpus.cleaning import Step, propose_cuts
from forensia.corpus.decoding import MAX_TEXT_BYTES
from forensia.corpus.document import Problem, Severity, Value, Values
from forensia.corpus.languages import FUNCTION_WORDS, UNDETERMINED, LanguageGuess, guess
from forensia.corpus.mailparts import maybe_mail

TOO_SHORT = 100
"""Words below which no method of authorship analysis has been shown to be reliable enough to stand alone."""

EXCLUDING = frozenset(("empty", "very-long"))
"""Codes of problems for which a reader leaves the text out of the corpus."""

_LETTER = re.compile(r"[^\W\d_]")


def check_text(
    text: str,
    *,
    language: str = "en",
    words: int | None = None,
    guessed: LanguageGuess | None = None,
    plain: bool = False,
) -> tuple[Problem, ...]:
    """All problems of a normalised text; `words`, `guessed` and `plain` (see `Decoded`) spare work that the reader has done."""
    if not text or text.isspace() or not (plain or has_ink(text)):
        return (Problem.of("empty"),)
    if len(text) > MAX_TEXT_BYTES:
        return (Problem.of("very-long", why="characters", length=len(text), limit=MAX_TEXT_BYTES),)
    count = count_words(text) if words is None else words
    problems: list[Problem] = []
    if count < TOO_SHORT:
        problems.append(too_short(count))
    if _LETTER.search(text) is None:
        problems.append(Problem.of("no-words"))
    else:
        found = guess(text) if guessed is None else guessed
        if found.code != language or found.script != "Latin":
            problems.extend(_language(found, language, count))
        problems.extend(lost_characters(text, found.code, count))
    if not plain:
        findings = inspect(text)
        if not findings.clean:
            problems.extend(_characters(findings))
    if maybe_mail(text):
        problems.extend(_quoted(text))
    return tuple(problems)


def too_short(words: int) -> Problem:
    return Problem.of("too-short", words=words, fewest=TOO_SHORT)


def _language(found: LanguageGuess, expected: str, words: int) -> Iterator[Problem]:
    if expected in FUNCTION_WORDS and found.script not in ("Latin", ""):
        yield Problem.of("language", why="script", script=found.script, expected=expected)
    elif found.code not in (UNDETERMINED, expected):
        yield Problem.of("language", why="other", found=found.code, expected=expected)
    elif found.code == UNDETERMINED and expected in FUNCTION_WORDS and words >= TOO_SHORT:
        yield Problem.of("language", why="unlike", expected=expected)


def _characters(findings: CharacterFindings) -> Iterator[Problem]:
    """A problem for each kind of hidden or foreign character."""
    for code, finding in (
        ("nul-bytes", findings.nul),
        ("zero-width", findings.zero_width),
        ("bidi", findings.bidi),
        ("soft-hyphen", findings.soft_hyphen),
        ("invisible", findings.invisible),
        ("control", findings.control),
        ("lost-characters", findings.lost),
    ):
        if finding.count:
            yield _found(code, Severity.WARNING, finding)
    if findings.look_alikes.count:
        yield _found("mixed-script", Severity.WARNING, findings.look_alikes, why="look-alikes")
    elif findings.mixed_script.count:
        yield _found("mixed-script", Severity.NOTE, findings.mixed_script, why="scripts")


def _found(code: str, severity: Severity, finding: CharacterFinding, **values: Value) -> Problem:
    counted: Values = {"count": finding.count, "examples": tuple(finding.examples), **values}
    return Problem(code, severity, counted, offsets=finding.offsets)


def _quoted(text: str) -> Iterator[Problem]:
    cuts = propose_cuts(text, (Step.QUOTED_REPLIES, Step.FORWARDED))
    if cuts:
        share = sum(cut.end - cut.start for cut in cuts) / len(text)
        places = (cut.start for cut in cuts[:MAX_OFFSETS])
        yield Problem.of("quoted-text", offsets=places, passages=len(cuts), share=share)


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
        yield from _lost("mojibake", Severity.WARNING, text, _MOJIBAKE, 1)
    questioned = "?" in text and [*_lost("question-marks", Severity.WARNING, text, _QUESTIONED)]
    if questioned:
        yield from questioned
    elif language in _ACCENTED and words >= FEWEST_WORDS and not _accented(text):
        yield Problem.of("no-accents", words=words, language=language)
    if language in _SPACED and not _APOSTROPHE.search(text):
        yield from _lost("no-apostrophes", Severity.WARNING, text, _SPACED[language], why="spaced")
        yield from _lost("no-apostrophes", Severity.NOTE, text, _JOINED[language], why="joined")


def _lost(
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
