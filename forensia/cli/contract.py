"""The public JSON of the command line: with `paircontract` the one place that knows its keys.

They are a contract; a key may be added, none changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensia.corpus.document import Corpus, Problem, Role
from forensia.evidence import possible as evidence
from forensia.evidence.learnt import ModelRecord, UsedTexts
from forensia.evidence.population import Population, PopulationText
from forensia.evidence.result import (
    Alternative,
    Candidate,
    Condition,
    LikelihoodRatio,
    Result,
    Sensitivity,
)
from forensia.evidence.suitability import Suited
from forensia.evidence.summary import Attribution, AuthorFigure, Figure, OpenSet, Performance, ValidationSummary
from forensia.wording import opinion, problems, reasons
from forensia.wording.ratios import MARQUIS_2016, NOT_ESTIMABLE

if TYPE_CHECKING:
    from forensia.service.analysing import Batch
    from forensia.service.importing import Addition
    from forensia.service.verifying import Confirmation, Verification

Json = dict[str, Any]


def fields(of: object | None, *names: str) -> Json:
    """Fields of a result that the JSON has under their own names, in this order; null where there is no such result."""
    found = {name: None if of is None else getattr(of, name) for name in names}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}


def analysed(
    model: ModelRecord, batch: Batch, warnings: Sequence[str] = (), exhibit: Callable[[str], str] = lambda file: ""
) -> Json:
    """`analyse --json`."""
    labels = [exhibit(each.file) for each in batch.results]
    return {
        "model": about(model),
        "documents": [
            {**document(each), **({"exhibit": label} if label else {})}
            for each, label in zip(batch.results, labels, strict=True)
        ],
        "refused": [fields(each, "file", "reason") for each in batch.refused],
        "warnings": list(warnings),
    }


def about(model: ModelRecord) -> Json:
    """How a model came about; what belongs to the diff-vector part is null as long as that is not trained."""
    pairs = model.pairs
    return {
        **fields(model, "profile", "seed", "authors", "documents"),
        **fields(pairs, "features"),
        **fields(model, "families", "mask"),
        "factors": None if pairs is None else dict(pairs.factors),
        **fields(pairs, "pairs", "pairs_sha256", "c"),
        "c_losses": None if pairs is None else dict(pairs.losses),
        **fields(pairs, "converged", "k"),
        "k_accuracy": None if pairs is None else pairs.k_accuracy[pairs.k - 1],
        "quick": model.quick,
        "language": dict(model.language),
        **_used(model.used),
    }


def _used(texts: UsedTexts | None) -> Json:
    """How many known texts were used, where it was not to be all of them."""
    if texts is None:
        return {}
    return {"used": fields(texts, "at_most", "documents", "known")}


def population(made: Population, against: Sequence[tuple[str, Suited]] = ()) -> Json:
    """`population --json`."""
    record = made.record
    return {
        **fields(record, "name", "description"),
        "authors": len(made.authors),
        "language": dict(record.language),
        "mask": made.blocks.mask.kind,
        "typing": made.blocks.typing,
        **fields(record, "pseudonyms", "because"),
        "texts": [fields(text, "author", "sources", "words", "sha256") for text in record.texts],
        "against": [
            {
                "name": name,
                "words": each.words,
                "as_long": each.length,
                "as_far_in_kind": each.kind,
                "as_rarely_typed": each.typing,
                "codes": [reason.code for reason in each.reasons],
                "reasons": reasons.sentences(each.reasons),
            }
            for name, each in against
        ],
    }


def document(result: Result) -> Json:
    """One disputed text."""
    systems = {system: _ranking(result, system) for system in result.systems}
    return {
        **fields(result, "file", "sha256", "words"),
        "condition": None if result.condition is None else condition(result.condition),
        "stated": fields(result.stated, "source", "because"),
        "question": {"kind": result.question.kind, "author": result.asked, "because": result.question.because},
        "ranking": systems[result.rankings[0]],
        "systems": systems,
        "lazy": systems.get("lazy", []),
        "stacked": systems.get("stacked", []),
        "k": result.k or None,
        "k_by_author": {each.author: each.reach for each in result.candidates if each.reach},
        "verification": [_verified(result, each) for each in result.candidates],
        "pairs": [
            {"document": name, "author": author, "score": score}
            for (name, author), score in zip(result.known.rows, result.pair_scores, strict=not result.fused_only)
            if author in result.by_author
        ],
        "agreement": [fields(vote, "method", "first", "agrees", "accepts") for vote in result.votes],
        "sensitivity": None if result.sensitivity is None else _sensitivity(result.sensitivity),
        **fields(result, "no_sentences", "population"),
        "opinion": _opinion(result),
        "warnings": reasons.warnings(result),
    }


def condition(found: Condition) -> Json:
    """What a figure was measured on."""
    return {**fields(found, "source", "words", "texts"), "median_words": found.median}


def _ranking(result: Result, system: str) -> list[Json]:
    return [
        {"author": each.author, **fields(each.systems[system], "score", "rank", "accepted")}
        for each in result.ranked(system)
    ]


def _verified(result: Result, candidate: Candidate) -> Json:
    ratio = candidate.headline
    missing = None if result.condition is None else NOT_ESTIMABLE
    return {
        "author": candidate.author,
        "accepted": candidate.placed.accepted,
        "log10_lr": None if ratio is None else ratio.log10,
        "log10_lr_interval": None if ratio is None else ends(ratio.interval),
        "alternative": None if ratio is None else ratio.alternative.value,
        "bounded": None if ratio is None else ratio.reached is not None,
        "verbal": missing if ratio is None else MARQUIS_2016.support(ratio.log10).words,
        "conformal_p": candidate.p,
        "can_be_ruled_out": None if candidate.p is None else candidate.can_be_ruled_out,
        "documents": candidate.texts,
        "documents_used": [result.known.documents[row] for row in candidate.used] or None,
        "listed": _ratio(candidate.listed),
        "unlisted": _ratio(candidate.unlisted),
    }


def _ratio(ratio: LikelihoodRatio | None) -> Json | None:
    return None if ratio is None else {"log10_lr": ratio.log10, "interval": ends(ratio.interval)}


def ends(interval: tuple[float, float] | None) -> list[float] | None:
    """The ends of an interval, if there is one."""
    return None if interval is None else list(interval)


def _sensitivity(found: Sensitivity) -> Json:
    return {
        "author": found.author,
        "variants": [{**fields(row, "kind", "what", "first", "rank"), "log10_lr": row.log10} for row in found.variants],
        "left_out": {
            **fields(found.left_out, "documents", "first_changes", "changed_by"),
            "log10_lr": ends(found.left_out.log10),
        },
        "survives": found.survives,
    }


def _opinion(result: Result) -> Json:
    said = result.opinion
    found = opinion.findings(result)
    shown: Json = {
        **fields(said, "given", "kind", "author"),
        "statement": opinion.statement(result),
        "reasons": opinion.reasons(result),
    }
    if found is not None:
        ratio = result.subject.headline
        against = Alternative.LISTED if ratio is None else ratio.alternative
        shown["family_p"] = said.family_p
        shown["findings"] = {
            "author": said.about,
            "alternative": reasons.ALTERNATIVES[against.value],
            **fields(found, "statement", "support"),
            "log10_lr": None if ratio is None else ratio.log10,
            "log10_lr_interval": None if ratio is None else ends(ratio.interval),
        }
    return shown


def validated(summary: ValidationSummary, used: UsedTexts | None = None) -> Json:
    """`validate --json`."""
    pairs, whole = summary.pairs, summary.whole
    return {
        **fields(summary, "documents", "authors", "quick", "converged"),
        "aa": {system: _attribution(measured) for system, measured in summary.systems.items()},
        "sav": _pairs(pairs.unseen),
        "sav_unlisted": _pairs(pairs.unseen_outside),
        "sav_one_known": _pairs(pairs.known),
        "sav_one_known_unlisted": _pairs(pairs.known_outside),
        "sav_strangers": None if pairs.strangers is None else asdict(pairs.strangers),
        "lr": _ratios(whole),
        "conditions": [_figure(each) for each in summary.figures],
        "by_author": [_author(each) for each in summary.by_author],
        "open_set": _open_set(whole.open_set),
        "lengths": [
            {"words": each.condition.words, **_ratios(each), "open_set": _open_set(each.open_set)}
            for each in summary.figures
            if each.condition.words and each.condition.texts == 1 and each.condition.source == whole.condition.source
        ],
        "sources_told": summary.told,
        "population": None if summary.reference is None else asdict(summary.reference),
        "one_source": list(summary.one_source),
        **fields(summary, "median_words", "chance", "majority"),
        "weights": dict(summary.weights),
        "intervals": {
            "level": 0.95,
            **{
                f"{system} {name}": ends(both)
                for system, each in summary.systems.items()
                for name, both in (("accuracy", each.accuracy_interval), ("macro_f1", each.macro_f1_interval))
            },
            "sav cllr": None if pairs.unseen is None else ends(pairs.unseen.cllr_interval),
            "lr cllr": ends(whole.listed.cllr_interval),
            "lr unlisted cllr": None if whole.unlisted is None else ends(whole.unlisted.cllr_interval),
        },
        "notes": reasons.sentences(summary.notes),
        **_used(used),
    }


def _attribution(measured: Attribution) -> Json:
    return {**fields(measured, "accuracy", "macro_f1"), "confusion": [list(row) for row in measured.confusion]}


def _pairs(measured: Performance | None) -> Json:
    return fields(measured, "same", "different", "accuracy", "auc", "eer", "cllr", "cllr_min", "cllr_interval")


def _figure(figure: Figure) -> Json:
    """What was measured under one condition; shares are of the documents, those that are right of the opinions given."""
    rule, unlisted, outsiders = figure.open_set.listed, figure.unlisted, figure.open_set.unlisted
    return {
        **condition(figure.condition),
        "documents": rule.documents,
        "first": figure.first.share,
        "first_interval": ends(figure.first.interval),
        "first_left_out": figure.first.left_out,
        "cllr_listed": figure.listed.cllr,
        "cllr_listed_interval": ends(figure.listed.cllr_interval),
        "cllr_unlisted": None if unlisted is None else unlisted.cllr,
        "cllr_unlisted_interval": None if unlisted is None else ends(unlisted.cllr_interval),
        "opinions": rule.opinion,
        "opinions_given": rule.given,
        "opinions_interval": ends(rule.opinion_interval),
        "right": rule.right_when_given,
        "right_interval": ends(rule.right_interval),
        "none_of_these": rule.none_of_these,
        "none_of_these_interval": ends(rule.none_interval),
        "outsiders_supported": None if outsiders is None else outsiders.wrongly_supported,
        "outsiders_supported_interval": None if outsiders is None else ends(outsiders.supported_interval),
        "ruled_out": None if figure.denied is None else asdict(figure.denied),
    }


def _ratios(figure: Figure) -> Json:
    return {
        "listed": _performance(figure.listed),
        "unlisted": None if figure.unlisted is None else _performance(figure.unlisted),
    }


def _performance(measured: Performance) -> Json:
    return {
        **fields(measured, "same", "different", "cllr", "cllr_min", "cllr_interval", "eer", "auc"),
        "misleading": [fields(rate, "threshold", "same", "different") for rate in measured.misleading],
        "log10_bounds": None if measured.bounds is None else [measured.bounds.lower, measured.bounds.upper],
    }


def _open_set(found: OpenSet) -> Json:
    outside = found.unlisted
    return {
        "alpha": found.alpha,
        "listed": fields(found.listed, "documents", "opinion", "right_when_given", "none_of_these", "no_opinion"),
        "unlisted": None
        if outside is None
        else fields(outside, "documents", "wrongly_supported", "none_of_these", "no_opinion"),
        "false_support": [
            fields(each, "threshold", "one_author", "any_author", "candidates") for each in found.false_support
        ],
        "declined": None if outside is None else outside.declined,
    }


def _author(figure: AuthorFigure) -> Json:
    return {
        **fields(figure, "author", "documents"),
        **{system: fields(each, "precision", "recall", "f1") for system, each in figure.systems.items()},
        **fields(figure, "own_supported", "others_supported"),
        "median_log10_lr": figure.median_log10,
        "smallest_conformal_p": figure.smallest_p,
        **fields(figure, "source_left_out", "outside_supported"),
    }


def added(
    target: Path, addition: Addition, role: Role, population: Sequence[PopulationText], *, outdated: bool
) -> Json:
    """`add --json`; the case may have a `population` that came as counts."""
    corpus = addition.corpus
    return {
        "case": str(target),
        "role": role.value,
        "added": [{"file": each.path, **fields(each, "author", "id")} for each in addition.documents],
        "documents": len(corpus.active),
        "authors": len(corpus.active.authors),
        "candidates": list(corpus.active.candidates),
        "outdated": outdated,
        "problems": [problem(each) for each in corpus.every_problem],
        "possible": possible(corpus, population),
    }


def possible(corpus: Corpus, population: Sequence[PopulationText] = ()) -> list[Json]:
    """What will be possible with known texts."""
    return [
        {**fields(each, "what", "possible"), "code": each.reason.code, "sentence": reasons.sentence(each.reason)}
        for each in evidence.possible(corpus, population)
    ]


def problem(found: Problem) -> Json:
    """A line of the problems of a corpus."""
    return {
        "code": found.code,
        "severity": found.severity.value,
        "message": problems.message(found),
        "next_step": problems.next_step(found),
        "file": found.file,
    }


def verified(target: Path, found: Verification) -> Json:
    """`verify --json` of a case."""
    return {
        "case": str(target),
        "agrees": not found.differences,
        "run_again": fields(found, "arrays", "results", "comparisons"),
        "differences": [asdict(each) for each in found.differences],
        "notes": list(found.notes),
    }


def confirmed(found: Confirmation) -> Json:
    """`verify --json` of a report."""
    return {
        "report": str(found.report),
        "case": str(found.case),
        "agrees": not found.differences,
        "run_again": found.again,
        "numbers": {part: {"in_report": count, "agree": agree} for part, (count, agree) in found.numbers.items()},
        "differences": [asdict(each) for each in found.differences],
        "notes": list(found.notes),
    }
