"""The sample documents, as a fixture."""

from __future__ import annotations

from types import ModuleType

import pytest

from support import documentsamples


@pytest.fixture(scope="session")
def samples() -> ModuleType:
    return documentsamples
