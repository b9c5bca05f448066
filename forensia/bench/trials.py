"""How the program holds out: disguise, other typing, few or unequal known texts, shuffled names, each family or text taken away.

What the validation claims against what is found on texts that nobody touched, for both conditions.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from forensia.bench import Row
from forensia.bench.packs import FOREIGN, SEED, AskedTexts, Program, TriedPack
from forensia.corpus import Document, ReadOptions, read_disputed
from forensia.corpus.characters import NO_INK
from forensia.evidence.calibration import calibrated_line
from forensia.evidence.likelihood import LN10, Floats, Scores, crossfitted
from forensia.evidence.measures import cllr, cllr_min, macro_f1
from forensia.evidence.opinion import NONE
from forensia.evidence.result import Source
from forensia.evidence.rung import Rung
from forensia.evidence.summary import Figure, figure
from forensia.systems.fusion import Fusion, log_softmax

FIFTH = 0.2  # of each author's known texts is held out, where the pack has no disputed texts from a known source
STRONG = 2.0  # log10 of an LR that must not be found for a wrong author


def held_out(pack: TriedPack) -> Row:
    """A cell for each condition that the pack can tell something of."""
    cells: Row = {pack.source: cell(pack.program, pack.disputed, pack.outsiders, pack.source)}
    if pack.source == "new":
        away = fifth(pack.known.codes)
        rest = pack.known.rows(np.setdiff1d(np.arange(len(pack.known.documents)), away))
        texts = [pack.known.documents[row] for row in away]
        cells["known"] = cell(rest.validated(), texts, pack.outsiders, "known")
    return {"cells": cells}


def fifth(codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """A fifth of each author's texts, drawn once for all time; of an author with two, none."""
    rng = np.random.default_rng([SEED, 5])
    drawn = []
    for code in np.unique(codes):
        rows = rng.permutation(np.flatnonzero(codes == code))
        drawn.append(rows[: min(round(FIFTH * len(rows)), len(rows) - 2)] if len(rows) > 2 else rows[:0])
    return np.sort(np.concatenate(drawn))


def cell(program: Program, documents: Sequence[Document], outsiders: Sequence[Document], source: Source) -> Row:
    """Every claim about texts from such a source, and what is found: the claims for whole texts, and those for each length beside them."""
    begun = time.process_time()
    claim = figure(program.validation.of(source)[0])
    answers, truth = program.asked(documents, source), program.truth(documents)
    own = truth[:, None] == np.arange(answers.z.shape[1])
    given, listed = answers.given, claim.open_set.listed
    row: Row = {
        "texts": len(documents),
        "authors": len(program.validation.authors),
        "words": float(np.median([document.words for document in documents])),
        "first": _first(claim, answers.first == truth),
        "confidence": float(np.exp(log_softmax(answers.z)).max(axis=1).mean()),
        "macro_f1": macro_f1(*([str(code) for code in each] for each in (truth, answers.first))),
        "cllr_listed": {"claimed": claim.listed.cllr, **_costs(answers.listed[own], answers.listed[~own])},
        "above_100_for_wrong_authors": share(answers.headline[~own] > STRONG),
        "opinions": {
            "could": int(answers.could.sum()),
            "given": int(given.sum()),
            "claimed": [listed.opinion, listed.right_when_given],
            "found": [share(given), share((answers.decided == truth)[given])],
        },
        "none_of_these": {"claimed": listed.none_of_these, "found": share(answers.decided == NONE)},
        "lengths": [_length(rung, answers, truth, answers.on == number) for number, rung in enumerate(answers.rungs)],
    }
    if outsiders:
        row["outsiders"] = _outsiders(program.asked(outsiders, source), answers.unlisted[own], claim)
    return {**row, "cpu_s": round(time.process_time() - begun, 1)}


def _outsiders(strange: AskedTexts, own: Floats, claim: Figure) -> Row:
    """What becomes of texts by people whom nobody listed; nothing is claimed of them where the candidates are few."""
    stated, cost = claim.open_set.unlisted, None if claim.unlisted is None else claim.unlisted.cllr
    ends = None if stated is None else stated.supported_interval
    return {
        "texts": len(strange.documents),
        "cllr_unlisted": {"claimed": cost, **_costs(own, strange.unlisted.ravel())},
        "supported": {
            "claimed": None if stated is None else stated.wrongly_supported,
            "upper": None if ends is None else ends[1],
            "found": share(strange.given),
        },
        "none_of_these": share(strange.decided == NONE),
        "above_100": share(strange.headline > STRONG),
    }


def _length(rung: Rung, answers: AskedTexts, truth: NDArray[np.intp], rows: NDArray[np.bool_]) -> Row:
    """First places and opinions of the texts on one rung, by its own claims."""
    claim, given = figure(rung), rows & answers.given
    return {
        "words": rung.condition.words,
        "joined": rung.condition.texts,
        "texts": int(rows.sum()),
        "first": _first(claim, (answers.first == truth)[rows]),
        "opinions": {
            "claimed": [claim.open_set.listed.opinion, claim.open_set.listed.right_when_given],
            "found": [share(answers.given[rows]), share((answers.decided == truth)[given])],
        },
    }


def _first(claim: Figure, right: NDArray[np.bool_]) -> Row:
    return {"claimed": claim.first.share, "interval": claim.first.interval, "found": share(right)}


def _costs(same: Floats, different: Floats) -> Row:
    """The cost of LRs, and what would be left of it after the best calibration; None where there are none."""
    if np.isnan(same).all() or np.isnan(different).all():
        return {"found": None, "least": None}
    return {"found": cllr(same, different), "least": cllr_min(same, different)}


def share(hits: NDArray[np.bool_]) -> float | None:
    """None of nothing."""
    return float(hits.mean()) if hits.size else None


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
    return calibrated_line(log10 * LN10, own)[1]


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


SMALL, LARGE, UNEQUAL = 7, 28, 6


def shuffled(pack: TriedPack) -> Row:
    """Names dealt out anew: nothing can be learnt, and the validation must say so."""
    names = [document.author for document in pack.known.documents]
    mixed = [names[place] for place in np.random.default_rng(5).permutation(len(names))]
    claim = figure(pack.known.whole().by(mixed).validated().validation.whole)
    return {
        "chance": 1 / len(set(names)),
        "first": claim.first.share,
        "cllr_listed": claim.listed.cllr,
        "opinions": claim.open_set.listed.opinion,
    }


def families(pack: TriedPack) -> Row:
    """Whether each family has earned its place: how much worse left-out texts are told without it."""
    validation = pack.program.validation
    whole, names = loss_and_first(validation.whole.scores), [family.name for family in validation.system.families]
    without = {name: loss_and_first(validation.whole.scores.without(place)) for place, name in enumerate(names)}
    return {
        "loss": whole[0],
        "first": whole[1],
        "without": {
            name: {"loss": loss - whole[0], "first": first - whole[1]} for name, (loss, first) in without.items()
        },
    }


def loss_and_first(scores: Scores) -> tuple[float, float]:
    """The log loss and the first places of left-out texts."""
    fusion = Fusion.fit(scores.inside, scores.codes, scores.sizes)
    odds = crossfitted(scores, fusion, SEED).inside[0][scores.tried] * LN10 - np.log(len(scores.sizes) - 1)
    codes = scores.codes[scores.tried]
    own = odds[np.arange(len(odds)), codes]
    first = np.where(np.isnan(odds), -np.inf, odds).argmax(axis=1)
    return float(np.logaddexp(0.0, -own).mean()), float((first == codes).mean())


def imbalance(pack: TriedPack) -> Row:
    """How often the author with few known texts is put first, each of six authors in turn being that author."""
    codes, names = pack.known.codes, list(dict.fromkeys(document.author for document in pack.known.documents))
    enough = np.flatnonzero(np.bincount(codes) >= LARGE)[:UNEQUAL]
    theirs = [[document for document in pack.disputed if document.author == names[author]] for author in enough]
    least = min(map(len, theirs))
    asked = [document for each in theirs for document in each[:least]]
    shares = []
    for small in enough:
        sizes = {author: SMALL if author == small else LARGE for author in enough}
        rows = np.sort(np.concatenate([np.flatnonzero(codes == author)[: sizes[author]] for author in enough]))
        program = pack.known.whole().rows(rows).validated()
        first = program.asked(asked, pack.source).first
        shares.append(float((first == program.validation.authors.index(names[small])).mean()))
    return {"equal_share": 1 / UNEQUAL, "mean": float(np.mean(shares)), "each": shares}


TEXTS = 25  # of each set: 200 of eight
COLUMNS = 72
_APOSTROPHES, _QUOTES = re.compile("['‘’]"), re.compile('["“”]')
_NO_INK = re.compile(f"[{NO_INK}]")
_DASH = re.compile(r" ?(?:—|–|(?<!-)--(?!-)) ?")


def _curly(text: str) -> str:
    """Apostrophes and quotes as a word processor makes them: opening after a space, closing otherwise."""
    text = re.sub(r"(^|[\s(\[])[\"“”]", r"\1“", text, flags=re.MULTILINE)
    text = re.sub(r"(^|[\s(\[“])['‘’]", r"\1‘", text, flags=re.MULTILINE)
    return _APOSTROPHES.sub(lambda mark: mark[0] if mark[0] == "‘" else "’", text.replace('"', "”"))


def _straight(text: str) -> str:
    return _QUOTES.sub('"', _APOSTROPHES.sub("'", text))


def _wrapped(text: str) -> str:
    """Every line that is longer than the columns broken between words; the spaces at a break are lost, all others stay.

    What has no ink takes no column, and goes first.
    """
    return "\n".join(part for line in _NO_INK.sub("", text).split("\n") for part in _broken(line))


def _broken(line: str) -> Iterator[str]:
    while len(line) > COLUMNS:
        indent = len(line) - len(line.lstrip())
        at = line.rfind(" ", indent, COLUMNS + 1)
        if at < 0:
            at = line.find(" ", max(indent, COLUMNS))
        if at < 0 or not line[at:].strip():
            break
        yield line[:at].rstrip(" ")
        line = line[at:].lstrip(" ")
    yield line


def _unbreakable(text: str) -> str:
    """Every third space between two words cannot be broken."""
    places = iter(range(len(text)))
    return re.sub(r"(?<=\S) (?=\S)", lambda space: space[0] if next(places) % 3 else "\u00a0", text)


def _dashed(dash: str) -> Callable[[str], str]:
    """Every dash this one, spaces around it as they were."""
    return lambda text: _DASH.sub(lambda found: re.sub(r"—|–|--", dash, found[0]), text)


WAYS: Mapping[str, Callable[[str], str]] = {
    "curly": _curly,
    "straight": _straight,
    f"wrapped at {COLUMNS}": _wrapped,
    "no-break spaces": _unbreakable,
    "dashes --": _dashed("--"),
    "dashes –": _dashed("–"),
    "dashes —": _dashed("—"),
}


def retyped(pack: TriedPack) -> Row:
    """By how much the headline LR of the author who was first moves, in percent: the most of each text, and of each way of typing."""
    rows = np.random.default_rng([SEED, 7]).permutation(len(pack.disputed))[:TEXTS]
    texts = [pack.disputed[row].original for row in rows]
    options = ReadOptions(language=FOREIGN.get(pack.name, "en"))

    def asked(typed: Callable[[str], str]) -> AskedTexts:
        return pack.program.asked([_read(typed(text), options) for text in texts], pack.source)

    before = asked(str)
    at = (np.arange(len(texts)), before.first)
    moves: dict[str, Floats] = {
        way: 100 * np.abs(10.0 ** (asked(typed).headline[at] - before.headline[at]) - 1) for way, typed in WAYS.items()
    }
    return {
        "moves": np.max(list(moves.values()), axis=0).tolist(),
        "by_way": {way: float(each.max()) for way, each in moves.items()},
        "changed": {way: sum(typed(text) != text for text in texts) for way, typed in WAYS.items()},
    }


def _read(text: str, options: ReadOptions) -> Document:
    """A text as the program reads it from a file."""
    return read_disputed(text.encode("utf-8"), options, name="disputed.txt")
