"""The case that is open and the work on it: who does it, in which order, and how the pages hear of what has changed."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal

from forensia import settings
from forensia.case.store import Case
from forensia.errors import Cancelled, ForensiaError, SettingsError, StorageError
from forensia.gui import snapshot, tasks
from forensia.gui.lane import NEWEST, Failed, Lane
from forensia.gui.snapshot import Changes, Snapshot
from forensia.gui.widgets.plotpane import Drawer
from forensia.gui.words import tr
from forensia.jobs import Progress, silent
from forensia.jobs.worker import News, Task, Worker, nothing

_log = logging.getLogger(__name__)
_AT_ONCE = 1_000  # documents up to which a choice takes no time that anybody would notice


Opened = tuple[Case, Snapshot]
Done = Callable[[Any], None]


class Lasting(Protocol):
    """Something that goes on beside the work on the case, and can be stopped."""

    @property
    def busy(self) -> bool: ...

    def cancel(self) -> None: ...


class CaseWork(QObject):
    """At most one case, and one long piece of work on it: its workers and lanes, and the signals by which pages follow."""

    changed = Signal(object)  # what pages must look at: Changes
    status = Signal(str)  # a sentence for the status bar
    failed = Signal(object)  # an error that the window shows
    arrived = Signal(str)  # a page that has something new: corpus, model, disputed

    def __init__(
        self,
        parent: QObject | None = None,
        engine: Worker | None = None,
        drawing: Worker | None = None,
        experiments: Worker | None = None,
    ) -> None:
        super().__init__(parent)
        self._lent = (engine, drawing, experiments)  # whoever gave them to us ends them
        self.engine = engine or Worker(tasks.ALL)
        self.quick = Worker(tasks.ALL)  # for what is tried out or looked into while the engine may be at work
        self.experiments = experiments or Worker(tasks.ALL)  # which may take hours beside everything else
        self.work = Lane(self)  # on the case
        self.drawer = Drawer(drawing or Worker(tasks.ALL, idle=300.0), self)
        self.trying, self.looking, self.previewing = (Lane(self, hasty=True) for _ in range(3))
        self.watched: list[Lasting] = []  # by which views ask `quick`
        self.case: Case | None = None
        self.shown: Snapshot | None = None
        self._before: Snapshot | None = None  # as the case was when the work began
        self.adding = False  # the diff-vector part is being trained, which gives way to whatever else is wanted
        self._waiting: list[Callable[[], None]] = []  # for it to give way
        self._interrupted: Case | None = None  # whose diff-vector part gave way
        self.work.ended.connect(lambda *_: self._go_on())

    def close(self) -> None:
        """Let go of the case; an untitled one that was never used is not kept."""
        case, shown = self.case, self.shown
        self.case = self.shown = None
        if case is None:
            return
        case.close()
        if shown is not None and shown.untitled and not shown.documents and not shown.disputed:
            case.path.unlink(missing_ok=True)

    def end(self) -> None:
        """Let go of everything: no process is left behind."""
        for lane in self._lanes:
            lane.cancel()
        for worker in (self.engine, self.quick, self.experiments, self.drawer.worker):
            if worker not in self._lent:
                worker.close()

    @property
    def quiet(self) -> bool:
        """Whether nothing at all is going on."""
        return not (self.work.busy or any(lane.busy for lane in self._lanes))

    @property
    def _lanes(self) -> list[Lasting]:
        """Whatever goes on beside the work on the case."""
        return [self.trying, self.looking, self.previewing, self.drawer, *self.watched]

    def validate(self) -> None:
        """Train what is missing of the model."""
        raise NotImplementedError

    # Work on the case, and choices, which take no time

    def _run(
        self, name: str, work: Callable[[Progress, News], Any], done: Done, heard: Callable[[Any], None] | None = None
    ) -> None:
        def start() -> None:
            self._before = self.shown
            self.work.ask(name, work, done, self._fail, heard)

        self._when_free(start)

    def _lend(
        self,
        name: str,
        task: Task[..., Any],
        done: Done = lambda _: None,
        partly: Callable[[Snapshot], None] | None = None,
        renew: Callable[[Snapshot, Case], Snapshot] = snapshot.retaken,
        **arguments: Any,
    ) -> None:
        """Let the engine work on the case in our place, and show the case as it is then; `partly` hears of it before.

        When the work fails or is stopped, what it had finished by then is shown. A child that was killed leaves a run without an end
        in the log; it gets one here.
        """
        case, before = self.case, self.shown
        if case is None or before is None:
            return

        def work(progress: Progress, news: News) -> tuple[Snapshot, Any]:
            now = self.shown or before

            def renewed() -> Snapshot:
                nonlocal now
                now = renew(now, case)  # what need not be made anew is taken over from the one before
                return now

            try:
                answer = self.engine.do(task, progress, lambda _: news(renewed()), case=str(case.path), **arguments)
            except BaseException:
                with contextlib.suppress(ForensiaError):  # the first error is the one to tell
                    case.log.close_interrupted()
                    news(snapshot.take(case))
                raise
            return renewed(), answer

        def ended(outcome: tuple[Snapshot, Any]) -> None:
            shown, answer = outcome
            self._show(shown)
            done(answer)

        self._run(name, work, ended, partly or self._show)

    def _fail(self, error: BaseException) -> None:
        if self._waiting and isinstance(error, Cancelled):
            return  # it gave way, and goes on later
        if not isinstance(error, Cancelled):
            self.failed.emit(error)
        elif self._before is None or self.shown is None or snapshot.same(self._before, self.shown):
            self.status.emit(tr("Stopped; nothing was changed."))
        else:
            self.status.emit(tr("Stopped. What was finished before is kept."))

    def _put(self, opened: Opened) -> None:
        """Put another case in the place of the one that is open."""
        self.trying.cancel()
        self.looking.cancel()
        self.previewing.cancel()
        self.close()
        self.case, shown = opened
        remember(self.case.path)
        self._show(shown)

    def _telling(self, said: str) -> Done:
        return lambda _: self.status.emit(said)

    def _show(self, shown: Snapshot) -> None:
        before, self.shown = self.shown, shown
        self.changed.emit(Changes.between(before, shown))

    def _go_on(self) -> None:
        """Do what the diff-vector part gave way to, then go on with it; nothing of it that was finished is done again."""
        if self.adding and self._waiting:
            self._interrupted = self.case
        self.adding = False
        while self._waiting and not self.work.busy:
            self._waiting.pop(0)()
        if self._interrupted is not None and not self.work.busy:
            case, self._interrupted, shown = self._interrupted, None, self.shown
            model = None if shown is None else shown.model
            if case is self.case and model is not None and model.current and not model.complete:
                self.validate()

    def _try(self, name: str, task: Task[..., Any], done: Done, failed: Failed | None, **arguments: Any) -> None:
        """Have something tried out in place of what was tried before; the case is only read."""
        if self.case is not None:
            work = partial(self.quick.do, task, case=str(self.case.path), **arguments)
            self.trying.ask(name, work, done, failed, key=NEWEST)

    def _choose(self, choice: Callable[[Case], Any], said: str = "{0}") -> None:
        self._when_free(lambda: self._chosen(choice, said))

    def _chosen(self, choice: Callable[[Case], Any], said: str) -> None:
        case, before = self.case, self.shown
        if case is None or before is None:
            return

        def work(progress: Progress, news: News) -> tuple[Any, Snapshot]:
            made = choice(case)
            return made, before if made is None else snapshot.changed(before, case)

        def done(outcome: tuple[Any, Snapshot]) -> None:
            made, shown = outcome
            if made is not None:
                self._show(shown)
                self.status.emit(said.format(made.label))

        if len(before.documents) > _AT_ONCE:
            self._run(tr("Keeping your choice"), work, done)
            return
        try:
            done(work(silent, nothing))
        except ForensiaError as error:
            self.failed.emit(error)

    def _when_free(self, act: Callable[[], None]) -> None:
        """Do something with the case. While long work reads it, nothing is changed under its hands; the diff-vector part gives way."""
        if not self.work.busy:
            act()
        elif self.adding:
            self._waiting.append(act)
            self.work.cancel()
        else:
            self.status.emit(tr("{0} is still going on: wait for it, or cancel it.").format(self.work.name))


# Where cases lie, and which were open last


def remember(case: Path) -> None:
    """Put a case first among the recent ones; forgetting is no reason to stop work."""
    _save(settings.load().with_recent(case))


def forget(case: Path) -> None:
    known = settings.load()
    _save(replace(known, recent=tuple(name for name in known.recent if name != str(case))))


def _save(wanted: settings.Settings) -> None:
    try:
        settings.save(wanted)
    except SettingsError as error:
        _log.warning("%s", error)


def free_place() -> Path:
    """The place of the next untitled case."""
    folder = snapshot.untitled_folder()
    for number in range(1, 10_000):
        place = folder / f"Untitled {number}.forensia"
        if not place.exists():
            return place
    raise StorageError(tr("There are too many untitled cases in {0}. Delete some of them.").format(folder))
