"""Vectors into Pr(Same): pairs, the implicit diff-vector operator, logistic regression, DVBin."""

from forensia.diffvectors.dvbin import DVBin, Training, UnusableVectors, one_blas_thread
from forensia.diffvectors.folds import document_folds
from forensia.diffvectors.pairs import Pairs, TooFewPairs, count_pairs, native_pairs, sample_pairs
from forensia.diffvectors.scoring import PairModel, Scorer, matrix_log_odds, probability

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
