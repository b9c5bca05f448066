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


POPULATION = 12
"""The authors of the cases with a population: one or three of them are candidates, and the first has more texts than the others."""


@pytest.fixture(scope="session")
def peopled(
    tmp_path_factory: pytest.TempPathFactory, hasty: Profile, loaded_once: Callable[[], AbstractContextManager[None]]
) -> Callable[[int], Path]:
    """A case with a population and so many candidates, and one text that is analysed; to be read only."""
    from forensia import paths
    from forensia.case.store import Case
    from forensia.corpus import ReadOptions
    from forensia.corpus.document import Role
    from forensia.service.analysing import analyse_files
    from forensia.service.importing import import_corpus
    from forensia.service.training import train_case
    from forensia.systems.pairmodel import TrainingOptions

    def made(candidates: int) -> Path:
        def make(folder: Path) -> None:
            authors = sorted(each for each in (paths.sample_case() / "known").iterdir() if each.is_dir())
            for place, author in enumerate(authors[:POPULATION]):
                for source in sorted(each for each in author.iterdir() if each.is_dir()):
                    for file in sorted(source.glob("*.txt"))[: 2 if place == 0 else 1]:
                        short = folder / "known" / author.name / source.name / file.name
                        short.parent.mkdir(parents=True, exist_ok=True)
                        short.write_text(" ".join(file.read_text("utf-8").split(" ")[:130]), "utf-8")
            with pytest.MonkeyPatch.context() as patched, loaded_once(), Case.create(folder / "case.forensia") as case:
                patched.setenv("FORENSIA_HOME", str(folder / "home"))
                import_corpus(case, folder / "known", ReadOptions())
                case.choices.set_role([author.name for author in authors[candidates:POPULATION]], Role.POPULATION)
                families = ("function words", "punctuation", "words")
                train_case(case, TrainingOptions(hasty, families=families))
                analyse_files(case, sorted((paths.sample_case() / "disputed").glob("*.txt"))[:1])

        kept = once(tmp_path_factory, f"peopled{candidates}", make) / "case.forensia"
        return Path(shutil.copy(kept, tmp_path_factory.mktemp("peopled")))

    return made


@pytest.fixture
def own_case(small_case: Path, tmp_path: Path) -> Path:
    """A copy of the small case for a test that changes it."""
    return Path(shutil.copy(small_case, tmp_path / "small.forensia"))


@pytest.fixture(scope="session")
def printed(small_case: Path, tmp_path_factory: pytest.TempPathFactory) -> Printed:
    """The report of the small case."""
    folder = tmp_path_factory.mktemp("printed")
    return print_report(Path(shutil.copy(small_case, folder / "small.forensia")), DETAILS)


@pytest.fixture(scope="session")
def compared(small_case: Path, tmp_path_factory: pytest.TempPathFactory) -> Printed:
    """The report of the small case with comparisons of three texts and of two that were kept; the third text was only compared."""
    from forensia import cli, paths

    place = Path(shutil.copy(small_case, tmp_path_factory.mktemp("compared") / "small.forensia"))
    files = [str(paths.sample_case() / "disputed" / f"anonymous-{number}.txt") for number in (1, 2, 3)]
    labels = [word for number in (1, 2, 3) for word in ("--exhibit", f"Q{number}")]
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("FORENSIA_HOME", str(place.parent / "home"))
        assert (
            cli.run(["compare", str(place), *files, "--keep", *labels, "--json", str(place.with_name("three.json"))])
            == 0
        )
        assert cli.run(["compare", str(place), *files[:2], "--keep", "--json", str(place.with_name("two.json"))]) == 0
    return print_report(place)


def print_report(place: Path, details: CaseDetails | None = None) -> Printed:
    """The report of a case, beside it."""
    from forensia.case.store import Case
    from forensia.report.make import make_report

    with pytest.MonkeyPatch.context() as patched, Case.open(place) as case:
        patched.setenv("FORENSIA_HOME", str(place.parent / "home"))
        made = make_report(case, place.with_name("report.pdf"), details, date=DATE)
    return Printed(place, place.with_name("report.pdf"), made, pages_of(made.pdf))
