"""The two ways of working, rule by rule, and how much work is put into testing a model.

`paper` is the paper to the letter. `forensic` differs where evidence needs it to. Training, validation and experiments all read their
rules here; nothing else asks for the name of a profile to decide what to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from forensia.errors import SettingsError

Typing = Literal["as typed", "canonical"]
"""Whether features are counted in a text as it was typed, or in the form that `corpus.typing` gives to all texts."""


@dataclass(frozen=True)
class Effort:
    """How thoroughly a model is tested.

    Models of nine tenths of the texts, or of the authors, are nearly the final one. Those of four fifths made claims up to five points
    too low (arXiv, PAN2011), and outsiders looked more familiar to them than they are.
    """

    folds: int = 10
    shortest: int = 50  # words of the lowest rung: no opinion is given on shorter texts
    resamples: int = 400  # for the intervals of likelihood ratios

    @property
    def fewer_resamples(self) -> int:
        """For pairs of texts and for the figures of a validation."""
        return self.resamples // 2

    @property
    def quick(self) -> bool:
        return self.folds < Effort.folds

    def to_header(self) -> dict[str, Any]:
        """Keys for headers and logs: `quick`, as in version 0.1, and all of it only where that does not say it."""
        return {"quick": self.quick} if self in (THOROUGH, QUICK) else {"quick": self.quick, "effort": asdict(self)}

    @classmethod
    def from_header(cls, header: Mapping[str, Any]) -> Effort:
        """What `to_header` wrote among other keys."""
        if "effort" in header:
            return cls(**header["effort"])
        return QUICK if header.get("quick") else THOROUGH


THOROUGH = Effort()
QUICK = Effort(folds=5)


@dataclass(frozen=True)
class Profile:
    """The rules by which a model is made and judged."""

    name: str
    typing: Typing
    scaled: bool  # families of features are brought to one length and weighed
    pairs: Literal["uniform", "matched"]  # matched: each document is as often in Same as in Different pairs
    c_by: Literal["pairs", "documents"]  # what the folds that choose C keep apart
    k: Literal["highest", "middle"]  # the best k, or the middle one of those about as good
    even: bool  # how many documents an author has must not count
    stacked_from: Literal["itself", "out of fold"]  # whose scores k and Stacked AA are learnt from
    effort: Effort = THOROUGH

    @property
    def out_of_fold(self) -> bool:
        """Whether there are scores by models that had not seen the document, and so a validation."""
        return self.stacked_from == "out of fold"


PAPER = Profile(
    "paper", typing="as typed", scaled=False, pairs="uniform", c_by="pairs", k="highest", even=False,
    stacked_from="itself",
)  # fmt: skip
FORENSIC = Profile(
    "forensic", typing="canonical", scaled=True, pairs="matched", c_by="documents", k="middle", even=True,
    stacked_from="out of fold",
)  # fmt: skip
PROFILES = {profile.name: profile for profile in (PAPER, FORENSIC)}


def profile_named(name: str, effort: Effort = THOROUGH) -> Profile:
    """One of the profiles, with so much effort."""
    if name not in PROFILES:
        raise SettingsError(f"There is no profile '{name}'. There are: {', '.join(PROFILES)}.")
    return replace(PROFILES[name], effort=effort)
