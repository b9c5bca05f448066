from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

from forensia import logs
from forensia.errors import InputError

SECRET = "the heron stood on the slipway"


def test_log_never_holds_what_an_exception_quotes() -> None:
    file = logs.start()
    try:
        try:
            int(SECRET)
        except ValueError as error:
            raise InputError("letter.txt cannot be read. Choose another file.") from error
    except InputError:
        logging.getLogger("forensia.test").exception("reading failed")
    written = file.read_text(encoding="utf-8")
    assert "letter.txt cannot be read" in written
    assert "ValueError" in written and "test_logs.py" in written
    assert SECRET not in written and "heron" not in written


def test_starting_twice_logs_once() -> None:
    file = logs.start()
    assert logs.start() == file
    logging.getLogger("forensia.test").warning("only once, please")
    assert file.read_text("utf-8").count("only once, please") == 1


def test_a_hard_crash_is_shown_at_the_next_start(own_home: Path) -> None:
    code = "from forensia import logs; logs.watch_for_crashes(); import faulthandler; faulthandler._sigsegv()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode != 0
    left = logs.watch_for_crashes()
    logs.stop_watching()
    assert "Segmentation fault" in left or "access violation" in left
    assert os.name == "nt" or logs.crash_file().stat().st_mode & 0o777 == 0o600
    assert logs.watch_for_crashes() == ""
    logs.stop_watching()
