"""Layouts of files by author: a folder for each, names like `Author_Title.txt` in one folder, and PAN verification problems."""

from __future__ import annotations

import re
from collections.abc import Iterable

from forensia.corpus.document import Severity
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


_KNOWN = re.compile(r"known[ _-]?\d*\.txt", re.IGNORECASE)
_UNKNOWN = re.compile(r"unknown[ _-]?\d*\.txt", re.IGNORECASE)


class PanVerification:
    name = "pan-verification"
    sentence = (
        "PAN verification problems: folders with known*.txt by one author and an unknown.txt; truth.txt is kept apart."
    )

    def recognise(self, listing: Listing) -> str | None:
        candidates = [entry for entry in listing.entries if "known" in entry.relative.lower()]
        known = {_problem(entry) for entry in candidates if _KNOWN.fullmatch(entry.name)}
        unknown = {_problem(entry) for entry in candidates if _UNKNOWN.fullmatch(entry.name)}
        both = known & unknown - {""}
        return f"{len(both):,} folders hold known texts and an unknown one" if both else None

    def items(self, listing: Listing, options: ReadOptions, progress: Progress) -> Iterable[Item]:
        found: list[Item] = []
        for entry in listing.entries:
            problem = _problem(entry)
            if problem and _KNOWN.fullmatch(entry.name):
                found.append(FileText(entry, problem, entry.stem))
            elif problem and _UNKNOWN.fullmatch(entry.name):
                found.append(left_out("disputed-text", entry, Severity.NOTE))
            else:
                found.append(left_out("not-a-text", entry, Severity.NOTE))
        return found


def _problem(entry: Entry) -> str:
    """The folder of a problem, which stands for its author."""
    return entry.relative.rpartition("/")[0]
