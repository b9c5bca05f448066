"""A small corpus of made-up authors, each with words of their own, and a plan that runs on it in seconds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from forensia.experiments.plans import Plan, parse_plan
from tests.corpus.conftest import folder, prose  # noqa: F401

_WORDS = (
    "the of and to in is was for it with as his on be at by had not are but from or have an they which one you were her all she "
    "there would their we him been has when who will more no if out so said what up its about into than them can only other"
).split()


@pytest.fixture(scope="session")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven authors with nine texts each, in a folder for each author."""
    letters = tmp_path_factory.mktemp("made up") / "letters"
    rng = random.Random(1)
    for author in range(7):
        own = rng.sample(_WORDS, 20)
        place = letters / f"author {author}"
        place.mkdir(parents=True)
        for number in range(9):
            sentences = []
            for _ in range(6):
                words = [
                    rng.choice(own if rng.random() < 0.5 else _WORDS)
                    for _ in range(rng.randint(4 + author, 9 + author))
                ]
                sentences.append(" ".join(words).capitalize() + rng.choice(".!?"[: 1 + author % 3]))
            (place / f"{number}.txt").write_text(" ".join(sentences), "utf-8")
    return letters


@pytest.fixture(scope="session")
def small_plan(made_up: Path) -> Plan:
    """Four units of work."""
    stated = {
        "name": "small",
        "title": "Small",
        "data": [str(made_up)],
        "runs": 2,
        "part": [
            {
                "tasks": ["aa", "sav-closed"],
                "methods": ["Lazy AA", "STD-AA", "DV-Bin", "STD-CosDist"],
                "m": [3],
                "q": [3, 5],
                "pairs": 15,
                "keep_scores": True,
            }
        ],
    }
    return parse_plan(stated)
