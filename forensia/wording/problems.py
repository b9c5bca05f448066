"""What was found in files and texts, in words."""

from __future__ import annotations

from forensia.corpus.document import Problem


def message(problem: Problem) -> str:
    """What was found."""
    return problem.message


def sentence(problem: Problem) -> str:
    """The problem and what can be done about it."""
    return f"{message(problem)} {problem.next_step}".strip()
