"""The Experiments page, driven as a person would: a tiny plan on the sample's texts, by the real engine, from start to export."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from forensia import paths
from forensia.experiments.plans import built_in, load_plan, methods_of
from forensia.experiments.resultsfile import DONE, ResultsFile
from forensia.experiments.resulttables import ResultTable
from forensia.gui import dialogs, tasks
from forensia.gui.pages.experiments import ExperimentsPage, ExportDialog, experimenter
from forensia.gui.pages.experiments.experimenter import ExperimentStage
from forensia.gui.pages.experiments.planfields import PlanFields
from forensia.gui.pages.experiments.planform import OWN, plan_name
from forensia.gui.pages.experiments.resultsview import ExperimentTable
from forensia.gui.tasks import experiments
from forensia.gui.window import MainWindow
from forensia.jobs.worker import Worker

LONG = 180_000  # milliseconds that a busy machine may need
GATED = """
import time
from importlib import import_module
from pathlib import Path
from forensia.gui.tasks import experiments
from forensia.gui.tasks.experiments import *

GATE = Path(__file__).with_name("closed")

def _closed(ended):
    try:
        after, _, deaf = GATE.read_text().partition(" ")
    except FileNotFoundError:
        return False, False
    return ended >= int(after), bool(deaf)

def run(progress, news, **given) -> Summary:
    def told(fraction, message=""):
        progress(fraction, message)
        runs, of, _ = message.partition(" of ")
        ended = int(runs) if of and runs.isdigit() else 0 if message.startswith("Starting the working") else -1
        closed, deaf = _closed(ended)
        if closed and deaf:
            time.sleep(0.1)  # what is told too often is not passed on, and this must be
            progress(fraction, message)
        while closed:
            if not deaf:
                progress(fraction, message)
            time.sleep(0.02)
            closed, deaf = _closed(ended)

    return experiments.run(told, news, **given)
"""


class Gate:
    """Where the runs of an experiment wait for the test, however quick the machine is."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def close(self, after: int, *, deaf: bool = False) -> None:
        """Let so many runs end and hold the next; who is deaf does not hear meanwhile that it is to stop."""
        self._file.write_text(f"{after}{' deaf' * deaf}", encoding="ascii")

    def open(self) -> None:
        self._file.unlink(missing_ok=True)


@pytest.fixture(scope="module")
def gated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the experiments as they are, behind a gate, where every child process finds them."""
    folder = tmp_path_factory.mktemp("gated")
    (folder / "gated_trials.py").write_text(GATED, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(folder))
        patched.setattr(experiments, "run", import_module("gated_trials").run)
        yield folder


@pytest.fixture(scope="module")
def experimenting(gated: Path) -> Iterator[Worker]:
    """A child process for the experiments of these tests."""
    made = Worker((*tasks.ALL, experiments.run))
    yield made
    made.close()


@pytest.fixture
def gate(gated: Path) -> Iterator[Gate]:
    """Open, until a test closes it."""
    made = Gate(gated / "closed")
    yield made
    made.open()


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> ExperimentsPage:
    """The page, with the folder of data sets looked into."""
    window.rail.go("experiments")
    qtbot.waitUntil(lambda: bool(window.experiments.form.data.boxes), timeout=LONG)
    return window.experiments


def tiny(page: ExperimentsPage, qtbot: QtBot, runs: int = 3, m: str = "3") -> None:
    """Fill in a plan that takes seconds, and wait for what it costs."""
    form = page.form
    form.use_own([paths.sample_case() / "known"])
    form.plan.setCurrentIndex(form.plan.findData(OWN))
    fields = form.fields
    fields.m.setText(m)
    fields.q.setText("4, 6")
    fields.runs.setValue(runs)
    for name in ("Stacked AA", "STD-Bin"):
        fields.methods[name].setChecked(False)
    settled(page, qtbot)


def settled(page: ExperimentsPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not page.form._timer.isActive() and not page.work.estimates.busy, timeout=LONG)


def reached(page: ExperimentsPage, qtbot: QtBot, stage: ExperimentStage) -> None:
    qtbot.waitUntil(lambda: page.work.stage is stage, timeout=LONG)
    qtbot.waitUntil(lambda: page.opencase.quiet, timeout=LONG)


def begun(page: ExperimentsPage, qtbot: QtBot) -> None:
    """Wait until the results file is there, and none of its runs."""
    qtbot.waitUntil(lambda: "Starting the working" in page.message.text(), timeout=LONG)


def done_in(file: Path) -> int:
    with ResultsFile.open(file) as results:
        return sum(state.state == DONE for state in results.states)


@pytest.mark.timeout(600)
def test_start_pause_resume_reopen_export(
    window: MainWindow, page: ExperimentsPage, gate: Gate, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny(page, qtbot, runs=3)
    gate.close(after=1)
    assert "6 runs" in page.form.cost.text()
    assert "12 authors, 120 documents" in page.form.facts.text()
    shares: list[float] = []
    page.share.connect(shares.append)
    page.form.button.click()
    assert not page.form.area.isEnabled()
    assert page.pause.isVisible() and not page.resume.isVisible()
    qtbot.waitUntil(lambda: bool(page.work.contents and page.work.contents.done), timeout=LONG)
    assert window.rail.places.item(4).data(Qt.ItemDataRole.AccessibleTextRole).endswith("%")
    page.pause.click()
    reached(page, qtbot, ExperimentStage.PAUSED)
    file = page.work.results
    assert file is not None
    assert done_in(file) == 1
    assert page.form.area.isEnabled()
    assert "Paused" in page.message.text()
    gate.close(after=4)  # of the five that are left
    page.resume.click()
    qtbot.waitUntil(lambda: max(shares) > 0.5, timeout=LONG)
    gate.open()
    reached(page, qtbot, ExperimentStage.DONE)
    assert done_in(file) == 6
    assert not file.with_name(file.name + ".work").exists()
    assert shares[-1] == -1.0
    assert page.view.table.table().heads == ("m", "q", "Lazy AA", "STD-AA", "runs")
    assert [row[:2] for row in page.view.table.table().rows] == [(3, 4), (3, 6)]
    assert "t-test" in page.view.note.text()
    picture = page.view.pane.picture
    assert picture is not None and "Lazy AA" in picture.alt
    # another window, another day
    page.work.contents = page.work.results = None
    page.work._to(ExperimentStage.NONE)
    page.menu.aboutToShow.emit()
    listed = page.menu.actions()
    assert file.stem in listed[0].text()
    listed[0].trigger()
    reached(page, qtbot, ExperimentStage.DONE)
    assert "6 of 6 runs" in page.message.text()
    # and out
    monkeypatch.setattr(dialogs, "ask_target", lambda *_: tmp_path / "out")
    page.export.click()
    dialog = page.findChild(ExportDialog)
    assert isinstance(dialog, ExportDialog)
    for box in dialog.kinds.values():
        box.setChecked(True)
    dialog._accept()
    qtbot.waitUntil(lambda: "written" in window.state.text(), timeout=LONG)
    written = {each.suffix for each in (tmp_path / "out").iterdir()}
    assert written == {".csv", ".tex", ".png", ".svg", ".pdf"}
    with (tmp_path / "out" / "results.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["method"] for row in rows} == {"Lazy AA", "STD-AA"}
    assert {row["runs"] for row in rows} == {"3"}


@pytest.mark.timeout(600)
def test_cancel_keeps_what_is_done_and_leaves_nothing_else(page: ExperimentsPage, gate: Gate, qtbot: QtBot) -> None:
    tiny(page, qtbot)
    gate.close(after=0)
    page.form.button.click()
    begun(page, qtbot)
    page.stop.click()  # before any run has ended: nothing stays
    reached(page, qtbot, ExperimentStage.NONE)
    assert experimenter.earlier() == []
    settled(page, qtbot)
    gate.close(after=1)
    page.form.button.click()
    qtbot.waitUntil(lambda: bool(page.work.contents and page.work.contents.done), timeout=LONG)
    page.stop.click()
    reached(page, qtbot, ExperimentStage.STOPPED)
    (file,) = experimenter.earlier()
    assert done_in(file) == 1
    assert not file.with_name(file.name + ".work").exists()
    assert "Stopped" in page.message.text()
    assert page.form.area.isEnabled() and not page.resume.isVisible()


@pytest.mark.timeout(600)
def test_pause_after_the_end_is_the_end(page: ExperimentsPage, qtbot: QtBot) -> None:
    tiny(page, qtbot, runs=1)
    page.form.button.click()
    assert page.work.work.wait(LONG / 1000)  # it has ended, and the window has not heard of it
    page.pause.click()
    assert page.work.stage is ExperimentStage.PAUSING
    reached(page, qtbot, ExperimentStage.DONE)
    assert page.message.text().startswith("Done · 2 of 2 runs")
    assert not page.pause.isVisible() and not page.resume.isVisible() and page.form.area.isEnabled()


@pytest.mark.timeout(600)
def test_paused_after_its_last_run_it_is_done(page: ExperimentsPage, gate: Gate, qtbot: QtBot) -> None:
    """The child is ended because it does not answer, but there is nothing left to resume."""
    tiny(page, qtbot, runs=1)
    gate.close(after=2, deaf=True)
    page.form.button.click()
    qtbot.waitUntil(lambda: bool(page.work.contents and page.work.contents.done == 2), timeout=LONG)
    page.pause.click()
    reached(page, qtbot, ExperimentStage.DONE)
    assert page.message.text().startswith("Done · 2 of 2 runs")
    assert not page.resume.isVisible() and page.form.area.isEnabled()
    file = page.work.results
    assert file is not None and not file.with_name(file.name + ".work").exists()


def test_a_pause_is_shown_though_the_results_cannot_be_read(
    page: ExperimentsPage, gate: Gate, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny(page, qtbot)
    monkeypatch.setattr(page.work.glances, "put", lambda *_, **__: None)  # an answer that never comes
    gate.close(after=0)
    page.form.button.click()
    begun(page, qtbot)
    page.pause.click()
    reached(page, qtbot, ExperimentStage.PAUSED)
    assert page.message.text().startswith("Paused") and page.resume.isVisible()


@pytest.mark.timeout(600)
def test_closing_asks_and_pauses(
    window: MainWindow, page: ExperimentsPage, gate: Gate, qtbot: QtBot, hand: ModuleType
) -> None:
    tiny(page, qtbot)
    gate.close(after=0)
    page.form.button.click()
    begun(page, qtbot)
    window.close()
    assert window.isVisible()
    asked = hand.dialog(window)
    assert "experiment" in asked.text.text()
    hand.press(asked, "Stop and close")
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=60_000)
    assert not page.work.work.busy
    assert page.work.stage is ExperimentStage.PAUSED


def test_what_cannot_be_run_is_told(page: ExperimentsPage, qtbot: QtBot, tmp_path: Path, hand: ModuleType) -> None:
    form = page.form
    assert "Add a folder" in form.facts.text()
    assert not form.button.isEnabled()
    tiny(page, qtbot, m="500")
    assert "fewer than 500 authors" in form.problem.text()
    assert not form.button.isEnabled()
    form.fields.m.setText("many")
    settled(page, qtbot)
    assert "'m'" in form.problem.text()
    form.fields.m.setText("3")
    form.fields.tasks["aa"].setChecked(False)
    assert "question" in form.facts.text()
    form.fields.tasks["sav-open"].setChecked(True)
    for box in form.fields.methods.values():
        box.setChecked(False)
    assert "method" in form.facts.text()
    form.fields.methods["DV-Bin"].setChecked(True)
    for box in form.fields.profiles.values():
        box.setChecked(False)
    assert "profile" in form.facts.text()
    form.data.list.selectAll()
    form.data.remove.click()
    assert "Add a folder" in form.facts.text()
    empty = tmp_path / "nothing"
    empty.mkdir()
    form.use_own([empty])
    form.fields.profiles["paper"].setChecked(True)
    settled(page, qtbot)
    assert "nothing: The folder holds no files" in form.problem.text()
    assert len(form.problem.text()) < 320, "the whole is in the tooltip"


def test_a_bad_results_file_is_told(
    window: MainWindow, page: ExperimentsPage, qtbot: QtBot, tmp_path: Path, hand: ModuleType
) -> None:
    pretender = tmp_path / "pretender.sqlite"
    pretender.write_bytes(b"not a database at all")
    page.work.open(pretender)
    qtbot.waitUntil(lambda: page.opencase.quiet, timeout=LONG)
    shown = hand.dialog(window)
    assert "not a results file" in shown.text.text()
    shown.accept()
    assert page.work.stage is ExperimentStage.NONE


def test_every_plan_has_a_name_and_can_be_changed(page: ExperimentsPage, qtbot: QtBot) -> None:
    form = page.form
    for name in built_in():
        form.plan.setCurrentIndex(form.plan.findData(name))
        assert form.about.isVisible() and "Runs" in form.about.text()
        assert name.split("-")[0].capitalize() in plan_name(name)
        ticked = {each for each, box in form.data.boxes.items() if box.isChecked()}
        assert ticked <= set(load_plan(name).data)
    form.change.click()
    assert form.plan.currentData() == OWN and form.fields.isVisible()
    settled(page, qtbot)


def test_plans_survive_the_form(qtbot: QtBot) -> None:
    """A plan of one part, taken over and stated again, asks for the same."""
    fields = PlanFields()
    qtbot.addWidget(fields)
    for name in ("paper-aa", "paper-sav", "quick-aa"):
        plan = load_plan(name)
        fields.take(plan)
        again = experiments.plan_of({**fields.stated(), "parts": fields.stated()["part"], "data": ["x"]} | {"part": []})
        assert again.runs == plan.runs and again.profiles == plan.profiles
        (part,) = again.parts
        assert (part.m, part.q, set(part.tasks)) == (plan.parts[0].m, plan.parts[0].q, set(plan.parts[0].tasks))
        for task in part.tasks:
            for profile in plan.profiles:
                assert part.of(task, profile) == plan.parts[0].of(task, profile)


@pytest.mark.parametrize("name", built_in())
def test_plans_survive_json(name: str) -> None:
    plan = load_plan(name)
    assert experiments.plan_of(json.loads(json.dumps(plan.plain()))) == plan


def test_folders_are_dropped(page: ExperimentsPage, tmp_path: Path) -> None:
    folder = tmp_path / "letters & <b>co"
    folder.mkdir()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder))])
    choice = page.form.data
    actions, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(choice, QDragEnterEvent(QPoint(5, 5), actions, data, buttons, keys))
    QApplication.sendEvent(choice, QDropEvent(QPointF(5, 5), actions, data, buttons, keys))
    assert choice.corpora() == [str(folder)]


def test_the_known_texts_of_the_case(sample: MainWindow, qtbot: QtBot, rest: Callable[[], None]) -> None:
    sample.rail.go("experiments")
    page = sample.experiments
    assert page.form.data.case.isEnabled()
    page.form.data.case.click()
    assert page.form.data.corpora() == [str(paths.sample_case() / "known")]
    settled(page, qtbot)
    rest()


def test_the_table_goes_with_the_figure_and_all_titles_are_whole(page: ExperimentsPage, qtbot: QtBot) -> None:
    def table(name: str, title: str) -> ResultTable:
        return ResultTable(name, title, ("m",), ((name,),), "", marked=False)

    found = experiments.ExperimentResults(
        "nowhere.sqlite", {}, "", 1, 1, (), "",
        (experiments.FigureName("aa-macro_f1", "A"), experiments.FigureName("scores-sav-open", "B")), "",
        (table("aa-macro_f1-X-paper", "AA of X"), table("aa-macro_f1-Y-paper", "AA of Y"),
         table("sav-open-accuracy-X-paper", "<b>open</b> & X")),
    )  # fmt: skip
    view = page.view
    view.show_results(found)
    assert [view.tables.itemText(place) for place in range(3)] == ["AA of X", "AA of Y", "<b>open</b> & X"]
    view.tables.setCurrentIndex(1)
    view.figures.setCurrentIndex(1)
    assert view.table.table().rows == (("sav-open-accuracy-X-paper",),)
    view.figures.setCurrentIndex(0)
    assert view.table.table().rows == (("aa-macro_f1-X-paper",),)
    view.tables.setCurrentIndex(1)
    view.show_results(replace(found, done=2))
    assert view.table.table().rows == (("aa-macro_f1-Y-paper",),), "one that fits stays"
    view.show_results(None)


def test_table_model(qtmodeltester: object, qtbot: QtBot) -> None:
    view = ExperimentTable()
    qtbot.addWidget(view)
    table = ResultTable("t", "T", ("method", "mean"), (("=A", "0.5"), ("B", "0.25")), "", frozenset({(0, 1)}))
    view.show_table(table)
    model = view.rows
    qtmodeltester.check(model)  # type: ignore[attr-defined]
    view.setColumnWidth(0, 300)
    view.show_table(table)
    assert view.columnWidth(0) == 300, "a table that grows does not get narrower"
    assert model.index(0, 1).data(Qt.ItemDataRole.FontRole).bold()
    assert model.index(1, 1).data(Qt.ItemDataRole.FontRole) is None
    assert "the best" in model.index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert view.table().rows == (("=A", 0.5), ("B", 0.25)) and view.table().name == "T"


def test_every_method_is_offered_for_its_question(qtbot: QtBot) -> None:
    fields = PlanFields()
    qtbot.addWidget(fields)
    fields.show()
    fields.profiles["forensic"].setChecked(True)
    for task, box in fields.tasks.items():
        for other in fields.tasks.values():
            other.setChecked(other is box)
        shown = {name for name, each in fields.methods.items() if each.isVisible()}
        assert shown == set(methods_of(task))


def test_the_fused_ranking_is_offered_with_the_profile_that_trains_it(qtbot: QtBot) -> None:
    fields = PlanFields()
    qtbot.addWidget(fields)
    fields.show()
    fused = fields.methods["fused"]
    assert fused.isHidden() and "fused" not in fields.stated()["part"][0]["methods"]
    fields.profiles["forensic"].setChecked(True)
    assert fused.isVisible() and fused.isChecked() and "fused" in fields.stated()["part"][0]["methods"]
    fused.setChecked(False)
    fields.profiles["paper"].setChecked(False)
    assert not fused.isChecked(), "what the analyst took out stays out"
    for name, box in fields.methods.items():
        box.setChecked(name == "fused")
    assert not fields.missing()
    fields.profiles["paper"].setChecked(True)
    fields.profiles["forensic"].setChecked(False)
    assert fields.missing().startswith("Tick at least one method"), "what is not offered is not asked for"
    plan = load_plan("quick-aa")
    without = replace(plan, parts=(replace(plan.parts[0], methods=("Lazy AA",)),))
    fields.take(without)
    assert fields.stated()["part"][0]["methods"] == ["Lazy AA"] and not fused.isHidden()
