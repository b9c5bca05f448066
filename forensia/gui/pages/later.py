"""Places that are not built yet: they say so, and what they will do."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from forensia.gui.pages.empty import Empty


def compare() -> Empty:
    """The Compare page as long as it is not there."""
    return Empty(
        QCoreApplication.translate("later", "Comparing two texts is not built yet"),
        QCoreApplication.translate(
            "later",
            "This place will take any two texts, dropped or pasted, and tell what speaks for and against one author, with both "
            "texts side by side. Until then, the Disputed page compares a text with every known document.",
        ),
    )


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
