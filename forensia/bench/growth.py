"""How Forensia itself grows: one disputed text, more and more known texts, very many of them, two cores instead of one.

    python -m forensia.bench.growth [--data DIR] [--part scoring large jobs]

All on reuters_c50, each part in a process of its own, which gives a line of JSON. `scoring`: wall seconds from a disputed text to
the scores of 25 authors with 1,250 known texts, everything loaded, and processor time to compare a text with ever more known ones. `large`:
features and training on all 5,000 texts (100,000 pairs), with the memory of the whole process. `jobs`: the same work by one and by two.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from forensia.bench.measuring import Arrays, Task, Work, cpu_seconds, find_data, in_child, read_samples

LIMIT = 7200.0
KNOWN = (312, 625, 1250, 2500)
ASKED = 20
FEW = 500  # texts, by ten authors, to train on twice
BRIEF = 5000  # pairs of each class: enough for a model whose speed, not whose judgement, is measured


def scoring(task: Task) -> Work:
    from forensia.diffvectors import DVBin, Scorer, probability
    from forensia.diffvectors.pairs import codes
    from forensia.features import FeatureSpace
    from forensia.systems.lazy_stacked import author_scores

    samples = read_samples(task, {"train": None, "test": None})
    known, others = samples["train"], samples["test"]
    disputed = others.texts[:: len(others.texts) // ASKED]
    counted = _counter(task)
    counts = counted(known.texts)
    space = FeatureSpace().fit(counts, known.authors)
    vectors, numbers = space.transform(counts), codes(known.authors)
    model = DVBin(cap=BRIEF, grid=(100.0,)).fit(vectors, known.authors).model_
    more = space.transform(counted([*known.texts, *others.texts]))
    more = more.rows(np.random.default_rng(0).permutation(len(more)))
    queries = more.rows(slice(0, ASKED))

    def answer(text: str) -> None:
        pr_same = probability(Scorer(model, vectors).log_odds(space.transform(counted([text]))))
        author_scores(pr_same, numbers, 5)

    def do() -> Callable[[], Arrays]:
        found: Arrays = {"answer_s": np.array([_spent(partial(answer, text))["wall_s"] for text in disputed])}
        for count in KNOWN:
            ready = Scorer(model, more.rows(slice(0, count)))
            spent = [_spent(partial(ready.log_odds, queries))["cpu_s"] for _ in range(10)]
            found[f"ms_against_{count}"] = np.array(1000 * min(spent) / ASKED)
        return lambda: found

    return Work(do, len(known.texts))


def large(task: Task) -> Work:
    from forensia.diffvectors import DVBin
    from forensia.features import FeatureSpace

    samples = read_samples(task, {"train": None, "test": None}, ("closed", "open")).values()
    texts = [text for sample in samples for text in sample.texts]
    authors = [author for sample in samples for author in sample.authors]
    counted = _counter(task)

    def do() -> Callable[[], Arrays]:
        counts = counted(texts)
        vectors = FeatureSpace().fit_transform(counts, authors)
        training = DVBin().fit(vectors, authors).training_
        return lambda: {name: np.array(getattr(training, name)) for name in ("pairs", "c", "converged")}

    return Work(do, len(texts))


def jobs(task: Task) -> Work:
    from forensia.diffvectors import DVBin
    from forensia.features import FeatureSpace
    from forensia.language import analyse, load_model

    sample = read_samples(task, {"train": None})["train"]
    model = load_model(task.model)
    texts, authors = sample.texts[:FEW], sample.authors[:FEW]  # they are in the order of their authors
    vectors = FeatureSpace().fit_transform(_counter(task)(texts), authors)

    def do() -> Callable[[], Arrays]:
        found: Arrays = {}
        for count in (1, 2):
            for name, work in (
                ("tagging", partial(analyse, sample.texts, model, count)),
                ("training", partial(DVBin(threads=count).fit, vectors, authors)),
            ):
                found |= {f"{name}_{count}_{kind}": np.array(spent) for kind, spent in _spent(work).items()}
        return lambda: found

    return Work(do, len(sample.texts))


def _counter(task: Task) -> Callable[[list[str]], Any]:
    from forensia.features import extract
    from forensia.language import analyse, load_model

    model = load_model(task.model)
    return lambda texts: extract(texts, analyse(texts, model), function_words=model.function_words)


def _spent(work: Callable[[], object]) -> dict[str, float]:
    wall, cpu = time.perf_counter(), cpu_seconds()
    work()
    return {"wall_s": time.perf_counter() - wall, "cpu_s": cpu_seconds() - cpu}


PARTS = {part.__name__: part for part in (scoring, large, jobs)}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS))
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="forensia-bench-") as place:
        for part in options.part:
            out, data = Path(place) / f"{part}.npz", str(find_data(options.data))
            side = f"forensia.bench.growth:{part}"
            measured = in_child(Task(side, "reuters_c50", None, None, 0, data, "embedded", place, str(out)), LIMIT)
            row = {
                "part": part,
                "finished": measured.finished,
                "documents": measured.documents,
                "cpu_s": measured.cpu_s,
            }
            row["peak_mb"] = round((measured.peak_mb or 0) + (measured.baseline_mb or 0), 1)
            figures = dict(np.load(out)) if out.exists() else {}
            row |= {name: round(float(np.median(figure)), 4) for name, figure in figures.items()}
            sys.stdout.write(json.dumps(row) + "\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
