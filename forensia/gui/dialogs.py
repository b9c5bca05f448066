"""Dialogs. Their words may hold names from files, so every label in them is plain text; they open without stopping the event loop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from forensia import logs, paths
from forensia.gui import drops, widgets
from forensia.gui.words import tr
from forensia.settings import Settings

CASES = "Forensia cases (*.forensia)"


class Notice(QDialog):
    """A sentence, buttons, and perhaps details that fold out and can be copied."""

    def __init__(self, parent: QWidget | None, text: str, details: str = "") -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Forensia")
        self.setMinimumWidth(480)
        self.text = widgets.label(text)
        self.text.setAccessibleName(tr("Message"))
        self.details = QPlainTextEdit(details)
        self.details.setReadOnly(True)
        self.details.setAccessibleName(tr("Details"))
        self.details.setTabChangesFocus(True)
        self.details.setMinimumHeight(180)
        self.details.hide()
        self.fold = widgets.button(tr("Show &details"), self._unfold)
        self.copy = widgets.button(tr("&Copy"), self._copy, tip=tr("Copy the message and its details"))
        self.row = QHBoxLayout()
        self.row.addWidget(self.fold)
        self.row.addWidget(self.copy)
        self.row.addStretch(1)
        self.fold.setVisible(bool(details))
        self.copy.setVisible(bool(details))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(14)
        column.addWidget(self.text)
        column.addWidget(self.details)
        column.addLayout(self.row)

    def offer(self, text: str, chosen: Callable[[], object] | None = None, *, primary: bool = False) -> Notice:
        """Add a button that closes the notice and then does something."""

        def pressed() -> None:
            self.accept()
            if chosen is not None:
                chosen()

        made = widgets.button(text, pressed, primary=primary)
        made.setDefault(primary)
        self.row.addWidget(made)
        self.setMinimumWidth(max(self.minimumWidth(), self.row.sizeHint().width() + 60))
        return self

    def _unfold(self) -> None:
        self.details.setVisible(not self.details.isVisible())
        self.fold.setText(tr("Hide &details") if self.details.isVisible() else tr("Show &details"))
        self.adjustSize()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(f"{self.text.text()}\n\n{self.details.toPlainText()}")


def tell(parent: QWidget | None, text: str, details: str = "") -> Notice:
    """Show a sentence with a button to close it."""
    notice = Notice(parent, text, details).offer(tr("Close"), primary=True)
    notice.open()
    return notice


def unexpected(parent: QWidget | None, kind: str, details: str) -> Notice:
    """What the user sees of a fault of ours: a plain sentence, details to copy, and where the log is."""
    text = tr(
        "Something unexpected happened ({0}). The window goes on, and your case is saved up to the last completed step. "
        "If it happens again, please report it with the details below. They hold no text of your documents.\n\nLog: {1}"
    ).format(kind, logs.log_file())
    notice = Notice(parent, text, details)
    notice.offer(tr("Open &log folder"), open_log_folder)
    notice.offer(tr("Close"), primary=True)
    notice.open()
    return notice


def open_log_folder() -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(paths.log_dir())))


# Files


def ask_folder(parent: QWidget) -> Path | None:
    """A folder of texts."""
    name = QFileDialog.getExistingDirectory(parent, tr("Folder of texts whose authors you know"))
    return Path(name) if name else None


def ask_collection(parent: QWidget) -> Path | None:
    """Texts of many authors in one file: a table, or a population."""
    kinds = " ".join(f"*{ending}" for ending in drops.COLLECTIONS)
    told = tr("Tables and populations ({0})").format(kinds)
    name, _ = QFileDialog.getOpenFileName(parent, tr("Table of texts, or population"), "", told)
    return Path(name) if name else None


def ask_target(parent: QWidget) -> Path | None:
    """A folder to write into."""
    name = QFileDialog.getExistingDirectory(parent, tr("Folder for the files"))
    return Path(name) if name else None


def ask_case(parent: QWidget) -> Path | None:
    """A case to open."""
    name, _ = QFileDialog.getOpenFileName(parent, tr("Open case"), "", CASES)
    return Path(name) if name else None


def ask_texts(parent: QWidget) -> list[Path]:
    """Disputed texts."""
    names, _ = QFileDialog.getOpenFileNames(parent, tr("Disputed texts"))
    return [Path(name) for name in names]


def ask_word_list(parent: QWidget) -> Path | None:
    """A file of function words."""
    name, _ = QFileDialog.getOpenFileName(parent, tr("Function words, one a line"))
    return Path(name) if name else None


def ask_place(parent: QWidget, title: str, proposal: str) -> Path | None:
    """Where to save a case."""
    name, _ = QFileDialog.getSaveFileName(parent, title, proposal, CASES)
    if not name:
        return None
    return Path(name) if name.endswith(".forensia") else Path(f"{name}.forensia")


def ask_picture(parent: QWidget, proposal: str) -> Path | None:
    """Where to save a plot."""
    name, _ = QFileDialog.getSaveFileName(
        parent, tr("Save picture"), f"{proposal}.png", "PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"
    )
    return Path(name) if name else None


# Questions


class QuestionDialog(QDialog):
    """A sentence, one field, OK and Cancel."""

    def __init__(
        self, parent: QWidget, title: str, text: str, field: QLineEdit | QComboBox, answered: Callable[[str], object]
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.setMinimumWidth(420)
        self.field = field
        self._answered = answered
        widgets.name_field(field, title)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        box.accepted.connect(self._accept)
        box.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(12)
        column.addWidget(widgets.label(text))
        column.addWidget(field)
        column.addWidget(box)

    @property
    def answer(self) -> str:
        return self.field.currentText() if isinstance(self.field, QComboBox) else self.field.text()

    def _accept(self) -> None:
        answer = self.answer
        if answer.strip():
            self.accept()
            self._answered(answer)


def ask_reason(parent: QWidget, count: int, answered: Callable[[str], object]) -> QuestionDialog:
    """Why documents are left out: the report will say it."""
    field = QLineEdit()
    field.setMaxLength(500)
    field.setText(tr("not suitable for comparison"))
    field.selectAll()
    text = tr("Why should {0} be left out? The reason is kept in the case and told in the report.")
    question = QuestionDialog(
        parent,
        tr("Reason"),
        text.format(tr("this document") if count == 1 else tr("these {0} documents").format(count)),
        field,
        answered,
    )
    question.open()
    return question


def ask_author(
    parent: QWidget, authors: tuple[str, ...], now: str, count: int, answered: Callable[[str], object]
) -> QuestionDialog:
    """Who wrote some documents: one of the authors, or a new name."""
    field = QComboBox()
    field.setEditable(True)
    field.addItems(list(authors))
    field.setCurrentText(now)
    text = tr("Who wrote {0}? Choose an author, or type a new name. What was read as the author is kept too.")
    question = QuestionDialog(
        parent,
        tr("Author"),
        text.format(tr("this document") if count == 1 else tr("these {0} documents").format(count)),
        field,
        answered,
    )
    question.open()
    return question


def ask_source(
    parent: QWidget, sources: tuple[str, ...], proposed: str, count: int, answered: Callable[[str], object]
) -> QuestionDialog:
    """What some documents come from: one of the sources there are, or a new name."""
    field = QComboBox()
    field.setEditable(True)
    field.addItems(list(sources))
    field.setCurrentText(proposed)
    text = tr("What does this document come from?") if count == 1 else tr("What do these {0} documents come from?")
    more = tr("A book, a thread, a newspaper, a kind: choose one, or type a name.")
    question = QuestionDialog(parent, tr("Source"), f"{text.format(f'{count:,}')} {more}", field, answered)
    question.open()
    return question


def ask_why_each(parent: QWidget, count: int, answered: Callable[[str], object]) -> QuestionDialog:
    """How the analyst knows that texts have nothing in common but their author: the report will say it."""
    field = QLineEdit()
    field.setMaxLength(500)
    field.setPlaceholderText(tr("For example: letters to different people, written over six years"))
    text = tr(
        "How do you know that every text is of an occasion of its own, and shares no book, thread or day with another ({0} chosen)? "
        "Figures for a new source then rest on it. The reason is kept in the case and told in the report."
    )
    question = QuestionDialog(parent, tr("Every text its own"), text.format(f"{count:,}"), field, answered)
    question.open()
    return question


def ask_merge(
    parent: QWidget, authors: tuple[str, ...], count: int, answered: Callable[[str], object]
) -> QuestionDialog:
    """Which name several authors get who are one person."""
    field = QComboBox()
    field.setEditable(True)
    field.addItems(list(authors))
    text = tr("If these {0} authors are one person, under which name? All {1} documents are then theirs.")
    question = QuestionDialog(parent, tr("Merge authors"), text.format(len(authors), count), field, answered)
    question.open()
    return question


def ask_why_ignored(parent: QWidget, problem: str, answered: Callable[[str], object]) -> QuestionDialog:
    """Why a problem is set aside: the report will say it."""
    field = QLineEdit()
    field.setMaxLength(500)
    field.setPlaceholderText(tr("For example: checked by hand; it does not matter here because…"))
    text = tr("Why can this be left as it is? The reason is kept in the case and told in the report.\n\n{0}")
    question = QuestionDialog(parent, tr("Ignore a problem"), text.format(problem), field, answered)
    question.open()
    return question


def ask_encoding(
    parent: QWidget, files: tuple[str, ...], encodings: tuple[str, ...], answered: Callable[[str], object]
) -> QuestionDialog:
    """The encoding of files; the known texts are read again with it."""
    field = QComboBox()
    field.addItems(list(encodings))
    what = f"'{files[0]}'" if len(files) == 1 else tr("'{0}' and {1} more").format(files[0], len(files) - 1)
    text = tr("How is {0} encoded? The known texts are then read again; your other choices are kept.").format(what)
    question = QuestionDialog(parent, tr("Encoding"), text, field, answered)
    question.open()
    return question


class Preferences(QDialog):
    """The few things a user can set once for all."""

    def __init__(self, parent: QWidget, now: Settings, chosen: Callable[[str, int, str, str], object]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Preferences"))
        self.theme = QComboBox()
        for value, name in (
            ("system", tr("As the system")),
            ("light", tr("Light")),
            ("dark", tr("Dark")),
        ):
            self.theme.addItem(name, value)
        self.theme.setCurrentIndex(self.theme.findData(now.theme))
        self.jobs = QSpinBox()
        self.jobs.setRange(0, 1024)
        self.jobs.setSpecialValueText(tr("all cores"))
        self.jobs.setValue(now.jobs)
        self.paper = QComboBox()
        self.paper.addItems(["A4", "Letter"])
        self.paper.setCurrentText(now.paper_size)
        self.analyst = QLineEdit(now.analyst)
        form = QFormLayout()
        form.setSpacing(10)
        for text, field in (
            (tr("Theme"), self.theme),
            (tr("Parallel work"), self.jobs),
            (tr("Paper of reports"), self.paper),
            (tr("Name of the analyst"), self.analyst),
        ):
            field.setAccessibleName(text)
            form.addRow(text, field)
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        box.rejected.connect(self.reject)
        box.accepted.connect(self.accept)
        self.accepted.connect(
            lambda: chosen(self.theme.currentData(), self.jobs.value(), self.paper.currentText(), self.analyst.text())
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.addLayout(form)
        column.addWidget(box)


def show_shortcuts(parent: QWidget, rows: list[tuple[str, QKeySequence]]) -> QDialog:
    """Every shortcut there is, read from the menus themselves."""
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(tr("Keyboard shortcuts"))
    dialog.resize(460, 520)
    table = QTableWidget(len(rows), 2)
    table.setAccessibleName(tr("Keyboard shortcuts"))
    table.setHorizontalHeaderLabels([tr("What"), tr("Keys")])
    table.verticalHeader().hide()
    table.setShowGrid(False)
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setTabKeyNavigation(False)
    table.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
    table.horizontalHeader().setHighlightSections(False)
    for row, (what, keys) in enumerate(rows):
        table.setItem(row, 0, QTableWidgetItem(what))
        table.setItem(row, 1, QTableWidgetItem(keys.toString(QKeySequence.SequenceFormat.NativeText)))
    table.horizontalHeader().setStretchLastSection(True)
    table.setColumnWidth(0, 270)
    column = QVBoxLayout(dialog)
    column.addWidget(table)
    column.addWidget(widgets.button(tr("Close"), dialog.accept), alignment=Qt.AlignmentFlag.AlignRight)
    dialog.open()
    return dialog
