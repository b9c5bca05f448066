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

`--table` prints what OUT holds, and whether each bar holds that is set in `forensia.bench.bars`.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from forensia.bench.bars import FEW, bars
from forensia.bench.comparedsets import CORPORA, DRAWN, ESSAYS, NEW_SOURCE, unpacked
from forensia.bench.heldout import held_out
from forensia.bench.packs import TriedPack
from forensia.bench.rows import Row, arguments_of, keep, kept, markdown
from forensia.bench.trials import disguised, families, imbalance, numbers, retyped, shuffled, stability

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
        _cells(row["set"], source, cell)
        for row in rows
        if row["check"] == "held-out"
        for source, cell in row["cells"].items()
    ]
    return "\n".join(markdown(head, body)) + "\n"


def _cells(name: str, source: str, cell: Row) -> list[str]:
    first, opinions, outsiders = cell["first"], cell["opinions"], cell.get("outsiders", {})
    ends = "" if first["interval"] is None else " to ".join(f"{end:.3f}" for end in first["interval"]) + "; "
    given = (f"{_percent(share)}, {_percent(right)}" for share, right in (opinions["claimed"], opinions["found"]))
    supported, unlisted = outsiders.get("supported", {}), outsiders.get("cllr_unlisted", {})
    stated = (
        "–" if supported.get("claimed") is None else f"{supported['claimed']:.1%} (at most {supported['upper']:.1%})"
    )
    return [
        name,
        source,
        f"{cell['texts']}",
        f"{_digits(first['claimed'])} / {_digits(first['found'])} ({ends}{_digits(cell['confidence'])})",
        _cost(cell["cllr_listed"]),
        _cost(unlisted) if unlisted.get("found") is not None else "",
        " / ".join(given) + ("; too few" if opinions["could"] < FEW else f"; {opinions['could']} texts"),
        f"{_percent(cell['none_of_these']['claimed'])} / {_percent(cell['none_of_these']['found'])}",
        f"{stated} / {supported['found']:.1%}" if supported else "",
        f"{cell['above_100_for_wrong_authors']:.2%}",
    ]


def _cost(cost: Row) -> str:
    return f"{_digits(cost['claimed'])} / {_digits(cost['found'])} (least {_digits(cost['least'])})"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"


def _digits(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = arguments_of(__doc__ or "", SETS)
    parser.add_argument("--check", nargs="+", default=list(CHECKS), choices=list(CHECKS))
    options = parser.parse_args(arguments)
    rows = kept(options.out)
    if options.table:
        sys.stdout.write(f"{table(rows)}\n{bars(rows)}")
        return 0
    done = {(row["set"], row["check"]) for row in rows}
    with tempfile.TemporaryDirectory(prefix="forensia-honesty-") as place:
        for name in options.sets:
            missing = [each for each in options.check if name in CHECKS[each].sets and (name, each) not in done]
            if missing:
                pack = TriedPack.read(unpacked(options.data, name, Path(place)), name, Path(place))
                for check in missing:
                    keep(rows, {"set": name, "check": check, **CHECKS[check].do(pack)}, options.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
