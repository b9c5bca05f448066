"""What every place of the window has in common: it shows the case as it is now, whenever it is seen."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget

from forensia.gui.desk import Desk
from forensia.gui.snapshot import Changes


class Page(QStackedWidget):
    """A place. A subclass builds its widgets, and fills them from `desk.shown` in `refresh`; nothing is filled that is not seen.

    `shows` are the parts of a case that it shows: what changes elsewhere leaves it as it is.
    """

    shows = Changes.CASE | Changes.CORPUS | Changes.MODEL | Changes.DISPUTED

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self._stale = True
        desk.changed.connect(self._changed)

    def refresh(self) -> None:
        """Show the case as it is now."""
        raise NotImplementedError

    def _changed(self, changes: Changes) -> None:
        self._stale = self._stale or bool(changes & self.shows)
        if self._stale and self.isVisible():
            self._show_now()

    def _show_now(self) -> None:
        self._stale = False
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        if self._stale:
            self._show_now()
        super().showEvent(event)
