"""What every place of the window has in common: it shows the case as it is now, whenever it is seen."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget

from forensia.gui.desk import Desk


class Page(QStackedWidget):
    """A place. A subclass builds its widgets, and fills them from `desk.shown` in `refresh`; nothing is filled that is not seen."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self._stale = True
        desk.changed.connect(self._changed)

    def refresh(self) -> None:
        """Show the case as it is now."""
        raise NotImplementedError

    def _changed(self) -> None:
        self._stale = True
        if self.isVisible():
            self._show_now()

    def _show_now(self) -> None:
        self._stale = False
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        if self._stale:
            self._show_now()
        super().showEvent(event)
