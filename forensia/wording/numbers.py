"""Numbers of an answer as the window shows and says them: an LR in two significant figures, a model score never as 0 or 1."""

from __future__ import annotations

import math

from forensia.evidence.result import LikelihoodRatio, Result
from forensia.wording.ratios import MARQUIS_2016, lr_figure, model_score

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
