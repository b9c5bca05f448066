"""Every word of the window can be translated, help is written as evidence must be worded, and everything can be reached and named."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from forensia.corpus import LAYOUTS
from forensia.experiments.plans import TASKS, methods_of
from forensia.gui import help, words
from forensia.gui.pages import PLACES, place_name
from forensia.gui.window import MainWindow
from forensia.jobs.worker import Worker
from forensia.wording.ratios import forbidden_in
from support.qt import destroy

GUI = Path(__file__).parents[2] / "forensia" / "gui"
# They run in the child process or on a terminal, and speak as the engine does.
APART = {*(GUI / "tasks").glob("*.py"), GUI / "driven.py"}
# Where words go that a person reads: a function, and which of its arguments.
SHOWN = {
    "label": (0,), "button": (0,), "title": (0,), "heading": (0,), "setText": (0,), "setWindowTitle": (0,), "setToolTip": (0,),
    "setPlaceholderText": (0,), "setAccessibleName": (0,), "setAccessibleDescription": (0,), "setSpecialValueText": (0,),
    "setSuffix": (0,), "setPrefix": (0,), "addTab": (1,), "addItem": (0,), "addAction": (0,), "addMenu": (0,), "QAction": (0,),
    "QCheckBox": (0,), "QPushButton": (0,), "QLabel": (0,), "QRadioButton": (0,), "QGroupBox": (0,), "tell": (1,), "say": (0,),
    "offer": (0, 1), "offer_export": (1,), "InputError": (0,), "StorageError": (0,), "Notice": (1,), "Empty": (0, 1), "setStatusTip": (0,),
    "named": (1,), "choice": (0,), "line": (0, 1), "whole_number": (0,), "note": (0,), "bar": (0,), "tabs": (0,),
}  # fmt: skip
WORD = re.compile(r"[A-Za-z]{3,}")
# Names of layouts come from the engine, which speaks English; methods are called as the literature calls them.
ENGLISH = {layout.name for layout in LAYOUTS}
# Help is a file of its own, which is translated as a whole.
ENGLISH |= {topic.question for topic in help.topics().values()}
ENGLISH |= {method for task in TASKS for method in methods_of(task)}
NAMES = {"Forensia", "SHA", "Pr(Same)", "CSV", "Excel", "PNG", "SVG", "PDF", "UTF"}


def _modules() -> list[Path]:
    return [path for path in sorted(GUI.rglob("*.py")) if path not in APART]


def _said(node: ast.AST) -> Iterator[str]:
    """The English in an argument that no `tr` is around."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        for part in node.values:
            if isinstance(part, ast.Constant):
                yield str(part.value)
    elif isinstance(node, ast.BinOp):
        yield from _said(node.left)
        yield from _said(node.right)
    elif isinstance(node, ast.IfExp):
        yield from _said(node.body)
        yield from _said(node.orelse)


@pytest.mark.parametrize("module", _modules(), ids=lambda path: path.relative_to(GUI).as_posix())
def test_every_word_can_be_translated(module: Path) -> None:
    bare = []
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for place in SHOWN.get(name, ()):
            if place < len(node.args):
                bare += [
                    f"line {node.lineno}: {text}"
                    for text in _said(node.args[place])
                    if set(WORD.findall(text)) - set(WORD.findall(" ".join(NAMES)))
                ]
    assert not bare


@pytest.mark.parametrize("module", _modules(), ids=lambda path: path.relative_to(GUI).as_posix())
def test_what_is_translated_is_written_out(module: Path) -> None:
    """The tool that collects words for translators reads only plain texts: not names, not texts put together."""
    unread = []
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if not isinstance(node, ast.FunctionDef) or node.name == "tr":
            continue
        for call in ast.walk(node):
            if isinstance(call, ast.Call):
                name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
                owner = getattr(getattr(call.func, "value", None), "id", "")
                place = 0 if name == "tr" else 1 if (owner, name) == ("QCoreApplication", "translate") else None
                if place is not None and not isinstance(call.args[place], ast.Constant):
                    unread.append(call.lineno)
    assert not unread, "these lines translate something else than a text that stands there"


@pytest.mark.parametrize("module", _modules(), ids=lambda path: path.relative_to(GUI).as_posix())
def test_the_collecting_tool_and_the_window_mean_the_same(module: Path) -> None:
    """The tool puts the words of a module's own `tr` under no context; there the window must look for them."""
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name == "tr":
            assert "QCoreApplication.translate('', text)" in ast.unparse(node)


class Marker(QTranslator):
    """Puts every word that is translated in brackets."""

    def translate(self, context: str, source: str, *_: object) -> str:  # type: ignore[override]
        return f"«{source}»"

    def isEmpty(self) -> bool:
        return False


def test_a_translation_reaches_every_word(qapp: QApplication, qtbot: QtBot, engine: Worker, drawing: Worker) -> None:
    """Whatever the window shows at its start has gone through the translator, but for names, numbers and keys."""
    marker = Marker()
    qapp.installTranslator(marker)
    try:
        window = MainWindow(engine, drawing)
        shown = [
            text
            for widget in (*window.findChildren(QLabel), *window.findChildren(QAbstractButton))
            if (text := widget.text()) and not widget.objectName().startswith("qt_")
        ]
        shown += [action.text() for action in window.findChildren(QAction) if action.text()]
        for combo in window.findChildren(QComboBox):
            if not combo.isEditable():
                shown += [combo.itemText(row) for row in range(combo.count())]
        named = [widget.accessibleName() for widget in window.findChildren(QWidget) if widget.accessibleName()]
        missed = [text for text in (*shown, *named) if WORD.search(text) and "«" not in text]
        assert len(shown) > 80
        assert not [text for text in missed if text not in ENGLISH]
        destroy(window)
    finally:
        qapp.removeTranslator(marker)


def test_help_is_worded_as_evidence_must_be() -> None:
    for name, topic in help.topics().items():
        assert topic.question.endswith("?"), name
        assert topic.answer
        for paragraph in (topic.question, *topic.answer):
            assert not forbidden_in(paragraph), name


def test_the_window_never_says_what_must_not_be_said() -> None:
    said = []
    for module in sorted(GUI.rglob("*.py")):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in ("tr", "translate"):
                    texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
                    said += [f"{module.name}: {found}" for text in texts for found in forbidden_in(str(text))]
    assert not said


def test_help_opens_beside_its_button_and_goes_with_escape(sample: MainWindow, qtbot: QtBot) -> None:
    sample.rail.go("model")
    buttons = sample.model.findChildren(help.HelpButton)
    assert buttons
    popup = buttons[0].open()
    qtbot.waitUntil(popup.isVisible, timeout=60_000)
    assert popup.accessibleDescription() == popup.text.replace("\n\n", " ")
    qtbot.keyClick(popup, Qt.Key.Key_Escape)
    popups = help.HelpPopup
    qtbot.waitUntil(lambda: not [each for each in sample.findChildren(popups) if each.isVisible()], timeout=60_000)
    sample.menus.terms.trigger()


def _name(widget: QWidget) -> str:
    if widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text()):
        return "named"
    reader = QAccessible.queryAccessibleInterface(widget)
    return reader.text(QAccessible.Text.Name) if reader else ""


def _nameless(root: QWidget) -> list[str]:
    return [
        f"{type(widget).__name__} in {type(widget.parent()).__name__}"
        for widget in root.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.window() is root.window()  # not the list that a combo box opens
        and not widget.objectName().startswith("qt_")
        and not (isinstance(widget, QScrollArea) and widget.accessibleName())
        and not _name(widget)
    ]


def test_everything_with_focus_has_a_name(sample: MainWindow) -> None:
    """On every page and in every state of it: what is hidden now is shown later."""
    for row in range(len(PLACES)):
        sample.rail.go(row)
        assert not _nameless(sample.pages.currentWidget()), place_name(PLACES[row])
    assert not _nameless(sample.rail)


def test_every_part_of_a_page_is_reached_by_tab(sample: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitActive(sample):
        sample.activateWindow()
    for row in (0, 1):
        sample.rail.go(row)
        sample.rail.places.setFocus()
        wanted = {
            widget
            for widget in sample.pages.currentWidget().findChildren(QWidget)
            if widget.isVisible()
            and widget.isEnabled()
            and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            and not widget.objectName().startswith("qt_")
            and widget.focusProxy() is None
        }
        seen: set[QWidget] = set()
        for _ in range(4 * len(wanted) + 20):
            qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
            seen.add(QApplication.focusWidget())
        unreached = [f"{type(each).__name__} {each.accessibleName()}" for each in wanted - seen]
        assert not unreached


def test_shortcuts_are_listed_and_unique(window: MainWindow, hand: ModuleType) -> None:
    keys = window.menus.keys()
    assert {"Export table", "Train the model", "Add disputed texts", "What the terms mean"} <= {
        name for name, _ in keys
    }
    shown = [sequence.toString() for _, sequence in keys]
    assert len(set(shown)) == len(shown)


@pytest.mark.parametrize("seconds", [1, 30, 70, 600, 9000])
def test_durations_are_words(seconds: float) -> None:
    assert WORD.search(words.duration(seconds))


def test_right_to_left_and_long_names(
    hand: ModuleType, window: MainWindow, rest: Callable[[], None], tmp_path: Path, qapp: QApplication
) -> None:
    """The whole window the other way round, with names that are wider than any column."""
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        hand.drop(window, hand.make_corpus(tmp_path / "known", ("محمد بن عبد الله", "x" * 240)))
        rest()
        width = window.width()
        for row in range(len(PLACES)):
            window.rail.go(row)
            qapp.processEvents()
            assert not window.grab().isNull()
        assert window.width() == width, "a long name makes nothing wider"
        assert window.minimumSizeHint().width() <= 1280
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
