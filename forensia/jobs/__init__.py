"""Long work: progress, cancellation, running in the background; knows no Qt."""

from forensia.jobs.background import Job, Report, State
from forensia.jobs.progress import Progress, TerminalBar, part, silent, tracked

__all__ = ["Job", "Progress", "Report", "State", "TerminalBar", "part", "silent", "tracked"]
