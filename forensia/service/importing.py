"""Known texts into a case: the one way in, whoever asks."""

from __future__ import annotations

from pathlib import Path

from forensia.case.store import Case
from forensia.corpus import Corpus, ReadOptions, checked, read_corpus
from forensia.jobs import Progress, part, silent


def import_corpus(case: Case, path: Path, options: ReadOptions, progress: Progress = silent) -> Corpus:
    """Read known texts into the case, with what is wrong with them."""
    corpus = checked(read_corpus(path, options, part(progress, 0.0, 0.6)), part(progress, 0.6, 1.0))
    case.store_corpus(corpus)
    return corpus
