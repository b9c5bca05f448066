"""A pane that shows a figure once matplotlib is there, follows the theme, and lets every plot be saved."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QVBoxLayout, QWidget

from forensia.errors import StorageError
from forensia.gui import dialogs, figures, theme, widgets
from forensia.gui.bridge import Bridge
from forensia.gui.theme import Colours

if TYPE_CHECKING:
    from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg
    from matplotlib.figure import Figure

Drawing = Callable[[Colours], "Figure"]


class PlotPane(QWidget):
    """Gets a function that draws; draws it when it is seen, and again when the theme changes."""

    def __init__(self, name: str, loader: Bridge) -> None:
        super().__init__()
        self._name = name
        self._loader = loader
        self._drawing: Drawing | None = None
        self._ready = False
        self.canvas: FigureCanvasQTAgg | None = None
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._waiting = widgets.label(self.tr("Drawing…"), quiet=True)
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._column.addWidget(self._waiting)

    def show_figure(self, drawing: Drawing | None) -> None:
        """Draw something else; None empties the pane."""
        self._drawing = drawing
        self._load()

    def _load(self) -> None:
        if self._drawing is None:
            self._drop()
        elif self._ready:
            self._draw()
        elif self._loader.busy:  # another pane is loading matplotlib, or options are tried: look again afterwards
            self._loader.ended.connect(self._again, Qt.ConnectionType.SingleShotConnection)
        else:
            self._loader.run(self.tr("Preparing plots"), _import, self._loaded)

    def _again(self, *_: object) -> None:
        self._load()

    def _loaded(self, _: object) -> None:
        self._ready = True
        self._load()

    def _draw(self) -> None:
        if self._drawing is None:
            return
        self._drop()
        self._waiting.hide()
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph .* missing")  # a name in a script that no font has
            with figures.literal():
                self.canvas = _canvas(self._drawing(theme.now()))
        self.canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.canvas.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._column.addWidget(self.canvas)
        self.drawn(self.canvas)

    def drawn(self, canvas: Any) -> None:
        """For those who want to hear the pointer."""

    def _drop(self) -> None:
        if self.canvas is not None:
            self._column.removeWidget(self.canvas)
            self.canvas.hide()
            self.canvas.deleteLater()
            self.canvas = None
        self._waiting.setVisible(self._drawing is not None)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.canvas is not None:
            self._draw()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._menu().popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Menu:
            self._menu().popup(self.mapToGlobal(self.rect().center()))
        else:
            super().keyPressEvent(event)

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Save picture…"), self._save).setEnabled(self.canvas is not None)
        return menu

    def _save(self) -> None:
        target = dialogs.ask_picture(self, self._name)
        if target is None or self._drawing is None:
            return
        try:
            with figures.literal():
                self._drawing(theme.LIGHT).savefig(target, dpi=200)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "the ending must be .png, .svg or .pdf"
            dialogs.tell(self, str(StorageError(f"'{target}' could not be written ({reason}). Choose another place.")))


def _import(progress: Any) -> None:
    """Load what draws, in the background: it takes most of a second."""
    progress(0.1, "")
    import matplotlib.backends.backend_agg
    import matplotlib.figure
    import matplotlib.font_manager  # noqa: F401  (looks for the fonts when it is first imported)


def _canvas(figure: Figure) -> FigureCanvasQTAgg:
    from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg

    class Canvas(FigureCanvasQTAgg):
        """Draws names in any script without complaint: a missing letter is a box, not a fault."""

        def draw(self) -> None:
            with warnings.catch_warnings(), figures.literal():
                warnings.filterwarnings("ignore", message="Glyph .* missing")
                warnings.filterwarnings("ignore", message="constrained_layout not applied")
                super().draw()  # type: ignore[no-untyped-call]

    return Canvas(figure)  # type: ignore[no-untyped-call]
