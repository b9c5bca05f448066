"""A folder for each author; folders inside it are sources: a book, a thread, a year."""

from __future__ import annotations

from collections.abc import Iterable

from forensia.corpus.document import Severity
from forensia.corpus.layouts.base import FileText, Item, ReadOptions, is_document, left_out
from forensia.corpus.walking import Listing
from forensia.jobs import Progress


class Authors:
    name = "authors"
    sentence = "A folder for each author; folders inside it are sources such as a book, a thread or a year."

    def recognise(self, listing: Listing) -> str | None:
        folders: set[str] = set()
        inside = not listing.top
        for entry in listing.entries:
            folder, below, name = entry.relative.partition("/")
            inside = inside and "/" not in name
            if below and folder not in folders and is_document(entry):
                folders.add(folder)
        if len(folders) == 1 and inside:  # with further folders in it, these could as well be the authors
            return "it holds one folder with texts"
        return f"it holds {len(folders):,} folders with texts" if len(folders) > 1 else None

    def items(self, listing: Listing, options: ReadOptions, progress: Progress) -> Iterable[Item]:
        found: list[Item] = []
        for entry in listing.entries:
            *folders, _name = entry.relative.split("/")
            if not folders:
                found.append(left_out("no-author", entry, Severity.NOTE, why="beside"))
            else:
                found.append(FileText(entry, folders[0], entry.stem, ("/".join(folders[1:]),)))
        return found
