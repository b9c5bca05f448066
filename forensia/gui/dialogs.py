"""Dialogs. Their words may hold names from files, so every label in them is plain text; they open without stopping the event loop."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QWidget,
)

from forensia import __version__, logs, paths
from forensia.gui import drops, widgets
from forensia.gui.widgets import fields
from forensia.gui.words import tr
from forensia.settings import Settings

CASES = "Forensia cases (*.forensia)"
_MARGINS = (20, 20, 20, 16)
_LIBRARIES = (
    "PySide6-Essentials",
    "numpy",
    "scipy",
    "scikit-learn",
    "spacy",
    "nltk",
    "matplotlib",
    "joblib",
    "threadpoolctl",
    "pypdf",
    "fpdf2",
)
_CITATION = (
    "The method:\n"
    "Silvia Corbara, Alejandro Moreo, Fabrizio Sebastiani: Same or Different? Diff-Vectors for Authorship Analysis.\n\n"
    "The program:\n"
    "Forensia {0}: authorship analysis with Diff-Vectors and calibrated evidence. The Forensia developers."
)


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
        self.row = widgets.row(self.fold, self.copy, widgets.spring())
        self.fold.setVisible(bool(details))
        self.copy.setVisible(bool(details))
        self.setLayout(widgets.column(self.text, self.details, self.row, margins=_MARGINS, spacing=14))

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
    return _folder(parent, tr("Folder of texts whose authors you know"))


def ask_target(parent: QWidget) -> Path | None:
    """A folder to write into."""
    return _folder(parent, tr("Folder for the files"))


def ask_collection(parent: QWidget) -> Path | None:
    """Texts of many authors in one file: a table, or a population."""
    kinds = " ".join(f"*{ending}" for ending in drops.COLLECTIONS)
    return _file(parent, tr("Table of texts, or population"), tr("Tables and populations ({0})").format(kinds))


def ask_case(parent: QWidget) -> Path | None:
    """A case to open."""
    return _file(parent, tr("Open case"), CASES)


def ask_word_list(parent: QWidget) -> Path | None:
    """A file of function words."""
    return _file(parent, tr("Function words, one a line"))


def ask_texts(parent: QWidget) -> list[Path]:
    """Disputed texts."""
    names, _ = QFileDialog.getOpenFileNames(parent, tr("Disputed texts"))
    return [Path(name) for name in names]


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


def _folder(parent: QWidget, title: str) -> Path | None:
    name = QFileDialog.getExistingDirectory(parent, title)
    return Path(name) if name else None


def _file(parent: QWidget, title: str, kinds: str = "") -> Path | None:
    name, _ = QFileDialog.getOpenFileName(parent, title, "", kinds)
    return Path(name) if name else None


# Questions


class QuestionDialog(QDialog):
    """A sentence, one field, OK and Cancel; it opens as it is made."""

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
        self.setLayout(
            widgets.column(widgets.label(text), field, _ok_or_cancel(self, self._accept), margins=_MARGINS, spacing=12)
        )
        self.open()

    @property
    def answer(self) -> str:
        return self.field.currentText() if isinstance(self.field, QComboBox) else self.field.text()

    def _accept(self) -> None:
        answer = self.answer
        if answer.strip():
            self.accept()
            self._answered(answer)


def _ok_or_cancel(dialog: QDialog, accepted: Callable[[], object]) -> QDialogButtonBox:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
    box.accepted.connect(accepted)
    box.rejected.connect(dialog.reject)
    return box


def _reason(example: str = "") -> QLineEdit:
    """A field for a reason that the report tells."""
    field = QLineEdit()
    field.setMaxLength(500)
    field.setPlaceholderText(example)
    return field


def _choice(listed: Sequence[str], now: str | None = None, *, editable: bool = True) -> QComboBox:
    """A field to choose from, or to type into; without `now`, the first is chosen."""
    field = QComboBox()
    field.setEditable(editable)
    field.addItems(list(listed))
    if now is not None:
        field.setCurrentText(now)
    return field


def _these(count: int) -> str:
    return tr("this document") if count == 1 else tr("these {0} documents").format(count)


def ask_reason(parent: QWidget, count: int, answered: Callable[[str], object]) -> QuestionDialog:
    """Why documents are left out: the report will say it."""
    field = _reason()
    field.setText(tr("not suitable for comparison"))
    field.selectAll()
    text = tr("Why should {0} be left out? The reason is kept in the case and told in the report.")
    return QuestionDialog(parent, tr("Reason"), text.format(_these(count)), field, answered)


def ask_author(
    parent: QWidget, authors: tuple[str, ...], now: str, count: int, answered: Callable[[str], object]
) -> QuestionDialog:
    """Who wrote some documents: one of the authors, or a new name."""
    text = tr("Who wrote {0}? Choose an author, or type a new name. What was read as the author is kept too.")
    return QuestionDialog(parent, tr("Author"), text.format(_these(count)), _choice(authors, now), answered)


def ask_source(
    parent: QWidget, sources: tuple[str, ...], proposed: str, count: int, answered: Callable[[str], object]
) -> QuestionDialog:
    """What some documents come from: one of the sources there are, or a new name."""
    text = tr("What does this document come from?") if count == 1 else tr("What do these {0} documents come from?")
    more = tr("A book, a thread, a newspaper, a kind: choose one, or type a name.")
    text = f"{text.format(f'{count:,}')} {more}"
    return QuestionDialog(parent, tr("Source"), text, _choice(sources, proposed), answered)


def ask_why_each(parent: QWidget, count: int, answered: Callable[[str], object]) -> QuestionDialog:
    """How the analyst knows that texts have nothing in common but their author: the report will say it."""
    field = _reason(tr("For example: letters to different people, written over six years"))
    text = tr(
        "How do you know that every text is of an occasion of its own, and shares no book, thread or day with another ({0} chosen)? "
        "Figures for a new source then rest on it. The reason is kept in the case and told in the report."
    )
    return QuestionDialog(parent, tr("Every text its own"), text.format(f"{count:,}"), field, answered)


def ask_merge(
    parent: QWidget, authors: tuple[str, ...], count: int, answered: Callable[[str], object]
) -> QuestionDialog:
    """Which name several authors get who are one person."""
    text = tr("If these {0} authors are one person, under which name? All {1} documents are then theirs.")
    return QuestionDialog(parent, tr("Merge authors"), text.format(len(authors), count), _choice(authors), answered)


def ask_why_ignored(parent: QWidget, problem: str, answered: Callable[[str], object]) -> QuestionDialog:
    """Why a problem is set aside: the report will say it."""
    field = _reason(tr("For example: checked by hand; it does not matter here because…"))
    text = tr("Why can this be left as it is? The reason is kept in the case and told in the report.\n\n{0}")
    return QuestionDialog(parent, tr("Ignore a problem"), text.format(problem), field, answered)


def ask_encoding(
    parent: QWidget, files: tuple[str, ...], encodings: tuple[str, ...], answered: Callable[[str], object]
) -> QuestionDialog:
    """The encoding of files; the known texts are read again with it."""
    what = f"'{files[0]}'" if len(files) == 1 else tr("'{0}' and {1} more").format(files[0], len(files) - 1)
    text = tr("How is {0} encoded? The known texts are then read again; your other choices are kept.").format(what)
    return QuestionDialog(parent, tr("Encoding"), text, _choice(encodings, editable=False), answered)


class Preferences(QDialog):
    """The few things a user can set once for all."""

    def __init__(self, parent: QWidget, now: Settings, chosen: Callable[[str, int, str, str], object]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Preferences"))
        themes = {"system": tr("As the system"), "light": tr("Light"), "dark": tr("Dark")}
        self.theme = fields.choice(tr("Theme"), themes)
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
        self.accepted.connect(
            lambda: chosen(self.theme.currentData(), self.jobs.value(), self.paper.currentText(), self.analyst.text())
        )
        self.setLayout(widgets.column(form, _ok_or_cancel(self, self.accept), margins=_MARGINS))


# Pages to read


def page_to_read(
    parent: QWidget,
    title: str,
    size: tuple[int, int],
    *parts: widgets.Part,
    margins: widgets.Margins,
    spacing: int | None = None,
) -> QDialog:
    """Something to read, with a button to close it."""
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.resize(*size)
    close = widgets.button(tr("Close"), dialog.accept)
    dialog.setLayout(widgets.column(*parts, (close, Qt.AlignmentFlag.AlignRight), margins=margins, spacing=spacing))
    dialog.open()
    return dialog


def show_shortcuts(parent: QWidget, rows: list[tuple[str, QKeySequence]]) -> QDialog:
    """Every shortcut there is, read from the menus themselves."""
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
    return page_to_read(parent, tr("Keyboard shortcuts"), (460, 520), table, margins=None)


def versions() -> str:
    """Forensia, Python, the system, and every library with its licence as the library itself states it."""
    lines = [f"Forensia {__version__}", f"Python {platform.python_version()}", platform.platform(), ""]
    for name in _LIBRARIES:
        try:
            about = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            continue
        stated = _field(about, "License-Expression") or _field(about, "License")
        if not stated or len(stated) > 80:
            kinds = [line.split(" :: ")[-1] for line in about.get_all("Classifier") or () if line.startswith("License")]
            stated = ", ".join(kinds) or "see its documentation"
        lines.append(f"{name} {_field(about, 'Version')} — {stated}")
    return "\n".join(lines)


def _field(about: metadata.PackageMetadata, name: str) -> str:
    return str(about[name]) if name in about else ""


def show_about(parent: QWidget) -> QDialog:
    """What Forensia is made of: versions, licences, and how to cite the method and the program."""
    tabs = QTabWidget()
    tabs.setAccessibleName(tr("About Forensia"))
    for name, text in (
        (tr("Versions and licences"), versions()),
        (tr("How to cite"), _CITATION.format(__version__)),
    ):
        page = QPlainTextEdit(text)
        page.setReadOnly(True)
        page.setTabChangesFocus(True)
        page.setAccessibleName(name)
        tabs.addTab(page, name)
    said = tr(
        "Who wrote this text? Nothing leaves this machine. Results are evidence for an expert to weigh, never a verdict."
    )
    head = widgets.label(f"Forensia {__version__}", scale=1.5, bold=True)
    return page_to_read(
        parent, tr("About Forensia"), (620, 460), head, widgets.label(said), tabs, margins=_MARGINS, spacing=10
    )
