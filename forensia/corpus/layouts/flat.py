"""Files in one folder whose names say who wrote them: `Author_Title.txt`."""

from __future__ import annotations

from collections.abc import Iterable

from forensia.corpus.layouts.base import FileText, Item, ReadOptions, is_document, left_out
from forensia.corpus.walking import Entry, Listing
from forensia.jobs import Progress


class Flat:
    name = "flat"
    sentence = "Files in one folder, named Author_Title.txt: what stands before the first underscore is the author."

    def recognise(self, listing: Listing) -> str | None:
        files = [entry for entry in listing.top if is_document(entry)]
        named = [author for entry in files if (author := _author(entry))]
        if listing.single or len(set(named)) < 2 or 2 * len(named) < len(files):
            return None
        return f"the names of {len(named):,} files begin with one of {len(set(named)):,} authors"

    def items(self, listing: Listing, options: ReadOptions, progress: Progress) -> Iterable[Item]:
        found: list[Item] = []
        for entry in listing.entries:
            author = _author(entry)
            if "/" in entry.relative:
                found.append(left_out("no-author", entry, why="inside"))
            elif not author:
                found.append(left_out("no-author", entry, why="unnamed"))
            else:
                found.append(FileText(entry, author, entry.stem.partition("_")[2].strip() or entry.stem))
        return found


def _author(entry: Entry) -> str:
    author, mark, _ = entry.stem.partition("_")
    return author.strip() if mark else ""
