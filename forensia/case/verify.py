"""Is the case still what it was? Everything in it is rehashed, the files behind it are looked at, and every difference has a name.

What came out again is compared with what is stored down to the single number; results that no longer rest on the files are stale.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from forensia.case import inspection
from forensia.case.arrays import KIND, Array, StoredArrays, analysis_of, model_hash
from forensia.case.errors import CaseDamaged, named, translated
from forensia.case.session import is_outdated
from forensia.case.storage import Json
from forensia.case.store import Case
from forensia.corpus.document import Corpus, Document, Problem, Role, text_hash
from forensia.corpus.walking import Unreadable, open_file, place_of, shown
from forensia.jobs import Progress, part, silent, tracked

_SHOWN = 60


@dataclass(frozen=True)
class Difference:
    """Something that is not as it was: the part, what is stored, what was found, and a sentence."""

    part: str
    stored: str
    found: str
    message: str


@dataclass
class Comparison:
    """Collects differences. Numbers may differ by `tolerance` (of their size, above one); `close` counts those that do."""

    tolerance: float = 0.0
    close: int = 0
    differences: list[Difference] = field(default_factory=list)

    def values(self, part: str, stored: Json, found: Json) -> None:
        """Compare two JSON values, key by key."""
        for place, old, new in _unequal(stored, found, ""):
            if _measured(old, new) and abs(old - new) <= self.tolerance * max(1.0, abs(old)):
                self.close += 1
            else:
                self.differs(f"{part}: {place}" if place else part, old, new)

    def groups(self, stored: StoredArrays, found: StoredArrays) -> None:
        """Compare two groups of arrays, array by array, and what their headers say; equal ones by their hashes alone."""
        part = f"the arrays {stored.kind}"
        self.values(f"header of {part}", stored.header, found.header)
        if stored.model_hash == found.model_hash:
            return
        for name in sorted({*stored, *found}):
            where = f"{name} of {part}"
            if name not in stored or name not in found:
                self.differs(where, *("there" if name in each else "nothing" for each in (stored, found)))
            elif stored.digest(name) != found.digest(name):
                self.array(where, stored[name], found[name])

    def array(self, part: str, stored: Array, found: Array) -> None:
        """Compare two arrays; the first numbers that differ stand for the others."""
        old, new = (f"{each.dtype} of shape {each.shape}" for each in (stored, found))
        if old != new:
            self.differs(part, old, new)
            return
        unequal = ~((stored == found) | ((stored != stored) & (found != found)))  # NaN is not equal to itself
        if stored.dtype.kind == "f":
            with np.errstate(invalid="ignore"):
                gap = np.abs(stored.astype(np.float64) - found.astype(np.float64))
                near = unequal & (gap <= self.tolerance * np.maximum(1.0, np.abs(stored)))
            self.close += int(near.sum())
            unequal &= ~near
        if not unequal.any():
            return
        place = tuple(int(axis) for axis in np.argwhere(unequal)[0])
        first, second = (_short(each[place].item()) for each in (stored, found))
        message = (
            f"{int(unequal.sum()):,} of {stored.size:,} numbers in {part} differ; "
            f"the first, at {list(place)}, is stored as {first} and came out as {second}."
        )
        self.differences.append(Difference(part, first, second, message))

    def differs(self, part: str, old: Json, new: Json) -> None:
        part, old, new = shown(part), _short(old), _short(new)  # a foreign case may have any keys
        message = f"{part[:1].upper()}{part[1:]} is stored as {old} and came out as {new}."
        self.differences.append(Difference(part, old, new, message))


def _unequal(old: Json, new: Json, place: str) -> Iterator[tuple[str, Json, Json]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            where = f"{place}.{key}" if place else key
            if key in old and key in new:
                yield from _unequal(old[key], new[key], where)
            else:
                yield where, old.get(key, "nothing"), new.get(key, "nothing")
    elif isinstance(old, (list, tuple)) and isinstance(new, (list, tuple)):
        if len(old) != len(new):
            yield f"length of {place or 'the list'}", len(old), len(new)
        for number, (first, second) in enumerate(zip(old, new, strict=False)):
            yield from _unequal(first, second, f"{place}[{number}]")
    elif old != new or isinstance(old, bool) is not isinstance(new, bool):
        yield place, old, new


def _measured(old: Json, new: Json) -> bool:
    """Whether both are numbers and not both are whole: what was counted is equal or not."""
    numbers = all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in (old, new))
    return numbers and (isinstance(old, float) or isinstance(new, float))


def _short(value: Json) -> str:
    text = value if isinstance(value, str) and value.isprintable() else repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def verify_case(case: Case, progress: Progress = silent) -> list[Difference]:
    """Rehash all texts, arrays, analyses, records and the log; empty when everything is as it was stored."""
    return list(_rehashed(case, progress))


def _rehashed(case: Case, progress: Progress) -> Iterator[Difference]:
    database = case.database
    progress(0.0, "Checking the structure of the case")
    with translated(case.path, "its structure"):
        findings = inspection.structure(database.connection, case.path)
    if findings:
        yield _damaged("the structure of the file", f"{len(findings)} findings")
    for broken in dict.fromkeys([*database.damage(), *database.broken_records()]):
        yield _damaged(broken)
    try:
        for fault in case.log.faults():
            yield Difference(
                f"audit log, entry {fault.sequence}", "", "", f"{fault.message[:1].upper()}{fault.message[1:]}."
            )
    except CaseDamaged as damage:
        yield _damaged(damage.part)
    yield from _documents(case, part(progress, 0.1, 0.5))
    yield from _arrays(case, part(progress, 0.5, 0.8))
    yield from _analyses(case, part(progress, 0.8, 1.0))
    results, choices = case.results, case.choices
    reads = (choices.settings, results.raw, results.raw_comparisons, results.notes, results.reports, choices.labels)
    for read in (*reads, case.documents.problems):
        try:
            read()
        except CaseDamaged as damage:
            yield _damaged(damage.part, damage.reason)


def _documents(case: Case, progress: Progress) -> Iterator[Difference]:
    try:
        listed = (*case.documents.known(), *case.documents.disputed())
    except CaseDamaged as damage:
        yield _damaged(damage.part)
        return
    for each in tracked(listed, progress, "Hashing the texts"):
        try:
            if case.without_texts:
                continue
            if text_hash(each.text) != each.analysed_sha256:
                yield _damaged(f"the document {each.id}", "its text does not belong to it")
        except CaseDamaged as damage:
            yield _damaged(damage.part, damage.reason)


def _arrays(case: Case, progress: Progress) -> Iterator[Difference]:
    try:
        kinds = case.database.names(KIND)
    except CaseDamaged as damage:
        yield _damaged(damage.part, damage.reason)
        return
    for kind in tracked(kinds, progress, "Hashing the models"):
        try:
            group = case.models.get(kind)
            if group is None or case.without_texts:
                continue
            arrays = {}
            for name in group:
                try:
                    arrays[name] = group[name]
                except CaseDamaged as damage:
                    yield _damaged(damage.part, damage.reason)
            if len(arrays) == len(group) and model_hash(arrays) != group.model_hash:
                yield _damaged(f"the arrays {kind}", "they do not belong together")
        except CaseDamaged as damage:
            yield _damaged(damage.part, damage.reason)


def _analyses(case: Case, progress: Progress) -> Iterator[Difference]:
    connection = case.database.connection
    try:
        with case.database.reading("the analyses"):
            rows = connection.execute("SELECT rowid, text, model, sha256 FROM analyses").fetchall()
            for row, text, model, digest in tracked(rows, progress, "Hashing the analyses"):
                values = connection.execute(
                    "SELECT coding, size, data FROM analyses WHERE rowid = ?", (row,)
                ).fetchone()
                try:
                    analysis_of(str(text), str(model), digest, *(values or (None, None, None)))
                except ValueError:
                    yield _damaged(f"the analysis of the text {str(text)[:16]}")
    except CaseDamaged as damage:
        yield _damaged(damage.part)


def _damaged(where: str, reason: str = "it is not what was stored") -> Difference:
    return Difference(where, "", "", f"{where[:1].upper()}{where[1:]}: {reason}.")


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
