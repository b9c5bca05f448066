"""What to run: data, a plan, and what it will take; then the button."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QRadioButton,
    QWidget,
)

from forensia.errors import ForensiaError
from forensia.experiments.plans import Plan, PlanPart, built_in, load_plan, methods_of, parse_plan
from forensia.gui import drops, help, widgets, words
from forensia.gui.pages.experiments.planfields import PlanFields, profile_name, sizes, tasks
from forensia.gui.tasks.experiments import DataFacts, Packs, PlanCost
from forensia.gui.widgets import column, fields, gap, panel, row, scrolled, spring
from forensia.gui.widgets.asking import delayed
from forensia.gui.words import tr

_PLACE = Qt.ItemDataRole.UserRole
OWN = ""
_LONGEST = 300  # characters of a problem
_WAIT = 500  # milliseconds after the last change before the cost is reckoned


def plan_name(name: str) -> str:
    """A built-in plan in words."""
    what = {
        "aa": tr("attribution by size"),
        "sav": tr("same author? by size"),
        "native-av": tr("one author against the rest"),
        "scores": tr("distribution of scores"),
        "timings": tr("time needed"),
        "arxiv": tr("arXiv, random splits"),
    }
    kind, _, task = name.partition("-")
    shown = what.get(task, task)
    return (tr("Paper: {0}") if kind == "paper" else tr("Quick: {0}")).format(shown) if task else name


class DataChoice(QWidget):
    """On which texts an experiment runs: own folders with known authors, or published data sets in a folder.

    `changed` when something else is chosen, `wanted` when another folder is to be looked into.
    """

    changed = Signal()
    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self._folder = ""
        self._case = ""
        self._known: tuple[str, ...] = ()
        self.own = QRadioButton(tr("My own texts"))
        self.published = QRadioButton(tr("Published data sets"))
        self.own.setAccessibleDescription(tr("Folders with texts whose authors are known"))
        self.own.setChecked(True)
        self.list = fields.named(QListWidget(), tr("Folders of texts"))
        self.list.setFixedHeight(66)
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.add = widgets.button(tr("Add folder…"), self._ask, tip=tr("You can also drop folders here"))
        self.case = widgets.button(tr("Of this case"), self._add_case, tip=tr("The known texts of the open case"))
        self.remove = widgets.button(tr("Remove"), self._remove)
        self.place = widgets.ElidedLabel()
        self.choose = widgets.button(tr("Folder…"), self._ask_folder)
        self.choose.setAccessibleName(tr("Choose the folder of the data sets"))
        self.boxes: dict[str, QCheckBox] = {}
        buttons = row(self.add, self.case, self.remove, spring(), spacing=6)
        self._mine = panel(column(self.list, buttons, margins=(22, 0, 0, 4), spacing=6))
        self._sets = column(spacing=2)
        folder = row((self.place, 1), self.choose)
        self._theirs = panel(column(folder, self._sets, margins=(22, 0, 0, 4), spacing=4))
        self.setLayout(column(self.own, self._mine, self.published, self._theirs, spacing=4))
        self.own.toggled.connect(self._switched)
        self.list.itemSelectionChanged.connect(self._tell)
        self._switched()

    # What is chosen

    @property
    def folder(self) -> str:
        """The folder of the data sets, as the engine wants it."""
        return self._folder

    def corpora(self) -> list[str]:
        """The own folders, if these are chosen."""
        if not self.own.isChecked():
            return []
        return [str(self.list.item(place).data(_PLACE)) for place in range(self.list.count())]

    def sets(self) -> list[str]:
        """The data sets that are ticked, if these are chosen."""
        return [] if self.own.isChecked() else [name for name, box in self.boxes.items() if box.isChecked()]

    def take(self, folders: Sequence[Path]) -> None:
        """Add folders of one's own."""
        there = set(self.corpora())
        for folder in folders:
            if str(folder) not in there:
                item = QListWidgetItem(words.one_line(folder.name or str(folder)))
                item.setToolTip(words.tip(str(folder)))
                item.setData(_PLACE, str(folder))
                self.list.addItem(item)
        self.own.setChecked(True)
        self._tell()
        self.changed.emit()

    def want(self, names: Sequence[str]) -> None:
        """Tick the data sets that a plan names, as far as they are there."""
        self._known = tuple(names)
        for name, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setChecked(box.isEnabled() and name in names)

    def show_packs(self, there: Packs) -> None:
        """Show which data sets a folder has."""
        self._folder = there.folder
        self.place.setText(self._folder or tr("No folder chosen"))
        for box in self.boxes.values():
            self._sets.removeWidget(box)
            box.deleteLater()
        self.boxes = {}
        for pack in there.packs:
            box = QCheckBox(words.ampersands(pack.name))
            box.setEnabled(bool(pack.place))
            missing = "" if pack.place else tr("This data set is not in the folder")
            box.setToolTip(words.tip(pack.place or missing))
            box.setAccessibleDescription(missing)
            box.toggled.connect(lambda *_: self.changed.emit())
            self.boxes[pack.name] = box
            self._sets.addWidget(box)
        self.want(self._known)
        self.changed.emit()

    def show_case(self, folder: str) -> None:
        """The known texts of the open case can be used; an empty name: there are none."""
        self._case = folder
        self._tell()

    # What a person does

    def _switched(self, *_: object) -> None:
        self._mine.setVisible(self.own.isChecked())
        self._theirs.setVisible(not self.own.isChecked())
        self._tell()
        self.changed.emit()

    def _tell(self) -> None:
        self.remove.setEnabled(bool(self.list.selectedItems()))
        self.case.setEnabled(bool(self._case))

    def _ask(self) -> None:
        name = QFileDialog.getExistingDirectory(self, tr("Folder of texts whose authors you know"))
        if name:
            self.take([Path(name)])

    def _ask_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, tr("Folder of data sets"), self._folder)
        if name:
            self.wanted.emit(name)

    def _add_case(self) -> None:
        self.take([Path(self._case)])

    def _remove(self) -> None:
        for item in self.list.selectedItems():
            self.list.takeItem(self.list.row(item))
        self._tell()
        self.changed.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() and self.isEnabled():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.take([path for path in drops.files_of(event.mimeData()) if path.is_dir()])


class PlanForm(QFrame):
    """`wanted` asks what a plan would take (its JSON and the data folder), `start` to run it, `packs` what is in a folder."""

    wanted = Signal(object, str)
    start = Signal(object, str)
    packs = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self._locked = False
        self._ready: Plan | None = None
        self.data = DataChoice()
        self.data.wanted.connect(self.packs)
        built = sorted(built_in(), key=lambda name: (not name.startswith("quick"), name))
        self.plan = fields.choice(tr("Plan"), {name: plan_name(name) for name in built} | {OWN: tr("My own plan")})
        self.plan.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.about = fields.note()
        self.change = widgets.button(tr("Change it…"), self._change, tip=tr("Make a plan of your own from this one"))
        self.fields = PlanFields()
        self.cost = fields.named(widgets.label(bold=True), tr("What it will take"))
        self.facts = fields.note()
        self.problem = widgets.label(scale=0.92)
        self.problem.setProperty("warning", True)
        self.button = widgets.button(tr("Start"), self._start, primary=True)
        self.button.setMinimumHeight(40)
        inside = column(
            help.heading(tr("Texts"), "experiment_data"), self.data, gap(4), help.heading(tr("Plan"), "experiment"), self.plan,
            self.about, (self.change, Qt.AlignmentFlag.AlignLeft), self.fields, spring(),
            margins=(0, 0, 10, 0), spacing=5,
        )  # fmt: skip
        self.area = scrolled(panel(inside), tr("What to run"))
        title = widgets.label(tr("New experiment"), scale=1.35, bold=True)
        below = (self.cost, self.facts, self.problem, self.button)
        self.setLayout(column(title, (self.area, 1), *below, margins=14, spacing=6))
        self._timer = delayed(self, _WAIT, self._ask)
        self.plan.currentIndexChanged.connect(lambda *_: self._chosen())
        self.fields.changed.connect(self._changed)
        self.data.changed.connect(self._changed)
        self._chosen()

    # The plan

    def current(self) -> Plan:
        """The plan as it stands; raises ForensiaError with what is wrong."""
        name = self.plan.currentData()
        corpora, sets = self.data.corpora(), self.data.sets()
        if name == OWN:
            return parse_plan(self.fields.stated(), tr("My own plan"), corpora or sets)
        if corpora:
            return load_plan(name, corpora)
        return _on(load_plan(name), sets)

    def missing(self) -> str:
        """What must be chosen first, as a sentence."""
        if not self.data.corpora() and not self.data.sets():
            if self.data.own.isChecked():
                return tr("Add a folder of texts whose authors you know.")
            return tr("Tick at least one data set.")
        return self.fields.missing() if self.plan.currentData() == OWN else ""

    def use_own(self, folders: list[Path]) -> None:
        """Take folders of texts, as a drop does."""
        self.data.take(folders)

    def lock(self, locked: bool) -> None:
        """While an experiment runs, the next one waits."""
        self._locked = locked
        self.area.setEnabled(not locked)
        self._tell()
        if not locked:
            self._changed()

    def show_problem(self, sentence: str) -> None:
        """Show why the plan cannot be run."""
        self._ready = None
        self.cost.clear()
        self.facts.clear()
        self._complain(sentence)
        self._tell()

    def show_cost(self, cost: PlanCost) -> None:
        """Show what the plan will take."""
        expected = cost.estimate
        runs = words.counted(expected.runs, tr("run"), tr("runs"))
        time = words.duration(expected.cpu_s / max(expected.jobs, 1))
        self.cost.setText(tr("{0} · {1} on this machine").format(runs, time) if expected.runs else tr("No runs"))
        self.facts.setText("\n".join(_fact(about) for about in cost.data))
        self._complain("\n".join((*cost.notes, *cost.impossible)))
        if not expected.runs:
            self._ready = None
        self._tell()

    def _complain(self, text: str) -> None:
        """Show a problem, cut short where the sentence goes on for long; the whole is in the tooltip."""
        self.problem.setText(text if len(text) <= _LONGEST else f"{text[:_LONGEST].rsplit(' ', 1)[0]} …")
        self.problem.setToolTip(words.tip(text) if len(text) > _LONGEST else "")

    def _tell(self) -> None:
        for each in (self.cost, self.facts, self.problem):
            each.setVisible(bool(each.text()))
        self.button.setEnabled(self._ready is not None and not self._locked)

    def _chosen(self) -> None:
        name = self.plan.currentData()
        own = name == OWN
        self.fields.setVisible(own)
        self.change.setVisible(not own)
        self.about.setVisible(not own)
        if not own:
            plan = load_plan(name)
            self.about.setText(_described(plan))
            self.data.want(plan.data)
        self._changed()

    def _change(self) -> None:
        self.fields.take(load_plan(self.plan.currentData()))
        self.plan.setCurrentIndex(self.plan.findData(OWN))

    def _changed(self) -> None:
        if self._locked:
            return
        self._ready = None
        self.cost.setText(tr("Working out what it takes…"))
        self.facts.clear()
        self.problem.clear()
        missing = self.missing()
        if missing:
            self._timer.stop()
            self.cost.clear()
            self.facts.setText(missing)
        else:
            self._timer.start()
        self._tell()

    def _ask(self) -> None:
        if self._locked or self.missing():
            return
        try:
            plan = self.current()
        except ForensiaError as error:
            self.show_problem(str(error))
            return
        self._ready = plan
        self._tell()
        self.wanted.emit(plan.plain(), self.data.folder)

    def _start(self) -> None:
        if self._ready is not None:
            self.start.emit(self._ready.plain(), self.data.folder)


def _on(plan: Plan, sets: list[str]) -> Plan:
    """The plan on the data sets that were ticked; one that it does not name runs in all of its parts."""
    named = set(plan.data)
    parts: list[PlanPart] = []
    for each in plan.parts:
        data = tuple(name for name in sets if name in each.data or name not in named)
        if data:
            parts.append(replace(each, data=data))
    return replace(plan, parts=tuple(parts))


def _described(plan: Plan) -> str:
    """A plan in a few lines."""
    asked = dict.fromkeys(task for each in plan.parts for task in each.tasks)
    m = dict.fromkeys(sizes(each.m) for each in plan.parts)
    q = dict.fromkeys(sizes(each.q) for each in plan.parts)
    methods = dict.fromkeys(
        method
        for each in plan.parts
        for task in each.tasks
        for method in methods_of(task)
        if any(method in each.of(task, profile) for profile in plan.profiles)
    )
    rows = (
        (tr("Questions"), "; ".join(tasks()[task][0] for task in asked)),
        (tr("Authors m"), "; ".join(m)),
        (tr("Documents q of each"), "; ".join(q)),
        (tr("Methods"), ", ".join(methods)),
        (tr("Runs"), str(plan.runs)),
        (tr("Profile"), ", ".join(profile_name(name) for name in plan.profiles)),
        (tr("Seed"), str(plan.seed)),
    )
    return "\n".join(f"{name}: {value}" for name, value in rows)


def _fact(about: DataFacts) -> str:
    return tr("{0}: {1} authors, {2} documents of about {3} words").format(
        words.shortened(words.one_line(about.name)),
        f"{about.authors:,}",
        f"{about.documents:,}",
        f"{about.words:,.0f}",
    )
