"""What few candidates with a reference population are worth: claimed by the stand-ins, and found on texts that nobody touched.

    python -m forensia.bench.population DATA OUT.json [--set NAME ...] [--table]

DATA holds the packs (archives or folders with a manifest). In each draw some authors are candidates with so many known texts, others are
the population, and some people are in neither: the disputed texts are by the candidates and by those strangers.
`novels_english`   one, two and three of the six novelists with two known novels; the others and 39 of the 49 with one novel are the
                   population. Disputed: the candidates' third novels, and all texts of the ten strangers.
`essays_english`   one and three essayists; five are strangers, the others the population. Disputed: essays from a source that no known
                   text of their writer touches.
`reuters_c50`, `imdb62_50x100`   one closed author with 1, 3, 5 and 20 known texts; the open authors, with 25 each, are the population.
                   Disputed: 25 later texts by the candidate and as many by the other closed authors, from half of the known texts' median
                   length on. DV-Bin, cosine, Impostors and cosine Delta are asked the same (see `forensia.bench.strangers`).
`novels among mails`   one novelist with a population of mails, which does not suit: what is said.

What is claimed is what the figures for the lengths of the disputed texts say. `--table` prints what OUT holds.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia.bench import Row, arguments_of, digits, markdown, percent, run
from forensia.bench.packs import (
    ESSAYS,
    SEED,
    AskedTexts,
    ComparedSet,
    KnownPart,
    Program,
    documents_of,
    language_of,
    unpacked,
)
from forensia.bench.strangers import DELTA, Verifiers
from forensia.bench.trials import share
from forensia.case.session import Session
from forensia.corpus import Corpus, Document, ReadOptions, read_corpus
from forensia.evidence.bootstrap import interval
from forensia.evidence.judge import Judge
from forensia.evidence.measures import auc, c_at_1, cllr, cllr_min
from forensia.evidence.opinion import NONE
from forensia.evidence.population import Population
from forensia.evidence.result import DV_BIN, FUSED, Source, Stated
from forensia.evidence.suitability import Suitability
from forensia.evidence.summary import number, open_set
from forensia.systems.others import COSINE, IMPOSTORS

NOVELS, MAILS, AMONG_MAILS = "novels_english", "pan2011_large", "novels among mails"
OTHERS = (DV_BIN, COSINE, IMPOSTORS, DELTA)
POPULATION = 25  # texts of each author, where there are more
READ_OUT = 3  # texts by candidates, and as many by strangers, of which all that is said is kept
RESAMPLES = 1_000
Rows = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class DrawPlan:
    """What is drawn from a pack: candidates and texts of each (0: all), how often, and how many authors are strangers."""

    source: Source
    sizes: tuple[tuple[int, int], ...]
    draws: int
    strangers: int
    asked: int = 0  # texts by the candidates and by strangers, at most; 0: all
    joining: bool = True  # whether who might be a candidate and is none is in the population


_LATER = DrawPlan("known", ((1, 1), (1, 3), (1, 5), (1, 20)), draws=10, strangers=24, asked=25, joining=False)
PLANS = {
    NOVELS: DrawPlan("new", ((1, 0), (2, 0), (3, 0)), draws=6, strangers=10),
    ESSAYS: DrawPlan("new", ((1, 0), (3, 0)), draws=10, strangers=5),
    AMONG_MAILS: DrawPlan("new", ((1, 0),), draws=3, strangers=10, joining=False),
    "reuters_c50": _LATER,
    "imdb62_50x100": _LATER,
}


@dataclass(frozen=True)
class DrawnCase:
    """One draw: who the candidates are, the rows of all known texts, and the disputed texts, those by candidates first."""

    candidates: tuple[str, ...]
    rows: Rows
    disputed: tuple[Document, ...]


@dataclass(frozen=True, eq=False)
class Cast:
    """All texts of a pack that may be known or disputed, and who may be a candidate or a stranger."""

    plan: DrawPlan
    known: KnownPart
    disputed: tuple[Document, ...]
    candidates: tuple[str, ...]
    strangers: tuple[str, ...]

    @classmethod
    def read(cls, data: Path, name: str, place: Path) -> Cast:
        """Read and count it; `place` is a folder for what is unpacked."""
        plan, pack = PLANS[name], NOVELS if name == AMONG_MAILS else name
        folder = unpacked(data, pack, place)
        known, disputed = documents_of(folder, ComparedSet(pack, pack))
        candidates = strangers = _authors(known)
        others: list[Document] = []
        if pack == NOVELS:
            others = list(read_corpus(folder, ReadOptions(split="test", role="open")).active.documents)
            strangers = _authors(others)
        if name == AMONG_MAILS:
            disputed, others = [*disputed, *others], _some(unpacked(data, MAILS, place))
        elif plan.source == "known":
            known, others = [replace(document, sources=()) for document in known], _some(folder)
        every = [*known, *others]
        if plan.source == "known":
            half = float(np.median([document.words for document in every])) / 2
            disputed = [document for document in disputed if document.words >= half]
        least = min(document.words for document in (*disputed, *(others if pack == name == NOVELS else ())))
        part = KnownPart.read(every, language_of(pack, place), least)
        return cls(plan, part, tuple(disputed), candidates, strangers)

    def drawn(self, candidates: int, texts: int, draw: int) -> DrawnCase:
        """Each author is a candidate about as often as any other; the same draw has the same candidates, however many texts they have."""
        rng = np.random.default_rng([SEED, candidates, texts, draw])
        order = np.roll(np.random.default_rng(SEED).permutation(len(self.candidates)), -draw)[:candidates]
        chosen = tuple(self.candidates[place] for place in order)
        away = rng.permutation(sorted(set(self.strangers) - set(chosen)))[: self.plan.strangers].tolist()
        writers = np.array([document.author for document in self.known.documents])
        rows = [rng.permutation(np.flatnonzero(writers == each))[: texts or None] for each in chosen]
        nobody = chosen if self.plan.joining else self.candidates
        population = np.flatnonzero(~np.isin(writers, [*nobody, *away]))
        # Of strangers who have no disputed texts those that would be known are disputed.
        theirs = [each for each in self.disputed if each.author in away]
        theirs = theirs or [each for each in self.known.documents if each.author in away]
        asked = []
        for some in ([each for each in self.disputed if each.author in chosen], theirs):
            asked += [some[place] for place in np.sort(rng.permutation(len(some))[: self.plan.asked or None])]
        return DrawnCase(chosen, np.sort(np.concatenate([*rows, population])), tuple(asked))

    @cached_property
    def verifiers(self) -> Verifiers:
        """The other methods, taught by the population, which is the same in each draw."""
        every = (*self.known.documents, *self.disputed)
        rows = [row for row, each in enumerate(self.known.documents) if each.author not in self.candidates]
        return Verifiers.taught(every, np.array(rows), self.known.language, self.known.cache)


def _authors(documents: Sequence[Document]) -> tuple[str, ...]:
    return tuple(sorted({document.author for document in documents}))


def _some(folder: Path) -> list[Document]:
    """So many known texts of each open author, nothing being known of their sources."""
    every = read_corpus(folder, ReadOptions(split="train", role="open")).active.documents
    rng = np.random.default_rng([SEED, 7])
    found: list[Document] = []
    for author in _authors(every):
        own = [replace(document, sources=()) for document in every if document.author == author]
        found += [own[place] for place in np.sort(rng.permutation(len(own))[:POPULATION])]
    return found


def measured(cast: Cast, candidates: int, texts: int, draw: int) -> Row:
    """One draw: what is claimed, and what is said of each disputed text; `truth` and `decided` are places among the candidates."""
    begun = time.process_time()
    drawn, source = cast.drawn(candidates, texts, draw), cast.plan.source
    part = cast.known.rows(drawn.rows).of_candidates(drawn.candidates)
    program = part.validated()
    answers, listed = program.asked(drawn.disputed, source), program.validation.learnt.candidates
    places = {program.validation.authors[code]: place for place, code in enumerate(listed)}
    decided = np.where(answers.given, np.searchsorted(listed, answers.decided), answers.decided)
    row: Row = {
        "candidates": candidates,
        "texts": texts,
        "draw": draw,
        "used": int(program.validation.asked.sizes[listed].max()),
        "population": [
            len(program.validation.learnt.population),
            int((~np.isin(program.validation.codes, listed)).sum()),
        ],
        "claimed": claimed(answers, source),
        "truth": [places.get(document.author, -1) for document in drawn.disputed],
        "first": np.searchsorted(listed, answers.first).tolist(),
        "decided": decided.tolist(),
        "unlisted": [[number(each) for each in ratios] for ratios in answers.unlisted[:, listed].tolist()],
        "score": [number(each) for each in _unbounded(answers).tolist()],
    }
    if source == "known":
        row["others"] = _others(cast, drawn, texts)
    elif not draw:
        row["said"] = said(program, part, drawn, source)
    return {**row, "cpu_s": round(time.process_time() - begun, 1)}


def claimed(answers: AskedTexts, source: Source) -> Row | None:
    """What the figures for the lengths of the disputed texts say, weighed by the texts of each; None without figures for the source."""
    if any(rung.condition.source != source for rung in answers.rungs):
        return None
    figures, weights = [open_set(rung) for rung in answers.rungs], np.bincount(answers.on) / len(answers.on)
    costs = [number(rung.cllr_unlisted) for rung in answers.rungs]
    outsiders = [each.unlisted for each in figures]
    ends = [None if each is None else each.supported_interval for each in outsiders]

    def mean(values: Sequence[float | None]) -> float | None:
        known = [value for value in values if value is not None]
        return float(np.dot(known, weights)) if len(known) == len(values) else None

    return {
        "cllr": mean(costs),
        "opinions": mean([each.listed.opinion for each in figures]),
        "right": mean([each.listed.right_when_given for each in figures]),
        "none": mean([each.listed.none_of_these for each in figures]),
        "supported": mean([None if each is None else each.wrongly_supported for each in outsiders]),
        "interval": [mean([None if each is None else each[end] for each in ends]) for end in (0, 1)],
        "outsiders_none": mean([None if each is None else each.none_of_these for each in outsiders]),
    }


def _unbounded(answers: AskedTexts) -> Floats:
    """The highest log10 LR of each text against somebody else, before any bound, which would make many alike."""
    found = np.empty(len(answers.scores))
    for place, rung in enumerate(answers.rungs):
        rows = answers.on == place
        found[rows] = np.fmax.reduce(rung.calibration.log10_lr(answers.scores[rows])[1], axis=1)
    return found


def _others(cast: Cast, drawn: DrawnCase, texts: int) -> Row:
    """What other methods say of the same problems."""
    rows = {document.id: row for row, document in enumerate((*cast.known.documents, *cast.disputed))}
    known = np.array([row for row in drawn.rows if cast.known.documents[row].author in drawn.candidates])
    scores = cast.verifiers.scores(known, np.array([rows[document.id] for document in drawn.disputed]))
    thresholds = cast.verifiers.thresholds(texts)
    return {name: {"scores": each.tolist(), "threshold": thresholds[name]} for name, each in scores.items()}


def said(program: Program, part: KnownPart, drawn: DrawnCase, source: Source) -> Row:
    """How often each thing is said: of some texts by candidates and by strangers, and of how the population suits all of them."""
    session = Session(Judge(None, program.validation), Corpus.of(part.documents))
    listed = sum(document.author in drawn.candidates for document in drawn.disputed)
    found: Row = {}
    for who, documents in (("candidates", drawn.disputed[:listed]), ("strangers", drawn.disputed[listed:])):
        results = [session.judged(each, part.cache, stated=Stated(source)) for each in documents[:READ_OUT]]
        codes = [
            code
            for result in results
            for code in (result.opinion.kind, *(each.code for each in (*result.opinion.reasons, *result.warnings)))
        ]
        found[who] = {"texts": len(results), **Counter(codes)}
    population = [each for each in part.documents if each.author not in drawn.candidates]
    suitability = Suitability(Population.of(population, part.language, "population", cache=part.cache))
    suits = [suitability.of(document) for document in drawn.disputed]
    found["population"] = {"texts": len(suits), **Counter(reason.code for each in suits for reason in each.reasons)}
    return found


# --- the table -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Together:
    """The draws of one size."""

    rows: Sequence[Row]

    def joined(self, key: str) -> NDArray[Any]:
        return np.concatenate([np.array(row[key]) for row in self.rows])

    def claim(self, key: str) -> float | None:
        """The mean over the draws; None where one of them could not tell."""
        values = [None if row["claimed"] is None else row["claimed"][key] for row in self.rows]
        return None if None in values else float(np.mean(values))  # type: ignore[arg-type]

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """Of the interval that is stated for strangers supported: the mean over the draws."""
        found = [[None, None] if row["claimed"] is None else row["claimed"]["interval"] for row in self.rows]
        low, high = (None if None in side else float(np.mean(side)) for side in zip(*found, strict=True))
        return low, high

    @cached_property
    def costs(self) -> tuple[float, float] | None:
        """Cllr against somebody else, and what would be left of it after the best calibration."""
        same, different = [], []
        for row in self.rows:
            for truth, ratios in zip(row["truth"], row["unlisted"], strict=True):
                if truth >= 0:
                    same.append(ratios[truth])
                else:
                    different += ratios
        if None in same or None in different:
            return None
        return cllr(same, different), cllr_min(same, different)

    @cached_property
    def own(self) -> NDArray[np.bool_]:
        return np.asarray(self.joined("truth") >= 0)

    def said(self, wanted: Callable[[NDArray[Any]], NDArray[np.bool_]], own: bool) -> float | None:
        """How often something is said of texts by candidates, or by strangers."""
        return share(wanted(self.joined("decided")[self.own == own]))

    @property
    def right(self) -> float | None:
        """Of the opinions on texts by candidates those for their author."""
        decided, truth = self.joined("decided"), self.joined("truth")
        return share((decided == truth)[self.own & (decided >= 0)])

    @cached_property
    def answered(self) -> Floats:
        """Yes, no, or no answer, as the opinions give it."""
        decided = self.joined("decided")
        return np.where(decided >= 0, 1.0, np.where(decided == NONE, 0.0, 0.5))

    def scores(self, method: str) -> list[Floats]:
        """By draw."""
        return [np.array(row["score"] if method == FUSED else row["others"][method]["scores"]) for row in self.rows]

    def c_at_1(self, method: str) -> float:
        """When every problem is answered."""
        limits = [0.0 if method == FUSED else row["others"][method]["threshold"] for row in self.rows]
        yes = np.concatenate([each > limit for each, limit in zip(self.scores(method), limits, strict=True)])
        return c_at_1(yes.astype(np.float64), self.own.astype(np.float64))

    def auc(self, method: str, draws: Sequence[int] | None = None) -> float:
        """Over the problems of all draws, or of some."""
        some, scores = range(len(self.rows)) if draws is None else draws, self.scores(method)
        values = np.concatenate([scores[draw] for draw in some])
        own = np.concatenate([np.array(self.rows[draw]["truth"]) >= 0 for draw in some])
        return auc(values[own], values[~own])

    def ahead(self, other: str) -> tuple[float, float, float]:
        """Fused less another method in AUC, with its 95 % interval: draws, and so candidates, resampled."""
        again = np.random.default_rng(SEED).integers(len(self.rows), size=(RESAMPLES, len(self.rows))).tolist()
        bounds = interval(np.array([self.auc(FUSED, draws) - self.auc(other, draws) for draws in again]))
        return self.auc(FUSED) - self.auc(other), bounds.low, bounds.high


def sizes(rows: Sequence[Row]) -> Mapping[tuple[str, int, int], Together]:
    """The draws by set, number of candidates and number of their texts."""
    found: dict[tuple[str, int, int], list[Row]] = {}
    for row in rows:
        found.setdefault((row["set"], row["candidates"], row["texts"]), []).append(row)
    return {key: Together(some) for key, some in found.items()}


def table(rows: Sequence[Row]) -> str:
    """Markdown for people: claimed / found, then the other methods, then what was said."""
    head: tuple[str, ...] = (
        "set", "candidates x texts used", "population", "texts by candidates, strangers", "Cllr, somebody else (least)",
        "opinions: given, right", "'none of these' of a candidate's text", "strangers supported (stated interval)",
        "strangers: 'none of these'",
    )  # fmt: skip
    together = sizes(rows)
    lines = markdown(head, [_claims(name, each) for (name, _, _), each in together.items()])
    compared = {key: each for key, each in together.items() if "others" in each.rows[0]}
    if compared:
        methods = (FUSED, *OTHERS)
        head = (
            "AUC",
            "texts known",
            *methods,
            "fused − best other (95 %)",
            "c@1: opinions",
            *(f"c@1: {each}" for each in methods),
        )
        lines += ["", *markdown(head, [_compared(*key[::2], each) for key, each in compared.items()])]
    for (name, candidates, _), each in together.items():
        for who, counts in each.rows[0].get("said", {}).items():
            words = ", ".join(f"{code} {count}" for code, count in counts.items() if code != "texts")
            lines += [
                "",
                f"{name}, {candidates} of them, said of {counts['texts']} texts ({who}): {words or 'nothing'}.",
            ]
    return "\n".join(lines) + "\n"


def _percent(value: float | None) -> str:
    return percent(value, 1)


def _claims(name: str, each: Together) -> list[str]:
    first, costs = each.rows[0], each.costs
    low, high = each.ends
    stated = f"{_percent(each.claim('supported'))} ({_percent(low)} to {_percent(high)})"
    given = (each.claim("opinions"), each.claim("right")), (each.said(lambda said: said >= 0, own=True), each.right)
    none = [each.said(lambda said: said == NONE, own=own) for own in (True, False)]
    return [
        name,
        f"{first['candidates']} x {first['used']}",
        "{} x {}".format(*first["population"]),
        f"{each.own.sum()}, {(~each.own).sum()}",
        f"{digits(each.claim('cllr'))} / " + ("–" if costs is None else f"{costs[0]:.3f} ({costs[1]:.3f})"),
        " / ".join(f"{_percent(share)}, {_percent(right)}" for share, right in given),
        f"{_percent(each.claim('none'))} / {_percent(none[0])}",
        f"{stated} / {_percent(each.said(lambda said: said >= 0, own=False))}",
        f"{_percent(each.claim('outsiders_none'))} / {_percent(none[1])}",
    ]


def _compared(name: str, texts: int, each: Together) -> list[str]:
    best = max(OTHERS, key=each.auc)
    gain, low, high = each.ahead(best)
    return [
        name,
        f"{texts}",
        *(digits(each.auc(method)) for method in (FUSED, *OTHERS)),
        f"{gain:+.3f} ({low:+.3f} to {high:+.3f}), {best}",
        digits(c_at_1(each.answered, each.own.astype(np.float64))),
        *(digits(each.c_at_1(method)) for method in (FUSED, *OTHERS)),
    ]


# --- the command -----------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    def wanted(name: str) -> list[tuple[int, int, int]]:
        plan = PLANS[name]
        return [(*size, draw) for draw in range(plan.draws) for size in plan.sizes]

    options = arguments_of(__doc__ or "", list(PLANS)).parse_args(arguments)
    return run(options, table, ["candidates", "texts", "draw"], wanted, Cast.read, measured)


if __name__ == "__main__":
    raise SystemExit(main())
