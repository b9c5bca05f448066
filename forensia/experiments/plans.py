"""Plans: small TOML files that say which experiments to run on which data, with how many authors and documents, how often.

A plan states `name`, `title`, `data`, `profiles`, `runs`, `seed`, and one or more `[[part]]` with `tasks`, `m`, `q`; everything else
has a default. The built-in plans are among the program's resources.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from forensia import paths
from forensia.errors import SettingsError
from forensia.profile import PROFILES
from forensia.systems.others import RANKERS

TASKS: Mapping[str, tuple[str, ...]] = {
    "sav-closed": ("DV-Bin", "DV-2xAA", "STD-CosDist", "STD-2xAA"),
    "sav-open": ("DV-Bin", "STD-CosDist", "Impostors"),
    "aa": ("Lazy AA", "Stacked AA", "STD-AA", "STD-Bin"),
    "native-av": ("Lazy AV", "Stacked AV", "STD-Bin"),
}
"""The tasks, and the methods of the paper for each."""

OWN_METHODS: Mapping[str, tuple[str, ...]] = {"aa": ("fused",)}
"""Methods that the paper does not know; they run beside its own in a profile that trains them, and in no other."""

EXTRA_METHODS: Mapping[str, tuple[str, ...]] = {
    "sav-closed": ("STD-L1Dist", "STD-L2Dist"),
    "sav-open": ("STD-L1Dist", "STD-L2Dist", "Impostors-minmax"),
    "aa": tuple(RANKERS),
}
"""Methods that run only when a plan names them; those for verification are variants that the paper tried and does not report."""

SPLITS = ("given", "random")
ALL, HALF = 0, -1
"""Stand for 'all' and 'half' where a plan says how many authors, and 'all' where it says how many documents."""

_MOST_RUNS = 1000


def methods_of(task: str) -> tuple[str, ...]:
    """All methods of a task, those of the paper first."""
    return TASKS[task] + OWN_METHODS.get(task, ()) + EXTRA_METHODS.get(task, ())


def trains_own(profile: str) -> bool:
    """Whether a profile trains what the paper does not know: the fused ranking rests on left-out scores."""
    return PROFILES[profile].out_of_fold


@dataclass(frozen=True)
class PlanPart:
    """Some tasks on the same samples: for each data set, m and q, so that what they share is computed once."""

    tasks: tuple[str, ...]
    m: tuple[int, ...]  # authors; ALL, or HALF of them
    q: tuple[int, ...]  # training documents of each; ALL
    data: tuple[str, ...]
    methods: tuple[str, ...] = ()  # none: those of the paper, and our own
    split: str = "given"  # 'random': drawn anew for each run
    keep_scores: bool = False
    pairs: int = 500  # test pairs of each class
    test_documents: int = 0  # at most so many of each author; 0 is all, as in the paper

    def of(self, task: str, profile: str) -> tuple[str, ...]:
        """The methods of a task in a profile, in the order of the paper."""
        own = OWN_METHODS.get(task, ())
        wanted = self.methods or TASKS[task] + own
        return tuple(name for name in methods_of(task) if name in wanted and (name not in own or trains_own(profile)))


@dataclass(frozen=True)
class Plan:
    """What to run; `runs` 10 with `seed` 0 are the seeds 0 to 9."""

    name: str
    title: str
    parts: tuple[PlanPart, ...]
    profiles: tuple[str, ...] = ("paper",)
    runs: int = 10
    seed: int = 0
    language: str = "embedded"
    function_words: str = ""

    @property
    def data(self) -> tuple[str, ...]:
        """All data sets, each once, in the order of the plan."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.data))

    def plain(self) -> dict[str, Any]:
        """The plan as JSON can hold it."""
        return asdict(self)


def built_in() -> tuple[str, ...]:
    """The names of the plans that come with the program."""
    return tuple(sorted(file.stem for file in _folder().glob("*.toml")))


def load_plan(name: str | Path, corpora: Sequence[str] = ()) -> Plan:
    """A built-in plan by its name, or the plan of a TOML file; `corpora` take the place of its data."""
    file = _folder() / f"{name}.toml" if str(name) in built_in() else Path(name)
    try:
        with file.open("rb") as stream:
            stated = tomllib.load(stream)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"The plan '{file}' is no TOML: {error}. Correct that line.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"There is no plan '{name}': it is neither a file that can be read nor one of {', '.join(built_in())}."
        ) from error
    return parse_plan(stated, file.stem, corpora)


def _folder() -> Path:
    return paths.resources() / "plans"


def parse_plan(stated: Mapping[str, Any], name: str = "plan", corpora: Sequence[str] = ()) -> Plan:
    """A plan from what its file states; a key that is not known is refused, because a slip would go unnoticed."""
    stated = dict(stated)
    parts = stated.pop("part", [])
    if not isinstance(parts, list) or not parts or not all(isinstance(part, dict) for part in parts):
        raise SettingsError(f"The plan '{name}' has no [[part]]. Add one with tasks, m and q.")
    data = list(corpora) or stated.pop("data", [])
    stated.pop("data", None)
    known = {field.name for field in fields(Plan)} - {"parts"}
    _only(stated, known | {"data", "part"}, name)
    plan = Plan(
        name=_text(stated, "name", name),
        title=_text(stated, "title", _text(stated, "name", name)),
        parts=tuple(_part(part, data, bool(corpora), name) for part in parts),
        profiles=_choices(stated.get("profiles", ["paper"]), tuple(PROFILES), "profiles", name),
        runs=_number(stated.get("runs", 10), "runs", name, 1, _MOST_RUNS),
        seed=_number(stated.get("seed", 0), "seed", name, 0, 2**31),
        language=_text(stated, "language", "embedded"),
        function_words=_text(stated, "function_words", ""),
    )
    for part in plan.parts:
        if not any(part.of(task, profile) for task in part.tasks for profile in plan.profiles):
            raise SettingsError(
                f"The plan '{name}' has nothing to run: {', '.join(part.methods)} is not for its profiles. Add \"forensic\" to profiles."
            )
    return plan


def _part(stated: Mapping[str, Any], data: Any, replaced: bool, name: str) -> PlanPart:
    _only(stated, {field.name for field in fields(PlanPart)}, name)
    tasks = _choices(stated.get("tasks", []), tuple(TASKS), "tasks", name)
    known = {method for task in tasks for method in methods_of(task)}
    methods = _choices(stated.get("methods", []), tuple(sorted(known)), "methods", name, empty=True)
    own = data if replaced else stated.get("data", data)
    if isinstance(own, str):
        own = [own]
    if not own or not all(isinstance(each, str) and each for each in own):
        raise SettingsError(f"The plan '{name}' names no data. Add data = [\"…\"], or choose a corpus with --corpus.")
    split = _choices(stated.get("split", "given"), SPLITS, "split", name)
    return PlanPart(
        tasks=tasks,
        m=_sizes(stated.get("m"), {"all": ALL, "half": HALF}, 2, "m", name),
        q=_sizes(stated.get("q"), {"all": ALL}, 2, "q", name),
        data=tuple(own),
        methods=methods,
        split=split[0],
        keep_scores=bool(stated.get("keep_scores", False)),
        pairs=_number(stated.get("pairs", 500), "pairs", name, 5, 50_000),
        test_documents=_number(stated.get("test_documents", 0), "test_documents", name, 0, 10**6),
    )


def _only(stated: Mapping[str, Any], known: set[str], name: str) -> None:
    unknown = sorted(set(stated) - known)
    if unknown:
        raise SettingsError(
            f"The plan '{name}' states '{unknown[0]}', which means nothing. It may state: {', '.join(sorted(known))}."
        )


def _text(stated: Mapping[str, Any], key: str, default: str) -> str:
    value = stated.get(key, default)
    if not isinstance(value, str):
        raise SettingsError(f"'{key}' in the plan '{default}' must be text in quotes.")
    return value


def _choices(stated: Any, known: tuple[str, ...], key: str, name: str, *, empty: bool = False) -> tuple[str, ...]:
    values = [stated] if isinstance(stated, str) else stated
    if not isinstance(values, list) or not (values or empty) or not all(value in known for value in values):
        raise SettingsError(f"'{key}' in the plan '{name}' must be one or more of: {', '.join(known)}.")
    return tuple(dict.fromkeys(values))


def _number(value: Any, key: str, name: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise SettingsError(f"'{key}' in the plan '{name}' must be a number from {least} to {most:,}.")
    return value


def _sizes(stated: Any, words: Mapping[str, int], least: int, key: str, name: str) -> tuple[int, ...]:
    values = stated if isinstance(stated, list) else [stated]
    sizes: list[Any] = [words.get(value, value) if isinstance(value, str) else value for value in values]
    sound = sizes and all(type(size) is int and (size >= least or size in words.values()) for size in sizes)
    if not sound:
        also = " or ".join(f'"{word}"' for word in words)
        raise SettingsError(
            f"'{key}' in the plan '{name}' must be a number from {least} on, a list of them, or {also}."
        )
    return tuple(dict.fromkeys(sizes))
