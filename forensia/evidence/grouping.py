"""Which documents of an author belong together, so that validation never tries one with the help of its twin.

Documents that share a source (a book, an account), directly or through others, belong together where the author has three such groups;
so do documents that share most of their words, such as versions of one news story. A source is its author's own: another author's of
the same name is another source.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from forensia.features import Counts

FEWEST_UNITS = 3
ALIKE = 0.5  # cosine of the words' log counts times their rarity
Units = NDArray[np.int64]
Sources = Sequence[tuple[str, ...]]  # of each document


def with_copies(labels: Sequence[str], sources: Sources, counts: Counts) -> list[tuple[str, ...]]:
    """The sources of each document; those that share most of their words have one more between them, unless all of an author's do."""
    names = sources or [()] * len(labels)
    if "words" not in counts.families:
        return list(names)
    group = _separable(labels, _alike(np.asarray(labels), np.arange(len(labels), dtype=np.int64), counts), fewest=2)
    sizes = np.bincount(group, minlength=len(labels))
    return [(*own, f"copies {at}") if sizes[at] > 1 else own for own, at in zip(names, group, strict=True)]


def units(labels: Sequence[str], sources: Sources, counts: Counts | None = None) -> Units:
    """A number for each document, shared by those that belong together; an author whose documents all do keeps them apart."""
    apart = _separable(labels, by_source(labels, sources))
    if counts is None or "words" not in counts.families:
        return apart
    return _separable(labels, _alike(np.asarray(labels), apart, counts), apart)


def not_kept_together(labels: Sequence[str], sources: Sources, counts: Counts | None = None) -> tuple[str, ...]:
    """The authors whose documents belong together and could not be kept so: fewer than three units would be left."""
    together = by_source(labels, sources)
    if counts is not None and "words" in counts.families:
        together = _alike(np.asarray(labels), together, counts)
    names, kept = np.asarray(labels), units(labels, sources, counts)
    found = []
    for name in dict.fromkeys(labels):
        mine = names == name
        if len(np.unique(kept[mine])) > len(np.unique(together[mine])):
            found.append(name)
    return tuple(found)


def by_source(labels: Sequence[str], sources: Sources) -> Units:
    """For each document the first that it is connected with by sources of its author; no sources at all: each stands alone."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    numbers: dict[tuple[str, str], int] = {}
    edges = [
        (row, numbers.setdefault((label, name), len(labels) + len(numbers)))
        for row, (label, names) in enumerate(zip(labels, sources, strict=bool(sources)))
        for name in names
    ]
    size = len(labels) + len(numbers)
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    graph = csr_matrix((np.ones(len(edges), dtype=bool), (ends[0], ends[1])), shape=(size, size))
    group = connected_components(graph, directed=False)[1][: len(labels)]
    _, first, group = np.unique(group, return_index=True, return_inverse=True)
    return first[group].astype(np.int64)


def _separable(
    labels: Sequence[str], joined: Units, otherwise: Units | None = None, fewest: int = FEWEST_UNITS
) -> Units:
    """The units, except for authors who would be left with too few."""
    names = np.asarray(labels)
    apart = np.arange(len(joined), dtype=np.int64) if otherwise is None else otherwise
    out = joined.copy()
    for name in np.unique(names):
        mine = np.flatnonzero(names == name)
        if len(np.unique(joined[mine])) < fewest:
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
