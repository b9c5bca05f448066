"""Pr(Same) into authors: Lazy, Stacked, verification, and the baselines they are compared with."""
