"""`python -m forensia`, and the entry point of the installed commands."""

from __future__ import annotations

import multiprocessing
import sys


def main() -> int:
    multiprocessing.freeze_support()
    if sys.argv[1:] == ["--forensia-child"]:  # `forensia.jobs.child` started us, from a frozen bundle
        from forensia.jobs.child import serve

        serve()
        return 0
    from forensia.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
