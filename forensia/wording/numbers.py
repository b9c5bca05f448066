"""Numbers as they are shown, said and printed: an LR in two significant figures, a model score never as 0 or 1.

Every number that a report prints is noted with the value it came from, so that a test can hold all figures in the text of a PDF against
the numbers of its results.json.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from forensia.evidence.calibration import Bounds
from forensia.evidence.result import Alternative, Candidate, LikelihoodRatio, Result
from forensia.wording import ratios
from forensia.wording.ratios import MARQUIS_2016, NOT_ESTIMABLE, lr_figure, model_score

NOTHING = "–"


def to_come(result: Result) -> str:
    """Where Pr(Same) would be drawn."""
    if any(each.code == "population-of-counts" for each in result.warnings):
        return "There is no Pr(Same): it needs the texts of the population, which came as counts."
    return "Pr(Same) is there once the diff-vector part is trained and the text has been analysed again."


def score(value: float | None) -> str:
    """A model score from 0 to 1; it is never printed as either."""
    if value is None or math.isnan(value):
        return NOTHING
    return model_score(value, short=True)


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


def log10(ratio: LikelihoodRatio | None) -> float | None:
    """The log10 LR, where there is one."""
    return None if ratio is None else ratio.log10


def end(ratio: LikelihoodRatio | None, place: int) -> float | None:
    """An end of the interval of the log10 LR, where there is one."""
    return None if ratio is None or ratio.interval is None else ratio.interval[place]


def support(ratio: LikelihoodRatio) -> str:
    """The words of the verbal scale, short: 'moderate support', 'weak, against'."""
    strength = MARQUIS_2016.support(ratio.log10)
    if strength.favours == "neither":
        return "neutral"
    return f"{strength.band} support" if strength.favours == "hp" else f"{strength.band}, against"


def figure(ratio: LikelihoodRatio) -> str:
    """The LR itself: '40', 'at least 190', '0.7'."""
    if ratio.reached is None:
        return lr_figure(ratio.log10)
    return f"{'at least' if ratio.log10 > 0 else 'at most'} {lr_figure(ratio.log10)}"


def spoken(ratio: LikelihoodRatio | None) -> str:
    """All of a likelihood ratio in words, for those who do not see the scale."""
    if ratio is None:
        return "likelihood ratio not estimable"
    text = f"log10 LR {signed(ratio.log10)}, likelihood ratio {figure(ratio)}"
    if ratio.interval is None:
        return text
    low, high = map(lr_figure, ratio.interval)
    return f"{text}, 95 % interval {low} to {high}"


def both_ratios(candidate: Candidate) -> str:
    """The headline of a candidate with both alternatives, in words."""
    ratio = candidate.headline
    if ratio is None:
        return spoken(None)
    lines = [spoken(ratio), support(ratio)]
    population = Alternative.POPULATION in (ratio.alternative, candidate.unlisted and candidate.unlisted.alternative)
    outside = "somebody else, as in the population" if population else "somebody not in the corpus"
    for each, against in ((candidate.listed, "another listed author"), (candidate.unlisted, outside)):
        if each is not None or not population:
            lines.append(f"against {against}: log10 LR {NOT_ESTIMABLE if each is None else signed(each.log10)}")
    return "\n".join(lines)


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
        return NOT_ESTIMABLE if value is None else self._note(value, ratios.share(value))

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
        return self._note(log10_lr, ratios.figure(10.0**log10_lr))

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

    def setting(self, value: float | int | None) -> str:
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
