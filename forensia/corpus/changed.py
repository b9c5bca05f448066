"""Whether the files behind a corpus are still those that were read: a result rests on bytes, and files change."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator

from forensia.corpus.document import Corpus, Problem
from forensia.corpus.walking import Unreadable, open_file, place_of
from forensia.jobs import Progress, silent, tracked

_CHUNK = 1 << 20


def changed_files(corpus: Corpus, progress: Progress = silent) -> tuple[Problem, ...]:
    """A problem for every file whose bytes are no longer those that were read, or that is gone: results on it are stale."""
    files: dict[str, tuple[str, list[str]]] = {}
    for document in corpus.documents:
        if document.path and document.sha256_bytes:
            files.setdefault(document.path, (document.sha256_bytes, []))[1].append(document.id)
    return tuple(_changed(corpus.root, files, progress))


def _changed(root: str, files: dict[str, tuple[str, list[str]]], progress: Progress) -> Iterator[Problem]:
    for path in tracked(sorted(files), progress, "Checking that the files are unchanged", len(files)):
        expected, ids = files[path]
        try:
            found = _hash(place_of(root, path))
        except (OSError, Unreadable):
            yield Problem.of("source-missing", file=path, documents=ids)
            continue
        if found != expected:
            yield Problem.of("source-changed", file=path, documents=ids)


def _hash(place: str) -> str:
    digest = hashlib.sha256()
    handle, _ = open_file(os.path.realpath(place))
    with os.fdopen(handle, "rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
