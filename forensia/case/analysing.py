"""Disputed texts: taken into the case, judged with what it holds, and kept with their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from forensia.case.errors import CaseRefused
from forensia.case.store import Case
from forensia.case.versions import maker, same_engine
from forensia.case.work import MODEL, TRAINED, model_language, open_corpus, open_judge
from forensia.corpus import Corpus, Document, check_disputed, read_disputed
from forensia.corpus.document import Severity
from forensia.corpus.nearduplicates import ShingleIndex
from forensia.errors import InputError
from forensia.evidence.judge import Counted, Judge
from forensia.evidence.result import Result
from forensia.evidence.sensitivity import halves_of
from forensia.features import Counts, count_documents
from forensia.features.mask import Mask
from forensia.jobs import Progress, part, silent
from forensia.language import AnalysisCache, LanguageModel, MemoryCache

FEWEST_FOR_HALVES = 100  # words


@dataclass(frozen=True)
class Bench:
    """A case made ready to judge texts: opened once, it serves as many as come."""

    case: Case
    judge: Judge
    corpus: Corpus

    @classmethod
    def of(cls, case: Case) -> Bench:
        return cls(case, open_judge(case), open_corpus(case))

    @cached_property
    def language(self) -> LanguageModel:
        return model_language(self.judge.model)

    @cached_property
    def shown(self) -> list[str]:
        """The known documents as people call them."""
        by_id = self.corpus.by_id
        return [_shown(by_id.get(name), name) for name in self.judge.model.documents]

    @cached_property
    def seen(self) -> Corpus:
        """The known texts, with those that the model has learnt from though they have been excluded since."""
        learnt = set(self.judge.model.documents)
        excluded = {name: why for name, why in self.corpus.excluded.items() if name not in learnt}
        return replace(self.corpus, excluded=excluded)

    @cached_property
    def _shingles(self) -> ShingleIndex:
        return ShingleIndex(self.seen.active.documents)

    def refuse_known(self, document: Document) -> None:
        """A text that is among the known ones cannot be in dispute: the model has seen it."""
        for problem in check_disputed(self.seen, document, self._shingles):
            if problem.severity is Severity.BLOCKING:
                raise InputError(f"{problem.message} {problem.next_step}")

    def count(
        self, document: Document, cache: AnalysisCache, progress: Progress = silent, mask: Mask | None = None
    ) -> Counts:
        """A text counted as the model needs it, or with another mask."""
        options = self.judge.model.options
        chosen = self.judge.model.fitted.space.mask_ if mask is None else mask
        return count_documents([document], self.language, options.families, chosen, 1, cache, progress)

    def counted(self, document: Document, cache: AnalysisCache, progress: Progress = silent) -> Counted:
        """A text counted in every way that its judgement needs."""
        whole = self.count(document, cache, part(progress, 0.0, 0.7))
        others = self.judge.others
        masked = None
        if others is not None and others.masked is not None:
            masked = self.count(document, cache, mask=others.masked.space.mask_)
        halves: tuple[Counts, ...] = ()
        if document.words >= FEWEST_FOR_HALVES:
            read = MemoryCache()  # halves are no documents: their analyses are not kept
            texts = halves_of(document.text)
            halves = tuple(self.count(replace(document, original=text, cuts=()), read) for text in texts)
        progress(1.0, document.title)
        return Counted(document, whole, masked, halves)


def analyse_files(
    case: Case, files: Sequence[Path], *, progress: Progress = silent, bench: Bench | None = None
) -> list[Result]:
    """Take disputed files into the case, judge each, and keep the results."""
    documents = [read_disputed(file) for file in files]
    sources = [str(file.resolve().parent) for file in files]
    return analyse_documents(case, documents, sources, progress=progress, bench=bench)


def analyse_documents(
    case: Case,
    documents: Sequence[Document],
    sources: Sequence[str],
    *,
    progress: Progress = silent,
    bench: Bench | None = None,
) -> list[Result]:
    """Judge documents that are read already."""
    bench = bench or Bench.of(case)
    refuse_older(case)
    found = []
    for number, (document, source) in enumerate(zip(documents, sources, strict=True)):
        stage = part(progress, number / len(documents), (number + 1) / len(documents))
        stage(0.0, document.title)
        bench.refuse_known(document)
        details = {"file": Path(document.path).name, "sha256": document.sha256_bytes}
        with case.run("analysis", details) as run, case.analyses() as cache:
            counted = bench.counted(document, cache, part(stage, 0.0, 0.5))
            result = bench.judge.judge(counted, bench.shown)
            with run.finish():
                name = case.add_disputed(document, source)
                case.store_result(name, result, [kind for kind in TRAINED if kind in case.array_kinds()])
        stage(1.0, document.title)
        found.append(result)
    return found


def refuse_older(case: Case) -> None:
    """Further texts are judged by this version's own models only."""
    stored = case.arrays(MODEL)
    if stored is not None and not same_engine(program := maker(stored.header)):
        raise CaseRefused(
            f"The model of this case was made by version {program} of Forensia. Train it again with this version, then analyse."
        )


def _shown(document: Document | None, name: str) -> str:
    return (document.path or document.title) if document else name


__all__ = ["MODEL", "Bench", "analyse_documents", "analyse_files"]
