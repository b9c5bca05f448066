"""An experiment on a real Dask cluster: a scheduler and two workers, each a process, one of which is killed on the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from forensia.experiments import runner
from forensia.experiments.plans import Plan
from forensia.experiments.resultsfile import ResultsFile
from forensia.experiments.tablefiles import runs_csv

pytest.importorskip("distributed", reason="Dask (forensia[cluster]) is not installed")


class Cluster:
    """A scheduler and its workers."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._file = folder / "scheduler.json"
        self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.address = self._address()
        self.workers = [self.start("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard") for _ in range(2)]

    def start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", "--scheduler-file", str(self._file), *options]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        process = subprocess.Popen(
            command, cwd=self._folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process

    def _address(self) -> str:
        end = time.monotonic() + 240
        while time.monotonic() < end:
            try:
                return str(json.loads(self._file.read_text("utf-8"))["address"])
            except (OSError, ValueError):
                time.sleep(0.1)
        raise TimeoutError("the scheduler did not start")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(tmp_path, stack)


@pytest.mark.timeout(600)
def test_a_cluster_that_loses_a_worker_gives_the_same_numbers(
    cluster: Cluster, small_plan: Plan, tmp_path: Path
) -> None:
    killed: list[int] = []

    def progress(fraction: float, message: str = "") -> None:
        if message.startswith("1 of") and not killed:
            killed.append(cluster.workers[0].pid)
            cluster.workers[0].kill()

    place, local = tmp_path / "cluster.sqlite", tmp_path / "local.sqlite"
    told: list[str] = []
    summary = runner.run(small_plan, place, dask=cluster.address, progress=progress, told=told.append)
    assert killed and cluster.workers[0].wait() != 0 and cluster.workers[1].poll() is None
    assert summary.failed == () and summary.done == 4
    runner.run(small_plan, local, jobs=1)
    with ResultsFile.open(place) as far, ResultsFile.open(local) as near:
        assert runs_csv(far.records) == runs_csv(near.records)
