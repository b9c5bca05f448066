"""Every figure with made-up data, for tests and for eyes: `python tests/figures/gallery.py OUT` saves them all as PNG."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from forensia import figures
from forensia.evidence.calibration import elub
from forensia.evidence.measures import confusion, ece_curve, pav, reliability_curve, tippett_curves
from forensia.figures import Drawing, Look

LOOKS = {"light": figures.LIGHT, "dark": figures.DARK, "print": figures.PRINT}
NAMES = (
    "Charlotte Brontë", "Anthony Trollope", "G. Eliot", "Wilkie Collins", "Elizabeth Gaskell", "$x_1$ & <b>bold</b>", "_smith",
    "محمد بن عبد الله", "שלום עליכם", "Maximilian Alexander von und zu Hohenstein-Wiedenbrück der Jüngere (Nachlass)",
)  # fmt: skip
FAMILIES = (
    "function words", "word lengths", "sentence lengths", "punctuation", "POS n-grams", "words", "character n-grams",
)  # fmt: skip


def names(count: int) -> list[str]:
    """Plain and awkward names in turn."""
    return [
        NAMES[i] if i < len(NAMES) else f"Author {i + 1:02d} {'of the long letters' * (i % 3 == 0)}"
        for i in range(count)
    ]


def drawings(authors: int, look: Look, seed: int = 0) -> Iterator[tuple[str, Drawing]]:
    """Each figure once, for a case of so many authors."""
    rng = np.random.default_rng(seed)
    listed = names(authors)
    each = 28 if authors <= 25 else 20
    same, different = rng.normal(1.1, 0.9, authors * each), rng.normal(-1.5, 0.9, authors * each * 5)
    yield "tippett", figures.tippett(tippett_curves(same, different), look)
    yield "pav", figures.pav_plot(pav(same, different), look)
    yield "ece", figures.ece(ece_curve(same, different), look)
    truth = np.concatenate([np.ones(same.size), np.zeros(different.size)])
    stated = 1 / (1 + np.exp(-1.6 * np.concatenate([same, different])))
    balance = np.concatenate([np.full(same.size, 1 / same.size), np.full(different.size, 1 / different.size)])
    yield "reliability", figures.reliability(reliability_curve(stated, truth, balance), look)
    thresholds = 10 ** np.linspace(0, 3, 31)
    single = 0.09 * 10 ** (-0.7 * np.log10(thresholds))
    family = 1 - (1 - single) ** authors
    missed = 1 - 0.97 * np.exp(-0.5 * np.log10(thresholds))
    yield (
        "open_set",
        figures.open_set(thresholds, family, look, one_supported=single, own_declined=missed, candidates=authors),
    )
    curve = 0.91 - 0.25 * np.exp(-np.arange(each - 1) / 2.5) - 0.004 * np.arange(each - 1)
    yield "k", figures.k_accuracy(curve, int(np.argmax(curve)) + 1, look, chance=1 / authors)
    true = [name for name in listed for _ in range(each)]
    given = [name if rng.random() < 0.8 else listed[int(rng.integers(authors) ** 1)] for name in true]
    table = confusion(true, given, classes=listed)
    yield "confusion", figures.confusion_matrix(table, look)
    right = np.diag(table.counts)
    recall, precision = right / table.counts.sum(axis=1), right / table.counts.sum(axis=0)
    intervals = np.clip(np.column_stack([table.f1 - 0.11, table.f1 + 0.08]), 0, 1)
    yield (
        "f1",
        figures.f1_by_author(
            listed, table.f1, look, precision=precision, recall=recall, intervals=intervals, documents=[each] * authors
        ),
    )
    known = [name for name in listed for _ in range(each)]
    means = np.sort(rng.beta(1, 6, authors))[::-1]
    means[0] = 0.75
    scores = np.concatenate([np.clip(rng.beta(6 * m + 0.3, 6 * (1 - m) + 0.3, each), 0.001, 0.999) for m in means])
    by_author = scores.reshape(authors, each)
    lazy = np.sort(by_author, axis=1)[:, -7:].mean(axis=1)
    order = np.argsort(-lazy)
    ranked = [listed[i] for i in order]
    yield "strip", figures.pr_same(scores, known, ranked, 7, look, author_scores=[float(lazy[i]) for i in order])
    many = np.clip(np.vstack([scores, *(rng.permutation(scores) for _ in range(11))]), 0, 1)
    yield "heat", figures.heat_map(many, [f"anonymous-{i + 1}.txt" for i in range(12)], known, look, k=7)
    yield "heat_one", figures.heat_map(scores, ["anonymous-1.txt"], known, look, k=7)
    pairs = rng.normal(-0.5, 1, (7, 7))
    yield (
        "pairs",
        figures.pair_map(
            pairs + pairs.T, [f"letter {i + 1}.txt" for i in range(7)], [[0, 2, 5], [1, 3], [4], [6]], look
        ),
    )
    llr = np.concatenate([[1.55], np.sort(rng.normal(-1.6, 0.9, authors - 1))[::-1]])
    llr[-1] = -8.0
    llr[2] = np.nan
    spread = np.column_stack([llr - 0.45 - 0.1 * rng.random(authors), llr + 0.4])
    bounds = elub(same, different)
    yield "lr", figures.lr_scale(ranked, llr, look, intervals=spread, bounds=bounds)
    yield "lr_one", figures.lr_scale(ranked[:1], llr[:1], look, intervals=spread[:1], bounds=bounds)
    plus, minus = rng.gamma(1.5, 0.5, len(FAMILIES)), -rng.gamma(1.2, 0.35, len(FAMILIES))
    yield "families", figures.families(FAMILIES, plus, minus, look)
    documents = rng.integers(7, 29, authors)
    yield "corpus", figures.by_author(listed, documents, documents * rng.integers(700, 1900, authors), look)
    yield (
        "corpus_small",
        figures.by_author_small(documents, documents * rng.integers(700, 1900, authors), look.sized(2.6, 2.2)),
    )
    yield "missing", figures.ece(ece_curve([], different), look)


def main() -> None:
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for word, look in LOOKS.items():
        for authors in (4, 12, 25, 50):
            for name, drawing in drawings(authors, look):
                (out / f"{name}_{authors:02d}_{word}.png").write_bytes(figures.to_png(drawing.figure, 100))


if __name__ == "__main__":
    main()
