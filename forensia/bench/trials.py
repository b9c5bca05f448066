"""How the program holds out: against disguise, with few known texts, and when one of them is taken away."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from forensia.bench.heldout import STRONG, share
from forensia.bench.packs import SEED, TriedPack
from forensia.bench.rows import Row
from forensia.evidence.calibration import LogisticCalibrator
from forensia.evidence.likelihood import LN10

NUMBERS = (4, 8, 16, 40)  # of known texts
MOST = 100  # texts with an opinion that are tried without each known text
ROUNDING = 1e-9


def disguised(pack: TriedPack) -> Row:
    """How often an author is supported for passages whose writers pretend to be somebody else."""
    kinds: Row = {}
    for kind in ("obfuscation", "imitation"):
        if passages := pack.kind(kind):
            answers = pack.program.asked(passages, pack.source)
            kinds[kind] = {"passages": len(passages), "opinions": int(answers.given.sum())}
    return {"kinds": kinds}


def numbers(pack: TriedPack) -> Row:
    """Authors with different numbers of known texts among each other: what a stated LR is really worth, by the author's number.

    In turn each author has each of the numbers. The slope is that of the truth on the stated LR: 1 if it is worth what it says, less if
    it says too much.
    """
    codes = pack.known.codes
    drawn = [
        np.random.default_rng([SEED, 11, code]).permutation(np.flatnonzero(codes == code)) for code in np.unique(codes)
    ]
    stated: dict[int, list[NDArray[np.float64]]] = {number: [] for number in NUMBERS}
    true: dict[int, list[NDArray[np.bool_]]] = {number: [] for number in NUMBERS}
    for turn in range(len(NUMBERS)):
        sizes = [NUMBERS[(code + turn) % len(NUMBERS)] for code in range(len(drawn))]
        rows = np.sort(np.concatenate([mine[:size] for mine, size in zip(drawn, sizes, strict=True)]))
        program = pack.known.rows(rows).validated()
        answers, truth = program.asked(pack.disputed, pack.source), program.truth(pack.disputed)
        for author, size in enumerate(program.validation.learnt.sizes.tolist()):
            stated[size].append(answers.headline[:, author])
            true[size].append(truth == author)
    groups = {}
    for number in NUMBERS:
        ratios, own = np.concatenate(stated[number]), np.concatenate(true[number])
        groups[str(number)] = {"slope": slope(ratios, own), "above_100_for_wrong_authors": share(ratios[~own] > STRONG)}
    return {"groups": groups}


def slope(log10: NDArray[np.float64], own: NDArray[np.bool_]) -> float:
    """Of the truth on log10 LRs: 1 if they are worth what they say."""
    return float(LogisticCalibrator().fit(log10 * LN10, own).slopes_[0])


def stability(pack: TriedPack) -> Row:
    """Whether the LR of an opinion stays inside its interval, whichever known text is left out."""
    answers = pack.program.asked(pack.disputed, pack.source)
    given = np.random.default_rng([SEED, 13]).permutation(np.flatnonzero(answers.given))[:MOST]
    inside, widths = [], []
    for text in given.tolist():
        calibration, author = answers.rungs[answers.on[text]].calibration, answers.decided[text]
        without = pack.program.validation.system.without_each(answers.pieces(text))
        log10 = calibration.headline(*calibration.log10_lr(without))[:, author]
        low, high = answers.ends[text]
        inside.append((log10 >= low - ROUNDING) & (log10 <= high + ROUNDING))
        widths.append(float(high - low))
    return {
        "texts": len(inside),
        "inside_throughout": share(np.array([each.all() for each in inside])),
        "inside": share(np.concatenate(inside)) if inside else None,
        "median_width": float(np.median(widths)) if widths else None,
    }
