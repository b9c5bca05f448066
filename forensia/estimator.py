"""What scikit-learn asks of an estimator, without loading scikit-learn."""

from __future__ import annotations

import inspect
from typing import Any, Self


class Estimator:
    """Parameters are stored as they were given, under their names, so that `sklearn.base.clone` and a grid search can use them."""

    @classmethod
    def _names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; `deep` is there for scikit-learn: no estimator of ours holds another as a parameter."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Self:
        """Change some parameters; takes effect with the next `fit`."""
        unknown = sorted(params.keys() - set(self._names()))
        if unknown:
            raise ValueError(f"{type(self).__name__} has no parameter '{unknown[0]}'.")
        for name, value in params.items():
            setattr(self, name, value)
        return self
