"""The case file: SQLite store, audit log, verification."""

from forensia.case.arrays import StoredArrays, model_hash
from forensia.case.audit import LogEntry, LogFault
from forensia.case.choices import Change
from forensia.case.errors import (
    CaseDamaged,
    CaseError,
    CaseForeign,
    CaseNewer,
    CaseReadOnly,
    CaseRefused,
    CaseWithheld,
)
from forensia.case.locking import Scratch, sweep
from forensia.case.results import CASE_NOTE, StoredReport, StoredResult
from forensia.case.runs import Run
from forensia.case.store import Case
from forensia.case.verify import Difference, Stale, changed_files, stale_files, stale_warnings, verify_case

__all__ = [
    "CASE_NOTE",
    "Case",
    "CaseDamaged",
    "CaseError",
    "CaseForeign",
    "CaseNewer",
    "CaseReadOnly",
    "CaseRefused",
    "CaseWithheld",
    "Change",
    "Difference",
    "LogEntry",
    "LogFault",
    "Run",
    "Scratch",
    "Stale",
    "StoredArrays",
    "StoredReport",
    "StoredResult",
    "changed_files",
    "model_hash",
    "stale_files",
    "stale_warnings",
    "sweep",
    "verify_case",
]
