"""How a view asks the child process: one question at a time, the newest next; the answer comes in the window's own thread.

A question that nobody wants answered any more is not stopped: the child would lose the model that it has made ready, which takes far
longer to load again than a question takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Signal

from forensia.errors import Cancelled, ForensiaError
from forensia.gui.bridge import Bridge
from forensia.jobs import Progress
from forensia.jobs.errands import Errands, nothing

INQUIRIES = "forensia.gui.views.inquiries"
MEASURED = "forensia.gui.views.measured"


@dataclass(frozen=True)
class _Question:
    target: str
    arguments: Mapping[str, Any]
    done: Callable[[Any], None]
    failed: Callable[[str], None]
    heard: Callable[[Any], None] | None


class Asker(QObject):
    """Asks `module:function` for one view. `moved` tells how far the answer is, from 0 to 1, and what is being done."""

    moved = Signal(float, str)
    _told = Signal(object, object)

    def __init__(self, errands: Errands, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.errands = errands
        self._bridge = Bridge(self)
        self._now: _Question | None = None
        self._next: _Question | None = None
        self._bridge.moved.connect(self._move)
        self._bridge.ended.connect(lambda *_: self._go_on())
        self._told.connect(self._hear)

    @property
    def busy(self) -> bool:
        """Whether a question is open, wanted or not."""
        return self._bridge.busy or self._next is not None

    def ask(
        self,
        target: str,
        arguments: Mapping[str, Any],
        done: Callable[[Any], None],
        failed: Callable[[str], None],
        heard: Callable[[Any], None] | None = None,
    ) -> None:
        """Ask; `done` gets the answer, `heard` what comes before it, `failed` a sentence for people."""
        self._next = _Question(target, dict(arguments), done, failed, heard)
        self._go_on()

    def forget(self) -> None:
        """Want no answer any more."""
        self._now = self._next = None

    def cancel(self) -> None:
        """Stop, because everything ends, or because what was asked takes longer than loading the model again."""
        self.forget()
        self._bridge.cancel()

    def _go_on(self) -> None:
        if self._bridge.busy or self._next is None:
            return
        self._now, self._next = self._next, None
        question = self._now

        def work(progress: Progress) -> Any:
            news = nothing if question.heard is None else (lambda value: self._told.emit(question, value))
            return self.errands.do(question.target, question.arguments, progress, news)

        def done(answer: Any) -> None:
            if question is self._now:
                question.done(answer)

        def failed(error: BaseException) -> None:
            if question is self._now and not isinstance(error, Cancelled):
                question.failed(sentence(error))

        self._bridge.run(QCoreApplication.translate("Asker", "Looking closer"), work, done, failed)

    def _move(self, share: float, doing: str, left: float) -> None:
        if self._now is not None:
            self.moved.emit(share, doing)

    def _hear(self, question: _Question, news: Any) -> None:
        if question is self._now and question.heard is not None:
            question.heard(news)


def sentence(error: BaseException) -> str:
    """What a view says in the place of an answer."""
    if isinstance(error, ForensiaError):
        return str(error)
    return QCoreApplication.translate("Asker", "This could not be worked out ({0}).").format(type(error).__name__)
