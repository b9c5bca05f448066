"""The sample case, as fixtures."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from forensia.case import Case


@pytest.fixture(scope="session")
def samples() -> ModuleType:
    spec = importlib.util.spec_from_file_location("case_samples", Path(__file__).with_name("samples.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
