"""The menus: everything the window can do, with its shortcut; built once, switched on and off with the case."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from forensia import settings
from forensia.gui import dialogs, help, words
from forensia.gui.rail import PLACES, place_name
from forensia.gui.snapshot import Snapshot
from forensia.gui.words import tr

if TYPE_CHECKING:
    from forensia.gui.window import MainWindow

Keys = QKeySequence | QKeySequence.StandardKey | str


class Menus:
    """The actions of the window, by name."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        desk = window.desk
        bar = window.menuBar()
        bar.setAccessibleName(tr("Menus"))
        standard = QKeySequence.StandardKey
        file = bar.addMenu(tr("&File"))
        self.new = self._add(file, tr("&New case"), desk.new, standard.New)
        self.open_case = self._add(file, tr("&Open case…"), window.choose_case, standard.Open)
        self.open_folder = self._add(file, tr("Open &folder…"), window.choose_folder, "Ctrl+Shift+O")
        self.open_file = self._add(file, tr("Open table or &population…"), window.choose_collection)
        self.sample = self._add(file, tr("Try the &sample case"), desk.sample)
        self.recent = file.addMenu(tr("&Recent"))
        self.recent.aboutToShow.connect(self.fill_recent)
        file.addSeparator()
        self.save = self._add(file, tr("Save a &copy…"), window.choose_copy, standard.SaveAs)
        if self.save.shortcut().isEmpty():
            self.save.setShortcut("Ctrl+Shift+S")
        self.export = self._add(file, tr("Save a copy &without texts…"), window.choose_export)
        file.addSeparator()
        self.table = self._add(file, tr("&Export table…"), window.export_table, "Ctrl+E")
        self.picture = self._add(file, tr("Save &picture…"), window.save_picture, "Ctrl+Shift+E")
        file.addSeparator()
        self.quit = self._add(file, tr("&Quit"), window.close, "Ctrl+Q")
        edit = bar.addMenu(tr("&Edit"))
        self.undo = self._add(edit, tr("&Undo"), desk.undo, standard.Undo)
        self.redo = self._add(edit, tr("&Redo"), desk.redo, standard.Redo)
        edit.addSeparator()
        self.filter = self._add(edit, tr("&Filter documents"), window.focus_filter, standard.Find)
        edit.addSeparator()
        self.preferences = self._add(edit, tr("&Preferences…"), window.show_preferences, "Ctrl+,")
        case = bar.addMenu(tr("&Case"))
        self.train = self._add(case, tr("&Train the model"), window.train_now, "Ctrl+T")
        self.add = self._add(case, tr("&Add disputed texts…"), window.choose_texts, "Ctrl+D")
        self.report = self._add(case, tr("&Report…"), window.show_report, "Ctrl+R")
        view = bar.addMenu(tr("&View"))
        self.places = [
            self._add(view, place_name(place), lambda row=row: window.rail.go(row), f"Ctrl+{row + 1}")  # type: ignore[misc]
            for row, place in enumerate(PLACES)
        ]
        view.addSeparator()
        self.themes = self._themes(view.addMenu(tr("&Theme")))
        help_ = bar.addMenu(tr("&Help"))
        self.shortcuts = self._add(
            help_, tr("&Keyboard shortcuts"), lambda: dialogs.show_shortcuts(window, self.keys()), "F1"
        )
        self.terms = self._add(help_, tr("What the &terms mean"), lambda: help.glossary(window), "Shift+F1")
        self.logs = self._add(help_, tr("Open &log folder"), dialogs.open_log_folder)
        self.about = self._add(help_, tr("&About Forensia"), lambda: dialogs.show_about(window))
        self._menus: tuple[QMenu, ...] = (file, edit, case, view, help_)

    def _add(self, menu: QMenu, text: str, done: Callable[[], object], keys: Keys | None = None) -> QAction:
        action = QAction(text, self._window)
        if keys is not None:
            action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda: done())
        menu.addAction(action)
        return action

    def _themes(self, menu: QMenu) -> dict[str, QAction]:
        group = QActionGroup(menu)
        made = {}
        for value, text in (
            ("system", tr("As the &system")),
            ("light", tr("&Light")),
            ("dark", tr("&Dark")),
        ):
            action = self._add(menu, text, lambda value=value: self._window.set_theme(value))  # type: ignore[misc]
            action.setCheckable(True)
            group.addAction(action)
            made[value] = action
        made[settings.load().theme].setChecked(True)
        return made

    def keys(self) -> list[tuple[str, QKeySequence]]:
        """What every shortcut does."""
        rows = [
            (action.text().replace("&", "").partition(":")[0].rstrip("…"), action.shortcut())
            for menu in self._menus
            for action in menu.actions()
            if not action.shortcut().isEmpty()
        ]
        rows.append((tr("Cancel what is being done"), QKeySequence("Ctrl+.")))
        rows.append((tr("Next part of the page"), QKeySequence("Tab")))
        return rows

    def show_case(self, shown: Snapshot | None) -> None:
        """Switch on what can be done now."""
        there = shown is not None
        self.save.setEnabled(there)
        self.export.setEnabled(there)
        texts = bool(shown and shown.documents)
        self.filter.setEnabled(texts)
        self.train.setEnabled(texts)
        self.add.setEnabled(texts)
        self.report.setEnabled(bool(shown and any(each.current for each in shown.results.values())))
        undo, redo = (shown.undo, shown.redo) if shown else (None, None)
        self.undo.setEnabled(bool(undo))
        self.redo.setEnabled(bool(redo))
        self.undo.setText(tr("&Undo: {0}").format(words.ampersands(undo)) if undo else tr("&Undo"))
        self.redo.setText(tr("&Redo: {0}").format(words.ampersands(redo)) if redo else tr("&Redo"))

    def fill_recent(self) -> None:
        """List the recent cases; one that is gone can be seen to be gone."""
        self.recent.clear()
        listed = settings.load().recent
        for name in listed:
            path = Path(name)
            action = QAction(words.ampersands(words.shortened(words.one_line(path.stem))), self.recent)
            action.setStatusTip(words.one_line(name))
            action.setEnabled(path.exists())
            action.triggered.connect(lambda _=False, path=path: self._window.desk.open(path))
            self.recent.addAction(action)
        if not listed:
            self.recent.addAction(tr("None yet")).setEnabled(False)
