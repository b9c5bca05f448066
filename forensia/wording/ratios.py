"""The sentences in which results are said, and the words that are never said. Everything shown about an LR is made here.

Words for likelihood ratios: a named scale, the same below 1 for the other proposition, and never stronger than the bounded LR.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from forensia.errors import SettingsError
from forensia.evidence.calibration import Bounds
from forensia.evidence.result import FEWEST_TO_RULE_OUT
from forensia.wording.templates import percent

NOT_ESTIMABLE = "not estimable"
RANKING_CAPTION = "relative ranking among the authors supplied; assumes that one of them wrote it"
PLACED_AMONG = "; Lazy AA and Stacked AA score among all known authors, those of the population included"
ACCEPTED_CAPTION = "accepted by a system that puts the author first, which says nothing of authors not supplied"
ACCEPTED_AMONG = (
    "first: by the fused score among the candidates, by the others among all known authors, the population included"
)
CONFORMAL_CAPTION = (
    "share of the author's own texts, each scored as if it were the disputed one, that score as low as this text or lower; "
    "approximate and weak: it assumes that the text came about as the author's known texts did, and an author with fewer than "
    f"{FEWEST_TO_RULE_OUT} known texts cannot be ruled out by it"
)

STAND_INS_CAPTION = (
    "share of the texts of stand-ins, each left out and scored with its own author in the candidate's place, that score as low as this "
    "text does with the candidate or lower; approximate and weak: it assumes that the text came about as the known texts did, and that "
    "the candidate's texts are as like one another as those of the stand-ins are"
)

# Propositions are clauses that follow 'if' or 'that'; each names the text, because either may come first in a sentence.
DISPUTED = "the disputed text"
ONE_WRITER = "one person wrote both texts"
TWO_WRITERS = "two different people wrote the two texts"

# No LR is printed beyond this, whatever computed it: 0 and infinity cannot be said.
_PRINTED = Bounds(-9.0, 9.0, 0, 0)


def author_wrote(author: str, text: str = DISPUTED) -> str:
    """The first proposition for a listed author."""
    return f"{author} wrote {text}"


def another_listed(text: str = DISPUTED) -> str:
    """The alternative within the corpus."""
    return f"another of the listed authors wrote {text}"


def unlisted(text: str = DISPUTED) -> str:
    """The alternative outside the corpus."""
    return f"somebody who is not in the corpus wrote {text}"


def somebody_else(text: str = DISPUTED) -> str:
    """The alternative outside the candidates where there is a reference population."""
    return f"somebody else, for whom the reference population stands, wrote {text}"


def provided_listed(statement: str, authors: int, text: str = DISPUTED, *, agreed: bool = False) -> str:
    """A statement where nothing is known of anybody who is not listed, or nobody else is asked about: it holds on the condition that one
    of the listed wrote the text."""
    said = statement[:1].lower() + statement[1:]
    if agreed:
        return f"Provided that one of the {authors:,} listed authors wrote {text}, as is agreed, {said} Nobody else was considered."
    return f"Provided that one of the {authors:,} listed authors wrote {text}, {said} Of anybody else nothing is known."


def two_significant(value: float) -> float:
    """A positive number with two significant figures."""
    return float(f"{value:.1e}")


def figure(value: float) -> str:
    """A positive number as it is printed: two significant figures, thousands separated, no exponent."""
    if not (value > 0 and math.isfinite(value)):
        raise ValueError("only positive finite numbers can be printed as a figure")
    rounded = two_significant(value)
    if rounded >= 10:
        return f"{round(rounded):,}"
    return f"{rounded:.{1 - math.floor(math.log10(rounded))}f}"


def share(value: float) -> str:
    """A share as a percentage: '91 %', '4.3 %', '0.5 %', '99.7 %'; what is not 0 or 1 is never rounded to them."""
    if value in (0, 1) or math.isnan(value):
        return NOT_ESTIMABLE if math.isnan(value) else f"{100 * value:.0f} %"
    hundredths = 100 * value
    if 10 <= hundredths <= 99:
        return f"{hundredths:.0f} %"
    if hundredths > 99:
        return "above 99.9 %" if hundredths >= 99.95 else f"{hundredths:.1f} %"
    return "below 0.1 %" if hundredths < 0.05 else f"{hundredths:.1f} %"


@dataclass(frozen=True)
class Figures:
    """An LR and its interval after bounding (log10), and which of them stand at a bound: 'low' and 'high' of the interval too."""

    log10_lr: float
    interval: tuple[float, float] | None
    at_bound: bool
    ends_at_bound: tuple[bool, bool]
    bounds: Bounds

    def mirrored(self) -> Figures:
        """The same seen from the other proposition: LR below 1 is worded as 1/LR above 1."""
        turned = Bounds(-self.bounds.upper, -self.bounds.lower, self.bounds.n_same, self.bounds.n_different)
        ends = None if self.interval is None else (-self.interval[1], -self.interval[0])
        return Figures(-self.log10_lr, ends, self.at_bound, (self.ends_at_bound[1], self.ends_at_bound[0]), turned)

    @property
    def limit(self) -> str:
        """Whose limit a bound is."""
        if not self.bounds.comparisons:
            return "the limit of what is printed"
        return f"the limit that {self.bounds.comparisons:,} validation comparisons support"


def bounded_figures(
    log10_lr: float, interval: tuple[float, float] | None = None, bounds: Bounds | None = None
) -> Figures:
    """What may be printed of an LR and its interval: never beyond the bounds; an interval with an unknown end is none."""
    limits = _PRINTED
    if bounds is not None:
        limits = replace(bounds, lower=max(bounds.lower, _PRINTED.lower), upper=min(bounds.upper, _PRINTED.upper))
    ends, reached = None, (False, False)
    if interval is not None and not any(math.isnan(end) for end in interval):
        ends = (float(limits.apply(interval[0])), float(limits.apply(interval[1])))
        reached = (limits.side(interval[0]) is not None, limits.side(interval[1]) is not None)
    return Figures(float(limits.apply(log10_lr)), ends, limits.side(log10_lr) is not None, reached, limits)


def lr_figure(log10_lr: float, bounds: Bounds | None = None) -> str:
    """An LR for a table: '320', '0.0031', 'at least 320', 'at most 0.0031'."""
    if math.isnan(log10_lr):
        return NOT_ESTIMABLE
    shown = bounded_figures(log10_lr, None, bounds)
    return _end(shown.log10_lr, shown.at_bound, shown.bounds)


def lr_statement(
    log10_lr: float,
    hp: str,
    hd: str,
    interval: tuple[float, float] | None = None,
    bounds: Bounds | None = None,
    level: float = 0.95,
) -> str:
    """The sentence for an LR: so many times more probable if Hp than if Hd, turned round below 1, a limit where it is one.

    The LR and its interval may come as they were computed: they are bounded here.
    """
    if math.isnan(log10_lr):
        return f"How much more probable the findings are if {hp} than if {hd} is {NOT_ESTIMABLE}."
    shown = bounded_figures(log10_lr, interval, bounds)
    if shown.log10_lr < 0:
        shown, hp, hd = shown.mirrored(), hd, hp
    value = figure(10.0**shown.log10_lr)
    spread = "" if interval is None else f"{percent(level)} interval {_ends(shown)}"
    notes = [shown.limit] if shown.at_bound else []
    if value == "1.0":
        notes = [f"LR = 1 is {limit}" for limit in notes]
        notes[:0] = [spread] if spread else []
        return f"The findings are about equally probable if {hp} and if {hd}{_brackets(notes)}."
    if shown.at_bound and (shown.interval is None or shown.interval[0] >= shown.log10_lr):
        notes += [spread] if spread and shown.interval is None else []
        return f"The findings are at least {value} times more probable if {hp} than if {hd}{_brackets(notes)}."
    marks = [mark for mark in ("'at most'", "'at least'") if mark.strip("'") in spread]
    if marks:
        notes = [f"{' and '.join(marks)} mark{'' if len(marks) > 1 else 's'} {shown.limit}"]
    else:
        notes = [f"{value} is {limit}" for limit in notes]
    around = f" ({spread})" if spread else ""
    sentence = f"The findings are about {value}{around} times more probable if {hp} than if {hd}{_brackets(notes)}."
    if shown.interval is not None and shown.interval[0] <= 0 <= shown.interval[1]:
        sentence += " The interval includes 1: the findings may not tell the two apart."
    return sentence


def _brackets(notes: list[str]) -> str:
    return f" ({'; '.join(notes)})" if notes else ""


def _ends(shown: Figures) -> str:
    if shown.interval is None:
        return NOT_ESTIMABLE
    low, high = (
        _end(end, reached, shown.bounds) for end, reached in zip(shown.interval, shown.ends_at_bound, strict=True)
    )
    return f"{low} to {high}"


def _end(log10_lr: float, at_bound: bool, bounds: Bounds) -> str:
    text = figure(10.0**log10_lr)
    if not at_bound or text == "1.0":
        return text
    return f"at least {text}" if log10_lr >= bounds.upper else f"at most {text}"


def model_score(value: float, *, short: bool = False) -> str:
    """A model score from 0 to 1, which is never printed as either: 'above 0.99', or '> 0.99' where there is little room."""
    above, below = (">", "<") if short else ("above", "below")
    return f"{above} 0.99" if value > 0.99 else f"{below} 0.01" if value < 0.01 else f"{value:.2f}"


def against_statement(alpha: float, author: str, findings: str, *, stand_ins: bool = False) -> str:
    """The answer that an author did not write the text, with its weakness in the same breath."""
    own = (
        f"of the texts of authors who stood in for a candidate fewer than {percent(alpha)} score as low with their own author as this one "
        f"does with {author}"
        if stand_ins
        else f"fewer than {percent(alpha)} of the author's own texts score as low as this one"
    )
    return f"The findings speak against {author}: {own}. This test is approximate and weak. {findings}"


def none_statement(alpha: float, authors: int, *, stand_ins: bool = False) -> str:
    """The open-set answer, with its weakness in the same breath."""
    own = (
        f"of the texts of authors who stood in for a candidate fewer than {percent(alpha)} score as low with their own author as this one "
        "does with any of them"
        if stand_ins
        else f"for each of them fewer than {percent(alpha)} of the author's own texts score as low as this one"
    )
    return f"None of the {authors:,} listed authors: {own}. This test is approximate and weak."


# 'not the probability that A is the author' is what the caption of a score says.
_PROBABILITY_THAT = r"(?<!not the )\b(?:probability|likelihood|chance|odds) that [^.;:]{0,120}?"

# Each entry: what it is called when found, and how it is found (spaces in text are made single first).
FORBIDDEN: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("probability that A wrote", _PROBABILITY_THAT + r"\bwrote\b"),
        ("probability that A is the author", _PROBABILITY_THAT + r"\b(?:is|was) (?:the|an) author\b"),
        ("probability of authorship", r"\b(?:probability|likelihood|chance) of (?:common |shared )?authorship\b"),
        ("X % likely", r"\d\s?(?:%|per ?cent)\s?(?:likely|probable|probability|likelihood|chance|certain|certainty|sure)\b"),
        ("confidence 97 %", r"\bconfiden(?:ce|t)\b[^.;]{0,20}?\d+(?:[.,]\d+)?\s?(?:%|per ?cent)"),
        ("97 % confidence", r"\d\s?(?:%|per ?cent)\s?confiden(?:ce|t)\b"),
        ("match", r"\bmatch(?:es|ed|ing)?\b"),
        ("identified", r"\bidentif(?:y|ies|ied|ying|ication|ications)\b"),
        ("proves", r"\b(?:dis)?pro(?:ve|ves|ved|ven|ving|of)\b"),
        ("probably wrote", r"\b(?:probably|likely|certainly|undoubtedly) (?:wrote|written by|the author)\b"),
        ("beyond doubt", r"\bbeyond (?:any |a |all )?(?:reasonable )?doubt\b"),
    )
)  # fmt: skip


def forbidden_in(text: str, quoted: Iterable[str] = ()) -> list[str]:
    """Every forbidden phrase in a text, as found; `quoted` is material not ours (names, passages), which is left out first."""
    text = _single_spaced(text)
    for passage in sorted((_single_spaced(each) for each in quoted), key=len, reverse=True):
        if passage:
            text = text.replace(passage, "…")
    return [f"{name}: {found.group(0)}" for name, pattern in FORBIDDEN for found in pattern.finditer(text)]


def _single_spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


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
