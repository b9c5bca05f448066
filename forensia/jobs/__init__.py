"""Long work: progress, cancellation, running in the background; knows no Qt."""

from forensia.jobs.background import Job, ProgressReport, State
from forensia.jobs.progress import Progress, TerminalBar, part, silent, tracked

__all__ = ["Job", "Progress", "ProgressReport", "State", "TerminalBar", "part", "silent", "tracked"]
