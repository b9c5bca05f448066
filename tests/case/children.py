"""What the tests of storage faults do in processes of their own: be killed, fill a disk, lose a folder. Run as a script.

Each command prints one line of JSON with what it saw; an assertion that fails ends it with a traceback.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import random
import resource
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from forensia.case import Case, CaseReadOnly, verify_case
from forensia.case.runs import machine
from forensia.corpus.document import Corpus
from forensia.errors import StorageError
from support import casesamples as samples


def store(case: Case, generation: int) -> None:
    """One step with something of all that a training stores, different for each generation."""
    with case.log.run("training") as run, run.finish({"generation": generation}):
        case.documents.store(
            Corpus.of(samples.document("Ann Bob".split()[seed % 2], 7 * generation + seed) for seed in range(7))
        )
        case.choices.set_settings({"generation": generation})
        sizes = 3000 + 1000 * (generation % 7)
        case.models.store("space", {"generation": generation}, {"a": np.full(sizes, float(generation))})
        case.models.store("pair model", {"generation": generation}, {"b": np.arange(generation, generation + 20_000)})


def generation_of(case: Case) -> int:
    """The generation a case holds, after looking at all of it: everything must be of one."""
    assert not case.damage, case.damage
    generation = case.choices.settings().get("generation", 0)
    corpus, space, model = case.documents.corpus(), case.models.get("space"), case.models.get("pair model")
    if generation == 0:
        assert corpus is None and space is None and model is None
    else:
        assert corpus is not None and space is not None and model is not None
        assert {each.title for each in corpus.documents} == {f"text {7 * generation + seed}" for seed in range(7)}
        assert space.header == model.header == {"generation": generation}
        assert space["a"].shape == (3000 + 1000 * (generation % 7),) and set(space["a"].tolist()) == {float(generation)}
        assert model["b"][0] == generation
    assert verify_case(case) == []
    return int(generation)


def killed(folder: Path, rounds: int) -> None:
    """Kill a writer at random moments; each time the case holds what it had stored last, or what it was storing.

    So many rounds, and more until enough kills fell into each kind of work, which depends on the machine.
    """
    path, copy, new = folder / "a.forensia", folder / "copy.forensia", folder / "new.forensia"
    machine()  # found out once in a process; each writer would be killed at it
    chance = random.Random(59)
    with Case.create(path):
        pass
    hot = interrupted = copies = parts = 0
    number = -1
    while (number := number + 1) < rounds or hot < 15 or interrupted < 10 or parts < 5 or copies < 30:
        task = "step" if number % 4 < 2 else "copy" if number % 4 == 2 else "create"
        done, told = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(done)
            _write_until_killed(task, path, copy, new, told)
        os.close(told)
        said = os.read(done, 1)  # it has begun
        time.sleep(chance.random() * 0.04)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        while more := os.read(done, 65536):
            said += more
        os.close(done)
        hot += (folder / "a.forensia-journal").exists()
        parts += bool(list(folder.glob(".*.part")))
        before = int(said.split()[0].decode()) if task == "step" else 0
        finished = before + said.count(b".")
        with Case.open(path) as case:
            generation = generation_of(case)
            events = [each.event for each in case.log.entries()]
            interrupted += events[-1] == "run interrupted"
            ends = ("run finished", "run discarded", "run interrupted")
            assert events.count("run started") == sum(events.count(end) for end in ends)
            case.log.note("looked at")
        if task == "step":
            assert generation in (finished, finished + 1), (generation, finished)
        for other, by in ((copy, "copy"), (new, "create")):
            if by == task and other.exists():
                copies += 1
                with Case.open(other) as case:
                    generation_of(case)
        left = {each.name for each in folder.iterdir()} - {
            "a.forensia",
            "copy.forensia",
            "new.forensia",
            ".new.forensia.part",
        }
        if not copy.exists():  # killed before the first copy was whole: nobody has opened one, which sweeps
            left.discard(".copy.forensia.part")
        assert left <= {"new.forensia-lock", "copy.forensia-lock"}, left
    print(json.dumps({"hot": hot, "interrupted": interrupted, "copies": copies, "parts": parts, "rounds": number}))


def _write_until_killed(task: str, path: Path, copy: Path, new: Path, told: int) -> None:
    with Case.open(path) as case:
        generation = int(case.choices.settings().get("generation", 0))
        os.write(told, f"{generation} ".encode())
        while True:
            if task == "step":
                generation += 1
                store(case, generation)
            elif task == "copy":
                case.save_copy(copy)
            else:
                new.unlink(missing_ok=True)
                Case.create(new).close()
            os.write(told, b".")


def killed_in_training(path: Path) -> None:
    with Case.open(path) as case, case.log.run("training"), case.step():
        case.models.store("space", {}, {"half": np.arange(200_000)})
        os.kill(os.getpid(), signal.SIGKILL)


@contextlib.contextmanager
def limited(size: int) -> Iterator[None]:
    """No file may grow beyond a size."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


def too_large(folder: Path) -> None:
    """Every write may be the one that the system refuses: the case stays as it was, and the same step works afterwards."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    path, copy = folder / "a.forensia", folder / "copy.forensia"
    with Case.create(path) as case:
        store(case, 1)
        case.save_copy(copy)
        refused = copied = 0
        generation = 1
        limit = 0
        while True:
            with limited(limit):
                try:
                    store(case, generation + 1)
                except StorageError as error:
                    assert "a.forensia" in str(error) and "as it was before" in str(error), error
                    refused += 1
                else:
                    break
                try:
                    case.save_copy(copy)
                except StorageError as error:
                    assert "copy.forensia" in str(error), error
                    copied += 1
            assert generation_of(case) == generation
            with Case.open(copy, read_only=True) as old:
                assert generation_of(old) == generation
            assert not list(folder.glob(".*"))
            limit += 8192
        assert generation_of(case) == generation + 1
    with Case.open(path) as case:
        assert generation_of(case) == generation + 1
    print(json.dumps({"refused": refused, "copied": copied}))


_NEW_NAMESPACE, _READ_ONLY, _REMOUNT, _PRIVATE, _RECURSIVE = 0x20000, 1, 32, 1 << 18, 1 << 14


def _mount(kind: str, target: str, flags: int, options: str = "") -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(kind.encode(), target.encode(), kind.encode(), flags, options.encode()) != 0:
        raise OSError(ctypes.get_errno(), "mount")


def _own_disk(folder: Path, size: str) -> None:
    """A small disk that only this process sees; it ends with code 77 where that is not allowed."""
    try:
        if ctypes.CDLL(None, use_errno=True).unshare(_NEW_NAMESPACE) != 0:
            raise OSError(ctypes.get_errno(), "unshare")
        _mount("none", "/", _PRIVATE | _RECURSIVE)
        _mount("tmpfs", str(folder), 0, f"size={size},mode=0700")
    except OSError:
        sys.exit(77)


def full_disk(folder: Path) -> None:
    """A disk with room for a few pages more each time: the old state, until there is room for the new one."""
    _own_disk(folder, "4m")
    path, copy, ballast = folder / "a.forensia", folder / "copy.forensia", folder / "ballast"
    refused = copied = 0
    with Case.create(path) as case:
        store(case, 1)
        case.save_copy(copy)
        for room in range(0, 200):
            status = os.statvfs(folder)
            keep = max(0, status.f_bavail - room) * status.f_bsize
            ballast.write_bytes(b"\1" * keep)
            try:
                store(case, 2)
            except StorageError as error:
                assert "as it was before" in str(error), error
                refused += 1
            try:
                case.save_copy(copy)
            except StorageError as error:
                assert "copy.forensia" in str(error), error
                copied += 1
            generation = generation_of(case)
            ballast.unlink()
            with Case.open(copy, read_only=True) as old:
                assert generation_of(old) in (1, generation)
            if generation == 2:
                break
        assert generation_of(case) == 2
    with Case.open(path) as case:
        assert generation_of(case) == 2
    print(json.dumps({"refused": refused, "copied": copied}))


def read_only_folder(folder: Path) -> None:
    """A case on a disk that cannot be written to: it can be read, and copied to another place to go on there."""
    _own_disk(folder, "8m")
    elsewhere = folder.with_name("elsewhere")
    elsewhere.mkdir()
    path = folder / "a.forensia"
    with Case.create(path) as case:
        store(case, 1)
    _mount("tmpfs", str(folder), _REMOUNT | _READ_ONLY)
    said = ""
    with Case.open(path) as case:
        assert generation_of(case) == 1
        try:
            store(case, 2)
        except CaseReadOnly as error:
            said = str(error)
        case.save_copy(elsewhere / "b.forensia")
        try:
            Case.create(folder / "new.forensia")
        except StorageError as error:
            said += str(error)
    with Case.open(elsewhere / "b.forensia") as case:
        store(case, 2)
        assert generation_of(case) == 2
    print(json.dumps({"said": said}))


def whole_session(folder: Path) -> None:
    """All that can be done with a case, watched: no socket may be opened."""
    opened: list[str] = []

    def watch(event: str, _: object) -> None:
        if event.startswith("socket."):
            opened.append(event)

    sys.addaudithook(watch)
    path = folder / "a.forensia"
    with Case.create(path) as case:
        samples.fill(case)
        case.save_copy(folder / "copy.forensia")
        case.export_without_texts(folder / "without.forensia")
        assert verify_case(case) == []
        with contextlib.suppress(RuntimeError), case.step():
            case.documents.store(samples.corpus(6))
            raise RuntimeError(samples.prose(1))
    if sys.argv[3:] == ["crash"]:
        with Case.open(path) as case, case.step():
            case.documents.store(samples.corpus(6))
            os.kill(os.getpid(), signal.SIGKILL)
    print(json.dumps({"sockets": opened}))


if __name__ == "__main__":
    command, place = sys.argv[1], Path(sys.argv[2])
    if command == "killed":
        killed(place, int(sys.argv[3]))
    else:
        {
            "killed_in_training": killed_in_training,
            "too_large": too_large,
            "full_disk": full_disk,
            "read_only_folder": read_only_folder,
            "whole_session": whole_session,
        }[command](place)
