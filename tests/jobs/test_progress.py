"""Progress of the parts of long work."""

from __future__ import annotations

from forensia.jobs import part, tracked


def test_tracked_tells_before_each_and_at_the_end() -> None:
    seen: list[float] = []
    assert list(tracked(range(4), lambda fraction, message="": seen.append(fraction), "counting")) == [0, 1, 2, 3]
    assert seen == [0, 0.25, 0.5, 0.75, 1]


def test_parts_nest() -> None:
    seen: list[float] = []
    whole = lambda fraction, message="": seen.append(round(fraction, 6))  # noqa: E731
    stage = part(part(whole, 0.5, 1.0), 0.0, 0.5)
    for fraction in (0.0, 0.5, 1.0, 7.0):
        stage(fraction)
    assert seen == [0.5, 0.625, 0.75, 0.75]
