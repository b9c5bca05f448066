"""How far a model can be trusted, in a few sentences; the figures themselves stand in a table, for a new source and for a known one."""

from __future__ import annotations

from forensia.evidence.result import FUSED
from forensia.evidence.summary import ValidationSummary
from forensia.gui import words
from forensia.gui.words import tr
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
    said = [tr("Cllr {0:.2f}").format(cllr)] if cllr is not None else []
    said += [tr("own author first for {0}").format(share(first))] if first is not None else []
    source = tr("new source") if whole.condition.source == "new" else tr("known source")
    return tr("validated ({0}): {1}").format(source, ", ".join(said) or NOT_ESTIMABLE)


def _measured(summary: ValidationSummary) -> str:
    said = tr("Measured on {0:,} known documents by {1:,} authors, each judged by models that had not seen it.").format(
        summary.documents, summary.authors
    )
    others = [
        tr("{0} for {1}").format(words.method(system), share(each.accuracy))
        for system, each in summary.systems.items()
        if system != FUSED
    ]
    if others:
        said += tr(" Beside the fused ranking, the true author is put first by {0}.").format(", ".join(others))
    if summary.reference is None:
        said += tr(" By chance it would be about {0}, by always naming the author with most texts {1}.").format(
            share(summary.chance), share(summary.majority)
        )
    else:
        said += tr(
            " {0:,} authors stood in for a candidate, each with as many texts; whoever wrote a tried text, and the stand-in, were left out "
            "of those whom they were held against."
        ).format(summary.reference.stand_ins)
    return said + tr(" Authors and plots are those for {0}.").format(conditions.measured(summary.whole.condition))


def _costly(summary: ValidationSummary) -> str:
    performances = [each for figure in summary.figures for each in (figure.listed, figure.unlisted) if each is not None]
    if all(each.cllr is None or each.cllr < 1 for each in performances):
        return ""
    return tr("Where the cost (Cllr) reaches 1, the likelihood ratios are no better than none: no opinion is given.")


def _outsider(summary: ValidationSummary) -> str:
    worst = conditions.worst_outsider(summary)
    if worst is None or worst.outside_supported is None:
        return ""
    return tr("Of the texts by people not in the corpus, those by {0} led to an opinion for somebody else most often: {1}.").format(
        worst.author, share(worst.outside_supported)
    )  # fmt: skip
