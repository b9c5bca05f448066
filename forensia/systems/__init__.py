"""The systems that rank authors: the fused least squares, Lazy and Stacked from Pr(Same), verification, and the baselines beside them."""

from forensia.estimator import NotLearnable, in_order
from forensia.systems.baselines import Impostors, LinearSVM, StandardAttributor
from forensia.systems.distances import DistanceClassifier
from forensia.systems.lazy_stacked import (
    KChoice,
    LazyAttributor,
    LazyVerifier,
    NativeVerifier,
    StackedAttributor,
    StackedVerifier,
    author_scores,
    choose_k,
    completed,
    with_itself,
)
from forensia.systems.multinomial import RowLogistic, RowSpace, RowWeights

__all__ = [
    "DistanceClassifier",
    "Impostors",
    "KChoice",
    "LazyAttributor",
    "LazyVerifier",
    "LinearSVM",
    "NativeVerifier",
    "NotLearnable",
    "RowLogistic",
    "RowSpace",
    "RowWeights",
    "StackedAttributor",
    "StackedVerifier",
    "StandardAttributor",
    "author_scores",
    "choose_k",
    "completed",
    "in_order",
    "with_itself",
]
