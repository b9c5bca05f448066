"""Two texts or more: one writer or several? For any, read from files, pasted, or taken from the known ones; kept in the case on request.

Many verification problems at once, in the layout of the PAN tasks: for each a folder with `known*.txt` and `unknown.txt`.

What else lies there (contents.json, truth.txt) is not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from forensia.case.errors import CaseRefused
from forensia.case.results import COMPARISON
from forensia.case.session import TRAINED, Session, refuse_older
from forensia.case.store import Case
from forensia.corpus import Corpus, Document, ProblemError, check_disputed, read_disputed
from forensia.corpus.decoding import MAX_TEXT_BYTES
from forensia.corpus.document import FileProblem, Problem, Severity
from forensia.corpus.walking import Entry, Unreadable, read_bytes, shown, walk
from forensia.diffvectors import probability
from forensia.errors import Cancelled, ForensiaError, InputError
from forensia.evidence.explanation import PairExplanation, explain_pair
from forensia.evidence.opinion import FEW_WORDS
from forensia.evidence.pairwise import PairCalibration, log_odds, weakest
from forensia.evidence.result import Alternative, ComparedText, LikelihoodRatio, PairResult, Reason
from forensia.evidence.training import TrainedModel
from forensia.evidence.validation import DiffVectors, Validation
from forensia.evidence.writers import Grouping, Newcomers, TextPair, Verified, grouping_error, pair_rung
from forensia.features import Counts, Vectors
from forensia.jobs import Progress, part, silent
from forensia.language import MemoryCache
from forensia.service.analysing import Refused
from forensia.service.training import known_texts
from forensia.systems.centred import NOBODY
from forensia.systems.pairmodel import SENTENCES
from forensia.wording.problems import said

MOST_TEXTS = 50  # that are compared with each other at once


@dataclass(frozen=True)
class Side:
    """One of the two texts; `row` is its number among the known documents, or None when it is new to the model."""

    document: Document
    row: int | None
    vectors: Vectors


@dataclass(frozen=True)
class Compared:
    """Two texts with what was found about them."""

    a: Side
    b: Side
    explanation: PairExplanation
    result: PairResult


def compare_files(session: Session, a: Path, b: Path, progress: Progress = silent) -> Compared:
    """Compare two files."""
    return compare_documents(session, read_disputed(a), read_disputed(b), progress)


def compare_documents(session: Session, a: Document, b: Document, progress: Progress = silent) -> Compared:
    """Compare two texts; each of the known documents is recognised by its text, whatever its name."""
    if a.sha256_text == b.sha256_text:
        raise InputError("The two texts are the same. Choose another one for one side.")
    model, validation = session.judge.pairs, session.judge.validation
    tried = None if validation is None else validation.diff_vectors
    rows = _known_rows(session, (a, b))
    cache = MemoryCache()
    counted = [
        session.count(document, cache, part(progress, 0.4 * side, 0.4 * (side + 1)))
        for side, document in enumerate((a, b))
    ]
    lacking = any(bool(counts.no_sentences[0]) for counts in counted) and SENTENCES in model.options.families
    used = model.without(SENTENCES) if lacking else model
    sides = [
        Side(document, rows.get(document.sha256_text), used.fitted.vectors(counts))
        for document, counts in zip((a, b), counted, strict=True)
    ]
    seen = [side.row for side in sides if side.row is not None]
    background = session.judge.background.without(*{int(model.codes[row]) for row in seen})
    explanation = explain_pair(
        used.fitted, sides[0].vectors, sides[1].vectors, background, counts=(counted[0], counted[1])
    )
    progress(0.9, "comparing")
    both_known, score = len(seen) == 2, explanation.log_odds
    if both_known:
        if tried is None:
            raise InputError(
                "Both texts are known ones, which the model has seen, and the case has not been validated. Validate it first."
            )
        score = float(tried.log_odds[seen[0], seen[1]])
    words = min(side.document.words for side in sides)
    reasons, fused = _too_short(validation, words), None
    if validation is not None and validation.pairwise is not None:
        # In one order, so that the last digit does not depend on which text is shown first.
        one, other = (counts for _, counts in sorted(zip((a, b), counted, strict=True), key=_hash))
        authors = [int(model.codes[row]) for row in seen]
        fused = validation.pairwise.score(validation.system, one, other, authors)
    ratio, weak = _ratio(validation, words, len(seen), fused)
    result = PairResult(
        a=_compared(sides[0], used, tried),
        b=_compared(sides[1], used, tried),
        score=float(probability(np.array(score))),
        log_odds=score,
        fused=fused,
        ratio=ratio,
        reasons=(*reasons, *weak),
        warnings=tuple(_warnings(both_known, 0 if reasons else words, lacking)),
    )
    progress(1.0, "compared")
    return Compared(sides[0], sides[1], explanation, result)


def _warnings(both_known: bool, words: int, lacking: bool) -> Iterator[Reason]:
    """What must be kept in mind of two texts; `words` 0 where that they are short is said already, `lacking` where one has no sentences."""
    if both_known:
        yield Reason("pair-both-known")
    if 0 < words < FEW_WORDS:
        yield Reason("pair-short", {"words": words, "few": FEW_WORDS})
    if lacking:
        yield Reason("pair-no-sentence-lengths")


def refuse_too_many(texts: Sequence[object]) -> None:
    """Before any of them is read."""
    if len(texts) > MOST_TEXTS:
        raise InputError(f"These are {len(texts)} texts. At most {MOST_TEXTS} are compared with each other at once.")


def read_texts(files: Sequence[Path]) -> list[Document]:
    """The texts in some files."""
    refuse_too_many(files)
    return [replace(read_disputed(file), root=str(file.resolve().parent)) for file in files]


def compare_kept(case: Case, session: Session, documents: Sequence[Document], progress: Progress = silent) -> Grouping:
    """Compare texts with each other, and keep in the case what was found, with those texts that are not in it yet."""
    refuse_older(case)
    known = {each.sha256_text: each for each in session.seen.active.documents}
    texts = [known.get(each.sha256_text, each) for each in documents]
    details = {"texts": [{"file": Path(each.path).name, "sha256": each.sha256_bytes} for each in texts]}
    with case.log.run(COMPARISON, details) as run:
        found = compare_many(case, session, texts, progress)
        with run.finish():
            names = [each.id if each.sha256_text in known else case.documents.add_disputed(each) for each in texts]
            case.results.store_comparison(names, found, [kind for kind in TRAINED if kind in case.models.hashes()])
    return found


def compare_many(case: Case, session: Session, documents: Sequence[Document], progress: Progress = silent) -> Grouping:
    """Compare each of some texts with each of the others, and put those together that one person may have written."""
    if len({document.sha256_text for document in documents}) < len(documents):
        raise InputError("Two of the texts are the same. Leave one of them out.")
    model, validation = session.judge.pairs, session.judge.validation
    if validation is None or validation.pairwise is None or validation.pairwise.fusion is None:
        raise InputError("Pairs of texts were not tried in this case: it is not validated, or has too few authors.")
    rows = _known_rows(session, documents)
    seen = [rows.get(document.sha256_text) for document in documents]
    counts = session.count_all(documents, MemoryCache(), part(progress, 0.0, 0.2))
    first, second = np.triu_indices(len(documents), 1)
    # Each pair in one order, so that the last digit does not depend on the order of the files.
    hashes = np.array([document.sha256_text for document in documents])
    turned = hashes[first] > hashes[second]
    first, second = np.where(turned, second, first), np.where(turned, first, second)
    authors = np.array([NOBODY if row is None else int(model.codes[row]) for row in seen])
    without = np.column_stack((authors[first], authors[second]))
    fused = log_odds(
        validation.pairwise.fusion, validation.system.centred_pairs(counts, counts, first, second, without)
    )
    pairs = []
    for one, other, score in zip(first.tolist(), second.tolist(), fused.tolist(), strict=True):
        words = min(documents[one].words, documents[other].words)
        known = sum(seen[side] is not None for side in (one, other))
        ratio, weak = _ratio(validation, words, known, score)
        pairs.append(TextPair(min(one, other), max(one, other), score, ratio, (*_too_short(validation, words), *weak)))
    texts = tuple(
        ComparedText(
            document.path or document.title,
            document.sha256_bytes,
            document.words,
            None if row is None else model.authors[int(model.codes[row])],
            None,
        )
        for document, row in zip(documents, seen, strict=True)
    )
    found = Grouping.of(texts, pairs)
    if found.groups:
        stage = part(progress, 0.2, 0.6)
        lengths = [document.words for document in documents]
        error = grouping_error(validation, known_texts(case, session, stage), lengths, part(progress, 0.6, 1.0))
        found = replace(found, error=error)
    fewest = min(document.words for document in documents)
    if fewest < FEW_WORDS and not _too_short(validation, fewest):
        found = replace(found, warnings=(Reason("pair-short", {"words": fewest, "few": FEW_WORDS}),))
    progress(1.0, "compared")
    return found


def _known_rows(session: Session, documents: Sequence[Document]) -> Mapping[str, int]:
    """The rows of the known texts by the hashes of these; a text that is nearly a known one is refused."""
    places = {name: row for row, name in enumerate(session.judge.learnt.documents)}
    known = session.seen.active.documents
    for document in documents:
        if all(document.sha256_text != each.sha256_text for each in known):
            session.refuse_known(document)  # most of a known text would pass for a new one
    return {document.sha256_text: places[document.id] for document in known if document.id in places}


def _too_short(validation: Validation | None, words: int) -> list[Reason]:
    if validation is None or words >= validation.shortest:
        return []
    return [Reason("pair-few-words", {"words": words, "fewest": int(validation.shortest)})]


def _compared(side: Side, model: TrainedModel, tried: DiffVectors | None) -> ComparedText:
    document = side.document
    return ComparedText(
        file=document.path or document.title,
        sha256=document.sha256_bytes,
        words=document.words,
        known_author=None if side.row is None else model.authors[int(model.codes[side.row])],
        attributed=_attributed(side, model, tried),
    )


def _attributed(side: Side, model: TrainedModel, tried: DiffVectors | None) -> str | None:
    """Whom Lazy AA puts first; a known text was attributed when the case was validated, by models that had not seen it."""
    if side.row is None:
        (ranking,) = model.rank_vectors(side.vectors)
        return model.authors[int(np.nanargmax(ranking.lazy))]
    return None if tried is None else model.authors[int(tried.lazy[side.row])]


def _hash(pair: tuple[Document, Counts]) -> str:
    return pair[0].sha256_text


def _ratio(
    validation: Validation | None, words: int, known: int, fused: float | None
) -> tuple[LikelihoodRatio | None, list[Reason]]:
    """The LR: of all calibrations that apply to such a pair, the one that claims least; and why it may be worth nothing."""
    applying: list[tuple[Alternative, PairCalibration]] = []
    reasons: list[Reason] = []
    if validation is not None and validation.pairwise is not None:
        for alternative, (calibration, measured) in validation.pairwise.applying(
            known, pair_rung(validation, words)
        ).items():
            applying.append((alternative, calibration))
            if measured.cllr_interval.high >= 1:
                reasons.append(Reason("pair-costly", {"cllr": measured.cllr_interval.high}))
    if not applying or fused is None:
        return None, [*reasons, Reason("pair-not-estimable")]
    ratios = [calibration.said(fused, alternative) for alternative, calibration in applying]
    ratio = ratios[int(weakest(np.array([[each.log10] for each in ratios]))[0])]
    ends = ratio.interval
    if ends is None or ends[0] <= 0 <= ends[1]:  # an interval that is not known excludes nothing
        reasons.append(Reason("pair-interval-includes-1"))
    return ratio, reasons


ANSWERS = "answers.txt"
MOST_PROBLEMS = 10_000
MOST_KNOWN = 100  # known texts of a problem


@dataclass(frozen=True)
class Posed:
    """A problem as it lies in its folder; `wrong` is what could not be looked at there."""

    name: str
    known: tuple[Entry, ...]
    unknown: Entry | None
    wrong: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class ProblemAnswer:
    """What was found about a problem; of known texts that are the same one is there."""

    problem: str
    known: tuple[Document, ...]
    unknown: Document
    found: Verified


@dataclass(frozen=True)
class ProblemAnswers:
    """What became of some problems; a broken one never stops the others."""

    answers: tuple[ProblemAnswer, ...]
    refused: tuple[Refused, ...] = ()

    @property
    def lines(self) -> str:
        """The answers in the format of the PAN tasks: 0.5 is none."""
        found = {each.file: 0.5 for each in self.refused}
        found |= {each.problem: _probability(each.found) for each in self.answers}
        return "".join(f"{name} {found[name]:.6g}\n" for name in sorted(found))


def _probability(found: Verified) -> float:
    return 0.5 if found.same is None or found.probability is None else found.probability


def answer_problems(case: Case, session: Session, folder: Path, progress: Progress = silent) -> ProblemAnswers:
    """ProblemAnswer all problems of a folder; nothing of them is kept in the case."""
    refuse_older(case)
    posed = list(problems_in(folder, part(progress, 0.0, 0.02)))
    validation = session.judge.validation
    if validation is None:
        raise CaseRefused("The case has not been validated yet. Validate it first.")
    newcomers = Newcomers(validation, known_texts(case, session, part(progress, 0.02, 0.2)))
    answers, refused = [], []
    for number, each in enumerate(posed):
        stage = part(progress, 0.2 + 0.8 * number / len(posed), 0.2 + 0.8 * (number + 1) / len(posed))
        stage(0.0, each.name)
        try:
            answers.append(_answered(session, newcomers, each, stage))
        except Cancelled:
            raise
        except ForensiaError as error:
            refused.append(Refused(each.name, said(error)))
    return ProblemAnswers(tuple(answers), tuple(refused))


def problems_in(folder: Path, progress: Progress = silent) -> Iterator[Posed]:
    """The problems of a folder, each sub-folder one, in the order of their names."""
    listing = walk(folder, progress)
    if listing.single:
        raise InputError(f"'{folder.name}' is a file. Choose the folder that has a folder for each problem.")
    # What names alone could mislead about is no fault here.
    faults = [each for each in listing.problems if each.severity is Severity.WARNING and each.code != "similar-names"]
    try:
        folders = [shown(each.name) for each in folder.iterdir() if each.is_dir() and each.name[0] != "."]
    except OSError as error:
        raise Unreadable("place", shown(str(folder)), reason=error.strerror or str(error)) from error
    entries: dict[str, list[Entry]] = {name: [] for name in folders}
    for entry in listing.entries:
        if len(entry.parts) == 2:
            entries.setdefault(entry.parts[0], []).append(entry)
    if not entries:
        raise InputError(f"'{folder.name}' holds no problems. Choose the folder that has a folder for each problem.")
    if len(entries) > MOST_PROBLEMS:
        raise InputError(f"'{folder.name}' holds more than {MOST_PROBLEMS:,} problems. Choose fewer at once.")
    for name in sorted(entries):
        texts = {entry.name.lower(): entry for entry in entries[name]}
        known = tuple(entry for text, entry in texts.items() if text.startswith("known") and text.endswith(".txt"))
        wrong = tuple(each for each in faults if each.file.split("/")[0] == name)
        yield Posed(name, known, texts.get("unknown.txt"), wrong)


def _answered(session: Session, newcomers: Newcomers, posed: Posed, progress: Progress) -> ProblemAnswer:
    if posed.wrong:
        raise ProblemError(posed.wrong[0], posed.wrong[1:])
    if posed.unknown is None:
        raise InputError("There is no unknown.txt.")
    if not posed.known:
        raise InputError("There is no known text (known01.txt and so on).")
    if len(posed.known) > MOST_KNOWN:
        raise InputError(f"There are more than {MOST_KNOWN:,} known texts.")
    unknown, *others = _read((posed.unknown, *posed.known))
    known = tuple({each.sha256_text: each for each in others}.values())
    for problem in check_disputed(Corpus.of(known), unknown):
        raise ProblemError(problem)
    session.refuse_known(unknown)
    counts = session.count_all(known, MemoryCache(), part(progress, 0.0, 0.3))
    parts = session.parts(unknown, MemoryCache(), part(progress, 0.3, 0.5))
    without = _authors(session, known)
    found = newcomers.verify(counts, parts, unknown.words, without, part(progress, 0.5, 1.0))
    return ProblemAnswer(posed.name, known, unknown, found)


def _read(entries: Sequence[Entry]) -> Iterator[Document]:
    """The texts of a problem, all together no larger than one may be."""
    room = MAX_TEXT_BYTES
    for entry in entries:
        try:
            data = read_bytes(entry.place, room)
        except FileProblem as error:
            raise FileProblem(error.about(entry.relative)) from error
        room -= len(data)
        yield read_disputed(data, name=entry.relative)


def _authors(session: Session, known: Sequence[Document]) -> list[int]:
    """The authors of the case who wrote one of these texts: they are no others."""
    by_id, learnt = session.corpus.by_id, session.judge.learnt
    hashes = {each.sha256_text for each in known}
    places = zip(learnt.documents, learnt.codes.tolist(), strict=True)
    return sorted({code for name, code in places if name in by_id and by_id[name].sha256_text in hashes})
