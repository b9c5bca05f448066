"""The case on the desk: what is open, what is being done to it, and the signals by which the pages follow."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal

from forensia import paths, settings
from forensia.case.store import Case
from forensia.corpus import Document, ReadOptions, Role
from forensia.errors import Cancelled, ForensiaError, InputError
from forensia.evidence.result import Question, Stated
from forensia.gui import shelf, snapshot, tasks, words
from forensia.gui.bridge import Bridge, Latest
from forensia.gui.drawing import Drawer
from forensia.gui.errands import Effect
from forensia.gui.snapshot import Finding, Snapshot
from forensia.jobs import Progress, silent
from forensia.jobs.errands import Errands
from forensia.report.details import CaseDetails
from forensia.wording.problems import message

_AT_ONCE = 1_000  # documents up to which a choice takes no time that anybody would notice


class Lane(Protocol):
    """Something that goes on beside the work on the case, and can be stopped."""

    @property
    def busy(self) -> bool: ...

    def cancel(self) -> None: ...


class Desk(QObject):
    """At most one case, and one long piece of work on it. Pages read `shown` and call methods; they never open a file."""

    changed = Signal()  # whatever the pages show
    told = Signal(str)  # a sentence for the status bar
    failed = Signal(object)  # an error that the window shows
    arrived = Signal(str)  # a page that has something new: corpus, model, disputed

    def __init__(
        self,
        parent: QObject | None = None,
        errands: Errands | None = None,
        drawing: Errands | None = None,
        experiments: Errands | None = None,
    ) -> None:
        super().__init__(parent)
        self._lent = (errands, drawing, experiments)  # whoever gave them to us ends them
        self.errands = errands or Errands()
        self.trials = Errands()  # a child for what is tried out or looked into while the other may be at work
        self.experiments = (
            experiments or Errands()
        )  # and one for experiments, which may take hours beside everything else
        self.bridge = Bridge(self)
        self.drawer = Drawer(self, drawing)
        self.trying = Latest(self)
        self.looking = Latest(self)
        self.previewing = Latest(self)
        self.watched: list[Lane] = []  # by which views ask `trials`
        self.case: Case | None = None
        self.shown: Snapshot | None = None
        self._before: Snapshot | None = None  # as the case was when the work began
        self.adding = False  # the diff-vector part is being trained, which gives way to whatever else is wanted
        self._wishes: list[Callable[[], None]] = []
        self._interrupted: Case | None = None  # whose diff-vector part gave way
        self.bridge.partly.connect(self._partly)
        self.bridge.ended.connect(lambda *_: self._go_on())

    # Opening and closing

    def open(self, path: Path) -> None:
        """Open a case in place of the one there is."""
        if self.case is not None and shelf.same_file(self.case.path, path):
            self.told.emit(self.tr("This case is open already."))
            return
        self._run(self.tr("Opening the case"), tasks.open_case(path), self._put)

    def new(self) -> None:
        """An empty case in the program's own folder."""

        def work(progress: object) -> tasks.Opened:
            case = Case.create(shelf.free_place())
            return case, snapshot.take(case)

        self._run(self.tr("Making a new case"), work, self._put)

    def read(self, source: Path, options: ReadOptions | None = None) -> None:
        """Known texts: into the open case when it has none yet, otherwise into a new one."""
        options = options or ReadOptions()
        name = self.tr("Reading known texts")
        if self.case is not None and self.shown is not None and not self.shown.documents and not self.shown.read_only:
            self._run(
                name, tasks.read_into(self.errands, self.case, source, options, self.bridge.announce), self._reread
            )
            return

        def done(opened: tasks.Opened) -> None:
            self._put(opened)
            self.arrived.emit("corpus")

        try:
            place = shelf.free_place()
        except ForensiaError as error:
            self.failed.emit(error)
            return
        self._run(name, tasks.read_new(self.errands, source, place, options), done)

    def add(self, source: Path, role: Role) -> None:
        """Further known texts into the open case, by candidates or by the population, cleaned and cut as those that are there."""
        if self.case is None or self.shown is None:
            return

        def done(added: tasks.Added) -> None:
            shown, authors, documents = added
            self._reread(shown)
            self.told.emit(self.tr("Added: {0}.").format(words.known(authors, documents)))

        options = replace(self.shown.reading, layout=None, encodings={}, sources="")
        work = tasks.add(self.errands, self.case, source, options, role, self.bridge.announce)
        self._run(self.tr("Adding known texts"), work, done)

    def reread(self, options: ReadOptions) -> None:
        """Read the known texts of the open case again, in another way."""
        if self.case is None or self.shown is None:
            return
        source = Path(self.shown.root)
        if not self.shown.root or not source.exists():
            text = self.tr(
                "The known texts were read from '{0}', which is not there now. Put it back, or drop the texts again from where "
                "they are."
            )
            self.failed.emit(InputError(text.format(self.shown.root)))
            return
        self._run(
            self.tr("Reading the known texts again"),
            tasks.read_into(self.errands, self.case, source, options, self.bridge.announce),
            self._reread,
        )

    def sample(self) -> None:
        """The sample case that comes with the program."""
        self.read(paths.sample_case() / "known")

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
        for errands in (self.errands, self.trials, self.experiments, self.drawer.errands):
            if errands not in self._lent:
                errands.close()

    @property
    def quiet(self) -> bool:
        """Whether nothing at all is going on."""
        return not (self.bridge.busy or any(lane.busy for lane in self._lanes))

    @property
    def _lanes(self) -> list[Lane]:
        """Whatever goes on beside the work on the case."""
        return [self.trying, self.looking, self.previewing, self.drawer, *self.watched]

    # Looking at the case, without waiting for it

    def look_up(self, name: str, done: Callable[[Document | ForensiaError], None]) -> None:
        """Read a document with its text in the background: a child that writes to the case may keep us waiting."""
        case = self.case
        if case is None:
            return

        def failed(error: BaseException) -> None:
            if isinstance(error, ForensiaError) and not isinstance(error, Cancelled):
                done(error)

        self.looking.ask(self.tr("Reading a text"), lambda progress: case.document(name), done, failed)

    def try_out(self, options: ReadOptions, done: Callable[[Effect], None]) -> None:
        """What options would do to the texts."""
        if self.case is not None:
            self.trying.ask(self.tr("Trying the options"), tasks.effect(self.trials, self.case, options), done)

    def show_masked(self, name: str, options: Mapping[str, Any], done: Callable[[Mapping[str, str]], None]) -> None:
        """What the mask of these training options leaves of a known text."""
        if self.case is not None:
            work = tasks.masked(self.trials, self.case, name, options)
            self.trying.ask(self.tr("Masking a text"), work, done, self._fail)

    # Long work on the case

    def train(self, options: Mapping[str, Any]) -> None:
        """Train a model on the known texts; `options` are the fields of `TrainingOptions`."""
        if self.case is None:
            return
        jobs = settings.load().jobs or os.cpu_count() or 1

        def done(shown: Snapshot) -> None:
            self._show(shown)
            self.told.emit(self.tr("The model is trained."))
            if not self.adding:  # the page had the fused ranking before
                self.arrived.emit("model")

        self._run(
            self.tr("Training the model"),
            tasks.train(self.errands, self.case, options, jobs, self.bridge.announce),
            done,
        )

    def validate(self) -> None:
        """Train what is missing of the model: its diff-vector part, or with other sources all of it."""
        if self.case is None or self.shown is None:
            return
        jobs = settings.load().jobs or os.cpu_count() or 1
        adding = self.shown.model is not None and self.shown.model.validated
        work = tasks.validate(self.errands, self.case, jobs, self.bridge.announce)
        self._run(self.tr("Training what is missing"), work, self._telling(self.tr("The model is trained.")))
        self.adding = adding and self.bridge.busy

    def _partly(self, shown: Snapshot) -> None:
        """Something is ready before the whole is."""
        before, self.shown = self.shown, shown
        new = shown.model is not None and (
            before is None or before.model is None or before.model.time != shown.model.time
        )
        if new and shown.model is not None and not shown.model.complete:
            self.adding = True
            self.told.emit(
                self.tr("The fused ranking is ready. Lazy, Stacked and Pr(Same) follow; you can go on meanwhile.")
            )
            self.arrived.emit("model")
        self.changed.emit()

    def _go_on(self) -> None:
        """Do what the diff-vector part gave way to, then go on with it; nothing of it that was finished is done again."""
        if self.adding and self._wishes:
            self._interrupted = self.case
        self.adding = False
        while self._wishes and not self.bridge.busy:
            self._wishes.pop(0)()
        if self._interrupted is not None and not self.bridge.busy:
            case, self._interrupted, shown = self._interrupted, None, self.shown
            model = None if shown is None else shown.model
            if case is self.case and model is not None and model.current and not model.complete:
                self.validate()

    def analyse(self, files: Sequence[Path]) -> None:
        """Analyse disputed texts with the model of the case."""
        if self.case is None or self.shown is None:
            return

        def done(found: tasks.Analysed) -> None:
            self._show(found.snapshot)
            if found.done:
                self.arrived.emit("disputed")
            if found.refused:
                self.failed.emit(InputError("\n\n".join(found.refused)))

        work = tasks.analyse(self.errands, self.case, self.shown, files, self.bridge.announce)
        self._run(self.tr("Analysing disputed texts"), work, done)

    def state(self, document: str, said: Stated | Question) -> None:
        """Analyse a disputed text again, with something else stated about its source, or asked."""
        if self.case is None or self.shown is None:
            return
        work = tasks.state(self.errands, self.case, self.shown, document, said, self.bridge.announce)
        self._run(self.tr("Analysing the text again"), work, self._show)

    def keep(self, texts: Sequence[Mapping[str, str]]) -> None:
        """Keep in the case how some texts compare with each other; the report will tell it."""
        if self.case is None or self.shown is None:
            return
        said = self.tr("The comparison is kept in the case, and the report will tell it.")
        work = tasks.keep(self.errands, self.case, self.shown, texts, self.bridge.announce)
        self._run(self.tr("Keeping the comparison"), work, self._telling(said))

    # The report

    def preview_report(
        self,
        target: Path,
        details: CaseDetails,
        documents: Sequence[str],
        done: Callable[[Mapping[str, Any]], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        """Write a report to look at; the case is only read."""
        if self.case is not None:
            about = {"target": str(target), "details": details.to_json(), "documents": list(documents)}
            work = tasks.preview_report(self.trials, self.case, about)
            self.previewing.ask(self.tr("Making the preview"), work, done, failed)

    def export_report(
        self, target: Path, details: CaseDetails, documents: Sequence[str], written: Callable[[], None]
    ) -> None:
        """Write the report of some disputed documents; the case keeps its details and a note of it."""
        if self.case is None or self.shown is None:
            return
        about = {"target": str(target), "details": details.to_json(), "documents": list(documents)}

        def done(shown: Snapshot) -> None:
            self._show(shown)
            written()
            self.told.emit(self.tr("The report is saved as {0}.").format(target.name))

        work = tasks.export_report(self.errands, self.case, self.shown, about, self.bridge.announce)
        self._run(self.tr("Writing the report"), work, done)

    def keep_details(self, details: CaseDetails) -> None:
        """Keep what the analyst says in reports; no result depends on it."""
        self._choose(details.keep)

    def label(self, file: str, exhibit: str) -> None:
        """Give a disputed text another exhibit label."""
        self._choose(lambda case: CaseDetails.of_case(case).with_exhibit(file, exhibit).keep(case))

    # Choices, which can be undone

    def exclude(self, names: Sequence[str], reason: str) -> None:
        """Leave documents out of training."""
        self._choose(lambda case: case.exclude(names, reason))

    def include(self, names: Sequence[str]) -> None:
        """Take documents back in."""
        self._choose(lambda case: case.include(names))

    def reassign(self, names: Sequence[str], author: str) -> None:
        """Say that another author wrote some documents."""
        self._choose(lambda case: case.reassign(names, author))

    def set_role(self, authors: Collection[str], role: Role) -> None:
        """Say whether some authors are candidates or the population, with all their texts."""
        if self.shown is not None:
            texts = sum(each.author in set(authors) for each in self.shown.documents)
            said = self.tr("{0}, with all of their texts: {1}").replace("{1}", f"{texts:,}")
            self._choose(lambda case: case.set_role(authors, role), said)

    def set_sources(self, wanted: Mapping[str, Collection[str]], because: str = "") -> None:
        """Say what some documents come from."""
        self._choose(lambda case: case.set_sources(wanted, because))

    def ignore(self, finding: Finding, reason: str) -> None:
        """Set a problem aside; the report tells it with the reason."""
        told = {"reason": reason, "code": finding.problem.code, "message": message(finding.problem)}
        self._choose(lambda case: shelf.set_aside(case, {finding.key: told}, self.tr("Ignore a problem")))

    def heed(self, finding: Finding) -> None:
        """Take a problem up again that was set aside."""
        self._choose(lambda case: shelf.set_aside(case, {finding.key: None}, self.tr("Take up a problem again")))

    def undo(self) -> None:
        """Take back the last choice."""
        self._choose(lambda case: case.undo(), self.tr("Undone: {0}"))

    def redo(self) -> None:
        """Make again what was taken back."""
        self._choose(lambda case: case.redo(), self.tr("Done again: {0}"))

    def remove_disputed(self, name: str) -> None:
        """Take a disputed document out of the case, with its results."""
        case = self.case

        def remove() -> None:
            if case is None or case is not self.case:
                return
            try:
                case.remove_disputed(name)
                self._show(snapshot.take(case))
            except ForensiaError as error:
                self.failed.emit(error)

        self._when_free(remove)

    def _choose(self, choice: Callable[[Case], Any], said: str = "{0}") -> None:
        self._when_free(lambda: self._chosen(choice, said))

    def _chosen(self, choice: Callable[[Case], Any], said: str) -> None:
        case, before = self.case, self.shown
        if case is None or before is None:
            return

        def work(progress: Progress) -> tuple[Any, Snapshot]:
            made = choice(case)
            return made, before if made is None else snapshot.changed(before, case)

        def done(found: tuple[Any, Snapshot]) -> None:
            made, shown = found
            if made is not None:
                self._show(shown)
                self.told.emit(said.format(made.label))

        if len(before.documents) > _AT_ONCE:
            self._run(self.tr("Keeping your choice"), work, done)
            return
        try:
            done(work(silent))
        except ForensiaError as error:
            self.failed.emit(error)

    def _when_free(self, act: Callable[[], None]) -> None:
        """Do something with the case. While long work reads it, nothing is changed under its hands; the diff-vector part gives way."""
        if not self.bridge.busy:
            act()
        elif self.adding:
            self._wishes.append(act)
            self.bridge.cancel()
        else:
            self.told.emit(self.tr("{0} is still going on: wait for it, or cancel it.").format(self.bridge.name))

    # Copies

    def save_copy(self, target: Path) -> None:
        """Save the case elsewhere; an untitled one moves there."""
        case, shown = self.case, self.shown
        if case is None or shown is None:
            return
        untitled = shown.untitled

        def work(progress: object) -> tasks.Opened | None:
            case.save_copy(target)
            if not untitled:
                return None
            moved = Case.open(target)
            return moved, snapshot.take(moved)

        def done(opened: tasks.Opened | None) -> None:
            if opened is not None:
                old = case.path
                self._put(opened)
                shelf.forget(old)
                old.unlink(missing_ok=True)
            self.told.emit(self.tr("Saved as {0}.").format(target.name))

        self._run(self.tr("Saving"), work, done)

    def export_without_texts(self, target: Path) -> None:
        """Save a copy for somebody who must not see the texts."""
        if self.case is None:
            return
        work, said = self.case.export_without_texts, self.tr("Exported without texts as {0}.").format(target.name)
        self._run(self.tr("Exporting"), lambda _: work(target), lambda _: self.told.emit(said))

    # Inside

    def _run(self, name: str, work: Callable[[Any], Any], done: Callable[[Any], None]) -> None:
        def start() -> None:
            self._before = self.shown
            self.bridge.run(name, work, done, self._fail)

        self._when_free(start)

    def _fail(self, error: BaseException) -> None:
        if self._wishes and isinstance(error, Cancelled):
            return  # it gave way, and goes on later
        if not isinstance(error, Cancelled):
            self.failed.emit(error)
        elif self._before is None or self.shown is None or snapshot.same(self._before, self.shown):
            self.told.emit(self.tr("Stopped; nothing was changed."))
        else:
            self.told.emit(self.tr("Stopped. What was finished before is kept."))

    def _put(self, opened: tasks.Opened) -> None:
        """Put another case on the desk."""
        self.trying.cancel()
        self.looking.cancel()
        self.previewing.cancel()
        self.close()
        self.case, shown = opened
        shelf.remember(self.case.path)
        self._show(shown)

    def _reread(self, shown: Snapshot) -> None:
        self._show(shown)
        self.arrived.emit("corpus")

    def _telling(self, said: str) -> Callable[[Snapshot], None]:
        def done(shown: Snapshot) -> None:
            self._show(shown)
            self.told.emit(said)

        return done

    def _show(self, shown: Snapshot) -> None:
        self.shown = shown
        self.changed.emit()
