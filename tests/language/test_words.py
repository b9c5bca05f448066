"""The function words: our English list is NLTK's, and a user's own list is read or refused with a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from forensia.errors import InputError
from forensia.language import fold, function_words
from forensia.language.model import words_hash

NLTK = Path(__file__).parents[2] / "../shared/data/nltk_data/corpora/stopwords/english"


def test_english_list_is_that_of_nltk() -> None:
    if not NLTK.is_file():
        pytest.skip("NLTK's list is not in ../shared/data")
    assert function_words() == tuple(NLTK.read_text("utf-8").split())


def test_english_list() -> None:
    words = function_words()
    assert len(words) == len(set(words)) == 179
    assert {"the", "don't", "wouldn't"} <= set(words)


def test_folding() -> None:
    assert fold("Don’t") == "don't"


def test_a_file_of_words(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("# particles\nder  die\nDas\nder\n", "utf-8")
    assert function_words("de", file) == ("der", "die", "das")
    assert words_hash(("der",)) != words_hash(("die",))


@pytest.mark.parametrize("content", [b"", b"# nothing\n", b"caf\xe9\n"])
def test_a_bad_file_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "words.txt"
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"words\.txt"):
        function_words("de", file)
    with pytest.raises(InputError, match="missing"):
        function_words("de", tmp_path / "missing.txt")


def test_a_language_without_a_list() -> None:
    with pytest.raises(InputError, match="file of words"):
        function_words("xx")
