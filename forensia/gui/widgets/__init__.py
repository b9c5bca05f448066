"""What several pages are made of; a table is in `table`."""

from forensia.gui.widgets.layout import Margins, Part, column, gap, panel, row, scrolled, split, spring
from forensia.gui.widgets.parts import (
    SHARE,
    BarDelegate,
    ElidedLabel,
    Facts,
    Index,
    Sign,
    button,
    card,
    label,
    menu_button,
    name_field,
    title,
)

__all__ = [
    "SHARE",
    "BarDelegate",
    "ElidedLabel",
    "Facts",
    "Index",
    "Margins",
    "Part",
    "Sign",
    "button",
    "card",
    "column",
    "gap",
    "label",
    "menu_button",
    "name_field",
    "panel",
    "row",
    "scrolled",
    "split",
    "spring",
    "title",
]
