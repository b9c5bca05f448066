"""A fitted feature space as plain arrays and JSON, and back: nothing that is read can run code, all of it is checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from forensia.errors import SettingsError
from forensia.features.keys import WordKeys, damaged, unpacked
from forensia.features.mask import Mask
from forensia.features.space import DenseFamily, FeatureSpace, SparseFamily
from forensia.features.vectors import GROUP_1, GROUP_2
from forensia.profile import Typing

FORMAT = 1


def to_arrays(space: FeatureSpace) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The arrays of a fitted space by name, and the rest of it, fit for JSON."""
    arrays: dict[str, NDArray[Any]] = {}
    for dense in space.dense_:
        arrays[f"{dense.family}/keys"] = dense.keys.pack()
        arrays[f"{dense.family}/mean"] = dense.mean
        arrays[f"{dense.family}/deviation"] = dense.deviation
    for sparse in space.sparse_:
        arrays[f"{sparse.family}/keys"] = sparse.keys.pack()
        arrays[f"{sparse.family}/frequency"] = sparse.frequency
        arrays[f"{sparse.family}/kept"] = sparse.kept
    arrays["mask/words"] = WordKeys(tuple(sorted(space.mask_.words))).pack()
    rest = {
        "format": FORMAT,
        "families": list(space.ordered),
        "keep": space.keep,
        "documents": space.documents_,
        "mask": space.mask_.kind,
        "typing": space.typing_,
    }
    return arrays, rest


def from_arrays(arrays: Mapping[str, NDArray[Any]], rest: Mapping[str, Any]) -> FeatureSpace:
    """The space that `to_arrays` described; anything that does not fit together is refused."""
    try:
        if rest["format"] != FORMAT:
            raise damaged()
        space = FeatureSpace([str(family) for family in rest["families"]], int(rest["keep"]))
        space.documents_ = int(rest["documents"])
        space.mask_ = Mask(str(rest["mask"]), frozenset(WordKeys.unpack(arrays["mask/words"]).words))
        space.typing_ = _typing(rest.get("typing", "as typed"))  # version 0.1 knew no other
        space.dense_ = tuple(_dense(family, arrays) for family in space.ordered if family in GROUP_1)
        space.sparse_ = tuple(
            _sparse(family, arrays, space.documents_) for family in space.ordered if family in GROUP_2
        )
    except (KeyError, TypeError, ValueError, SettingsError) as error:
        raise damaged() from error
    space._lay_out()
    return space


def _typing(stored: Any) -> Typing:
    if stored not in get_args(Typing):
        raise damaged()
    found: Typing = stored
    return found


def _dense(family: str, arrays: Mapping[str, NDArray[Any]]) -> DenseFamily:
    keys = unpacked(family, arrays[f"{family}/keys"])
    mean, deviation = arrays[f"{family}/mean"], arrays[f"{family}/deviation"]
    for array in (mean, deviation):
        if array.shape != (len(keys),) or array.dtype != np.float64 or not np.isfinite(array).all():
            raise damaged()
    if not (deviation > 0).all():
        raise damaged()
    return DenseFamily(family, keys, mean, deviation)


def _sparse(family: str, arrays: Mapping[str, NDArray[Any]], documents: int) -> SparseFamily:
    keys = unpacked(family, arrays[f"{family}/keys"])
    frequency, kept = arrays[f"{family}/frequency"], arrays[f"{family}/kept"]
    sound = (
        frequency.shape == (len(keys),)
        and frequency.dtype == np.uint32
        and bool(((frequency > 0) & (frequency <= documents)).all())
        and kept.ndim == 1
        and kept.dtype == np.int64
        and bool((np.diff(kept) > 0).all())
        and (not len(kept) or (kept[0] >= 0 and kept[-1] < len(keys)))
    )
    if not sound:
        raise damaged()
    return SparseFamily(family, keys, frequency, kept)
