"""A case that is open here and lent to a child process, which writes in our place meanwhile."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from forensia.case.store import Case

ROOT = Path(__file__).parents[2]


def _child(code: str, *, ends: bool = True) -> str:
    head = "import os\nfrom forensia.case.store import Case\n"
    done = subprocess.run([sys.executable, "-c", head + code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0 or not ends, done.stderr
    return done.stdout.strip()


def test_a_lent_case_is_written_by_the_child_and_read_here(tmp_path: Path) -> None:
    path = tmp_path / "lent.forensia"
    with Case.create(path) as case:
        case.log.note("before")
        said = _child(
            f"with Case.open({str(path)!r}, lent=True) as lent: print(repr(lent.read_only)); lent.log.note('by the child')"
        )
        assert said == "''"
        assert [entry.event for entry in case.log.entries()][-2:] == ["before", "by the child"]
        case.log.note("after")
        assert not case.log.faults()
        other = _child(f"with Case.open({str(path)!r}) as other: print(other.read_only)")
        assert "another window" in other, "for everybody else it is still read-only"
    assert not path.with_name(path.name + "-lock").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="kills itself by a signal")
def test_a_child_killed_within_a_step_leaves_the_case_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "lent.forensia"
    with Case.create(path) as case:
        case.log.note("before")
        _child(
            f"lent = Case.open({str(path)!r}, lent=True)\n"
            "with lent.log.run('training'):\n"
            "    with lent.step('half done'):\n"
            "        lent.database.put('x', 'y', {'z': 1})\n"
            "        os.kill(os.getpid(), 9)",
            ends=False,
        )
        assert case.log.entries()[-1].event == "run started"
        assert case.log.close_interrupted() == (1,)
        assert case.log.entries()[-1].event == "run interrupted"
        assert not case.log.faults()
        case.log.note("and on")
    with Case.open(path) as again:
        assert not again.damage and again.log.entries()[-1].event == "and on"
