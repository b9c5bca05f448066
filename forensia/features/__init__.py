"""A Corpus into vectors: the dense group 1, the sparse group 2, chi-square selection."""

from forensia.features.counts import Counts, count_documents, extract
from forensia.features.mask import NO_MASK, Mask
from forensia.features.names import locate
from forensia.features.space import FeatureSpace
from forensia.features.vectors import EVERY_FAMILY, FAMILIES, FUSED_FAMILIES, GROUP_1, GROUP_2, Block, Vectors

__all__ = [
    "EVERY_FAMILY",
    "FAMILIES",
    "FUSED_FAMILIES",
    "GROUP_1",
    "GROUP_2",
    "NO_MASK",
    "Block",
    "Counts",
    "FeatureSpace",
    "Mask",
    "Vectors",
    "count_documents",
    "extract",
    "locate",
]
