"""Is what Forensia claims true? Each claim of the fused system's validation against what happens on texts that nobody touched.

    python -m forensia.bench.honesty DATA OUT.json [--set NAME ...] [--check NAME ...] [--table]

Checks, for each set:
`held-out`   train and validate on the known texts; then, claimed and found on the disputed ones: first place, confidence, the cost of
             LRs against both alternatives, LRs above 100 for a wrong author, opinions given and right, 'none of these', outsiders
             supported.
`disguised`  opinions for an author on the passages of essays_english in which the writers hide their style or imitate a novelist.
`shuffled`   the same with the authors' names shuffled over the known texts: first places at chance, Cllr about 1, no opinions.
`families`   what left-out texts lose without each family of features: log loss and first places, by fusions without their authors.
`imbalance`  six authors, one with 7 known texts and five with 28, each in turn: the small author's share of the first places.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forensia import files
from forensia.bench.comparedsets import CORPORA, ESSAYS, NEW_SOURCE, ComparedSet, ComparedTexts, read_set, unpacked
from forensia.corpus import ReadOptions, read_corpus
from forensia.evidence.grouping import with_copies
from forensia.evidence.knowntexts import WHOLE, Texts
from forensia.evidence.likelihood import LN10, Scores, crossfitted
from forensia.evidence.measures import cllr, cllr_min
from forensia.evidence.opinion import NONE
from forensia.evidence.summary import open_set
from forensia.evidence.validation import Rung, fused
from forensia.features import FUSED_FAMILIES, Counts, count_documents
from forensia.profile import FORENSIC, THOROUGH
from forensia.systems.fused import FusedSystem
from forensia.systems.fusion import Fusion, log_softmax
from forensia.systems.leaving_out import rounds

SEED = 0
SMALL, LARGE, UNEQUAL = 7, 28, 6
Codes = NDArray[np.intp]
Floats = NDArray[np.float64]
Row = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Validated:
    """The fused system of some known texts with its validation for whole texts, and the CPU seconds of both."""

    system: FusedSystem
    rung: Rung
    cpu_s: float

    @classmethod
    def of(cls, texts: ComparedTexts, codes: Codes, rows: NDArray[Any] | slice = slice(None)) -> Validated:
        known, numbers = texts.known.rows(rows), codes[rows]
        sources = [texts.sources[row] for row in np.arange(len(codes))[rows]]
        labels = [str(code) for code in numbers]
        begun = time.process_time()
        left_out = rounds(numbers, with_copies(labels, sources, known), SEED)
        system, rungs = fused(
            Texts(known, labels, sources), numbers, left_out, texts.families(FUSED_FAMILIES), SEED, THOROUGH
        )
        return cls(system, rungs[WHOLE], time.process_time() - begun)

    def likeness(self, counts: Counts, scores: Floats) -> Floats:
        """How like the known texts those are to which nobody is compared whom the system puts first."""
        return self.system.likeness(counts, self.rung.calibration.z(scores).argmax(axis=1))

    @property
    def claimed(self) -> float:
        """First places of left-out texts, by a fusion that knew nothing by their author."""
        tried = self.rung.scores.tried
        return _right(self.rung.judged.inside[0][tried], self.rung.scores.codes[tried])


def held_out(folder: Path, texts: ComparedTexts) -> Row:
    """What was claimed and what is found."""
    done = Validated.of(texts, texts.codes)
    rung, scores, truth = done.rung, done.system.scores(texts.disputed), texts.truth
    own = truth[:, None] == np.arange(len(done.system.sizes))
    z = rung.calibration.z(scores)
    listed, unlisted = rung.calibration.log10_lr(scores)
    decided, stated = rung.decisions(scores, done.likeness(texts.disputed, scores)), open_set(rung)
    given = decided >= 0
    found: Row = {
        "first": {"claimed": done.claimed, "found": _right(z, truth)},
        "confidence": float(np.exp(log_softmax(z)).max(axis=1).mean()),
        "cllr_listed": {"claimed": rung.cllr_listed, "found": cllr(listed[own], listed[~own])},
        "above_100_for_wrong_authors": float((rung.calibration.headline(listed, unlisted)[~own] > 2).mean()),
        "opinions": {
            "stated": [stated.listed.opinion, stated.listed.right_when_given],
            "found": [float(given.mean()), float((decided == truth)[given].mean()) if given.any() else None],
        },
        "none_of_these": {"stated": stated.listed.none_of_these, "found": float((decided == NONE).mean())},
        "cpu_s": round(done.cpu_s, 1),
    }
    if rung.calibration.unlisted_bounds is not None and stated.unlisted is not None:
        found["cllr_unlisted"] = {"claimed": rung.cllr_unlisted, "found": None}
        found["outsiders_supported"] = {"stated": stated.unlisted.wrongly_supported, "found": None}
        strangers = _strangers(folder, texts)
        if strangers is not None:
            theirs = done.system.scores(strangers)
            costs = (unlisted[own], rung.calibration.log10_lr(theirs)[1].ravel())
            found["cllr_unlisted"] |= {"found": cllr(*costs), "least": cllr_min(*costs)}
            found["outsiders_supported"]["found"] = float(
                (rung.decisions(theirs, done.likeness(strangers, theirs)) >= 0).mean()
            )
    return found


def disguised(folder: Path, texts: ComparedTexts) -> Row:
    """How often an author is supported for passages whose writers pretend to be somebody else."""
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
        kinds = {row["file"]: row.get("kind", "") for row in csv.DictReader(file)}
    rung_of = Validated.of(texts, texts.codes)
    found: Row = {}
    for kind in ("obfuscation", "imitation"):
        every = read_corpus(folder, ReadOptions(split="all", role="all")).active.documents
        passages = [document for document in every if kinds.get(document.path) == kind]
        if passages:
            counts = count_documents(passages, texts.language, texts.known.families, typing=FORENSIC.typing)
            scores = rung_of.system.scores(counts)
            decided = rung_of.rung.decisions(scores, rung_of.likeness(counts, scores))
            found[kind] = {"passages": len(passages), "opinions": int((decided >= 0).sum())}
    return found


def shuffled(folder: Path, texts: ComparedTexts) -> Row:
    """Names dealt out anew: nothing can be learnt, and the validation must say so."""
    mixed = np.random.default_rng(5).permutation(texts.codes)
    done = Validated.of(texts, np.unique(mixed, return_inverse=True)[1])
    return {
        "chance": 1 / len(done.system.sizes),
        "first": done.claimed,
        "cllr_listed": done.rung.cllr_listed,
        "opinions": open_set(done.rung).listed.opinion,
    }


def families(folder: Path, texts: ComparedTexts) -> Row:
    """Whether each family has earned its place: how much worse left-out texts are told without it."""
    done = Validated.of(texts, texts.codes)
    whole, names = _told(done.rung.scores), [family.name for family in done.system.families]
    without = {name: _told(done.rung.scores.without(place)) for place, name in enumerate(names)}
    return {
        "loss": whole[0],
        "first": whole[1],
        "without": {
            name: {"loss": loss - whole[0], "first": first - whole[1]} for name, (loss, first) in without.items()
        },
    }


def _told(scores: Scores) -> tuple[float, float]:
    """The log loss and the first places of left-out texts."""
    fusion = Fusion.fit(scores.inside, scores.codes, scores.sizes)
    odds = crossfitted(scores, fusion, SEED).inside[0][scores.tried] * LN10 - np.log(len(scores.sizes) - 1)
    own = odds[np.arange(len(odds)), scores.codes[scores.tried]]
    return float(np.logaddexp(0.0, -own).mean()), _right(odds, scores.codes[scores.tried])


def imbalance(folder: Path, texts: ComparedTexts) -> Row:
    """How often the author with few known texts is put first, each of six authors in turn being that author."""
    enough = np.flatnonzero(np.bincount(texts.codes) >= LARGE)[:UNEQUAL]
    least = min(int((texts.truth == author).sum()) for author in enough)
    asked = np.concatenate([np.flatnonzero(texts.truth == author)[:least] for author in enough])
    shares = []
    for small in enough:
        sizes = {author: SMALL if author == small else LARGE for author in enough}
        rows = np.concatenate([np.flatnonzero(texts.codes == author)[: sizes[author]] for author in enough])
        numbers = np.searchsorted(enough, texts.codes)
        system = Validated.of(texts, numbers, rows).system
        first = system.z(texts.disputed.rows(asked)).argmax(axis=1)
        shares.append(float((first == np.searchsorted(enough, small)).mean()))
    return {"equal_share": 1 / UNEQUAL, "mean": float(np.mean(shares)), "each": shares}


def _strangers(folder: Path, texts: ComparedTexts) -> Counts | None:
    """The texts of the open authors, where a pack has such."""
    if folder.name not in CORPORA:
        return None
    documents = read_corpus(folder, ReadOptions(split="test", role="open")).active.documents
    return count_documents(documents, texts.language, texts.known.families, typing=FORENSIC.typing)


def _right(scores: Floats, truth: Codes) -> float:
    return float((np.where(np.isnan(scores), -np.inf, scores).argmax(axis=1) == truth).mean())


@dataclass(frozen=True)
class Check:
    """What is done, and with which sets."""

    do: Callable[[Path, ComparedTexts], Row]
    sets: tuple[str, ...]


CHECKS = {
    "held-out": Check(held_out, (*CORPORA, *NEW_SOURCE)),
    "disguised": Check(disguised, (ESSAYS,)),
    "shuffled": Check(shuffled, CORPORA),
    "families": Check(families, (*CORPORA, *NEW_SOURCE)),
    "imbalance": Check(imbalance, CORPORA[1:]),
}


def table(rows: Sequence[Row]) -> str:
    """Markdown for people: a row for each set."""
    head = (
        "set", "first place claimed / found (mean confidence)", "Cllr, another listed author", "Cllr, somebody not listed",
        "opinions: given, of these right", "outsiders supported", "LR above 100 for a wrong author", "CPU s",
    )  # fmt: skip
    lines = [head, ["---"] * len(head)]
    for row in rows:
        if row["check"] != "held-out":
            continue
        given = [
            f"{_percent(share)}, {_percent(right)}"
            for share, right in (row["opinions"]["stated"], row["opinions"]["found"])
        ]
        unlisted, outsiders = row.get("cllr_unlisted"), row.get("outsiders_supported")
        lines.append(
            [
                row["set"],
                f"{row['first']['claimed']:.3f} / {row['first']['found']:.3f} ({row['confidence']:.3f})",
                f"{row['cllr_listed']['claimed']:.2f} / {row['cllr_listed']['found']:.2f}",
                ""
                if unlisted is None or unlisted["found"] is None
                else f"{unlisted['claimed']:.2f} / {unlisted['found']:.2f}",
                " / ".join(given),
                ""
                if not outsiders or outsiders["found"] is None
                else f"{outsiders['stated']:.1%} / {outsiders['found']:.1%}",
                f"{row['above_100_for_wrong_authors']:.2%}",
                f"{row['cpu_s']:g}",
            ]
        )
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--set", nargs="+", default=[*CORPORA, *NEW_SOURCE], dest="sets")
    parser.add_argument("--check", nargs="+", default=list(CHECKS), choices=list(CHECKS))
    parser.add_argument("--table", action="store_true", help="print what OUT holds as a table, and run nothing")
    options = parser.parse_args(arguments)
    rows: list[Row] = json.loads(options.out.read_text("utf-8")) if options.out.exists() else []
    if options.table:
        sys.stdout.write(table(rows))
        return 0
    done = {(row["set"], row["check"]) for row in rows}
    with tempfile.TemporaryDirectory(prefix="forensia-honesty-") as place:
        for name in options.sets:
            missing = [each for each in options.check if name in CHECKS[each].sets and (name, each) not in done]
            if not missing:
                continue
            folder = unpacked(options.data, name, Path(place))
            texts = read_set(folder, ComparedSet(name, name), Path(place))
            for check in missing:
                rows.append({"set": name, "check": check, **CHECKS[check].do(folder, texts)})
                files.write(options.out, json.dumps(rows, indent=1) + "\n")
                sys.stdout.write(json.dumps(rows[-1]) + "\n")
                sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
