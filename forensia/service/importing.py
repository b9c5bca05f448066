"""Known texts into a case: the one way in, whoever asks."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from forensia.case.store import Case
from forensia.corpus import Corpus, ReadOptions, read_corpus
from forensia.corpus.sources import settled
from forensia.jobs import Progress, part, silent


def import_corpus(case: Case, path: Path, options: ReadOptions, progress: Progress = silent) -> Corpus:
    """Read known texts into the case, with what is wrong with them and how they were read.

    What the analyst decided about a document before holds on where it is still the same, but for its sources where these are given
    anew; the program's own reasons to leave one out are found anew.
    """
    options = replace(options, sources=settled(options.sources))
    corpus = read_corpus(path, options, part(progress, 0.0, 0.9), thorough=True)
    progress(0.92, "Keeping the texts in the case")
    authors: dict[str, list[str]] = defaultdict(list)
    sources: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)  # by the reason
    for document in case.documents():
        if document.id in corpus.by_id:
            if isinstance(document.excluded, str) and document.id not in corpus.excluded:
                corpus = corpus.without([document.id], document.excluded)
            if document.author != document.read_as:
                authors[document.author].append(document.id)
    given_anew = options.sources != case.reading().sources
    for name, chosen in case.chosen_sources().items():
        if name in corpus.by_id and not given_anew:
            sources[chosen.because][name] = chosen.sources
    with case.step():
        case.store_corpus(corpus, options)
        for author, names in authors.items():
            case.reassign(names, author)
        for because, wanted in sources.items():
            case.set_sources(wanted, because)
    return corpus
