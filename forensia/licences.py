"""What Forensia is made of and under which licence: asked of the libraries themselves, so that the list is never out of date."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from forensia import __version__, paths

UNKNOWN = "see its documentation"
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_TEXT = re.compile(r"(licen[cs]e|copying|notice|copyright)", re.IGNORECASE)
_LONGEST = 80  # characters of a licence's name; some libraries state the whole text in its place


@dataclass(frozen=True)
class LicencePart:
    """A library or another thing in the program that others have made."""

    name: str
    version: str
    licence: str
    texts: tuple[Path, ...] = ()


def parts() -> tuple[LicencePart, ...]:
    """Python, the language model, and every library that Forensia needs, directly or through another."""
    model = paths.resources() / "language" / "NOTICE.md"
    return (
        LicencePart("Python", platform.python_version(), "PSF-2.0"),
        LicencePart(
            "English language model, from UD English EWT", "", "CC-BY-SA-4.0", (model,) if model.is_file() else ()
        ),
        *libraries(),
    )


def libraries(root: str = "forensia") -> tuple[LicencePart, ...]:
    """The libraries that `root` needs and that are here, by name; what is needed on other systems is not."""
    found: dict[str, LicencePart] = {}
    waiting = _needs(_distribution(root))
    while waiting:
        name = waiting.pop()
        distribution = _distribution(name)
        if _key(name) in found or distribution is None:
            continue
        found[_key(name)] = _part(distribution)
        waiting += _needs(distribution)
    return tuple(found[key] for key in sorted(found))


def listing() -> str:
    """One line a part, for people."""
    made = parts()
    width = max(len(f"{part.name} {part.version}") for part in made)
    lines = [f"Forensia {__version__} (BSD-3-Clause) is made with:", ""]
    lines += [f"{f'{part.name} {part.version}'.strip():{width}}  {part.licence}" for part in made]
    return "\n".join(lines) + "\n"


def full_text() -> Iterator[str]:
    """The listing, then the licence texts that came with the parts; in pieces, for they are long."""
    yield listing()
    for part in parts():
        for text in part.texts:
            title = f"{part.name} {part.version}".strip() + f": {text.name}"
            yield f"\n{'=' * 100}\n{title}\n{'=' * 100}\n\n{text.read_text(encoding='utf-8', errors='replace').strip()}\n"


def _distribution(name: str) -> metadata.Distribution | None:
    try:
        return metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return None


def _needs(distribution: metadata.Distribution | None) -> list[str]:
    """What a library asks for, without its optional extras."""
    asked = (distribution.requires if distribution else None) or []
    named = (_NAME.match(line.strip()) for line in asked if not re.search(r";.*\bextra\s*==", line))
    return [match[0] for match in named if match]


def _part(distribution: metadata.Distribution) -> LicencePart:
    about = distribution.metadata
    stated = [str(about[field]).strip() for field in ("License-Expression", "License") if field in about]
    short = [name for name in stated if name and len(name) <= _LONGEST and "\n" not in name]
    classified = [line.split(" :: ")[-1] for line in about.get_all("Classifier") or () if line.startswith("License ::")]
    # Its list of files would name the texts, but a bundle has no such lists.
    folder = getattr(distribution, "_path", None)
    files = Path(str(folder)).rglob("*") if folder is not None else iter(())
    return LicencePart(
        name=str(about["Name"]),
        version=distribution.version,
        licence=(short or [", ".join(classified)])[0] or UNKNOWN,
        texts=tuple(sorted(file for file in files if _TEXT.search(file.name) and file.is_file())),
    )


def _key(name: str) -> str:
    """A library's name as all its spellings have it in common."""
    return re.sub(r"[-_.]+", "-", name).lower()
