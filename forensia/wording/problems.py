"""What is wrong with texts, in words: messages and next steps by the code of a problem, and the sentences of errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from forensia.corpus.document import AS_WRITTEN, FileProblem, Problem, ProblemError, Reason, Severity
from forensia.corpus.filetypes import FORMATS
from forensia.corpus.layouts import LAYOUTS
from forensia.corpus.textchecks import LANGUAGE_NAMES
from forensia.wording.templates import catalogue, filled

_WORDS = {
    "language": LANGUAGE_NAMES,
    "sentence": {layout.name: layout.sentence for layout in LAYOUTS},
}
_FORMATS = ", ".join(sorted(FORMATS))
CATALOGUE: Mapping[str, tuple[str, str]] = {
    code: (words["message"], words.get("next", "").replace("{formats}", _FORMATS))
    for code, words in catalogue("problems").items()
}
"""The message and the next step for every problem."""

_LEFT_OUT = {
    "duplicate": "Duplicate: the same text as '{text}'.",
    "beyond-at-most": "Not drawn: at most {most:,} texts of each author are used.",
}
"""Why the program leaves a document out, where that is not the message of the problem of the same code."""


def message(problem: Problem) -> str:
    """What was found."""
    return _worded(problem, 0)


def next_step(problem: Problem) -> str:
    """What the analyst can do about it; empty when there is nothing to do."""
    return _worded(problem, 1)


def sentence(problem: Problem) -> str:
    """What was found and what can be done about it."""
    return f"{message(problem)} {next_step(problem)}".strip()


def left_out_because(reason: Reason) -> str:
    """Why a document is left out: the analyst's own words, or the program's reason in words."""
    if isinstance(reason, str):
        return reason
    problem = Problem(reason.code, Severity.NOTE, reason.values)
    if reason.code in _LEFT_OUT and AS_WRITTEN not in reason.values:
        return _filled(_LEFT_OUT[reason.code], problem) or reason.code
    return message(problem)


def said(error: BaseException) -> str:
    """The text of an error; that of a problem in words."""
    if not isinstance(error, ProblemError):
        return str(error)
    problem, others = error.problem, error.others
    if problem.code == "nothing-read":
        quoted = f" The first of {len(others):,} problems: {message(others[0])}" if others else ""
        return sentence(Problem(problem.code, problem.severity, {**problem.values, "quoted": quoted}))
    more = f" ({len(others)} more must be solved too.)" if others else ""
    told = message(problem)
    if isinstance(error, FileProblem) and problem.file not in told:
        told = f"'{problem.file}': {told}"
    return f"{told} {next_step(problem)}".strip() + more


@contextmanager
def worded() -> Iterator[None]:
    """Put the problem of an error into words, so that its text is what people read; also a decorator."""
    try:
        yield
    except ProblemError as error:
        error.args = (said(error),)
        raise


def key(problem: Problem) -> str:
    """Where the words of a problem stand in the catalogue."""
    why = problem.values.get("why")
    return f"{problem.code}: {why}" if why else problem.code


def _worded(problem: Problem, place: int) -> str:
    written = problem.values.get(AS_WRITTEN)
    if isinstance(written, tuple) and len(written) == 2:
        return str(written[place])
    words = CATALOGUE.get(key(problem))
    filled = None if words is None else _filled(words[place], problem)
    if filled is not None:
        return filled
    # A case may come from another version of the program, or from anybody.
    return f"{_named(problem)}{problem.code}." if place == 0 else ""


def _filled(template: str, problem: Problem) -> str | None:
    """A template with the values of a problem; None when they do not fit it."""
    try:
        return filled(
            template, {"quoted": "", **problem.values, "file": problem.file, "named": _named(problem)}, _WORDS
        )
    except (KeyError, ValueError, TypeError, IndexError):
        return None


def _named(problem: Problem) -> str:
    return f"'{problem.file}': " if problem.file else ""
