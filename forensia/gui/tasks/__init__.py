"""What the child process does for the window, each a task for `jobs.worker`: no Qt, no state.

The window has the case open and lends it: it changes nothing in it until the task has ended.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from forensia.case.store import Case
from forensia.corpus import Document, ReadOptions, Role
from forensia.corpus.characters import count_words
from forensia.corpus.cleaning import Step, propose_cuts
from forensia.corpus.segmenting import segment
from forensia.corpus.walking import walk
from forensia.evidence.result import Question, Stated
from forensia.gui.tasks import experiments, inquiries, plots
from forensia.gui.tasks.inquiries import Asked, asked_text
from forensia.jobs import Progress, part, tracked
from forensia.jobs.worker import News
from forensia.report.details import CaseDetails
from forensia.wording.problems import sentence, worded

Json = Any
_EXAMPLE = 4_000  # characters of a text that show what a mask does


@worded()
def read(progress: Progress, news: News, *, case: str, source: str, options: ReadOptions) -> None:
    """Read known texts into a case that is there; what was decided about a document holds on where it is still the same."""
    from forensia.service.importing import import_corpus

    with Case.open(case, lent=True) as lent:
        import_corpus(lent, Path(source), options, progress)


@worded()
def add(progress: Progress, news: News, *, case: str, source: str, options: ReadOptions, role: Role) -> tuple[int, int]:
    """Read further known texts into a case, by authors of this role; says by how many authors, and how many documents, are new."""
    from forensia.case.populationfile import ENDING
    from forensia.service.importing import add_texts, use_population

    with Case.open(case, lent=True) as lent:
        if source.lower().endswith(ENDING):
            texts = use_population(lent, Path(source)).record.texts
            return len({each.author for each in texts}), len(texts)
        new = add_texts(lent, Path(source), options, role, progress).documents
    return len({each.author for each in new}), len(new)


@worded()
def train(progress: Progress, news: News, *, case: str, options: Mapping[str, Json], jobs: int) -> None:
    """Train on the known texts of the case. News is that the fused ranking can be used."""
    progress(0.0, "Loading the language model")
    from forensia.service.training import train_case
    from forensia.systems.pairmodel import TrainingOptions

    with Case.open(case, lent=True) as lent:
        wanted = TrainingOptions.from_dict(options)
        train_case(lent, wanted, jobs=jobs, progress=progress, ready=lambda: news("fused"))


def validate(progress: Progress, news: News, *, case: str, jobs: int) -> None:
    """Validate the model of the case."""
    progress(0.0, "Loading the language model")
    from forensia.service.training import validate_case

    with Case.open(case, lent=True) as lent:
        validate_case(lent, jobs=jobs, progress=progress)


@dataclass(frozen=True)
class Analysed:
    """How many disputed files were analysed, and a sentence for each that could not be used."""

    done: int
    refused: tuple[str, ...] = ()


def analyse(progress: Progress, news: News, *, case: str, files: Sequence[str]) -> Analysed:
    """Analyse disputed files, and those in a folder, one by one; a bad one does not stop the others. News is the file that is done."""
    progress(0.0, "Loading the model")
    from forensia.service.analysing import analyse_files

    listings = [walk(place) for place in map(Path, files) if place.is_dir()]
    texts = [place for place in map(Path, files) if not place.is_dir()]
    texts += [Path(entry.place) for listing in listings for entry in listing.entries]
    with Case.open(case, lent=True) as lent:
        batch = analyse_files(lent, texts, progress=progress, done=lambda result: news(result.file))
    refused = [sentence(problem) for listing in listings for problem in listing.problems]
    return Analysed(len(batch.results), (*refused, *(each.reason for each in batch.refused)))


def state(
    progress: Progress,
    news: News,
    *,
    case: str,
    document: str,
    stated: Stated | None = None,
    question: Question | None = None,
) -> None:
    """Analyse a disputed text of the case again, with something else said of its source, or asked."""
    progress(0.0, "Loading the model")
    from forensia.service.analysing import Said, analyse_again

    with Case.open(case, lent=True) as lent:
        analyse_again(lent, document, Said(stated, question), progress)


@worded()
def keep(progress: Progress, news: News, *, case: str, texts: Sequence[Asked]) -> None:
    """Compare texts with each other, and keep in the case what was found."""
    progress(0.0, "Loading the model")
    from forensia.case.session import Session
    from forensia.service.comparing import compare_kept, refuse_too_many

    refuse_too_many(texts)
    with Case.open(case, lent=True) as lent:
        documents = [asked_text(lent, text) for text in texts]
        compare_kept(lent, Session.of(lent), documents, part(progress, 0.1, 1.0))


def report(
    progress: Progress,
    news: News,
    *,
    case: str,
    target: str,
    details: CaseDetails,
    documents: Sequence[str],
    read_only: bool,
) -> int:
    """Write the report of a case; the number of its pages. For a preview (`read_only`) the case keeps no note of it."""
    progress(0.0, "Loading the model")
    from forensia.report.make import make_report

    with Case.open(case, read_only=read_only, lent=not read_only) as lent:
        return make_report(lent, Path(target), details, documents, progress=progress).pages


@dataclass(frozen=True)
class Effect:
    """What cleaning and segmenting would do to the texts, before it is done."""

    documents: int
    cuts: int
    cut_documents: int
    words_before: int
    words_after: int
    pieces: int


def effect(progress: Progress, news: News, *, case: str, steps: Sequence[Step], words: int | None) -> Effect:
    """Try options out on the texts as they are in the case."""
    cuts = cut_documents = before = after = pieces = 0
    with Case.open(case, read_only=True) as read:
        whole = _wholes(read.documents.known())
    for text in tracked(whole, progress, "Trying the options"):
        proposed = propose_cuts(text.original, tuple(steps)) if steps else ()
        cuts += len(proposed)
        cut_documents += bool(proposed)
        before += count_words(text.original)
        shortened = replace(text, cuts=proposed)
        after += count_words(shortened.text) if proposed else count_words(text.original)
        pieces += len(segment(shortened, words)) if words else 1
    return Effect(len(whole), cuts, cut_documents, before, after, pieces)


@dataclass(frozen=True)
class Masked:
    """The beginning of a text as it is, and as a mask leaves it."""

    before: str
    after: str


def masked(
    progress: Progress, news: News, *, case: str, document: str, mask: str, language: str, function_words: str
) -> Masked:
    """The beginning of a known text as a model trained so would see its words and letters, and as it is."""
    progress(0.0, "Loading the language model")
    from forensia.features.mask import Mask
    from forensia.language import analyse as analysed
    from forensia.language import load_model

    with Case.open(case, read_only=True) as read:
        corpus = read.documents.corpus()
        text = read.documents.get(document).text[:_EXAMPLE]
    model = load_model(language, Path(function_words) if function_words else None)
    progress(0.5, "Masking")
    texts = [each.text for each in corpus.active.documents] if corpus and mask == "distortion" else []
    fitted = Mask.fit(mask, texts, model.function_words)
    (analysis,) = analysed([text], model, progress=part(progress, 0.6, 1.0))
    return Masked(text, fitted.text(text, analysis))


def _wholes(documents: Sequence[Document]) -> list[Document]:
    """The texts as they stood in their files, uncut: the pieces of one text are put together again."""
    groups: dict[str, list[Document]] = defaultdict(list)
    for each in documents:
        groups[each.whole or each.id].append(each)
    wholes = []
    for group in groups.values():
        pieces = sorted(group, key=lambda each: each.segment or 0)
        wholes.append(replace(pieces[0], body="".join(each.original for each in pieces), cuts=()))
    return wholes


ALL = (
    read, add, train, validate, analyse, state, keep, report, effect, masked,
    inquiries.peek, inquiries.explain, inquiries.compare, inquiries.compare_several,
    inquiries.trust, inquiries.typical,
    plots.draw, plots.save,
    experiments.packs, experiments.estimate, experiments.run, experiments.look, experiments.export, experiments.tidy,
)  # fmt: skip
"""Whatever a child process of the window may be asked to do."""
