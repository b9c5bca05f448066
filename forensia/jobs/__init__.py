"""Long work: progress, cancellation, child processes; knows no Qt."""

from forensia.jobs.progress import Progress, TerminalBar, part, silent, tracked

__all__ = ["Progress", "TerminalBar", "part", "silent", "tracked"]
