"""The main window: the rail of five places on the left, one page at a time on the right, one drop target for all of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget

from forensia import logs, settings
from forensia.corpus import Role
from forensia.errors import ForensiaError, InputError, SettingsError
from forensia.gui import dialogs, drops, theme, widgets, words
from forensia.gui.frame import JobStrip, Menus, Rail
from forensia.gui.lane import Collector
from forensia.gui.opencase import OpenCase
from forensia.gui.pages import PAGES, report
from forensia.gui.pages.compare import ComparePage
from forensia.gui.pages.compare.side import Source
from forensia.gui.pages.corpus import CorpusPage
from forensia.gui.pages.disputed import DisputedPage
from forensia.gui.pages.experiments import ExperimentsPage
from forensia.gui.pages.model import ModelPage
from forensia.gui.widgets import plotpane
from forensia.gui.widgets.asking import delayed
from forensia.gui.widgets.table import current_table, export_table
from forensia.gui.words import tr
from forensia.jobs.child import CallFailed
from forensia.jobs.worker import Worker
from forensia.wording import conditions

_log = logging.getLogger(__name__)
_PATIENCE = 20.0  # seconds that closing waits for work to stop
_POLL = 50


Chosen = TypeVar("Chosen")


class MainWindow(QMainWindow):
    """Everything the analyst sees."""

    def __init__(
        self, engine: Worker | None = None, drawing: Worker | None = None, experiments: Worker | None = None
    ) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.resize(1280, 800)
        self.setMinimumSize(1040, 640)
        self._closing = False
        self.opencase = OpenCase(self, engine, drawing, experiments)
        self.collector = Collector(self)
        self.rail = Rail()
        self.corpus = CorpusPage(self.opencase)
        self.model = ModelPage(self.opencase)
        self.disputed = DisputedPage(self.opencase)
        self.compare = ComparePage(self.opencase)
        self.experiments = ExperimentsPage(self.opencase)
        self.pages = QStackedWidget()
        known = {type(page): page for page in (self.corpus, self.model, self.disputed, self.compare, self.experiments)}
        for kind in PAGES.values():
            self.pages.addWidget(known[kind] if kind in known else kind(self.opencase))
        self.setCentralWidget(widgets.panel(widgets.row(self.rail, (self.pages, 1), spacing=0)))
        self.state = widgets.ElidedLabel()
        self.state.setMinimumWidth(420)
        self.state.setContentsMargins(10, 0, 0, 0)
        self.strip = JobStrip(self.opencase.work)
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().addWidget(self.state, 1)
        self.statusBar().addPermanentWidget(self.strip)
        self.menus = Menus(self)
        self._said = delayed(self, 6000, self._tell_state)
        self._connect()
        self.rail.go("corpus")
        self._restore()
        self._refresh()

    def _connect(self) -> None:
        self.rail.went.connect(self.pages.setCurrentIndex)
        self.rail.picked.connect(self._pick)
        opencase = self.opencase
        opencase.changed.connect(self._refresh)
        opencase.status.connect(self.say)
        opencase.failed.connect(self.show_error)
        opencase.arrived.connect(self._arrived)
        self.corpus.open_folder.connect(self.choose_folder)
        self.corpus.open_file.connect(self.choose_collection)
        self.corpus.open_case.connect(self.choose_case)
        self.corpus.train.connect(lambda: self.rail.go("model"))
        self.model.to_corpus.connect(lambda: self.rail.go("corpus"))
        self.model.to_disputed.connect(lambda: self.rail.go("disputed"))
        self.disputed.to_model.connect(lambda: self.rail.go("model"))
        self.disputed.to_corpus.connect(lambda: self.rail.go("corpus"))
        self.disputed.add.connect(self.choose_texts)
        self.disputed.report.connect(self.show_report)
        self.disputed.chosen.connect(self.rail.choose_document)
        self.disputed.pair.connect(self._compare)
        self.compare.to_model.connect(lambda: self.rail.go("model"))
        self.model.trust.known.connect(self._tell_state)
        self.experiments.share.connect(self.rail.show_share)
        QGuiApplication.styleHints().colorSchemeChanged.connect(lambda _: self._follow_system())

    # Going about

    def _pick(self, name: str) -> None:
        self.disputed.choose(name)
        self.rail.go("disputed")

    def _compare(self, first: Source, second: Source) -> None:
        """Open two texts side by side."""
        self.rail.go("compare")
        self.compare.open_pair(first, second)

    def _arrived(self, place: str) -> None:
        """Something new is on a page: go there."""
        if place == "disputed" and self.opencase.shown is not None and self.opencase.shown.disputed:
            self.rail.choose_document(self.opencase.shown.disputed[-1].id)
        self.rail.go(place)

    def focus_filter(self) -> None:
        """Ctrl+F: to the filter of the documents."""
        self.rail.go("corpus")
        self.corpus.documents.filter.setFocus()
        self.corpus.documents.filter.selectAll()

    def train_now(self) -> None:
        """Ctrl+T: to the Model page, and train if nothing is in the way."""
        self.rail.go("model")
        if self.model.settings.button.isEnabled():
            self.model.settings.button.click()

    def show_report(self) -> None:
        """Ctrl+R: the report of the case, to fill in, look at and export."""
        report.show(self, self.opencase)

    def export_table(self) -> None:
        """Export the table that one is looking at."""
        view = current_table(self.pages)
        if view is None:
            self.say(tr("There is no table on this page."))
        else:
            export_table(view)

    def save_picture(self) -> None:
        """Save the plot that one is looking at."""
        pane = plotpane.current(self.pages)
        if pane is None:
            self.say(tr("There is no plot on this page."))
        else:
            pane.choose_place()

    # Showing

    def _refresh(self) -> None:
        shown = self.opencase.shown
        self.menus.show_case(shown)
        self.rail.show_case(shown)
        if shown is None:
            self.setWindowTitle("Forensia")
        else:
            name = words.one_line(shown.name).replace("[*]", "[*][*]")
            note = tr(" — not yet saved in a place of your own") if shown.untitled else ""
            note = tr(" — read only") if shown.read_only else note
            self.setWindowTitle(f"{name}{note} — Forensia")
        self._tell_state()

    def _tell_state(self) -> None:
        """The status bar says how it stands with the model."""
        self.state.setText(self._state())

    def _state(self) -> str:
        shown = self.opencase.shown
        if shown is None:
            return tr("No case open")
        if shown.read_only:
            return tr("Read only: {0}").format(shown.read_only)
        if not shown.documents:
            return tr("No known texts yet")
        if shown.model is None:
            return tr("No model yet · {0}").format(words.known(*shown.known))
        time, record = shown.model.time.replace("T", " ")[:16], shown.model.record
        if not shown.model.current:
            trained = words.known(record.authors, record.documents, population=record.population)
            text = tr("⚠ Model out of date: trained {0} on {1}; the known texts are now {2}")
            return text.format(time, trained, words.known(*shown.known))
        left_out = max(0, len(shown.documents) - record.documents)  # texts of a population file are not among them
        trained = words.known(record.authors, record.documents, left_out, record.population)
        text = tr("Model trained {0} · {1}").format(time, trained)
        summary = self.model.trust.summary_of(str(shown.path), shown.model.time)
        return f"{text} · {conditions.in_short(summary)}" if summary is not None else text

    def say(self, text: str) -> None:
        """A sentence in the status bar, for a few seconds."""
        self.state.setText(text)
        self._said.start()

    def show_error(self, error: BaseException) -> None:
        """An expected problem is its own sentence; anything else is ours, and told as such."""
        if isinstance(error, CallFailed):
            dialogs.unexpected(self, error.kind, error.details)
        elif isinstance(error, ForensiaError):
            dialogs.tell(self, str(error))
        else:
            dialogs.unexpected(self, type(error).__name__, logs.describe(error))

    def show_crash_notice(self, left: str) -> None:
        """Say that the last session ended badly; nothing is sent anywhere."""
        dialogs.tell(
            self,
            tr(
                "Forensia ended unexpectedly last time. Your cases are safe; the details below may help to find out why."
            ),
            left,
        )

    # Theme and preferences

    def set_theme(self, name: str) -> None:
        """Light, dark, or as the system has it."""
        self._keep(replace(settings.load(), theme=name))
        self.menus.themes[name].setChecked(True)
        self._apply(name)

    def _follow_system(self) -> None:
        if settings.load().theme == "system":
            self._apply("system")

    def _apply(self, name: str) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            theme.apply(app, name)
        self.corpus.refresh()

    def show_preferences(self) -> None:
        """The few things that are set once for all."""

        def chosen(name: str, jobs: int, paper: str, analyst: str) -> None:
            self._keep(replace(settings.load(), jobs=jobs, paper_size=paper, analyst=analyst))
            self.set_theme(name)

        dialogs.Preferences(self, settings.load(), chosen).open()

    def _keep(self, wanted: settings.Settings) -> None:
        try:
            settings.save(wanted)
        except SettingsError as error:
            self.say(str(error))

    # Files

    def open_case(self, case: Path) -> None:
        """Open a case that the command line, the desktop or a second start hands over; while busy, say so instead."""
        self.take(drops.Drop(drops.Kind.CASE, (case,)))

    def choose_case(self) -> None:
        _with(dialogs.ask_case(self), self.opencase.open)

    def choose_folder(self) -> None:
        _with(dialogs.ask_folder(self), self.take_corpus)

    def choose_collection(self) -> None:
        _with(dialogs.ask_collection(self), self.take_corpus)

    def choose_texts(self) -> None:
        _with(dialogs.ask_texts(self), self.take_texts)

    def choose_copy(self) -> None:
        shown = self.opencase.shown
        if shown is not None:
            _with(dialogs.ask_place(self, tr("Save a copy"), f"{shown.name}.forensia"), self.opencase.save_copy)

    def choose_export(self) -> None:
        shown = self.opencase.shown
        if shown is not None:
            proposal = f"{shown.name} {tr('without texts')}.forensia"
            _with(dialogs.ask_place(self, tr("Export without texts"), proposal), self.opencase.export_without_texts)

    # Drops

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.state.setText(tr("Drop to open"))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._tell_state()

    def dropEvent(self, event: QDropEvent) -> None:
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self._tell_state()
        try:
            drop = drops.kind_of(drops.files_of(event.mimeData()))
        except ForensiaError as error:
            self.show_error(error)
            return
        self.take(drop)

    def take(self, drop: drops.Drop) -> None:
        """Do what a drop asks for."""
        if self.opencase.work.busy:
            text = tr("{0} is still going on. Wait for it, or cancel it below, then drop again.")
            self.show_error(InputError(text.format(self.opencase.work.name)))
        elif drop.kind is drops.Kind.CASE:
            self.opencase.open(drop.paths[0])
        elif drop.kind is drops.Kind.CORPUS:
            self.take_corpus(drop.paths[0])
        else:
            self.take_texts(drop.paths)

    def take_corpus(self, place: Path) -> None:
        """The first known texts are read at once; later ones are of candidates, of the population, disputed, or for another case."""
        opencase, shown = self.opencase, self.opencase.shown
        new = shown is None or not shown.documents or bool(shown.read_only)
        if place.suffix.lower() == drops.POPULATION:
            self._take_population(place, new)
            return
        if shown is None or new:
            opencase.read(place)
            return
        text = tr(
            "What is '{0}'? Candidates may have written the disputed texts, and are ranked. A population is other people who write "
            "the same kind of texts: it stands for 'somebody else', and is not ranked."
        )
        notice = dialogs.Notice(self, text.format(words.shortened(words.one_line(place.name))))
        notice.offer(tr("Candidates"), lambda: opencase.add(place, Role.CANDIDATE), primary=True)
        notice.offer(tr("Population"), lambda: opencase.add(place, Role.POPULATION))
        if shown.model is not None and place.is_dir():
            notice.offer(tr("Disputed texts"), lambda: self.take_texts([place]))
        notice.offer(tr("Another case"), lambda: opencase.read(place))
        notice.offer(tr("Cancel"))
        notice.open()

    def _take_population(self, place: Path, new: bool) -> None:
        """A population file goes to candidates who are there already."""
        if new:
            text = tr("'{0}' is a population. Add the texts of the candidates first, then the population.")
            self.show_error(InputError(text.format(words.shortened(words.one_line(place.name)))))
            return
        text = tr(
            "Use '{0}' as the population of this case, in place of another file if there is one? What was trained without it is "
            "removed: train again afterwards."
        )
        notice = dialogs.Notice(self, text.format(words.shortened(words.one_line(place.name))))
        notice.offer(tr("Use"), lambda: self.opencase.add(place, Role.POPULATION), primary=True)
        notice.offer(tr("Cancel"))
        notice.open()

    def take_texts(self, files: Sequence[Path]) -> None:
        """Disputed texts are analysed when there is a model; otherwise the user says what they are."""
        shown = self.opencase.shown
        if shown is not None and shown.model is not None:
            self.opencase.analyse(list(files))
            return
        names = words.shortened(words.one_line(files[0].name))
        more = tr(" and {0} more").format(len(files) - 1) if len(files) > 1 else ""
        text = tr(
            "'{0}'{1}: there is no model yet that could analyse it as a disputed text. Train one first, or take the folder it "
            "lies in as known texts."
        ).format(names, more)
        notice = dialogs.Notice(self, text)
        notice.offer(tr("Use its folder as known texts"), lambda: self.opencase.read(files[0].parent))
        if shown is not None and shown.documents:
            notice.offer(tr("Go to Model"), lambda: self.rail.go("model"), primary=True)
        notice.offer(tr("Cancel"))
        notice.open()

    # The end

    def closeEvent(self, event: QCloseEvent) -> None:
        if (self.opencase.work.busy or self.experiments.work.running) and not self._closing:
            event.ignore()
            self._ask_to_stop()
            return
        self._remember()
        self.opencase.end()
        if not self.opencase.work.busy:  # work that does not stop still holds the case; it ends with the program
            self.opencase.close()
        event.accept()

    def _ask_to_stop(self) -> None:
        said = []
        if self.opencase.work.busy:
            text = tr("{0} is still going on. If you close now it is stopped; the case stays as it was before.")
            if self.opencase.adding:
                text = tr(
                    "{0} is still going on. If you close now it is stopped; what is finished is kept, and it can go on later."
                )
            said.append(text.format(self.opencase.work.name))
        if self.experiments.work.running:
            text = tr(
                "An experiment is running. If you close now it is paused; what is done is kept, and it can be resumed."
            )
            said.append(text)
        notice = dialogs.Notice(self, "\n\n".join(said))
        notice.offer(tr("Keep working"), primary=True)
        notice.offer(tr("Stop and close"), self._stop_and_close)
        notice.open()

    def _stop_and_close(self) -> None:
        self.say(tr("Stopping…"))
        self.opencase.work.cancel()
        self.experiments.work.pause()
        self._wait_for_end(int(_PATIENCE * 1000 / _POLL))

    def _wait_for_end(self, turns: int) -> None:
        if (self.opencase.work.busy or self.experiments.work.running) and turns > 0:
            QTimer.singleShot(_POLL, self, lambda: self._wait_for_end(turns - 1))
            return
        self._closing = True
        self.close()

    def _remember(self) -> None:
        state = bytes(self.saveGeometry().toBase64().data()).decode("ascii")
        try:
            settings.save(replace(settings.load(), window=state))
        except SettingsError as error:
            _log.warning("%s", error)

    def _restore(self) -> None:
        state = settings.load().window
        if state:
            self.restoreGeometry(QByteArray.fromBase64(QByteArray(state.encode("ascii", "ignore"))))


def _with(chosen: Chosen | None, act: Callable[[Chosen], object]) -> None:
    """Do something with what was chosen, if anything was."""
    if chosen:
        act(chosen)
