"""`forensia --self-test`: everything that an installation must be able to do, done once on the sample case, in a folder that is removed.

A bundle lacks what its maker forgot, and that shows only when it is used: so each part of the program is used here as a user would.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensia import __version__, licences, paths
from forensia.errors import ForensiaError
from forensia.jobs import Progress, TerminalBar, part

if TYPE_CHECKING:
    from forensia.evidence.result import Result

_PLAN = 'name = "self-test"\ndata = ["sample"]\nruns = 2\n[[part]]\ntasks = ["aa"]\nm = 3\nq = 4\n'
_SYSTEMS = ("fused", "lazy")  # the headline, and Lazy, which comes about in another way
_CATALOGUES = ("glossary", "limits", "problems", "reasons")
_FEW = 4  # authors, enough to see that training works
_PAGE = "<html><body><p>{0}</p><script>hidden()</script></body></html>"
_WORDS = "The harbour master wrote that the ferry was late again and nobody had told him why."


class Broken(ForensiaError):
    """This installation cannot do what it must."""

    def __init__(self, what: str) -> None:
        super().__init__(f"Self-test: {what} Install Forensia again; if that does not help, please report it.")


def run(options: argparse.Namespace, bar: TerminalBar) -> dict[str, Any]:
    """Do all of it; the first thing that does not work ends it with a sentence."""
    steps: tuple[tuple[str, Callable[[Path, TerminalBar], str]], ...] = (
        ("resources and licences", _resources),
        ("a file read in a confined process", _confined),
        ("the sample case", _sample),
        ("its report", _report),
        ("its verification", _verification),
        ("the window's working process", _worker),
        ("an experiment", _experiment),
        ("the window", _window),
    )
    _tell(f"Forensia {__version__}, Python {sys.version.split()[0]}, {'bundle' if _frozen() else 'source'}")
    seconds: dict[str, float] = {}
    with _folder() as folder:
        for number, (name, step) in enumerate(steps, 1):
            begun = time.monotonic()
            try:
                found = step(folder, bar)
            except ForensiaError:
                bar.clear()
                _tell(f"{number}/{len(steps)}  {name}: does not work")
                raise
            bar.clear()
            seconds[name] = round(time.monotonic() - begun, 2)
            _tell(f"{number}/{len(steps)}  {name}: {found} ({seconds[name]:.1f} s)")
        if options.keep:
            _keep(folder, options.keep)
    _tell("Everything works.")
    return {"version": __version__, "bundle": _frozen(), "seconds": seconds}


def _resources(folder: Path, bar: TerminalBar) -> str:
    for name in (
        "language/english/meta.json", "language/NOTICE.md", "function_words", "plans", "icons/forensia.svg",
        "icons/window/note.svg", "help/terms.md", "theme.qss", *(f"wording/{name}.toml" for name in _CATALOGUES),
    ):  # fmt: skip
        if not (paths.resources() / name).exists():
            raise Broken(f"'resources/{name}' is missing.")
    made = licences.parts()
    nameless = [part.name for part in made if part.licence == licences.UNKNOWN]
    if len(made) < 20 or nameless:
        raise Broken(f"The licences of the libraries cannot be told ({len(made)} libraries, {nameless}).")
    return f"{len(made)} parts with their licences"


def _confined(folder: Path, bar: TerminalBar) -> str:
    """Types that are read in a child process: if it cannot be started, no such file can be read."""
    from forensia.corpus import read_disputed

    page = folder / "page.html"
    page.write_text(_PAGE.format(_WORDS), encoding="utf-8")
    text = read_disputed(page).text.strip()
    if text != _WORDS:
        raise Broken("A web page was not read as it is.")
    return f"{len(text.split())} words"


def _sample(folder: Path, bar: TerminalBar) -> str:
    from forensia.cli import cases

    with _unheard():
        found = cases.demo(argparse.Namespace(out=folder / "demo", json=None), bar)
    stored = json.loads((folder / "demo" / "results.json").read_text(encoding="utf-8"))
    if stored != json.loads(json.dumps(found)):
        raise Broken("The numbers on disk are not those that were found.")
    rankings = [document["systems"][system] for document in stored["documents"] for system in _SYSTEMS]
    scores = [row["score"] for ranking in rankings for row in ranking]
    if not scores or not all(map(math.isfinite, scores)):
        raise Broken("The sample case gave no scores.")
    return f"{len(stored['documents'])} disputed texts, {len(scores)} scores"


def _report(folder: Path, bar: TerminalBar) -> str:
    """Read the PDF back, by the same confined reader that reads the user's."""
    from forensia.corpus import read_disputed

    report = folder / "demo" / "report.pdf"
    if not report.is_file():
        raise Broken("No report was written.")
    text = read_disputed(report).text
    if "Forensia" not in text:
        raise Broken("The report cannot be read back.")
    return f"{report.stat().st_size / 1000:,.0f} kB, {len(text.split()):,} words"


def _verification(folder: Path, bar: TerminalBar) -> str:
    from forensia.cli import answers

    place = folder / "demo" / "sample.forensia"
    with _unheard():
        found = answers.verify(argparse.Namespace(target=place, quick=True, json=None, case=None), bar)
    if not found.found["agrees"]:
        raise Broken("The case is not as it was stored.")
    return "as it was stored"


def _worker(folder: Path, bar: TerminalBar) -> str:
    """What the window asks of its child process; in a bundle that is the program itself, started once more."""
    from forensia.case.store import Case
    from forensia.corpus import ReadOptions
    from forensia.gui import tasks
    from forensia.jobs.worker import Task, Worker, nothing
    from forensia.systems.pairmodel import TrainingOptions

    known, few = paths.sample_case() / "known", folder / "few"
    for author in sorted(known.iterdir())[:_FEW]:
        shutil.copytree(author, few / author.name)
    again, new = folder / "again.forensia", folder / "new.forensia"
    shutil.copy(folder / "demo" / "sample.forensia", again)
    disputed = sorted(str(file) for file in (paths.sample_case() / "disputed").glob("*.txt"))[:1]
    worker = Worker(tasks.ALL)

    def ask(task: Task[..., Any], case: Case, progress: Progress, **arguments: Any) -> Any:
        return worker.do(task, progress, nothing, case=str(case.path), **arguments)

    try:
        with Case.open(again) as case:
            told = ask(tasks.analyse, case, part(bar, 0.0, 0.2), files=disputed)
            results = [stored.result for stored in case.results.all()]
        with Case.create(new) as case:
            ask(tasks.read, case, part(bar, 0.2, 0.3), source=str(few), options=ReadOptions())
            ask(tasks.train, case, part(bar, 0.3, 1.0), options=TrainingOptions().to_dict(), jobs=2)
            trained = case.models.hashes()
    finally:
        worker.close()
    scores = [_scores(result) for result in results if result.file == Path(disputed[0]).name]
    if told.refused or len(scores) != 2 or not all(map(_alike, *scores)):
        raise Broken("The working process of the window finds other numbers than the program itself.")
    if not trained:
        raise Broken("The working process of the window cannot train.")
    return f"the same {len(scores[0])} scores; trained on {_FEW} authors"


def _alike(one: float, other: float) -> bool:
    """Equal but for the last digits, which may depend on the number of threads."""
    return math.isclose(one, other, rel_tol=1e-6)


def _scores(result: Result) -> list[float]:
    return [each.systems[system].score for each in result.candidates for system in _SYSTEMS]


def _experiment(folder: Path, bar: TerminalBar) -> str:
    """A few runs side by side: in a bundle this must happen without joblib's processes."""
    from forensia.experiments import runner
    from forensia.experiments.plans import load_plan

    plan = folder / "plan.toml"
    plan.write_text(_PLAN, encoding="utf-8")
    loaded = load_plan(str(plan), [str(paths.sample_case() / "known")])
    with _unheard():
        summary = runner.run(loaded, folder / "results.sqlite", data=None, jobs=2, dask="", progress=bar)
    if summary.failed or not summary.done:
        raise Broken("The experiment on the sample case failed.")
    loky = sys.modules.get("joblib.externals.loky.reusable_executor")
    if _frozen() and getattr(loky, "_executor", None) is not None:
        raise Broken("The bundle would use processes that hang in it.")
    return f"{summary.done} runs"


def _window(folder: Path, bar: TerminalBar) -> str:
    """Without a display the window draws into memory; with one it is seen for a moment."""
    if sys.platform == "linux" and not any(map(os.environ.get, ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"))):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    try:
        from forensia.gui import driven
    except ImportError as error:  # a library of the system that Qt needs; its name is in the error's words
        raise Broken(f"The window cannot be opened ({error}).") from error
    seen = driven.look(folder / "demo" / "sample.forensia", folder / "demo" / "window.png")
    return f"{seen}, {_preview(folder / 'demo' / 'report.pdf')}"


def _preview(report: Path) -> str:
    """Draw a page of the report, as the window does before it is exported."""
    from forensia.gui.pages.report.preview import NoReader, OpenedPdf

    try:
        paper = OpenedPdf(report.read_bytes())
    except NoReader as error:
        raise Broken("The pages of a report cannot be shown.") from error
    page = paper.picture(0, 0.5)
    paper.close()
    for thread in threading.enumerate():  # it closes in one of its own, which the end of the program would not wait for
        if thread.name == "paper":
            thread.join(5.0)
    if page is None or page.isNull():
        raise Broken("The pages of a report are empty.")
    return f"a page of {page.width()} x {page.height()}"


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """A folder for the test, in which the user's settings and logs are not those of the user."""
    before = os.environ.get("FORENSIA_HOME")
    with tempfile.TemporaryDirectory(prefix="forensia-self-test-", ignore_cleanup_errors=True) as name:
        os.environ["FORENSIA_HOME"] = str(Path(name) / "home")
        try:
            yield Path(name)
        finally:
            if before is None:
                del os.environ["FORENSIA_HOME"]
            else:
                os.environ["FORENSIA_HOME"] = before


def _keep(folder: Path, place: Path) -> None:
    """For whoever wants to look: the case, the numbers, the report, and a picture of the window."""
    paths.private_folder(place)
    for file in sorted((folder / "demo").iterdir()):
        shutil.copy(file, place / file.name)


@contextlib.contextmanager
def _unheard() -> Iterator[None]:
    """What a command tells the person at the terminal is not wanted here."""
    with contextlib.redirect_stderr(io.StringIO()):
        yield


def _frozen() -> bool:
    return bool(getattr(sys, "frozen", False))


def _tell(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
