"""Every number that a report prints is made into words here, and noted with the value it came from.

So a test can hold all figures in the text of a PDF against the numbers of its results.json.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from forensia.evidence.calibration import Bounds
from forensia.wording.ratios import NOT_ESTIMABLE, figure, lr_figure, model_score, share

__all__ = ["NONE", "Printed", "Printer"]

NONE = "–"


@dataclass(frozen=True)
class Printed:
    """A number and the words it was printed in."""

    value: float
    words: str


@dataclass
class Printer:
    """Turns numbers into words; what is None is said to be not estimable, or shown as a dash where a table has no room."""

    printed: list[Printed] = field(default_factory=list)

    def _note(self, value: float, words: str) -> str:
        self.printed.append(Printed(value, words))
        return words

    def count(self, value: int | float) -> str:
        """How many."""
        return self._note(value, f"{value:,.0f}")

    def share(self, value: float | None) -> str:
        """A rate as a percentage, never rounded to all or nothing."""
        return NOT_ESTIMABLE if value is None else self._note(value, share(value))

    def shares(self, ends: Sequence[float] | None) -> str:
        """An interval of rates."""
        return NOT_ESTIMABLE if ends is None else f"{self.share(ends[0])} to {self.share(ends[1])}"

    def out_of(self, value: float | None, of: int) -> str:
        """A rate as so many of so many; as a percentage where nobody kept of how many."""
        if value is None or not of:
            return NONE if value is None else self.share(value)
        return f"{self._note(value, f'{value * of:,.0f}')} of {self.count(of)}"

    def rate_of(self, value: float | None, of: int, ends: Sequence[float] | None = None) -> str:
        """The same with the percentage and its 95 % interval, if there is one."""
        if value is None or not of:
            return NOT_ESTIMABLE if value is None else self.share(value)
        within = "" if ends is None else f"; 95 % interval {self.shares(ends)}"
        return f"{self.out_of(value, of)} ({self.share(value)}{within})"

    def score(self, value: float | None) -> str:
        """A score between 0 and 1, which is never printed as either."""
        if value is None:
            return NONE
        return self._note(value, model_score(value))

    def p(self, value: float | None) -> str:
        """A p-value."""
        return NONE if value is None else self._note(value, "< 0.01" if value < 0.01 else f"{value:.2f}")

    def cost(self, value: float | None) -> str:
        """Cllr and its like."""
        return NOT_ESTIMABLE if value is None else self._note(value, f"{value:.2f}")

    def costs(self, ends: Sequence[float] | None) -> str:
        """An interval of costs."""
        return NOT_ESTIMABLE if ends is None else f"{self.cost(ends[0])} to {self.cost(ends[1])}"

    def ratio(self, log10_lr: float | None, bounds: Bounds | None = None) -> str:
        """An LR, given by its logarithm, with two significant figures and within its bounds."""
        return NOT_ESTIMABLE if log10_lr is None else self._note(log10_lr, lr_figure(log10_lr, bounds))

    def short_ratio(self, log10_lr: float | None, bounds: Bounds | None = None) -> str:
        """An LR for a narrow table: ≥ stands for 'at least', ≤ for 'at most'."""
        return NONE if log10_lr is None else self._note(log10_lr, _signs(lr_figure(log10_lr, bounds)))

    def short_ratios(self, ends: Sequence[float] | None, bounds: Bounds | None = None) -> str:
        """The interval of an LR for a narrow table; once where both ends stand at one limit."""
        if ends is None:
            return NONE
        words = [self.short_ratio(end, bounds) for end in ends]
        return words[0] if words[0] == words[1] else " to ".join(words)

    def short_score(self, value: float | None) -> str:
        """A score for a narrow table."""
        if value is None:
            return NONE
        return self._note(value, model_score(value, short=True))

    def fused_score(self, value: float) -> str:
        """A score of the fused ranking, which may have any size."""
        return self._note(value, f"{value:.1f}".replace("-", "−"))

    def limit(self, log10_lr: float) -> str:
        """A bound of the LR, without the words that mark an LR which reaches it."""
        return self._note(log10_lr, figure(10.0**log10_lr))

    def decades(self, value: float | None) -> str:
        """A logarithm of an LR, with its sign."""
        return NONE if value is None else self._note(value, f"{value:+.2f}".replace("-", "−"))

    def signed(self, value: float | None) -> str:
        """A contribution to the log-odds."""
        if value is None:
            return NONE
        text = f"{value:+.2f}"
        return self._note(value, "0.00" if float(text) == 0 else text.replace("-", "−"))

    def rate(self, value: float | None) -> str:
        """How often in a thousand words, or the like."""
        return NONE if value is None else self._note(value, f"{value:.1f}" if value < 100 else f"{value:,.0f}")

    def plain(self, value: float | int | None) -> str:
        """A setting, with as many figures as tell it."""
        if value is None:
            return NONE
        if isinstance(value, int) or float(value).is_integer():
            return self._note(value, f"{value:,.0f}")
        digits = 4 if abs(value) < 10 else 6
        words = f"{value:.{digits}g}"
        return self._note(value, words if math.isfinite(value) else NOT_ESTIMABLE)


def _signs(words: str) -> str:
    return words.replace("at least ", "≥ ").replace("at most ", "≤ ")
