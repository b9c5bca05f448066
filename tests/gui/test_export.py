"""Every table and every plot can be saved; what is in them is inert."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from forensia.gui import dialogs
from forensia.gui.tasks.plots import AccuracyPlot, AuthorsPlot
from forensia.gui.widgets.plotpane import Drawer, PlotPane
from forensia.gui.widgets.table import RAW, table_of_model
from forensia.gui.window import MainWindow
from forensia.jobs.worker import Worker


def _rows(path: Path) -> list[list[str]]:
    return list(csv.reader(path.read_text("utf-8-sig").splitlines()))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Answer the question where to save."""

    def answer(name: str, kind: str = "CSV (*.csv)") -> Path:
        target = tmp_path / name
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(target), kind))
        return target

    return answer


def test_the_table_one_looks_at_is_exported(
    hand: ModuleType,
    window: MainWindow,
    rest: Callable[[], None],
    tmp_path: Path,
    place: Callable[..., Path],
) -> None:
    hand.drop(window, hand.make_corpus(tmp_path / "known", ("=HYPERLINK(1)", "Ben")))
    rest()
    target = place("documents.csv")
    window.corpus.documents.table.setFocus()
    window.menus.table.trigger()
    head, *rows = _rows(target)
    assert head[:5] == ["Author", "Role", "Title", "Source", "Words"]
    assert len(rows) == 6
    assert rows[0][0] == "'=HYPERLINK(1)"
    assert all(row[4].isdecimal() for row in rows), "numbers stay numbers"
    window.corpus.tree.setFocus()
    authors = place("authors", "Excel (*.xlsx)")
    window.menus.table.trigger()
    assert authors.with_name("authors.xlsx").read_bytes().startswith(b"PK")


def test_what_cannot_be_written_is_told(
    hand: ModuleType, sample: MainWindow, tmp_path: Path, place: Callable[..., Path]
) -> None:
    place("no such folder/x.csv")
    sample.menus.table.trigger()
    assert "could not be written" in hand.dialog(sample).text.text()


def test_a_page_without_a_table_says_so(window: MainWindow) -> None:
    window.rail.go("compare")
    window.menus.picture.trigger()
    assert "no plot" in window.state.text()


def test_raw_values_are_exported() -> None:
    model = QStandardItemModel(1, 2)
    model.setHorizontalHeaderLabels(["Author", "Score"])
    for column, (shown, raw) in enumerate((("<b>A B", "<b>A\nB"), ("0.99", 0.987654))):
        item = QStandardItem(shown)
        item.setData(raw, RAW)
        model.setItem(0, column, item)
    model.item(0, 0).appendRow([QStandardItem("below"), QStandardItem("-")])
    table = table_of_model(model, "x")
    assert table.heads == ("Author", "Score")
    assert table.rows == (("<b>A\nB", 0.987654), ("below", "-"))


def test_plots_are_saved_in_every_kind(
    sample: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart = sample.corpus.chart
    qtbot.waitUntil(lambda: chart.picture is not None, timeout=60_000)
    for kind, begin in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        target = tmp_path / f"chart{kind}"
        monkeypatch.setattr(dialogs, "ask_picture", lambda *_, target=target: target)
        with qtbot.waitSignal(chart.saved, timeout=60_000):
            sample.menus.picture.trigger()
        assert target.read_bytes().startswith(begin)


def test_a_plot_that_cannot_be_saved_is_told(
    sample: MainWindow, hand: ModuleType, qtbot: QtBot, tmp_path: Path
) -> None:
    chart = sample.corpus.chart
    qtbot.waitUntil(lambda: chart.picture is not None, timeout=60_000)
    for name, said in (("chart.gif", "must end in"), ("none/chart.png", "could not be written")):
        chart.save(tmp_path / name)
        qtbot.waitUntil(lambda: not sample.opencase.drawer.busy, timeout=60_000)
        shown = hand.dialog(sample)
        assert said in shown.text.text()
        shown.accept()


@pytest.fixture
def pane(qtbot: QtBot, drawing: Worker) -> PlotPane:
    drawer = Drawer(drawing)
    made = PlotPane("A plot", drawer)
    drawer.setParent(made)
    qtbot.addWidget(made)
    made.resize(400, 300)
    return made


def test_a_plot_is_drawn_when_it_is_seen(pane: PlotPane, qtbot: QtBot) -> None:
    plot = AccuracyPlot((0.5, 0.75), 2)
    pane.show_plot(plot)
    assert not pane._drawer.busy, "nobody sees it"
    pane.show()
    qtbot.waitUntil(lambda: pane.picture is not None, timeout=60_000)
    assert "k" in pane.picture.alt and pane.reading
    first = pane.picture
    pane.show_plot(AccuracyPlot((0.5, 0.75), 2))
    assert pane.picture is first, "the same plot is not drawn again"
    pane.resize(600, 300)
    qtbot.waitUntil(lambda: pane.picture is not first and pane.picture is not None, timeout=60_000)
    assert pane.picture.image.width() > first.image.width()
    pane.show_plot(None)
    assert pane.picture is None


@dataclass(frozen=True)
class NoSuchPlot:
    """A plot that the process that draws does not know."""

    def draw(self, look: object) -> object:
        raise NotImplementedError


def test_a_plot_that_fails_is_a_sentence(pane: PlotPane, qtbot: QtBot) -> None:
    pane.show()
    pane.show_plot(NoSuchPlot())
    qtbot.waitUntil(lambda: "could not be drawn" in pane._waiting.text(), timeout=60_000)
    pane.show_plot(AuthorsPlot((3, 4), (300, 400)))
    qtbot.waitUntil(lambda: pane.picture is not None, timeout=60_000)
