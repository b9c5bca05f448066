"""What the analyst adds to the numbers: who asked what, which exhibits, which facts, who signs. Kept in the case, beside its results."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensia import codec
from forensia.errors import SettingsError

if TYPE_CHECKING:
    from forensia.case.choices import Change
    from forensia.case.store import Case

__all__ = ["DRAFT", "FINAL", "SETTING", "CaseDetails", "Exhibit"]

SETTING = "report"  # `forensia.case.choices.BESIDE`: what stands there makes no result old
_KEY = "details"
DRAFT, FINAL = "DRAFT", "FINAL"
_LONGEST = 20_000
_MOST = 500
_SIZE_LIMIT = 4_000_000
_LISTS = ("facts", "exhibits")


@dataclass(frozen=True)
class Exhibit:
    """The name under which a file stands in the case: `file` is its path as the case shows it."""

    label: str
    file: str
    description: str = ""


@dataclass(frozen=True)
class CaseDetails:
    """Everything in a report that no computation gives. All of it is text, printed as it stands; what is empty is left out or asked for."""

    case_number: str = ""
    title: str = ""
    client: str = ""
    analyst: str = ""
    qualifications: str = ""
    reviewer: str = ""
    received: str = ""
    question: str = ""
    facts: tuple[str, ...] = ()
    propositions: str = ""
    population: str = ""
    conclusion: str = ""
    exhibits: tuple[Exhibit, ...] = ()
    status: str = DRAFT
    paper: str = "A4"

    def __post_init__(self) -> None:
        if self.status not in (DRAFT, FINAL):
            raise SettingsError(f"A report is {DRAFT} or {FINAL}, not {self.status!r}.")
        if self.paper not in ("A4", "Letter"):
            raise SettingsError(f"The paper is A4 or Letter, not {self.paper!r}.")

    @property
    def missing(self) -> str:
        """The detail that a final report needs and that is not there: the case number first, then the analyst; empty when none is."""
        needed = (("case_number", self.case_number), ("analyst", self.analyst)) if self.status == FINAL else ()
        return next((name for name, value in needed if not value.strip()), "")

    def exhibit(self, file: str) -> str:
        """The exhibit that a file is; empty when none was given."""
        return next((each.label for each in self.exhibits if each.file == file), "")

    def named(self, file: str) -> str:
        """A file as it is called in the case: by its exhibit, if it is one, and its name."""
        label = self.exhibit(file)
        return f"{label} ({file})" if label else file

    def with_exhibit(self, file: str, label: str) -> CaseDetails:
        """With another label for a file; an empty one takes it away."""
        before = next((each for each in self.exhibits if each.file == file), Exhibit("", file))
        others = tuple(each for each in self.exhibits if each.file != file)
        return replace(self, exhibits=(*others, replace(before, label=label)) if label else others)

    def to_json(self) -> dict[str, Any]:
        return dict(codec.plain(self))

    @classmethod
    def from_json(cls, given: Any) -> CaseDetails:
        """From JSON that anybody may have written; what does not fit is named."""
        if not isinstance(given, Mapping):
            raise SettingsError('The details of a report are named values, as in {"case_number": "…"}.')
        names = {field.name for field in fields(cls)}
        unknown = sorted(str(key) for key in given if key not in names)
        if unknown:
            raise SettingsError(f"A report has no detail '{unknown[0][:80]}'. There are: {', '.join(sorted(names))}.")
        values: dict[str, Any] = {key: _text(key, value) for key, value in given.items() if key not in _LISTS}
        for key in _LISTS:
            rows = given.get(key, ())
            if not isinstance(rows, (list, tuple)) or len(rows) > _MOST:
                raise SettingsError(f"The detail '{key}' is a list of at most {_MOST}.")
            values[key] = tuple(_text(key, row) if key == "facts" else _exhibit(row) for row in rows)
        return cls(**values)

    @classmethod
    def from_file(cls, file: Path, given: CaseDetails | None = None) -> CaseDetails:
        """From a JSON file; what it does not say stays as `given`."""
        try:
            if file.stat().st_size > _SIZE_LIMIT:
                raise SettingsError(f"'{file}' is too large for the details of a report.")
            read = json.loads(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise SettingsError(
                f"'{file}' cannot be read ({error.strerror or 'unknown reason'}). Choose another."
            ) from error
        except (ValueError, RecursionError) as error:
            raise SettingsError(f"'{file}' is no JSON. Correct it, or choose another.") from error
        new = cls.from_json(read)
        return new if given is None else replace(given, **{key: getattr(new, key) for key in read})

    @classmethod
    def of_case(cls, case: Case) -> CaseDetails:
        """Those that the case keeps; those of a new report if it keeps none."""
        kept = _beside(case).get(_KEY)
        return cls() if kept is None else cls.from_json(kept)

    def keep(self, case: Case) -> Change | None:
        """Store them in the case; results do not depend on them."""
        if case.read_only or _beside(case).get(_KEY) == self.to_json():
            return None
        beside = {**_beside(case), _KEY: self.to_json()}
        return case.choices.set_settings(
            {**case.choices.settings(), SETTING: beside}, "Change the details of the report"
        )


def _beside(case: Case) -> dict[str, Any]:
    """All that the case keeps for its reports; the window keeps other things there too."""
    kept = case.choices.settings().get(SETTING)
    return kept if isinstance(kept, dict) else {}


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise SettingsError(f"The detail '{key}' is text.")
    if len(value) > _LONGEST:
        raise SettingsError(f"The detail '{key}' is longer than {_LONGEST:,} characters.")
    return value


def _exhibit(row: Any) -> Exhibit:
    if not isinstance(row, Mapping) or not {"label", "file"} <= row.keys() <= {"label", "file", "description"}:
        raise SettingsError("An exhibit has a label and a file, and may have a description.")
    return Exhibit(**{str(key): _text("exhibits", value) for key, value in row.items()})
