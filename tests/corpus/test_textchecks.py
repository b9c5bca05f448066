"""The problems of one text: codes, severities, places, next steps."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.corpus.characters import normalise, visible
from forensia.corpus.document import Document, Problem, Severity
from forensia.corpus.segmenting import segment
from forensia.corpus.textchecks import EXCLUDING, TOO_SHORT, LanguageGuess, check_text, too_short
from forensia.wording.problems import message, next_step

PROSE = (
    "We had planned to leave early, but the rain kept us in the house until noon, and by then it was clear that the bus would "
    "not come. My brother said that he was not worried about it, so we waited for the others at the door of the mill. "
) * 4


def _by_code(text: str, **options: object) -> dict[str, Problem]:
    problems = check_text(text, **options)
    codes = {problem.code: problem for problem in problems}
    assert len(codes) == len(problems), "each code once"
    return codes


def test_ordinary_prose_has_no_problem() -> None:
    assert check_text(PROSE) == ()
    assert check_text(PROSE.replace("'", "’").replace("brother", "brother Zoë")) == ()


def test_too_short_below_the_limit_only() -> None:
    words = PROSE.split()
    assert set(_by_code(" ".join(words[: TOO_SHORT - 1]))) == {"too-short"}
    assert check_text(" ".join(words[:TOO_SHORT])) == ()
    assert "sole basis of an opinion" in message(too_short(7))
    assert too_short(7).severity is Severity.WARNING


@pytest.mark.parametrize("text", ["", " \n\t", "\ufeff", "\u200b\u00ad\u2060 \n"])
def test_empty_is_the_only_problem_and_excludes(text: str) -> None:
    (problem,) = check_text(text)
    assert problem.code == "empty"
    assert problem.code in EXCLUDING


@pytest.mark.parametrize(
    ("code", "inserted"),
    [
        ("nul-bytes", "␀"),
        ("zero-width", "\u200b"),
        ("bidi", "\u202e"),
        ("soft-hyphen", "\u00ad"),
        ("invisible", "\u2063"),
        ("control", "\x07"),
        ("lost-characters", "\ufffd"),
    ],
)
def test_characters(code: str, inserted: str) -> None:
    found = _by_code(PROSE[:20] + inserted + PROSE[20:] + inserted)
    assert set(found) == {code}
    assert found[code].offsets == (20, len(PROSE) + 1)
    assert found[code].severity is Severity.WARNING
    assert ": 2, such as U+" in message(found[code])


def test_look_alikes_warn_and_other_mixtures_are_noted() -> None:
    warned = _by_code(PROSE + "pаypal")["mixed-script"]
    assert (warned.severity, warned.offsets) == (Severity.WARNING, (len(PROSE),))
    assert "pаypal (U+0430 CYRILLIC SMALL LETTER A)" in message(warned)
    assert _by_code(PROSE + "the λphage")["mixed-script"].severity is Severity.NOTE


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        (
            "Nous voulions partir tôt, mais la pluie nous a retenus dans la maison et il ne viendrait pas. " * 10,
            "en",
            "French",
        ),
        ("Было тихое утро, и никто в деревне ещё не видел почтальона. " * 20, "en", "Cyrillic script"),
        (
            "Queda clar que avui plourà molt; tothom romandrà tranquil dins, fent feina amb calma. " * 10,
            "en",
            "running English",
        ),
        (PROSE, "de", "looks like English"),
    ],
)
def test_language(text: str, language: str, said: str) -> None:
    found = _by_code(text, language=language)
    assert set(found) == {"language"}
    assert said in message(found["language"])


def test_language_that_cannot_be_told_is_not_held_against_a_text() -> None:
    russian = "Было тихое утро, и никто в деревне ещё не видел почтальона. " * 20
    assert check_text(russian, language="ru") == ()
    assert "language" not in _by_code("Thank you.")


def test_no_letters() -> None:
    assert set(_by_code("1234 5678 " * 100)) == {"no-words"}
    assert set(_by_code("?! ... --")) == {"no-words", "too-short"}


def test_quoted_mail() -> None:
    text = PROSE + "\n\n-----Original Message-----\nFrom: Jo\n\n" + PROSE
    found = _by_code(text)
    assert set(found) == {"quoted-text"}
    assert found["quoted-text"].offsets == (text.index("-----"),)
    assert "another author's text" in message(found["quoted-text"])


def test_what_the_reader_knows_is_not_found_out_again() -> None:
    assert set(_by_code(PROSE, words=5, guessed=LanguageGuess("fr", 0.3, "Latin"))) == {"too-short", "language"}


@given(st.text())
def test_any_text(text: str) -> None:
    for problem in check_text(normalise(text)):
        assert message(problem) and next_step(problem)
        assert all(0 <= offset < len(text) + 1 for offset in problem.offsets)


@pytest.mark.parametrize(
    "unit", [" ", "a", ".", "а", "aа ", "\u200b", "字", ": \n", "a. ", "’", "Mr. ", "\n", "a\u200d", "“", "...a"]
)
def test_time_grows_with_the_length_and_not_faster(unit: str) -> None:
    text = unit * (150_000 // len(unit))
    started = time.process_time()
    check_text(text)
    visible(text)
    segment(Document("a", "t", text), 1_000)
    assert time.process_time() - started < 20
