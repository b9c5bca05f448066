"""The layouts in which people keep texts and their authors: listed here once, the most telling first."""

from __future__ import annotations

from collections.abc import Sequence

from forensia.corpus.layouts.base import Container, FileText, Item, Layout, ReadOptions, Row
from forensia.corpus.layouts.usual import Authors, Flat, Manifest, PanVerification, TableLayout
from forensia.corpus.walking import Listing
from forensia.errors import InputError

__all__ = [
    "LAYOUTS",
    "Container",
    "FileText",
    "Item",
    "Layout",
    "ReadOptions",
    "Row",
    "choose",
    "described",
    "matches",
]

LAYOUTS: tuple[Layout, ...] = (Manifest(), PanVerification(), Authors(), Flat(), TableLayout())


def matches(listing: Listing, layouts: Sequence[Layout] = LAYOUTS) -> list[tuple[str, str]]:
    """The layouts that these files could have, with the reason, the likeliest first."""
    return [(layout.name, reason) for layout in layouts if (reason := layout.recognise(listing)) is not None]


def choose(listing: Listing, name: str | None, layouts: Sequence[Layout] = LAYOUTS) -> Layout:
    """The layout of that name, or the likeliest one."""
    if name is None:
        found = matches(listing, layouts)
        if not found:
            raise InputError(_unrecognised(listing, layouts))
        name = found[0][0]
    for layout in layouts:
        if layout.name == name:
            return layout
    raise InputError(f"There is no layout '{name}'. The layouts are: {described(layouts)}")


def described(layouts: Sequence[Layout]) -> str:
    """The layouts and what they are, in one paragraph."""
    return " ".join(f"{layout.name}: {layout.sentence}" for layout in layouts)


def _unrecognised(listing: Listing, layouts: Sequence[Layout]) -> str:
    if listing.single:
        what = f"'{listing.entries[0].name}' is one file, and no table of texts and authors that Forensia knows."
    elif not listing.entries:
        what = "The folder holds no files that can be read."
    else:
        folders = {entry.parts[0] for entry in listing.entries if "/" in entry.relative}
        if len(folders) == 1 and not listing.top:
            (folder,) = folders
            what = (
                f"The folder holds one folder only, '{folder}'. Choose that one if the authors lie inside it, or the layout 'authors' if "
                "it is the author."
            )
        else:
            what = "It is not clear who wrote the files of this folder; at least two authors are needed."
    return f"{what} Arrange the texts in one of these layouts, or choose one by its name. {described(layouts)}"
