"""Figures as pure functions: plain data and a look in, a `Drawing` out; the screen, picture files and the report use the same ones.

matplotlib is loaded when the first figure is drawn, never by importing this package: the window is there before it.
"""

from __future__ import annotations

from forensia.figures.authors import MOST_ROWS, by_author, by_author_small, f1_by_author, k_accuracy
from forensia.figures.calibration import ece, open_set, pav_plot, reliability, tippett
from forensia.figures.candidates import families, lr_scale, pr_same
from forensia.figures.drawing import Drawing, not_estimable
from forensia.figures.export import WRITERS, to_pdf, to_png, to_svg
from forensia.figures.look import DARK, LIGHT, PRINT, Look
from forensia.figures.matrices import confusion_matrix, heat_map, pair_map

__all__ = [
    "DARK", "LIGHT", "MOST_ROWS", "PRINT", "WRITERS", "Drawing", "Look",
    "by_author", "by_author_small", "confusion_matrix", "ece", "f1_by_author", "families", "heat_map", "k_accuracy", "lr_scale",
    "not_estimable", "open_set", "pair_map", "pav_plot", "pr_same", "reliability", "tippett",
    "to_pdf", "to_png", "to_svg",
]  # fmt: skip
