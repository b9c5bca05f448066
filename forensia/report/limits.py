"""The limits of a report, made from what was found in this case: none is printed that does not apply, none that applies is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from forensia.evidence.likelihood import FEWEST_AUTHORS
from forensia.evidence.opinion import ALPHA, FEW_AUTHORS, FEW_WORDS, FEWEST_DOCUMENTS, FEWEST_WORDS
from forensia.report.printing import Printer

__all__ = ["limits"]

Found = Mapping[str, Any]
Limit = dict[str, Any]
_NAMED = 4
_WIDE = 1.5  # decades of an interval
_UNEQUAL = 2.0
_LONGER = 3.0
_COSTLY = 0.5


def limits(found: Found) -> list[Limit]:
    """Every limit that applies, the gravest first."""
    say = Printer()
    rules: Sequence[Callable[[Found, Printer], Iterator[Limit]]] = (
        _abstentions, _lengths, _validation, _cost, _open_set, _authors, _documents, _sources, _counts, _disagreement,
        _sensitivity, _intervals, _bounds, _weak_test, _genre, _several, _texts, _training, _passages,
    )  # fmt: skip
    every = [limit for rule in rules for limit in rule(found, say)]
    return sorted(every, key=lambda limit: -limit["weight"])


def _limit(code: str, weight: int, title: str, text: str) -> Limit:
    return {"code": code, "weight": weight, "title": title, "text": text}


def _results(found: Found) -> list[Found]:
    return [row["result"] for row in found["documents"]]


def _named(names: Sequence[str]) -> str:
    """Some names, and how many more there are."""
    shown = [f"'{name}'" for name in dict.fromkeys(names)]
    more = f" and {len(shown) - _NAMED:,} more" if len(shown) > _NAMED else ""
    return f"{', '.join(shown[:_NAMED])}{more}"


def _abstentions(found: Found, say: Printer) -> Iterator[Limit]:
    silent = [result for result in _results(found) if not result["opinion"]["given"]]
    if silent:
        reasons = dict.fromkeys(reason for result in silent for reason in result["opinion"]["reasons"])
        yield _limit(
            "no-opinion", 100, "No opinion",
            f"No opinion is given on {_named([result['file'] for result in silent])}. {' '.join(list(reasons)[:3])} "
            "That no opinion is given speaks neither for nor against anybody.",
        )  # fmt: skip


def _lengths(found: Found, say: Printer) -> Iterator[Limit]:
    short = [result for result in _results(found) if result["words"] < FEWEST_WORDS]
    if short:
        yield _limit(
            "too-short", 96, "Too short a text",
            f"{_named([result['file'] for result in short])}: fewer than {FEWEST_WORDS} words are no basis for an opinion.",
        )  # fmt: skip
    brief = [result for result in _results(found) if FEWEST_WORDS <= result["words"] < FEW_WORDS]
    if brief:
        fewest = min(result["words"] for result in brief)
        yield _limit(
            "short", 70, "A short text",
            f"{_named([result['file'] for result in brief])}: below {FEW_WORDS:,} words results are less certain "
            f"(the shortest has {say.count(fewest)}).",
        )  # fmt: skip


def _validation(found: Found, say: Printer) -> Iterator[Limit]:
    validation = found["validation"]
    if validation is None:
        yield _limit(
            "not-validated", 99, "No validation",
            "How far these numbers can be trusted was not measured. A ranking alone is no evidence.",
        )  # fmt: skip
        return
    if validation["quick"]:
        yield _limit(
            "quick", 80, "A quick validation",
            "The models of the validation were fitted in 5 folds instead of 10: they know fewer texts and authors than the final one, "
            "and the performance that is stated is less certain.",
        )  # fmt: skip
    if not validation["converged"]:
        yield _limit(
            "validation-not-converged", 82, "No convergence in the validation",
            "Some models of the validation did not converge; their scores are less certain than they look.",
        )  # fmt: skip


def _cost(found: Found, say: Printer) -> Iterator[Limit]:
    validation = found["validation"]
    if validation is None:
        return
    for key, name in (("listed", "another listed author"), ("unlisted", "somebody not in the corpus")):
        measured = validation["lr"][key]
        if measured is None or measured["cllr"] is None:
            continue
        ends = measured["cllr_interval"]
        if ends is not None and ends[1] >= 1:
            yield _limit(
                f"cost-{key}", 92, "Likelihood ratios that may be worth nothing",
                f"Against '{name}' the upper bound of the cost of the likelihood ratios (Cllr) is {say.cost(ends[1])}; at "
                "1 they are no better than none.",
            )  # fmt: skip
        elif measured["cllr"] > _COSTLY:
            yield _limit(
                f"cost-{key}", 60, "Likelihood ratios of low quality",
                f"Against '{name}' the cost of the likelihood ratios (Cllr) is {say.cost(measured['cllr'])}, nearer to 1 "
                "(useless) than to 0 (perfect).",
            )  # fmt: skip


def _open_set(found: Found, say: Printer) -> Iterator[Limit]:
    authors = found["model"]["authors"]
    text = (
        f"The rankings compare the {say.count(authors)} authors supplied and assume that one of them wrote the text. Nothing here "
        "excludes that somebody else did, whose texts were not supplied."
    )
    outsiders = None if found["validation"] is None else found["validation"]["open_set"]["unlisted"]
    if outsiders is not None:
        text += (
            f" In the validation {say.share(outsiders['wrongly_supported'])} of the texts by people who were not listed led to "
            "support for somebody who was."
        )
    yield _limit("open-set", 75, "Only the authors supplied", text)


def _authors(found: Found, say: Printer) -> Iterator[Limit]:
    authors = found["model"]["authors"]
    if found["validation"] is None:
        return
    if found["validation"]["lr"]["unlisted"] is None:
        yield _limit(
            "unlisted-not-estimable", 90, "Somebody else cannot be weighed",
            f"With {say.count(authors)} authors the alternative 'somebody who is not in the corpus' is not estimable; it needs "
            f"{FEWEST_AUTHORS}.",
        )  # fmt: skip
    elif authors < FEW_AUTHORS:
        yield _limit(
            "few-authors", 55, "Few authors",
            f"The alternative 'somebody who is not in the corpus' rests on {say.count(authors)} authors; {FEW_AUTHORS} or "
            "more would represent other writers better.",
        )  # fmt: skip


def _documents(found: Found, say: Printer) -> Iterator[Limit]:
    few = [row for row in found["materials"]["authors"] if 0 < row["documents"] < FEWEST_DOCUMENTS]
    if few:
        yield _limit(
            "few-documents", 62, "Authors with few texts",
            f"Fewer than {FEWEST_DOCUMENTS} known texts: {_named([row['author'] for row in few])}. What is said about them is "
            "hardly tested.",
        )  # fmt: skip


def _sources(found: Found, say: Printer) -> Iterator[Limit]:
    if found["validation"] is None:
        return
    rows = found["validation"]["by_author"]
    untried = [row["author"] for row in rows if not row["source_left_out"]]
    if untried:
        yield _limit(
            "few-sources", 58, "Texts from few sources",
            f"For {say.count(len(untried))} of {say.count(len(rows))} authors the known texts come from fewer than three sources (books, "
            f"accounts, files of one kind): {_named(untried)}. How well they are recognised in a text from a new source is "
            "not estimable, and is worse as a rule.",
        )  # fmt: skip


def _counts(found: Found, say: Printer) -> Iterator[Limit]:
    counts = [row["documents"] for row in found["materials"]["authors"] if row["documents"]]
    if counts and max(counts) > _UNEQUAL * min(counts):
        yield _limit(
            "unequal-counts", 40, "Unequal numbers of texts",
            f"The authors have between {say.count(min(counts))} and {say.count(max(counts))} known texts. Those with few are recognised "
            "less often, and are put behind others more often.",
        )  # fmt: skip


def _disagreement(found: Found, say: Printer) -> Iterator[Limit]:
    split = []
    for result in _results(found):
        firsts = {result["lazy"][0]["author"], result["stacked"][0]["author"]}
        if len(firsts) > 1 or any(not vote["agrees"] for vote in result["agreement"]):
            split.append(result["file"])
    if split:
        yield _limit(
            "disagreement", 78, "Methods disagree",
            f"For {_named(split)} methods of different kinds put different authors first. A conclusion that only some methods reach "
            "deserves less weight.",
        )  # fmt: skip


def _sensitivity(found: Found, say: Printer) -> Iterator[Limit]:
    shaky = [
        result["file"] for result in _results(found) if result["sensitivity"] and not result["sensitivity"]["survives"]
    ]
    if shaky:
        yield _limit(
            "sensitive", 72, "A first place that does not survive every change",
            f"For {_named(shaky)} another author comes first when the seed, the features, the masking of topics, the known "
            "texts or the half of the text are changed.",
        )  # fmt: skip
    topical = [
        result["file"]
        for result in _results(found)
        for variant in (result["sensitivity"] or {"variants": []})["variants"]
        if variant["kind"] == "mask" and variant["first"] != result["sensitivity"]["author"]
    ]
    if topical:
        yield _limit(
            "topic", 66, "Topic may play a part",
            f"For {_named(topical)} the first place changes when words of the topic are hidden (or shown): the likeness may be one of "
            "subject and not of style.",
        )  # fmt: skip


def _intervals(found: Found, say: Printer) -> Iterator[Limit]:
    wide = []
    for result in _results(found):
        findings = result["opinion"].get("findings")
        ends = findings and findings["log10_lr_interval"]
        if ends and ends[1] - ends[0] > _WIDE:
            wide.append(result["file"])
    if wide:
        yield _limit(
            "wide-interval", 64, "A wide interval",
            f"For {_named(wide)} the interval of the likelihood ratio is wide: another selection of known texts could have given "
            "a very different one.",
        )  # fmt: skip


def _bounds(found: Found, say: Printer) -> Iterator[Limit]:
    reached = [
        result["file"]
        for result in _results(found)
        for row in result["verification"][:1]
        if row["accepted"] and row["bounded"]
    ]
    if reached:
        yield _limit(
            "at-bound", 35, "A likelihood ratio at its limit",
            f"For {_named(reached)} the likelihood ratio stands at the limit that the validation supports; how much "
            "stronger the findings are cannot be said from so few comparisons.",
        )  # fmt: skip


def _weak_test(found: Found, say: Printer) -> Iterator[Limit]:
    if found["validation"] is None:
        return
    rows = [row for row in found["validation"]["by_author"] if (row["smallest_conformal_p"] or 1.0) >= ALPHA]
    if rows:
        smallest = min((row["smallest_conformal_p"] or 1.0) for row in found["validation"]["by_author"])
        yield _limit(
            "weak-test", 45, "Nobody can be excluded by the test of usualness",
            f"For {say.count(len(rows))} of {say.count(len(found['validation']['by_author']))} authors there are too few known "
            f"texts for a p below 0.05 (the smallest that can occur in this case is {say.p(smallest)}); 'none of these' can "
            "then never be the answer.",
        )  # fmt: skip


def _genre(found: Found, say: Printer) -> Iterator[Limit]:
    known = [row["words"] for row in found["materials"]["known"] if row["excluded"] is None]
    middle = sorted(known)[len(known) // 2] if known else 0
    far = [
        result["file"]
        for result in _results(found)
        if middle and not 1 / _LONGER <= result["words"] / middle <= _LONGER
    ]
    if far:
        yield _limit(
            "other-length", 50, "Texts of another length",
            f"{_named(far)}: the disputed text is more than three times as long, or as short, as most known texts are "
            f"(half of them have {say.count(middle)} words or fewer).",
        )  # fmt: skip
    languages = {row["language"] for row in found["materials"]["known"] if row["language"]}
    strange = [
        row["file"] for row in found["materials"]["disputed"] if row["language"] and row["language"] not in languages
    ]
    if strange and languages:
        yield _limit(
            "other-language", 85, "Texts in another language",
            f"{_named(strange)}: the language of the disputed text is not that of the known texts.",
        )  # fmt: skip
    yield _limit(
        "genre", 52, "Genre, time and circumstances",
        "The likelihood ratios hold for texts that came about as the known ones did. Whether the disputed text differs "
        "from them in kind, addressee, date or manner of writing is for the reader of both to judge; such differences make "
        "every author less like themselves.",
    )  # fmt: skip


def _several(found: Found, say: Printer) -> Iterator[Limit]:
    count = len(found["documents"])
    if count > 1:
        yield _limit(
            "several", 48, "Several disputed texts",
            f"Each of the {say.count(count)} disputed texts is judged by itself. Their likelihood ratios must not be multiplied: they "
            "share the known texts and the model, and that one person wrote them all is an assumption that was not tested.",
        )  # fmt: skip


def _texts(found: Found, say: Printer) -> Iterator[Limit]:
    grave = [
        row for row in found["preprocessing"]["problems"] if row["where"] == "disputed" and row["severity"] != "note"
    ]
    if grave:
        yield _limit(
            "doubtful-text", 68, "What was found in the disputed text",
            " ".join(dict.fromkeys(row["message"] for row in grave[:_NAMED])),
        )  # fmt: skip
    lacking = [result["file"] for result in _results(found) if result["no_sentences"]]
    if lacking:
        yield _limit(
            "no-sentences", 63, "No sentences",
            f"In {_named(lacking)} no sentences can be found, so sentence lengths were left out.",
        )  # fmt: skip
    if found["preprocessing"]["set_aside"]:
        count = len(found["preprocessing"]["set_aside"])
        yield _limit(
            "set-aside", 42, "Problems set aside",
            f"The analyst set {say.count(count)} of the problems found in the texts aside; the section on pre-processing has the reasons.",
        )  # fmt: skip


def _training(found: Found, say: Printer) -> Iterator[Limit]:
    model = found["model"]
    if not model["converged"]:
        yield _limit(
            "not-converged", 84, "No convergence",
            "The model did not converge; its scores are less certain than they look.",
        )  # fmt: skip
    if model["profile"] == "paper":
        yield _limit(
            "paper-profile", 98, "A model for experiments",
            "The model was trained with the protocol of the paper, which scores documents with a model that has seen them. It "
            "has no likelihood ratios and is no basis for an opinion.",
        )  # fmt: skip


def _passages(found: Found, say: Printer) -> Iterator[Limit]:
    reasons = dict.fromkeys(row["no_passages"] for row in found["documents"] if row["no_passages"])
    if reasons:
        yield _limit("no-passages", 30, "No passages", f"Passages could not be shown. {' '.join(reasons)}")
