"""Every method on whole corpora: train on all training documents of the closed authors, test on all their test documents.

    python -m forensia.bench.methods DATA OUT.json [--corpus NAME ...] [--profile paper forensic]

DATA holds the packs (archives or folders with a manifest). Attribution: macro-F1 over the test documents. Same-author
verification: accuracy on 1,000 pairs of test documents, half of them Same, by the closed authors and by the open ones, who
are in no training document. In the forensic profile all methods see the scaled vectors, and the models of the folds, from which k and the
stacked classifier come, take over the C of the final one (the quick mode). Rows are written as they are found.
"""

from __future__ import annotations

import argparse
import json
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia import files
from forensia.attribution import DistanceClassifier, Impostors, LinearSVM, StandardAttributor
from forensia.attribution.pairmodel import TrainingOptions
from forensia.corpus import Document, ReadOptions, read_corpus
from forensia.diffvectors import sample_pairs
from forensia.evidence.measures import macro_f1
from forensia.evidence.training import TrainedModel, train
from forensia.features import Vectors, count_documents
from forensia.language import MemoryCache, load_model
from forensia.profile import QUICK, profile_named

CORPORA = ("arxiv_single_author", "pan2011_large", "imdb62_50x100", "reuters_c50")
TEST_PAIRS = 500  # of each class


@dataclass(frozen=True)
class Test:
    """Documents to test on, as vectors, and who wrote them."""

    vectors: Vectors
    labels: list[str]


def run(folder: Path, profile: str, seed: int, jobs: int) -> Iterator[dict[str, Any]]:
    """All methods on one corpus; a row each."""
    language, cache = load_model(), MemoryCache()
    closed = read_corpus(folder, ReadOptions(split="train"))
    options = TrainingOptions(profile=profile_named(profile, QUICK), seed=seed)
    begun = time.process_time()
    model = train(closed, options, language, jobs=jobs, cache=cache).model
    spent = time.process_time() - begun
    labels = [document.author for document in closed.active.documents]

    def test_on(role: str) -> Test:
        documents: Sequence[Document] = read_corpus(folder, ReadOptions(split="test", role=role)).active.documents
        counts = count_documents(documents, language, jobs=jobs, typing=options.profile.typing)
        return Test(model.fitted.vectors(counts), [document.author for document in documents])

    known, open_ = test_on("closed"), test_on("open")
    yield from _attribution(model, labels, known, seed)
    yield from _verification(model, labels, known, open_, seed)
    yield {"method": "training", "cpu_s": round(spent, 1), "c": model.fitted.training.c, "k": model.k}


def _attribution(model: TrainedModel, labels: list[str], test: Test, seed: int) -> Iterator[dict[str, Any]]:
    rankings = model.rank_vectors(test.vectors)
    names = np.array(model.authors)
    lazy = names[np.array([ranking.lazy for ranking in rankings]).argmax(axis=1)]
    stacked = names[np.array([ranking.stacked for ranking in rankings]).argmax(axis=1)]
    yield _scored("Lazy AA", lazy, test.labels)
    yield _scored("Stacked AA", stacked, test.labels)
    for method, learner in (
        ("STD-AA", StandardAttributor(seed=seed)),
        ("STD-Bin", StandardAttributor(each=True, seed=seed)),
        ("SVM", LinearSVM(seed=seed)),
    ):
        yield _scored(method, learner.fit(model.known, labels).predict(test.vectors), test.labels)


def _scored(method: str, predicted: NDArray[Any], labels: list[str]) -> dict[str, Any]:
    truth = np.array(labels)
    return {
        "method": method,
        "macro_f1": round(macro_f1(labels, predicted.tolist()), 4),
        "accuracy": round(float((truth == predicted).mean()), 4),
    }


def _verification(
    model: TrainedModel, labels: list[str], known: Test, open_: Test, seed: int
) -> Iterator[dict[str, Any]]:
    cosine = DistanceClassifier(profile=model.options.profile, seed=seed).fit(model.known, labels)
    standard = StandardAttributor(seed=seed).fit(model.known, labels)
    impostors = Impostors(seed=seed).fit(model.known, labels)
    for role, test in (("closed", known), ("open", open_)):
        pairs = sample_pairs(test.labels, seed, cap=TEST_PAIRS)
        log_odds = model.fitted.model.pair_log_odds(test.vectors, pairs.first, pairs.second)
        answers = {
            "DV-Bin": log_odds > 0,
            "STD-CosDist": cosine.predict_proba(test.vectors, pairs.first, pairs.second) > 0.5,
        }
        if role == "closed":
            lazy = np.array([ranking.lazy for ranking in model.rank_vectors(test.vectors)]).argmax(axis=1)
            answers["DV-2xAA"] = lazy[pairs.first] == lazy[pairs.second]
            attributed = standard.predict(test.vectors)
            answers["STD-2xAA"] = attributed[pairs.first] == attributed[pairs.second]
        else:
            answers["Impostors"] = impostors.predict(test.vectors, pairs.first, pairs.second)
        for method, same in answers.items():
            yield {"method": method, "sav": role, "accuracy": round(float((same == pairs.same).mean()), 4)}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--corpus", nargs="+", default=list(CORPORA))
    parser.add_argument("--profile", nargs="+", default=["paper", "forensic"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    rows: list[dict[str, Any]] = json.loads(options.out.read_text("utf-8")) if options.out.exists() else []
    done = {(row["corpus"], row["profile"]) for row in rows}
    with tempfile.TemporaryDirectory(prefix="forensia-corpora-") as place:
        for corpus in options.corpus:
            for profile in options.profile:
                if (corpus, profile) in done:
                    continue
                found = list(run(unpacked(options.data, corpus, Path(place)), profile, options.seed, options.jobs))
                rows += [{"corpus": corpus, "profile": profile, **row} for row in found]
                files.write(options.out, json.dumps(rows, indent=1) + "\n")
                for row in found:
                    sys.stdout.write(f"{corpus} {profile} {json.dumps(row)}\n")
                sys.stdout.flush()
    return 0


def unpacked(data: Path, corpus: str, place: Path) -> Path:
    if (data / corpus).is_dir():
        return data / corpus
    if not (place / corpus).is_dir():
        with tarfile.open(data / f"{corpus}.tar.xz") as packed:
            packed.extractall(place, filter="data")
    return place / corpus


if __name__ == "__main__":
    raise SystemExit(main())
