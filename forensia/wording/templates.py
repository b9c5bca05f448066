"""Sentences with places for values: how each kind of value is written in them, by the word behind the colon."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from forensia import paths


@cache
def catalogue(name: str) -> Mapping[str, Any]:
    """The words of one kind by their codes, as they stand among the resources: another language is another such file."""
    return tomllib.loads((paths.resources() / "wording" / f"{name}.toml").read_text("utf-8"))


_SHOWN = 5  # names, and how many more there are
_FEW = 3
_NAMED = 4


def filled(template: str, values: Mapping[str, Any], words: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """A template with its values; `words` has for each way of writing a code what it stands for.

    Raises KeyError, ValueError or TypeError where values do not fit the template: they may come from anybody's case.
    """
    known = words or {}
    return template.format_map({name: _shown(value, known) for name, value in values.items()})


def listed(names: Sequence[str]) -> str:
    """All of some names, with 'and' before the last."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def named(names: Sequence[str]) -> str:
    """Some names in quotation marks, and how many more there are."""
    shown = [f"'{name}'" for name in dict.fromkeys(names)]
    more = f" and {len(shown) - _NAMED:,} more" if len(shown) > _NAMED else ""
    return f"{', '.join(shown[:_NAMED])}{more}"


def elided(text: str, most: int) -> str:
    """A long text with its middle left out: both ends of a name tell people apart."""
    if len(text) <= most:
        return text
    tail = max(0, (most - 1) // 3)
    return f"{text[: max(0, most - 1 - tail)]}…{text[len(text) - tail :]}"


def percent(share: float) -> str:
    """A share as a percentage for text, without false precision: 95 %, 99.5 %."""
    return f"{100 * share:.3g} %"


class _Names(tuple[str | int | float, ...]):
    """Several values as `format` writes them."""

    def __format__(self, how: str) -> str:
        if how == ";":
            return "; ".join(map(str, self))
        if how == "count":
            return f"{len(self):,}"
        if how == "whose":
            return f"by {self[0]}" if len(self) == 1 else f"by {len(self)} authors"
        if how == "few":
            return f"{', '.join(map(str, self[:_FEW]))}{' …' if len(self) > _FEW else ''}"
        if how == "and":
            return listed([str(each) for each in self])
        if how == "named":
            return named([str(each) for each in self])
        if how == "reasons":
            return named([str(each).rstrip(".") for each in self])
        shown = [f"'{name}'" for name in self]
        if how == "all" or len(shown) <= _SHOWN:
            return ", ".join(shown)
        return f"{', '.join(shown[:_SHOWN])} and {len(shown) - _SHOWN:,} more"


class _Share(float):
    """A number that `percent` and `about` (two significant figures) write as a percentage."""

    def __format__(self, how: str) -> str:
        if how == "percent":
            return percent(self)
        if how == "about":
            return percent(float(f"{self:.1e}"))
        return super().__format__(how)


class _Word(str):
    """A word, or what a code stands for."""

    __slots__ = ("known",)
    known: Mapping[str, Mapping[str, str]]

    def __format__(self, how: str) -> str:
        if how in self.known:
            return self.known[how].get(self, f"'{self}'")
        return super().__format__(how)


def _shown(value: Any, known: Mapping[str, Mapping[str, str]]) -> Any:
    if isinstance(value, (tuple, list)):
        return _Names(value)
    if isinstance(value, str):
        word = _Word(value)
        word.known = known
        return word
    return _Share(value) if isinstance(value, float) else value
