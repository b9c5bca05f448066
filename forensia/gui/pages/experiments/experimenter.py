"""One experiment at a time: started, paused, taken up again and stopped, by a child process of its own; its results lie in a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from forensia import paths, settings
from forensia.errors import Cancelled, ForensiaError
from forensia.experiments.runner import Summary
from forensia.files import safe_name
from forensia.gui.lane import Lane, Questions
from forensia.gui.tasks import experiments
from forensia.gui.tasks.experiments import ExperimentResults
from forensia.gui.widgets.asking import delayed
from forensia.gui.words import tr
from forensia.jobs.worker import Worker

_OFTEN = 1_500  # milliseconds between two looks at results that grow


class ExperimentStage(Enum):
    """How it stands with the experiment."""

    NONE = "none"
    RUNNING = "running"
    PAUSING = "pausing"
    PAUSED = "paused"
    STOPPING = "stopping"
    STOPPED = "stopped"
    DONE = "done"


def folder() -> Path:
    """Where results lie that were given no other place."""
    return paths.private_folder(paths.data_dir() / "experiments")


def earlier() -> list[Path]:
    """The results in that folder, the newest first."""
    return sorted(folder().glob("*.sqlite"), key=lambda file: file.stat().st_mtime, reverse=True)


def jobs() -> int:
    """Processes that work at the same time."""
    return settings.load().jobs or os.cpu_count() or 1


class Experimenter(QObject):
    """`worker` does the work; `quick` reads what is there meanwhile. `contents` is what the results file holds."""

    changed = Signal()  # another stage
    grown = Signal()  # other results to show
    moved = Signal(float, str, float)
    failed = Signal(object)
    status = Signal(str)

    def __init__(self, worker: Worker, quick: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.worker = worker
        self.stage = ExperimentStage.NONE
        self.results: Path | None = None
        self.contents: ExperimentResults | None = None
        self.heard: list[str] = []  # what the work had to say
        self._plan: Mapping[str, Any] = {}
        self._data = ""
        self._message = ""
        self.work = Lane(self)
        self.estimates = Questions(worker, self)  # when nothing runs
        self.glances, self.chores = Questions(quick, self), Questions(quick, self)
        self.work.moved.connect(self._moved)
        self._timer = delayed(self, _OFTEN, self._look)

    @property
    def plan(self) -> Mapping[str, Any]:
        """The plan that is open, as JSON."""
        return self._plan

    @property
    def running(self) -> bool:
        """Whether runs are being made."""
        return self.stage in (ExperimentStage.RUNNING, ExperimentStage.PAUSING, ExperimentStage.STOPPING)

    @property
    def busy(self) -> bool:
        """As a lane of the open case: whether anything goes on."""
        return any(lane.busy for lane in self._lanes) or self._timer.isActive()

    @property
    def _lanes(self) -> tuple[Lane, ...]:
        return self.estimates, self.glances, self.chores, self.work

    # Running

    def start(self, plan: Mapping[str, Any], data: str) -> None:
        """Begin an experiment in a new results file."""
        try:
            place = _free(str(plan.get("name", "")))
        except ForensiaError as error:
            self.failed.emit(error)
            return
        self.contents = None
        self._begin(place, plan, data)

    def resume(self) -> None:
        """Go on with what is open; the file says what is missing."""
        if self.results is not None and not self.running and self._plan:
            self._begin(self.results, self._plan, self._data)

    def pause(self) -> None:
        """Stop for now: runs that have ended are kept, those under way are made again later."""
        self._stop(ExperimentStage.PAUSING)

    def give_up(self) -> None:
        """Stop for good; what is done stays in the file."""
        if self.stage is ExperimentStage.PAUSED:
            self._tidy()
        else:
            self._stop(ExperimentStage.STOPPING)

    def cancel(self) -> None:
        """As a lane of the open case: let go of everything, because all ends; what is done stays, and can be gone on with."""
        self._timer.stop()
        for lane in self._lanes:
            lane.cancel()

    def _stop(self, stage: ExperimentStage) -> None:
        if self.running and self.work.busy:
            self._to(stage)
            self.work.cancel()

    def _begin(self, place: Path, plan: Mapping[str, Any], data: str) -> None:
        if self.work.busy:
            return
        self.estimates.forget()
        self.results, self._plan, self._data, self._message, self.heard = place, plan, data, "", []
        work = partial(self.worker.do, experiments.run, plan=dict(plan), data=data, results=str(place), jobs=jobs())
        self._to(ExperimentStage.RUNNING)
        self.work.ask(tr("Running the experiment"), work, self._done, self._over, self.heard.append)

    def _done(self, summary: Summary) -> None:
        self._to(ExperimentStage.DONE if summary.complete else ExperimentStage.PAUSED)
        self.status.emit(
            tr("The experiment is done: {0} runs.").format(summary.done)
            if summary.complete
            else tr("{0} runs failed; press Resume to try them once more.").format(len(summary.failed))
        )
        self._look()

    def _over(self, error: BaseException) -> None:
        stopped = isinstance(error, Cancelled)
        if self.stage is ExperimentStage.STOPPING:
            self._tidy()
        else:
            there = self.results is not None and self.results.exists()
            self._to(ExperimentStage.PAUSED if there else ExperimentStage.NONE)
            self._look()
        if not stopped:
            self.failed.emit(error)

    def _tidy(self) -> None:
        """Take away what only a running experiment needs; a file without a single result goes too."""
        results = self.results
        if results is None:
            self._to(ExperimentStage.NONE)
            return

        def done(kept: bool) -> None:
            if not kept:
                self.results = self.contents = None
            self._to(ExperimentStage.STOPPED if kept else ExperimentStage.NONE)
            self._look()
            self.grown.emit()

        self.chores.put(experiments.tidy, done, lambda _: self._to(ExperimentStage.STOPPED), results=str(results))

    def _to(self, stage: ExperimentStage) -> None:
        self.stage = stage
        self.changed.emit()

    def _moved(self, fraction: float, message: str, left: float) -> None:
        self.moved.emit(fraction, message, left)
        if message != self._message:
            self._message = message
            if not self._timer.isActive():
                self._timer.start()

    # Looking

    def open(self, place: Path) -> None:
        """Show the results of an earlier experiment; what is missing in it can be run."""
        if self.running:
            self.status.emit(tr("An experiment is running: pause it first."))
            return
        self.contents = None
        self.results = place
        self._look(opened=True)

    def export(self, target: Path, kinds: Sequence[str], done: Callable[[Sequence[str]], None]) -> None:
        """Write tables and figures into a folder."""
        if self.results is None:
            return
        self.chores.put(
            experiments.export, done, lambda text: self.failed.emit(ForensiaError(text)),
            results=str(self.results), folder=str(target), kinds=kinds,
        )  # fmt: skip

    def _look(self, *, opened: bool = False) -> None:
        results = self.results
        if results is None or (not opened and not results.exists()):
            return

        def done(contents: ExperimentResults) -> None:
            if self.results != results:
                return
            self.contents = contents
            if opened:
                self._plan, self._data = contents.plan, contents.data
                self._to(ExperimentStage.DONE if contents.done == contents.possible else ExperimentStage.PAUSED)
            elif (
                self.stage is ExperimentStage.PAUSED and contents.done == contents.possible
            ):  # stopped after its last run
                self._to(ExperimentStage.DONE)
                self.chores.put(experiments.tidy, lambda _: None, lambda _: None, results=str(results))
            self.grown.emit()

        def failed(text: str) -> None:
            if opened and self.results == results:
                self.results = None
                self._to(ExperimentStage.NONE)
                self.grown.emit()
                self.failed.emit(ForensiaError(text))

        self.glances.put(experiments.look, done, failed, results=str(results))


def _free(name: str) -> Path:
    """The place of new results: the plan and the time tell them apart."""
    stem = f"{safe_name(name)} {datetime.now():%Y-%m-%d %H.%M.%S}"
    places = (folder() / f"{stem}{number}.sqlite" for number in ("", *(f" ({n})" for n in range(2, 1000))))
    return next(place for place in places if not place.exists())
