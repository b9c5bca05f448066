"""What the bundle starts: Forensia, once the streams that it may lack are there, with matplotlib's font list in Forensia's own cache.

Whatever is imported here delays the first window.
"""

import contextlib
import os
import sys

for name in ("stdout", "stderr"):
    if getattr(sys, name) is None:  # a windowed program on Windows has none
        setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115

from forensia import paths  # noqa: E402
from forensia.__main__ import main  # noqa: E402
from forensia.errors import ForensiaError  # noqa: E402

CHILD_FLAG = "--forensia-child"  # that of forensia.jobs.child

if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1].startswith("-") and sys.platform.startswith("linux"):
        import pyi_rth_multiprocessing  # type: ignore[import-not-found]  # noqa: F401  # see UNPREPARED in contents.py
    if CHILD_FLAG not in sys.argv[1:2]:  # a child has it from its parent, or may write nothing at all
        with contextlib.suppress(ForensiaError):  # a place that cannot be written: matplotlib finds another
            os.environ.setdefault("MPLCONFIGDIR", str(paths.cache_dir() / "matplotlib"))
    sys.exit(main())
