"""A plain SVG writer for figures: nothing but paths with attributes, which fpdf2 draws right and fast.

matplotlib's own writer refers to each letter and dot by `<use>`, and fpdf2 copies the whole shape for each of them: measured on
the strip plot of 25 authors, 1.7 s against 0.4 s for the plain paths written here. Its style sheets, clip paths on groups,
patterns and turned pictures are not understood by fpdf2 at all.
"""

from __future__ import annotations

import contextlib
import functools
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["lay_out", "written"]

_HEAD = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{0}pt" height="{1}pt" viewBox="0 0 {0} {1}">\n'
)
_UNFILLED = ' fill="none"'
_CAPS = {"projecting": "square"}


def written(figure: Figure) -> str:
    """The figure as SVG."""
    with _at_points(figure) as renderer:
        figure.draw(renderer)
    return str(renderer.document())


def lay_out(figure: Figure) -> None:
    """Place everything once and for all, by the shapes of the letters and not by pixels: every file then has the same layout."""
    engine = figure.get_layout_engine()
    if engine is not None:
        with _at_points(figure), warnings.catch_warnings():
            # A figure in a very small place is crowded; that is no fault.
            warnings.filterwarnings("ignore", message="constrained_layout not applied")
            engine.execute(figure)
        figure.set_layout_engine("none")


@contextlib.contextmanager
def _at_points(figure: Figure) -> Iterator[Any]:
    """Within it, one unit of the figure is one point and texts are measured by our renderer; a canvas that shows it is put back."""
    shown, dpi = figure.canvas, figure.dpi
    figure.set_dpi(72)
    try:
        renderer = _renderer()(*figure.get_size_inches() * 72)
        _canvas()(figure, renderer)
        yield renderer
    finally:
        figure.set_dpi(dpi)
        figure.set_canvas(shown)


@functools.cache
def _canvas() -> Any:
    from matplotlib.backend_bases import FigureCanvasBase

    class Canvas(FigureCanvasBase):
        """Lets the layout measure texts with the renderer that will draw them."""

        def __init__(self, figure: Figure, renderer: Any) -> None:
            super().__init__(figure)
            self._renderer = renderer

        def get_renderer(self) -> Any:
            return self._renderer

    return Canvas


@functools.cache
def _renderer() -> Any:
    """The class is made when it is first needed, because its base is matplotlib's."""
    from matplotlib.backend_bases import GraphicsContextBase, RendererBase
    from matplotlib.colors import to_hex
    from matplotlib.path import Path
    from matplotlib.textpath import text_to_path
    from matplotlib.transforms import Affine2D, Transform

    letters = {int(Path.MOVETO): "M", int(Path.LINETO): "L", int(Path.CURVE3): "Q", int(Path.CURVE4): "C"}
    following = {int(Path.CURVE3): 1, int(Path.CURVE4): 2}

    class Renderer(RendererBase):
        """Collects paths; neighbours of one style become one path."""

        def __init__(self, width: float, height: float) -> None:
            super().__init__()
            self._width, self._height = float(width), float(height)
            self._upside_down = Affine2D().scale(1, -1).translate(0, self._height)
            self._paths: list[tuple[str, list[str]]] = []

        def document(self) -> str:
            body = "".join(f'<path d="{"".join(shapes)}"{style}/>\n' for style, shapes in self._paths)
            return f"{_HEAD.format(_number(self._width), _number(self._height))}{body}</svg>\n"

        def get_canvas_width_height(self) -> tuple[float, float]:
            return self._width, self._height

        def flipy(self) -> bool:
            return False

        def points_to_pixels(self, points: Any) -> Any:
            return points

        def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> tuple[float, float, float]:
            return text_to_path.get_text_width_height_descent(s, prop, ismath)

        def draw_image(self, gc: GraphicsContextBase, x: float, y: float, im: Any, transform: Any = None) -> None:
            raise NotImplementedError("figures are made of shapes: pictures would not print sharp")

        def draw_path(self, gc: GraphicsContextBase, path: Path, transform: Transform, rgbFace: Any = None) -> None:
            self._add(self._style(gc, rgbFace), [self._shape(path, transform)])

        def draw_markers(
            self,
            gc: GraphicsContextBase,
            marker_path: Path,
            marker_trans: Any,
            path: Path,
            trans: Any,
            rgbFace: Any = None,
        ) -> None:
            if not np.any(marker_path.vertices):
                return  # a tick mark without length
            centres = trans.transform(path.vertices)
            shapes = [
                self._shape(marker_path, marker_trans + Affine2D().translate(x, y))
                for x, y in centres
                if x == x and y == y
            ]
            self._add(self._style(gc, rgbFace), shapes)

        def _add(self, style: str, shapes: list[str]) -> None:
            if not style or not any(shapes):
                return
            if self._paths and self._paths[-1][0] == style:
                self._paths[-1][1].extend(shapes)
            else:
                self._paths.append((style, list(shapes)))

        def _shape(self, path: Path, transform: Any) -> str:
            clean = path.cleaned(transform=transform + self._upside_down, remove_nans=True, simplify=False, curves=True)
            points, codes = clean.vertices.round(2).tolist(), clean.codes.tolist()  # type: ignore[union-attr]
            parts: list[str] = []
            at = 0
            while at < len(codes):
                code = codes[at]
                if code == Path.STOP:
                    break
                if code == Path.CLOSEPOLY:
                    parts.append("Z")
                    at += 1
                    continue
                end = at + 1 + following.get(code, 0)
                numbers = " ".join(_number(value) for point in points[at:end] for value in point)
                parts.append(f"{letters[code]}{numbers}")
                at = end
            return "".join(parts)

        def _style(self, gc: Any, face: Any) -> str:
            """Attributes of a path, empty where nothing of it would be seen."""
            forced = gc.get_forced_alpha()
            alpha = gc.get_alpha()
            fill = ""
            if face is not None:
                opacity = alpha if forced or len(face) < 4 else face[3]
                if opacity > 0:
                    fill = f' fill="{to_hex(face)}"' + ("" if opacity == 1 else f' fill-opacity="{opacity:g}"')
            rgba = gc.get_rgb()
            opacity, width = alpha if forced else rgba[3], gc.get_linewidth()
            stroke = ""
            if width > 0 and opacity > 0:
                cap, join = gc.get_capstyle(), gc.get_joinstyle()
                stroke = f' stroke="{to_hex(rgba)}" stroke-width="{_number(round(width, 3))}"'
                stroke += f' stroke-linecap="{_CAPS.get(cap, cap)}" stroke-linejoin="{join}"'
                stroke += "" if opacity == 1 else f' stroke-opacity="{opacity:g}"'
                offset, dashes = gc.get_dashes()
                if dashes is not None:
                    stroke += f' stroke-dasharray="{",".join(_number(round(float(dash), 3)) for dash in dashes)}"'
                    stroke += f' stroke-dashoffset="{_number(round(float(offset), 3))}"' if offset else ""
            return f"{fill or _UNFILLED}{stroke}" if fill or stroke else ""

    return Renderer


def _number(value: float) -> str:
    """As few letters as say it."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if value else "0"
