"""Which documents of an author belong together, so that validation never tries one with the help of its twin.

Documents of one source (a book, an account) belong together where the author has three sources; so do documents that share most of
their words, such as versions of one news story.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from forensia.features import Counts

FEWEST_UNITS = 3
ALIKE = 0.5  # cosine of the words' log counts times their rarity
Units = NDArray[np.int64]


def units(labels: Sequence[str], sources: Sequence[str], counts: Counts | None = None) -> Units:
    """A number for each document, shared by those that belong together; an author whose documents all do keeps them apart."""
    by_source = _separable(labels, _by_source(labels, sources))
    if counts is None or "words" not in counts.families:
        return by_source
    return _separable(labels, _alike(np.asarray(labels), by_source, counts), by_source)


def torn(labels: Sequence[str], sources: Sequence[str], counts: Counts | None = None) -> tuple[str, ...]:
    """The authors whose documents belong together and could not be kept so: fewer than three units would be left."""
    together = _by_source(labels, sources)
    if counts is not None and "words" in counts.families:
        together = _alike(np.asarray(labels), together, counts)
    names, kept = np.asarray(labels), units(labels, sources, counts)
    found = []
    for name in dict.fromkeys(labels):
        mine = names == name
        if len(np.unique(kept[mine])) > len(np.unique(together[mine])):
            found.append(name)
    return tuple(found)


def _by_source(labels: Sequence[str], sources: Sequence[str]) -> Units:
    out = np.arange(len(labels), dtype=np.int64)
    first: dict[tuple[str, str], int] = {}
    for row, (label, source) in enumerate(zip(labels, sources, strict=False)):
        if source:
            out[row] = first.setdefault((label, source), row)
    return out


def _separable(labels: Sequence[str], joined: Units, otherwise: Units | None = None) -> Units:
    """The units, except for authors who would be left with fewer than three."""
    names = np.asarray(labels)
    apart = np.arange(len(joined), dtype=np.int64) if otherwise is None else otherwise
    out = joined.copy()
    for name in np.unique(names):
        mine = np.flatnonzero(names == name)
        if len(np.unique(joined[mine])) < FEWEST_UNITS:
            out[mine] = apart[mine]
    return out


def _alike(names: NDArray[np.str_], joined: Units, counts: Counts) -> Units:
    """Join the documents of an author that share most of their words, directly or through a third."""
    from scipy.sparse import csr_matrix, diags
    from scipy.sparse.csgraph import connected_components

    table = counts.table("words").counts.tocsr().astype(np.float64)
    table.data = 1.0 + np.log(table.data)
    documents = np.bincount(table.indices, minlength=table.shape[1])
    weighted = csr_matrix(table @ diags(np.log((1.0 + len(names)) / (1.0 + documents)) + 1.0))
    length = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    weighted = csr_matrix(diags(1.0 / np.maximum(length, 1e-12)) @ weighted)
    out = joined.copy()
    for name in np.unique(names):
        mine = np.flatnonzero(names == name)
        near = (weighted[mine] @ weighted[mine].T).toarray() >= ALIKE
        near |= joined[mine][:, None] == joined[mine]
        group = connected_components(csr_matrix(near), directed=False)[1]
        out[mine] = mine[np.unique(group, return_index=True)[1]][group]
    return out
