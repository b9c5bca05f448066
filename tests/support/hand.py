"""What a person does with a mouse, and the texts they bring."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QWidget

SENTENCE = "The harbour was quiet that morning, and nobody on the quay would say where the {0} boat had gone. "


def drop(window: QWidget, *paths: Path) -> None:
    """Drop files on the window as the desktop does: an enter and a drop, sent to the window itself."""
    drop_urls(window, *(QUrl.fromLocalFile(str(path)) for path in paths))


def drop_urls(window: QWidget, *urls: QUrl) -> None:
    """Drop addresses, which may be of anything."""
    data = QMimeData()
    data.setUrls(list(urls))
    actions, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(400, 300), actions, data, buttons, keys))
    QApplication.sendEvent(window, QDropEvent(QPointF(400, 300), actions, data, buttons, keys))


def dialog(window: QWidget) -> QDialog:
    """The dialog that is open."""
    (found,) = [each for each in window.findChildren(QDialog) if each.isVisible()]
    return found


def make_corpus(folder: Path, authors: tuple[str, ...] = ("Ann", "Ben"), texts: int = 3) -> Path:
    """A small folder of known texts."""
    for number, author in enumerate(authors):
        (folder / author).mkdir(parents=True)
        for text in range(texts):
            words = "".join(SENTENCE.format(f"{number}x{text}x{line}") for line in range(8))
            (folder / author / f"text {text}.txt").write_text(words, encoding="utf-8")
    return folder


def press(asked: QWidget, text: str) -> None:
    """Press the button with this text."""
    (button,) = [each for each in asked.findChildren(QPushButton) if each.text() == text]
    button.click()
