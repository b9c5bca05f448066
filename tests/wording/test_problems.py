"""The catalogue of problems: everything the corpus room can find has words, all values they need, and words of its own."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import forensia.corpus
from forensia.corpus import Exclusion, Problem, ProblemError, Severity
from forensia.corpus.decoding import MAGIC, NotText, TextTooLong, UndecodableText
from forensia.corpus.document import FileProblem
from forensia.corpus.filetypes.extraction import POLICY
from forensia.corpus.filetypes.registry import REFUSED
from forensia.corpus.sources import SourcesRefused
from forensia.corpus.walking import TooLarge, Unreadable
from forensia.errors import InputError
from forensia.wording.problems import CATALOGUE, key, left_out_because, message, said, sentence, worded

ROOM = Path(forensia.corpus.__file__).parent
BESIDES = (
    ROOM.parent / "experiments" / "layouts.py",
    *sorted((ROOM.parent / "case").glob("*.py")),
)  # which find problems too
BESIDE = {"file", "documents", "offsets", "at"}
SUPPLIED = {"file", "named", "quoted"}  # by the problem itself, or by `said`
# Functions that make a problem: where its code stands among the arguments, or which it is, and where its kind stands.
MAKERS: dict[str, tuple[int | str, int | None]] = {
    "of": (0, None), "left_out": (0, None), "_tell": (0, None), "_found": (0, None), "_lost": (0, None), "Refusal": (0, 2),
    "damaged": ("damaged", 1),
    "too_large": ("too-large", 1), "Bad": ("bad-row", 0),
    "_encoding_note": ("encoding-proposed", 0), "_proposed": ("encoding-proposed", None),
    **{each.__name__: (each.kind, 0) for each in (NotText, TextTooLong, UndecodableText, TooLarge, Unreadable, SourcesRefused)},
}  # fmt: skip
ALWAYS = {"Bad": {"unit", "number"}, "_found": {"count", "examples"}, "_lost": {"count", "examples"}}


def _constants(node: ast.expr) -> Iterator[str]:
    """The words that an argument can be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _constants(node.body)
        yield from _constants(node.orelse)


def _made() -> Iterator[tuple[str, set[str]]]:
    """Every problem that is made with its code in the source, with the names of its values."""
    for path in (*sorted(ROOM.rglob("*.py")), *BESIDES):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name not in MAKERS or (name == "of" and ast.unparse(node.func) != "Problem.of"):
                continue
            where, place = MAKERS[name]
            given = {each.arg: each.value for each in node.keywords if each.arg}
            codes = [where] if isinstance(where, str) else list(_constants(node.args[where]))
            kinds = list(_constants(given.pop("why"))) if "why" in given else []
            if place is not None and len(node.args) > place:
                kinds = list(_constants(node.args[place]))
            names = (given.keys() - BESIDE) | ALWAYS.get(name, set())
            for more in (each for each in node.args if name == "Bad" and isinstance(each, ast.Dict)):
                names |= {each.value for each in more.keys if isinstance(each, ast.Constant)}
            for code in codes:
                yield from ((f"{code}: {kind}", set(names)) for kind in kinds)
                if not kinds and (place is None or name == "Refusal") and code in CATALOGUE:
                    yield code, set(names)
                elif not kinds and (name == "damaged" or place is None):
                    yield (f"{code}: broken" if name == "damaged" else code), set(names)


def _tabled() -> Iterator[tuple[str, set[str]]]:
    """What is made by the tables of the room."""
    yield from ((code, {"count"}) for code in POLICY)
    yield from ((f"unknown-type: {kind}", set()) for kind in REFUSED.values())
    yield from ((f"not-text: {kind}", set()) for kind in MAGIC.values())
    for code in ("nul-bytes", "zero-width", "bidi", "soft-hyphen", "invisible", "control", "lost-characters"):
        yield code, {"count", "examples"}
    yield from ((f"one-source: {why}", {"texts", "names", "how"}) for why in ("numbers", "overlaps", "names"))
    yield "sources-not-known", set()
    yield from ((f"bad-sources: {why}", set()) for why in ("no match", "no text"))  # of a pattern, and of a table
    yield "leakage: whole", {"texts"}
    yield "leakage: part", {"texts", "share"}


MADE = sorted({(code, tuple(sorted(names))) for code, names in (*_made(), *_tabled())})


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize(("code", "names"), MADE, ids=lambda value: value if isinstance(value, str) else "")
def test_what_is_found_has_words_and_all_their_values(code: str, names: tuple[str, ...]) -> None:
    asked = _placeholders(CATALOGUE[code][0]) | _placeholders(CATALOGUE[code][1])
    assert asked - SUPPLIED == set(names)


def test_the_search_finds_the_whole_catalogue() -> None:
    assert {code for code, _ in MADE} == CATALOGUE.keys()


def test_no_two_problems_say_the_same() -> None:
    spoken: dict[tuple[str, str], str] = {}
    for code, words in CATALOGUE.items():
        assert words not in spoken, f"{code} and {spoken.get(words)}"
        spoken[words] = code
    messages = [(words[0], code.partition(":")[0]) for code, words in CATALOGUE.items()]
    assert len(set(messages)) == len({text for text, _ in messages}), "one message belongs to one code"


@pytest.mark.parametrize("code", CATALOGUE)
def test_words_are_sentences(code: str) -> None:
    told, step = CATALOGUE[code]
    assert told.endswith((".", "{quoted}", "{error}"))
    assert not step or step.endswith(".")


def test_numbers_and_names_in_words() -> None:
    names = tuple(f"{letter}.txt" for letter in "abcdefg")
    many = Problem.of("same-text-two-authors", Severity.BLOCKING, authors=("Ann", "Bob"), texts=names)
    assert message(many) == (
        "The same text stands under 'Ann', 'Bob': 'a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt' and 2 more."
    )
    shared = Problem.of("shared-opening", authors=("Ann",), words=14, texts=names)
    assert message(shared).startswith("7 documents by Ann begin with the same 14 words: 'a.txt'")
    other = Problem.of("language", why="other", found="fr", expected="xx")
    assert message(other).startswith("The text looks like French, not 'xx'.")
    assert sentence(Problem.of("footnotes", Severity.NOTE, count=1234)) == (
        "Footnotes and endnotes, kept in reading order: 1,234."
    )


@pytest.mark.parametrize(
    "strange",
    [
        Problem.of("no such code", file="a.txt", words=3),
        Problem.of("too-short", file="a.txt"),
        Problem.of("too-short", file="a.txt", words="many", fewest="{file.__class__}"),
        Problem.of("too-short", file="a.txt", why="nonsense", words=1, fewest=2),
        Problem.of("similar-names", file="a.txt", names=3),
    ],
)
def test_a_problem_of_a_stranger_has_words_too(strange: Problem) -> None:
    assert message(strange) == f"'a.txt': {strange.code}."


def test_why_a_document_is_left_out() -> None:
    assert left_out_because("wrong genre") == "wrong genre"
    assert left_out_because(Exclusion("duplicate", {"text": "a.txt"})) == "Duplicate: the same text as 'a.txt'."
    assert left_out_because(Exclusion("empty")) == message(Problem.of("empty"))


def test_errors_in_words() -> None:
    short = Problem.of("too-short", file="a.txt", words=3, fewest=100)
    step = "Add further texts of the same author, or join texts that belong together."
    plain = f"The text has 3 words, fewer than 100; it cannot be the sole basis of an opinion. {step}"
    assert said(ProblemError(short)) == plain
    assert said(ProblemError(short, [short, short])) == f"{plain} (2 more must be solved too.)"
    assert said(FileProblem(short)) == f"'a.txt': {plain}"
    assert said(InputError("As it is.")) == "As it is."
    assert str(ProblemError(short)) == "too-short a.txt"
    nothing = ProblemError(Problem.of("nothing-read", Severity.BLOCKING, layout="authors"), [short, short])
    assert said(nothing) == (
        "No text could be read in the layout 'authors' (A folder for each author; folders inside it are sources such as a book, "
        "a thread or a year.) The first of 2 problems: The text has 3 words, fewer than 100; it cannot be the sole basis of an "
        "opinion. Choose another folder or layout."
    )
    with pytest.raises(FileProblem, match=r"'a\.txt': The text has 3 words"), worded():
        raise FileProblem(short)


def test_a_kind_is_part_of_the_key() -> None:
    assert key(Problem.of("damaged", why="xml", line=1, column=2)) == "damaged: xml"
