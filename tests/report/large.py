"""What a report of the small case would say about a large one: 25 authors with 50 texts each, and as many disputed texts as asked for.

Training on so many texts takes minutes, and the layout of a report depends on how much there is to say, not on what is true of it.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

import numpy as np

from forensia.evidence.result import LAZY, RANKING, STACKED, Candidate, Known, Placed
from forensia.evidence.summary import ValidationSummary
from forensia.report.contents import CaseRecord, Contents, JudgedText
from forensia.report.materials import AuthorTexts, Materials

AUTHORS, TEXTS = 25, 50
GIVEN = ("Ada", "Bernardine", "Cy", "Dominique", "Ewan")
FAMILY = ("Featherstonehaugh", "Li", "Okonkwo-Harrington", "Marsh", "Brandt")
ELSEWHERE = "archive/box 7"  # where the texts of the last author lie
NAMES = tuple(f"{given} {family}" for given in GIVEN for family in FAMILY)


def enlarged(found: Contents, disputed: int = 1, paper: str = "A4") -> Contents:
    """The numbers of a report with more authors, more known and more disputed texts; every number is in its place, and made up."""
    chance = np.random.default_rng(9)
    assert found.validation is not None
    validation = _validation(found.validation, chance)
    rows = found.documents
    accuracy = np.round(0.9 - 0.01 * np.abs(np.arange(40) - 7), 4).tolist()
    return replace(
        found,
        materials=_materials(found.materials, disputed),
        validation=validation,
        documents=tuple(_document(rows[number % len(rows)], number, chance) for number in range(disputed)),
        model=replace(
            found.model,
            authors=AUTHORS,
            documents=AUTHORS * TEXTS,
            pairs=replace(found.model.pairs, pairs=61_250, k_accuracy=tuple(accuracy)),
        ),
        case=_case(found.case),
        paper=paper,
        texts={},
    ).finished()


def _case(case: CaseRecord) -> CaseRecord:
    events = [each for each in case.events if "kind fold" not in each.details]
    longer = tuple(replace(events[number % len(events)], number=number + 1) for number in range(140))
    return replace(case, events=longer, log=replace(case.log, entries=140))


def _materials(there: Materials, disputed: int) -> Materials:
    known = []
    for author in NAMES:
        for text in range(TEXTS):
            folder = ELSEWHERE if author == NAMES[-1] else author
            kind = ("diary", "letters", "mails")[text % 3]
            file = f"{folder}/{kind}/{text:03d}-{author.split()[0].lower()}newsML.txt"
            digest = hashlib.sha256(file.encode()).hexdigest()
            known.append(
                replace(there.known[0], author=author, file=file, id=digest[:16], sha256=digest, words=300 + text)
            )
    words = sum(each.words for each in known)
    return replace(
        there, known=tuple(known), documents=len(known), words=words, excluded=0,
        authors=tuple(AuthorTexts(name, TEXTS, words // AUTHORS, {"diary": 9, "letters": 8, "mails": 8}) for name in NAMES),
        disputed=tuple(
            replace(there.disputed[0], id=f"{number:016d}", file=f"letter-{number + 1}.txt", exhibit="") for number in range(disputed)
        ),
    )  # fmt: skip


def _validation(validation: ValidationSummary, chance: np.random.Generator) -> ValidationSummary:
    systems = {}
    for system in RANKING:
        counts = chance.multinomial(10, np.full(AUTHORS, 1 / AUTHORS), size=AUTHORS) + 40 * np.eye(AUTHORS, dtype=int)
        systems[system] = replace(validation.systems[system], confusion=tuple(map(tuple, counts.tolist())))
    row = validation.by_author[0]
    return replace(
        validation,
        documents=AUTHORS * TEXTS,
        by_author=tuple(replace(row, author=name, documents=TEXTS) for name in NAMES),
        systems=systems,
    )


def _document(row: JudgedText, number: int, chance: np.random.Generator) -> JudgedText:
    result = row.result
    first = result.opinion.about  # what is said names the author of the small case
    order = [first, *(name for name in NAMES if name != NAMES[0])]
    scores = np.sort(chance.uniform(0.001, 0.999, AUTHORS))[::-1].round(6).tolist()
    pairs = [
        (name, f"{name} {text}", float(score))
        for rank, name in enumerate(order)
        for text, score in enumerate(np.clip(chance.beta(0.5, 0.5 + rank / 5, TEXTS), 1e-6, 1 - 1e-6).round(6))
    ]
    ranked = (result.subject, *(each for each in result.candidates if each.author != first))

    def candidate(rank: int) -> Candidate:
        like = ranked[min(rank, len(ranked) - 1)]
        systems = {name: replace(placed, rank=rank + 1) for name, placed in like.systems.items()}
        systems |= {name: Placed(scores[rank], rank + 1, rank == 0) for name in (LAZY, STACKED)}
        return replace(like, author=order[rank], reach=12, systems=systems)

    return replace(
        row,
        id=f"{number:016d}",
        result=replace(
            result,
            file=f"letter-{number + 1}.txt",
            candidates=tuple(candidate(rank) for rank in range(AUTHORS)),
            known=Known(tuple(document for _, document, _ in pairs), tuple(author for author, _, _ in pairs)),
            pair_scores=tuple(score for _, _, score in pairs),
            k=12,
        ),
    )
