"""What the commands do, in words for the terminal; the work itself is in the rooms, and the parser in `cli`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from forensia.errors import NotBuiltYet
from forensia.jobs import TerminalBar, part

if TYPE_CHECKING:
    from forensia.case.store import Case
    from forensia.corpus import Corpus, Problem

_LISTED = 12  # problems on the terminal; --json has them all
_CANDIDATES = 5


def train(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia train`: read, check, train, keep."""
    from forensia.attribution.pairmodel import TrainingOptions
    from forensia.case import work
    from forensia.corpus import ReadOptions

    training = TrainingOptions(
        profile=options.profile,
        seed=options.seed,
        mask=options.mask,
        language=options.language,
        function_words=str(options.function_words.resolve()) if options.function_words else "",
    )
    read = ReadOptions(layout=options.layout, segment_words=options.segment)
    with _new_case(options.output) as case:
        corpus = work.import_corpus(case, options.corpus, read, part(bar, 0.0, 0.1))
        bar.clear()
        tell(_corpus(corpus))
        model = work.train_case(case, training, jobs=jobs(options.jobs), progress=part(bar, 0.1, 1.0))
    bar.clear()
    if len(model.options.families) < len(training.families):
        tell("In some known texts no sentences can be found, so sentence lengths were left out.")
    tell(f"Trained: C = {model.fitted.training.c:g}, k = {model.k}. The case is {options.output}.")
    return {
        "case": str(options.output),
        "model": work.about(model),
        "problems": [_plain(each) for each in corpus.every_problem],
    }


def analyse(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia analyse`: rank the candidate authors of disputed files."""
    from forensia.case import work
    from forensia.case.store import Case

    if options.pdf:
        raise NotBuiltYet("analyse --pdf")
    with Case.open(options.case) as case:
        found = work.analyse_files(case, options.files, progress=bar)
    bar.clear()
    for document in found["documents"]:
        tell(_ranking(document))
    return found


def demo(options: argparse.Namespace, bar: TerminalBar) -> Any:
    """`forensia demo`: the sample case from start to end."""
    from forensia import paths
    from forensia.attribution.pairmodel import TrainingOptions
    from forensia.case import work
    from forensia.cli import write_json
    from forensia.corpus import ReadOptions

    folder = (options.out or Path("forensia-demo")).resolve()
    paths.private_folder(folder)
    place, results = folder / "sample.forensia", folder / "results.json"
    place.unlink(missing_ok=True)  # an earlier demo made it, and it is made again below
    sample = paths.sample_case()
    with _new_case(place) as case:
        corpus = work.import_corpus(case, sample / "known", ReadOptions(), part(bar, 0.0, 0.1))
        bar.clear()
        tell(_corpus(corpus))
        model = work.train_case(case, TrainingOptions(), jobs=jobs(0), progress=part(bar, 0.1, 0.8))
        bar.clear()
        right = float(model.k_accuracy[model.k - 1])
        tell(
            f"Trained. {right:.0%} of the known texts rank their own author first, scored by models that had not seen them."
        )
        files = sorted((sample / "disputed").glob("*.txt"))
        found = work.analyse_files(case, files, progress=part(bar, 0.8, 1.0))
    bar.clear()
    for document in found["documents"]:
        tell(_ranking(document))
    write_json(found, str(results))
    tell(f"\nThe case:    {place}\nThe numbers: {results}")
    return found


@contextmanager
def _new_case(place: Path) -> Iterator[Case]:
    """A case that is there when the command has ended well, and not otherwise, so that the command can be given again."""
    from forensia.case.store import Case

    case = Case.create(place)
    try:
        with case:
            yield case
    except BaseException:
        place.unlink(missing_ok=True)
        raise


def jobs(wanted: int) -> int:
    """How many processes or threads: as wanted, or one for each core."""
    return wanted if wanted > 0 else os.cpu_count() or 1


def tell(text: str = "") -> None:
    """A line for the person at the terminal; on stderr, so that `--json -` stays clean."""
    sys.stderr.write(text + "\n")


def _corpus(corpus: Corpus) -> str:
    """What was read, in a few lines."""
    active = corpus.active
    lines = [f"Read {len(active)} documents by {len(active.authors)} authors (layout: {corpus.layout})."]
    problems = corpus.every_problem
    lines += [f"  {problem.severity.value}: {problem.message}" for problem in problems[:_LISTED]]
    if len(problems) > _LISTED:
        lines.append(f"  ... and {len(problems) - _LISTED} more; --json lists them all.")
    return "\n".join(lines)


def _plain(problem: Problem) -> dict[str, str]:
    return {
        "code": problem.code,
        "severity": problem.severity.value,
        "message": problem.message,
        "next_step": problem.next_step,
        "file": problem.file,
    }


def _ranking(document: dict[str, Any]) -> str:
    """The first candidates by both methods, side by side."""
    lines = [f"\n{document['file']} ({document['words']:,} words)", f"      {'Lazy AA':<38}Stacked AA"]
    for lazy, stacked in list(zip(document["lazy"], document["stacked"], strict=True))[:_CANDIDATES]:
        left, right = (f"{row['author'][:28]:<28} {row['score']:.3f}" for row in (lazy, stacked))
        lines.append(f"  {lazy['rank']:>2}  {left}    {right}")
    opinion = document["opinion"]
    lines.append(f"  {opinion['statement']} {' '.join(opinion['reasons'])}")
    return "\n".join(lines)
