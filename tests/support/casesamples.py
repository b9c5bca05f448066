"""A small case with something of every kind in it, and a way to read all of it back."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from forensia.case import Case
from forensia.case.inspection import create
from forensia.corpus.document import AS_WRITTEN, Corpus, Cut, Document, Problem, Severity, text_hash

WORDS = (
    "the of and to a in that is was for it with as on be at by this had not are but from or have an they harbour letter "
    "morning garden captain window river silence market stone kitchen evening promise winter journey shoulder question "
    "village answer carriage station summer lantern orchard sermon quarrel neighbour parcel ladder meadow pocket candle"
).split()
MODEL = "e" * 64


def prose(seed: int, words: int = 120) -> str:
    """Words in an order of their own for every seed."""
    chance = random.Random(seed)
    return " ".join(chance.choice(WORDS) for _ in range(words)) + ".\n"


def document(author: str, seed: int, words: int = 120, **more: Any) -> Document:
    """A document with its hashes, without a file."""
    text = prose(seed, words)
    made = Document(
        author,
        f"text {seed}",
        text,
        path=f"{author}/{seed}.txt",
        sha256_text=text_hash(text),
        sha256_bytes=text_hash(text),
        language="en",
        words=words,
    )
    return replace(made, **more)


def corpus(documents: int = 9) -> Corpus:
    """Three authors, with everything that a document can carry."""
    made = [document("Ann Bob Cyd".split()[seed % 3], seed) for seed in range(documents)]
    problem = Problem(
        "short", Severity.WARNING, {AS_WRITTEN: ("It is short.", "Add more.")}, made[0].path, (made[0].id,), (3, 5)
    )
    made[0] = replace(made[0], cuts=(Cut(2, 9, "quoted"), Cut(20, 31, "signature")), problems=(problem,))
    made[1] = replace(
        made[1], title="Où ist \udcff ‘it’?", sources=("box/1",), read_sources=None, part=2, encoding="cp1252"
    )
    made[2] = replace(made[2], excluded="a copy")
    whole = Problem("few", Severity.NOTE, {AS_WRITTEN: ("There are few.", "Add some.")})
    return Corpus.of(made, [whole, problem], "authors", "/no/such/folder")


def arrays() -> dict[str, np.ndarray]:
    """One of each type, and the shapes that are special."""
    chance = np.random.default_rng(5)
    matrix = chance.random((9, 9))
    matrix[np.diag_indices(9)] = np.nan
    return {
        "matrix": matrix,
        "weights": chance.standard_normal(300).astype(np.float32),
        "keys": chance.integers(0, 1000, (50, 5)).astype(np.uint32),
        "order": np.arange(-3, 9),
        "flags": np.array([True, False, True]),
        "one": np.array(7, np.uint8),
        "none": np.zeros((0, 4), np.int16),
    }


def ticking(start: str = "2024-05-01T12:00:00+00:00") -> Callable[[], datetime]:
    """A clock that goes on by a second at every look."""
    time = [datetime.fromisoformat(start).astimezone(UTC)]

    def look() -> datetime:
        time[0] += timedelta(seconds=1)
        return time[0]

    return look


def fill(case: Case) -> None:
    """Put something of every kind into a case."""
    case.documents.store(corpus())
    names = [each.id for each in case.documents.known()]
    case.choices.set_settings({"seed": 7, "families": ["words", "punctuation"], "report": {"analyst": "N. N."}})
    case.choices.exclude(names[:2], "not of the time")
    case.choices.reassign(names[3:4], "Dee")
    case.choices.include(names[:1])
    case.choices.undo()
    with case.models.analyses() as cache:
        for seed in range(4):
            cache.put(text_hash(prose(seed)), MODEL, bytes(range(256)) * 3)
    with case.log.run("training") as run, run.finish({"converged": True}):
        case.models.store("pair model", {"c": 10.0, "converged": True}, arrays(), not_finite=["matrix"])
        case.models.store("space", {"families": ["words"]}, {"idf": np.linspace(0, 1, 7000)})
    for seed in (50, 51):
        name = case.documents.add_disputed(document("", seed, root="/no/such/folder"))
        case.results.store(name, {"lazy": [{"author": "Ann", "score": 0.1 + seed}], "warnings": []})
        case.results.set_note(name, f"Seen by two of us ({seed}).")
    case.results.set_note("case", "Ask for the other letters.")
    case.results.report_made("letters.pdf", "f" * 64, {"draft": True})


def make(path: Path) -> Path:
    """A case with all of this, closed."""
    with Case.create(path, clock=ticking()) as case:
        fill(case)
    return path


def make_version_0(path: Path) -> Path:
    """The same as the first trials wrote it: without a place for analyses."""
    made = make(path.with_name("for-version-0.forensia"))
    old, new = sqlite3.connect(made), sqlite3.connect(path, isolation_level=None)
    new.execute("PRAGMA auto_vacuum = INCREMENTAL")
    create(new, 0)
    for table, columns in (("records", 4), ("content", 6), ("log", 7)):
        marks = ", ".join("?" * columns)
        new.executemany(f"INSERT INTO {table} VALUES ({marks})", old.execute(f"SELECT * FROM {table}").fetchall())
    old.close()
    new.close()
    made.unlink()
    return path


def readers(case: Case) -> dict[str, Callable[[], Any]]:
    """Everything that can be asked of a case, by name; each gives something that can be compared."""
    found: dict[str, Callable[[], Any]] = {
        "about": lambda: dict(case.about),
        "corpus": lambda: _corpus(case.documents.corpus()),
        "documents": case.documents.known,
        "disputed": case.documents.disputed,
        "problems": case.documents.problems,
        "settings": case.choices.settings,
        "basis": case.documents.basis,
        "kinds": case.models.hashes,
        "results": case.results.raw,
        "notes": case.results.notes,
        "reports": case.results.reports,
        "undo": case.choices.labels,
        "log": lambda: (case.log.entries(), case.log.faults()),
    }
    for seed in (50, 51):
        name = document("", seed).id
        found[f"text {seed}"] = lambda name=name: case.documents.get(name).original
    for kind in ("pair model", "space"):
        found[kind] = lambda kind=kind: _group(case, kind)
    return found


def _corpus(read: Corpus | None) -> Any:
    return read and (read, read.problems, [each.problems for each in read.documents], read.fingerprint)


def _group(case: Case, kind: str) -> Any:
    group = case.models.get(kind)
    if group is None:
        return None
    return group.header, {name: (each.dtype.str, each.shape, each.tobytes()) for name, each in group.load().items()}


def read_all(case: Case) -> dict[str, Any]:
    """Everything a case says."""
    return {name: read() for name, read in readers(case).items()}


def cached(case: Case) -> list[bytes | None]:
    """What the cache has of the texts that were analysed."""
    cache = case.models.analyses()
    return [cache.get(text_hash(prose(seed)), MODEL) for seed in range(4)]
