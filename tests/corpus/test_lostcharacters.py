"""Lost characters: what was done to a text on its way is found, and a sound text is left alone."""

from __future__ import annotations

import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.cli.terminal import corpus_lines
from forensia.corpus import read_corpus, read_disputed
from forensia.corpus.document import Problem, Severity
from forensia.corpus.textchecks import FEWEST_WORDS, check_text, lost_characters
from forensia.wording.problems import message, next_step

ENGLISH = (
    "“We can’t stay,” said my brother’s wife, “and I don’t think that they’ll wait for us at the door of the mill.” It was "
    "Clare’s house, and nobody’s fault that the rain had kept us in it until noon; so it wasn’t easy to leave. Why? I’m not sure. "
)
FRENCH = (
    "Nous étions déjà à l’abri quand il s’est mis à pleuvoir, et l’hôtesse n’avait pas encore fermé la fenêtre. Elle a dit que "
    "c’était la même chose pour tout le monde, et qu’il ne viendrait pas avec nous dans la maison. "
)
GERMAN = (
    "Wir wären früher gegangen, aber der Regen hat uns bis zum Mittag in dem Haus gehalten, und es war klar, dass der Müller nicht "
    "kommen würde. Für ihn war das auch nur eine Frage der Zeit, und wir müssen so lange auf die anderen warten. "
)


def _codes(text: str, language: str) -> dict[str, Problem]:
    found = check_text(text, language=language)
    return {str(each.values.get("why") or each.code): each for each in found if each.code != "too-short"}


def _stripped(text: str) -> str:
    letters = (each for each in unicodedata.normalize("NFD", text) if not unicodedata.combining(each))
    return "".join(letters).replace("ß", "ss")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (ENGLISH * 8, "en"),
        (ENGLISH.replace("’", "'").replace("“", '"').replace("”", '"') * 8, "en"),
        (FRENCH * 8, "fr"),
        (GERMAN * 8, "de"),
        (GERMAN * 4 + "‚Äpfel‘ und «LIBERTÉ», IRMÃ” oder √2 und √π. " * 4, "de"),
        (ENGLISH * 4 + "See http://example.org/a.cgi?file=3 and index.php?page, list.asp?id. " * 4, "en"),
        (ENGLISH * 4 + "Why?Because! What?? Is it (so?) or 'not?' I asked. " * 4, "en"),
        (ENGLISH * 4 + "We all re-read it; let s and t be vertices. " * 4, "en"),
    ],
)
def test_a_sound_text_has_lost_nothing(text: str, language: str) -> None:
    assert _codes(text, language) == {}


@pytest.mark.parametrize(
    ("text", "language", "code", "example"),
    [
        (ENGLISH.encode("ascii", "replace").decode(), "en", "question-marks", "can?t"),
        (FRENCH.encode("ascii", "replace").decode(), "fr", "question-marks", "?tions"),
        (GERMAN.encode("ascii", "replace").decode(), "de", "question-marks", "w?ren"),
        (ENGLISH.encode().decode("cp1252", "ignore"), "en", "mojibake", "canâ€™t"),
        (FRENCH.encode().decode("latin-1").replace("\x80\x99", "€™"), "fr", "mojibake", "Ã©tions"),
        (GERMAN.encode().decode("cp1252", "ignore"), "de", "mojibake", "wÃ¤ren"),
        (ENGLISH.encode().decode("mac-roman"), "en", "mojibake", "can‚Äôt"),
        (FRENCH.encode().decode("mac-roman"), "fr", "mojibake", "√©tions"),
        (ENGLISH.replace("’", " "), "en", "spaced", "can t"),
        (FRENCH.replace("’", " "), "fr", "spaced", "l abri"),
        (ENGLISH.replace("’", ""), "en", "joined", "cant"),
        (FRENCH.replace("’", ""), "fr", "joined", "sest"),
    ],
)
def test_what_was_lost_is_found(text: str, language: str, code: str, example: str) -> None:
    problem = _codes(text * 2, language)[code]
    assert problem.values["count"] == len(problem.offsets) > 1
    assert any(example in str(each) for each in problem.values["examples"])  # type: ignore[union-attr]
    assert example in message(problem) and next_step(problem)
    assert problem.severity is (Severity.NOTE if code == "joined" else Severity.WARNING)


def test_an_import_tells_it_and_goes_on(tmp_path: Path) -> None:
    for author, text in (
        ("Ann", ENGLISH),
        ("Ben", ENGLISH.replace("mill", "pier").encode("ascii", "replace").decode()),
    ):
        (tmp_path / author).mkdir()
        (tmp_path / author / "letter.txt").write_text(text * 3, "utf-8")
    corpus = read_corpus(tmp_path)
    assert len(corpus.active) == 2 and not any(each.severity is Severity.BLOCKING for each in corpus.every_problem)
    assert "  warning: Question marks where letters, quotes or apostrophes must have stood" in corpus_lines(corpus)
    assert "question-marks" in {each.code for each in read_disputed(tmp_path / "Ben" / "letter.txt").problems}


def test_one_slip_is_no_loss_but_one_wrong_encoding_is() -> None:
    once = "We had planned to leave early, and that day?s rain kept us in the house of the others until noon. "
    assert _codes(once, "en") == {}
    assert set(_codes(once * 2, "en")) == {"question-marks"}
    assert _codes("It was the RÃ¶slein that he had planted at the door of the house, and it was in flower. ", "en")


@pytest.mark.parametrize(("text", "language"), [(FRENCH, "fr"), (GERMAN, "de")])
def test_accents_are_missed_in_a_text_that_is_long_enough(text: str, language: str) -> None:
    words = _stripped(text * 10).replace("’", "'").split()
    assert "no-accents" not in _codes(" ".join(words[: FEWEST_WORDS // 2]), language)
    found = _codes(" ".join(words), language)["no-accents"]
    assert "not one accented letter" in message(found)
    assert "no-accents" not in _codes(" ".join([*words, "é"]), language)
    assert "no-accents" in _codes(" ".join([*words, "ﬁn"]), language)  # a ligature is no accent
    assert not list(lost_characters(" ".join(words), "en", len(words)))


def test_apostrophes_are_missed_only_where_there_is_none() -> None:
    text = (
        "I dont know and you cant say. We didnt ask for it in the end, and it was not the time of the year to do so. "
    )
    assert set(_codes(text, "en")) == {"joined"}
    assert _codes(text + "That’s all. ", "en") == {}
    assert not list(lost_characters(text, "de", 50))


@given(
    st.text(st.sampled_from("ab?’ ÃÂ©â€™‚Äô√dontI\n\u202e/.=")) | st.text(), st.sampled_from(["en", "fr", "de", "und"])
)
def test_any_text(text: str, language: str) -> None:
    for problem in lost_characters(text, language, 1_000):
        assert message(problem) and next_step(problem)
        assert all(0 <= place < len(text) for place in problem.offsets)
        assert all("\u202e" not in str(each) for each in problem.values.get("examples", ()))  # type: ignore[union-attr]


@pytest.mark.parametrize("unit", ["a?a", "?", "a?", " ?a", "Ã©", "don t ", "dont ", "a/?a", "x s y "])
def test_time_grows_with_the_length_and_not_faster(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    started = time.process_time()
    for problem in lost_characters(text, "en", 1_000):
        assert len(problem.offsets) <= 1_000 and len(message(problem)) < 1_000
    assert time.process_time() - started < 20
