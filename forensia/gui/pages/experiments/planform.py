"""What to run: data, a plan, and what it will take; then the button."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QScrollArea, QVBoxLayout, QWidget

from forensia.errors import ForensiaError
from forensia.experiments.plans import Plan, PlanPart, built_in, load_plan, methods_of, parse_plan
from forensia.gui import help, widgets, words
from forensia.gui.pages.experiments.plandata import DataChoice
from forensia.gui.pages.experiments.planfields import PlanFields, profile_name, sizes, tasks
from forensia.gui.tasks.experiments import DataFacts, PlanCost
from forensia.gui.widgets import fields
from forensia.gui.words import tr

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
        self.plan = QComboBox()
        self.plan.setAccessibleName(tr("Plan"))
        self.plan.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for name in sorted(built_in(), key=lambda name: (not name.startswith("quick"), name)):
            self.plan.addItem(plan_name(name), name)
        self.plan.addItem(tr("My own plan"), OWN)
        self.about = fields.note()
        self.change = widgets.button(tr("Change it…"), self._change, tip=tr("Make a plan of your own from this one"))
        self.fields = PlanFields()
        self.cost = widgets.label(bold=True)
        self.cost.setAccessibleName(tr("What it will take"))
        self.facts = fields.note()
        self.problem = widgets.label(scale=0.92)
        self.problem.setProperty("warning", True)
        self.button = widgets.button(tr("Start"), self._start, primary=True)
        self.button.setMinimumHeight(40)
        self._arrange()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_WAIT)
        self._timer.timeout.connect(self._ask)
        self.plan.currentIndexChanged.connect(lambda *_: self._chosen())
        self.fields.changed.connect(self._changed)
        self.data.changed.connect(self._changed)
        self._chosen()

    def _arrange(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 10, 0)
        column.setSpacing(5)
        column.addWidget(help.heading(tr("Texts"), "experiment_data"))
        column.addWidget(self.data)
        column.addSpacing(4)
        column.addWidget(help.heading(tr("Plan"), "experiment"))
        column.addWidget(self.plan)
        column.addWidget(self.about)
        column.addWidget(self.change, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.fields)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setWidget(inside)
        self.area.setAccessibleName(tr("What to run"))
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(14, 14, 14, 14)
        whole.setSpacing(6)
        whole.addWidget(widgets.label(tr("New experiment"), scale=1.35, bold=True))
        whole.addWidget(self.area, stretch=1)
        for part in (self.cost, self.facts, self.problem, self.button):
            whole.addWidget(part)

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
