"""The Experiments page: what to run, on the left; figures and tables that fill as runs end, on the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QFileDialog, QMenu, QStackedWidget, QWidget

from forensia.errors import ForensiaError
from forensia.experiments.plans import built_in
from forensia.gui import dialogs, widgets, words
from forensia.gui.help import HelpButton
from forensia.gui.opencase import OpenCase
from forensia.gui.pages.experiments import experimenter
from forensia.gui.pages.experiments.experimenter import Experimenter, ExperimentStage
from forensia.gui.pages.experiments.planform import PlanForm, plan_name
from forensia.gui.pages.experiments.resultsview import ResultsView
from forensia.gui.pages.page import Empty, Page
from forensia.gui.snapshot import Changes
from forensia.gui.tasks import experiments
from forensia.gui.widgets import column, fields, gap, panel, row
from forensia.gui.words import tr

_FILES = "Forensia results (*.sqlite)"
_LISTED = 12  # earlier experiments in the menu


class ExperimentsPage(Page):
    """`share` tells how far a running experiment is, from 0 to 1; below 0 none runs."""

    shows = Changes.CASE | Changes.CORPUS
    share = Signal(float)

    @staticmethod
    def called() -> str:
        return tr("Experiments")

    def __init__(self, opencase: OpenCase) -> None:
        super().__init__(opencase)
        self._asked = False
        self.work = Experimenter(opencase.experiments, opencase.quick, self)
        opencase.watched.append(self.work)
        self.form = PlanForm()
        self.form.setFixedWidth(348)
        self.view = ResultsView(opencase.drawer)
        self.empty = Empty(*_invitation(), width=520)
        self.shown = QStackedWidget()
        self.shown.addWidget(self.empty)
        self.shown.addWidget(self.view)
        self.addWidget(panel(row(self.form, (self._right(), 1), margins=(18, 14, 18, 12), spacing=16)))
        self._connect()
        self._stand()

    def _right(self) -> QWidget:
        self.headline = widgets.title()
        self.earlier = widgets.button(tr("Earlier results"), lambda: None)
        self.menu = QMenu(self.earlier)
        self.menu.aboutToShow.connect(self._list)
        self.earlier.setMenu(self.menu)
        self.export = widgets.button(tr("Export…"), self._ask_export, tip=tr("All tables and figures, into a folder"))
        self.message = widgets.ElidedLabel()
        self.bar = fields.bar(tr("Progress of the experiment"))
        self.pause = widgets.button(
            tr("Pause"), self.work.pause, tip=tr("Runs that have ended are kept; those under way are made again")
        )
        self.resume = widgets.button(tr("Resume"), self.work.resume, primary=True)
        self.stop = widgets.button(
            tr("Cancel"), self.work.give_up, tip=tr("Stop for good; what is done stays in its file")
        )
        self.stop.setAccessibleName(tr("Cancel the experiment"))
        head = row((self.headline, 1), HelpButton("experiment"), self.earlier, self.export)
        foot = row((self.message, 1), self.pause, self.resume, self.stop)
        return widgets.card(head, self.bar, foot, (self.shown, 1), margin=16)

    def _connect(self) -> None:
        work, form = self.work, self.form
        form.packs.connect(self._look_for_packs)
        form.wanted.connect(self._estimate)
        form.start.connect(work.start)
        work.changed.connect(self._stand)
        work.grown.connect(self._show)
        work.moved.connect(self._moved)
        work.failed.connect(self.opencase.failed)
        work.status.connect(self.opencase.status)

    # Showing

    def refresh(self) -> None:
        """The known texts of the open case can be used as data."""
        shown = self.opencase.shown
        root = shown.root if shown is not None and shown.documents else ""
        self.form.data.show_case(root if root and Path(root).is_dir() else "")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._asked:  # only who comes here needs the data sets
            self._asked = True
            self._look_for_packs("")

    def _look_for_packs(self, folder: str) -> None:
        def failed(sentence: str) -> None:
            self.opencase.failed.emit(ForensiaError(sentence))

        self.work.estimates.put(experiments.packs, self.form.data.show_packs, failed, folder=folder)

    def _estimate(self, plan: dict[str, object], folder: str) -> None:
        self.work.estimates.put(
            experiments.estimate, self.form.show_cost, self.form.show_problem,
            plan=plan, data=folder, results="", jobs=experimenter.jobs(),
        )  # fmt: skip

    def _stand(self) -> None:
        """What can be done now."""
        work = self.work
        running, there = work.running, work.stage is not ExperimentStage.NONE
        self.form.lock(running)
        self.pause.setVisible(running)
        self.pause.setEnabled(work.stage is ExperimentStage.RUNNING)
        self.resume.setVisible(work.stage is ExperimentStage.PAUSED)
        self.stop.setVisible(running or work.stage is ExperimentStage.PAUSED)
        self.stop.setEnabled(work.stage in (ExperimentStage.RUNNING, ExperimentStage.PAUSED))
        self.bar.setVisible(there)
        self.message.setVisible(there)
        self.earlier.setEnabled(not running)
        if work.stage is ExperimentStage.RUNNING:
            self.bar.setValue(0)
            self.message.setText(tr("Starting…"))
        elif work.stage in (ExperimentStage.PAUSING, ExperimentStage.STOPPING):
            self.message.setText(tr("Pausing…") if work.stage is ExperimentStage.PAUSING else tr("Stopping…"))
        self.share.emit(self.bar.value() / 1000 if running else -1.0)
        self._tell()
        self._show()

    def _moved(self, fraction: float, message: str, left: float) -> None:
        if self.work.stage is ExperimentStage.RUNNING:
            self.bar.setValue(round(fraction * 1000))
            time = tr("{0} left").format(words.duration(left)) if left >= 0 else ""
            self.message.setText(" · ".join(part for part in (message[:1].upper() + message[1:], time) if part))
            self.share.emit(fraction)

    def _show(self) -> None:
        contents = self.work.contents
        self.view.show_results(contents)
        self.shown.setCurrentIndex(1 if contents and (contents.figures or contents.tables) else 0)
        self.export.setEnabled(bool(contents and contents.done))
        self._tell()

    def _tell(self) -> None:
        """The headline, and at rest how far it is."""
        work, contents = self.work, self.work.contents
        if work.stage is ExperimentStage.NONE:
            self.headline.setText(tr("No experiment open"))
            self.empty.say(*_invitation())
            return
        plan = contents.plan if contents else work.plan
        known = plan.get("name") in built_in()
        title = plan_name(str(plan["name"])) if known else str(plan.get("title", ""))
        self.headline.setText(title or (work.results.stem if work.results else ""))
        self.empty.say(
            tr("The first results are on their way"),
            tr(
                "First the texts are read and their words counted, once for all runs. Then the figures fill run by run."
            ),
        )
        if work.running:
            return
        parts = [
            {
                ExperimentStage.DONE: tr("Done"),
                ExperimentStage.PAUSED: tr("Paused"),
                ExperimentStage.STOPPED: tr("Stopped"),
            }[work.stage]
        ]
        if contents is not None:
            self.bar.setValue(round(1000 * contents.done / max(contents.possible, 1)))
            parts.append(tr("{0} of {1} runs").format(f"{contents.done:,}", f"{contents.possible:,}"))
            parts += [tr("{0} failed").format(len(contents.failed))] if contents.failed else []
        parts += [work.results.name] if work.results else []
        self.message.setText(" · ".join(parts))

    # Earlier results

    def _list(self) -> None:
        self.menu.clear()
        try:
            files = experimenter.earlier()[:_LISTED]
        except (OSError, ForensiaError):
            files = []
        for file in files:
            action = self.menu.addAction(words.ampersands(words.shortened(words.one_line(file.stem))))
            action.triggered.connect(lambda _=False, file=file: self.work.open(file))
        if files:
            self.menu.addSeparator()
        self.menu.addAction(tr("Open results…"), self._ask_results)

    def _ask_results(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self, tr("Open results"), str(experimenter.folder()), _FILES)
        if name:
            self.work.open(Path(name))

    # Export

    def _ask_export(self) -> None:
        ExportDialog(self, self._export).open()

    def _export(self, kinds: Sequence[str], folder: Path) -> None:
        def done(files: Sequence[str]) -> None:
            text = tr("{0} written to {1}").format(words.counted(len(files), tr("file"), tr("files")), folder.name)
            self.opencase.status.emit(text)

        self.work.export(folder, kinds, done)


def _invitation() -> tuple[str, str]:
    """What is said as long as no experiment is open."""
    return tr("How well does the method work on texts like yours?"), tr(
        "An experiment hides the authors of known texts and lets several methods find them again, many times, with more "
        "and with fewer authors and documents. Choose texts and a plan on the left; nothing here changes a case."
    )


class ExportDialog(QDialog):
    """As what results are written, and where."""

    def __init__(self, parent: QWidget, chosen: Callable[[Sequence[str], Path], object]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Export results"))
        self._chosen = chosen
        self.kinds = {
            "csv": QCheckBox(tr("Tables as CSV: the means, and every single run")),
            "latex": QCheckBox(tr("Tables as LaTeX")),
            "png": QCheckBox(tr("Figures as PNG")),
            "svg": QCheckBox(tr("Figures as SVG")),
            "pdf": QCheckBox(tr("Figures as PDF")),
        }
        for name, box in self.kinds.items():
            box.setChecked(name in ("csv", "png"))
            box.toggled.connect(lambda *_: self._tell())
        self.box = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.box.button(QDialogButtonBox.StandardButton.Ok).setText(tr("Choose folder…"))
        self.box.accepted.connect(self._accept)
        self.box.rejected.connect(self.reject)
        about = widgets.label(tr("All tables and figures are written into a folder that you choose next."))
        self.setLayout(column(about, *self.kinds.values(), gap(6), self.box, margins=(20, 20, 20, 16), spacing=8))

    def _tell(self) -> None:
        some = any(box.isChecked() for box in self.kinds.values())
        self.box.button(QDialogButtonBox.StandardButton.Ok).setEnabled(some)

    def _accept(self) -> None:
        folder = dialogs.ask_target(self)
        if folder is not None:
            self.accept()
            self._chosen([name for name, box in self.kinds.items() if box.isChecked()], folder)
