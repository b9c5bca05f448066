"""What a report of the small case would say about a large one: 25 authors with 50 texts each, and as many disputed texts as asked for.

Training on so many texts takes minutes, and the layout of a report depends on how much there is to say, not on what is true of it.
"""

from __future__ import annotations

import copy
import hashlib
from typing import Any

import numpy as np

from forensia.report.contents import identity
from forensia.report.limits import limits

AUTHORS, TEXTS = 25, 50
GIVEN = ("Ada", "Bernardine", "Cy", "Dominique", "Ewan")
FAMILY = ("Featherstonehaugh", "Li", "Okonkwo-Harrington", "Marsh", "Brandt")
ELSEWHERE = "archive/box 7"  # where the texts of the last author lie
NAMES = tuple(f"{given} {family}" for given in GIVEN for family in FAMILY)


def enlarged(found: dict[str, Any], disputed: int = 1, paper: str = "A4") -> dict[str, Any]:
    """The numbers of a report with more authors, more known and more disputed texts; every number is in its place, and made up."""
    large = copy.deepcopy(found)
    chance = np.random.default_rng(9)
    _materials(large, disputed)
    _validation(large, chance)
    rows = large["documents"]
    large["documents"] = [_document(copy.deepcopy(rows[n % len(rows)]), n, chance) for n in range(disputed)]
    large["model"] |= {"authors": AUTHORS, "documents": AUTHORS * TEXTS, "pairs": 61_250}
    large["k_accuracy"] = np.round(0.9 - 0.01 * np.abs(np.arange(40) - 7), 4).tolist()
    events = [each for each in large["case"]["events"] if "kind fold" not in each["details"]]
    large["case"]["events"] = [{**events[n % len(events)], "number": n + 1} for n in range(140)]
    large["case"]["log"]["entries"] = 140
    large["limits"] = limits(large)
    large["report"]["paper"] = paper
    large["report"]["id"] = identity(large)
    return large


def _materials(large: dict[str, Any], disputed: int) -> None:
    known, there = large["materials"]["known"], large["materials"]["disputed"]
    rows = []
    for author in NAMES:
        for text in range(TEXTS):
            folder = ELSEWHERE if author == NAMES[-1] else author
            kind = ("diary", "letters", "mails")[text % 3]
            file = f"{folder}/{kind}/{text:03d}-{author.split()[0].lower()}newsML.txt"
            digest = hashlib.sha256(file.encode()).hexdigest()
            rows.append(
                {**known[0], "author": author, "file": file, "id": digest[:16], "sha256": digest, "words": 300 + text}
            )
    words = sum(row["words"] for row in rows)
    large["materials"] |= {
        "known": rows, "documents": len(rows), "words": words, "excluded": 0,
        "authors": [{"author": name, "documents": TEXTS, "words": words // AUTHORS, "sources": 3} for name in NAMES],
        "disputed": [{**there[0], "id": f"{n:016d}", "file": f"letter-{n + 1}.txt", "exhibit": ""} for n in range(disputed)],
    }  # fmt: skip


def _validation(large: dict[str, Any], chance: np.random.Generator) -> None:
    validation = large["validation"]
    row = validation["by_author"][0]
    validation |= {
        "documents": AUTHORS * TEXTS,
        "authors": AUTHORS,
        "by_author": [{**copy.deepcopy(row), "author": name, "documents": TEXTS} for name in NAMES],
    }
    for method in ("lazy", "stacked"):
        counts = chance.multinomial(10, np.full(AUTHORS, 1 / AUTHORS), size=AUTHORS) + 40 * np.eye(AUTHORS, dtype=int)
        validation["aa"][method]["confusion"] = counts.tolist()


def _document(row: dict[str, Any], number: int, chance: np.random.Generator) -> dict[str, Any]:
    result = row["result"]
    row["id"], result["file"] = f"{number:016d}", f"letter-{number + 1}.txt"
    first = result["lazy"][0]["author"]
    order = [first, *(name for name in NAMES if name != NAMES[0])]  # statements name the author of the small case
    scores = np.sort(chance.uniform(0.001, 0.999, AUTHORS))[::-1].round(6).tolist()
    for key in ("lazy", "stacked"):
        result[key] = [
            {"author": name, "rank": rank + 1, "score": scores[rank]} for rank, name in enumerate(order[:AUTHORS])
        ]
    shown = result["verification"]
    result["verification"] = [
        {**copy.deepcopy(shown[min(rank, len(shown) - 1)]), "author": name} for rank, name in enumerate(order)
    ]
    result["pairs"] = [
        {"author": name, "document": f"{name} {text}", "score": float(score)}
        for rank, name in enumerate(order)
        for text, score in enumerate(np.clip(chance.beta(0.5, 0.5 + rank / 5, TEXTS), 1e-6, 1 - 1e-6).round(6))
    ]
    result["k"] = 12
    result["k_by_author"] = dict.fromkeys(order, 12)
    return row
