"""Likelihood ratios drawn in the cells of a table: a line of decades, the interval as a bar, the LR as a dot."""

from __future__ import annotations

from forensia.evidence.result import LikelihoodRatio
from forensia.report.document import PdfDocument
from forensia.report.grid import Painted

__all__ = ["READING", "scale_cell"]

DECADES = 4
READING = (
    "The scale runs from 1/10,000 on the left over 1 (the black line) to 10,000 on the right, a tick for each power of ten; the bar is the "
    "95 % interval, the dot the likelihood ratio, hollow where it is below 1."
)


def scale_cell(ratio: LikelihoodRatio | None) -> Painted:
    """A cell with one LR; empty where it is not estimable."""

    def draw(doc: PdfDocument, x: float, y: float, width: float, height: float) -> None:
        middle, unit, at = x + width / 2, width / (2 * DECADES), y + height / 2
        doc.stroke(x, at, x + width, at, 0.4, grey=150)
        for decade in range(-DECADES, DECADES + 1):
            tall = 2.2 if decade else height / 2 - 0.6
            doc.stroke(
                middle + decade * unit, at - tall, middle + decade * unit, at + tall, 0.4 if decade else 0.7,
                grey=0 if not decade else 150,
            )  # fmt: skip
        if ratio is None:
            return
        low, high = (_place(end) for end in (ratio.interval or (ratio.log10, ratio.log10)))
        if high > low:
            doc.stroke(middle + low * unit, at, middle + high * unit, at, 2.0, grey=0)
        doc.dot(middle + _place(ratio.log10) * unit, at, 5.0, hollow=ratio.log10 <= 0)

    return Painted(draw)


def _place(log10_lr: float) -> float:
    """A log LR on the scale; what is beyond stands at its end."""
    return min(max(log10_lr, -DECADES), DECADES)
