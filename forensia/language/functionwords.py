"""The function words of a language: our own English list, NLTK's lists where they are installed, or a file of words."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from forensia.errors import InputError
from forensia.paths import resources

ENGLISH = "en"
_MOST_BYTES = 1 << 20

# The names of NLTK's lists by the language code of a spaCy model.
_NLTK_NAMES = {
    "ar": "arabic", "az": "azerbaijani", "bn": "bengali", "ca": "catalan", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "es": "spanish", "eu": "basque", "fi": "finnish", "fr": "french", "he": "hebrew", "hu": "hungarian",
    "id": "indonesian", "it": "italian", "kk": "kazakh", "ne": "nepali", "nl": "dutch", "nb": "norwegian",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sl": "slovene", "sv": "swedish",
    "tr": "turkish", "zh": "chinese",
}  # fmt: skip


def fold(word: str) -> str:
    """The form in which function words are compared: lower case, a typographic apostrophe as the plain one."""
    return word.lower().replace("’", "'")


def function_words(language: str = ENGLISH, file: Path | None = None) -> tuple[str, ...]:
    """The list for a language (or that in `file`), folded, each word once, in the order of the list."""
    if file is not None:
        words = _from_file(file)
    elif language == ENGLISH:
        words = _from_file(resources() / "function_words" / "english.txt")
    else:
        words = _from_nltk(language)
    return tuple(dict.fromkeys(fold(word) for word in words))


def words_hash(words: tuple[str, ...]) -> str:
    """SHA-256 of a list of words, for the record."""
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def _from_file(file: Path) -> list[str]:
    """One word or more on each line; what follows a # is a remark."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise InputError(f"The list of function words '{file}' is too long. Choose a file of less than 1 MB.")
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(
            f"The list of function words '{file}' cannot be read ({error.strerror}). Choose another file."
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"The list of function words '{file}' is not UTF-8. Save it as UTF-8 and try again."
        ) from error
    words = re.sub(r"#.*", "", text).split()
    if not words:
        raise InputError(f"The list of function words '{file}' is empty. Choose a file with one word on each line.")
    return words


def _from_nltk(language: str) -> list[str]:
    from nltk.corpus import stopwords

    name = _NLTK_NAMES.get(language, language)
    try:
        return list(stopwords.words(name))
    except (LookupError, OSError) as error:
        raise InputError(
            f"There is no list of function words for the language '{language}'. Install NLTK's stopwords, or choose a file of words."
        ) from error
