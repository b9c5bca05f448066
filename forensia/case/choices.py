"""What the analyst decided: documents left out, other authors, sources and roles, settings. Each change can be taken back and made again.

A choice is a map of names to values; a change is what it set and what it took out, with what stood there before. Taking a change
back is a new entry of the audit log, never the removal of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from forensia import codec
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
_LONGEST_LOGGED = 300
BESIDE = "report"
"""The setting under which stands what a report says beside the numbers: changing it makes no result old."""


@dataclass(frozen=True)
class _Side:
    """What a change sets and what it takes out, on its way there or back."""

    set: dict[str, Json]
    remove: list[str]


@dataclass(frozen=True)
class _Made:
    """A change as it is stored; `done` is False once it was taken back."""

    which: str
    label: str
    before: _Side
    after: _Side
    done: bool

    def __post_init__(self) -> None:
        if self.which not in (EXCLUDED, AUTHORS, SOURCES, ROLES, SETTINGS):
            raise ValueError("no choice of ours")


@dataclass(frozen=True)
class Change:
    """A change of a choice that was made, taken back, or made again."""

    which: str
    label: str
    names: tuple[str, ...]


class UndoableChoices:
    """The choices of a case as they now hold, and the changes that led to them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def chosen(self, which: str) -> dict[str, Json]:
        """A choice as it now holds."""
        record = self._database.get(_CHOICE, which)
        if record is None:
            return {}
        kinds = {AUTHORS: (str,), EXCLUDED: (str, dict), SOURCES: (dict,), ROLES: (str,)}.get(which, (object,))
        if not all(isinstance(each, kinds) for each in record.values()):
            raise CaseDamaged(self._database.path, f"the choice {which}")
        return record

    def settings(self) -> dict[str, Json]:
        """The settings of the case."""
        return self.chosen(SETTINGS)

    def set_settings(self, settings: Mapping[str, Json], label: str = "Change settings") -> Change | None:
        """Put settings in place of all there were; what is equal counts as unchanged."""
        gone = tuple(key for key in self.settings() if key not in settings)
        return self.change(SETTINGS, settings, gone, label, "settings changed")

    def change(
        self, which: str, wanted: Mapping[str, Json], removed: tuple[str, ...], label: str, event: str
    ) -> Change | None:
        """Set some names and take out others, in a way that can be undone; None when all is so already."""
        database = self._database
        with database.step():
            now = self.chosen(which)
            new = {key: value for key, value in wanted.items() if key not in now or now[key] != value}
            gone = [key for key in removed if key in now]
            if not new and not gone:
                return None
            before = _Side(
                {key: now[key] for key in (*new, *gone) if key in now}, [key for key in new if key not in now]
            )
            history = self._history()
            for name, each in history.items():
                if not each.done:
                    database.delete(_CHANGE, name)
            kept = [name for name, each in history.items() if each.done]
            for name in kept[: max(0, len(kept) + 1 - _KEPT)]:
                database.delete(_CHANGE, name)
            number = int(kept[-1]) + 1 if kept else 1
            made = _Made(which, label, before, _Side(new, gone), done=True)
            database.put(_CHANGE, f"{number:08d}", asdict(made))
            return self._apply(made, made.after, event)

    def undo(self) -> Change | None:
        """Take the last change back; None when there is none."""
        done = [(name, each) for name, each in self._history().items() if each.done]
        return self._turn(*done[-1], "change undone") if done else None

    def redo(self) -> Change | None:
        """Make the change again that was taken back last; None when there is none."""
        undone = [(name, each) for name, each in self._history().items() if not each.done]
        return self._turn(*undone[0], "change redone") if undone else None

    def labels(self) -> tuple[str | None, str | None]:
        """What `undo` and `redo` would do, in words; None where there is nothing."""
        history = self._history().values()
        done = [each.label for each in history if each.done]
        undone = [each.label for each in history if not each.done]
        return (done[-1] if done else None), (undone[0] if undone else None)

    def begin_anew(self, start: Mapping[str, Mapping[str, Json]]) -> None:
        """Begin some choices anew; their changes cannot be undone any more. The caller notes it in the log."""
        for name, each in self._history().items():
            if each.which in start:
                self._database.delete(_CHANGE, name)
        for which, values in start.items():
            self._database.put(_CHOICE, which, dict(values))

    def _turn(self, name: str, made: _Made, event: str) -> Change:
        """Take a change back that was made, or make one again that was taken back."""
        with self._database.step():
            self._database.put(_CHANGE, name, asdict(replace(made, done=not made.done)))
            return self._apply(made, made.before if made.done else made.after, event)

    def _apply(self, made: _Made, side: _Side, event: str) -> Change:
        now = {key: value for key, value in self.chosen(made.which).items() if key not in side.remove}
        self._database.put(_CHOICE, made.which, {**now, **side.set})
        values = {key: logged(key, value) for key, value in side.set.items()} if made.which == SETTINGS else side.set
        self._database.note(event, {"which": made.which, "set": values, "removed": side.remove})
        return Change(made.which, made.label, tuple(sorted({*side.set, *side.remove})))

    def _history(self) -> dict[str, _Made]:
        """The changes in their order."""
        history = {}
        for name, record in self._database.all(_CHANGE).items():
            try:
                history[name] = codec.typed(_Made, record)
                int(name)
            except ValueError as error:
                raise CaseDamaged(self._database.path, f"the change {name}") from error
        return history


def logged(key: str, value: Json) -> Json:
    """A setting as the log has it: what the analyst wrote for the report, and anything long, by its hash."""
    text = pack(value, "setting")
    return value if key != BESIDE and len(text) <= _LONGEST_LOGGED else {"sha256": sha256(text)}
