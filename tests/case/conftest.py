"""The sample case, as fixtures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from forensia.case import Case
from support import casesamples


@pytest.fixture(scope="session")
def samples() -> ModuleType:
    return casesamples


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    """A new, empty case."""
    with Case.create(tmp_path / "new.forensia") as made:
        yield made


@pytest.fixture
def full(tmp_path: Path, samples: ModuleType) -> Iterator[Case]:
    """A case with something of every kind in it."""
    with Case.open(samples.make(tmp_path / "full.forensia")) as made:
        yield made
