"""The habits of the house, enforced: style, types, and the direction of imports."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "forensia"
ROOMS = (
    "corpus", "language", "features", "diffvectors", "systems", "evidence", "wording", "case", "figures",
    "report", "experiments", "service", "gui", "bench",
)  # fmt: skip
SHARED = {"jobs", "errors", "files", "paths", "codec", "profile", "estimator"}
HALLS = {
    "settings",
    "logs",
}  # used by the entrances (cli, gui) only; they use nothing but each other and the shared ones
ENTRANCES = {"__init__", "cli", "licences", "selftest", "__main__", "gui"}


def _tool(*command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_lint() -> None:
    _tool("ruff", "check", ".")


def test_format() -> None:
    _tool("ruff", "format", "--check", ".")


@pytest.mark.timeout(600)
def test_types() -> None:
    _tool("mypy")


def _imports(module: Path) -> set[str]:
    """Absolute names of everything a module imports, at any depth of nesting."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            base = node.module or ""
            found |= {f"{base}.{alias.name}" for alias in node.names} if base == "forensia" else {base}
    return found


def _room(module: Path) -> str:
    return module.relative_to(PACKAGE).with_suffix("").parts[0]


@pytest.mark.parametrize("module", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_go_one_way(module: Path) -> None:
    here = _room(module)
    names = _imports(module)
    if here != "gui":
        assert not [name for name in names if name.startswith(("PySide6", "shiboken6"))], "Qt outside gui/"
    assert "matplotlib.pyplot" not in names
    rooms = {name.split(".")[1] for name in names if name.startswith("forensia.")} - {here}
    assert here == "cli" or "bench" not in rooms, "only the command line measures the program"
    if here in ENTRANCES:
        return
    if here in SHARED | HALLS:
        assert rooms <= SHARED | HALLS | {"__version__"}
        return
    earlier = set(ROOMS[: ROOMS.index(here)])
    assert rooms <= earlier | SHARED | {"__version__"}, f"{here} imports {sorted(rooms - earlier - SHARED)}"


def test_the_guide_for_contributors_has_the_rooms_in_their_order() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", guide, re.MULTILINE)
    assert tuple(re.findall(r"\w+", " ".join(rows))) == ROOMS
    shared = re.search(r"^\| shared: ([^|]*)\|", guide, re.MULTILINE)
    assert shared is not None and set(re.findall(r"\w+", shared[1])) == SHARED


def test_qt_is_loaded_by_the_window_alone() -> None:
    """Import every module outside gui/ in a fresh interpreter: Qt must not be there, nor anything slow that the window waits for."""
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted(PACKAGE.rglob("*.py"))
        if _room(path) != "gui" and path.name != "__main__.py"
    ]
    code = (
        f"import importlib, sys\nfor m in {modules!r}: importlib.import_module(m)\nassert 'PySide6' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_window_comes_before_the_heavy_libraries() -> None:
    code = (
        "import sys, forensia.cli, forensia.gui.app\n"
        "heavy = {'spacy', 'sklearn', 'matplotlib', 'scipy', 'nltk'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_notice_that_the_window_is_coming_waits_for_nothing() -> None:
    code = "import sys, forensia.gui.opening\nassert not {'numpy', 'forensia.corpus'} & set(sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_module_is_two_rooms() -> None:
    long = {
        p.relative_to(ROOT).as_posix(): n
        for p in PACKAGE.rglob("*.py")
        if (n := len(p.read_text("utf-8").splitlines())) > 500
    }
    assert not long, long


def test_nothing_unpickles() -> None:
    forbidden = ("import pickle", "joblib.load", "allow_pickle=True", "import dill", "import shelve")
    guilty = [p.name for p in PACKAGE.rglob("*.py") if any(word in p.read_text("utf-8") for word in forbidden)]
    assert not guilty, guilty
