"""A plan of one's own: which questions are asked, of how many authors and documents, how often, by which methods."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from forensia.experiments.plans import ALL, EXTRA_METHODS, HALF, OWN_METHODS, TASKS, Plan, methods_of, trains_own
from forensia.gui import help, widgets, words
from forensia.gui.widgets import column, fields, gap, row, spring
from forensia.gui.words import tr
from forensia.profile import PROFILES

NATIVE = "native-av"
_WORDS = {ALL: "all", HALF: "half"}


def tasks() -> dict[str, tuple[str, str]]:
    """The tasks, each by a name and a sentence for a linguist."""
    return {
        "aa": (tr("Attribution"), tr("Which of m known authors wrote this text?")),
        "sav-closed": (
            tr("Same author? (known authors)"),
            tr("Are these two texts by one author? Both authors are among those learnt from."),
        ),
        "sav-open": (
            tr("Same author? (strangers)"),
            tr("The same question about authors of whom nothing was learnt."),
        ),
        NATIVE: (
            tr("One author against the rest"),
            tr("Did A write this text, if of all other texts only 'not by A' is known?"),
        ),
    }


def profile_name(profile: str) -> str:
    """A profile as the Model page calls it."""
    return words.profiles().get(profile, (profile, ""))[0]


def sizes(values: tuple[int, ...]) -> str:
    """Numbers of authors or documents as they are typed."""
    return ", ".join(_WORDS.get(value, str(value)) for value in values)


class PlanFields(QWidget):
    """`changed` at every change; `stated` is what a plan file would state."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.tasks = {name: QCheckBox(shown) for name, (shown, _) in tasks().items()}
        every = dict.fromkeys(method for task in TASKS for method in methods_of(task))
        self.methods = {name: QCheckBox(words.ampersands(name)) for name in every}
        self.profiles = {name: QCheckBox(profile_name(name)) for name in PROFILES}
        self.m, self.q = fields.line(tr("Authors m")), fields.line(tr("Documents q of each"))
        for field in (self.m, self.q):
            field.setText("5, 10")
        self.runs, self.seed = (
            fields.whole_number(tr("Runs"), 1, 1000),
            fields.whole_number(tr("Seed"), 0, 2_000_000_000),
        )
        self.runs.setValue(3)
        self.scores = QCheckBox(tr("Keep the scores of all test pairs"))
        self.scores.setToolTip(words.tip(tr("For figures of how the scores of same and different pairs lie")))
        for name, box in self.tasks.items():
            box.setToolTip(words.tip(tasks()[name][1]))
            box.setAccessibleDescription(tasks()[name][1])
        self._grid = QGridLayout()
        self._grid.setVerticalSpacing(2)
        self.setLayout(
            column(
                help.heading(tr("Questions"), "tasks"), *self.tasks.values(), gap(6),
                help.heading(tr("Sizes"), "sizes"), self._sizes(), gap(6),
                help.heading(tr("Methods"), "methods"), self._grid, gap(6),
                widgets.label(tr("Profile"), bold=True), row(*self.profiles.values(), spring()), self.scores,
                spacing=3,
            )
        )  # fmt: skip
        self.tasks["aa"].setChecked(True)
        self.profiles["paper"].setChecked(True)
        self._connect()
        self._offer()

    def _sizes(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(4)
        for place, (field, tip) in enumerate(
            (
                (self.m, tr("Numbers from 2 on, with commas between them; or 'all', or 'half'")),
                (self.q, tr("Numbers from 2 on, with commas between them; or 'all'")),
                (self.runs, tr("Each run draws other authors and documents")),
                (self.seed, tr("The same seed draws the same samples again")),
            )
        ):
            grid.addWidget(widgets.label(field.accessibleName(), wrap=False), place, 0)
            grid.addWidget(field, place, 1)
            field.setToolTip(words.tip(tip))
            field.setMinimumHeight(28)
        grid.setColumnStretch(1, 1)
        return grid

    def _connect(self) -> None:
        for box in (*self.tasks.values(), *self.profiles.values(), *self.methods.values(), self.scores):
            box.toggled.connect(lambda *_: self.changed.emit())
        for box in (*self.tasks.values(), *self.profiles.values()):
            box.toggled.connect(lambda *_: self._offer())
        for field in (self.m, self.q):
            field.textChanged.connect(lambda *_: self.changed.emit())
        for spin in (self.runs, self.seed):
            spin.valueChanged.connect(lambda *_: self.changed.emit())

    def _offer(self) -> None:
        """Offer the methods of the questions and profiles that are ticked; all but the variants are ticked with them."""
        asked = [task for task, box in self.tasks.items() if box.isChecked()]
        own = any(box.isChecked() and trains_own(name) for name, box in self.profiles.items())
        without = set[str]() if own else {method for methods in OWN_METHODS.values() for method in methods}
        offered = {method for task in asked for method in methods_of(task)} - without
        usual = offered - {method for task in asked for method in EXTRA_METHODS.get(task, ())}
        for name, box in self.methods.items():
            with QSignalBlocker(box):
                if box.isHidden() and name in offered:
                    box.setChecked(name in usual)
                self._grid.removeWidget(box)
                box.setParent(self)
                box.setVisible(name in offered)
        for place, name in enumerate(name for name in self.methods if name in offered):
            self._grid.addWidget(self.methods[name], place // 2, place % 2)
        self.scores.setVisible(any(self.tasks[name].isChecked() for name in ("sav-closed", "sav-open")))

    def stated(self) -> dict[str, Any]:
        """The plan as its file would state it, without data; `parse_plan` says what is wrong with it."""
        asked = [name for name, box in self.tasks.items() if box.isChecked()]
        ticked = [name for name, box in self.methods.items() if box.isChecked() and not box.isHidden()]
        parts = []
        for group in ([task for task in asked if task != NATIVE], [task for task in asked if task == NATIVE]):
            if group:
                known = {method for task in group for method in methods_of(task)}
                parts.append(
                    {
                        "tasks": group,
                        "methods": [name for name in ticked if name in known],
                        "m": _numbers(self.m.text()),
                        "q": _numbers(self.q.text()),
                        "keep_scores": self.scores.isChecked() and not self.scores.isHidden(),
                    }
                )
        return {
            "name": "own plan",
            "title": tr("My own plan"),
            "runs": self.runs.value(),
            "seed": self.seed.value(),
            "profiles": [name for name, box in self.profiles.items() if box.isChecked()],
            "part": parts,
        }

    def missing(self) -> str:
        """What must be chosen before there is a plan, as a sentence; empty when nothing is missing."""
        if not any(box.isChecked() for box in self.tasks.values()):
            return tr("Tick at least one question.")
        for task, box in self.tasks.items():
            ticked = (each for name in methods_of(task) if (each := self.methods[name]).isChecked())
            if box.isChecked() and all(each.isHidden() for each in ticked):
                return tr("Tick at least one method for '{0}'.").format(tasks()[task][0])
        if not any(box.isChecked() for box in self.profiles.values()):
            return tr("Tick at least one profile.")
        return ""

    def take(self, plan: Plan) -> None:
        """Fill in what a plan states; of one with several parts the questions of all, the rest of the first."""
        first = plan.parts[0]
        asked = {task for each in plan.parts for task in each.tasks}
        used = {
            method
            for each in plan.parts
            for task in each.tasks
            for profile in plan.profiles
            for method in each.of(task, profile)
        }
        with QSignalBlocker(self):
            for name, box in self.tasks.items():
                box.setChecked(name in asked)
            for name, box in self.profiles.items():
                box.setChecked(name in plan.profiles)
            for name, box in self.methods.items():
                box.setChecked(name in used)
            self.m.setText(sizes(first.m))
            self.q.setText(sizes(first.q))
            self.runs.setValue(plan.runs)
            self.seed.setValue(plan.seed)
            self.scores.setChecked(first.keep_scores)
        self.changed.emit()


def _numbers(text: str) -> list[int | str]:
    """What was typed: whole numbers, and words as they are."""
    parts = [part.strip().lower() for part in text.replace(";", ",").split(",")]
    return [int(part) if part.isascii() and part.isdigit() else part for part in parts if part]
