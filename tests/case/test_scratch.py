"""Temporary files: private, gone at the end, and swept when their owner was killed."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from forensia import cli, paths
from forensia.case import Scratch, sweep

_CODE = """
import os, sys
from forensia.case import Scratch
scratch = Scratch()
(scratch.path / "text.txt").write_text("words of a document")
print(scratch.path, flush=True)
if sys.argv[1] == "killed":
    os.kill(os.getpid(), 9)
elif sys.argv[1] == "waits":
    sys.stdin.readline()
"""


def _child(how: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _CODE, how],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_it_is_private_and_goes_away() -> None:
    with Scratch() as scratch:
        assert stat.S_IMODE(scratch.path.stat().st_mode) == stat.S_IMODE(scratch.path.parent.stat().st_mode) == 0o700
        assert scratch.path.is_relative_to(paths.cache_dir())
        (scratch.path / "folder").mkdir()
        (scratch.path / "folder" / "text.txt").write_text("words")
        (scratch.path / "link").symlink_to(scratch.path.parent.parent)
    assert not scratch.path.exists() and scratch.path.parent.parent.exists()
    scratch.close()


def test_it_goes_away_at_exit() -> None:
    with _child("ends") as child:
        out, _ = child.communicate()
    assert child.returncode == 0 and not Path(out.strip()).exists()


def test_what_a_kill_left_is_swept_at_the_next_start() -> None:
    with _child("waits") as alive, _child("killed") as killed, Scratch() as ours:
        assert alive.stdout and alive.stdin and killed.stdout
        kept, left = Path(alive.stdout.readline().strip()), Path(killed.stdout.readline().strip())
        killed.wait()
        assert (left / "text.txt").exists()
        assert sweep() == 1
        assert not left.exists() and (kept / "text.txt").exists() and ours.path.exists()
        alive.stdin.write("\n")
        alive.stdin.flush()
        alive.wait()
    assert os.listdir(paths.cache_dir() / "scratch") == []  # noqa: PTH208


def test_every_start_sweeps_the_window_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with _child("killed") as killed:
        left = Path(killed.communicate()[0].strip())
    there = []
    monkeypatch.setattr(cli, "_window", lambda options, bar: there.append(left.exists()))
    assert left.exists() and cli.run([]) == 0 and there == [False]


def test_a_place_that_cannot_be_swept_keeps_nobody_from_working(
    monkeypatch: pytest.MonkeyPatch, own_home: Path
) -> None:
    monkeypatch.setattr(cli, "_window", lambda options, bar: None)
    (own_home / "cache").write_text("not a folder")
    assert cli.run([]) == 0
