"""The long work that the window starts, each a function of `progress` for the bridge; none of them touches a widget.

What takes the processor for long is done by a child process (`errands`), so that the window's own has nothing to do but listen.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forensia import codec
from forensia.case.store import Case
from forensia.corpus import ReadOptions, Role
from forensia.errors import ForensiaError
from forensia.evidence.result import Question, Stated
from forensia.gui import snapshot
from forensia.gui.errands import Effect
from forensia.gui.snapshot import Snapshot
from forensia.jobs import Progress
from forensia.jobs.errands import Errands, News, nothing

Opened = tuple[Case, Snapshot]
Announce = Callable[[object], None]
ERRANDS = "forensia.gui.errands"


def open_case(path: Path) -> Callable[[Progress], Opened]:
    """Open a case and read what the window shows of it."""

    def work(progress: Progress) -> Opened:
        progress(0.1, f"Opening {path.name}")
        return _opened(path)

    return work


def _opened(path: Path) -> Opened:
    case = Case.open(path)
    try:
        return case, snapshot.take(case)
    except BaseException:
        case.close()
        raise


def read_new(errands: Errands, source: Path, target: Path, options: ReadOptions) -> Callable[[Progress], Opened]:
    """Read known texts into a new case: stopped before its end, nothing is left behind."""

    def work(progress: Progress) -> Opened:
        case = Case.create(target)
        try:
            return case, read_into(errands, case, source, options, nothing)(progress)
        except BaseException:
            case.close()
            target.unlink(missing_ok=True)
            raise

    return work


def read_into(
    errands: Errands, case: Case, source: Path, options: ReadOptions, announce: Announce
) -> Callable[[Progress], Snapshot]:
    """Read known texts into a case that is there."""

    def work(progress: Progress) -> Snapshot:
        arguments = {"source": str(source), "options": options.to_json()}
        _lend(errands, case, "read", arguments, progress, announce)
        return snapshot.take(case)

    return work


Added = tuple[Snapshot, int, int]
"""The case after texts were added, how many authors they are by, and how many they are."""


def add(
    errands: Errands, case: Case, source: Path, options: ReadOptions, role: Role, announce: Announce
) -> Callable[[Progress], Added]:
    """Read further known texts into a case, by candidates or by the population."""

    def work(progress: Progress) -> Added:
        arguments = {"source": str(source), "options": options.to_json(), "role": role.value}
        authors, documents = _lend(errands, case, "add", arguments, progress, announce)
        return snapshot.take(case), int(authors), int(documents)

    return work


def train(
    errands: Errands, case: Case, options: Mapping[str, Any], jobs: int, announce: Announce
) -> Callable[[Progress], Snapshot]:
    """Train on the known texts of the case; the fused ranking is announced as soon as it can be used."""

    def work(progress: Progress) -> Snapshot:
        arguments = {"options": dict(options), "jobs": jobs}
        _lend(errands, case, "train", arguments, progress, announce, lambda _: announce(snapshot.take(case)))
        return snapshot.take(case)

    return work


def validate(errands: Errands, case: Case, jobs: int, announce: Announce) -> Callable[[Progress], Snapshot]:
    """Do what is missing of the validation of the model."""

    def work(progress: Progress) -> Snapshot:
        _lend(errands, case, "validate", {"jobs": jobs}, progress, announce)
        return snapshot.take(case)

    return work


@dataclass(frozen=True)
class Analysed:
    """What became of dropped files: the case afterwards, and a sentence for each file that could not be used."""

    snapshot: Snapshot
    done: int
    refused: tuple[str, ...] = ()


def analyse(
    errands: Errands, case: Case, before: Snapshot, files: Sequence[Path], announce: Announce
) -> Callable[[Progress], Analysed]:
    """Analyse disputed files; what is done is announced before the others are."""

    def work(progress: Progress) -> Analysed:
        arguments = {"files": [str(file) for file in files]}
        now = [before]  # each step takes over from the one before it what it need not make anew

        def ready(_: object) -> None:
            now[0] = snapshot.analysed(now[0], case)
            announce(now[0])

        told = _lend(errands, case, "analyse", arguments, progress, announce, ready)
        return Analysed(snapshot.analysed(now[0], case), int(told["done"]), tuple(told["refused"]))

    return work


def state(
    errands: Errands, case: Case, before: Snapshot, document: str, said: Stated | Question, announce: Announce
) -> Callable[[Progress], Snapshot]:
    """Analyse a disputed text again, with something else stated about its source, or asked."""

    def work(progress: Progress) -> Snapshot:
        told = {"stated" if isinstance(said, Stated) else "question": codec.plain(said)}
        arguments = {"document": document, "told": told}
        _lend(errands, case, "state", arguments, progress, announce)
        return snapshot.analysed(before, case)

    return work


def keep(
    errands: Errands, case: Case, before: Snapshot, texts: Sequence[Mapping[str, str]], announce: Announce
) -> Callable[[Progress], Snapshot]:
    """Compare texts with each other, and keep in the case what was found."""

    def work(progress: Progress) -> Snapshot:
        _lend(errands, case, "keep", {"texts": [dict(text) for text in texts]}, progress, announce)
        return snapshot.analysed(before, case)

    return work


def export_report(
    errands: Errands, case: Case, before: Snapshot, about: Mapping[str, Any], announce: Announce
) -> Callable[[Progress], Snapshot]:
    """Write the report of the case, which keeps its details and a note of it; `about` are the arguments of the errand."""

    def work(progress: Progress) -> Snapshot:
        _lend(errands, case, "report", {**about, "read_only": bool(before.read_only)}, progress, announce)
        return snapshot.changed(before, case)

    return work


def preview_report(errands: Errands, case: Case, about: Mapping[str, Any]) -> Callable[[Progress], Mapping[str, Any]]:
    """Write the report to look at it; nothing is changed in the case."""

    def work(progress: Progress) -> Mapping[str, Any]:
        arguments = {"case": str(case.path), **about, "read_only": True}
        found: Mapping[str, Any] = errands.do(f"{ERRANDS}:report", arguments, progress)
        return found

    return work


def effect(errands: Errands, case: Case, options: ReadOptions) -> Callable[[Progress], Effect]:
    """Try options out on the texts as they are in the case."""

    def work(progress: Progress) -> Effect:
        steps = [step.name for step in options.steps]
        arguments = {"case": str(case.path), "steps": steps, "words": options.segment_words}
        return Effect(**errands.do(f"{ERRANDS}:effect", arguments, progress))

    return work


def masked(
    errands: Errands, case: Case, document: str, options: Mapping[str, Any]
) -> Callable[[Progress], Mapping[str, str]]:
    """A known text as the mask of these training options leaves it, beside the text as it is."""

    def work(progress: Progress) -> Mapping[str, str]:
        chosen = {name: options[name] for name in ("mask", "language", "function_words")}
        arguments = {"case": str(case.path), "document": document, **chosen}
        found: Mapping[str, str] = errands.do(f"{ERRANDS}:masked", arguments, progress)
        return found

    return work


def _lend(
    errands: Errands,
    case: Case,
    what: str,
    arguments: Mapping[str, Any],
    progress: Progress,
    announce: Announce,
    news: News = nothing,
) -> Any:
    """Let the child work on the case in our place. When it fails or is stopped, what it had finished by then is announced.

    A child that was killed leaves a run without an end in the log; it gets one here.
    """
    try:
        return errands.do(f"{ERRANDS}:{what}", {"case": str(case.path), **arguments}, progress, news)
    except BaseException:
        with contextlib.suppress(ForensiaError):  # the first error is the one to tell
            case.close_interrupted()
            announce(snapshot.take(case))
        raise
