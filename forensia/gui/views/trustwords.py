"""How far a model can be trusted, in four sentences: who is put first, what the likelihood ratios are worth, what strangers' texts do,

and how well two texts by strangers are compared.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from forensia.evidence.result import FUSED, Ends
from forensia.evidence.summary import Figure, OpenSet, ValidationSummary
from forensia.gui.views.stability import method
from forensia.wording import opinion
from forensia.wording.ratios import share


def tr(text: str) -> str:
    """Words of this module in the user's language."""
    return QCoreApplication.translate("", text)


def sentences(summary: ValidationSummary) -> tuple[str, str, str, str]:
    """The four sentences."""
    pairs = opinion.strangers(summary)
    return _ranking(summary), _ratios(summary.whole), _strangers(summary.whole.open_set), pairs


def short(summary: ValidationSummary) -> str:
    """A few words for the status bar."""
    cllr = (summary.whole.unlisted or summary.whole.listed).cllr
    first = tr("{0} of known documents ranked first").format(share(summary.headline.accuracy))
    return tr("validated: Cllr {0:.2f}, {1}").format(cllr, first) if cllr is not None else first


def _ranking(summary: ValidationSummary) -> str:
    told = ", ".join(
        tr("{0} by {1}").format(
            f"{share(each.accuracy)}{_between(each.accuracy_interval)}",
            tr("the fused ranking") if system == FUSED else method(system),
        )
        for system, each in summary.systems.items()
    )
    return tr(
        "Of {0:,} known documents by {1:,} authors, each judged by models that had not seen it, the true author is put first for {2}; "
        "by chance it would be about {3}, by always naming the author with most texts {4}."
    ).format(summary.documents, summary.authors, told, share(summary.chance), share(summary.majority))  # fmt: skip


def _ratios(figure: Figure) -> str:
    measured = figure.unlisted or figure.listed
    against = tr("somebody not in the corpus") if figure.unlisted else tr("another listed author")
    if measured.cllr is None:
        return tr("What the likelihood ratios are worth is not estimable with so few texts.")
    ends = measured.cllr_interval
    said = tr(
        "Against {0} the likelihood ratios cost {1:.2f}{2}, where 0 is perfect and 1 is no help at all (Cllr)."
    ).format(against, measured.cllr, _numbers(ends))
    strong = measured.beyond(10)
    if strong.same is not None and strong.different is not None:
        said += tr(" {0} of comparisons with a wrong author still reach an LR above 10; {1} with the right one fall below 1/10.").format(
            _some(strong.different), _some(strong.same)
        )  # fmt: skip
    if ends and ends[1] >= 1:
        said += tr(" They may be no better than none, so no opinion is given with this model.")
    return said


def _strangers(found: OpenSet) -> str:
    listed, unlisted = found.listed, found.unlisted
    given = round(listed.opinion * listed.documents)
    said = tr("For texts by listed authors an opinion is given in {0:,} of {1:,} cases").format(given, listed.documents)
    if given and listed.right_when_given is not None:
        right = round(listed.right_when_given * given)
        said += tr(", {0} of them for the true author").format(tr("all") if right == given else f"{right:,}")
    if unlisted is None:
        return said + tr(
            "; how often a stranger's text would be given to somebody is not estimable with so few authors."
        )
    wrong = round(unlisted.wrongly_supported * unlisted.documents)
    return said + tr(
        "; for texts by people not in the corpus, somebody is wrongly supported in {0:,} of {1:,}."
    ).format(wrong, unlisted.documents)


def _some(value: float) -> str:
    return tr("None") if value == 0 else share(value)


def _between(ends: Ends | None) -> str:
    return tr(" (95 % interval {0} to {1})").format(share(ends[0]), share(ends[1])) if ends else ""


def _numbers(ends: Ends | None) -> str:
    return tr(" (95 % interval {0:.2f} to {1:.2f})").format(*ends) if ends else ""
