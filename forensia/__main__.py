"""`python -m forensia`, and the entry point of the installed commands."""

from __future__ import annotations

import os
import sys


def main() -> int:
    if sys.argv[1:2] and sys.argv[1].startswith("-"):  # so its children are started; a window opens sooner without it
        import multiprocessing

        multiprocessing.freeze_support()
    os.umask(0o077)  # whatever we write, in whatever place, is for this user alone
    if sys.argv[1:2] == ["--forensia-child"]:  # `forensia.jobs` started us, from a frozen bundle
        from forensia.jobs.serving import serve

        serve(sys.argv[2])
        return 0
    from forensia.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
