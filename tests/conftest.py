"""What every test gets: folders of its own for settings and logs, and no display; and one small case that many tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from support.once import once

if TYPE_CHECKING:
    from forensia.language import LanguageModel
    from forensia.profile import Profile

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# Properties are about what is true, not about how busy the machine is.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@cache
def loaded(name: str, function_words: Path | None) -> LanguageModel:
    """A language model, loaded once for all tests."""
    from forensia.language import load_model

    return load_model(name, function_words)


@contextmanager
def language_there() -> Iterator[None]:
    """Training and validation with a language model that is there already."""
    from forensia.case import session

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(session, "load_model", loaded)
        yield


@pytest.fixture(scope="session")
def loaded_once() -> Callable[[], AbstractContextManager[None]]:
    """For tests that train and validate cases themselves."""
    return language_there


@pytest.fixture(scope="session")
def hasty() -> Profile:
    """The forensic profile with few folds, three lengths instead of five, and just enough resamples for an interval to be one."""
    from forensia.profile import Effort, profile_named

    return profile_named("forensic", Effort(folds=5, shortest=200, resamples=80))


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the settings and logs of the person who runs it."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("FORENSIA_HOME", str(home))
    return home


@pytest.fixture(scope="session")
def ten_authors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten authors of the sample, five texts of each, from three sources."""
    from forensia import paths

    known = paths.sample_case() / "known"
    folder = tmp_path_factory.mktemp("ten")
    for author in sorted(each.name for each in known.iterdir())[:10]:
        for source, texts in (("diary", 2), ("letters", 2), ("mails", 1)):
            (folder / author / source).mkdir(parents=True)
            for file in sorted((known / author / source).iterdir())[:texts]:
                shutil.copy(file, folder / author / source)
    return folder


@pytest.fixture(scope="session")
def validated_case(ten_authors: Path, hasty: Profile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case of those ten, trained and validated in haste. To be read only: whoever changes it takes a copy."""
    from forensia.case import Case
    from forensia.corpus import ReadOptions
    from forensia.service.importing import import_corpus
    from forensia.service.training import train_case
    from forensia.systems.pairmodel import TrainingOptions

    def make(folder: Path) -> None:
        with language_there(), Case.create(folder / "ten.forensia") as case:
            import_corpus(case, ten_authors, ReadOptions())
            train_case(case, TrainingOptions(profile=hasty))

    made = once(tmp_path_factory, "validated", make) / "ten.forensia"
    return Path(shutil.copy(made, tmp_path_factory.mktemp("validated")))  # each worker has one to open and to lock
