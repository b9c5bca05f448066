"""The page of architecture: what it names is there, and its walks are those that the program takes."""

from __future__ import annotations

import ast
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from forensia import paths
from forensia.case import Case
from forensia.corpus import ReadOptions
from forensia.gui import tasks
from forensia.jobs import silent
from forensia.jobs.worker import nothing
from tests.house.test_habits import PACKAGE, ROOMS

PAGE = (PACKAGE / "ARCHITECTURE.md").read_text("utf-8")
NAMED = re.compile(r"`([\w/]+\.py)`: `([\w.]+)`")
FOLLOWED = re.compile(r"<!-- followed: (\w+) -->\n(.*?)<!-- end -->", re.DOTALL)
LINES = 90


def _defined(tree: ast.Module) -> dict[str, ast.AST]:
    """What a module defines at its top, and the members of its classes, by name."""
    found: dict[str, ast.AST] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{each.name}": each for each in node.body if isinstance(each, ast.FunctionDef)}
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        for target in node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]:
            if isinstance(target, ast.Name):
                found[target.id] = node
    return found


@pytest.mark.parametrize(("file", "name"), sorted(set(NAMED.findall(PAGE))))
def test_what_is_named_is_there(file: str, name: str) -> None:
    assert name in _defined(ast.parse((PACKAGE / file).read_text("utf-8")))


def test_every_file_and_room_is_named_as_it_is() -> None:
    files = re.findall(r"`([\w/]+\.py)`", PAGE)
    assert not [file for file in files if not (PACKAGE / file).is_file()]
    assert not [room for room in ROOMS if f"`{room}`" not in PAGE]
    assert len(PAGE.splitlines()) <= LINES, "one page"


@contextmanager
def _followed() -> Iterator[list[tuple[str, str]]]:
    """Our functions, by file and name, in the order in which they are first called."""
    called: dict[tuple[str, str], None] = {}
    home = f"{PACKAGE.resolve()}/"

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(home):
            called.setdefault((code.co_filename.removeprefix(home), code.co_qualname))

    order: list[tuple[str, str]] = []
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield order
    finally:
        sys.setprofile(before)
        order += called


def _steps(walk: str) -> list[tuple[str, str]]:
    """The functions that a walk names, as the page has them."""
    text = dict(FOLLOWED.findall(PAGE))[walk]
    named = NAMED.findall(text)
    return [(file, name) for file, name in named if name.rpartition(".")[2][:1].islower() or "._" in name]


@pytest.fixture(scope="module")
def analysed(validated_case: Path, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    case = Path(shutil.copy(validated_case, tmp_path_factory.mktemp("walk") / "case.forensia"))
    text = paths.sample_case() / "disputed" / "anonymous-1.txt"
    with _followed() as order:
        assert tasks.analyse(silent, nothing, case=str(case), files=[str(text)]).done == 1
    return order


@pytest.mark.parametrize("walk", ["analyse", "headline"])
def test_a_disputed_text_goes_this_way(walk: str, analysed: list[tuple[str, str]]) -> None:
    assert [step for step in analysed if step in _steps(walk)] == _steps(walk)


def test_known_texts_go_this_way(ten_authors: Path, tmp_path: Path) -> None:
    case = tmp_path / "case.forensia"
    Case.create(case).close()
    with _followed() as order:
        tasks.read(silent, nothing, case=str(case), source=str(ten_authors), options=ReadOptions())
    assert [step for step in order if step in _steps("read")] == _steps("read")
