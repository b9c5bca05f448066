"""What is wrong with one text, each thing with a severity, the places and a next step."""

from __future__ import annotations

import re
from collections.abc import Iterator

from forensia.corpus.characters import MAX_OFFSETS, CharacterFinding, CharacterFindings, has_ink, inspect
from forensia.corpus.cleaning import Step, propose_cuts
from forensia.corpus.decoding import MAX_TEXT_BYTES
from forensia.corpus.document import Problem, Severity, Value, Values
from forensia.corpus.languages import FUNCTION_WORDS, UNDETERMINED, LanguageGuess, guess
from forensia.corpus.lostcharacters import lost_characters
from forensia.corpus.mailparts import maybe_mail
from forensia.corpus.words import count_words

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
