"""Whether the files behind a case are still those that were read, and which results are stale when they are not."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass

from forensia.case.errors import named
from forensia.case.session import is_outdated
from forensia.case.store import Case
from forensia.corpus.document import Corpus, Document, Problem, Role
from forensia.corpus.walking import Unreadable, open_file, place_of, shown
from forensia.jobs import Progress, part, silent, tracked

_CHUNK = 1 << 20
_NAMED = 3


@dataclass(frozen=True)
class Stale:
    """What no longer rests on the files it was made of: a problem for each changed file, and what follows from them.

    `model` is True when a document that training uses has changed: then every result is stale. `results` are the names of the
    stale results.
    """

    problems: tuple[Problem, ...]
    documents: tuple[str, ...]
    model: bool
    results: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.problems)


def stale_files(case: Case, progress: Progress = silent) -> Stale:
    """Compare the files with the hashes of the bytes that were read; no text is read from the case for it."""
    known, disputed = case.documents.known(), case.documents.disputed()
    root = case.documents.root()
    folders: dict[tuple[Role, str], list[Document]] = {}
    for each in known:
        folders.setdefault((Role.CANDIDATE, each.root or root), []).append(each)
    for each in disputed:
        if each.root:  # a pasted text has no file
            folders.setdefault((Role.DISPUTED, each.root), []).append(each)
    problems: list[Problem] = []
    for number, ((_, folder), inside) in enumerate(folders.items()):
        stage = part(progress, number / len(folders), (number + 1) / len(folders))
        problems += changed_files(Corpus.of(inside, root=folder), stage)
    changed = {name for problem in problems for name in problem.documents if problem.code == "source-changed"}
    model = any(each.id in changed for each in known if each.excluded is None)
    results = tuple(each.name for each in case.results.raw() if model or each.document in changed)
    return Stale(tuple(problems), tuple(sorted(changed)), model, results)


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


def stale_warnings(case: Case, progress: Progress = silent) -> list[str]:
    """What to tell the analyst of files that are no longer those that were read, which they are, and what is stale for it; and that a
    model is outdated by what was added or decided since.
    """
    stale = stale_files(case, progress)
    changed = [each.file for each in stale.problems if each.code == "source-changed"]
    missing = [each.file for each in stale.problems if each.code != "source-changed"]
    warnings = []
    if changed:
        count = len(stale.results)
        results = [f"{count:,} result{'' if count == 1 else 's'}"] if count else []
        resting = " and ".join((["the model"] if stale.model else []) + results)
        follows = f"stale, because it was made from what was read: {resting}" if resting else "no result rests on that"
        warnings.append(
            f"Changed since it was read: {_listed(changed)}; {follows}. Read the texts again, or put the old ones back."
        )
    if missing:
        warnings.append(f"No longer to be found: {_listed(missing)}. What was read of it is kept in the case.")
    if is_outdated(case):
        warnings.append(
            "The model is outdated: known texts were added or left out since it was trained, or have other authors, roles or settings. "
            f"`forensia validate {named(case.path)}` trains it anew."
        )
    return warnings


def _listed(files: list[str]) -> str:
    """A few names, and how many more."""
    names = ", ".join(f"'{shown(file)}'" for file in files[:_NAMED])
    return f"{names} and {len(files) - _NAMED:,} more" if len(files) > _NAMED else names
