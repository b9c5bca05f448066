"""Pr(Same) into authors: Lazy, Stacked, verification, and the baselines they are compared with."""

from forensia.attribution.distances import DistanceClassifier
from forensia.attribution.impostors import Impostors
from forensia.attribution.lazy import KChoice, LazyAttributor, author_scores, choose_k
from forensia.attribution.multinomial import RowLogistic
from forensia.attribution.problems import NotLearnable
from forensia.attribution.ranking import in_order
from forensia.attribution.rowspace import RowSpace, RowWeights
from forensia.attribution.stacked import StackedAttributor, completed, with_itself
from forensia.attribution.standard import StandardAttributor
from forensia.attribution.svm import LinearSVM
from forensia.attribution.verification import LazyVerifier, NativeVerifier, StackedVerifier

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
