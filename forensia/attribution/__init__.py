"""Pr(Same) into authors: Lazy, Stacked, verification, and the baselines they are compared with."""

from forensia.attribution.cosine import CosineClassifier
from forensia.attribution.impostors import Impostors
from forensia.attribution.lazy import KChoice, LazyAttributor, author_scores, choose_k
from forensia.attribution.multinomial import RowLogistic
from forensia.attribution.problems import NotLearnable
from forensia.attribution.ranking import Ranked, in_order, rank
from forensia.attribution.rowspace import RowSpace, Weights
from forensia.attribution.stacked import StackedAttributor, completed, with_itself
from forensia.attribution.standard import StandardAttributor
from forensia.attribution.svm import LinearSVM
from forensia.attribution.twofold import TwoFold, dv_two_fold, std_two_fold
from forensia.attribution.verification import LazyVerifier, NativeVerifier, StackedVerifier, by_attribution

__all__ = [
    "CosineClassifier",
    "Impostors",
    "KChoice",
    "LazyAttributor",
    "LazyVerifier",
    "LinearSVM",
    "NativeVerifier",
    "NotLearnable",
    "Ranked",
    "RowLogistic",
    "RowSpace",
    "StackedAttributor",
    "StackedVerifier",
    "StandardAttributor",
    "TwoFold",
    "Weights",
    "author_scores",
    "by_attribution",
    "choose_k",
    "completed",
    "dv_two_fold",
    "in_order",
    "rank",
    "std_two_fold",
    "with_itself",
]
