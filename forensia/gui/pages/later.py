"""Places that are not built yet: they say so, and what they will do."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from forensia.gui.pages.empty import Empty


def experiments() -> Empty:
    """The Experiments page as long as it is not there."""
    return Empty(
        QCoreApplication.translate("later", "Experiments are not built yet"),
        QCoreApplication.translate(
            "later",
            "This place will repeat the evaluation of the published method on your data, with figures that fill as results come "
            "in. Nothing here is needed to work on a case.",
        ),
    )
