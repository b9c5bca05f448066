"""A figure as the bytes of a file. The same figure gives the same bytes: no date, no random names, letters as shapes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from forensia.figures.drawing import default_settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["to_pdf", "to_png", "to_svg"]


def to_svg(figure: Figure) -> bytes:
    """SVG of plain shapes, letters too: it needs no fonts, and fpdf2 draws it right."""
    from forensia.figures.svg import written

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
