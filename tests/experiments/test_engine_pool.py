"""The pool: results come as they are there, a dead process costs its own call at most, and nothing is left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forensia.errors import Cancelled, ForensiaError
from forensia.experiments.pool import GRACE, LOST, POLL, Pool

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes are watched in /proc, which is Linux"
)


def children(process: int) -> set[int]:
    """The processes that a process has started and that have not ended; the resource tracker of joblib is no worker."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if int(fields[1]) == process and fields[0] != "Z" and b"resource_tracker" not in words:
                found.add(int(entry.name))
    return found


def alive(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def nothing() -> None:
    """Nobody wants to stop."""


def calls(function: Callable[..., Any], count: int, *more: Any) -> list[Any]:
    return [(function, (number, *more)) for number in range(count)]


def test_results_come_with_their_numbers_and_processes_end_with_the_crew() -> None:
    def square(number: int, progress: Any) -> tuple[int, int]:
        return number * number, os.getpid()

    before = children(os.getpid())
    with Pool(2) as pool:
        found = dict(pool.run(calls(square, 6), nothing))
    assert {number: result[0] for number, result in found.items()} == {n: n * n for n in range(6)}
    assert os.getpid() not in {result[1] for result in found.values()}
    assert children(os.getpid()) <= before


def test_one_job_has_a_process_of_its_own_and_one_thread_of_arithmetic() -> None:
    def threads(number: int, progress: Any) -> tuple[int, set[int]]:
        import numpy as np
        from threadpoolctl import threadpool_info

        np.ones((2, 2)) @ np.ones((2, 2))
        return os.getpid(), {pool["num_threads"] for pool in threadpool_info()}

    with Pool(1) as pool:
        found = dict(pool.run(calls(threads, 2), nothing))
    assert all(process != os.getpid() and pools <= {1} for process, pools in found.values())


@pytest.mark.parametrize("always", [False, True])
def test_a_process_that_dies_once_costs_nothing_and_one_that_always_dies_only_its_own_call(
    tmp_path: Path, always: bool
) -> None:
    # One kind at a time: a call that is lost with another's process has no second chance left for a death of its own.
    def fragile(number: int, folder: str, always: bool, progress: Any) -> int:
        mark = Path(folder) / str(number)
        if number == 1 and (always or not mark.exists()):
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    with Pool(2) as pool:
        found = dict(pool.run(calls(fragile, 6, str(tmp_path), always), nothing))
    assert (tmp_path / "1").exists()
    assert found.pop(1) is LOST if always else found.pop(1) == 1
    assert found == {n: n for n in (0, 2, 3, 4, 5)}


def test_stopping_takes_two_seconds_at_most_and_leaves_no_process(tmp_path: Path) -> None:
    def busy(number: int, folder: str, progress: Any) -> None:
        (Path(folder) / str(number)).touch()
        while True:  # never reports, never ends
            sum(range(10_000))

    before = children(os.getpid())

    def check() -> None:
        if len(list(tmp_path.iterdir())) == 2:
            raise Cancelled

    with pytest.raises(Cancelled), Pool(2) as pool:
        list(pool.run(calls(busy, 5, str(tmp_path)), check))
    assert POLL + GRACE < 2, "seconds until processes are ended by force"
    assert children(os.getpid()) <= before


_OWNER = """
import sys, time
from pathlib import Path
from forensia.experiments.pool import Pool
def busy(number, folder, progress):
    import os
    Path(folder, str(os.getpid())).touch()
    while True:
        sum(range(10_000))
if __name__ == "__main__":
    with Pool(2) as pool:
        list(pool.run([(busy, (n, sys.argv[1])) for n in range(2)], lambda: None))
"""


def test_workers_do_not_outlive_an_owner_that_was_killed(tmp_path: Path) -> None:
    folder, script = tmp_path / "workers", tmp_path / "owner.py"
    folder.mkdir()
    script.write_text(_OWNER, "utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen([sys.executable, str(script), str(folder)], env=environment) as owner:
        while len(list(folder.iterdir())) < 2:
            assert owner.poll() is None
            time.sleep(0.05)
        owner.kill()
    workers = [int(file.name) for file in folder.iterdir()]
    end = time.monotonic() + 120
    while any(alive(worker) for worker in workers) and time.monotonic() < end:
        time.sleep(0.05)
    assert not [worker for worker in workers if alive(worker)]


def test_a_frozen_program_uses_threads_that_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def patient(number: int, progress: Any) -> int:
        while number == 3:
            progress(0.0)
            time.sleep(0.01)
        return os.getpid()

    monkeypatch.setattr(sys, "frozen", True, raising=False)
    received: list[tuple[int, Any]] = []

    def check() -> None:
        if len(received) == 3:
            raise Cancelled

    with Pool(2) as pool, pytest.raises(Cancelled):
        for each in pool.run(calls(patient, 4), check):
            received.append(each)
    assert {process for _, process in received} == {os.getpid()}


def test_a_cluster_that_is_not_there_is_said_to_be_missing() -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    with pytest.raises(ForensiaError, match="no Dask scheduler"), Pool(1, "not-an-address"):
        pass


class FutureCancelledError(Exception):
    """As Dask has it for a call whose arguments lay with a worker that died."""


def test_a_call_that_dask_has_forgotten_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def forgotten(number: int, progress: Any) -> int:
        tried.append(number)
        if number == 1 and tried.count(1) == 1:
            raise FutureCancelledError
        return number

    monkeypatch.setattr(sys, "frozen", True, raising=False)  # threads, so that the calls can be counted here
    with Pool(2) as pool:
        assert sorted(pool.run(calls(forgotten, 4), lambda: None)) == [(number, number) for number in range(4)]
    assert tried.count(1) == 2
