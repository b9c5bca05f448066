"""The window (PySide6): pages, models, and the lanes from work to signals."""

from __future__ import annotations

from pathlib import Path


def main(case: Path | None = None) -> int:
    """Open the window and run until it is closed; return the exit code."""
    from forensia.gui.opening import show_notice

    notice = show_notice()  # before all the rest is loaded
    from forensia.gui.app import start

    return start(case, notice)
