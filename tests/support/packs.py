"""The sample case as packs for the benchmarks."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

from forensia import paths


def split_pack(folder: Path, texts: slice, is_known: Callable[[int], bool], authors: slice, listed: int) -> None:
    """Some texts of some authors, each without a source; the first authors are `listed`, the others open."""
    rows = []
    for place, author in enumerate(_authors()[authors]):
        for number, text in enumerate(sorted(author.rglob("*.txt"))[texts]):
            name = _written(folder, author.name, str(number), text.read_bytes())
            split, role = "train" if is_known(number) else "test", "closed" if place < listed else "open"
            rows.append([author.name, name, split, role])
    _manifest(folder, ["author", "file", "split", "role"], rows)


def essays_pack(folder: Path) -> None:
    """All authors with their sources; what they wrote as reviews is said to imitate somebody."""
    rows = []
    for author in _authors():
        for number, text in enumerate(sorted(author.rglob("*.txt"))):
            name = _written(folder, author.name, str(number), text.read_bytes())
            source = text.parent.name
            rows.append([author.name, source, name, "imitation" if source == "reviews" else "essay"])
    _manifest(folder, ["author", "source", "file", "kind"], rows)


def _authors() -> list[Path]:
    return sorted((paths.sample_case() / "known").iterdir())


def _written(folder: Path, author: str, name: str, data: bytes) -> str:
    file = folder / author / f"{name}.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return f"{author}/{name}.txt"


def _manifest(folder: Path, head: list[str], rows: list[list[str]]) -> None:
    with (folder / "manifest.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])
