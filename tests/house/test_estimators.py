"""Estimators keep to the conventions of scikit-learn, so that its tools can use them."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest
from sklearn.base import clone

import forensia
from forensia.diffvectors import DVBin
from forensia.estimator import Estimator
from forensia.features import FeatureSpace
from forensia.profile import FORENSIC
from forensia.systems import DistanceClassifier, Impostors, LazyAttributor, LinearSVM, StackedAttributor
from forensia.systems.baselines import StandardAttributor
from forensia.systems.lazy_stacked import LazyVerifier, NativeVerifier, StackedVerifier
from forensia.systems.multinomial import RowLogistic

ESTIMATORS = (
    DistanceClassifier(distance="l1", profile=FORENSIC, seed=3, grid=(1.0, 10.0), cap=50),
    DVBin(profile=FORENSIC, seed=3, grid=(1.0,), cap=50, whole_path=True, threads=2),
    FeatureSpace(["words", "function words"], keep=20, mask="posnoise"),
    Impostors(candidates=5, impostors=2, rounds=7, validation=9, similarity="minmax", seed=3),
    LazyAttributor(k=3, profile=FORENSIC),
    LazyVerifier("Mill", k=2),
    LinearSVM(grid=(1.0,), folds=3, seed=3),
    NativeVerifier("stacked", seed=3, threads=2),
    RowLogistic(each=True, grid=(1.0,), folds=3, seed=3, whole_path=True),
    StackedAttributor(grid=(1.0,), folds=3, seed=3, whole_path=True, even=True),
    StackedVerifier("Mill", seed=3),
    StandardAttributor(each=True, grid=(1.0,), folds=3, seed=3, whole_path=True),
)


def named(estimator: Any) -> str:
    return type(estimator).__name__


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=named)
def test_it_can_be_cloned(estimator: Estimator) -> None:
    again = clone(estimator)
    assert type(again) is type(estimator) and again is not estimator
    assert again.get_params() == estimator.get_params()
    usual = type(estimator)("Mill") if "author" in estimator.get_params() else type(estimator)()
    if "author" not in estimator.get_params():
        assert all(usual.get_params()[name] != value for name, value in estimator.get_params().items())
    assert usual.set_params(**estimator.get_params()) is usual and usual.get_params() == estimator.get_params()
    with pytest.raises(ValueError, match="no parameter 'colour'"):
        usual.set_params(colour=1)


def test_none_is_forgotten() -> None:
    """Whatever in the engine has a `fit` of its own is an estimator, and stands in the list above."""
    found = set()
    for room in ("features", "diffvectors", "systems", "evidence"):
        package = importlib.import_module(f"{forensia.__name__}.{room}")
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            each = vars(importlib.import_module(module.name)).values()
            found |= {
                one for one in each if isinstance(one, type) and one.__module__ == module.name and "fit" in vars(one)
            }
    made_by_fit = {one for one in found if isinstance(vars(one)["fit"], classmethod)}
    demanded = {one for one in found if vars(one).get("_is_protocol")}  # what others must have, and nothing that learns
    assert found - made_by_fit - demanded == {type(each) for each in ESTIMATORS}
