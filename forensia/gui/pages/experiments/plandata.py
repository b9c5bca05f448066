"""On which texts an experiment runs: folders of one's own with known authors, or published data sets in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from forensia.gui import drops, widgets, words
from forensia.gui.tasks.experiments import Packs
from forensia.gui.words import tr

_PLACE = Qt.ItemDataRole.UserRole


class DataChoice(QWidget):
    """`changed` when something else is chosen, `wanted` when another folder is to be looked into."""

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
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Folders of texts"))
        self.list.setFixedHeight(66)
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.add = widgets.button(tr("Add folder…"), self._ask, tip=tr("You can also drop folders here"))
        self.case = widgets.button(tr("Of this case"), self._add_case, tip=tr("The known texts of the open case"))
        self.remove = widgets.button(tr("Remove"), self._remove)
        self.place = widgets.ElidedLabel()
        self.choose = widgets.button(tr("Folder…"), self._ask_folder)
        self.choose.setAccessibleName(tr("Choose the folder of the data sets"))
        self.boxes: dict[str, QCheckBox] = {}
        self._mine, self._theirs = QWidget(), QWidget()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for radio, part in ((self.own, self._mine), (self.published, self._theirs)):
            column.addWidget(radio)
            column.addWidget(part)
        self._arrange()
        self.own.toggled.connect(self._switched)
        self.list.itemSelectionChanged.connect(self._tell)
        self._switched()

    def _arrange(self) -> None:
        mine = QVBoxLayout(self._mine)
        mine.setContentsMargins(22, 0, 0, 4)
        mine.setSpacing(6)
        row = QHBoxLayout()
        row.setSpacing(6)
        for button in (self.add, self.case, self.remove):
            row.addWidget(button)
        row.addStretch(1)
        mine.addWidget(self.list)
        mine.addLayout(row)
        theirs = QVBoxLayout(self._theirs)
        theirs.setContentsMargins(22, 0, 0, 4)
        theirs.setSpacing(4)
        line = QHBoxLayout()
        line.addWidget(self.place, stretch=1)
        line.addWidget(self.choose)
        theirs.addLayout(line)
        self._sets = QVBoxLayout()
        self._sets.setSpacing(2)
        theirs.addLayout(self._sets)

    # What is chosen

    @property
    def folder(self) -> str:
        """The folder of the data sets, as the engine wants it."""
        return self._folder

    def corpora(self) -> list[str]:
        """The own folders, if these are chosen."""
        if not self.own.isChecked():
            return []
        return [str(self.list.item(row).data(_PLACE)) for row in range(self.list.count())]

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
            box.blockSignals(True)
            box.setChecked(box.isEnabled() and name in names)
            box.blockSignals(False)

    def show_packs(self, found: Packs) -> None:
        """Show which data sets a folder has."""
        self._folder = found.folder
        self.place.setText(self._folder or tr("No folder chosen"))
        for box in self.boxes.values():
            self._sets.removeWidget(box)
            box.deleteLater()
        self.boxes = {}
        for pack in found.packs:
            there = bool(pack.place)
            box = QCheckBox(words.ampersands(pack.name))
            box.setEnabled(there)
            box.setToolTip(words.tip(pack.place if there else tr("This data set is not in the folder")))
            box.setAccessibleDescription("" if there else tr("This data set is not in the folder"))
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
