"""What a child process may not do: use the network, start programs, write files, or take more time and memory than it was given.

Parsers of ours and the libraries we chose do none of this; it holds if one of them has a hole.
"""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from pathlib import Path

if sys.platform != "win32":
    import resource

_FORBIDDEN = (
    "socket.", "subprocess.", "shutil.", "ftplib.", "smtplib.", "urllib.", "webbrowser.",
    "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.startfile",
    "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.truncate",
)  # fmt: skip
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_GRACE = 5.0  # by the clock: the parent stops its child first; this is for a child whose parent is gone

# How a process ends that used up its time; the names are missing on Windows, where the parent's clock is the only one.
TIME_SIGNALS = tuple(-int(getattr(signal, name)) for name in ("SIGXCPU", "SIGALRM") if hasattr(signal, name))
MEMORY_CODE = 77  # the exit code of a process that `watch` ended


def alone() -> None:
    """Refuse to go on with more than one thread: another one would escape what this one is forbidden."""
    threads = len(list(Path("/proc/self/task").iterdir())) if sys.platform == "linux" else threading.active_count()
    if threads != 1:
        raise RuntimeError(f"a confined process with {threads} threads")


def forbid() -> None:
    """Refuse network, programs and writing from now on; Python's audit events cannot be switched off again, nor gone around."""
    sys.dont_write_bytecode = True
    sys.addaudithook(_judge)


def _judge(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open":
        flags = arguments[2]
        if isinstance(flags, int) and flags & _WRITING:
            raise PermissionError("a working process writes no files")
    elif event.startswith(_FORBIDDEN):
        raise PermissionError(f"a working process may not use {event}")


def bound(memory: int) -> None:
    """Cap the address space, and with it everything; no core dump (it would hold the document), no file, few descriptors."""
    if sys.platform == "win32":
        return  # only the limits of the readers and the parent's clock hold there
    for kind, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_NOFILE, 64)):
        _limit(kind, most)
    if sys.platform == "darwin" or not _limit(resource.RLIMIT_AS, memory):
        threading.Thread(target=watch, args=(memory,), daemon=True).start()


def _limit(kind: int, most: int) -> bool:
    """Lower both limits of one resource as far as the system lets us."""
    hard = resource.getrlimit(kind)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    try:
        resource.setrlimit(kind, (most, most))
    except (ValueError, OSError):
        return False
    return True


def watch(memory: int) -> None:
    """End this process when it has used more than `memory`: for systems that accept a limit and then ignore it."""
    unit = 1 if sys.platform == "darwin" else 1024
    while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit <= memory:
        time.sleep(0.1)
    os._exit(MEMORY_CODE)


def give_time(seconds: float, cpu_seconds: float) -> None:
    """Start the clocks of one call; 0 stops them. When one runs out, the system ends the process."""
    if sys.platform == "win32":
        return
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE if seconds else 0.0)
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = math.ceil(used.ru_utime + used.ru_stime + cpu_seconds) if cpu_seconds else hard
    if hard != resource.RLIM_INFINITY and soft != resource.RLIM_INFINITY:
        soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
