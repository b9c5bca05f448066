"""The stages of the fused answer, for which there is no reference: from counts to a validated system, and one text with its features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from forensia.bench.enginestages import ASKED, SEED
from forensia.bench.measuring import Arrays, Task, Work
from forensia.bench.samples import QUERIES, read_sample, read_samples


def fused_train_validate(task: Task) -> Work:
    """Every fit, every leave-out and the fusion; each text is a source of its own."""
    sample = read_sample(task)
    counts = _counted(task, sample.texts)

    def do() -> Callable[[], Arrays]:
        system, left_out = _fitted(counts, sample.authors)
        return lambda: {"weights": system.fusion.weights, "left_out": left_out[0].inside}

    return Work(do, len(sample.texts))


def fused_one(task: Task) -> Work:
    """Test documents one after the other against all known ones: the row gives the mean."""
    samples = read_samples(task, {"train": task.documents, "test": QUERIES})
    known, asked = samples["train"], samples["test"].texts[:ASKED]
    system = _fitted(_counted(task, known.texts), known.authors)[0]
    system.z(_counted(task, asked[:1]))

    def do() -> Callable[[], Arrays]:
        found = [system.z(_counted(task, [text])) for text in asked]
        return lambda: {"z": np.concatenate(found)}

    return Work(do, len(known.texts), 1 / len(asked))


@lru_cache(maxsize=1)
def _language(choice: str) -> Any:
    from forensia.language import load_model

    return load_model(choice)


def _counted(task: Task, texts: Sequence[str]) -> Any:
    """What the families of the fused answer count in texts, which are typed alike first."""
    from forensia.corpus.typing import typed
    from forensia.features import extract
    from forensia.features.vectors import FUSED_FAMILIES
    from forensia.language import analyse

    model = _language(task.model)
    read = [typed(text, "canonical").text for text in texts]
    return extract(read, analyse(read, model), FUSED_FAMILIES, model.function_words)


def _fitted(counts: Any, authors: Sequence[str]) -> Any:
    from forensia.diffvectors.pairs import codes
    from forensia.features.vectors import FUSED_FAMILIES
    from forensia.systems.fused import fit_fused
    from forensia.systems.leaving_out import rounds

    numbers = codes(list(authors))
    return fit_fused(counts, numbers, [rounds(numbers, [()] * len(numbers), SEED)], FUSED_FAMILIES)
