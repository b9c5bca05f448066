"""Answers as the engine gives them, made up: small, always the same, with names that try to be more than names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Json = Any
HOSTILE = "<b>A & $x$"
AUTHORS = (HOSTILE, "محمد بن عبد الله", "C" * 90, "_smith")
TEXT = "I can't say, and I won't.\nThe 🜚 sign \u202eis hidden; and so on, and on."


def result(title: str = "disputed.txt", *, given: bool = True, documents: int = 3, shift: float = 0.0) -> Json:
    """The findings about one text: the first author leads."""
    count = len(AUTHORS)
    lazy = [0.997 - shift, 0.42, 0.1, 0.002]
    ratios: list[float | None] = [1.6, -0.04, -1.3, None]
    rows = [{"author": author, "score": lazy[place], "rank": place + 1} for place, author in enumerate(AUTHORS)]
    stacked = [
        {"author": AUTHORS[place], "score": [0.2, 0.7, 0.05, 0.05][place], "rank": [2, 1, 3, 4][place]}
        for place in (1, 0, 2, 3)
    ]
    verbal = ["moderate support for the first proposition", "weak support for the second proposition"]
    verification = [
        {
            "author": author,
            "accepted": place == 0,
            "log10_lr": ratios[place],
            "log10_lr_interval": None if ratios[place] is None else [ratios[place] - 0.5, ratios[place] + 0.6],
            "log10_lr_listed": ratios[place],
            "log10_lr_unlisted": None,
            "bounded": place == 2,
            "verbal": [*verbal, "moderate support for the second proposition", "not estimable"][place],
            "conformal_p": [0.36, 0.09, 0.004, None][place],
            "documents": documents,
        }
        for place, author in enumerate(AUTHORS)
    ]
    generator = np.random.default_rng(7)
    pairs = [
        {
            "document": f"{author}/letters/text {number}.txt",
            "author": author,
            "score": float(generator.uniform(0.01, 0.98)),
        }
        for number in range(documents)
        for author in AUTHORS
    ]
    findings = {
        "statement": "The findings are about 40 times more probable if A wrote it.",
        "support": "Moderate support.",
    }
    return {
        "file": title,
        "words": 834,
        "lazy": rows,
        "stacked": stacked,
        "pairs": pairs,
        "k": 2,
        "verification": verification,
        "agreement": [
            {"method": "cosine", "first": AUTHORS[0], "agrees": True, "accepts": None, "scores": [0.0] * count},
            {"method": "impostors", "first": AUTHORS[1], "agrees": False, "accepts": False, "scores": [0.0] * count},
        ],
        "sensitivity": {
            "author": AUTHORS[0],
            "variants": [
                {"kind": "seed", "what": "seed 1", "first": AUTHORS[0], "rank": 1, "log10_lr": 1.4},
                {"kind": "family off", "what": "punctuation", "first": AUTHORS[1], "rank": 3, "log10_lr": None},
                {"kind": "half", "what": "first half", "first": AUTHORS[0], "rank": 1, "log10_lr": 0.8},
            ],
            "left_out": {"documents": 12, "first_changes": 0, "changed_by": [], "log10_lr": [1.5, 1.8]},
            "survives": False,
        },
        "opinion": {
            "given": given,
            "kind": "author" if given else "none given",
            "author": AUTHORS[0] if given else None,
            "statement": "No opinion." if not given else " ".join(findings.values()),
            "reasons": [] if given else ["The interval of the likelihood ratio includes 1."],
            "findings": findings,
        },
        "warnings": ["The text is short: 834 words."],
        "explanations": {},
    }  # fmt: skip


def without_validation() -> Json:
    """The findings of a model that was never validated."""
    made = result(given=False)
    empty = (
        "log10_lr",
        "log10_lr_interval",
        "log10_lr_listed",
        "log10_lr_unlisted",
        "bounded",
        "verbal",
        "conformal_p",
    )
    made["verification"] = [{**row, **dict.fromkeys(empty)} for row in made["verification"]]
    made["opinion"] = {
        "given": False,
        "kind": "none given",
        "author": None,
        "statement": "No opinion.",
        "reasons": ["Not validated."],
    }
    made |= {"sensitivity": None, "agreement": []}
    return made  # fmt: skip


def _feature(column: int, name: str, family: str, relative: float) -> Json:
    usage = {"count": 3, "rate": 12.34, "unit": "per 1,000 words"}
    return {
        "column": column, "feature": name, "family": family, "relative": relative, "reading": f"How {name} reads.",
        "documents": 5, "authors": 2, "usage_a": usage, "usage_b": {**usage, "count": 0, "rate": 0.0},
    }  # fmt: skip


def places(text: str, word: str) -> Json:
    """Where a word stands in a text, as an inquiry tells it."""
    spans, start = [], text.find(word)
    while start >= 0:
        spans.append([start, start + len(word)])
        start = text.find(word, start + 1)
    return {"spans": spans, "more": False}


def found(other: str = "And nobody can't, and nobody won't.") -> Json:
    """What speaks for and against, in two texts."""
    features = {
        1: _feature(1, "function word 'and'", "function words", 2.0),
        2: _feature(2, "punctuation ','", "punctuation", -1.0),
        3: _feature(3, "punctuation '<i>'", "punctuation", 0.5),
        4: _feature(4, "word 'sign'", "words", 0.01),
    }
    words = {1: "and", 2: ",", 3: "hidden", 4: "sign"}

    def text(title: str, content: str) -> Json:
        there = {str(column): places(content, word) for column, word in words.items()}
        kept = {column: each for column, each in there.items() if each["spans"]}
        return {
            "title": title, "file": title, "author": HOSTILE, "words": 14, "text": content, "more": 0, "places": kept,
        }  # fmt: skip

    families = [
        {"family": "function words", "features": 148, "differing": 110, "relative": 2.0},
        {"family": "punctuation", "features": 12, "differing": 6, "relative": -0.5},
        {"family": "words", "features": 30, "differing": 6, "relative": 0.01},
    ]
    return {
        "author": HOSTILE,
        "documents": ["one.txt"],
        "score": 0.99999,
        "families": families,
        "features": {str(column): each for column, each in features.items()},
        "for": [1, 3, 4],
        "against": [2],
        "by_family": {
            "function words": {"for": [1], "against": []},
            "punctuation": {"for": [3], "against": [2]},
            "words": {"for": [4], "against": []},
        },
        "texts": [text("<i>disputed", TEXT), text("nearest", other)],
    }


def compared(*, given: bool = True) -> Json:
    """What a comparison of two texts gives."""
    statement = "The findings are about 75 times more probable if one person wrote both texts."
    return {
        **found(),
        "a": {"file": "a.txt", "words": 834, "known_author": None},
        "b": {"file": "b.txt", "words": 534, "known_author": HOSTILE},
        "score": 0.9999,
        "log10_lr": 1.9 if given else None,
        "log10_lr_interval": [1.3, 2.6] if given else None,
        "bounded": False if given else None,
        "verbal": "moderate support for the first proposition" if given else None,
        "opinion": {
            "given": given,
            "statement": statement if given else "No opinion.",
            "reasons": [] if given else ["One of the texts has 60 words."],
            **({"findings": {"statement": statement, "support": "Moderate support."}} if given else {}),
        },
        "warnings": ["One of the texts is short: 534 words."],
    }


def _scores(generator: np.random.Generator, middle: float, size: int) -> Json:
    return {"values": [round(float(value), 3) for value in generator.normal(middle, 2.0, size)], "size": size}


def typical() -> Json:
    """The scores of the validation and those of a text."""
    generator = np.random.default_rng(3)
    return {
        "own": _scores(generator, 4, 60),
        "other": _scores(generator, -4, 180),
        "outsiders": _scores(generator, -1, 160),
        "words": 400,
        "cohort": True,
        "own_of": {author: [3.0, 4.5, 6.0] for author in AUTHORS},
        "here": {author: 5.0 - 3 * place for place, author in enumerate(AUTHORS)},
    }


def _against(generator: np.random.Generator) -> Json:
    from forensia.report.trust import _curves

    return _curves(generator.normal(1.2, 0.8, 60), generator.normal(-1.5, 1.0, 300))


def curves(*, unlisted: bool = True) -> Json:
    """What the plots of the trust page show."""
    generator = np.random.default_rng(5)
    at = [float(value) for value in np.logspace(0, 2, 21)]
    falling = [1 / (1 + place) for place in range(21)]
    open_set = {
        "thresholds": at, "any_supported": falling, "one_supported": [each / 5 for each in falling],
        "own_declined": [1 - each for each in falling], "candidates": 10,
    }  # fmt: skip
    return {
        "listed": _against(generator),
        "unlisted": _against(generator) if unlisted else None,
        "scores": {name: typical()[name] for name in ("own", "other", "outsiders")},
        "open_set": open_set if unlisted else None,
    }


def summary(*, unlisted: bool = True, high: float = 0.56) -> Json:
    """The validation in numbers."""

    def measured(cllr: float) -> Json:
        rates = [{"threshold": each, "same": 0.0, "different": 0.022} for each in (1.0, 10.0, 100.0)]
        return {"cllr": cllr, "cllr_interval": [0.21, high], "misleading": rates}

    counts = [[9 if row == column else int(row + 1 == column) for column in range(4)] for row in range(4)]
    by_author = [
        {
            "author": author, "documents": 10, "own_supported": 0.8, "others_supported": 0.02, "smallest_conformal_p": 0.09,
            "lazy": {"f1": 0.9, "precision": None if place else 0.85, "recall": 0.8},
        }
        for place, author in enumerate(AUTHORS)
    ]  # fmt: skip
    return {
        "documents": 120,
        "authors": 12,
        "aa": {"lazy": {"accuracy": 0.925, "confusion": counts}, "stacked": {"accuracy": 0.892, "confusion": counts}},
        "intervals": {"lazy accuracy": [0.867, 0.975], "stacked accuracy": None},
        "lr": {"listed": measured(0.2), "unlisted": measured(0.38) if unlisted else None},
        "open_set": {
            "listed": {"documents": 120, "opinion": 52 / 120, "right_when_given": 1.0},
            "unlisted": {"documents": 120, "wrongly_supported": 5 / 120} if unlisted else None,
        },
        "by_author": by_author,
        "notes": ["The alternative rests on 12 authors."],
    }


class Answers:
    """Stands for the child process: gives canned answers by the name of what is asked; keeps what was asked."""

    def __init__(self, **answers: Json) -> None:
        self.answers = answers
        self.asked: list[tuple[str, Mapping[str, Json]]] = []

    def do(
        self, target: str, arguments: Mapping[str, Json], progress: Callable[..., None], news: Callable[..., None]
    ) -> Json:
        progress(0.5, "")
        name = target.rpartition(":")[2]
        self.asked.append((name, dict(arguments)))
        found = self.answers[name]
        if isinstance(found, BaseException):
            raise found
        if name == "trust":
            news(found[0])
            return found[1]
        return found(arguments) if callable(found) else found

    def close(self) -> None:
        """Nothing is left behind."""
