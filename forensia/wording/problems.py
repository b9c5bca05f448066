"""What was found in files and texts, in words."""

from __future__ import annotations

from forensia.corpus.document import Problem


def sentence(problem: Problem) -> str:
    """The problem and what can be done about it."""
    return f"{problem.message} {problem.next_step}".strip()
