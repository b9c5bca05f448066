"""Results in words for a person at a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from forensia.case.verify import Difference
from forensia.corpus import Corpus, Role
from forensia.corpus.sources import ONE_SOURCE
from forensia.evidence.explanation import PairExplanation
from forensia.evidence.learnt import UsedTexts
from forensia.evidence.population import PopulationText
from forensia.evidence.possible import possible
from forensia.evidence.result import FUSED, Candidate, Ends, PairResult, Placed, Result
from forensia.evidence.summary import ValidationSummary
from forensia.evidence.writers import Grouping
from forensia.wording import conditions, opinion, reasons, writers
from forensia.wording.numbers import Printer
from forensia.wording.problems import message, sentence
from forensia.wording.ratios import ACCEPTED_AMONG, ACCEPTED_CAPTION, MARQUIS_2016, NOT_ESTIMABLE, model_score, share
from forensia.wording.templates import listed

if TYPE_CHECKING:
    from forensia.service.comparing import ProblemAnswers
    from forensia.service.importing import Addition
    from forensia.service.verifying import Confirmation, Verification

LISTED = 12  # problems; --json has them all
CANDIDATES = 5
CONTRIBUTIONS = 6
PAIRS = 30
_ROLES = {Role.CANDIDATE: "candidates", Role.POPULATION: "the population"}


def corpus_lines(corpus: Corpus, population: Sequence[PopulationText] = ()) -> str:
    """What was read, in a few lines, and what will be possible with it and with a population that came as counts."""
    return "\n".join([read_line(corpus), *_problem_lines(corpus), *_possible_lines(corpus, population)])


def read_line(corpus: Corpus) -> str:
    """What was read."""
    active = corpus.active
    what = f"{_counted(len(active), 'document')} by {_counted(len(active.authors), 'author')}"
    return f"Read {what} (layout: {corpus.layout})."


def _possible_lines(corpus: Corpus, population: Sequence[PopulationText] = ()) -> list[str]:
    found = possible(corpus, population)
    lines = [
        f"  {'yes' if each.possible else 'no '}  {reasons.POSSIBLE[each.what]}: {reasons.sentence(each.reason)}"
        for each in found
    ]
    return ["What will be possible with these texts:", *lines] if found else []


def added_lines(addition: Addition, role: Role, population: Sequence[PopulationText] = ()) -> str:
    """What was added to a case, in a few lines; it may have a `population` that came as counts."""
    new, active = addition.documents, addition.corpus.active
    others = len(active.authors) - len(active.candidates)
    added = f"Added {_counted(len(new), 'document')} by {_counted(len({each.author for each in new}), 'author')} as {_ROLES[role]}."
    now = f"The case now has {_counted(len(active), 'document')} by {_counted(len(active.candidates), 'candidate')}"
    beside = f" and {_counted(others, 'author')} of the population" if others else ""
    lines = [*_problem_lines(addition.corpus), *_possible_lines(addition.corpus, population)]
    return "\n".join([f"{added} {now}{beside}.", *lines])


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _problem_lines(corpus: Corpus) -> list[str]:
    proposed = [problem for problem in corpus.problems if problem.code == ONE_SOURCE]
    problems = [problem for problem in corpus.every_problem if problem.code != ONE_SOURCE]
    lines = [f"  {problem.severity.value}: {message(problem)}" for problem in problems[:LISTED]]
    if len(problems) > LISTED:
        lines.append(f"  ... and {len(problems) - LISTED} more; --json lists them all.")
    return [*lines, *(f"  note: {sentence(problem)}" for problem in proposed)]


def used_line(used: UsedTexts | None) -> str:
    """How many known texts were used, where it was not to be all of them."""
    if used is None:
        return ""
    return f"Used {used.documents:,} of {used.known:,} known texts, at most {used.at_most:,} of each author."


def trust_lines(summary: ValidationSummary) -> str:
    """How far the model can be trusted, in a few lines: both figures side by side, then what each ranking does."""
    lines = [
        f"How far can this model be trusted? Measured on {conditions.whole(summary.whole.condition)}, each scored by a model that had not "
        "seen it, left out with its source (new source) or without it (known source); in brackets 95 % intervals:"
    ]
    if reference := conditions.stand_ins(summary):
        lines.insert(0, " ".join(filter(None, [reference, conditions.thinned(summary)])))
    if lacking := conditions.lacks_new_source(summary):
        lines.insert(0, lacking)
    rows = [("", *conditions.SOURCES.values()), *conditions.side_by_side(summary, Printer())]
    widths = [max(len(row[place]) for row in rows) for place in range(2)]
    lines += [f"  {row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]}" for row in rows]
    lines.append("  Cllr, the cost of likelihood ratios: 0 is perfect, 1 useless.")
    population = summary.reference is not None
    for system, measured in summary.systems.items():
        if not (population and system == FUSED):
            of = f" of all {summary.authors:,} known authors" if population else ""
            lines.append(
                f"  {share(measured.accuracy)} rank their own author first{of} by {reasons.SYSTEMS[system]}"
                f"{_shares(measured.accuracy_interval)}; macro-F1 {measured.macro_f1:.3f}."
            )
    if not population or not summary.fused_only:
        lines.append(
            f"  By chance it would be {share(conditions.by_chance(summary))}, by always naming the author with most texts "
            f"{share(summary.majority)}."
        )
    if pairs := opinion.strangers(summary):
        lines.append(f"  {pairs}")
    lines += [f"  Note: {note}" for note in reasons.sentences(summary.notes)]
    return "\n".join(lines)


def document_lines(result: Result, exhibit: str = "") -> str:
    """The first candidates by each system, the likelihood ratios, the opinion."""
    systems = result.rankings
    heads = "".join(f"{reasons.HEADS[system]:<40}" for system in systems).rstrip()
    name = f"{exhibit} ({result.file})" if exhibit else result.file
    lines = [f"\n{name}, {result.words:,} words" if exhibit else f"\n{name} ({result.words:,} words)", f"      {heads}"]
    for rank, row in enumerate(zip(*map(result.ranked, systems), strict=True), start=1):
        if rank <= CANDIDATES:
            cells = (_row(each, each.systems[system]) for each, system in zip(row, systems, strict=True))
            lines.append(f"  {rank:>2}  {'    '.join(cells)}".rstrip())
    if any(placed.accepted for each in result.candidates for placed in each.systems.values()):
        lines.append(f"      * {ACCEPTED_AMONG if result.population else ACCEPTED_CAPTION}")
    first = result.candidates[:CANDIDATES]
    for each in first if result.subject in first else (*first, result.subject):
        if (ratio := each.headline) is not None:
            # Words of support beside 'no opinion' would be one.
            support = f": {MARQUIS_2016.support(ratio.log10).words}" if result.opinion.given else ""
            both = [
                f"{reasons.ALTERNATIVES[one.alternative.value]} {one.log10:+.2f}"
                for one in (each.listed, each.unlisted)
                if one is not None
            ]
            about = " (asked about)" if each.author == result.asked and len(result.candidates) > 1 else ""
            lines.append(
                f"      log10 LR {ratio.log10:+.2f}{_signed(ratio.interval)}  {each.author[:28]}{about}{support} "
                f"[against {', '.join(both)}]"
            )
    if asked := opinion.particular(result):
        lines.append(f"  {asked}")
    lines.append("  " + " ".join([opinion.statement(result), *opinion.reasons(result)]))
    if holds := conditions.holds(result):
        lines.append(f"  {holds}")
    lines += [f"  Note: {warning}" for warning in reasons.warnings(result)]
    return "\n".join(lines)


def pair_lines(result: PairResult, explanation: PairExplanation) -> str:
    """Two texts compared."""
    lines = [
        f"{result.a.file} and {result.b.file}",
        f"  Pr(Same) {model_score(result.score)} (not a probability of authorship, and no part of the likelihood ratio)",
    ]
    if result.ratio is not None:
        lines.append(f"  log10 LR {result.ratio.log10:+.2f}{_signed(result.ratio.interval)}")
    lines.append("  " + " ".join([opinion.pair_statement(result), *reasons.sentences(result.reasons)]))
    lines += [f"  Note: {warning}" for warning in reasons.sentences(result.warnings)]
    if attributions := opinion.pair_attributions(result):
        lines.append(f"  {attributions}")
    sides = zip(("Speaks for one writer", "Speaks against"), explanation.strongest(), strict=True)
    for word, features in sides:
        names = ", ".join(feature.feature for feature in features[:CONTRIBUTIONS])
        lines.append(f"  {word}: {names or 'nothing much'}.")
    return "\n".join(lines)


def grouping_lines(found: Grouping, names: Sequence[str]) -> str:
    """Several texts compared: their groups, how often such groups are wrong, and all pairs."""
    lines = [*writers.answer(found, names), *(f"  Note: {each}" for each in reasons.sentences(found.warnings))]
    for pair in sorted(found.pairs, key=lambda each: 0.0 if each.ratio is None else -each.ratio.log10)[:PAIRS]:
        ratio = NOT_ESTIMABLE if pair.ratio is None else f"{pair.ratio.log10:+.2f}{_signed(pair.ratio.interval)}"
        lines.append(f"  log10 LR {ratio}  {names[pair.a]} and {names[pair.b]}{'' if pair.given else ' (no opinion)'}")
    if len(found.pairs) > PAIRS:
        lines.append(f"  ... and {len(found.pairs) - PAIRS} more pairs; --json lists them all.")
    return "\n".join(lines)


def answer_lines(found: ProblemAnswers) -> str:
    """Verification problems, a line for each."""
    lines = []
    for each in found.answers:
        ratio = each.found.ratio
        shown = NOT_ESTIMABLE if ratio is None else f"{ratio.log10:+.2f}{_signed(ratio.interval)}"
        lines.append(f"{each.problem}  log10 LR {shown}: {writers.ANSWERS[each.found.same]}")
    given = sum(each.found.same is not None for each in found.answers)
    return "\n".join([*lines, f"{given:,} of {len(found.answers) + len(found.refused):,} problems have an answer."])


def difference_lines(differences: Sequence[Difference], notes: Sequence[str]) -> str:
    """The first differences that a verification found, and what must be known besides."""
    lines = [f"  {each.message}" for each in differences[:LISTED]]
    if len(differences) > LISTED:
        lines.append(f"  ... and {len(differences) - LISTED} more; --json lists them all.")
    return "\n".join([*lines, *notes])


def verified_line(target: Path, found: Verification) -> str:
    """That a case is what it was."""
    counts = (
        (len(found.arrays), "group of arrays", "groups of arrays"),
        (len(found.results), "result", "results"),
        (len(found.comparisons), "comparison", "comparisons"),
    )
    again = listed([f"{count:,} {one if count == 1 else many}" for count, one, many in counts if count] or [""])
    return f"Everything in {target} is as it was stored{f', and {again} came out again' if found.arrays else ''}."


def agreement_lines(found: Confirmation) -> str:
    """How many numbers of a report are those of its case."""
    lines = [
        f"  {part}: {agree:,} of {count:,} numbers agree with the case"
        for part, (count, agree) in found.numbers.items()
    ]
    if not found.differences:
        again = ", and they came out again" if found.again else ""
        lines.append(
            f"All {found.total:,} numbers in {found.report} are those of {found.case.name}{again}."
            if found.total
            else f"{found.report} is the file that was made from {found.case.name}, which is as it was stored."
        )
    return "\n".join(lines)


def _row(candidate: Candidate, placed: Placed) -> str:
    return f"{candidate.author[:28]:<28} {placed.score:6.3f}{'*' if placed.accepted else ' '}"


def _shares(ends: Ends | None) -> str:
    return "" if ends is None else f" (95 % interval {share(ends[0])} to {share(ends[1])})"


def _signed(ends: Ends | None) -> str:
    return "" if ends is None else f" ({ends[0]:+.2f} to {ends[1]:+.2f})"
