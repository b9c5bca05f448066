"""Which versions of the program find the same numbers: those that share the first two numbers of their name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forensia import __version__

FIRST = "0.1.0"
"""The version that did not yet write its name beside a model."""


def maker(header: Mapping[str, Any]) -> str:
    """The version that made a model, by the header it is stored with."""
    return str(header.get("program", FIRST))


def same_engine(program: str) -> bool:
    """Whether what that version found can be expected to come out again here."""
    return program.split(".")[:2] == __version__.split(".")[:2]
