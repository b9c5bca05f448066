"""A whole run of the program in a process of its own, which dies at the first internet socket. Run as a script.

It prints one line of JSON with what it saw.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import io
import json
import os
import platform
import socket
import struct
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forensia.jobs import Progress

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_SOCKET_CALL = {
    "x86_64": (0xC000003E, 41),
    "aarch64": (0xC00000B7, 198),
}  # the name of the machine, the number of the call
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_LOAD, _EQUAL, _RETURN, _KILL, _ALLOW = 0x20, 0x15, 0x06, 0x80000000, 0x7FFF0000


def set_trap() -> bool:
    """Let the kernel kill this process and all it starts when they ask for an internet socket, from Python or from a library."""
    if sys.platform != "linux" or platform.machine() not in _SOCKET_CALL:
        return False
    machine, call = _SOCKET_CALL[platform.machine()]
    program = [
        (_LOAD, 0, 0, 4), (_EQUAL, 0, 6, machine),
        (_LOAD, 0, 0, 0), (_EQUAL, 0, 4, call),
        (_LOAD, 0, 0, 16), (_EQUAL, 1, 0, int(socket.AF_INET)), (_EQUAL, 0, 1, int(socket.AF_INET6)),
        (_RETURN, 0, 0, _KILL), (_RETURN, 0, 0, _ALLOW),
    ]  # fmt: skip
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in program))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))

    whole = Program(len(program), ctypes.cast(code, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)
    return (
        libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
        and libc.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(whole), 0, 0) == 0
    )


def whole(corpus: Path, disputed: list[Path], folder: Path) -> None:
    """Train, analyse and verify as a user does, and whatever else is built, watched."""
    sockets: list[str] = []
    written: set[str] = set()

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if event.startswith("socket."):
            sockets.append(f"{event} {arguments[1:]}")
        elif event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING:
            written.add(os.fsdecode(arguments[0]) if isinstance(arguments[0], (str, bytes)) else "")

    trapped = set_trap()
    sys.addaudithook(watch)
    from forensia.__main__ import main

    case = str(folder / "a.forensia")
    commands = [
        ["train", str(corpus), "-o", case, "--quick", "--jobs", "2"],
        ["analyse", case, *map(str, disputed), "--json", str(folder / "found.json")],
        ["verify", case, "--json", str(folder / "verified.json")],
        ["validate", case],
        ["compare", case, *map(str, disputed[:2])],
        ["report", case, "-o", str(folder / "report.pdf")],
    ]
    codes, said = {}, ""
    for command in commands:
        told = io.StringIO()
        sys.argv = ["forensia", *command]
        with contextlib.redirect_stderr(told):
            code = main()
        codes[command[0]] = code
        said += told.getvalue()
    interfaces = [line.split(":")[0].strip() for line in _lines("/proc/net/dev")[2:]]
    saw = {"trapped": trapped, "sockets": sockets, "codes": codes, "interfaces": interfaces, "written": sorted(written)}
    print(json.dumps({**saw, "said": said}))


def in_processes(corpus: Path) -> None:
    """The language analysis in several processes, which small corpora do without."""
    trapped = set_trap()
    from forensia.language import load_model
    from forensia.language.analysis import analyse

    texts = [file.read_text("utf-8") for file in sorted(corpus.rglob("*.txt"))[:3]]
    print(json.dumps({"trapped": trapped, "texts": len(analyse(texts, load_model(), 2, processes=True))}))


def held() -> None:
    """The program as a user starts it, but training goes no further than to its first step: whoever kills it has all the time."""
    import time

    from forensia.__main__ import main
    from forensia.service import training

    read = training.read_known

    def endless(*given: Any, progress: Progress, **options: Any) -> None:
        def hold(fraction: float, message: str = "") -> None:
            progress(fraction, message)
            while fraction > 0:
                time.sleep(1)

        read(*given, progress=hold, **options)

    training.read_known = endless  # type: ignore[assignment]
    sys.argv[1:] = sys.argv[2:]
    sys.exit(main())


def broken(corpus: Path, folder: Path, how: str) -> None:
    """A run that fails on a text: with an exception that quotes it, or in a library."""
    import faulthandler

    from forensia import cli, logs

    analysing = importlib.import_module("forensia.language.analysis")  # the package has a function of that name

    def fail(text: str, *_: object) -> None:
        if how == "crash":
            faulthandler._sigsegv()
        raise KeyError(text)

    analysing._analysis = fail
    logs.watch_for_crashes()
    sys.exit(cli.run(["train", str(corpus), "-o", str(folder / "a.forensia")]))


def _lines(file: str) -> list[str]:
    return Path(file).read_text("ascii").splitlines() if Path(file).exists() else []


if __name__ == "__main__":
    command, place, *rest = sys.argv[1:]
    if command == "held":
        held()
    elif command == "whole":
        whole(Path(place), [Path(each) for each in rest[1:]], Path(rest[0]))
    elif command == "in_processes":
        in_processes(Path(place))
    elif command == "broken":
        broken(Path(place), Path(rest[0]), rest[1])
    elif command == "control":
        assert set_trap()
        socket.socket(getattr(socket, place))
