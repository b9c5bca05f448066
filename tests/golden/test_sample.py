"""What the program says of the sample case, compared with what it said before: JSON, the text of the report, the terminal.

A difference that is meant is written anew, and looked at, with

    FORENSIA_REGENERATE=1 python -m pytest tests/golden && git diff tests/data/golden
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from support.golden import json_differences, text_differences
from support.once import once
from support.places import DATA
from support.samplerun import run_sample

GOLDEN = DATA / "golden"
NAMES = (
    "analyse.json", "analyse.txt", "compare.json", "compare.txt", "demo.txt", "report-command.txt", "report.json", "report.txt",
    "results.json", "train.json", "train.txt", "validate.txt", "validation.json",
)  # fmt: skip


@pytest.fixture(scope="module")
def now(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return once(tmp_path_factory, "sample", run_sample) / "now"


@pytest.mark.timeout(1_200)  # the whole sample is trained and validated
@pytest.mark.parametrize("name", NAMES)
def test_the_sample_says_what_it_said(name: str, now: Path) -> None:
    if os.environ.get("FORENSIA_REGENERATE"):
        shutil.copyfile(now / name, GOLDEN / name)
    right, made = ((folder / name).read_text("utf-8") for folder in (GOLDEN, now))
    if name.endswith(".json"):
        found = json_differences(json.loads(right), json.loads(made))
    else:
        found = text_differences(right, made)
    assert not found, "\n".join([f"{name} differs from tests/data/golden (see the top of this file):", *found])


@pytest.mark.timeout(1_200)
def test_nothing_is_left_out(now: Path) -> None:
    assert {file.name for file in now.iterdir()} == set(NAMES) == {file.name for file in GOLDEN.iterdir()}
