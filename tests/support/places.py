"""Where things are that tests read."""

from __future__ import annotations

import lzma
from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
VERSION_0_1 = DATA / "cases" / "version0.1"


def real_case(folder: Path) -> Path:
    """A copy of the real case of version 0.1, to do anything with."""
    place = folder / "case.forensia"
    place.write_bytes(lzma.decompress((VERSION_0_1 / "case.forensia.xz").read_bytes()))
    return place
