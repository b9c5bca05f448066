"""What goes into the bundle, and that the lock and the version are those of the project."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

import forensia

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"


@pytest.mark.parametrize(
    "place",
    [
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqwayland.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6\\plugins\\platforms\\qwindows.dll",
        "PySide6/Qt/plugins/platforms/libqcocoa.dylib",
        "PySide6/Qt/lib/libQt6Widgets.so.6",
        "PySide6/Qt/lib/libicudata.so.73",
        "matplotlib/mpl-data/fonts/ttf/DejaVuSans.ttf",
        "resources/language/english/meta.json",
        "numpy-2.4.6.dist-info/METADATA",
        "numpy-2.4.6.dist-info/licenses/LICENSE.txt",
        "spacy-3.8.18.dist-info/entry_points.txt",
    ],
)
def test_what_is_needed_stays(tool: Callable[[str], ModuleType], place: str) -> None:
    assert tool("contents").wanted(place)


@pytest.mark.parametrize(
    "place",
    [
        "PySide6/Qt/plugins/platforms/libqeglfs.so",
        "PySide6/Qt/plugins/platforms/libqminimalegl.so",
        "PySide6\\plugins\\platforms\\qdirect2d.dll",
        "PySide6\\translations\\qtbase_de.qm",
        "PySide6/Qt/plugins/sqldrivers/libqsqlite.so",
        "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
        "libstdc++.so.6",
        "PySide6/Qt/translations/qtbase_de.qm",
        "PySide6/Qt/translations/qt_help_de.qm",
        "sklearn/datasets/data/digits.csv.gz",
        "spacy/tests/doc/test_doc.py",
        "numpy-2.4.6.dist-info/RECORD",
        "spacy/vocab.pyx",
    ],
)
def test_what_is_not_needed_goes(tool: Callable[[str], ModuleType], place: str) -> None:
    assert not tool("contents").wanted(place)


def imported(file: Path) -> set[str]:
    """The modules that a file imports, wherever in it; `from a import b` may mean the module a.b."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_nothing_that_is_imported_is_left_out(tool: Callable[[str], ModuleType]) -> None:
    optional = {"dask", "distributed"}  # of the extra "cluster", for experiments from source
    excluded = set(tool("contents").EXCLUDED) - optional
    for file in (ROOT / "forensia").rglob("*.py"):
        for name in imported(file):
            parents = {name.rsplit(".", cut)[0] for cut in range(name.count(".") + 1)}
            assert not parents & excluded, f"{file.name} imports {name}"


def test_the_spec_can_be_read_and_leaves_the_decisions_to_contents(tool: Callable[[str], ModuleType]) -> None:
    tree = ast.parse((PACKAGING / "forensia.spec").read_text("utf-8"))
    compile(tree, "forensia.spec", "exec")
    asked = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "contents"
    }
    contents = tool("contents")
    assert {"HIDDEN", "EXCLUDED", "UNPREPARED", "wanted", "needed", "stripped"} <= asked
    assert [name for name in asked if not hasattr(contents, name)] == []


def test_a_link_goes_with_the_file_it_points_to(tool: Callable[[str], ModuleType]) -> None:
    there = ("libA.so", "PySide6/Qt/lib/libA.so", "SYMLINK")
    gone = ("libB.so", "PySide6/Qt/lib/libB.so", "SYMLINK")
    near = ("x/libA.so", "../PySide6/Qt/lib/libA.so", "SYMLINK")
    folder = ("PySide6/Current", "Qt", "SYMLINK")
    data = ("y.txt", "/source/y.txt", "DATA")
    kept = tool("contents").without_loose_ends([there, gone, near, folder, data], {"PySide6/Qt/lib/libA.so", "y.txt"})
    assert kept == [there, near, folder, data]


def test_the_program_and_its_children_call_each_other_by_the_same_flag() -> None:
    from forensia.jobs.child import CHILD_FLAG

    for file in (PACKAGING / "entry.py", ROOT / "forensia" / "__main__.py"):
        assert f'"{CHILD_FLAG}"' in file.read_text("utf-8")


def test_qt_speaks_the_languages_of_the_window(tool: Callable[[str], ModuleType], tmp_path: Path) -> None:
    contents = tool("contents")
    (tmp_path / "translations").mkdir()
    (tmp_path / "translations" / "forensia_de.qm").touch()
    languages = contents.languages(tmp_path)
    assert contents.wanted("PySide6/Qt/translations/qtbase_de.qm", languages)
    assert not contents.wanted("PySide6/Qt/translations/qtbase_fr.qm", languages)


def test_all_resources_go_in_and_nothing_else(tool: Callable[[str], ModuleType], tmp_path: Path) -> None:
    for name in ("plans/a.toml", "plans/.a.toml.swp", "__pycache__/x.pyc", "language/b~"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    contents = tool("contents")
    assert contents.resources(tmp_path) == [(str(tmp_path / "plans" / "a.toml"), "resources/plans")]
    every = contents.resources(ROOT / "resources")
    parts = {target.split("/")[1] for _, target in every if "/" in target}
    assert {"language", "function_words", "sample", "plans", "icons", "help"} <= parts
    assert (str(ROOT / "resources" / "theme.qss"), "resources") in every


def test_a_bare_system_gets_the_libraries_that_were_put_in(tool: Callable[[str], ModuleType]) -> None:
    text = (PACKAGING / "before_qt.py").read_text("utf-8")
    listed = re.findall(r"^_(?:ALWAYS|FOR_QT) = \((.*?)\)", text, re.MULTILINE | re.DOTALL)
    assert tuple(re.findall(r'"(.+?)"', " ".join(listed))) == tool("contents").FALLBACK


def test_only_harmless_modules_are_stripped(tool: Callable[[str], ModuleType]) -> None:
    contents = tool("contents")
    assert not {"numpy", "scipy", "numpy.libs", "scipy.libs", "sklearn", "PySide6", "shiboken6"} & set(
        contents.STRIPPED
    )


def test_macos_knows_whose_the_cases_are(tool: Callable[[str], ModuleType]) -> None:
    contents = tool("contents")
    about = contents.mac_description("1.2.3")
    (document,), (declared,) = about["CFBundleDocumentTypes"], about["UTExportedTypeDeclarations"]
    assert document["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]
    assert declared["UTTypeTagSpecification"]["public.filename-extension"] == ["forensia"]
    assert about["CFBundleShortVersionString"] == "1.2.3"


def locked() -> dict[str, tuple[str, int]]:
    """Version and number of hashes of each library in the lock."""
    text = (PACKAGING / "requirements.lock").read_text("utf-8")
    blocks = re.findall(r"^([a-z0-9.-]+)==(\S+)((?:.*\\\n)*.*)", text, re.MULTILINE)
    return {name: (version, rest.count("--hash=sha256:")) for name, version, rest in blocks}


def test_the_lock_fits_the_project() -> None:
    """If this fails: python3 packaging/lock.py."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = locked()
    for text in [*project["dependencies"], "pyinstaller>=6.11,<7", "hatchling>=1.25"]:
        wanted = Requirement(text)
        name = wanted.name.lower().replace("_", "-")
        assert name in versions, f"{name} is not in the lock"
        assert versions[name][0] in wanted.specifier, f"{name} {versions[name][0]} is not {wanted.specifier}"
    assert all(hashes for _, hashes in versions.values())
    assert versions["numpy"][1] >= 3 and versions["pyside6-essentials"][1] >= 3, "a wheel for each system"


def test_nobody_else_is_named() -> None:
    """Where packages come from is the builder's business."""
    for file in PACKAGING.rglob("*"):
        if file.suffix in {".py", ".lock", ".spec", ".sh", ".md", ".iss", ".bat", ".command", ".pyw"}:
            text = file.read_text("utf-8")
            assert "index-url" not in text and "find-links" not in text and "/simple" not in text, file.name


def test_the_version_is_in_one_place(tool: Callable[[str], ModuleType]) -> None:
    assert tool("build").version() == forensia.__version__
    heading = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert heading is not None and heading[1] == forensia.__version__
    for file in ("forensia.spec", "windows/forensia.iss", "linux/forensia.desktop", "linux/install.sh"):
        assert forensia.__version__ not in (PACKAGING / file).read_text("utf-8"), file


def test_a_build_does_not_depend_on_the_moment(
    tool: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    build = tool("build")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000001")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    settings = build.settings(tmp_path)
    assert settings["SOURCE_DATE_EPOCH"] == "1700000001" and settings["PYTHONHASHSEED"] == "1"
    assert "PYTHONPATH" not in settings
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert build.source_date() > 1_600_000_000 and build.source_date() == build.source_date()


def test_another_python_is_refused(tool: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    build = tool("build")
    monkeypatch.setattr(build.sys, "version_info", (3, 8, 0))
    with pytest.raises(build.CannotBuild, match="lock is for"):
        build.check_python()
