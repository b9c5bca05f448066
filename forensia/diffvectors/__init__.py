"""Vectors into Pr(Same): pairs, the implicit diff-vector operator, logistic regression, DVBin."""
