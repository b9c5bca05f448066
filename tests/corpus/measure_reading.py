"""How much reading a corpus costs beyond its bytes. Run it: `python tests/corpus/measure_reading.py FOLDER [manifest|authors]`.

Two ratios, each from the same run on the same machine: time against opening, reading and hashing the same files, and memory
against the length of the texts. The issue allows 5 and 3.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
import tracemalloc
from dataclasses import dataclass
from pathlib import Path

from forensia.corpus import ReadOptions, read_corpus


@dataclass(frozen=True)
class Measured:
    documents: int
    text_bytes: int
    bare_seconds: float
    reading_seconds: float
    kept_bytes: int
    peak_bytes: int

    @property
    def time_ratio(self) -> float:
        return self.reading_seconds / self.bare_seconds

    @property
    def memory_ratio(self) -> float:
        return self.peak_bytes / self.text_bytes


def measure_reading(folder: Path, layout: str = "authors", rounds: int = 5) -> Measured:
    """The best of several rounds of each, taken in turn, so that a busy machine slows both."""
    options = ReadOptions(layout=layout, split="all", role="all")
    read_corpus(folder, options)
    bare = reading = float("inf")
    for _ in range(rounds):
        bare = min(bare, _timed(lambda: _read_and_hash(folder)))
        reading = min(reading, _timed(lambda: read_corpus(folder, options)))
    tracemalloc.start()
    corpus = read_corpus(folder, options)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    text = sum(len(document.original.encode()) for document in corpus.documents)
    return Measured(len(corpus), text, bare, reading, kept, peak)


def _timed(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _read_and_hash(folder: Path) -> None:
    for place, _folders, names in os.walk(folder):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:  # noqa: PTH118, PTH123
                hashlib.sha256(file.read()).hexdigest()


if __name__ == "__main__":
    found = measure_reading(Path(sys.argv[1]), *sys.argv[2:3])
    print(f"{found.documents:,} documents, {found.text_bytes / 1e6:.1f} MB of text")
    print(f"time   {found.reading_seconds:.3f} s against {found.bare_seconds:.3f} s: {found.time_ratio:.1f} times")
    print(
        f"memory {found.peak_bytes / 1e6:.1f} MB peak, {found.kept_bytes / 1e6:.1f} MB kept: {found.memory_ratio:.1f} times the text"
    )
