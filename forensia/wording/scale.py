"""Words for likelihood ratios: a named scale, the same below 1 for the other proposition, and never stronger than the bounded LR."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from forensia.errors import SettingsError
from forensia.evidence.calibration import Bounds
from forensia.wording.ratios import NOT_ESTIMABLE, bounded_figures, percent, two_significant

__all__ = ["ENFSI_2015", "MARQUIS_2016", "SCALES", "Favours", "Support", "VerbalScale", "spanned", "support_statement"]

Favours = Literal["hp", "hd", "neither"]


@dataclass(frozen=True)
class Support:
    """A band of the scale and the proposition it favours."""

    band: str
    favours: Favours

    @property
    def words(self) -> str:
        """For tables and JSON: 'moderate support for the first proposition'."""
        if self.favours == "neither":
            return self.band
        return f"{self.band} support for the {'first' if self.favours == 'hp' else 'second'} proposition"


@dataclass(frozen=True)
class VerbalScale:
    """Named bands: each word holds up to and including its LR, the last for everything above."""

    name: str
    bands: tuple[tuple[float, str], ...]

    def __post_init__(self) -> None:
        tops = [top for top, _ in self.bands]
        if not self.name.strip() or not tops or tops[-1] != math.inf or tops[0] <= 1 or tops != sorted(set(tops)):
            raise SettingsError(
                f"The verbal scale '{self.name}' makes no sense: it needs a name, and bands that rise from above 1 to no limit. "
                "Correct it, or choose one of the scales that come with the program."
            )

    def support(self, log10_lr: float) -> Support:
        """The band of an LR as it is printed, so that figure and word agree; 1.0 supports neither proposition."""
        if math.isnan(log10_lr):
            return Support(NOT_ESTIMABLE, "neither")
        lr = math.inf if abs(log10_lr) > 300 else two_significant(10.0 ** abs(log10_lr))
        if lr == 1:
            return Support("no support for either proposition", "neither")
        band = next(word for top, word in self.bands if lr <= top)
        return Support(band, "hp" if log10_lr > 0 else "hd")


MARQUIS_2016 = VerbalScale(
    "Marquis et al. (2016)",
    ((10, "weak"), (100, "moderate"), (1_000, "strong"), (10_000, "very strong"), (math.inf, "extremely strong")),
)
ENFSI_2015 = VerbalScale(
    "ENFSI (2015)",
    (
        (10, "weak"),
        (100, "moderate"),
        (1_000, "moderately strong"),
        (10_000, "strong"),
        (1_000_000, "very strong"),
        (math.inf, "extremely strong"),
    ),
)
SCALES: dict[str, VerbalScale] = {scale.name: scale for scale in (MARQUIS_2016, ENFSI_2015)}


def spanned(interval: tuple[float, float], scale: VerbalScale = MARQUIS_2016) -> tuple[Support, ...]:
    """The bands at both ends of an interval (log10 LR): one where it stays in a band."""
    low, high = scale.support(interval[0]), scale.support(interval[1])
    return (low,) if low == high else (low, high)


def support_statement(
    log10_lr: float,
    hp: str,
    hd: str,
    interval: tuple[float, float] | None = None,
    bounds: Bounds | None = None,
    scale: VerbalScale = MARQUIS_2016,
    level: float = 0.95,
) -> str:
    """The sentence with the words of the scale, and of both ends of the interval where they differ."""
    if math.isnan(log10_lr):
        return f"On the scale of {scale.name} the support is {NOT_ESTIMABLE}."
    shown = bounded_figures(log10_lr, interval, bounds)
    support = scale.support(shown.log10_lr)
    sentence = f"On the scale of {scale.name} the findings give {support.band}"
    if support.favours != "neither":
        first, second = (hp, hd) if support.favours == "hp" else (hd, hp)
        sentence += f" support for the proposition that {first} rather than that {second}"
    ends = () if shown.interval is None else spanned(shown.interval, scale)
    if len(ends) == 2:
        sentence += f" (over the {percent(level)} interval: {_run(ends[0], ends[1], hp, hd)})"
    return sentence + "."


def _run(low: Support, high: Support, hp: str, hd: str) -> str:
    """Both ends of an interval in words, the weaker first where they favour one proposition."""
    if low.favours == high.favours:
        weaker, stronger = (low, high) if low.favours == "hp" else (high, low)
        return f"{weaker.band} to {stronger.band}"
    names = {"hp": f" support that {hp}", "hd": f" support that {hd}", "neither": ""}
    return f"from {low.band}{names[low.favours]} to {high.band}{names[high.favours]}"
