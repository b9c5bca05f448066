"""One small case for all tests of the report: ten authors of the sample in short texts, trained once."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from forensia.profile import Profile
from forensia.report.contents import Contents
from forensia.report.details import CaseDetails, Exhibit
from forensia.report.make import Made
from support.once import once
from support.pdf import pages_of

DATE = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
DETAILS = CaseDetails(
    case_number="2026/114",
    client="Harwick and Lowe",
    analyst="Dr A. Example",
    reviewer="Dr B. Sample",
    question="Who of the listed residents, if anybody, wrote the two letters?",
    facts=("The letters came by post.",),
    exhibits=(Exhibit("JH/1", "anonymous-1.txt"),),
)


@dataclass(frozen=True)
class Printed:
    """A report of the small case, with the text of each of its pages."""

    case: Path
    pdf: Path
    made: Made
    pages: tuple[str, ...]

    @property
    def contents(self) -> Contents:
        return self.made.contents

    @property
    def text(self) -> str:
        return "\n".join(self.pages)


@pytest.fixture(scope="session")
def small_case(
    tmp_path_factory: pytest.TempPathFactory, hasty: Profile, loaded_once: Callable[[], AbstractContextManager[None]]
) -> Path:
    """A case with two analysed texts; tests copy it before they change it."""
    from forensia import paths
    from forensia.case.store import Case
    from forensia.corpus import ReadOptions
    from forensia.service.analysing import analyse_files
    from forensia.service.importing import import_corpus
    from forensia.service.training import train_case
    from forensia.systems.pairmodel import TrainingOptions

    def make(folder: Path) -> None:
        for author in sorted(each for each in (paths.sample_case() / "known").iterdir() if each.is_dir())[:10]:
            for file in sorted(author.rglob("*.txt"))[:4]:
                place = folder / "known" / author.name / file.parent.name / file.name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(" ".join(file.read_text("utf-8").split(" ")[:130]), "utf-8")
        with pytest.MonkeyPatch.context() as patched, loaded_once(), Case.create(folder / "small.forensia") as case:
            patched.setenv("FORENSIA_HOME", str(folder / "home"))
            import_corpus(case, folder / "known", ReadOptions())
            families = ("function words", "punctuation", "words")
            train_case(case, TrainingOptions(hasty, families=families))
            analyse_files(case, sorted((paths.sample_case() / "disputed").glob("*.txt"))[:2])

    made = once(tmp_path_factory, "small", make) / "small.forensia"
    return Path(shutil.copy(made, tmp_path_factory.mktemp("report")))  # each worker has one to open and to lock


@pytest.fixture
def own_case(small_case: Path, tmp_path: Path) -> Path:
    """A copy of the small case for a test that changes it."""
    return Path(shutil.copy(small_case, tmp_path / "small.forensia"))


@pytest.fixture(scope="session")
def printed(small_case: Path, tmp_path_factory: pytest.TempPathFactory) -> Printed:
    """The report of the small case."""
    from forensia.case.store import Case
    from forensia.report.make import make_report

    folder = tmp_path_factory.mktemp("printed")
    place = Path(shutil.copy(small_case, folder / "small.forensia"))
    with pytest.MonkeyPatch.context() as patched, Case.open(place) as case:
        patched.setenv("FORENSIA_HOME", str(folder / "home"))
        made = make_report(case, folder / "report.pdf", DETAILS, date=DATE)
    return Printed(place, folder / "report.pdf", made, pages_of(made.pdf))
