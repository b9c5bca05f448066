"""The opinion on a text, or on two, in words; and the findings, which are stated whether there is an opinion or not."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from forensia.evidence.opinion import ALPHA
from forensia.evidence.result import Alternative, LikelihoodRatio, PairResult, Result
from forensia.evidence.summary import ValidationSummary
from forensia.evidence.writers import TextPair
from forensia.wording.ratios import (
    DISPUTED,
    MARQUIS_2016,
    ONE_WRITER,
    TWO_WRITERS,
    VerbalScale,
    against_statement,
    another_listed,
    author_wrote,
    lr_statement,
    none_statement,
    provided_listed,
    somebody_else,
    support_statement,
    unlisted,
)
from forensia.wording.reasons import PAIR_METHODS, sentences

NO_OPINION = "No opinion."
_UNKNOWN = (math.nan, math.nan)


@dataclass(frozen=True)
class Findings:
    """What a likelihood ratio says: the figure with both propositions, and the words of the scale."""

    statement: str
    support: str

    @property
    def whole(self) -> str:
        return f"{self.statement} {self.support}"


def findings(result: Result, scale: VerbalScale = MARQUIS_2016) -> Findings | None:
    """The findings about the author with the highest score, or who is asked about; None as long as the case is not validated."""
    if result.condition is None:
        return None
    ratio, hp = result.subject.headline, author_wrote(result.subject.author)
    found = _found(ratio, hp, alternative_clause(ratio), scale)
    if ratio is not None and ratio.alternative is Alternative.CLOSED:
        agreed = result.question.kind == "one of these"
        return replace(found, statement=provided_listed(found.statement, len(result.candidates), agreed=agreed))
    return found


def alternative_clause(ratio: LikelihoodRatio | None) -> str:
    """The second proposition of a likelihood ratio for a listed author."""
    if ratio is not None and ratio.alternative is Alternative.POPULATION:
        return somebody_else()
    return unlisted() if ratio is not None and ratio.alternative is Alternative.UNLISTED else another_listed()


def question(result: Result, text: str = DISPUTED) -> str:
    """What was asked, as a question."""
    asked, listed = (
        result.question,
        f"{len(result.candidates):,} {'candidates' if result.population else 'listed authors'}",
    )
    if result.asked is not None:
        return f"Did {result.asked} write {text}?"
    if asked.kind == "one of these":
        why = f'as the analyst states: "{asked.because.rstrip(".")}"'
        return f"Which of the {listed} wrote {text}? It is agreed that one of them did, {why}."
    return f"Which of the {listed}, if any, wrote {text}?"


def particular(result: Result) -> str:
    """The question, where it is not the usual one: which of several authors, if any."""
    return question(result) if result.asked is not None or result.question.kind != "who" else ""


def statement(result: Result, scale: VerbalScale = MARQUIS_2016) -> str:
    """The opinion in words; 'No opinion.' where there is none, for `reasons` say why."""
    opinion = result.opinion
    if opinion.kind == "none of these":
        return none_statement(ALPHA, len(result.candidates), stand_ins=bool(result.population))
    found = findings(result, scale)
    if opinion.kind == "not the author" and found is not None:
        return against_statement(ALPHA, opinion.about, found.whole, stand_ins=bool(result.population))
    return NO_OPINION if opinion.kind == "none given" or found is None else found.whole


def reasons(result: Result) -> list[str]:
    """Why there is no opinion; empty where there is one."""
    return sentences(result.opinion.reasons)


def pair_findings(result: PairResult | TextPair, scale: VerbalScale = MARQUIS_2016) -> Findings | None:
    """The findings about two texts; None where no likelihood ratio is estimable."""
    return None if result.ratio is None else _found(result.ratio, ONE_WRITER, TWO_WRITERS, scale)


def pair_statement(result: PairResult | TextPair, scale: VerbalScale = MARQUIS_2016) -> str:
    """The opinion on two texts in words."""
    found = pair_findings(result, scale)
    return found.whole if found is not None and result.given else NO_OPINION


def pair_attributions(result: PairResult) -> str:
    """What DV-2xAA says of two texts; empty where it says nothing."""
    if result.dv_2xaa is None:
        return ""
    first, second = result.a.attributed, result.b.attributed
    said = f"Same: Lazy AA ranks {first} highest for both texts"
    if not result.dv_2xaa:
        said = f"Different: Lazy AA ranks {first} highest for the first text and {second} for the second"
    return f"DV-2xAA says {said}. It can name known authors only, and it is no part of the likelihood ratio."


def strangers(summary: ValidationSummary) -> str:
    """How well two texts by people who are not in the corpus are told to be by one writer or by two; nothing before that was tried."""
    found = summary.pairs.strangers
    if summary.fused_only:
        return ""
    if found is None:
        return (
            "How well two texts by people not in the corpus are compared is not estimable with so few texts or authors."
        )
    shares = [f"{PAIR_METHODS[name]} {auc:.2f}" for name, auc in found.auc.items()]
    return (
        "Two texts by people not in the corpus, one writer or two: area under the ROC curve (0.5 is chance, 1 perfect) "
        f"{', '.join(shares)}; on {found.same:,} pairs by one writer and {found.different:,} by two."
    )


def _found(ratio: LikelihoodRatio | None, hp: str, hd: str, scale: VerbalScale) -> Findings:
    if ratio is None:
        return Findings(lr_statement(math.nan, hp, hd), support_statement(math.nan, hp, hd, scale=scale))
    ends = ratio.interval or _UNKNOWN
    return Findings(
        lr_statement(ratio.log10, hp, hd, ends, ratio.bounds),
        support_statement(ratio.log10, hp, hd, ends, ratio.bounds, scale),
    )


# How an answer holds when something that should not matter is changed

CHANGES = {
    "seed": "Other sample of pairs ({0})",  # in results of version 0.1
    "family off": "Without {0}",
    "mask": "With the {0}",
    "half": "Only the {0} of the text",
    "typing": "The disputed text {0}",
    "source off": "Without the source '{0}'",
    "punctuation": "The disputed text with {0}",
    "equal numbers": "With {0}",
}
"""What was changed, as a row of a table; the value says which."""
KINDS_OF_CHANGE = {
    "seed": "another sample of training pairs",
    "family off": "features left out",
    "mask": "words of the topic",
    "half": "half of the disputed text",
    "typing": "the disputed text",
    "source off": "a source of the author left out",
    "punctuation": "the disputed text",
    "equal numbers": "the known texts",
}
"""The same before a colon, behind which stands which."""
NOT_TRIED = "Not tried: it takes a validated model of the forensic profile."


def left_out_in_turn(documents: int) -> str:
    """The row of all known texts, each left out."""
    return f"Each of the {documents:,} known documents left out in turn"


def another_first(times: int, documents: int) -> str:
    """Who comes first then, where it is not always the same."""
    return f"another author {times} of {documents} times"


def stays_first(author: str, broken: int, changes: int, against: int, methods: int) -> str:
    """Whether the first of several stays first, and what other methods say."""
    first = f"{author} stays first under every change of features, topic, known documents and half of the text."
    if broken:
        first = f"{author} does not stay first under {broken} of {changes} changes."
    second = (
        f"{against} of {methods} methods put somebody else first." if against else f"All methods put {author} first."
    )
    return f"{first} {second}"


def stays_on_its_side(author: str, broken: int, changes: int, accepting: int, methods: int) -> str:
    """Of an author who is asked about, what matters is on which side of 1 the LR is."""
    first = f"The likelihood ratio for {author} stays on its side of 1 under every change."
    if broken:
        first = f"The likelihood ratio for {author} changes to the other side of 1 under {broken} of {changes} changes."
    return f"{first} {accepting} of {methods} other methods accept {author}." if methods else first
