"""What is wrong with one text, each thing with a severity, the places and a next step."""

from __future__ import annotations

import re
from collections.abc import Iterator

from forensia.corpus.characters import MAX_OFFSETS, Finding, Findings, has_ink, inspect
from forensia.corpus.cleaning import Step, propose_cuts
from forensia.corpus.decoding import MAX_TEXT_BYTES
from forensia.corpus.document import Problem, Severity
from forensia.corpus.languages import FUNCTION_WORDS, LANGUAGE_NAMES, UNDETERMINED, LanguageGuess, guess
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
        return (_empty(),)
    if len(text) > MAX_TEXT_BYTES:
        return (_very_long(len(text)),)
    count = count_words(text) if words is None else words
    problems: list[Problem] = []
    if count < TOO_SHORT:
        problems.append(too_short(count))
    if _LETTER.search(text) is None:
        problems.append(_no_words())
    else:
        found = guess(text) if guessed is None else guessed
        if found.code != language or found.script != "Latin":
            problems.extend(_language(found, language, count))
    if not plain:
        findings = inspect(text)
        if not findings.clean:
            problems.extend(_characters(findings))
    if maybe_mail(text):
        problems.extend(_quoted(text))
    return tuple(problems)


def too_short(words: int) -> Problem:
    return Problem(
        "too-short",
        Severity.WARNING,
        f"The text has {words:,} words, fewer than {TOO_SHORT}; it cannot be the sole basis of an opinion.",
        "Add further texts of the same author, or join texts that belong together.",
    )


def _empty() -> Problem:
    return Problem(
        "empty",
        Severity.WARNING,
        "The text is empty: it holds nothing but white space or invisible characters, and is left out.",
        "Check whether the file was saved or exported as it should.",
    )


def _very_long(length: int) -> Problem:
    return Problem(
        "very-long",
        Severity.WARNING,
        f"The text has {length:,} characters; the limit for one text is {MAX_TEXT_BYTES:,}, and it is left out.",
        "Split it into the separate texts it holds.",
    )


def _no_words() -> Problem:
    return Problem(
        "no-words",
        Severity.WARNING,
        "The text has no letters, only digits, punctuation or symbols; nothing can be said about its author.",
        "Leave it out, or check that the right file was chosen.",
    )


def _language(found: LanguageGuess, expected: str, words: int) -> Iterator[Problem]:
    name = LANGUAGE_NAMES.get(expected, f"'{expected}'")
    if expected in FUNCTION_WORDS and found.script not in ("Latin", ""):
        what = f"The text is written mostly in {found.script} script, not in {name}."
    elif found.code not in (UNDETERMINED, expected):
        what = f"The text looks like {found.name}, not {name}."
    elif found.code == UNDETERMINED and expected in FUNCTION_WORDS and words >= TOO_SHORT:
        what = f"The text does not read like running {name}: it has too few of its common words."
    else:
        return
    yield Problem(
        "language",
        Severity.WARNING,
        f"{what} Texts of different languages or kinds cannot be compared.",
        "Leave the text out, or choose the language of the corpus in the settings.",
    )


def _characters(findings: Findings) -> Iterator[Problem]:
    """A problem for each kind of hidden or foreign character."""
    show = "Look at the places, shown escaped; they may come from copying, or may be meant to mislead."
    for code, finding, what, next_step in (
        ("nul-bytes", findings.nul, "NUL characters, kept in place as ␀ (the text goes on behind them)", "Check how the file was made."),
        ("zero-width", findings.zero_width, "zero-width characters", show),
        ("bidi", findings.bidi, "characters that change the direction of writing", show),
        ("soft-hyphen", findings.soft_hyphen, "soft hyphens", show),
        ("invisible", findings.invisible, "other invisible characters", show),
        ("control", findings.control, "control characters", "Check the encoding and how the file was made."),
        ("lost-characters", findings.lost, "replacement characters, each for one that was lost", "Find an undamaged copy of the text."),
    ):  # fmt: skip
        if finding.count:
            yield _found(code, Severity.WARNING, finding, what, next_step)
    if findings.look_alikes.count:
        what = "words with letters of another script that look alike"
        yield _found("mixed-script", Severity.WARNING, findings.look_alikes, what, show)
    elif findings.mixed_script.count:
        what = "words that mix scripts"
        yield _found("mixed-script", Severity.NOTE, findings.mixed_script, what, "Look at the words.")


def _found(code: str, severity: Severity, finding: Finding, what: str, next_step: str) -> Problem:
    message = f"{what[0].upper()}{what[1:]}: {finding.count:,}, such as {'; '.join(finding.examples)}."
    return Problem(code, severity, message, next_step, offsets=finding.offsets)


def _quoted(text: str) -> Iterator[Problem]:
    cuts = propose_cuts(text, (Step.QUOTED_REPLIES, Step.FORWARDED))
    if cuts:
        share = sum(cut.end - cut.start for cut in cuts) / len(text)
        yield Problem(
            "quoted-text",
            Severity.WARNING,
            f"Passages that look like quoted or forwarded mail, which is another author's text: {len(cuts):,} ({share:.0%} of the text).",
            "Choose the cleaning steps for quoted and forwarded mail, or mark the passages by hand.",
            offsets=tuple(cut.start for cut in cuts[:MAX_OFFSETS]),
        )
