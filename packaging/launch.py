#!/usr/bin/env python3
"""Start Forensia from its source folder: set everything up on first use, then open the window.

    python3 packaging/launch.py             the window; without a display the sample case, start to end
    python3 packaging/launch.py ARGS...     forensia ARGS...
    python3 packaging/launch.py --test      the whole test suite (further arguments go to pytest)

Only the standard library is used, and only syntax that old Pythons can read, so that they can say that they are too old.
"""

import ctypes
import errno
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time

OLDEST = (3, 11)
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NEEDED_MB = 2500
# On Windows, a program for terminals that a window starts would open a terminal of its own, empty.
UNSEEN = {"creationflags": getattr(subprocess, "CREATE_NO_WINDOW", 0)} if sys.stderr is None else {}

# Shared libraries that Qt expects from the system, and the Debian packages that hold them.
QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
}
QT_DISPLAY_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}


class CannotGoOn(Exception):
    """A problem with one sentence for the user."""


def main(arguments):
    check_version()
    testing = arguments[:1] == ["--test"]
    python = set_up("test" if testing else "")
    install_qt_libraries(with_display=has_display() and not testing)
    if testing:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        # One worker for each core; a file's tests stay together, because they share what is slow to make.
        return run([python, "-m", "pytest", "-n", "auto", "--dist", "loadfile"] + arguments[1:], folder=ROOT)
    if not arguments and not has_display():
        say("There is no display here, so the sample case runs without a window.")
        arguments = ["demo"]
    return run([python, "-m", "forensia"] + arguments)


def check_version():
    if sys.version_info[:2] < OLDEST:
        raise CannotGoOn(
            "Forensia needs Python {}.{} or newer, and this is Python {}.{}. Install a newer Python "
            "(on Debian or Ubuntu: sudo apt install python3.11) and start again with it.".format(
                OLDEST[0], OLDEST[1], sys.version_info[0], sys.version_info[1]
            )
        )


def set_up(extra):
    """Make the virtual environment if it is not there, complete and current; return its Python."""
    folder = environment_folder()
    python = environment_python(folder)
    if is_current(folder, python, extra):
        return python
    lock = take_lock(folder + ".lock")
    try:
        if is_current(folder, python, extra):  # another start has done it while we waited
            return python
        build(folder, python, extra)
    finally:
        release_lock(lock)
    return python


def build(folder, python, extra):
    unfinished = os.path.join(folder, "forensia-unfinished")
    first = not os.path.exists(python)
    broken = os.path.exists(unfinished) or (not first and not answers(python))
    check_disk(folder)
    if first or broken:
        check_venv_module()
        say(
            "Repairing an unfinished set-up."
            if broken
            else "First start: setting up Forensia. This takes a few minutes, once."
        )
        say("  1/2  making the virtual environment in " + folder)
        quietly([sys.executable, "-m", "venv", "--clear", folder])
    else:
        say("Forensia has changed: bringing its environment up to date.")
    with open(unfinished, "w"):
        pass
    say("  2/2  installing the libraries" + (" and the test tools" if extra else ""))
    target = ROOT + ("[" + extra + "]" if extra else "")
    install([python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--editable", target])
    extras = sorted(set(stamped(folder).get("extras", []) if not first and not broken else []) | {extra})
    stamp = {"fingerprint": fingerprint(), "extras": extras}
    temporary = stamp_file(folder) + ".new"
    with open(temporary, "w") as stream:
        json.dump(stamp, stream)
    os.replace(temporary, stamp_file(folder))
    os.remove(unfinished)
    say("Ready.")


def environment_folder():
    """`.venv` beside the project; where the project cannot be written, a folder of the user's own."""
    if os.access(ROOT, os.W_OK):
        return os.path.join(ROOT, ".venv")
    base = (
        os.environ.get("LOCALAPPDATA")
        or os.environ.get("XDG_DATA_HOME")
        or os.path.join(os.path.expanduser("~"), ".local", "share")
    )
    name = "environment-" + hashlib.sha256(ROOT.encode("utf-8", "surrogateescape")).hexdigest()[:12]
    folder = os.path.join(base, "forensia", name)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    return folder


def environment_python(folder):
    return os.path.join(folder, "Scripts", "python.exe") if os.name == "nt" else os.path.join(folder, "bin", "python")


def fingerprint():
    """What the environment depends on: the project's own description, where it is, and this Python."""
    digest = hashlib.sha256()
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as stream:
        digest.update(stream.read())
    digest.update(repr((ROOT, sys.version_info[:3])).encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def stamp_file(folder):
    return os.path.join(folder, "forensia-setup.json")


def stamped(folder):
    try:
        with open(stamp_file(folder)) as stream:
            stamp = json.load(stream)
        return stamp if isinstance(stamp, dict) else {}
    except (OSError, ValueError):
        return {}


def is_current(folder, python, extra):
    stamp = stamped(folder)
    finished = os.path.exists(python) and not os.path.exists(os.path.join(folder, "forensia-unfinished"))
    return finished and stamp.get("fingerprint") == fingerprint() and (not extra or extra in stamp.get("extras", []))


def answers(python):
    try:
        silent = subprocess.DEVNULL
        return subprocess.call([python, "-m", "pip", "--version"], stdout=silent, stderr=silent, **UNSEEN) == 0
    except OSError:
        return False


def check_venv_module():
    try:
        import ensurepip
        import venv

        if venv and os.path.isdir(os.path.join(os.path.dirname(ensurepip.__file__), "_bundled")):
            return
        if ensurepip.version():
            return
    except (ImportError, OSError):
        pass
    package = "python{}.{}-venv".format(sys.version_info[0], sys.version_info[1])
    if not debian_install([package]):
        raise CannotGoOn(
            "This Python lacks the 'venv' module, in which Forensia keeps its libraries. Run once: "
            "sudo apt install {} (or install Python from your system's usual source), then start again.".format(package)
        )


def check_disk(folder):
    place = folder
    while not os.path.exists(place):
        place = os.path.dirname(place)
    try:
        free = shutil.disk_usage(place).free // 1000000
    except OSError:
        return
    present = os.path.exists(stamp_file(folder))
    if free < (300 if present else NEEDED_MB):
        raise CannotGoOn(
            "There is too little free space in {}: setting up Forensia needs about {} MB and {} MB are free. "
            "Free some space and start again.".format(place, NEEDED_MB, free)
        )


def install(command):
    """Run pip, show what it is getting, keep what it says for an explanation should it fail."""
    told = []
    shown = sys.stdout is not None and sys.stdout.isatty()
    environment = dict(os.environ, PYTHONUNBUFFERED="1")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, **UNSEEN)
    for raw in process.stdout:
        line = raw.decode("utf-8", "replace").rstrip()
        told.append(line)
        words = line.split()
        if shown and words[:1] in (["Collecting"], ["Downloading"], ["Installing"], ["Building"]):
            sys.stdout.write("\r       " + " ".join(words[:2])[:70].ljust(70))
            sys.stdout.flush()
    if shown:
        sys.stdout.write("\r" + " " * 78 + "\r")
    if process.wait() != 0:
        raise CannotGoOn(explain("\n".join(told)))


def explain(told):
    """One sentence for what pip could not do."""
    log = os.path.join(ROOT, ".venv-setup.log")
    try:
        with open(log, "w") as stream:
            stream.write(told)
        where = " The whole story is in " + log + "."
    except (OSError, ValueError):
        where = ""
    low = told.lower()
    if "no space left" in low or "disk quota" in low:
        return "The disk is full: free about {} MB and start again.{}".format(NEEDED_MB, where)
    signs = (
        "temporary failure in name",
        "connection",
        "name or service not known",
        "timed out",
        "max retries",
        "network is unreachable",
        "proxy",
    )
    if any(sign in low for sign in signs):
        return (
            "The libraries could not be downloaded, because the network does not answer. Connect to the internet "
            "(only this first set-up needs it) and start again." + where
        )
    if "permission denied" in low:
        return "The folder {} cannot be written. Copy Forensia into a folder of your own and start again.{}".format(
            ROOT, where
        )
    last = [line for line in told.splitlines() if line.strip()][-1:] or ["no message"]
    return "The libraries could not be installed ({}). Start again; if it happens again, tell us.{}".format(
        last[0].strip()[:200], where
    )


def install_qt_libraries(with_display):
    """On Linux, see that the system libraries of Qt are there: install them where we may, otherwise say how."""
    if not sys.platform.startswith("linux"):
        return
    wanted = dict(QT_LIBRARIES)
    if with_display:
        wanted.update(QT_DISPLAY_LIBRARIES)
    missing = sorted(package for library, package in wanted.items() if not can_load(library))
    if missing and not debian_install(missing):
        raise CannotGoOn(
            "Qt needs libraries that this system lacks. Run once: sudo apt install {} (other systems: the packages with "
            "the same libraries), then start again.".format(" ".join(missing))
        )


def can_load(library):
    try:
        ctypes.CDLL(library)
        return True
    except OSError:
        return False


def debian_install(packages):
    """Install Debian packages if this is Debian or a child of it and we are root; True when that worked."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    say("Installing system packages: " + " ".join(packages))
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    told = b""
    for command in (
        ["apt-get", "-q", "update"],
        ["apt-get", "-q", "-y", "--no-install-recommends", "install"] + packages,
    ):
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        told = process.communicate()[0]
        failed = process.returncode != 0
    if failed:
        tail = told.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no message"]
        say("  that did not work: " + tail[0])
    return not failed


def has_display():
    if os.name == "nt" or sys.platform == "darwin":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def take_lock(name):
    """One set-up at a time: a second start waits for the first."""
    stream = open(name, "a+")
    told = False
    while True:
        try:
            if os.name == "nt":
                import msvcrt

                msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return stream
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
                return stream  # a file system without locks
            if not told:
                say("Another start is setting Forensia up; waiting for it.")
                told = True
            time.sleep(0.5)


def release_lock(stream):
    stream.close()


def quietly(command):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **UNSEEN)
    told = process.communicate()[0].decode("utf-8", "replace")
    if process.returncode != 0:
        raise CannotGoOn(explain(told))


def run(command, folder=None):
    """Run the program in this terminal and hand on its exit code."""
    if os.name != "nt":
        sys.stdout.flush()
        if folder:
            os.chdir(folder)
        os.execv(command[0], command)
    return subprocess.call(command, cwd=folder)


def say(text):
    if sys.stdout is not None:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except CannotGoOn as problem:
        sys.stderr.write("Forensia: " + str(problem) + "\n")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.stderr.write("\nForensia: stopped. Start again to go on.\n")
        sys.exit(130)
    except OSError as problem:
        if problem.errno == errno.ENOSPC:
            sys.stderr.write("Forensia: The disk is full: free about {} MB and start again.\n".format(NEEDED_MB))
        else:
            sys.stderr.write("Forensia: {} Start again; if it happens again, tell us.\n".format(problem))
        sys.exit(1)
