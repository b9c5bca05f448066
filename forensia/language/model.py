"""The language model: the embedded English pipeline or another that the user chose, with the function words of its language.

Models are never mixed within a case, so each says exactly what it is: name, version and the hash of its files.
"""

from __future__ import annotations

import hashlib
import json
import re
import socket
import threading
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from forensia.errors import InputError
from forensia.language.network import Network, network_of
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


EMBEDDED = "embedded"
_RULES = 1
"""Raised when pieces, words or sentences are found in another way: analyses made before are not used any more."""

# Components that say nothing about parts of speech or sentences, and take most of the time of a large model.
_NOT_NEEDED = frozenset(
    (
        "ner", "lemmatizer", "trainable_lemmatizer", "entity_linker", "entity_ruler", "span_ruler", "spancat",
        "spancat_singlelabel", "span_finder", "textcat", "textcat_multilabel", "merge_entities", "merge_noun_chunks",
    )
)  # fmt: skip
_GIVE_SENTENCES = frozenset(("senter", "parser", "sentencizer"))
_GIVE_TAGS = frozenset(("morphologizer", "tagger", "attribute_ruler"))


@dataclass(frozen=True, eq=False)
class Pipeline:
    """A spaCy pipeline, and the fast way through its network where there is one; both serve one thread at a time."""

    nlp: Any
    network: Network | None
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)


@dataclass(frozen=True)
class LanguageModel:
    """A loaded model and what is recorded of it."""

    name: str
    version: str
    sha256: str
    language: str
    function_words: tuple[str, ...]
    has_tags: bool
    folder: Path = field(compare=False)
    pipeline: Pipeline = field(compare=False, repr=False)

    @property
    def key(self) -> str:
        """The hash by which analyses are kept."""
        return analysis_key(self.sha256)

    @property
    def function_words_sha256(self) -> str:
        return words_hash(self.function_words)

    def record(self) -> dict[str, str | int]:
        """What a case or a report says of the model."""
        return {
            "name": self.name,
            "version": self.version,
            "sha256": self.sha256,
            "language": self.language,
            "function_words": len(self.function_words),
            "function_words_sha256": self.function_words_sha256,
        }


def analysis_key(sha256: str) -> str:
    """The hash by which the analyses of a model with such files are kept: its files and our own rules."""
    return hashlib.sha256(f"{_RULES} {sha256}".encode()).hexdigest()


def load_model(choice: str = EMBEDDED, words: Path | None = None) -> LanguageModel:
    """The model named by `choice`: 'embedded', an installed spaCy model, or the folder of one; `words` replaces its function words."""
    folder = _folder(choice)
    meta = _meta(folder, choice)
    language = str(meta.get("lang", ""))
    listed = function_words(language, words)
    pipeline = load_pipeline(folder)
    return LanguageModel(
        name=f"{language}_{meta.get('name', folder.name)}",
        version=str(meta.get("version", "")),
        sha256=folder_hash(folder),
        language=language,
        function_words=listed,
        has_tags=bool(_GIVE_TAGS & set(pipeline.nlp.pipe_names)),
        folder=folder,
        pipeline=pipeline,
    )


def load_pipeline(folder: Path) -> Pipeline:
    """The spaCy pipeline in `folder` with only what gives tags and sentences, on plain numpy: twice as fast as BLIS."""
    spacy = _spacy()
    from thinc.api import use_ops

    try:
        with use_ops("numpy", use_blis=False), warnings.catch_warnings():
            # A model made by a neighbouring version of spaCy says so; its results are recorded by hash.
            warnings.simplefilter("ignore")
            nlp = spacy.load(folder, exclude=sorted(_NOT_NEEDED))
    except (OSError, ValueError, KeyError, ImportError, AttributeError, TypeError) as error:
        raise InputError(
            f"The language model in '{folder}' cannot be loaded ({type(error).__name__}). Choose another, or the embedded one."
        ) from error
    if "senter" in nlp.component_names and "parser" in nlp.component_names:
        nlp.enable_pipe("senter")
        nlp.remove_pipe("parser")
    if not _GIVE_SENTENCES & set(nlp.pipe_names):
        nlp.add_pipe("sentencizer")
    return Pipeline(nlp, network_of(nlp))


def _spacy() -> Any:
    """spaCy. What its download command imports opens an internet socket to look for IPv6, unless Python says there is none."""
    has = socket.has_ipv6
    socket.has_ipv6 = False
    try:
        import spacy
    finally:
        socket.has_ipv6 = has
    return spacy


def folder_hash(folder: Path) -> str:
    """SHA-256 over names and contents of all files of a model."""
    digest = hashlib.sha256()
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    for name in sorted(files):
        if "__pycache__" in name:
            continue
        content = files[name].read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def _folder(choice: str) -> Path:
    if choice == EMBEDDED:
        return resources() / "language" / "english"
    folder = Path(choice).expanduser()
    if folder.is_dir():
        return folder.resolve()
    util = _spacy().util
    if util.is_package(choice):
        package = Path(util.get_package_path(choice))
        inner = sorted(path.parent for path in package.glob("*/config.cfg"))
        return inner[0] if inner else package
    raise InputError(
        f"There is no language model '{choice}'. Give the name of an installed spaCy model, the folder of one, or '{EMBEDDED}'."
    )


def _meta(folder: Path, choice: str) -> dict[str, Any]:
    try:
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        what = "The embedded language model" if choice == EMBEDDED else f"'{folder}'"
        next_step = (
            "Please install Forensia again." if choice == EMBEDDED else "Choose the folder that holds its meta.json."
        )
        raise InputError(f"{what} is not a complete spaCy model. {next_step}") from error
    if not isinstance(meta, dict):
        raise InputError(f"'{folder}' is not a spaCy model. Choose the folder that holds its meta.json.")
    return meta
