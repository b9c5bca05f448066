"""Files into a Corpus: readers for each file type, decoding, cleaning, segmenting, checks."""

from forensia.corpus.checks import check_corpus, check_disputed, checked
from forensia.corpus.document import Corpus, Cut, Document, Exclusion, Problem, ProblemError, Role, Severity
from forensia.corpus.layouts import LAYOUTS, ReadOptions
from forensia.corpus.reading import read_corpus, read_disputed, read_unchecked

__all__ = [
    "LAYOUTS",
    "Corpus",
    "Cut",
    "Document",
    "Exclusion",
    "Problem",
    "ProblemError",
    "ReadOptions",
    "Role",
    "Severity",
    "check_corpus",
    "check_disputed",
    "checked",
    "read_corpus",
    "read_disputed",
    "read_unchecked",
]
