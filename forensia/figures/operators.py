"""A figure as drawing operators of a PDF page. Reading an SVG back took a third of the time in which a report was made."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from forensia.figures.drawing import default_settings
from forensia.figures.strokes import CLOSE, CUBIC, LINE, MOVE, QUADRATIC, Brush, Shape, strokes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["to_operators"]

_CAPS = {"butt": 0, "round": 1, "projecting": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_WORDS = {MOVE: "%.2f %.2f m", LINE: "%.2f %.2f l", CUBIC: "%.2f %.2f %.2f %.2f %.2f %.2f c"}


def to_operators(figure: Figure, x: float, y: float, scale: float) -> str:
    """The figure with its left lower corner at a place of the page, whose own corner is (0, 0)."""
    with default_settings():
        drawn = strokes(figure)
    lines = [f"q {scale:.5f} 0 0 {scale:.5f} {x:.2f} {y:.2f} cm"]
    for brush, shapes in drawn:
        lines.append(_state(brush))
        lines += [_path(shape) for shape in shapes]
        lines.append("B" if brush.fill and brush.stroke else "f" if brush.fill else "S")
    return "\n".join([*lines, "Q"])


def _state(brush: Brush) -> str:
    """Colours and pen; nothing is left over from the brush before."""
    if brush.fill_opacity != 1 or brush.stroke_opacity != 1:
        raise NotImplementedError("what is transparent prints differently everywhere: blend the colours instead")
    state = [f"{_colour(brush.fill)} rg"] if brush.fill else []
    if brush.stroke:
        dashes = " ".join(f"{dash:g}" for dash in brush.dashes)
        state.append(f"{_colour(brush.stroke)} RG {brush.width:g} w {_CAPS[brush.cap]} J {_JOINS[brush.join]} j")
        state.append(f"[{dashes}] {brush.offset:g} d")
    return " ".join(state)


def _colour(colour: str) -> str:
    return " ".join(f"{int(colour[at : at + 2], 16) / 255:.4g}" for at in (1, 3, 5))


def _path(shape: Shape) -> str:
    places, codes = _without_quadratics(*shape)
    return _form(codes.tobytes()) % tuple(places[codes != CLOSE].ravel().tolist())


def _without_quadratics(places: np.ndarray, codes: np.ndarray) -> Shape:
    """PDF knows cubic curves only; a quadratic one is the cubic one whose handles are two thirds of the way to its own."""
    at = np.flatnonzero(codes == QUADRATIC)[::2]
    if not at.size:
        return places, codes
    start, handle, end = places[at - 1], places[at], places[at + 1]
    near, far = start + (handle - start) * (2 / 3), end + (handle - end) * (2 / 3)
    longer = np.insert(places, at, near, axis=0)
    moved = at + np.arange(at.size)
    longer[moved + 1] = far
    more = np.insert(codes, at, CUBIC)
    more[moved + 1] = more[moved + 2] = CUBIC
    return longer, more


@functools.lru_cache(maxsize=512)
def _form(codes: bytes) -> str:
    """The operators of a path of such points, with room for its numbers: letters and dots come by the thousand."""
    words, at = [], 0
    while at < len(codes):
        words.append("h" if codes[at] == CLOSE else _WORDS[codes[at]])
        at += 3 if codes[at] == CUBIC else 1
    return " ".join(words)
