"""What the analyst decided: documents left out, other authors, sources and roles, settings. Each change can be taken back and made again.

A choice is a map of names to values; a change is what it set and what it took out, with what stood there before. Taking a change
back is a new entry of the audit log, never the removal of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from forensia.case.database import Database
from forensia.case.errors import CaseDamaged
from forensia.case.storage import Json, pack, sha256

EXCLUDED = "excluded"  # document -> the analyst's words, or the code and values of the program's reason
AUTHORS = "authors"  # document -> author, where it is not the one that was read
SOURCES = "sources"  # document -> its sources and the reason, where they are not those that were read, or have a reason
ROLES = "roles"  # document -> the role of its author, where it is not the one that was read
SETTINGS = "settings"
_CHOICE = "choice"
_CHANGE = "change"
_KEPT = 500
_TOLD = 300
BESIDE = "report"
"""The setting under which stands what a report says beside the numbers: changing it makes no result old."""


@dataclass(frozen=True)
class Change:
    """A change of a choice that was made, taken back, or made again."""

    which: str
    label: str
    names: tuple[str, ...]


def chosen(database: Database, which: str) -> dict[str, Json]:
    """A choice as it now holds."""
    record = database.get(_CHOICE, which)
    if record is None:
        return {}
    kinds = {AUTHORS: (str,), EXCLUDED: (str, dict), SOURCES: (dict,), ROLES: (str,)}.get(which, (object,))
    if not isinstance(record, dict) or not all(isinstance(each, kinds) for each in record.values()):
        raise CaseDamaged(database.path, f"the choice {which}")
    return record


def change(
    database: Database, which: str, wanted: Mapping[str, Json], removed: tuple[str, ...], label: str, event: str
) -> Change | None:
    """Set some names and take out others, in a way that can be undone; None when all is so already."""
    with database.step():
        now = chosen(database, which)
        after = {"set": {key: value for key, value in wanted.items() if key not in now or now[key] != value}}
        gone = [key for key in removed if key in now]
        if not after["set"] and not gone:
            return None
        before = {
            "set": {key: now[key] for key in (*after["set"], *gone) if key in now},
            "remove": [key for key in after["set"] if key not in now],
        }
        history = _history(database)
        for name, record in history.items():
            if not record["done"]:
                database.delete(_CHANGE, name)
        kept = [name for name, record in history.items() if record["done"]]
        for name in kept[: max(0, len(kept) + 1 - _KEPT)]:
            database.delete(_CHANGE, name)
        number = int(kept[-1]) + 1 if kept else 1
        record = {"which": which, "label": label, "before": before, "after": {**after, "remove": gone}, "done": True}
        database.put(_CHANGE, f"{number:08d}", record)
        return _apply(database, record, "after", event)


def undo(database: Database) -> Change | None:
    """Take the last change back; None when there is none."""
    with database.step():
        done = [(name, record) for name, record in _history(database).items() if record["done"]]
        if not done:
            return None
        name, record = done[-1]
        database.put(_CHANGE, name, {**record, "done": False})
        return _apply(database, record, "before", "change undone")


def redo(database: Database) -> Change | None:
    """Make the change again that was taken back last; None when there is none."""
    with database.step():
        undone = [(name, record) for name, record in _history(database).items() if not record["done"]]
        if not undone:
            return None
        name, record = undone[0]
        database.put(_CHANGE, name, {**record, "done": True})
        return _apply(database, record, "after", "change redone")


def labels(database: Database) -> tuple[str | None, str | None]:
    """What `undo` and `redo` would change, in words; None where there is nothing."""
    history = list(_history(database).values())
    done = [str(record["label"]) for record in history if record["done"]]
    undone = [str(record["label"]) for record in history if not record["done"]]
    return (done[-1] if done else None), (undone[0] if undone else None)


def clear(database: Database, start: Mapping[str, Mapping[str, Json]]) -> None:
    """Begin some choices anew; their changes cannot be undone any more. The caller notes it in the log."""
    for name, record in _history(database).items():
        if record["which"] in start:
            database.delete(_CHANGE, name)
    for which, values in start.items():
        database.put(_CHOICE, which, dict(values))


def _apply(database: Database, record: Json, side: str, event: str) -> Change:
    which, how = record["which"], record[side]
    now = {key: value for key, value in chosen(database, which).items() if key not in how["remove"]}
    now.update(how["set"])
    database.put(_CHOICE, which, now)
    names = tuple(sorted({*how["set"], *how["remove"]}))
    values = {key: told(key, value) for key, value in how["set"].items()} if which == SETTINGS else how["set"]
    database.note(event, {"which": which, "set": values, "removed": list(how["remove"])})
    return Change(which, record["label"], names)


def told(key: str, value: Json) -> Json:
    """A setting as the log has it: what the analyst wrote for the report, and anything long, by its hash."""
    text = pack(value, "setting")
    return value if key != BESIDE and len(text) <= _TOLD else {"sha256": sha256(text)}


def _history(database: Database) -> dict[str, Json]:
    """The changes in their order, each checked for what the functions above rely on."""
    history = database.all(_CHANGE)
    for name, record in history.items():
        sound = (
            name.isdecimal()
            and isinstance(record, dict)
            and record.get("which") in (EXCLUDED, AUTHORS, SOURCES, ROLES, SETTINGS)
            and isinstance(record.get("label"), str)
            and isinstance(record.get("done"), bool)
            and all(_is_side(record.get(side)) for side in ("before", "after"))
        )
        if not sound:
            raise CaseDamaged(database.path, f"the change {name}")
    return history


def _is_side(side: Json) -> bool:
    return (
        isinstance(side, dict)
        and isinstance(side.get("set"), dict)
        and isinstance(side.get("remove"), list)
        and all(isinstance(each, str) for each in side["remove"])
    )
