"""What a figure is made of: paths with a brush each, as the report and the SVG file take them. Letters are paths too.

matplotlib's own SVG refers to each letter and dot by `<use>`, which many readers copy for each of them, and its style sheets, clip
paths on groups and patterns are not understood by all. So a figure is drawn once by a renderer that only collects paths.
"""

from __future__ import annotations

import contextlib
import functools
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Brush", "Shape", "lay_out", "strokes"]

# Places, a row for each point, and what each of them is: matplotlib's codes of a path.
Shape = tuple[NDArray[np.float64], NDArray[np.uint8]]
MOVE, LINE, QUADRATIC, CUBIC, CLOSE = 1, 2, 3, 4, 79
_STOP = 0


@dataclass(frozen=True)
class Brush:
    """How a path is drawn: filled, stroked or both, each with its opacity; colours are hexadecimal."""

    fill: str = ""
    fill_opacity: float = 1.0
    stroke: str = ""
    stroke_opacity: float = 1.0
    width: float = 0.0
    cap: str = "butt"
    join: str = "miter"
    dashes: tuple[float, ...] = ()
    offset: float = 0.0

    @property
    def seen(self) -> bool:
        return bool(self.fill or self.stroke)


def strokes(figure: Figure) -> list[tuple[Brush, list[Shape]]]:
    """Everything on a figure, from the bottom up, in points from its left lower corner; neighbours of one brush are together."""
    with _at_points(figure) as renderer:
        figure.draw(renderer)
    return list(renderer.drawn)


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
    from matplotlib.path import Path
    from matplotlib.textpath import text_to_path
    from matplotlib.transforms import Transform

    class Renderer(RendererBase):
        """Collects paths; neighbours of one brush become one."""

        def __init__(self, width: float, height: float) -> None:
            super().__init__()
            self._width, self._height = float(width), float(height)
            self.drawn: list[tuple[Brush, list[Shape]]] = []

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
            self._add(_brush(gc, rgbFace), [_shape(path, transform)])

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
            places, codes = _shape(marker_path, marker_trans)
            centres = trans.transform(path.vertices)
            kept = centres[~np.isnan(centres).any(axis=1)]
            self._add(_brush(gc, rgbFace), [(places + centre, codes) for centre in kept])

        def _add(self, brush: Brush, shapes: list[Shape]) -> None:
            shapes = [shape for shape in shapes if len(shape[1])]
            if not brush.seen or not shapes:
                return
            if self.drawn and self.drawn[-1][0] == brush:
                self.drawn[-1][1].extend(shapes)
            else:
                self.drawn.append((brush, shapes))

    return Renderer


def _shape(path: Any, transform: Any) -> Shape:
    clean = path.cleaned(transform=transform, remove_nans=True, simplify=False, curves=True)
    codes = np.asarray(clean.codes, dtype=np.uint8)
    stops = np.flatnonzero(codes == _STOP)
    end = int(stops[0]) if stops.size else len(codes)
    return np.asarray(clean.vertices[:end], dtype=np.float64), codes[:end]


def _brush(gc: Any, face: Any) -> Brush:
    """How a path is drawn; with neither filling nor stroke where nothing of it would be seen."""
    from matplotlib.colors import to_hex

    forced, alpha = gc.get_forced_alpha(), gc.get_alpha()
    found: dict[str, Any] = {}
    if face is not None:
        opacity = alpha if forced or len(face) < 4 else face[3]
        if opacity > 0:
            found |= {"fill": to_hex(face), "fill_opacity": float(opacity)}
    rgba = gc.get_rgb()
    opacity, width = alpha if forced else rgba[3], gc.get_linewidth()
    if width > 0 and opacity > 0:
        offset, dashes = gc.get_dashes()
        found |= {
            "stroke": to_hex(rgba), "stroke_opacity": float(opacity), "width": round(float(width), 3),
            "cap": str(gc.get_capstyle()), "join": str(gc.get_joinstyle()),
            "dashes": () if dashes is None else tuple(round(float(dash), 3) for dash in dashes),
            "offset": round(float(offset or 0.0), 3) if dashes is not None else 0.0,
        }  # fmt: skip
    return Brush(**found)
