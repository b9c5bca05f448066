"""What every place of the window has in common: it shows the case as it is now, and when there is nothing yet, what to do."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from forensia.gui import widgets
from forensia.gui.opencase import OpenCase
from forensia.gui.snapshot import Changes


class Page(QStackedWidget):
    """A place. A subclass has a name, builds its widgets, and fills them from `opencase.shown` in `refresh`; only what is seen is filled.

    `shows` are the parts of a case that it shows: what changes elsewhere leaves it as it is.
    """

    shows = Changes.CASE | Changes.CORPUS | Changes.MODEL | Changes.DISPUTED

    def __init__(self, opencase: OpenCase) -> None:
        super().__init__()
        self.opencase = opencase
        self._stale = True
        opencase.changed.connect(self._changed)

    @staticmethod
    def called() -> str:
        """The name of the place, for the rail and the menu."""
        raise NotImplementedError

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


class Empty(QWidget):
    """What a page shows when it has nothing yet: what is missing, perhaps a picture, and the button that makes it."""

    def __init__(
        self,
        headline: str,
        hint: str,
        buttons: Sequence[QPushButton] = (),
        picture: QWidget | None = None,
        width: int = 640,
    ) -> None:
        super().__init__()
        self.headline = widgets.label(headline, scale=1.7, bold=True)
        self.hint = widgets.label(hint, quiet=True, scale=1.08)
        for text in (self.headline, self.hint):
            text.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        # A label that wraps needs a width to know its height, and an alignment would forget the height that goes with it.
        words = widgets.panel(widgets.column(self.headline, self.hint, spacing=12), width)
        spring = widgets.spring()
        drawn = () if picture is None else ((picture, Qt.AlignmentFlag.AlignHCenter), widgets.gap(10))
        self.setLayout(
            widgets.column(
                widgets.spring(2),
                *drawn,
                widgets.row(spring, words, spring),
                widgets.gap(6),
                widgets.row(spring, *buttons, spring, spacing=10),
                widgets.spring(3),
                margins=None,
                spacing=14,
            )
        )

    def say(self, headline: str, hint: str) -> None:
        self.headline.setText(headline)
        self.hint.setText(hint)
