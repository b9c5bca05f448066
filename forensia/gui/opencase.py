"""The case that is open in the window: what the pages can have done with it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from forensia import paths, settings
from forensia.case.store import Case
from forensia.corpus import Document, ReadOptions, Role
from forensia.errors import Cancelled, ForensiaError, InputError
from forensia.evidence.result import Question, Stated
from forensia.gui import snapshot, tasks, words
from forensia.gui.casework import CaseWork, Opened, forget, free_place
from forensia.gui.lane import NEWEST, Failed
from forensia.gui.snapshot import Finding, Snapshot
from forensia.gui.tasks import Analysed, Effect, Masked
from forensia.gui.words import tr
from forensia.jobs import Progress
from forensia.jobs.worker import News, nothing
from forensia.report.details import CaseDetails
from forensia.wording.problems import message


class OpenCase(CaseWork):
    """What a person can have done with the case. Pages read `shown` and call methods; they never open a file."""

    # Opening and closing

    def open(self, path: Path) -> None:
        """Open a case in place of the one there is."""
        if self.case is not None and same_file(self.case.path, path):
            self.status.emit(tr("This case is open already."))
            return

        def work(progress: Progress, news: News) -> Opened:
            progress(0.1, f"Opening {path.name}")
            return snapshot.opened(Case.open(path))

        self._run(tr("Opening the case"), work, self._put)

    def new(self) -> None:
        """An empty case in the program's own folder."""

        self._run(tr("Making a new case"), lambda *_: snapshot.opened(Case.create(free_place())), self._put)

    def read(self, source: Path, options: ReadOptions | None = None) -> None:
        """Known texts: into the open case when it has none yet, otherwise into a new one."""
        options = options or ReadOptions()
        name = tr("Reading known texts")
        shown = self.shown
        if self.case is not None and shown is not None and not shown.documents and not shown.read_only:
            self._lend(name, tasks.read, self._reread, source=str(source), options=options)
            return

        def work(progress: Progress, news: News) -> Opened:
            case = Case.create(free_place())
            try:
                self.engine.do(tasks.read, progress, nothing, case=str(case.path), source=str(source), options=options)
                return snapshot.opened(case)
            except BaseException:  # stopped before its end, nothing is left behind
                case.close()
                case.path.unlink(missing_ok=True)
                raise

        def done(opened: Opened) -> None:
            self._put(opened)
            self.arrived.emit("corpus")

        self._run(name, work, done)

    def add(self, source: Path, role: Role) -> None:
        """Further known texts into the open case, by candidates or by the population, cleaned and cut as those that are there."""
        if self.case is None or self.shown is None:
            return

        def done(added: tuple[int, int]) -> None:
            self._reread()
            self.status.emit(tr("Added: {0}.").format(words.known(*added)))

        options = replace(self.shown.reading, layout=None, encodings={}, sources="")
        self._lend(tr("Adding known texts"), tasks.add, done, source=str(source), options=options, role=role)

    def reread(self, options: ReadOptions) -> None:
        """Read the known texts of the open case again, in another way."""
        if self.case is None or self.shown is None:
            return
        source = Path(self.shown.root)
        if not self.shown.root or not source.exists():
            text = tr(
                "The known texts were read from '{0}', which is not there now. Put it back, or drop the texts again from where "
                "they are."
            )
            self.failed.emit(InputError(text.format(self.shown.root)))
            return
        self._lend(tr("Reading the known texts again"), tasks.read, self._reread, source=str(source), options=options)

    def sample(self) -> None:
        """The sample case that comes with the program."""
        self.read(paths.sample_case() / "known")

    # Looking at the case, without waiting for it

    def look_up(self, name: str, done: Callable[[Document | ForensiaError], None]) -> None:
        """Read a document with its text in the background: a child that writes to the case may keep us waiting."""
        case = self.case
        if case is None:
            return

        def failed(error: BaseException) -> None:
            if isinstance(error, ForensiaError) and not isinstance(error, Cancelled):
                done(error)

        self.looking.ask(tr("Reading a text"), lambda *_: case.documents.get(name), done, failed, key=NEWEST)

    def try_out(self, options: ReadOptions, done: Callable[[Effect], None]) -> None:
        """What options would do to the texts."""
        self._try(tr("Trying the options"), tasks.effect, done, None, steps=options.steps, words=options.segment_words)

    def show_masked(self, name: str, options: Mapping[str, Any], done: Callable[[Masked], None]) -> None:
        """What the mask of these training options leaves of a known text."""
        chosen = {name: options[name] for name in ("mask", "language", "function_words")}
        self._try(tr("Masking a text"), tasks.masked, done, self._fail, document=name, **chosen)

    # Long work on the case

    def train(self, options: Mapping[str, Any]) -> None:
        """Train a model on the known texts; `options` are the fields of `TrainingOptions`."""

        def done(_: None) -> None:
            self.status.emit(tr("The model is trained."))
            if not self.adding:  # the page had the fused ranking before
                self.arrived.emit("model")

        self._lend(tr("Training the model"), tasks.train, done, self._partly, options=dict(options), jobs=_jobs())

    def validate(self) -> None:
        """Train what is missing of the model: its diff-vector part, or with other sources all of it."""
        if self.case is None or self.shown is None:
            return
        adding = self.shown.model is not None and self.shown.model.validated
        done = self._telling(tr("The model is trained."))
        self._lend(tr("Training what is missing"), tasks.validate, done, self._partly, jobs=_jobs())
        self.adding = adding and self.work.busy

    def _partly(self, shown: Snapshot) -> None:
        """Something of the model is ready before the whole is."""
        before = self.shown
        new = shown.model is not None and (
            before is None or before.model is None or before.model.time != shown.model.time
        )
        adding = new and shown.model is not None and not shown.model.complete
        if adding:
            self.adding = True
            self.status.emit(
                tr("The fused ranking is ready. Lazy, Stacked and Pr(Same) follow; you can go on meanwhile.")
            )
        self._show(shown)
        if adding:
            self.arrived.emit("model")

    def analyse(self, files: Sequence[Path]) -> None:
        """Analyse disputed texts with the model of the case."""

        def done(batch: Analysed) -> None:
            if batch.done:
                self.arrived.emit("disputed")
            if batch.refused:
                self.failed.emit(InputError("\n\n".join(batch.refused)))

        name, renew = tr("Analysing disputed texts"), snapshot.analysed
        self._lend(name, tasks.analyse, done, self._show, renew, files=[str(file) for file in files])

    def state(self, document: str, said: Stated | Question) -> None:
        """Analyse a disputed text again, with something else stated about its source, or asked."""
        what: dict[str, Any] = {"stated" if isinstance(said, Stated) else "question": said}
        self._lend(tr("Analysing the text again"), tasks.state, renew=snapshot.analysed, document=document, **what)

    def keep(self, texts: Sequence[Mapping[str, str]]) -> None:
        """Keep in the case how some texts compare with each other; the report will tell it."""
        done = self._telling(tr("The comparison is kept in the case, and the report will tell it."))
        self._lend(tr("Keeping the comparison"), tasks.keep, done, renew=snapshot.analysed, texts=texts)

    def _reread(self, _: object = None) -> None:
        self.arrived.emit("corpus")

    # The report

    def preview_report(
        self, target: Path, details: CaseDetails, documents: Sequence[str], done: Callable[[int], None], failed: Failed
    ) -> None:
        """Write a report to look at; the case is only read."""
        if self.case is not None:
            work = partial(
                self.quick.do, tasks.report, case=str(self.case.path), target=str(target), details=details,
                documents=documents, read_only=True,
            )  # fmt: skip
            self.previewing.ask(tr("Making the preview"), work, done, failed, key=NEWEST)

    def export_report(
        self, target: Path, details: CaseDetails, documents: Sequence[str], written: Callable[[], None]
    ) -> None:
        """Write the report of some disputed documents; the case keeps its details and a note of it."""
        if self.case is None or self.shown is None:
            return

        def done(_: int) -> None:
            written()
            self.status.emit(tr("The report is saved as {0}.").format(target.name))

        self._lend(
            tr("Writing the report"), tasks.report, done, renew=snapshot.changed, target=str(target), details=details,
            documents=documents, read_only=bool(self.shown.read_only),
        )  # fmt: skip

    def keep_details(self, details: CaseDetails) -> None:
        """Keep what the analyst says in reports; no result depends on it."""
        self._choose(details.keep)

    def label(self, file: str, exhibit: str) -> None:
        """Give a disputed text another exhibit label."""
        self._choose(lambda case: CaseDetails.of_case(case).with_exhibit(file, exhibit).keep(case))

    # CorpusDecisions, which can be undone

    def exclude(self, names: Sequence[str], reason: str) -> None:
        """Leave documents out of training."""
        self._choose(lambda case: case.choices.exclude(names, reason))

    def include(self, names: Sequence[str]) -> None:
        """Take documents back in."""
        self._choose(lambda case: case.choices.include(names))

    def reassign(self, names: Sequence[str], author: str) -> None:
        """Say that another author wrote some documents."""
        self._choose(lambda case: case.choices.reassign(names, author))

    def set_role(self, authors: Collection[str], role: Role) -> None:
        """Say whether some authors are candidates or the population, with all their texts."""
        if self.shown is not None:
            texts = sum(each.author in set(authors) for each in self.shown.documents)
            said = tr("{0}, with all of their texts: {1}").replace("{1}", f"{texts:,}")
            self._choose(lambda case: case.choices.set_role(authors, role), said)

    def set_sources(self, wanted: Mapping[str, Collection[str]], because: str = "") -> None:
        """Say what some documents come from."""
        self._choose(lambda case: case.choices.set_sources(wanted, because))

    def ignore(self, finding: Finding, reason: str) -> None:
        """Set a problem aside; the report tells it with the reason."""
        kept = {"reason": reason, "code": finding.problem.code, "message": message(finding.problem)}
        self._choose(lambda case: snapshot.set_aside(case, {finding.key: kept}, tr("Ignore a problem")))

    def stop_ignoring(self, finding: Finding) -> None:
        """Take a problem up again that was set aside."""
        self._choose(lambda case: snapshot.set_aside(case, {finding.key: None}, tr("Take up a problem again")))

    def undo(self) -> None:
        """Take back the last choice."""
        self._choose(lambda case: case.choices.undo(), tr("Undone: {0}"))

    def redo(self) -> None:
        """Make again what was taken back."""
        self._choose(lambda case: case.choices.redo(), tr("Done again: {0}"))

    def remove_disputed(self, name: str) -> None:
        """Take a disputed document out of the case, with its results."""
        case = self.case

        def remove() -> None:
            if case is None or case is not self.case:
                return
            try:
                case.results.remove_disputed(name)
                self._show(snapshot.take(case))
            except ForensiaError as error:
                self.failed.emit(error)

        self._when_free(remove)

    # Copies

    def save_copy(self, target: Path) -> None:
        """Save the case elsewhere; an untitled one moves there."""
        case, shown = self.case, self.shown
        if case is None or shown is None:
            return
        untitled = shown.untitled

        def work(progress: Progress, news: News) -> Opened | None:
            case.save_copy(target)
            return snapshot.opened(Case.open(target)) if untitled else None

        def done(opened: Opened | None) -> None:
            if opened is not None:
                old = case.path
                self._put(opened)
                forget(old)
                old.unlink(missing_ok=True)
            self.status.emit(tr("Saved as {0}.").format(target.name))

        self._run(tr("Saving"), work, done)

    def export_without_texts(self, target: Path) -> None:
        """Save a copy for somebody who must not see the texts."""
        if self.case is None:
            return
        work, said = self.case.export_without_texts, tr("Exported without texts as {0}.").format(target.name)
        self._run(tr("Exporting"), lambda *_: work(target), lambda _: self.status.emit(said))


def _jobs() -> int:
    """Processes that work at the same time."""
    return settings.load().jobs or os.cpu_count() or 1


def same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
