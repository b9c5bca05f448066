"""The embedded model, loaded once for all tests of this room, and real text to read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from threadpoolctl import threadpool_limits

from forensia.language import LanguageModel, load_model
from forensia.paths import sample_case


@pytest.fixture(scope="session")
def model() -> LanguageModel:
    return load_model()


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> Iterator[None]:
    """spaCy's own pipeline, to which we compare, is slow when its threads fight with those of other programs."""
    with threadpool_limits(limits=1, user_api="blas"):
        yield


@pytest.fixture(scope="session")
def texts() -> list[str]:
    return [path.read_text("utf-8") for path in sorted(sample_case().rglob("*.txt"))]
