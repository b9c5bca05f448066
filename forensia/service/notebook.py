"""The program for a notebook: read, train, rank, verify, compare. Files are named by a string or a path."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from forensia.case.session import Session, language_of
from forensia.case.store import Case
from forensia.corpus import Corpus, ReadOptions, read_corpus, read_disputed
from forensia.corpus.sources import EACH, each_its_own
from forensia.errors import ForensiaError, InputError
from forensia.evidence.crossfit import MemoryStore
from forensia.evidence.judge import Judge
from forensia.evidence.learnt import read_known
from forensia.evidence.result import FROM_NEW_SOURCE, WHO, Candidate, PairResult, Question, Result, Stated
from forensia.evidence.summary import ValidationSummary, summarise
from forensia.evidence.training import train_pairs
from forensia.evidence.validation import validate
from forensia.jobs import silent
from forensia.language import MemoryCache
from forensia.profile import QUICK, THOROUGH, profile_named
from forensia.service.analysing import Said, refuse_unfit
from forensia.service.comparing import compare_files
from forensia.service.training import judge_with, refuse_blocked
from forensia.systems.pairmodel import TrainingOptions
from forensia.wording import conditions, opinion, reasons
from forensia.wording.problems import worded

__all__ = ["Case", "Corpus", "ForensiaError", "Model", "Result", "open_case", "read", "train", "words"]
File = str | Path


@worded()
def read(folder: File, *, layout: str | None = None, segment: int | None = None, sources: File = "") -> Corpus:
    """Known texts from a folder or a table, with what is wrong with them in `problems`.

    `sources` is a table with the columns file and source, or a pattern whose group finds the source in the path of a text, or 'each'
    where every text is of an occasion of its own.
    """
    given = "" if sources == EACH else str(sources)
    options = ReadOptions(layout=layout, segment_words=segment, sources=given)
    corpus = read_corpus(Path(folder), options, thorough=True)
    if sources != EACH:
        return corpus
    own = each_its_own(corpus.documents)
    return corpus.changed(lambda each: replace(each, sources=own[each.id]))


@worded()
def train(
    corpus: Corpus,
    *,
    profile: str = "forensic",
    seed: int = 0,
    quick: bool = False,
    at_most: int = 0,
    jobs: int | None = None,
) -> Model:
    """A model of the authors of a corpus; in the `forensic` profile with its validation, so that it can give opinions.

    `at_most` texts of each author are used, drawn with the seed; 0 is all.
    """
    refuse_blocked(corpus)
    options = TrainingOptions(profile=profile_named(profile, QUICK if quick else THOROUGH), seed=seed, at_most=at_most)
    language = language_of(options)
    cache, store, threads = MemoryCache(), MemoryStore(), jobs or os.cpu_count() or 1
    learnt, texts = read_known(corpus, options, language, jobs=threads, cache=cache)
    trained = train_pairs(learnt, texts, jobs=threads, store=store)
    if not options.profile.out_of_fold:
        return Model(Session(Judge(trained.model), corpus))
    return Model(Session(judge_with(validate(learnt, texts), trained, store, threads, silent), corpus))


def open_case(path: File, *, read_only: bool = True) -> Case:
    """A case that the window or the command line made; `Model.of` takes its model out of it."""
    return Case.open(path, read_only=read_only)


@dataclass(frozen=True)
class Model:
    """Judges texts as the window and the command line do; nothing of what it judges is kept."""

    session: Session

    @classmethod
    def of(cls, case: Case) -> Model:
        """The model that a case holds."""
        return cls(Session.of(case))

    @property
    def authors(self) -> tuple[str, ...]:
        return self.session.judge.learnt.authors

    @cached_property
    def trust(self) -> ValidationSummary | None:
        """How far the model can be trusted; None where it was not validated."""
        validation = self.session.judge.validation
        return None if validation is None else summarise(validation)

    @worded()
    def rank(self, text: File, *, because: str = "", question: Question = WHO) -> Result:
        """The candidate authors of a disputed text, the likeliest first, with all that is found about each.

        Where the text is from the source of known texts, `because` says why; else the figures for a new source hold.
        """
        stated = Stated("known", because.strip()) if because.strip() else FROM_NEW_SOURCE
        refuse_unfit(Said(stated, question))
        document = read_disputed(Path(text))
        self.session.refuse_known(document)
        return self.session.judged(document, MemoryCache(), stated=stated, question=question)

    def verify(self, text: File, author: str, *, because: str = "") -> Candidate:
        """What is found about one candidate author of a text."""
        if author not in self.authors:
            raise InputError(f"'{author}' is not among the authors of the model: {', '.join(self.authors)}.")
        return self.rank(text, because=because).by_author[author]

    @worded()
    def compare(self, a: File, b: File) -> PairResult:
        """Whether one person wrote two texts."""
        return compare_files(self.session, Path(a), Path(b)).result


def words(found: Result | PairResult) -> str:
    """An opinion in sentences, with the reasons where there is none, and for which texts its figures hold."""
    if isinstance(found, Result):
        return " ".join([opinion.statement(found), *opinion.reasons(found), conditions.holds(found)]).strip()
    return " ".join([opinion.pair_statement(found), *reasons.sentences(found.reasons)])
