"""A figure as a file or as operators of a PDF page. The same figure gives the same bytes: no date, no random names, letters as shapes."""

from __future__ import annotations

import functools
import io
from typing import TYPE_CHECKING, Any

import numpy as np

from forensia.figures.drawing import default_settings
from forensia.figures.strokes import CLOSE, CUBIC, LINE, MOVE, QUADRATIC, Brush, Shape, strokes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["WRITERS", "to_operators", "to_pdf", "to_png", "to_svg"]


def to_svg(figure: Figure) -> bytes:
    """SVG of plain shapes, letters too: it needs no fonts."""
    width, height = (72.0 * float(inches) for inches in figure.get_size_inches())
    with default_settings():
        body = "".join(
            f'<path d="{"".join(_path(shape, height) for shape in shapes)}"{_style(brush)}/>\n'
            for brush, shapes in strokes(figure)
        )
    return f"{_HEAD.format(_number(width), _number(height))}{body}</svg>\n".encode()


def to_png(figure: Figure, dpi: float = 200.0) -> bytes:
    """A picture for the screen or a word processor."""
    return _saved(figure, "png", {"dpi": dpi, "metadata": {"Software": None}})


def to_pdf(figure: Figure) -> bytes:
    """One page of its own, with the fonts in it."""
    return _saved(figure, "pdf", {"metadata": {"CreationDate": None, "Creator": None, "Producer": None}})


def _saved(figure: Figure, kind: str, options: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    with default_settings(pdf__fonttype=42):
        figure.savefig(buffer, format=kind, **options)
    return buffer.getvalue()


WRITERS = {"png": to_png, "svg": to_svg, "pdf": to_pdf}
"""What makes a file of each kind."""

_HEAD = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{0}pt" height="{1}pt" viewBox="0 0 {0} {1}">\n'
)
_CAPS = {"projecting": "square"}
_LETTERS = {MOVE: ("M", 1), LINE: ("L", 1), QUADRATIC: ("Q", 2), CUBIC: ("C", 3)}


def _path(shape: Shape, height: float) -> str:
    """SVG counts downwards."""
    points = (shape[0] * (1.0, -1.0) + (0.0, height)).round(2).tolist()
    codes = shape[1].tolist()
    parts: list[str] = []
    at = 0
    while at < len(codes):
        if codes[at] == CLOSE:
            parts.append("Z")
            at += 1
            continue
        letter, taken = _LETTERS[codes[at]]
        parts.append(letter + " ".join(_number(value) for point in points[at : at + taken] for value in point))
        at += taken
    return "".join(parts)


def _style(brush: Brush) -> str:
    """A brush as attributes."""
    style = f' fill="{brush.fill or "none"}"'
    style += "" if brush.fill_opacity == 1 else f' fill-opacity="{brush.fill_opacity:g}"'
    if not brush.stroke:
        return style
    style += f' stroke="{brush.stroke}" stroke-width="{_number(brush.width)}"'
    style += f' stroke-linecap="{_CAPS.get(brush.cap, brush.cap)}" stroke-linejoin="{brush.join}"'
    style += "" if brush.stroke_opacity == 1 else f' stroke-opacity="{brush.stroke_opacity:g}"'
    if brush.dashes:
        style += f' stroke-dasharray="{",".join(_number(dash) for dash in brush.dashes)}"'
        style += f' stroke-dashoffset="{_number(brush.offset)}"' if brush.offset else ""
    return style


def _number(value: float | np.floating) -> str:
    """As few letters as say it."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if value else "0"


_PDF_CAPS = {"butt": 0, "round": 1, "projecting": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_OPERATORS = {MOVE: "%.2f %.2f m", LINE: "%.2f %.2f l", CUBIC: "%.2f %.2f %.2f %.2f %.2f %.2f c"}


def to_operators(figure: Figure, x: float, y: float, scale: float) -> str:
    """The figure with its left lower corner at a place of the page, whose own corner is (0, 0)."""
    with default_settings():
        drawn = strokes(figure)
    lines = [f"q {scale:.5f} 0 0 {scale:.5f} {x:.2f} {y:.2f} cm"]
    for brush, shapes in drawn:
        lines.append(_state(brush))
        lines += [_path_operators(shape) for shape in shapes]
        lines.append("B" if brush.fill and brush.stroke else "f" if brush.fill else "S")
    return "\n".join([*lines, "Q"])


def _state(brush: Brush) -> str:
    """Colours and pen; nothing is left over from the brush before."""
    if brush.fill_opacity != 1 or brush.stroke_opacity != 1:
        raise NotImplementedError("what is transparent prints differently everywhere: blend the colours instead")
    state = [f"{_colour(brush.fill)} rg"] if brush.fill else []
    if brush.stroke:
        dashes = " ".join(f"{dash:g}" for dash in brush.dashes)
        state.append(f"{_colour(brush.stroke)} RG {brush.width:g} w {_PDF_CAPS[brush.cap]} J {_JOINS[brush.join]} j")
        state.append(f"[{dashes}] {brush.offset:g} d")
    return " ".join(state)


def _colour(colour: str) -> str:
    return " ".join(f"{int(colour[at : at + 2], 16) / 255:.4g}" for at in (1, 3, 5))


def _path_operators(shape: Shape) -> str:
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
        words.append("h" if codes[at] == CLOSE else _OPERATORS[codes[at]])
        at += 3 if codes[at] == CUBIC else 1
    return " ".join(words)
