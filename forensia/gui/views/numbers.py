"""Numbers of an answer as the window shows and says them: a likelihood ratio in two significant figures, a model score never as 0 or 1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from forensia.wording.ratios import NOT_ESTIMABLE, lr_figure

FIRST, SECOND = " support for the first proposition", " support for the second proposition"
NOTHING = "–"


def tr(text: str) -> str:
    """Words of this module in the user's language."""
    return QCoreApplication.translate("", text)


def score(value: float | None) -> str:
    """A model score from 0 to 1; it is never printed as either."""
    if value is None or math.isnan(value):
        return NOTHING
    return "> 0.99" if value > 0.99 else "< 0.01" if value < 0.01 else f"{value:.2f}"


def signed(value: float | None, digits: int = 1) -> str:
    """A number with its sign, and a real minus."""
    if value is None or math.isnan(value):
        return NOTHING
    text = f"{value:+.{digits}f}"
    if float(text) == 0:
        text = f"{value:+.{digits + 1}f}"  # so small a number still has a side
    return "0" if float(text) == 0 else text.replace("-", "−")


def share(value: float | None) -> str:
    """A conformal p or another share between 0 and 1."""
    return NOTHING if value is None or math.isnan(value) else f"{value:.2f}" if value >= 0.01 else "< 0.01"


def percent(value: float | None) -> str:
    """A share that was counted, as a percentage."""
    return NOTHING if value is None else f"{100 * value:.0f} %"


def support(verbal: str | None) -> str:
    """The words of the verbal scale, short: 'moderate support', 'weak, against'."""
    if not verbal:
        return NOTHING
    if verbal.endswith(FIRST):
        return tr("{0} support").format(verbal.removesuffix(FIRST))
    if verbal.endswith(SECOND):
        return tr("{0}, against").format(verbal.removesuffix(SECOND))
    return tr("neutral") if verbal != NOT_ESTIMABLE else verbal


@dataclass(frozen=True)
class Ratio:
    """A likelihood ratio as a result holds it: log10, with its interval, and whether it stands at a limit of the validation."""

    value: float | None
    interval: tuple[float, float] | None
    bounded: bool

    @classmethod
    def of(cls, value: float | None, interval: Sequence[float] | None, bounded: bool | None) -> Ratio:
        ends = (float(interval[0]), float(interval[1])) if interval else None
        return cls(None if value is None else float(value), ends, bool(bounded))

    @property
    def figure(self) -> str:
        """The LR itself: '40', 'at least 190', '0.7'."""
        if self.value is None:
            return NOT_ESTIMABLE
        if not self.bounded:
            return lr_figure(self.value)
        limit = tr("at least {0}") if self.value > 0 else tr("at most {0}")
        return limit.format(lr_figure(self.value))

    @property
    def spoken(self) -> str:
        """All of it in words, for those who do not see the scale."""
        if self.value is None:
            return tr("likelihood ratio not estimable")
        text = tr("log10 LR {0}, likelihood ratio {1}").format(signed(self.value), self.figure)
        if self.interval is not None:
            text += tr(", 95 % interval {0} to {1}").format(*(lr_figure(end) for end in self.interval))
        return text
