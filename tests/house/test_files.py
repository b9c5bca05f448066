"""Files for the user: the old one or the new one, never half of one, whoever writes it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from forensia import cli, files
from forensia.errors import StorageError
from forensia.experiments.tablefiles import write_file
from forensia.gui.tasks import plots
from forensia.jobs import silent
from forensia.report import spreadsheets

OLD = "what was there before"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="modes and links are those of POSIX")


def _picture(target: Path) -> None:
    plot, data = plots.as_sent(plots.AuthorsPlot((3, 4), (10, 20)))
    plots.save(silent, lambda news: None, plot=plot, data=data, target=str(target))


WRITERS: dict[str, Callable[[Path], object]] = {
    "json": lambda target: cli.write_json({"found": 1}, str(target)),
    "table.csv": lambda target: spreadsheets.write(spreadsheets.ReportTable("t", ("a",), ((1,),)), target),
    "table.xlsx": lambda target: spreadsheets.write(spreadsheets.ReportTable("t", ("a",), ((1,),)), target),
    "picture.png": _picture,
    "picture.svg": _picture,
    "picture.pdf": _picture,
    "experiment.tex": lambda target: write_file(target, b"x"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    target = tmp_path / name
    target.write_text(OLD)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(StorageError, match="No space left on device"):
            WRITERS[name](target)
    assert target.read_text() == OLD
    assert [path.name for path in tmp_path.iterdir()] == [name]
    WRITERS[name](target)
    assert target.read_bytes() != OLD.encode()
    assert [path.name for path in tmp_path.iterdir()] == [name]


@POSIX
def test_what_was_found_goes_where_it_was_sent(tmp_path: Path) -> None:
    """A link stays a link, a device a device, and a file keeps its mode unless it is to be private."""
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text(OLD)
    real.chmod(0o640)
    link.symlink_to(real)
    cli.write_json([1], str(link))
    assert link.is_symlink() and json.loads(real.read_text()) == [1] and real.stat().st_mode & 0o777 == 0o640
    files.write(real, "secret", private=True)
    assert real.stat().st_mode & 0o777 == 0o600
    cli.write_json([1], os.devnull)
    assert Path(os.devnull).is_char_device()
    with pytest.raises(StorageError, match="could not be written"):
        files.write(tmp_path, b"")
    with pytest.raises(StorageError, match="could not be written"):
        files.write(tmp_path / "nowhere" / "x", b"")


@pytest.mark.parametrize("name", ["../../x", "CON", "nul.txt", "a/b\\c:d", ".hidden", "", "x" * 400, "a\nb"])
def test_names_of_files_are_safe(name: str) -> None:
    safe = files.safe_name(name)
    assert safe and len(safe) <= 81
    assert not set(safe) & set('/\\:*?"<>|\n')
    assert not safe.startswith(".") and safe.split(".")[0].upper() not in {"CON", "NUL"}


def test_slugs() -> None:
    assert files.slug("../../CON: x") == "con-x"
    assert files.slug("…") == "table"
