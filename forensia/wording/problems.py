"""What is wrong with texts, in words: messages and next steps by the code of a problem, and the sentences of errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from forensia.corpus.document import AS_WRITTEN, FileProblem, Problem, ProblemError, Reason, Severity, Value
from forensia.corpus.languages import LANGUAGE_NAMES
from forensia.corpus.layouts import LAYOUTS
from forensia.wording.problemwords import CATALOGUE

_SHOWN = 5  # names, and how many more there are
_LEFT_OUT = {"duplicate": "Duplicate: the same text as '{text}'."}
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


class _Names(tuple[str | int | float, ...]):
    """Several values as `format` writes them."""

    def __format__(self, how: str) -> str:
        if how == ";":
            return "; ".join(map(str, self))
        if how == "count":
            return f"{len(self):,}"
        if how == "whose":
            return f"by {self[0]}" if len(self) == 1 else f"by {len(self)} authors"
        shown = [f"'{name}'" for name in self]
        if how == "all" or len(shown) <= _SHOWN:
            return ", ".join(shown)
        return f"{', '.join(shown[:_SHOWN])} and {len(shown) - _SHOWN:,} more"


class _Word(str):
    """A word as `format` writes it: itself, or what a code stands for."""

    __slots__ = ()

    def __format__(self, how: str) -> str:
        if how == "language":
            return LANGUAGE_NAMES.get(self, f"'{self}'")
        if how == "sentence":
            return next((layout.sentence for layout in LAYOUTS if layout.name == self), "")
        return super().__format__(how)


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
    values = {name: _shown(value) for name, value in problem.values.items()}
    try:
        return template.format_map({"quoted": "", **values, "file": problem.file, "named": _named(problem)})
    except (KeyError, ValueError, TypeError, IndexError):
        return None


def _shown(value: Value) -> Value:
    if isinstance(value, tuple):
        return _Names(value)
    return _Word(value) if isinstance(value, str) else value


def _named(problem: Problem) -> str:
    return f"'{problem.file}': " if problem.file else ""
