"""The one way between our frozen dataclasses and JSON: what goes in comes back equal, and nothing of another shape is taken."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


class WrongShape(ValueError):
    """JSON that is not what the type says; the sentence names the place."""


def plain(value: object) -> Any:
    """Dataclasses, enums, tuples and mappings as JSON has them."""
    return _with_lists(msgspec.to_builtins(value, str_keys=True))


def _with_lists(value: Any) -> Any:
    """The library keeps tuples; what is read back from JSON has lists."""
    if isinstance(value, dict):
        return {key: _with_lists(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_lists(each) for each in value]
    return value


def typed(kind: type[T], data: object) -> T:
    """The value of a type from its JSON, strictly: raises `WrongShape` where a field is missing or of another type."""
    try:
        return msgspec.convert(data, kind, strict=True, str_keys=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise WrongShape(str(error)) from error
