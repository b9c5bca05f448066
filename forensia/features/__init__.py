"""A Corpus into vectors: the dense group 1, the sparse group 2, chi-square selection."""
