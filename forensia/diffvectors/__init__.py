"""Vectors into Pr(Same): pairs, the implicit diff-vector operator, logistic regression, DVBin."""

from forensia.diffvectors.dvbin import (
    DVBin,
    PairModel,
    Scorer,
    Training,
    UnusableVectors,
    matrix_log_odds,
    one_blas_thread,
    probability,
)
from forensia.diffvectors.pairs import Pairs, TooFewPairs, count_pairs, document_folds, native_pairs, sample_pairs

__all__ = [
    "DVBin",
    "PairModel",
    "Pairs",
    "Scorer",
    "TooFewPairs",
    "Training",
    "UnusableVectors",
    "count_pairs",
    "document_folds",
    "matrix_log_odds",
    "native_pairs",
    "one_blas_thread",
    "probability",
    "sample_pairs",
]
