"""How a view asks the child process: the newest question of each view counts, and its answer comes in the window's own thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Signal

from forensia.errors import Cancelled, ForensiaError
from forensia.gui.bridge import Latest
from forensia.jobs import Progress
from forensia.jobs.errands import Errands, nothing

INQUIRIES = "forensia.gui.views.inquiries"
MEASURED = "forensia.gui.views.measured"


class Asker(QObject):
    """Asks `module:function` for one view; `busy` tells when a question is open."""

    busy = Signal(bool)
    _told = Signal(object, object)

    def __init__(self, errands: Errands, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.errands = errands
        self.lane = Latest(self)
        self.lane.bridge.started.connect(lambda *_: self.busy.emit(True))
        self.lane.bridge.ended.connect(lambda *_: self.busy.emit(self.lane.busy))
        self._told.connect(lambda heard, news: heard(news))

    @property
    def asking(self) -> bool:
        return self.lane.busy

    def ask(
        self,
        target: str,
        arguments: Mapping[str, Any],
        done: Callable[[Any], None],
        failed: Callable[[str], None],
        heard: Callable[[Any], None] | None = None,
    ) -> None:
        """Ask; `done` gets the answer, `heard` what comes before it, `failed` a sentence for people."""

        def work(progress: Progress) -> Any:
            news = nothing if heard is None else (lambda value: self._told.emit(heard, value))
            return self.errands.do(target, dict(arguments), progress, news)

        def wrong(error: BaseException) -> None:
            if not isinstance(error, Cancelled):
                failed(sentence(error))

        self.lane.ask(QCoreApplication.translate("Asker", "Looking closer"), work, done, wrong)

    def cancel(self) -> None:
        self.lane.cancel()


def sentence(error: BaseException) -> str:
    """What a view says in the place of an answer."""
    if isinstance(error, ForensiaError):
        return str(error)
    return QCoreApplication.translate("Asker", "This could not be worked out ({0}).").format(type(error).__name__)
