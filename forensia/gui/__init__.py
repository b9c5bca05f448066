"""The window (PySide6): its pages, the snapshot that they show, and the lanes in which work is done for them."""

from __future__ import annotations

from pathlib import Path


def main(case: Path | None = None) -> int:
    """Open the window and run until it is closed; return the exit code."""
    from forensia.gui.opening import show_notice

    notice = show_notice()  # before all the rest is loaded
    from forensia.gui.app import start

    return start(case, notice)
