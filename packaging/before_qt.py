"""Runs first in the bundle: what Qt expects of a system and a bare one lacks is taken from the bundle, just before Qt is loaded.

PyInstaller runs it before the program. The system's own libraries always come first: they know its graphics.
"""

import contextlib
import ctypes
import importlib.abc
import os
import sys
from pathlib import Path

_BUNDLE = Path(sys._MEIPASS)  # type: ignore[attr-defined]
_ALWAYS = ("libgcc_s.so.1", "libstdc++.so.6")
_FOR_QT = ("libxcb.so.1", "libGLdispatch.so.0", "libGLX.so.0", "libOpenGL.so.0", "libGL.so.1", "libEGL.so.1")


class _BeforeQt(importlib.abc.MetaPathFinder):
    """Notices the first import of Qt; commands and child processes without a window never pay for it."""

    def find_spec(self, name, path=None, target=None):
        if name == "PySide6":
            sys.meta_path.remove(self)
            _fonts()
            _fill_in(_FOR_QT)
        return None


def _fonts():
    if not Path("/etc/fonts/fonts.conf").exists():
        os.environ.setdefault("FONTCONFIG_FILE", str(_BUNDLE / "fallback" / "fonts.conf"))


def _fill_in(names):
    """Load each library from the system or else from the bundle; whoever is linked with it then finds it loaded."""
    for name in names:
        try:
            ctypes.CDLL(name)
        except OSError:
            with contextlib.suppress(OSError):  # whoever needs it says so, in words that the program explains
                ctypes.CDLL(str(_BUNDLE / "fallback" / name), mode=ctypes.RTLD_GLOBAL)


def _give_back():
    """Programs of the system that we start (a file manager, a PDF viewer) must not load the bundle's libraries.

    Our own children must; they set that up for themselves, unless these variables tell them that it has been done.
    """
    for name in [name for name in os.environ if name.startswith("_PYI")]:
        del os.environ[name]
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if before:
        os.environ["LD_LIBRARY_PATH"] = before
    else:
        os.environ.pop("LD_LIBRARY_PATH", None)


if sys.platform.startswith("linux"):
    _give_back()
    _fill_in(_ALWAYS)
    sys.meta_path.insert(0, _BeforeQt())
