"""Numbers of an answer as the window shows and says them: a likelihood ratio in two significant figures, a model score never as 0 or 1."""

from __future__ import annotations

import math

from forensia.evidence.result import LikelihoodRatio, Result
from forensia.gui.words import tr
from forensia.wording.ratios import MARQUIS_2016, lr_figure, model_score

NOTHING = "–"


def to_come(result: Result) -> str:
    """Where Pr(Same) would be drawn."""
    if any(each.code == "population-of-counts" for each in result.warnings):
        return tr("There is no Pr(Same): it needs the texts of the population, which came as counts.")
    return tr("Pr(Same) is there once the diff-vector part is trained and the text has been analysed again.")


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
    found = MARQUIS_2016.support(ratio.log10)
    if found.favours == "neither":
        return tr("neutral")
    return (tr("{0} support") if found.favours == "hp" else tr("{0}, against")).format(found.band)


def figure(ratio: LikelihoodRatio) -> str:
    """The LR itself: '40', 'at least 190', '0.7'."""
    if ratio.reached is None:
        return lr_figure(ratio.log10)
    limit = tr("at least {0}") if ratio.log10 > 0 else tr("at most {0}")
    return limit.format(lr_figure(ratio.log10))


def spoken(ratio: LikelihoodRatio | None) -> str:
    """All of a likelihood ratio in words, for those who do not see the scale."""
    if ratio is None:
        return tr("likelihood ratio not estimable")
    text = tr("log10 LR {0}, likelihood ratio {1}").format(signed(ratio.log10), figure(ratio))
    if ratio.interval is not None:
        text += tr(", 95 % interval {0} to {1}").format(*(lr_figure(end) for end in ratio.interval))
    return text
