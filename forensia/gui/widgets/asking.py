"""What waits: for a moment without changes, or until somebody looks, because it takes a while or must be asked of a worker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from forensia.gui.lane import Questions
from forensia.jobs.worker import Task, Worker

R = TypeVar("R")


def delayed(parent: QObject, milliseconds: int, act: Callable[[], object]) -> QTimer:
    """A timer that acts so long after it was started last."""
    made = QTimer(parent)
    made.setSingleShot(True)
    made.setInterval(milliseconds)
    made.timeout.connect(act)
    return made


class WhenSeen(QWidget):
    """A subclass does in `_look` what is to be done once the view is seen; it is called whenever it is shown again, too."""

    def _look(self) -> None:
        raise NotImplementedError

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look()


class AskingView(WhenSeen):
    """A view that asks a worker. Each question has a key, by which it is asked only once, and again when it has failed."""

    def __init__(self, worker: Worker) -> None:
        super().__init__()
        self.questions = Questions(worker, self)
        self._asked: object = None

    def _forget(self) -> None:
        """Something else is shown: no answer is wanted any more."""
        self.questions.forget()
        self._asked = None

    def _ask(
        self,
        key: object,
        task: Task[..., R],
        done: Callable[[R], None],
        failed: Callable[[str], None],
        heard: Callable[[Any], None] | None = None,
        **arguments: Any,
    ) -> bool:
        """Ask, if the view is seen; whether that was a new question."""
        if not self.isVisible() or self._asked == key:
            return False
        self._asked = key

        def over(sentence: str) -> None:
            self._asked = None
            failed(sentence)

        self.questions.put(task, done, over, heard, **arguments)
        return True
