"""A child process with the frames that go to it and come from it: what both kinds of workers have in common.

In a frozen bundle `sys.executable` is Forensia itself: it is started with CHILD_FLAG and the kind of child, and `forensia.__main__`
hands over to `forensia.jobs.serving`.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any

from forensia.errors import ForensiaError, InputError, SettingsError, StorageError, WorkerDied

Json = Any

# How the two speak to each other: bytes behind their length. Most are JSON objects, some the data of a call.

_LENGTH = struct.Struct(">Q")


def packed(message: Mapping[str, Json]) -> bytes:
    """A message as a frame; raises TypeError for what JSON does not have."""
    return json.dumps(message).encode()


def parsed(frame: bytes | None) -> dict[str, Json] | None:
    """A frame as the JSON object it should be; None when it is not one."""
    try:
        value = json.loads(frame or b"")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def send_frames(stream: IO[bytes], *frames: bytes) -> None:
    for frame in frames:
        stream.write(_LENGTH.pack(len(frame)))
        stream.write(frame)
    stream.flush()


def receive_frame(stream: IO[bytes], most: int) -> bytes | None:
    """The next frame, or None at the end of the stream and when it claims more than it may be."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    size = _LENGTH.unpack(head)[0]
    if size > most:
        return None
    frame = stream.read(size)
    return frame if len(frame) == size else None


CHILD_FLAG = "--forensia-child"
CONFINED, WORKER = "confined", "worker"  # the kinds of children
POLL = 0.1  # seconds between two looks at the clock and at the wish to stop

_BOOT = "import sys; sys.path[:] = sys.argv[1:]; from forensia.jobs.serving import serve; serve('{0}')"
# What an interpreter needs to start, and nothing a user keeps in the environment.
_ENVIRONMENT = ("SYSTEMROOT", "WINDIR", "TEMP", "TMP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
# The classes that take their sentence as it is; any other of ours comes back as a plain ForensiaError.
_KNOWN = {known.__name__: known for known in (InputError, SettingsError, StorageError, WorkerDied)}

# The one thread that starts children, and lives as long as we do: Linux ends a child with the thread that started it.
_starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="starter")


class NotStarted(WorkerDied):
    """No child could be started at all: nothing is wrong with the data, something is with the machine."""


class CallFailed(ForensiaError):
    """The child's work raised something that is not ours; only the type's name is told, for its words may quote a document."""

    def __init__(self, kind: str, details: str = "") -> None:
        super().__init__(f"The work failed unexpectedly ({kind}).")
        self.kind = kind
        self.details = details  # where it was raised, without anything that it quoted


def error_of(answer: Mapping[str, Any]) -> ForensiaError:
    """The error that a child's answer stands for."""
    name = str(answer.get("name"))
    if answer.get("kind") == "error":
        return _KNOWN.get(name, ForensiaError)(str(answer.get("message")))
    return CallFailed(name, str(answer.get("details", "")))


class Child:
    """A running child. Neither sending nor ending waits for it; frames of more than `most` bytes are not read."""

    def __init__(self, kind: str, most: int = 1 << 30) -> None:
        try:
            self.process = _starter.submit(_popen, kind).result()
        except OSError as error:
            raise NotStarted(f"No working process can be started ({error.strerror or 'unknown reason'}).") from error
        self._most = most
        self._inbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._outbox: queue.SimpleQueue[tuple[bytes, ...] | None] = queue.SimpleQueue()
        self._ending = threading.Lock()
        self._threads = [threading.Thread(target=work, name="child", daemon=True) for work in (self._read, self._write)]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def send(self, *contents: bytes) -> None:
        """Send frames; that nobody reads them shows in what comes back."""
        self._outbox.put(contents)

    def receive(self, seconds: float = POLL) -> bytes | None:
        """The next frame, None after the last one; raises `queue.Empty` when nothing comes in time."""
        return self._inbox.get(timeout=seconds)

    def end(self, patience: float = 0.0) -> int:
        """End the child with every process it started, and say its exit code; safe to call twice and from any thread.

        With patience its input is closed first, upon which it should end by itself.
        """
        with self._ending:
            self._outbox.put(None)
            if patience:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(patience)
            _kill(self.process)
            code = self.process.wait()
            for thread in self._threads:
                thread.join(5.0)
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):  # a broken pipe cannot be flushed
                        stream.close()
            return code

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        frame: bytes | None = b""
        while frame is not None:
            try:
                frame = receive_frame(stream, self._most)
            except (OSError, ValueError, MemoryError):
                frame = None
            self._inbox.put(frame)

    def _write(self) -> None:
        stream = self.process.stdin
        assert stream is not None
        with contextlib.suppress(OSError, ValueError):  # the child is gone; so are its pipes
            while (contents := self._outbox.get()) is not None:
                send_frames(stream, *contents)
            stream.close()


def command(kind: str) -> list[str]:
    """How a child is started: isolated from the user's Python settings, with our search path."""
    if getattr(sys, "frozen", False):
        return [sys.executable, CHILD_FLAG, kind]
    folders = [str(Path(folder).absolute()) for folder in sys.path if folder]
    return [sys.executable, "-I", "-B", "-X", "utf8", "-c", _BOOT.format(kind), *folders]


def environment(kind: str) -> dict[str, str]:
    """A confined child gets next to nothing of ours. A one-file bundle finds its unpacked folder by variables that begin with _PYI."""
    if kind == WORKER:
        return dict(os.environ)
    return {key: value for key, value in os.environ.items() if key.upper() in _ENVIRONMENT or key.startswith("_PYI")}


def _popen(kind: str) -> subprocess.Popen[bytes]:
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    return subprocess.Popen(
        command(kind),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # a library's complaint may quote a document
        env=environment(kind),
        cwd=Path(sys.executable).anchor or None,
        start_new_session=sys.platform != "win32",  # so that it can be ended with all it started
        creationflags=flags | (getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0) if kind == WORKER else 0),
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        if process.poll() is None:
            ending = ["taskkill", "/F", "/T", "/PID", str(process.pid)]
            with contextlib.suppress(OSError):
                subprocess.run(ending, capture_output=True, check=False, creationflags=subprocess.CREATE_NO_WINDOW)
        process.kill()
    elif process.returncode is None:  # as long as it was not waited for, its number is given to nobody else
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
