"""The shell: places, drops, menus, themes, errors, and the end."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMessageBox, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from forensia import paths, settings
from forensia.errors import InputError
from forensia.figures.look import contrast
from forensia.gui import dialogs, snapshot, theme
from forensia.gui.app import teller
from forensia.gui.pages import PLACES, place_name
from forensia.gui.snapshot import Changes
from forensia.gui.window import MainWindow


def test_void_calls_keep_the_count_of_none(qtbot: QtBot) -> None:
    """Some PySide6 releases lose a reference to None on each void call and die after a while; see pyproject.toml."""
    label = QLabel()
    qtbot.addWidget(label)
    before = sys.getrefcount(None)
    for _ in range(1000):
        label.setText("x")
    assert abs(sys.getrefcount(None) - before) < 100


def test_places_by_keyboard(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitActive(window):
        window.activateWindow()
    places = window.rail.places
    assert [places.item(row).text() for row in range(places.count())] == [place_name(place) for place in PLACES]
    for number in range(1, len(PLACES) + 1):
        qtbot.keyClick(window, Qt.Key(Qt.Key.Key_0 + number), Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda number=number: window.pages.currentIndex() == number - 1, timeout=60_000)  # type: ignore[misc]


def test_no_page_is_blank(window: MainWindow) -> None:
    for row in range(len(PLACES)):
        window.rail.go(row)
        page = window.pages.currentWidget()
        assert any(label.text() for label in page.findChildren(QLabel) if label.isVisible())


def test_icons_draw_at_any_size(qapp: QApplication) -> None:
    assert set(PLACES) <= set(theme.icon_names())
    for name in theme.icon_names():
        for size in (16, 48):
            picture = theme.icon(name, "#123456").pixmap(size, size).toImage()
            inked = sum(picture.pixelColor(x, y).alpha() > 0 for x in range(size) for y in range(size))
            assert 0 < inked < size * size, name
        assert "<title>" in (paths.resources() / "icons" / "window" / f"{name}.svg").read_text("utf-8"), name


@pytest.mark.parametrize("colours", [theme.LIGHT, theme.DARK])
def test_contrast(colours: theme.Colours) -> None:
    for ground in (colours.window, colours.surface, colours.rail, colours.chosen):
        assert contrast(colours.text, ground) >= 7
    for ink in (colours.quiet, colours.warning, colours.blocking, colours.accent):
        for ground in (colours.window, colours.surface, colours.raised):
            assert contrast(ink, ground) >= 4.5, (ink, ground)
    assert contrast(colours.on_accent, colours.accent) >= 4.5
    assert contrast(colours.support, colours.surface) >= 3
    assert contrast(colours.against, colours.surface) >= 2.5


def test_theme_is_switched_and_kept(window: MainWindow) -> None:
    window.menus.themes["dark"].trigger()
    assert theme.now() is theme.DARK
    assert settings.load().theme == "dark"
    window.menus.themes["light"].trigger()
    assert theme.now() is theme.LIGHT


def test_everything_with_focus_has_a_name(sample: MainWindow) -> None:
    nameless = []
    for row in range(len(PLACES)):
        sample.rail.go(row)
        nameless += [
            f"{type(widget).__name__} in {place_name(PLACES[row])}"
            for widget in sample.findChildren(QWidget)
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            and widget.isVisible()
            and not widget.objectName().startswith("qt_")
            and not (isinstance(widget, QScrollArea) and widget.accessibleName())
            and not _name(widget)
        ]
    assert not nameless


def _name(widget: QWidget) -> str:
    if widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text()):
        return "named"
    reader = QAccessible.queryAccessibleInterface(widget)
    return reader.text(QAccessible.Text.Name) if reader else ""


def test_no_message_box_guesses_markup(sample: MainWindow) -> None:
    """All labels are plain text; QMessageBox guesses in its informative text, so we have none."""
    guessing = [label.text() for label in sample.findChildren(QLabel) if label.textFormat() != Qt.TextFormat.PlainText]
    assert not [text for text in guessing if text]
    assert not sample.findChildren(QMessageBox)


def test_drop_a_folder(hand: ModuleType, window: MainWindow, rest: Callable[[], None], tmp_path: Path) -> None:
    hand.drop(window, hand.make_corpus(tmp_path / "known"))
    assert window.opencase.work.busy
    rest()
    assert window.opencase.shown is not None
    assert window.opencase.shown.authors == ("Ann", "Ben")
    assert "not yet saved" in window.windowTitle()
    assert window.opencase.shown.path.stat().st_mode & 0o077 == 0


def test_drop_a_case_and_reopen_a_recent_one(
    hand: ModuleType, window: MainWindow, rest: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.drop(window, hand.make_corpus(tmp_path / "known"))
    rest()
    place = tmp_path / "Harbour & Co.forensia"
    untitled = window.opencase.case.path
    monkeypatch.setattr(dialogs, "ask_place", lambda *_: place)
    window.menus.save.trigger()
    rest()
    assert window.opencase.case.path == place.resolve()
    assert not untitled.exists(), "an untitled case moves to the place it is given"
    assert window.windowTitle() == "Harbour & Co — Forensia"
    window.menus.new.trigger()
    rest()
    assert window.opencase.shown.documents == ()
    window.menus.fill_recent()
    (recent,) = [each for each in window.menus.recent.actions() if each.text() == "Harbour && Co"]
    recent.trigger()
    rest()
    assert len(window.opencase.shown.documents) == 6
    assert not list(snapshot.untitled_folder().glob("*.forensia")), "an untitled case that was not used is not kept"
    hand.drop(window, place)
    assert "open already" in window.state.text()


def test_export_without_texts_can_be_opened(
    hand: ModuleType, window: MainWindow, rest: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.drop(window, hand.make_corpus(tmp_path / "known"))
    rest()
    place = tmp_path / "shared.forensia"
    monkeypatch.setattr(dialogs, "ask_place", lambda *_: place)
    window.menus.export.trigger()
    rest()
    hand.drop(window, place)
    rest()
    assert "read only" in window.windowTitle()
    window.corpus.documents.table.selectRow(0)
    rest()
    assert "copy without texts" in window.corpus.preview.about.text()
    assert not window.corpus.documents.out.isEnabled()


def test_bad_drops_are_told(hand: ModuleType, window: MainWindow, rest: Callable[[], None], tmp_path: Path) -> None:
    pretender = tmp_path / "pretender.forensia"
    pretender.write_bytes(b"\x80\x04not a case")
    empty = tmp_path / "empty"
    empty.mkdir()
    text = tmp_path / "<b>letter</b>".replace("/", "")
    text.write_text("Dear all", encoding="utf-8")
    for dropped, said in (
        ((pretender,), "is not a Forensia case"),
        ((empty,), "no files"),
        ((empty, text), "together with other files"),
        ((tmp_path / "gone.txt",), "not there any more"),
        ((), "no file on this computer"),
    ):
        hand.drop(window, *dropped)
        rest()
        shown = hand.dialog(window)
        assert said in shown.text.text()
        shown.accept()
        QApplication.processEvents()
    hand.drop(window, text)
    shown = hand.dialog(window)
    assert "<b>letter<b>" in shown.text.text()
    assert shown.text.textFormat() == Qt.TextFormat.PlainText
    shown.reject()
    assert window.opencase.case is None
    assert not list(snapshot.untitled_folder().iterdir())


SLOW = """
def read(progress, news, **_):
    while True:
        progress(0.1, "Reading file")
        time.sleep(0.005)
"""


def test_cancel_while_reading(
    hand: ModuleType,
    qtbot: QtBot,
    window: MainWindow,
    rest: Callable[[], None],
    tmp_path: Path,
    stand_in: Callable[[str], None],
) -> None:
    stand_in(SLOW)
    hand.drop(window, hand.make_corpus(tmp_path / "known"))
    qtbot.waitUntil(lambda: window.strip.bar.value() > 0, timeout=60_000)
    assert "Reading file" in window.strip.message.text()
    hand.drop(window, tmp_path)
    hand.dialog(window).accept()
    qtbot.mouseClick(window.strip.stop, Qt.MouseButton.LeftButton)
    rest()
    assert window.opencase.case is None
    assert "nothing was changed" in window.state.text()
    assert not list(snapshot.untitled_folder().iterdir())


def test_close_while_busy_asks_and_ends(
    hand: ModuleType, qtbot: QtBot, window: MainWindow, tmp_path: Path, stand_in: Callable[[str], None]
) -> None:
    stand_in(SLOW)
    hand.drop(window, hand.make_corpus(tmp_path / "known"))
    window.close()
    assert window.isVisible()
    asked = hand.dialog(window)
    hand.press(asked, "Keep working")
    assert window.opencase.work.busy
    QApplication.processEvents()
    window.close()
    hand.press(hand.dialog(window), "Stop and close")
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=60_000)
    assert not window.opencase.work.busy


def test_geometry_is_remembered(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    window.resize(1111, 777)
    before = window.saveGeometry()
    window.close()
    given = []
    monkeypatch.setattr(window, "restoreGeometry", given.append)
    window._restore()
    assert given == [before]


def test_an_exception_becomes_one_dialog(
    hand: ModuleType, window: MainWindow, caplog: pytest.LogCaptureFixture
) -> None:
    hook = teller(window)
    for words in ("secret words of a document", "more of them"):
        try:
            raise ValueError(words)
        except ValueError as error:
            hook(ValueError, error, error.__traceback__)
    shown = hand.dialog(window)
    assert "unexpected" in shown.text.text()
    assert "forensia.log" in shown.text.text()
    assert shown.details.toPlainText().count("ValueError") == 2
    assert "secret" not in shown.details.toPlainText()
    shown.copy.click()
    assert "ValueError" in QApplication.clipboard().text()


def test_expected_and_unexpected_errors(hand: ModuleType, window: MainWindow) -> None:
    window.show_error(InputError("'<i>x</i>' cannot be read. Choose another."))
    shown = hand.dialog(window)
    assert shown.text.text() == "'<i>x</i>' cannot be read. Choose another."
    assert not shown.fold.isVisible()
    shown.accept()


def test_shortcuts_about_and_preferences(hand: ModuleType, window: MainWindow, qtbot: QtBot) -> None:
    keys = dict(window.menus.keys())
    assert {"Undo", "Redo", "Open case", "Quit", "Corpus"} <= set(keys)
    shortcuts = [keys[name].toString() for name in keys]
    assert len(set(shortcuts)) == len(shortcuts)
    for action in (window.menus.shortcuts, window.menus.about, window.menus.preferences):
        action.trigger()
        shown = hand.dialog(window)
        named = [
            each
            for each in shown.findChildren(QWidget)
            if each.isVisible() and each.focusPolicy() & Qt.FocusPolicy.TabFocus
        ]
        assert named and all(_name(each) for each in named if not each.objectName().startswith("qt_"))
        shown.accept()
        QApplication.processEvents()
    assert all(isinstance(each, QAction) for each in window.menus.places)


def test_a_page_looks_only_at_what_it_shows(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is filled when it is seen and something that it shows has changed."""
    filled: list[str] = []
    for name in ("corpus", "model", "disputed", "compare", "experiments"):
        page = getattr(window, name)
        monkeypatch.setattr(page, "refresh", lambda name=name: filled.append(name))
        page._stale = False
    window.rail.go("corpus")
    window.opencase.changed.emit(Changes.DISPUTED)
    assert filled == []
    window.opencase.changed.emit(Changes.CORPUS)
    assert filled == ["corpus"]
    for row in range(1, len(PLACES)):
        window.rail.go(row)
    assert filled == ["corpus", "model", "disputed", "compare", "experiments"]
