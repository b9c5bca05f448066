"""Is what Forensia claims true? Each claim of a validation against what happens on texts that nobody touched.

    python -m forensia.bench.honesty DATA OUT.json [--corpus NAME ...] [--check NAME ...] [--quick] [--jobs N]

Checks, for each corpus:
`held-out`   train and validate on all training documents of the closed authors; then the LRs of the test documents (calibrated? how
             often above 100 for a wrong author?), the macro-F1 claimed and found, the rate at which texts by the open authors are declined,
             stated and found; and the cost of the validation in trainings.
`shuffled`   the same with the authors' names shuffled over the documents: chance accuracy, Cllr about 1.
`leak`       a word that occurs nowhere else is added to each document: out-of-fold accuracy must not rise.
`imbalance`  six authors, one with 7 documents and five with 28, each in turn: the small author's share of the predictions.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from forensia import files
from forensia.attribution.fusion import log_softmax
from forensia.attribution.pairmodel import TrainingOptions, fit_pairs
from forensia.bench.comparedsets import CORPORA, unpacked
from forensia.corpus import Corpus, Document, ReadOptions, read_corpus
from forensia.evidence.crossfit import Crossfit
from forensia.evidence.measures import cllr, cllr_cal, cllr_min, macro_f1
from forensia.evidence.result import FUSED, LAZY, STACKED
from forensia.evidence.summary import summarise
from forensia.evidence.training import Trained, train
from forensia.evidence.validation import Validation, validate
from forensia.features import EVERY_FAMILY, count_documents
from forensia.language import LanguageModel, MemoryCache, load_model
from forensia.profile import FORENSIC, QUICK, THOROUGH, Profile, profile_named

AUTHORS, FEW = 10, 20  # of the small corpora for the checks that need no large one
SMALL, LARGE, UNEQUAL = 7, 28, 6
Row = dict[str, Any]


@dataclass(frozen=True)
class Validated:
    """A trained and validated model, and what both took in CPU seconds."""

    trained: Trained
    validation: Validation
    training_s: float
    whole_s: float


def validated(corpus: Corpus, language: LanguageModel, *, profile: Profile, jobs: int) -> Validated:
    """Train and validate, with the time of one training beside that of everything."""
    cache = MemoryCache()
    documents = corpus.active.documents
    begun = time.process_time()
    trained = train(corpus, TrainingOptions(profile=profile), language, jobs=jobs, cache=cache)
    model = trained.model
    crossfit = Crossfit(model.fitted, model.options, jobs)
    by_author = crossfit.by_author(trained.texts)
    found = validate(trained, by_author, float(np.median([document.words for document in documents])))
    whole = time.process_time() - begun
    begun = time.process_time()
    fit_pairs(trained.texts.counts, list(trained.texts.labels), model.options, threads=jobs)
    return Validated(trained, found, time.process_time() - begun, whole)


def held_out(folder: Path, language: LanguageModel, profile: Profile, jobs: int) -> Row:
    """What was claimed and what is found on the test documents."""
    done = validated(read_corpus(folder, ReadOptions(split="train")), language, profile=profile, jobs=jobs)
    model, validation = done.trained.model, done.validation
    whole = validation.whole

    def tried(role: str) -> tuple[Any, Any, list[str]]:
        documents = read_corpus(folder, ReadOptions(split="test", role=role)).active.documents
        counts = count_documents(documents, language, EVERY_FAMILY, jobs=jobs, typing=profile.typing)
        return model.rank(counts), validation.system.scores(counts), [document.author for document in documents]

    claimed = summarise(validation)
    rankings, scores, labels = tried("closed")
    strange = tried("open")[1]
    own = np.array([model.authors.index(label) for label in labels])[:, None] == np.arange(len(model.authors))
    z = whole.calibration.z(scores)
    confidence = np.exp(log_softmax(z)).max(axis=1)
    listed, against_unlisted = whole.calibration.log10_lr(scores)
    outside = whole.calibration.log10_lr(strange)[1]
    headline = whole.calibration.headline(listed, against_unlisted)
    declined = whole.decisions(strange) < 0
    given = whole.decisions(scores)
    names = np.array(model.authors)
    first = {
        FUSED: z.argmax(axis=1),
        LAZY: np.array([ranking.lazy for ranking in rankings]).argmax(axis=1),
        STACKED: np.array([ranking.stacked for ranking in rankings]).argmax(axis=1),
    }
    return {
        "k": model.k,
        "c": model.fitted.training.c,
        "claimed": {system: claimed.systems[system].macro_f1 for system in first},
        "found": {system: macro_f1(labels, names[codes].tolist()) for system, codes in first.items()},
        "confidence": {"mean": float(confidence.mean()), "right": float(own[np.arange(len(own)), first[FUSED]].mean())},
        "listed": _calibrated(listed[own], listed[~own]) | {"validated_cllr": claimed.whole.listed.cllr},
        "unlisted": _calibrated(against_unlisted[own], outside.ravel())
        | {"validated_cllr": claimed.whole.unlisted and claimed.whole.unlisted.cllr},
        "headline_above_100_for_wrong_authors": float((headline[~own] > 2).mean()),
        "declined": {
            "stated": claimed.whole.open_set.unlisted and claimed.whole.open_set.unlisted.declined,
            "found": float(declined.mean()),
        },
        "opinions": {
            "stated": claimed.whole.open_set.listed.opinion,
            "found": float((given >= 0).mean()),
            "right": float((names[given[given >= 0]] == np.array(labels)[given >= 0]).mean())
            if (given >= 0).any()
            else None,
        },
        "cost": {
            "training_cpu_s": round(done.training_s, 1),
            "whole_cpu_s": round(done.whole_s, 1),
            "trainings": round(done.whole_s / done.training_s, 2),
        },
    }


def _calibrated(same: Any, different: Any) -> Row:
    return {
        "cllr": cllr(same, different),
        "cllr_min": cllr_min(same, different),
        "cllr_cal": cllr_cal(same, different),
        "above_100_for_wrong_authors": float((np.asarray(different) > 2).mean()),
    }


def shuffled(folder: Path, language: LanguageModel, profile: Profile, jobs: int) -> Row:
    """Names dealt out anew: nothing can be learnt, and the validation must say so."""
    corpus = _small(folder)
    rng = np.random.default_rng(5)
    names = rng.permutation([document.author for document in corpus.documents])
    mixed = Corpus.of(
        replace(document, author=str(name)) for document, name in zip(corpus.documents, names, strict=True)
    )
    found = summarise(validated(mixed, language, profile=profile, jobs=jobs).validation)
    return {
        "chance": 1 / AUTHORS,
        "accuracy": {method: found.systems[method].accuracy for method in ("lazy", "stacked")},
        "cllr": {"listed": found.whole.listed.cllr, "unlisted": found.whole.unlisted and found.whole.unlisted.cllr},
        "sav_cllr": found.pairs.unseen and found.pairs.unseen.cllr,
        "opinions": found.whole.open_set.listed.opinion,
    }


def leak(folder: Path, language: LanguageModel, profile: Profile, jobs: int) -> Row:
    """A mark in each document that only a model which has seen it could use."""
    corpus = _small(folder)
    marked = Corpus.of(_marked(document) for document in corpus.documents)
    plain, canary = (
        summarise(validated(each, language, profile=profile, jobs=jobs).validation) for each in (corpus, marked)
    )
    return {
        method: {"plain": plain.systems[method].accuracy, "marked": canary.systems[method].accuracy}
        for method in ("lazy", "stacked")
    }


def _marked(document: Document) -> Document:
    word = "zq" + "".join(chr(ord("a") + int(sign, 16)) for sign in document.sha256_text[:10])
    return replace(document, body=f"{document.text} {' '.join([word] * 5)}", cuts=(), words=document.words + 5)


def imbalance(folder: Path, language: LanguageModel, profile: Profile, jobs: int) -> Row:
    """How often the author with few documents is predicted, each of six authors in turn being that author."""
    whole = read_corpus(folder, ReadOptions(split="train")).active
    names = [name for name in whole.authors if whole.counts[name] >= LARGE][:UNEQUAL]
    tests = read_corpus(folder, ReadOptions(split="test")).active
    least = min(tests.counts[name] for name in names)
    even = [each for name in names for each in [text for text in tests.documents if text.author == name][:least]]
    counts, cache = count_documents(even, language, jobs=jobs, typing=profile.typing), MemoryCache()
    shares: dict[str, list[float]] = {"lazy": [], "stacked": []}
    for small in names:
        kept = [
            document
            for name in names
            for document in [each for each in whole.documents if each.author == name][
                : SMALL if name == small else LARGE
            ]
        ]
        model = train(Corpus.of(kept), TrainingOptions(profile=profile), language, jobs=jobs, cache=cache).model
        rankings = model.rank(counts)
        place = model.authors.index(small)
        for method, found in shares.items():
            found.append(float(np.mean([getattr(ranking, method).argmax() == place for ranking in rankings])))
    mean = {method: float(np.mean(found)) for method, found in shares.items()}
    return {"equal_share": 1 / UNEQUAL, **mean, "each": shares}


def _small(folder: Path) -> Corpus:
    whole = read_corpus(folder, ReadOptions(split="train")).active
    names = [name for name in whole.authors if whole.counts[name] >= FEW][:AUTHORS]
    return Corpus.of(
        document for name in names for document in [each for each in whole.documents if each.author == name][:FEW]
    )


CHECKS: dict[str, Callable[[Path, LanguageModel, Profile, int], Row]] = {
    "held-out": held_out,
    "shuffled": shuffled,
    "leak": leak,
    "imbalance": imbalance,
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--corpus", nargs="+", default=list(CORPORA))
    parser.add_argument("--check", nargs="+", default=list(CHECKS), choices=list(CHECKS))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    rows: list[Row] = json.loads(options.out.read_text("utf-8")) if options.out.exists() else []
    done = {(row["corpus"], row["check"]) for row in rows}
    language, profile = load_model(), profile_named(FORENSIC.name, QUICK if options.quick else THOROUGH)
    with tempfile.TemporaryDirectory(prefix="forensia-honesty-") as place:
        for corpus in options.corpus:
            for check in options.check:
                if (corpus, check) in done:
                    continue
                folder = unpacked(options.data, corpus, Path(place))
                found = CHECKS[check](folder, language, profile, options.jobs)
                rows.append({"corpus": corpus, "check": check, "quick": options.quick, **found})
                files.write(options.out, json.dumps(rows, indent=1) + "\n")
                sys.stdout.write(json.dumps(rows[-1]) + "\n")
                sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
