"""Results in words for a person at a terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forensia.corpus import Corpus

LISTED = 12  # problems; --json has them all
CANDIDATES = 5
CONTRIBUTIONS = 6


def corpus_lines(corpus: Corpus) -> str:
    """What was read, in a few lines."""
    from forensia.wording.problems import message

    active = corpus.active
    lines = [f"Read {len(active)} documents by {len(active.authors)} authors (layout: {corpus.layout})."]
    problems = corpus.every_problem
    lines += [f"  {problem.severity.value}: {message(problem)}" for problem in problems[:LISTED]]
    if len(problems) > LISTED:
        lines.append(f"  ... and {len(problems) - LISTED} more; --json lists them all.")
    return "\n".join(lines)


def trust_lines(summary: Mapping[str, Any]) -> str:
    """How far the model can be trusted, in a few sentences."""
    intervals, lr, found = summary["intervals"], summary["lr"], summary["open_set"]
    lines = ["How far can this model be trusted? Measured on known texts, each scored by a model that had not seen it:"]
    for method, name in (("lazy", "Lazy AA"), ("stacked", "Stacked AA")):
        measured = summary["aa"][method]
        spread = _percents(intervals[f"{method} accuracy"])
        lines.append(
            f"  {measured['accuracy']:.0%} rank their own author first by {name}{spread}; macro-F1 {measured['macro_f1']:.3f}."
        )
    for key, name in (("listed", "another listed author"), ("unlisted", "somebody not in the corpus")):
        cost = lr[key]
        if cost is None:
            lines.append(f"  Likelihood ratios against '{name}' are not estimable.")
            continue
        spread = (
            "" if cost["cllr_interval"] is None else " (95 % interval {:.2f} to {:.2f})".format(*cost["cllr_interval"])
        )
        wrong = next(rate["different"] for rate in cost["misleading"] if rate["threshold"] == 100)
        lines.append(
            f"  Likelihood ratios against '{name}': Cllr {cost['cllr']:.2f}{spread}; 0 is perfect, 1 useless. "
            f"Above 100 for a wrong author: {wrong:.1%}."
        )
    listed = found["listed"]
    right = "" if listed["right_when_given"] is None else f", right in {listed['right_when_given']:.0%} of them"
    lines.append(f"  An opinion would be given on {listed['opinion']:.0%} of texts by listed authors{right}.")
    if found["declined"] is not None:
        lines.append(f"  Texts by authors who are not listed are declined in {found['declined']:.0%} of cases.")
    lines += [f"  Note: {note}" for note in summary["notes"]]
    return "\n".join(lines)


def document_lines(document: Mapping[str, Any]) -> str:
    """The first candidates by both methods, the likelihood ratios, the opinion."""
    lines = [f"\n{document['file']} ({document['words']:,} words)", f"      {'Lazy AA':<38}Stacked AA"]
    for lazy, stacked in list(zip(document["lazy"], document["stacked"], strict=True))[:CANDIDATES]:
        left, right = (f"{row['author'][:28]:<28} {row['score']:.3f}" for row in (lazy, stacked))
        lines.append(f"  {lazy['rank']:>2}  {left}    {right}")
    said = document["opinion"]["given"]  # words of support beside 'no opinion' would be one
    lines += [
        f"      log10 LR {row['log10_lr']:+.2f}{_signed(row['log10_lr_interval'])}  {row['author'][:28]}"
        + (f": {row['verbal']}" if said else "")
        for row in document["verification"][:CANDIDATES]
        if row["log10_lr"] is not None
    ]
    lines += opinion_lines(document["opinion"])
    lines += [f"  Note: {warning}" for warning in document["warnings"]]
    return "\n".join(lines)


def opinion_lines(opinion: Mapping[str, Any]) -> list[str]:
    """What may be said, and why not more."""
    return ["  " + " ".join([opinion["statement"], *opinion["reasons"]])]


def pair_lines(found: Mapping[str, Any]) -> str:
    """Two texts compared."""
    lines = [
        f"{found['a']['file']} and {found['b']['file']}",
        f"  model score {_score(found['score'])} (not a probability of authorship)",
    ]
    if found["log10_lr"] is not None:
        lines.append(f"  log10 LR {found['log10_lr']:+.2f}{_signed(found['log10_lr_interval'])}")
    lines += opinion_lines(found["opinion"])
    lines += [f"  Note: {warning}" for warning in found["warnings"]]
    for side, word in (("for", "Speaks for one writer"), ("against", "Speaks against")):
        names = ", ".join(row["feature"] for row in found[side][:CONTRIBUTIONS])
        lines.append(f"  {word}: {names or 'nothing much'}.")
    return "\n".join(lines)


def _score(value: float) -> str:
    return "above 0.99" if value > 0.99 else "below 0.01" if value < 0.01 else f"{value:.2f}"


def _percents(ends: Sequence[float] | None) -> str:
    if ends is None or not all(math.isfinite(end) for end in ends):
        return ""
    return f" (95 % interval {ends[0]:.0%} to {ends[1]:.0%})"


def _signed(ends: Sequence[float] | None) -> str:
    return "" if ends is None else f" ({ends[0]:+.2f} to {ends[1]:+.2f})"
