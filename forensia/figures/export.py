"""A figure as the bytes of a file, SVG of our own. The same figure gives the same bytes: no date, no random names, letters as shapes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np

from forensia.figures.drawing import default_settings
from forensia.figures.strokes import CLOSE, CUBIC, LINE, MOVE, QUADRATIC, Brush, Shape, strokes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["to_pdf", "to_png", "to_svg", "written"]


def to_svg(figure: Figure) -> bytes:
    """SVG of plain shapes, letters too: it needs no fonts, and fpdf2 draws it right."""
    with default_settings():
        return written(figure).encode("utf-8")


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


_HEAD = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{0}pt" height="{1}pt" viewBox="0 0 {0} {1}">\n'
)
_CAPS = {"projecting": "square"}
_LETTERS = {MOVE: ("M", 1), LINE: ("L", 1), QUADRATIC: ("Q", 2), CUBIC: ("C", 3)}


def written(figure: Figure) -> str:
    """The figure as SVG."""
    width, height = (72.0 * float(inches) for inches in figure.get_size_inches())
    body = "".join(
        f'<path d="{"".join(_path(shape, height) for shape in shapes)}"{_style(brush)}/>\n'
        for brush, shapes in strokes(figure)
    )
    return f"{_HEAD.format(_number(width), _number(height))}{body}</svg>\n"


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
