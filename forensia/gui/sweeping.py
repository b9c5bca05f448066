"""When Python looks for garbage: in the window's own thread, and when nobody waits.

Python would do it at any moment in whatever thread just made an object. A widget that is taken away by another thread than its own
takes the program with it, and a look at everything takes a tenth of a second and more.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_OFTEN = 1_000  # milliseconds between two looks at what is new
_SELDOM = 20  # such looks before one at everything, when the window is at rest
_NEW = 5_000  # objects that make a look worth while


class Sweeper(QObject):
    """Takes the garbage collection over as long as it lives."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self.destroyed.connect(_let_python)
        self._turns = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_OFTEN)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        self._turns += 1
        if self._turns % _SELDOM == 0:
            gc.collect(2)
        elif gc.get_count()[0] > _NEW:
            gc.collect(1)


def settled() -> None:
    """What is there now stays to the end (libraries that were just loaded): it need not be looked at again."""
    gc.collect()
    gc.freeze()


def _let_python() -> None:
    """Not now: Qt is still taking the window apart, and holds a lock that a widget collected meanwhile would wait for, for ever."""
    QTimer.singleShot(0, gc.enable)
