"""Is what Forensia claims true? Each claim of the fused system's validation against what happens on texts that nobody touched.

    python -m forensia.bench.honesty DATA OUT.json [--set NAME ...] [--check NAME ...] [--table]

Checks, for each set:
`held-out`   train and validate on the known texts; then, claimed and found on others: first place, confidence, the cost of LRs against
             both alternatives, LRs above 100 for a wrong author, opinions given and right, 'none of these', outsiders supported. The others
             are the disputed texts: of a known source in packs without sources, of a new one in the rest, where a fifth of each author's
             known texts, held out before training, stands for a known source.
`retyped`    disputed texts typed with curly or straight quotes, other dashes, no-break spaces or wrapped lines: what the LR does.
`disguised`  opinions for an author on the passages of essays_english in which the writers hide their style or imitate a novelist.
`numbers`    authors with 4, 8, 16 and 40 known texts among each other: what a stated LR is worth, by that number.
`stability`  opinions without each known text in turn: whether the LR stays inside its interval.
`shuffled`   the authors' names shuffled over the known texts: first places at chance, Cllr about 1, no opinions.
`families`   what left-out texts lose without each family of features: log loss and first places, by fusions without their authors.
`imbalance`  six authors, one with 7 known texts and five with 28, each in turn: the small author's share of the first places.

`--table` prints what OUT holds, and whether each bar holds that is set in `forensia.bench.honesty`.

What must hold: each bar with 'pass', 'fail', 'too few' (texts that it is about) or 'missing' (not measured), and what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from forensia.bench import Row, arguments_of, digits, markdown, percent, run
from forensia.bench.packs import CORPORA, DRAWN, ESSAYS, NEW_SOURCE, TriedPack, unpacked
from forensia.bench.trials import disguised, families, held_out, imbalance, numbers, retyped, shuffled, stability

NEAR = 0.10  # of the claimed to the found first places, or else inside the claimed interval
CELLS = 0.9  # of the cells in which this must hold
OVERSURE = 0.03  # by which the mean confidence may be above what is found
RIGHT = 0.95  # of the opinions for an author
GIVEN, LONG = 0.20, 1_000  # of texts of so many words from a new source
WRONG_NONE = 0.05  # 'none of these' for texts by listed authors
COST, CALIBRATION = 1.0, 0.1  # Cllr, and Cllr above Cllr_min
STRONG_WRONG = 0.003  # LRs above 100 for a wrong author
MOVES = 10.0  # percent, of the LR of a text that is typed anew
PRETENDED = 0.05  # opinions on passages of obfuscation and imitation
SLOPE, CAUTIOUS = 0.85, 1.2  # of the truth on the stated LR
STABLE = 0.90  # of the texts with an opinion
FEW = 20
SHOWN = 4  # cases of a bar that holds: of more only the number is said
BEFORE = {"arxiv_single_author": 0.801, "pan2011_large": 0.554, "imdb62_50x100": 0.908, "reuters_c50": 0.811}
"""The macro-F1 of version 0.1 on texts from a known source."""


@dataclass(frozen=True)
class Cell:
    """What one set has to say about a bar: whether it holds (None: too few texts), and the figure."""

    name: str
    holds: bool | None
    said: str


@dataclass(frozen=True)
class Bar:
    """What must hold, in all cases or in a share of them."""

    name: str
    cases: Callable[[Sequence[Row]], Iterator[Cell]]
    of_cases: float = 1.0

    def line(self, rows: Sequence[Row]) -> list[str]:
        """A row for people: the bar, the verdict, in how many cases it holds, and those in which it does not."""
        cases = list(self.cases(rows))
        tried = [case for case in cases if case.holds is not None]
        held = [case for case in tried if case.holds]
        worst = "; ".join(f"{case.name}: {case.said}" for case in tried if not case.holds)
        few = "; ".join(f"{case.name}: {case.said}" for case in cases if case.holds is None)
        if not tried:
            return [self.name, "too few" if cases else "missing", "", few]
        verdict = "pass" if len(held) >= self.of_cases * len(tried) else "fail"
        shown = worst or ("; ".join(f"{case.name}: {case.said}" for case in tried) if len(tried) <= SHOWN else "")
        return [
            self.name,
            verdict,
            f"{len(held)} of {len(tried)}",
            "; ".join(filter(None, (shown, few and f"too few: {few}"))),
        ]


def _of(check: str, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["check"] == check]


def _cells(rows: Sequence[Row]) -> Iterator[tuple[str, str, Row]]:
    """The name, the source and the figures of each held-out cell."""
    for row in _of("held-out", rows):
        for source, cell in row["cells"].items():
            yield f"{row['set']}, {source} source", source, cell


def _near(name: str, first: Row) -> Iterator[Cell]:
    claimed, found, ends = first["claimed"], first["found"], first["interval"]
    if claimed is not None:
        inside = ends is not None and ends[0] <= found <= ends[1]
        yield Cell(name, abs(claimed - found) <= NEAR or inside, f"{claimed:.3f} / {found:.3f}")


def _first(rows: Sequence[Row]) -> Iterator[Cell]:
    for name, _, cell in _cells(rows):
        yield from _near(name, cell["first"])


def _first_by_length(rows: Sequence[Row]) -> Iterator[Cell]:
    for name, _, cell in _cells(rows):
        for each in cell["lengths"]:
            if each["texts"] >= FEW:
                yield from _near(f"{name}, {each['words'] or 'whole'}", each["first"])


def _confidence(rows: Sequence[Row]) -> Iterator[Cell]:
    for name, _, cell in _cells(rows):
        stated, found = cell["confidence"], cell["first"]["found"]
        yield Cell(name, stated - found <= OVERSURE, f"{stated:.3f} / {found:.3f}")


def _right(rows: Sequence[Row]) -> Iterator[Cell]:
    for name, _, cell in _cells(rows):
        opinions, right = cell["opinions"], cell["opinions"]["found"][1]
        if right is None or opinions["could"] < FEW:
            yield Cell(name, None, f"{opinions['given']} given on {opinions['could']} texts that could get one")
        else:
            yield Cell(name, right >= RIGHT, f"{right:.1%} of {opinions['given']}")


def _given(rows: Sequence[Row]) -> Iterator[Cell]:
    for name, source, cell in _cells(rows):
        if source == "new" and cell["words"] >= LONG:
            given, could = cell["opinions"]["found"][0], cell["opinions"]["could"]
            said = f"{given:.1%} ({could} of {cell['texts']} texts could get one)"
            yield Cell(name, given >= GIVEN if could >= FEW else None, said)


def _none(rows: Sequence[Row]) -> Iterator[Cell]:
    for name, _, cell in _cells(rows):
        found = cell["none_of_these"]["found"]
        yield Cell(name, found <= WRONG_NONE, f"{found:.1%}")


def _supported(rows: Sequence[Row]) -> Iterator[Cell]:
    for name, _, cell in _cells(rows):
        supported = cell.get("outsiders", {}).get("supported")
        if supported and supported["upper"] is not None:
            found, upper = supported["found"], supported["upper"]
            yield Cell(name, found <= upper, f"{found:.1%}, stated at most {upper:.1%}")


def _costs(rows: Sequence[Row]) -> Iterator[tuple[str, Row]]:
    for name, _, cell in _cells(rows):
        yield f"{name}, listed", cell["cllr_listed"]
        unlisted = cell.get("outsiders", {}).get("cllr_unlisted")
        if unlisted and unlisted["found"] is not None:
            yield f"{name}, not listed", unlisted


def _cllr(rows: Sequence[Row]) -> Iterator[Cell]:
    for name, cost in _costs(rows):
        yield Cell(name, cost["found"] < COST, f"{cost['found']:.2f}")


def _calibration(rows: Sequence[Row]) -> Iterator[Cell]:
    for name, cost in _costs(rows):
        lost = cost["found"] - cost["least"]
        yield Cell(name, lost <= CALIBRATION, f"{cost['found']:.3f} − {cost['least']:.3f}")


def _strong(rows: Sequence[Row]) -> Iterator[Cell]:
    for name, _, cell in _cells(rows):
        share = cell["above_100_for_wrong_authors"]
        yield Cell(name, share <= STRONG_WRONG, f"{share:.2%}")


def _strong_for_outsiders(rows: Sequence[Row]) -> Iterator[Cell]:
    for name, _, cell in _cells(rows):
        outsiders = cell.get("outsiders")
        if outsiders and outsiders["cllr_unlisted"]["found"] is not None:
            yield Cell(name, outsiders["above_100"] <= STRONG_WRONG, f"{outsiders['above_100']:.2%}")


def _retyped(rows: Sequence[Row]) -> Iterator[Cell]:
    for row in _of("retyped", rows):
        moves = np.array(row["moves"])
        said = f"{(moves >= MOVES).sum()} of {len(moves)} texts, at most {moves.max():.1f} %, median {np.median(moves):.1f} %"
        yield Cell(row["set"], bool((moves < MOVES).all()), said)


def _pretended(rows: Sequence[Row]) -> Iterator[Cell]:
    for row in _of("disguised", rows):
        kinds = row["kinds"]
        given, passages = (sum(each[what] for each in kinds.values()) for what in ("opinions", "passages"))
        said = ", ".join(f"{kind} {each['opinions']} of {each['passages']}" for kind, each in kinds.items())
        yield Cell(row["set"], given <= PRETENDED * passages if passages >= FEW else None, said)


def _slopes(rows: Sequence[Row]) -> Iterator[Cell]:
    for row in _of("numbers", rows):
        for number, group in row["groups"].items():
            cautious = ", cautious" if group["slope"] > CAUTIOUS else ""
            yield Cell(f"{row['set']}, {number} texts", group["slope"] >= SLOPE, f"{group['slope']:.2f}{cautious}")


def _strong_by_number(rows: Sequence[Row]) -> Iterator[Cell]:
    for row in _of("numbers", rows):
        for number, group in row["groups"].items():
            share = group["above_100_for_wrong_authors"]
            yield Cell(f"{row['set']}, {number} texts", share <= STRONG_WRONG, f"{share:.2%}")


def _stable(rows: Sequence[Row]) -> Iterator[Cell]:
    for row in _of("stability", rows):
        if row["texts"] < FEW:
            yield Cell(row["set"], None, f"{row['texts']} texts with an opinion")
        else:
            said = f"{row['inside_throughout']:.1%} ({row['inside']:.1%} of the pairs), width {row['median_width']:.2f}"
            yield Cell(row["set"], row["inside_throughout"] >= STABLE, said)


def _no_worse(rows: Sequence[Row]) -> Iterator[Cell]:
    for row in _of("held-out", rows):
        if row["set"] in BEFORE:
            found, before = row["cells"]["known"]["macro_f1"], BEFORE[row["set"]]
            yield Cell(row["set"], found >= before, f"{found:.3f}, was {before:.3f}")


BARS = (
    Bar(f"first place: found within {NEAR:.2f} of the claim or inside its interval, in {CELLS:.0%} of the cells", _first, CELLS),
    Bar(f"the same at each length that {FEW} texts have", _first_by_length, CELLS),
    Bar(f"mean confidence at most {OVERSURE} above what is found", _confidence),
    Bar(f"opinions for an author right in {RIGHT:.0%}", _right),
    Bar(f"opinions for an author on {GIVEN:.0%} of texts of {LONG:,} words from a new source", _given),
    Bar(f"'none of these' for at most {WRONG_NONE:.0%} of texts by listed authors", _none),
    Bar("outsiders supported no more often than stated (upper end)", _supported),
    Bar(f"Cllr below {COST:g}", _cllr),
    Bar(f"Cllr − Cllr_min at most {CALIBRATION}", _calibration),
    Bar(f"LR above 100 for a wrong author: at most {STRONG_WRONG:.1%}", _strong),
    Bar(f"the same for texts by outsiders: at most {STRONG_WRONG:.1%}", _strong_for_outsiders),
    Bar(f"a text typed anew: the LR moves by less than {MOVES:g} %", _retyped),
    Bar(f"disguised passages: opinions on at most {PRETENDED:.0%}", _pretended),
    Bar(f"unequal numbers of known texts: slope {SLOPE} or more", _slopes),
    Bar(f"the same: LR above 100 for a wrong author at most {STRONG_WRONG:.1%}", _strong_by_number),
    Bar(f"without any one known text inside the interval, for {STABLE:.0%} of texts with an opinion", _stable),
    Bar("macro-F1 on a known source no worse than in version 0.1", _no_worse),
)  # fmt: skip


def bars(rows: Sequence[Row]) -> str:
    """Each bar, whether it holds, and where it does not (where the cases are few: each of them)."""
    lines = markdown(("bar", "", "holds in", "fails, or what was found"), [bar.line(rows) for bar in BARS])
    return "\n".join(lines) + "\n"


SETS = (*CORPORA, *NEW_SOURCE)


@dataclass(frozen=True)
class Check:
    """What is done, and with which sets."""

    do: Callable[[TriedPack], Row]
    sets: tuple[str, ...] = SETS


CHECKS = {
    "held-out": Check(held_out),
    "retyped": Check(retyped),
    "disguised": Check(disguised, (ESSAYS,)),
    "numbers": Check(numbers, DRAWN),
    "stability": Check(stability),
    "shuffled": Check(shuffled, CORPORA),
    "families": Check(families),
    "imbalance": Check(imbalance, CORPORA[1:]),
}


def table(rows: Sequence[Row]) -> str:
    """Markdown for people: a row for each set and condition, claimed / found."""
    head = (
        "set", "source", "texts", "first place (95 %; mean confidence)", "Cllr, another listed author", "Cllr, somebody not listed",
        "opinions: given, of these right", "'none of these'", "outsiders supported", "LR above 100 for a wrong author",
    )  # fmt: skip
    body = [
        _table_row(row["set"], source, cell)
        for row in rows
        if row["check"] == "held-out"
        for source, cell in row["cells"].items()
    ]
    return "\n".join(markdown(head, body)) + "\n"


def _table_row(name: str, source: str, cell: Row) -> list[str]:
    first, opinions, outsiders = cell["first"], cell["opinions"], cell.get("outsiders", {})
    ends = "" if first["interval"] is None else " to ".join(f"{end:.3f}" for end in first["interval"]) + "; "
    given = (f"{percent(share)}, {percent(right)}" for share, right in (opinions["claimed"], opinions["found"]))
    supported, unlisted = outsiders.get("supported", {}), outsiders.get("cllr_unlisted", {})
    stated = (
        "–" if supported.get("claimed") is None else f"{supported['claimed']:.1%} (at most {supported['upper']:.1%})"
    )
    return [
        name,
        source,
        f"{cell['texts']}",
        f"{digits(first['claimed'])} / {digits(first['found'])} ({ends}{digits(cell['confidence'])})",
        _cost(cell["cllr_listed"]),
        _cost(unlisted) if unlisted.get("found") is not None else "",
        " / ".join(given) + ("; too few" if opinions["could"] < FEW else f"; {opinions['could']} texts"),
        f"{percent(cell['none_of_these']['claimed'])} / {percent(cell['none_of_these']['found'])}",
        f"{stated} / {supported['found']:.1%}" if supported else "",
        f"{cell['above_100_for_wrong_authors']:.2%}",
    ]


def _cost(cost: Row) -> str:
    return f"{digits(cost['claimed'])} / {digits(cost['found'])} (least {digits(cost['least'])})"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = arguments_of(__doc__ or "", SETS)
    parser.add_argument("--check", nargs="+", default=list(CHECKS), choices=list(CHECKS))
    options = parser.parse_args(arguments)

    def wanted(name: str) -> list[tuple[str]]:
        return [(check,) for check in options.check if name in CHECKS[check].sets]

    def read(data: Path, name: str, place: Path) -> TriedPack:
        return TriedPack.read(unpacked(data, name, place), name, place)

    def measure(pack: TriedPack, check: str) -> Row:
        return {"check": check, **CHECKS[check].do(pack)}

    return run(options, lambda rows: f"{table(rows)}\n{bars(rows)}", ["check"], wanted, read, measure)


if __name__ == "__main__":
    raise SystemExit(main())
