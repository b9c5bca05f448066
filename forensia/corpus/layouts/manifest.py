"""A folder with a manifest.csv that names author and file of each text, and perhaps its split, role and source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from forensia.corpus.layouts.base import Bad, FileText, Item, ReadOptions
from forensia.corpus.layouts.columns import TableColumns, plain, several
from forensia.corpus.layouts.containers import BadRows, examine
from forensia.corpus.layouts.records import Record, names, records
from forensia.corpus.walking import Entry, Listing, shown
from forensia.errors import InputError
from forensia.jobs import Progress

_MANIFEST = "manifest.csv"


class Manifest:
    name = "manifest"
    sentence = "A manifest.csv with the columns author and file, and perhaps split, role and source, beside the texts it names."

    def recognise(self, listing: Listing) -> str | None:
        entry = _manifest(listing)
        if entry is None or _columns(names(entry, _columns)) is None:
            return None
        return f"'{entry.name}' names the author of each file"

    def items(self, listing: Listing, options: ReadOptions, progress: Progress) -> list[Item]:
        entry = _manifest(listing)
        if entry is None:
            raise InputError(f"There is no manifest.csv here. {self.sentence}")
        if listing.single:
            raise InputError("Choose the folder in which manifest.csv lies, so that its texts can be found.")
        header = names(entry, _columns)
        if _columns(header) is None:
            raise InputError(f"'{entry.name}' has no columns 'author' and 'file'. {self.sentence}")
        for column, wanted, default in (("split", options.split, "train"), ("role", options.role, "closed")):
            if column not in header and wanted not in (default, "all"):
                raise InputError(
                    f"'{entry.name}' has no column '{column}', so '{wanted}' cannot be chosen. Choose 'all'."
                )
        return list(_texts(entry, listing, options))


def _texts(entry: Entry, listing: Listing, options: ReadOptions) -> Iterator[Item]:
    container, problems = examine(entry, options.encodings.get(entry.relative))
    yield from problems
    files = {found.relative: found for found in listing.entries}
    uses: Counter[str] = Counter()
    bad = BadRows(entry)
    for number, record in records(container, find=_columns):
        if isinstance(record, Bad):
            yield from bad.add(number, record)
            continue
        if not (_meant(record, "split", options.split) and _meant(record, "role", options.role)):
            continue
        author = plain(record.get("author"))
        # Only names from the walk are opened, so a name that leads out of the folder finds nothing.
        name = shown(str(record.get("file", "")).strip().replace("\\", "/").removeprefix("./"))
        file = files.get(name)
        if file is None:
            yield from bad.add(number, Bad("no such file", {"name": name}))
        elif not author:
            yield from bad.add(number, Bad("no author"))
        else:
            yield FileText(file, author, file.stem, several(record.get("source")), uses[name])
            uses[name] += 1
    yield from bad.rest()


def _meant(record: Record, column: str, wanted: str) -> bool:
    value = str(record.get(column) or "").strip().lower()
    return wanted == "all" or value in ("", wanted)


def _manifest(listing: Listing) -> Entry | None:
    return next((entry for entry in listing.top if entry.name.lower() == _MANIFEST), None)


def _columns(header: list[str]) -> TableColumns | None:
    return TableColumns("author", "file") if {"author", "file"} <= set(header) else None
