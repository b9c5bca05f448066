"""The long work that the window starts, each a function of `progress` for the bridge; none of them touches a widget."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from forensia.case.documents import StoredDocument
from forensia.case.store import Case
from forensia.corpus import Corpus, Document, ReadOptions, checked, read_corpus
from forensia.corpus.cleaning import Step, propose_cuts
from forensia.corpus.segmenting import segment
from forensia.corpus.words import count_words
from forensia.errors import Cancelled, ForensiaError
from forensia.gui import snapshot
from forensia.gui.snapshot import Snapshot
from forensia.jobs import Progress, part, tracked

Opened = tuple[Case, Snapshot]
_PIECES = 10_000  # `segmenting` numbers the pieces of a part from here on


def open_case(path: Path) -> Callable[[Progress], Opened]:
    """Open a case and read what the window shows of it."""

    def work(progress: Progress) -> Opened:
        progress(0.1, f"Opening {path.name}")
        case = Case.open(path)
        try:
            return case, snapshot.take(case)
        except BaseException:
            case.close()
            raise

    return work


def read_new(source: Path, target: Path, options: ReadOptions) -> Callable[[Progress], Opened]:
    """Read known texts into a case that is made when they are read: stopped before, nothing is left behind."""

    def work(progress: Progress) -> Opened:
        corpus = _read(source, options, part(progress, 0.0, 0.9))
        progress(0.92, "Keeping the texts in the case")
        case = Case.create(target)
        try:
            case.store_corpus(corpus)
            snapshot.keep_reading(case, options)
            return case, snapshot.take(case)
        except BaseException:
            case.close()
            target.unlink(missing_ok=True)
            raise

    return work


def read_into(case: Case, source: Path, options: ReadOptions) -> Callable[[Progress], Snapshot]:
    """Read known texts into a case that is there; what was decided about a document holds on where it is still the same."""

    def work(progress: Progress) -> Snapshot:
        before = case.documents()
        corpus = _read(source, options, part(progress, 0.0, 0.9))
        progress(0.92, "Keeping the texts in the case")
        authors: dict[str, list[str]] = defaultdict(list)
        for document in before:
            if document.id not in corpus.by_id:
                continue
            if document.excluded is not None and document.id not in corpus.excluded:
                corpus = corpus.without([document.id], document.excluded)
            if document.author != document.label:
                authors[document.author].append(document.id)
        case.store_corpus(corpus)
        snapshot.keep_reading(case, options)
        for author, names in authors.items():
            case.reassign(names, author)
        return snapshot.take(case)

    return work


def _read(source: Path, options: ReadOptions, progress: Progress) -> Corpus:
    return checked(read_corpus(source, options, part(progress, 0.0, 0.6)), part(progress, 0.6, 1.0))


def train(case: Case, options: Mapping[str, Any], jobs: int) -> Callable[[Progress], Snapshot]:
    """Train on the known texts of the case."""

    def work(progress: Progress) -> Snapshot:
        progress(0.0, "Loading the language model")
        from forensia.attribution.pairmodel import TrainingOptions
        from forensia.case.work import train_case

        train_case(case, TrainingOptions(**options), jobs=jobs, progress=progress)
        return snapshot.take(case)

    return work


@dataclass(frozen=True)
class Analysed:
    """What became of dropped files: the case afterwards, and a sentence for each file that could not be used."""

    snapshot: Snapshot
    done: int
    refused: tuple[str, ...] = ()


def analyse(case: Case, files: Sequence[Path], announce: Callable[[object], None]) -> Callable[[Progress], Analysed]:
    """Analyse disputed files one by one; a bad one does not stop the others."""

    def work(progress: Progress) -> Analysed:
        progress(0.0, "Loading the model")
        from forensia.case.work import analyse_files

        refused: list[str] = []
        for number, file in enumerate(files):
            stage = part(progress, number / len(files), (number + 1) / len(files))
            try:
                analyse_files(case, [file], progress=stage)
            except Cancelled:
                raise
            except ForensiaError as error:
                refused.append(str(error))
            else:
                announce(snapshot.take(case))
        return Analysed(snapshot.take(case), len(files) - len(refused), tuple(refused))

    return work


@dataclass(frozen=True)
class Effect:
    """What cleaning and segmenting would do to the texts, before it is done."""

    documents: int
    cuts: int
    cut_documents: int
    words_before: int
    words_after: int
    pieces: int


def effect(
    case: Case, documents: Sequence[StoredDocument], steps: tuple[Step, ...], words: int | None
) -> Callable[[Progress], Effect]:
    """Try options out on the texts as they are in the case."""

    def work(progress: Progress) -> Effect:
        cuts = cut_documents = before = after = pieces = 0
        whole = _wholes(case, documents)
        for text in tracked(whole, progress, "Trying the options"):
            proposed = propose_cuts(text.original, steps) if steps else ()
            cuts += len(proposed)
            cut_documents += bool(proposed)
            before += count_words(text.original)
            shortened = replace(text, cuts=proposed)
            after += count_words(shortened.text) if proposed else count_words(text.original)
            pieces += len(segment(shortened, words)) if words else 1
        return Effect(len(whole), cuts, cut_documents, before, after, pieces)

    return work


def _wholes(case: Case, documents: Sequence[StoredDocument]) -> list[Document]:
    """The texts as they stood in their files, uncut: the pieces of one text are put together again."""
    groups: dict[tuple[str, int], list[StoredDocument]] = defaultdict(list)
    for each in documents:
        piece = each.part % _PIECES
        is_piece = bool(piece) and each.title.endswith(f" ({piece})")
        groups[each.path or each.id, each.part // _PIECES if is_piece else -1 - each.part].append(each)
    wholes = []
    for group in groups.values():
        texts = [case.document(each.id) for each in sorted(group, key=lambda each: each.part)]
        wholes.append(replace(texts[0], original="".join(text.original for text in texts), cuts=()))
    return wholes
