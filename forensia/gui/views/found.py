"""What an inquiry found about two texts, taken from its JSON: families, features with their readings, and where they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Span = tuple[int, int]
FOR, AGAINST = "for", "against"


@dataclass(frozen=True)
class Family:
    """A family of features and what it contributes in relation to what is usual; above zero speaks for one author."""

    name: str
    relative: float
    features: int
    differing: int


@dataclass(frozen=True)
class Feature:
    """A feature with what it contributes, and how often either text has it."""

    column: int
    name: str
    family: str
    relative: float
    reading: str
    documents: int | None
    authors: int | None
    use_a: str
    use_b: str
    unit: str

    @property
    def favourable(self) -> bool:
        return self.relative > 0


@dataclass(frozen=True)
class Located:
    """A text and the places of features in it, as offsets into it; `more` characters of it are not shown."""

    title: str
    author: str
    words: int
    text: str
    more: int = 0
    places: Mapping[int, tuple[Span, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Found:
    """Everything about two texts."""

    families: tuple[Family, ...]
    features: Mapping[int, Feature]
    favourable: tuple[int, ...]
    adverse: tuple[int, ...]
    by_family: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]
    texts: tuple[Located, Located]

    def listed(self, family: str = "") -> tuple[tuple[Feature, ...], tuple[Feature, ...]]:
        """The strongest features for and against: of all, or of one family."""
        sides = self.by_family.get(family, ((), ())) if family else (self.favourable, self.adverse)
        first, second = (tuple(self.features[column] for column in side) for side in sides)
        return first, second


def located(data: Mapping[str, Any]) -> Located:
    """A text from JSON."""
    places = {
        int(column): tuple((int(start), int(end)) for start, end in found["spans"])
        for column, found in data.get("places", {}).items()
    }
    return Located(
        str(data["title"]), str(data["author"]), int(data["words"]), str(data["text"]), int(data["more"]), places
    )


def found(data: Mapping[str, Any]) -> Found:
    """What an inquiry found, from its JSON."""
    first, second = (located(each) for each in data["texts"])
    return Found(
        tuple(
            Family(str(each["family"]), float(each["relative"]), int(each["features"]), int(each["differing"]))
            for each in data["families"]
        ),
        {int(column): _feature(each) for column, each in data["features"].items()},
        _columns(data[FOR]),
        _columns(data[AGAINST]),
        {family: (_columns(each[FOR]), _columns(each[AGAINST])) for family, each in data["by_family"].items()},
        (first, second),
    )


def _columns(listed: Sequence[Any]) -> tuple[int, ...]:
    return tuple(int(column) for column in listed)


def _feature(data: Mapping[str, Any]) -> Feature:
    first, second = data.get("usage_a"), data.get("usage_b")
    return Feature(
        column=int(data["column"]),
        name=str(data["feature"]),
        family=str(data["family"]),
        relative=float(data["relative"]),
        reading=str(data.get("reading", "")),
        documents=data.get("documents"),
        authors=data.get("authors"),
        use_a=_use(first),
        use_b=_use(second),
        unit=str((first or second or {}).get("unit", "")),
    )


def _use(usage: Mapping[str, Any] | None) -> str:
    """A rate with two significant figures, or the count where there is no rate."""
    if usage is None:
        return "–"
    rate = usage["rate"]
    if rate is None:
        return f"{int(usage['count']):,}"
    return (
        "0"
        if not usage["count"]
        else f"{rate:,.0f}"
        if rate >= 9.95
        else f"{rate:.1f}"
        if rate >= 0.95
        else f"{rate:.2g}"
    )
