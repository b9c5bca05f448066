"""A double click on the source: a small window while Forensia sets itself up on first use, then Forensia.

In a terminal, or where Python has no tkinter, the launcher's own words go to a terminal instead. Written so that a Python 3 that
is too old can read it and say so.
"""

import os
import queue
import shutil
import subprocess
import sys
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

import launch  # noqa: E402

IN_TERMINAL = "--in-terminal"
# Programs that open a terminal, and the words before the command that is to run in it.
TERMINALS = (
    ("x-terminal-emulator", ["-e"]),
    ("gnome-terminal", ["--"]),
    ("konsole", ["-e"]),
    ("xfce4-terminal", ["-x"]),
    ("xterm", ["-e"]),
)


def main(arguments):
    watched = arguments[:1] == [IN_TERMINAL]
    arguments = arguments[1:] if watched else arguments
    if watched or has_terminal() or ready():
        return guarded(lambda: start(prepare(), arguments), sys.stderr.write)
    try:
        import tkinter
    except ImportError:
        return without_tkinter(arguments)
    python = SetUpWindow(tkinter).run()
    return start(python, arguments) if python else 1


def prepare():
    """Everything that a start needs; returns the Python of the environment."""
    launch.check_version()
    python = launch.set_up("")
    launch.install_qt_libraries(with_display=launch.has_display())
    return python


def ready():
    """Whether there is nothing to set up."""
    if sys.version_info[:2] < launch.OLDEST:
        return False
    folder = launch.environment_folder()
    return launch.is_current(folder, launch.environment_python(folder), "")


def start(python, arguments):
    """Forensia itself; on Windows without a console of its own."""
    windowed = Path(python).with_name("pythonw.exe")
    if os.name == "nt" and windowed.exists() and not has_terminal():
        python = str(windowed)
    return launch.run([python, "-m", "forensia", *arguments])


def has_terminal():
    return sys.stderr is not None and sys.stderr.isatty()


def guarded(work, tell):
    """Do `work`; a problem becomes a sentence for `tell` and exit code 1."""
    try:
        return work()
    except launch.CannotGoOn as problem:
        tell(f"Forensia: {problem}\n")
    except OSError as problem:
        tell(f"Forensia: {problem} Start again; if it happens again, tell us.\n")
    return 1


def without_tkinter(arguments):
    """Let a terminal show how far it is; without one, go on unseen: the window comes when it is ready."""
    command = [sys.executable, str(HERE / "firstuse.py"), IN_TERMINAL, *arguments]
    for name, before in TERMINALS:
        found = shutil.which(name)
        if found:
            return subprocess.call([found, *before, *command])
    return guarded(lambda: start(prepare(), arguments), lambda text: None)


class SetUpWindow:
    """Says what is being done; when it cannot go on, says why and waits to be closed."""

    def __init__(self, tkinter):
        from tkinter import ttk

        self._said = queue.Queue()
        self._python = None
        self.root = tkinter.Tk(className="Forensia")
        self.root.title("Forensia")
        self.root.resizable(False, False)
        self.root.protocol("WM_DELETE_WINDOW", self.root.destroy)
        self._icon(tkinter)
        frame = ttk.Frame(self.root, padding=24)
        frame.pack()
        self.heading = ttk.Label(frame, text="Setting up Forensia", font=("TkDefaultFont", 14, "bold"))
        self.heading.pack(anchor="w")
        about = "This happens once and takes a few minutes. Forensia opens when it is done."
        self.about = ttk.Label(frame, text=about, wraplength=420)
        self.about.pack(anchor="w", pady=(6, 14))
        self.bar = ttk.Progressbar(frame, mode="indeterminate", length=420)
        self.bar.pack()
        self.now = ttk.Label(frame, text="", wraplength=420)
        self.now.pack(anchor="w", pady=(8, 0))
        self.button = ttk.Button(frame, text="Close", command=self.root.destroy)

    def _icon(self, tkinter):
        picture = str(HERE.parent / "resources" / "icons" / "64x64" / "forensia.png")
        try:
            self._picture = tkinter.PhotoImage(file=picture)
            self.root.iconphoto(True, self._picture)
        except tkinter.TclError:
            pass

    def run(self):
        """Set up while the window is shown; the Python of the environment, or None when it did not work or was closed."""
        launch.say = self._said.put
        threading.Thread(target=self._work, daemon=True).start()
        self.bar.start(12)
        self._look()
        self.root.mainloop()
        return self._python

    def _work(self):
        def prepared():
            self._python = prepare()
            return 0

        failed = guarded(prepared, lambda text: self._said.put(ValueError(text.strip())))
        if not failed:
            self._said.put(None)

    def _look(self):
        """Show what the other thread has said; tkinter may be touched by this one only."""
        while True:
            try:
                said = self._said.get_nowait()
            except queue.Empty:
                break
            if said is None:
                self.root.destroy()
                return
            if isinstance(said, ValueError):
                self._fail(str(said).replace("Forensia: ", "", 1))
            else:
                self.now.configure(text=said.strip())
        self.root.after(100, self._look)

    def _fail(self, sentence):
        self.heading.configure(text="Forensia could not be set up")
        self.about.configure(text=sentence)
        self.bar.pack_forget()
        self.now.pack_forget()
        self.button.pack(anchor="e", pady=(8, 0))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
