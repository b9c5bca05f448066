"""What Forensia is made of: versions, licences, and how to cite the method and the program."""

from __future__ import annotations

import platform
from importlib import metadata

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QTabWidget, QVBoxLayout, QWidget

from forensia import __version__
from forensia.gui import widgets
from forensia.gui.words import tr

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


def show(parent: QWidget) -> QDialog:
    """The About page."""
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(tr("About Forensia"))
    dialog.resize(620, 460)
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
    column = QVBoxLayout(dialog)
    column.setContentsMargins(20, 20, 20, 16)
    column.setSpacing(10)
    column.addWidget(widgets.label(f"Forensia {__version__}", scale=1.5, bold=True))
    column.addWidget(
        widgets.label(
            tr(
                "Who wrote this text? Nothing leaves this machine. Results are evidence for an expert to weigh, never a verdict."
            )
        )
    )
    column.addWidget(tabs)
    column.addWidget(widgets.button(tr("Close"), dialog.accept), alignment=Qt.AlignmentFlag.AlignRight)
    dialog.open()
    return dialog
