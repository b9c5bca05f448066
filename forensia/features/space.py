"""The feature space: what is learnt from the training documents, and the vectors it gives to any document.

Group 1 is standardised with mean and deviation of the training documents; group 2 is 'ltc' tf-idf, each family divided by
its norm over the whole training vocabulary, of which then the features with the highest chi-square are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, get_args

import numpy as np
from numpy.typing import NDArray

from forensia.corpus.document import Corpus, Document
from forensia.errors import InputError, SettingsError
from forensia.estimator import Estimator
from forensia.features.counts import Counts, CountTable, count_documents
from forensia.features.mask import NO_MASK, Mask
from forensia.features.names import feature_name
from forensia.features.vectors import FAMILIES, GROUP_1, GROUP_2, Block, Keys, Vectors, WordKeys, damaged, unpacked
from forensia.features.weighting import (
    Weights,
    best,
    chi_square,
    classes,
    document_frequency,
    fingerprints,
    inverse_frequency,
)
from forensia.language import LanguageModel, load_model
from forensia.profile import Typing

KEEP = 50_000
FORMAT = 1


@dataclass(frozen=True, eq=False)
class DenseFamily:
    """A family of group 1: its features with the mean and the deviation of each in training."""

    family: str
    keys: Keys
    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SparseFamily:
    """A family of group 2: all its features in training, in how many documents each occurred, and which of them are kept."""

    family: str
    keys: Keys
    frequency: NDArray[np.uint32]
    kept: NDArray[np.int64]


class FeatureSpace(Estimator):
    """Learns the features of training documents (`fit`) and gives the vectors of any documents (`transform`).

    Columns are numbered over both parts: first the dense ones, then the sparse ones.
    """

    def __init__(self, families: Sequence[str] = FAMILIES, keep: int = KEEP, mask: str = "none") -> None:
        unknown = [family for family in families if family not in FAMILIES]
        if unknown or not families:
            raise SettingsError(
                f"There is no family of features '{''.join(unknown[:1])}'. Choose from: {', '.join(FAMILIES)}."
            )
        self.families = families
        self.keep = keep
        self.mask = mask

    @property
    def ordered(self) -> tuple[str, ...]:
        """The families in the order of their columns."""
        return tuple(family for family in FAMILIES if family in self.families)

    def without(self, *families: str) -> FeatureSpace:
        """A space to be fitted without some families."""
        return FeatureSpace([family for family in self.ordered if family not in families], self.keep, self.mask)

    def fit(
        self, data: Counts | Corpus, labels: Sequence[Any] | None = None, model: LanguageModel | None = None
    ) -> Self:
        """Learn from training documents: a corpus (read with `model`, the embedded one if None), or counts with their authors.

        The mask of a corpus is the space's own; counts bring the one they were made with.
        """
        if isinstance(data, Corpus):
            documents = data.active.documents
            labels = [document.author for document in documents] if labels is None else labels
            counts = count_documents(documents, model or load_model(), self.ordered, self.mask)
        else:
            counts = data
        if not len(counts) or labels is None or len(labels) != len(counts):
            raise InputError("Features need training documents, each with its author.")
        tables = [counts.table(family) for family in self.ordered]
        prints = fingerprints([table.counts for table in tables])
        order = np.argsort(prints, kind="stable")
        self.mask_, self.typing_ = counts.mask, counts.typing
        self.documents_ = len(counts)
        self.dense_ = tuple(_fit_dense(table, order) for table in tables if table.family in GROUP_1)
        self.sparse_ = self._fit_sparse(
            [table for table in tables if table.family in GROUP_2], classes(labels, prints), len(counts)
        )
        self._lay_out()
        return self

    def transform(self, data: Counts | Sequence[Document], model: LanguageModel | None = None) -> Vectors:
        """The vectors of documents, or of their counts, with nothing learnt from them."""
        from scipy.sparse import csr_matrix, hstack

        if isinstance(data, Counts):
            counts = data
        else:
            counts = count_documents(data, model or load_model(), self.ordered, self.mask_, typing=self.typing_)
        if counts.mask != self.mask_:
            raise ValueError("the documents were counted with another mask than the training documents")
        if counts.typing != self.typing_:
            raise ValueError("the documents were counted in another typing than the training documents")
        dense = [np.zeros((len(counts), 0), np.float32)]
        dense += [_transform_dense(part, counts.table(part.family)) for part in self.dense_]
        sparse = [_transform_sparse(part, counts.table(part.family), self.documents_) for part in self.sparse_]
        if len(sparse) == 1:
            joined = sparse[0]
        else:
            joined = csr_matrix(hstack([csr_matrix((len(counts), 0), dtype=np.float32), *sparse], format="csr"))
        joined.has_sorted_indices = True
        return Vectors(np.concatenate(dense, axis=1), joined, self.blocks_)

    def fit_transform(self, counts: Counts, labels: Sequence[Any]) -> Vectors:
        return self.fit(counts, labels).transform(counts)

    def names(self, columns: Iterable[int] | None = None) -> list[str]:
        """The names of some columns, or of all."""
        return [self.feature_name(int(column)) for column in (range(self.width) if columns is None else columns)]

    def feature_name(self, column: int) -> str:
        family, number = self.place(column)
        return feature_name(family.family, family.keys, number)

    def family(self, column: int) -> str:
        return self.place(column)[0].family

    def to_arrays(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """All that was learnt, as arrays by name, and the rest of it, fit for JSON."""
        arrays: dict[str, NDArray[Any]] = {}
        for dense in self.dense_:
            arrays[f"{dense.family}/keys"] = dense.keys.pack()
            arrays[f"{dense.family}/mean"] = dense.mean
            arrays[f"{dense.family}/deviation"] = dense.deviation
        for sparse in self.sparse_:
            arrays[f"{sparse.family}/keys"] = sparse.keys.pack()
            arrays[f"{sparse.family}/frequency"] = sparse.frequency
            arrays[f"{sparse.family}/kept"] = sparse.kept
        arrays["mask/words"] = WordKeys(tuple(sorted(self.mask_.words))).pack()
        rest = {
            "format": FORMAT,
            "families": list(self.ordered),
            "keep": self.keep,
            "documents": self.documents_,
            "mask": self.mask_.kind,
            "typing": self.typing_,
        }
        return arrays, rest

    @staticmethod
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

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.dense_width_ + self.sparse_width_

    def place(self, column: int) -> tuple[DenseFamily | SparseFamily, int]:
        """The family of a column, and the number of its key there."""
        if column < self.dense_width_:
            for block, dense in zip(self.blocks_, self.dense_, strict=False):
                if block.start <= column < block.stop:
                    return dense, column - block.start
        for block, sparse in zip(self.blocks_[len(self.dense_) :], self.sparse_, strict=True):
            if block.start <= column - self.dense_width_ < block.stop:
                return sparse, int(sparse.kept[column - self.dense_width_ - block.start])
        raise IndexError(f"there is no column {column}")

    def columns_in(self, other: FeatureSpace) -> NDArray[np.int64]:
        """For each column the one with the same feature in another space, -1 where that has none."""
        theirs = {family: (start, keys) for family, start, keys in other._kept()}
        found = [np.zeros(0, np.int64)]
        for family, _, keys in self._kept():
            start, known = theirs.get(family, (0, keys.take(np.zeros(0, np.intp))))
            places = known.find(keys)  # type: ignore[arg-type]  # keys of one family are of one kind
            found.append(np.where(places < 0, -1, places + start))
        return np.concatenate(found)

    def _kept(self) -> Iterator[tuple[str, int, Keys]]:
        """Each family with its first column and, in ascending order, the keys of its columns."""
        start = 0
        for dense in self.dense_:
            yield dense.family, start, dense.keys
            start += len(dense.keys)
        for sparse in self.sparse_:
            yield sparse.family, start, sparse.keys.take(sparse.kept)
            start += len(sparse.kept)

    def _fit_sparse(
        self, tables: list[CountTable], authors: list[NDArray[np.int64]], documents: int
    ) -> tuple[SparseFamily, ...]:
        frequencies = [document_frequency(table.counts) for table in tables]
        scores = [
            chi_square(Weights.of(table.counts, inverse_frequency(frequency, documents)), authors)
            for table, frequency in zip(tables, frequencies, strict=True)
        ]
        chosen = best(np.concatenate([np.zeros(0), *scores]), self.keep)
        families = []
        offset = 0
        for table, frequency in zip(tables, frequencies, strict=True):
            own = chosen[(chosen >= offset) & (chosen < offset + len(frequency))] - offset
            offset += len(frequency)
            seen = frequency > 0
            number = np.cumsum(seen) - 1  # a column that no training document has is not part of the space
            families.append(
                SparseFamily(table.family, table.keys.take(seen), frequency[seen].astype(np.uint32), number[own])
            )
        return tuple(families)

    def _lay_out(self) -> None:
        blocks: list[Block] = []
        start = 0
        for dense in self.dense_:
            blocks.append(Block(dense.family, True, start, start + len(dense.mean)))
            start = blocks[-1].stop
        self.dense_width_ = start
        start = 0
        for sparse in self.sparse_:
            blocks.append(Block(sparse.family, False, start, start + len(sparse.kept)))
            start = blocks[-1].stop
        self.sparse_width_ = start
        self.blocks_ = tuple(blocks)

    mask_: Mask = NO_MASK
    typing_: Typing = "as typed"
    documents_: int
    dense_: tuple[DenseFamily, ...]
    sparse_: tuple[SparseFamily, ...]
    blocks_: tuple[Block, ...]
    dense_width_: int
    sparse_width_: int


def _shares(table: CountTable) -> NDArray[np.float64]:
    """Each count divided by the total of its document; a document without any gives zeros."""
    counts: NDArray[np.float64] = table.counts.toarray().astype(np.float64)
    counts /= np.maximum(table.totals, 1)[:, None]
    return counts


def _fit_dense(table: CountTable, order: NDArray[np.int64]) -> DenseFamily:
    shares = _shares(table)[order]
    kept = shares.max(axis=0) > shares.min(axis=0)
    shares = np.ascontiguousarray(shares[:, kept])
    return DenseFamily(table.family, table.keys.take(kept), shares.mean(axis=0), shares.std(axis=0))


def _transform_dense(part: DenseFamily, table: CountTable) -> NDArray[np.float32]:
    places = table.keys.find(part.keys)  # type: ignore[arg-type]  # keys of one family are of one kind
    shares = np.zeros((table.counts.shape[0], len(places)))
    known = places >= 0
    shares[:, known] = table.counts[:, places[known]].toarray()
    shares /= np.maximum(table.totals, 1)[:, None]
    return ((shares - part.mean) / part.deviation).astype(np.float32)


def _transform_sparse(part: SparseFamily, table: CountTable, documents: int) -> Any:
    places = part.keys.find(table.keys)  # type: ignore[arg-type]  # keys of one family are of one kind
    known = places >= 0
    idf = np.zeros(len(places))
    idf[known] = inverse_frequency(part.frequency, documents)[places[known]]
    columns = np.full(len(part.keys) + 1, -1, np.int32)
    columns[part.kept] = np.arange(len(part.kept))
    return Weights.of(table.counts, idf).chosen(columns[places], len(part.kept))


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
