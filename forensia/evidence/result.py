"""What was found about a disputed text, or about two texts: the types that every surface shows, prints and exports.

They hold codes and numbers and no sentences, which are made in `wording`. A number that could not be estimated is None. Results
are kept in the case by `codec`, so a field may be added with a default, and `FORMAT` tells when that is not enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Literal

from forensia.corpus.document import Problem
from forensia.evidence.calibration import Bounds, Side
from forensia.systems.others import ASKED

FORMAT = 2
"""Of a stored result; version 0.1 wrote format 1, without saying so."""

FUSED, LAZY, STACKED = "fused", "lazy", "stacked"
RANKING = (FUSED, LAZY, STACKED)
"""The systems that rank authors, the headline first."""

DV_BIN = "DV-Bin"
INDEPENDENT = ASKED
"""The systems of another kind, which are asked whether they agree."""

FEWEST_TO_RULE_OUT = 20
"""Known texts of an author: the conformal p of fewer cannot fall below 5 %."""

Source = Literal["known", "new", "unknown"]
"""Whether a text comes from a source of which there are known texts; version 0.1 did not ask."""

Value = str | int | float | bool | tuple[str | int, ...] | None
Ends = tuple[float, float]


class Alternative(StrEnum):
    """Who else may have written the text: another listed author, somebody not in the corpus, somebody for whom the reference population
    stands, or one of the listed and nobody else."""

    LISTED = "listed"
    UNLISTED = "unlisted"
    POPULATION = "population"
    CLOSED = "closed"


@dataclass(frozen=True)
class Condition:
    """The texts that a figure was measured on: whether their source was known, and how long they were (None: whole).

    Longer than known texts are, they were made by joining so many `texts` of one author. Of whole ones the `median` says how long they
    were; a case of an earlier version does not have it.
    """

    source: Source = "unknown"
    words: int | None = None
    texts: int = 1
    median: int | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Stated:
    """Where a disputed text comes from, as the analyst has it, and why: from a new source unless there is a reason to say otherwise."""

    source: Source = "new"
    because: str = ""


FROM_NEW_SOURCE = Stated()


@dataclass(frozen=True)
class Question:
    """What the analyst asks of a disputed text: who of the candidates wrote it, if one of them did ('who'); who of them, when it is agreed
    that one of them did, and why that is ('one of these'); or whether one of them, `author`, did ('did')."""

    kind: Literal["who", "one of these", "did"] = "who"
    author: str = ""
    because: str = ""


WHO = Question()


@dataclass(frozen=True)
class LikelihoodRatio:
    """A log10 LR within the bounds of its alternative, its 95 % interval, and which bound it stands at, if any."""

    log10: float
    interval: Ends | None
    alternative: Alternative
    bounds: Bounds
    reached: Side | None = None


@dataclass(frozen=True)
class Placed:
    """What a system says of an author; `accepted` by its own rule, None where it has none."""

    score: float
    rank: int
    accepted: bool | None = None


@dataclass(frozen=True)
class Candidate:
    """An author with all that is said of them. `headline` is the lower of both LRs, with its own interval."""

    author: str
    texts: int
    reach: int  # how many of these texts the Lazy score looks at, if there is one
    systems: Mapping[str, Placed]
    headline: LikelihoodRatio | None = None
    listed: LikelihoodRatio | None = None
    unlisted: LikelihoodRatio | None = None
    p: float | None = None
    p_among: int = 0  # texts that p is a share of; 0 in results of earlier versions: the author's
    used: tuple[int, ...] = ()  # rows of the texts that the fused score rests on, where it is not all of them

    @property
    def can_be_ruled_out(self) -> bool:
        """Whether there are so many texts that a conformal p below 5 % is possible."""
        return self.p is not None and (self.p_among or self.texts) >= FEWEST_TO_RULE_OUT

    @property
    def accepted_by(self) -> tuple[str, ...]:
        """Which of Lazy and Stacked accept the author."""
        return tuple(name for name in (LAZY, STACKED) if name in self.systems and self.systems[name].accepted)

    @property
    def placed(self) -> Placed:
        """What the headline system says."""
        return self.systems[FUSED if FUSED in self.systems else LAZY]


@dataclass(frozen=True)
class Reason:
    """Why there is no opinion, what must be kept in mind, or what limits a figure: a code and the numbers in its sentence."""

    code: str
    values: Mapping[str, Value] = field(default_factory=dict)


Kind = Literal["author", "not the author", "none of these", "none given"]


@dataclass(frozen=True)
class Opinion:
    """What may be said. `about` is the author who was asked about, or who has the highest score: the findings are stated for this one
    whether there is an opinion or not.

    `family_p`: how often a text by an outsider scores as high with at least one of the authors.
    """

    kind: Kind
    about: str
    reasons: tuple[Reason, ...] = ()
    family_p: float | None = None

    @property
    def given(self) -> bool:
        return self.kind != "none given"

    @property
    def author(self) -> str | None:
        """The author whom the opinion is for."""
        return self.about if self.kind == "author" else None


@dataclass(frozen=True)
class Vote:
    """Whom a system of another kind puts first, whether that is the first author here, and whether they pass its own threshold."""

    method: str
    first: str
    agrees: bool
    accepts: bool | None


@dataclass(frozen=True)
class Changed:
    """One change of the sensitivity table: who is first then, and where the first author stands; None where the LR is not estimable."""

    kind: Literal[
        "seed", "family off", "mask", "half", "typing", "source off", "punctuation", "equal numbers"
    ]  # seeds are of version 0.1
    what: str
    first: str
    rank: int
    log10: float | None


@dataclass(frozen=True)
class LeftOut:
    """Each known document left out in turn: how often the first author changes, by which documents, and between which log10 LRs."""

    documents: int
    first_changes: int
    changed_by: tuple[str, ...]
    log10: Ends | None


@dataclass(frozen=True)
class Sensitivity:
    """Whether the first place survives each change."""

    author: str
    variants: tuple[Changed, ...]
    left_out: LeftOut
    survives: bool


@dataclass(frozen=True)
class Known:
    """The known documents that a text was compared with, as people call them, and their authors."""

    documents: tuple[str, ...]
    authors: tuple[str, ...]

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Each document with its author."""
        return list(zip(self.documents, self.authors, strict=True))


@dataclass(frozen=True)
class Result:
    """Everything about one disputed text. The candidates stand in the order of the headline system, the highest first.

    `condition` is that of the figures which the likelihood ratios rest on: None as long as the case is not validated. There are no
    `pair_scores` and no `k` where the diff-vector part was not trained yet.
    """

    document: str
    file: str
    sha256: str
    words: int
    condition: Condition | None
    candidates: tuple[Candidate, ...]
    known: Known
    pair_scores: tuple[float, ...]
    k: int
    opinion: Opinion
    warnings: tuple[Reason, ...] = ()
    problems: tuple[Problem, ...] = ()
    sensitivity: Sensitivity | None = None
    no_sentences: bool = False
    program: str = ""
    format: int = FORMAT
    stated: Stated = FROM_NEW_SOURCE
    question: Question = WHO

    @cached_property
    def population(self) -> int:
        """How many authors of a reference population stand for people who are no candidates."""
        return len(set(self.known.authors) - set(self.by_author))

    @property
    def asked(self) -> str | None:
        """The author who is asked about: one of several, or the only candidate."""
        return self.opinion.about if self.question.kind == "did" or len(self.candidates) == 1 else None

    @cached_property
    def by_author(self) -> Mapping[str, Candidate]:
        return {each.author: each for each in self.candidates}

    @property
    def subject(self) -> Candidate:
        """The candidate for whom the findings are stated."""
        return self.by_author[self.opinion.about]

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that ranked the candidates."""
        return tuple(self.candidates[0].systems) if self.candidates else ()

    @property
    def fused_only(self) -> bool:
        """Whether the diff-vector part had not been trained when the text was judged."""
        return LAZY not in self.systems

    @property
    def rankings(self) -> tuple[str, ...]:
        """The systems whose rankings are the answer, the headline first."""
        return tuple(system for system in RANKING if system in self.systems)

    def ranked(self, system: str) -> tuple[Candidate, ...]:
        """The candidates as a system ranks them."""
        return tuple(sorted(self.candidates, key=lambda each: each.systems[system].rank))

    @cached_property
    def votes(self) -> tuple[Vote, ...]:
        """What the systems of another kind say of the first place."""
        found = []
        for system in self.systems:
            if system in INDEPENDENT:
                first = self.ranked(system)[0]
                accepts = first.systems[system].accepted
                found.append(Vote(system, first.author, first.author == self.opinion.about, accepts))
        return tuple(found)


@dataclass(frozen=True)
class ComparedText:
    """One of two texts that were compared; `known_author` where it is one of the known texts.

    `attributed` is the author whom Lazy AA puts first, by a model that had not seen the text; None where there is no such model.
    """

    file: str
    sha256: str
    words: int
    known_author: str | None
    attributed: str | None


@dataclass(frozen=True)
class PairResult:
    """Whether one person wrote two texts: the LR of the alternative that claims least, from the `fused` log-odds; None: not estimable.

    Beside it `score` is Pr(Same) of DV-Bin, and `log_odds` its log-odds, by a model that had not seen both texts; an explanation adds up
    to those of the final model.
    """

    a: ComparedText
    b: ComparedText
    score: float
    log_odds: float
    fused: float | None
    ratio: LikelihoodRatio | None
    reasons: tuple[Reason, ...] = ()
    warnings: tuple[Reason, ...] = ()

    @property
    def given(self) -> bool:
        """Whether an opinion is given."""
        return self.ratio is not None and not self.reasons

    @property
    def dv_2xaa(self) -> bool | None:
        """DV-2xAA: whether both texts are attributed to one author; None where one of them could not be."""
        if self.a.attributed is None or self.b.attributed is None:
            return None
        return self.a.attributed == self.b.attributed


@dataclass(frozen=True)
class Strangers:
    """How well methods tell one writer from two, all on the same pairs of texts by people whom they do not know: their AUC."""

    same: int
    different: int
    auc: Mapping[str, float]
