"""How far a model can be trusted, in a few sentences; the figures themselves stand in a table, for a new source and for a known one."""

from __future__ import annotations

from forensia.evidence.result import FUSED
from forensia.evidence.summary import ValidationSummary
from forensia.wording import conditions, opinion, reasons
from forensia.wording.ratios import NOT_ESTIMABLE, share

_NO_NEW_SOURCE = ("sources-not-known", "nobody-has-two-sources")


def missing(summary: ValidationSummary) -> str:
    """That there are no figures for a new source, why, and how to change that; empty where there are."""
    return " ".join(reasons.sentences(note for note in summary.notes if note.code in _NO_NEW_SOURCE))


def sentences(summary: ValidationSummary) -> tuple[str, str, str, str]:
    """On what was measured, whether LRs may be worth nothing, which outsider was taken for others most often, and how pairs fared."""
    return _measured(summary), _costly(summary), _outsider(summary), opinion.strangers(summary)


def notes(summary: ValidationSummary) -> list[str]:
    """What else limits the validation."""
    return reasons.sentences(note for note in summary.notes if note.code not in _NO_NEW_SOURCE)


def short(summary: ValidationSummary) -> str:
    """A few words for the status bar."""
    whole = summary.whole
    cllr, first = (whole.unlisted or whole.listed).cllr, whole.first.share
    said = [f"Cllr {cllr:.2f}"] if cllr is not None else []
    said += [f"own author first for {share(first)}"] if first is not None else []
    source = "new source" if whole.condition.source == "new" else "known source"
    return f"validated ({source}): {', '.join(said) or NOT_ESTIMABLE}"


def _measured(summary: ValidationSummary) -> str:
    said = [
        f"Measured on {summary.documents:,} known documents by {summary.authors:,} authors, each judged by models that had not seen it."
    ]
    others = [
        f"{reasons.METHODS[system]} for {share(each.accuracy)}"
        for system, each in summary.systems.items()
        if system != FUSED
    ]
    if others:
        said.append(f"Beside the fused ranking, the true author is put first by {', '.join(others)}.")
    if summary.reference is None:
        said.append(
            f"By chance it would be about {share(summary.chance)}, by always naming the author with most texts {share(summary.majority)}."
        )
    else:
        said.append(
            f"{summary.reference.stand_ins:,} authors stood in for a candidate, each with as many texts; whoever wrote a tried text, and "
            "the stand-in, were left out of those whom they were held against."
        )
    said.append(f"Authors and plots are those for {conditions.measured(summary.whole.condition)}.")
    return " ".join(said)


def _costly(summary: ValidationSummary) -> str:
    performances = [each for figure in summary.figures for each in (figure.listed, figure.unlisted) if each is not None]
    if all(each.cllr is None or each.cllr < 1 for each in performances):
        return ""
    return "Where the cost (Cllr) reaches 1, the likelihood ratios are no better than none: no opinion is given."


def _outsider(summary: ValidationSummary) -> str:
    worst = conditions.worst_outsider(summary)
    if worst is None or worst.outside_supported is None:
        return ""
    return (
        f"Of the texts by people not in the corpus, those by {worst.author} led to an opinion for somebody else most often: "
        f"{share(worst.outside_supported)}."
    )
