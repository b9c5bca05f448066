"""Every method on the same texts: macro-F1, how far the fused answer is from the best other, and whether it means what it says.

    python -m forensia.bench.methods DATA OUT.json [--set NAME ...] [--method NAME ...] [--table]

DATA holds the packs (archives or folders with a manifest). All methods read the texts in their canonical typing. Lazy and Stacked are those
of the forensic profile in its quick mode; the standard methods, cosine and Impostors see the same vectors, in which the families are
brought to scale. SVM is a plain linear one on tf-idf of character n-grams, as a practitioner would have it, and stands a second time on
those vectors; cosine is the mean with an author's k most similar texts, k by leave-one-out; Impostors gives each author the score of
their most similar text. CPU seconds are those of learning and answering, from counts on (Lazy and Stacked, which are learnt together,
from analysed texts on). Rows are written as they are found, and none that is there is computed again.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from forensia import files
from forensia.bench import Row, kept, markdown
from forensia.bench.packs import EVERYBODY, SETS, ComparedSet, ComparedTexts, read_set, unpacked
from forensia.corpus import Corpus
from forensia.diffvectors import one_blas_thread
from forensia.evidence.bootstrap import interval, resamples
from forensia.evidence.measures import cllr, macro_f1
from forensia.evidence.training import train
from forensia.features import FAMILIES, Block, Counts, FeatureSpace, Vectors
from forensia.features.vectors import FUSED_FAMILIES
from forensia.features.weighting import WeightedFamily
from forensia.profile import FORENSIC, QUICK, profile_named
from forensia.systems import Impostors, LazyAttributor, LinearSVM, StandardAttributor
from forensia.systems.distances import cosines, own_cosines
from forensia.systems.fused import fit_fused
from forensia.systems.fusion import log_softmax
from forensia.systems.leaving_out import rounds
from forensia.systems.others import impostor_scores
from forensia.systems.pairmodel import TrainingOptions, choose_factors

SEED = 0
RESAMPLES = 1000
PUBLISHED = 0.767  # accuracy on the official split of Reuters C50
FUSED = "fused"
CHARACTERS = "character n-grams"
Codes = NDArray[np.intp]
Value = TypeVar("Value")


@dataclass(frozen=True)
class Answer:
    """The author whom a method puts first for each disputed text, and what else it says of itself."""

    predicted: Codes
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Timed(Generic[Value]):
    """Something that was made, and the CPU seconds it took."""

    value: Value
    cpu_s: float

    @classmethod
    def made(cls, work: Callable[[], Value]) -> Timed[Value]:
        begun = time.process_time()
        value = work()
        return cls(value, time.process_time() - begun)


@dataclass(frozen=True, eq=False)
class Prepared:
    """Known and disputed texts, with what several methods share; it is made when the first asks for it, and counted for each."""

    texts: ComparedTexts

    @cached_property
    def nothing(self) -> Timed[None]:
        return Timed(None, 0.0)

    @cached_property
    def vectors(self) -> Timed[tuple[Vectors, Vectors]]:
        return Timed.made(self._vectors)

    @cached_property
    def trained(self) -> Timed[dict[str, Codes]]:
        return Timed.made(self._trained)

    def _vectors(self) -> tuple[Vectors, Vectors]:
        """Both sides in the space of the known texts, its families brought to scale as for Lazy and Stacked."""
        labels = list(map(str, self.texts.codes))
        space = FeatureSpace(self._options.families).fit(self.texts.known, labels)
        known = space.transform(self.texts.known)
        factors = choose_factors(known, labels, SEED)
        return known.scaled(factors), space.transform(self.texts.disputed).scaled(factors)

    def _trained(self) -> dict[str, Codes]:
        """Whom Lazy and Stacked put first."""
        texts = self.texts
        model = train(Corpus.of(texts.documents), self._options, texts.language, cache=texts.cache).model
        number = dict(zip((document.author for document in texts.documents), texts.codes.tolist(), strict=True))
        numbers = np.array([number[author] for author in model.authors])
        rankings = model.rank(texts.disputed)
        return {
            "Lazy": numbers[np.array([ranking.lazy for ranking in rankings]).argmax(axis=1)],
            "Stacked": numbers[np.array([ranking.stacked for ranking in rankings]).argmax(axis=1)],
        }

    @property
    def _options(self) -> TrainingOptions:
        families = tuple(self.texts.families(FAMILIES))
        options = TrainingOptions(profile=profile_named(FORENSIC.name, QUICK), seed=SEED, families=families)
        return options.learnable(self.texts.known)


def _fused(texts: ComparedTexts, _: object) -> Answer:
    """The fused answer; `claimed` is how often it puts the author first for known texts that were left out."""
    left_out = rounds(texts.codes, texts.sources, SEED)
    system, found = fit_fused(texts.known, texts.codes, [left_out], texts.families(FUSED_FAMILIES))
    inside = system.fusion.z(found[0].inside[0], system.sizes)
    tried = ~np.isnan(inside[np.arange(len(inside)), texts.codes])
    first = np.nanargmax(inside[tried], axis=1) == texts.codes[tried]
    log_p = log_softmax(system.z(texts.disputed))
    return Answer(
        log_p.argmax(axis=1),
        {
            "claimed": float(first.mean()),
            "confidence": float(np.exp(log_p.max(axis=1)).mean()),
            "cllr": _listed_cllr(log_p, texts.truth),
        },
    )


def _listed_cllr(log_p: NDArray[np.float64], truth: Codes) -> float:
    """Cllr of odds over even prior odds: each author against the other listed ones."""
    others = np.log(np.maximum(-np.expm1(np.minimum(log_p, 0.0)), np.finfo(np.float64).tiny))
    log10_lr = (log_p - others + np.log(log_p.shape[1] - 1)) / np.log(10)
    own = truth[:, None] == np.arange(log_p.shape[1])
    return cllr(log10_lr[own], log10_lr[~own])


def _standard(texts: ComparedTexts, vectors: tuple[Vectors, Vectors], *, each: bool) -> Answer:
    known, disputed = vectors
    return Answer(StandardAttributor(each=each, seed=SEED).fit(known, texts.codes).predict(disputed))


def _svm(texts: ComparedTexts, vectors: tuple[Vectors, Vectors]) -> Answer:
    known, disputed = vectors
    return Answer(LinearSVM(seed=SEED).fit(known, texts.codes).predict(disputed))


def _characters(texts: ComparedTexts) -> tuple[Vectors, Vectors]:
    """Both sides as tf-idf of character n-grams."""
    weighted = WeightedFamily.fit(texts.known.table(CHARACTERS))

    def vectors(counts: Counts) -> Vectors:
        sparse = weighted.vectors(counts.table(CHARACTERS))
        return Vectors(np.zeros((len(counts), 0), np.float32), sparse, (Block(CHARACTERS, False, 0, sparse.shape[1]),))

    return vectors(texts.known), vectors(texts.disputed)


def _cosine(texts: ComparedTexts, vectors: tuple[Vectors, Vectors]) -> Answer:
    known, disputed = vectors
    return Answer(
        LazyAttributor(profile=FORENSIC).fit(own_cosines(known), texts.codes).predict(cosines(disputed, known))
    )


def _impostors(texts: ComparedTexts, vectors: tuple[Vectors, Vectors]) -> Answer:
    known, disputed = vectors
    method = Impostors(seed=SEED).fit(known, texts.codes)
    similar = cosines(disputed, known)
    scores = [
        impostor_scores(method, known, texts.codes, disputed.rows(np.array([row])), similar[row])
        for row in range(len(disputed))
    ]
    return Answer(np.array(scores).argmax(axis=1))


@dataclass(frozen=True)
class Method:
    """What a method shares with others, and how it answers with that."""

    shared: Callable[[Prepared], Timed[Any]]
    answer: Callable[[ComparedTexts, Any], Answer]


METHODS: Mapping[str, Method] = {
    FUSED: Method(lambda made: made.nothing, _fused),
    "Lazy": Method(lambda made: made.trained, lambda _, first: Answer(first["Lazy"])),
    "Stacked": Method(lambda made: made.trained, lambda _, first: Answer(first["Stacked"])),
    "STD-AA": Method(lambda made: made.vectors, lambda *both: _standard(*both, each=False)),
    "STD-Bin": Method(lambda made: made.vectors, lambda *both: _standard(*both, each=True)),
    "SVM": Method(lambda made: made.nothing, lambda texts, _: _svm(texts, _characters(texts))),
    "SVM, all families": Method(lambda made: made.vectors, _svm),
    "cosine": Method(lambda made: made.vectors, _cosine),
    "Impostors": Method(lambda made: made.vectors, _impostors),
}


def asked(prepared: Prepared, name: str) -> Row:
    """What one method says of the disputed texts."""
    method = METHODS[name]
    shared = method.shared(prepared)
    answer = Timed.made(lambda: method.answer(prepared.texts, shared.value))
    return {
        "method": name,
        "cpu_s": round(shared.cpu_s + answer.cpu_s, 2),
        **answer.value.figures,
        "truth": prepared.texts.truth.tolist(),
        "predicted": answer.value.predicted.tolist(),
    }


def missing(wanted: ComparedSet, methods: Sequence[str], rows: Sequence[Row]) -> dict[int, list[str]]:
    """The methods that are still to be asked, for each draw."""
    done = {(row["set"], row["draw"], row["method"]) for row in rows}
    mine = [FUSED] if wanted.name == EVERYBODY else methods
    every = {
        draw: [name for name in mine if name in methods and (wanted.name, draw, name) not in done]
        for draw in range(wanted.draws)
    }
    return {draw: names for draw, names in every.items() if names}


# --- the table -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """The rows of one set, by method and draw."""

    name: str
    rows: Mapping[str, Mapping[int, Row]]

    def mean(self, method: str, value: Callable[[Row], float]) -> float:
        """Over the draws, each counting the same."""
        return float(np.mean([value(row) for row in self.rows[method].values()]))

    def f1(self, method: str) -> float:
        return self.mean(method, _f1)

    @property
    def best_other(self) -> str | None:
        others = [method for method in self.rows if method != FUSED]
        return max(others, key=self.f1) if others else None

    def ahead(self, other: str) -> tuple[float, float, float]:
        """Fused less another method, with its 95 % interval: draws resampled, or disputed texts within their authors."""
        ours, theirs = self.rows[FUSED], self.rows[other]
        if len(ours) > 1:
            gains = np.array([_f1(ours[draw]) - _f1(theirs[draw]) for draw in ours])
            again = np.random.default_rng(SEED).integers(len(gains), size=(RESAMPLES, len(gains)))
            several = gains[again].mean(axis=1)
        else:
            one, another = ours[0], theirs[0]
            authors = np.unique(one["truth"], return_inverse=True)[1]
            drawn = [each.documents for each in resamples(authors, RESAMPLES, SEED, over="documents")]
            several = np.array([_f1(one, weights) - _f1(another, weights) for weights in drawn])
        bounds = interval(several)
        return self.f1(FUSED) - self.f1(other), bounds.low, bounds.high


def _f1(row: Row, weights: NDArray[np.float64] | None = None) -> float:
    return macro_f1(list(map(str, row["truth"])), list(map(str, row["predicted"])), weights)


def _right(row: Row) -> float:
    return float((np.array(row["truth"]) == np.array(row["predicted"])).mean())


def found(rows: Sequence[Row]) -> list[Found]:
    """The sets of which there is something; a method that is not through all draws is left out."""
    sets = []
    for each in SETS:
        by_method = {
            name: {row["draw"]: row for row in rows if row["set"] == each.name and row["method"] == name}
            for name in METHODS
        }
        complete = {name: own for name, own in by_method.items() if len(own) == each.draws}
        if complete:
            sets.append(Found(each.name, complete))
    return sets


def table(rows: Sequence[Row]) -> str:
    """Markdown for people: what each method reached, what the fused answer claims and what is true of it, what each took."""
    whole = found(rows)
    sets = [each for each in whole if each.name != EVERYBODY]
    lines = markdown(("macro-F1", *METHODS, "fused − best other (95 %)"), [_reached(each) for each in sets])
    told = [each for each in whole if FUSED in each.rows]
    lines += ["", *markdown(("fused", "Cllr (listed)", "first claimed / found", "confidence"), list(map(_said, told)))]
    lines += ["", *markdown(("CPU s", *METHODS), [_took(each) for each in whole])]
    for each in whole:
        if each.name == EVERYBODY:
            lines += ["", f"{each.name}: accuracy {_digits(each.mean(FUSED, _right))}, published {_digits(PUBLISHED)}."]
    return "\n".join(lines) + "\n"


def _reached(each: Found) -> list[str]:
    best = max(each.f1(method) for method in each.rows)
    cells = []
    for method in METHODS:
        if method not in each.rows:
            cells.append("")
            continue
        value = _digits(each.f1(method))
        cells.append(f"**{value}**" if each.f1(method) == best else value)
    other = each.best_other
    if FUSED not in each.rows or other is None:
        return [each.name, *cells, ""]
    gain, low, high = each.ahead(other)
    return [each.name, *cells, f"{gain:+.3f} ({low:+.3f} to {high:+.3f}), {other}"]


def _said(each: Found) -> list[str]:
    figure = {name: each.mean(FUSED, lambda row, name=name: row[name]) for name in ("cllr", "claimed", "confidence")}  # type: ignore[misc]
    place = f"{_digits(figure['claimed'])} / {_digits(each.mean(FUSED, _right))}"
    return [each.name, _digits(figure["cllr"]), place, _digits(figure["confidence"])]


def _took(each: Found) -> list[str]:
    spent = (each.mean(method, lambda row: row["cpu_s"]) if method in each.rows else None for method in METHODS)
    return [each.name, *("" if seconds is None else f"{seconds:.3g}" for seconds in spent)]


def _digits(share: float) -> str:
    return f"{share:.3f}".removeprefix("0")


# --- the command -----------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    names = [each.name for each in SETS]
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--set", nargs="+", default=names, choices=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--method", nargs="+", default=list(METHODS), choices=list(METHODS), metavar="NAME")
    parser.add_argument("--table", action="store_true", help="print the table of what is there, and compute nothing")
    options = parser.parse_args(arguments)
    rows = kept(options.out)
    if not options.table:
        with one_blas_thread(), tempfile.TemporaryDirectory(prefix="forensia-corpora-") as place:
            for wanted in SETS:
                if wanted.name in options.set:
                    _run(wanted, options.method, rows, options.data, options.out, Path(place))
    sys.stdout.write(table(rows))
    return 0


def _run(wanted: ComparedSet, methods: Sequence[str], rows: list[Row], data: Path, out: Path, place: Path) -> None:
    """Ask what is missing, and write each row as it is found."""
    left = missing(wanted, methods, rows)
    if not left:
        return
    texts = read_set(unpacked(data, wanted.pack, place), wanted, place)
    for draw, names in left.items():
        prepared = Prepared(texts if wanted.size is None else texts.drawn(wanted.size, draw))
        for name in names:
            row = {"set": wanted.name, "draw": draw, **asked(prepared, name)}
            rows.append(row)
            files.write(out, "[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")
            sys.stderr.write(f"{wanted.name} {draw} {name} {_f1(row):.4f} {row['cpu_s']:.1f} s\n")


if __name__ == "__main__":
    raise SystemExit(main())
