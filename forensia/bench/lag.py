"""How long the window makes one wait while it works: the lag of its event loop, measured on the real window at real work.

What needs Qt is in `gui.driven`, which is imported only when the window is measured.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensia.bench.measuring import Task, find_data, read_samples
from forensia.errors import ForensiaError

if TYPE_CHECKING:
    from forensia.gui.driven import Waits

P99_LIMIT, MAX_LIMIT = 50.0, 250.0
"""The milliseconds of lag that the window may have while it trains."""

MEMORY_LIMIT = 50.0
"""The MB that the window may be larger after so many analyses than before."""

_CORPUS = "imdb62_50x100"


@dataclass(frozen=True)
class Lag:
    """The lag of the event loop while something was done, in milliseconds."""

    stage: str
    seconds: float
    ticks: int
    median_ms: float
    p99_ms: float
    max_ms: float
    own_max_ms: float

    @classmethod
    def of(cls, stage: str, waits: Waits) -> Lag:
        ordered = sorted(waits.lags) or [0.0]

        def share(part: float) -> float:
            return round(1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))], 1)

        most, own = round(1000 * ordered[-1], 1), round(1000 * waits.busiest, 1)
        return cls(stage, round(waits.seconds, 1), len(waits.lags), share(0.5), share(0.99), most, own)

    @property
    def within(self) -> bool:
        return self.p99_ms <= P99_LIMIT and self.max_ms <= MAX_LIMIT


def run(quick: bool = False, data: Path | None = None, told: Callable[[Lag], None] | None = None) -> dict[str, Any]:
    """Read, train and analyse in a window, and measure the lag of each; the JSON of `forensia bench --gui`."""
    if sys.platform == "linux" and not any(map(os.environ.get, ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"))):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from forensia.gui import lane
    from forensia.gui.app import make_application
    from forensia.gui.driven import at_work
    from forensia.gui.window import MainWindow

    authors, documents, asked = (8, 12, 8) if quick else (25, 50, 50)
    found: list[Lag] = []
    with _home() as home:
        known, disputed, what = _texts(home, data, authors, documents, asked)
        app = make_application()
        window = MainWindow()
        window.show()
        lane.keep_loaded()
        memory = {"after_mb": 0.0}
        for stage, waits in at_work(window, known, disputed):
            found.append(Lag.of(stage, waits))
            if told is not None:
                told(found[-1])
            gc.collect()
            memory = {"before_mb": memory["after_mb"], "after_mb": resident_mb()}
        platform = app.platformName()
        window.close()
    return {
        "corpus": f"{what}, {authors} x {documents} documents",
        "platform": platform,
        "cores": os.cpu_count(),
        "limits": {"p99_ms": P99_LIMIT, "max_ms": MAX_LIMIT},
        "lag": [{**asdict(lag), "within": lag.within} for lag in found],
        "memory": {**memory, "analyses": asked, "limit_mb": MEMORY_LIMIT},
    }


def resident_mb() -> float:
    """The memory of this process now, in MB; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def heading() -> str:
    return f"{'the window while it is':<24}{'seconds':>9}{'median ms':>11}{'p99 ms':>9}{'max ms':>9}{'own max ms':>12}"


def line(lag: Lag) -> str:
    """One stage as a line of the table."""
    verdict = "" if lag.within else f"   more than {P99_LIMIT:g} / {MAX_LIMIT:g}"
    numbers = f"{lag.stage:<24}{lag.seconds:>9.1f}{lag.median_ms:>11.1f}{lag.p99_ms:>9.1f}{lag.max_ms:>9.1f}"
    return f"{numbers}{lag.own_max_ms:>12.1f}{verdict}"


def memory_line(found: dict[str, Any]) -> str:
    """What so many analyses left behind, in a line."""
    memory = found["memory"]
    grown = memory["after_mb"] - memory["before_mb"]
    verdict = "" if grown <= MEMORY_LIMIT else f"   more than {MEMORY_LIMIT:g}"
    return f"memory after {memory['analyses']} analyses: {memory['after_mb']:.0f} MB, {grown:+.0f} MB{verdict}"


@contextmanager
def _home() -> Iterator[Path]:
    """Folders of our own, so that the measurement leaves nothing in the user's."""
    before = os.environ.get("FORENSIA_HOME")
    home = Path(tempfile.mkdtemp(prefix="forensia-bench-"))
    os.environ["FORENSIA_HOME"] = str(home)
    try:
        yield home
    finally:
        if before is None:
            del os.environ["FORENSIA_HOME"]
        else:
            os.environ["FORENSIA_HOME"] = before
        shutil.rmtree(home, ignore_errors=True)


def _texts(home: Path, data: Path | None, authors: int, documents: int, asked: int) -> tuple[Path, list[Path], str]:
    """Known and disputed texts as files: of a published collection where there is one, made of the sample's sentences elsewhere."""
    try:
        folder = str(find_data(data))
        task = Task("", _CORPUS, authors, documents, 0, folder, "", "", "")
        samples = read_samples(task, {"train": documents, "test": -(-asked // authors)})
        known, few, what = samples["train"], samples["test"].texts[:asked], _CORPUS
        pairs = list(zip(known.authors, known.texts, strict=True))
    except ForensiaError:
        if data is not None:
            raise
        pairs, few, what = *_made(authors, documents, asked), "made-up texts"
    for number, (author, text) in enumerate(pairs):
        place = home / "texts" / author
        place.mkdir(parents=True, exist_ok=True)
        (place / f"text {number:04}.txt").write_text(text, encoding="utf-8")
    disputed = []
    for number, text in enumerate(few):
        disputed.append(home / f"disputed {number}.txt")
        disputed[-1].write_text(text, encoding="utf-8")
    return home / "texts", disputed, what


def _made(authors: int, documents: int, asked: int) -> tuple[list[tuple[str, str]], list[str]]:
    """Texts put together from the sentences of the sample's authors, each made-up author with two of them."""
    import numpy as np

    from forensia import paths

    folders = sorted(path for path in (paths.sample_case() / "known").iterdir() if path.is_dir())
    sentences = [
        [s for file in sorted(folder.rglob("*.txt")) for s in file.read_text("utf-8").split(". ") if s]
        for folder in folders
    ]
    random = np.random.default_rng(0)
    pairs, few = [], []
    for number in range(authors):
        own = sentences[number % len(folders)] + sentences[(number // len(folders) + number + 1) % len(folders)]
        more = -(-asked // authors)
        texts = [". ".join(own[i] for i in random.integers(0, len(own), 16)) + "." for _ in range(documents + more)]
        pairs += [(f"Author {number:02}", text) for text in texts[more:]]
        few += texts[:more]
    return pairs, few[:asked]
