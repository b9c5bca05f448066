"""One disputed text judged with all that a case has: rankings, likelihood ratios, opinion, sensitivity, agreement.

Nothing in the result is said more strongly than the validation of the case supports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from forensia import __version__
from forensia.corpus.document import Document
from forensia.errors import InputError
from forensia.evidence.contributions import Background, Contributions, contributions
from forensia.evidence.learnt import Learnt, ModelRecord
from forensia.evidence.likelihood import Calibration
from forensia.evidence.reasons import Judged, opinion, warnings
from forensia.evidence.result import (
    FROM_NEW_SOURCE,
    FUSED,
    LAZY,
    STACKED,
    WHO,
    Candidate,
    Condition,
    Known,
    LeftOut,
    Placed,
    Question,
    Result,
    Sensitivity,
    Source,
    Stated,
)
from forensia.evidence.rung import Rung
from forensia.evidence.sensitivity import Baselines, Variants, as_many_of_each, changed, own_sources, usual_marks
from forensia.evidence.summary import number
from forensia.evidence.training import TrainedModel
from forensia.evidence.validation import Validation
from forensia.features import Counts
from forensia.systems.against import PopulationSystem
from forensia.systems.fused import FusedSystem
from forensia.systems.pairmodel import SENTENCES

Floats = NDArray[np.float64]
_NAMED = 10  # known documents whose absence changes the first place


@dataclass(frozen=True)
class Counted:
    """A disputed text, counted whole, in parts of the length of known texts, in halves, and as it was typed where that is another text.

    Each but the whole may be several rows: parts whose scores are averaged.
    """

    document: Document
    whole: Counts
    parts: Counts
    halves: tuple[Counts, ...] = ()
    typed: Counts | None = None


@dataclass(frozen=True)
class Judge:
    """Everything a case has to judge a text with: the diff-vector part, or the fused system with its validation, or both."""

    model: TrainedModel | None
    validation: Validation | None = None
    baselines: Baselines | None = None

    @property
    def learnt(self) -> Learnt:
        """What it has learnt from."""
        part = self.validation or self.model
        assert part is not None
        return part.learnt

    @property
    def pairs(self) -> TrainedModel:
        """The diff-vector part, for what cannot do without."""
        if self.model is None and self.learnt.counted:
            raise InputError(
                "Texts cannot be compared with each other in this case: that needs the texts of the population, which came as counts. Use "
                "a case whose population is texts."
            )
        if self.model is None:
            raise InputError(
                "The case holds the fused ranking only: its diff-vector part has not been trained yet. Validate the case, which trains it."
            )
        return self.model

    @property
    def record(self) -> ModelRecord:
        """How what it judges with came about."""
        return self.learnt.record(None if self.model is None else self.model.record)

    @cached_property
    def background(self) -> Background:
        """What is usual among the known documents."""
        return Background.of(self.pairs.fitted, self.pairs.known, self.pairs.codes)

    @cached_property
    def _variants(self) -> dict[tuple[Condition, bool], Variants]:
        """The calibrations with families off, by condition and whether one of the listed is the author, as far as they were needed."""
        return {}

    @cached_property
    def _even(self) -> FusedSystem | None:
        """The fused system of as many texts of each author, where they have different numbers."""
        if self.validation is None:
            return None
        system, rows = self.validation.asked, as_many_of_each(self.learnt.codes, self.validation.seed)
        whole = len(system.kept) == len(system.codes) and not self.learnt.population
        return system.thinned(rows) if whole and len(rows) < len(system.codes) else None

    def judge(
        self,
        text: Counted,
        known: Sequence[str],
        sources: Sequence[tuple[str, ...]] = (),
        stated: Stated = FROM_NEW_SOURCE,
        question: Question = WHO,
    ) -> Result:
        """Everything about one text; `known` are the names of the known documents for people, `sources` their sources."""
        learnt = self.learnt
        self.refuse(question)
        lacking = bool(text.whole.no_sentences[0]) and SENTENCES in learnt.options.families
        systems: dict[str, Mapping[int, Placed]] = {}
        pr_same: Floats = np.zeros(0)
        if self.model is not None:
            model = self.model.without(SENTENCES) if lacking else self.model
            query = model.fitted.vectors(text.whole)
            (ranking,) = model.rank_vectors(query)
            pr_same = ranking.pr_same
            systems |= {LAZY: self._first(ranking.lazy), STACKED: self._first(ranking.stacked)}
            if self.baselines is not None:
                for each in self.baselines.scores(model.known, model.codes, model.k, query):
                    systems[each.system] = self._above(each.scores, each.threshold)
        words = text.document.words
        judged = Judged(
            learnt, words, systems, stated=stated, question=question, no_sentences=lacking, converged=self._converged
        )
        if self.validation is not None:
            judged = self._validated(self.validation, judged, text, known, sources)
        document = text.document
        return Result(
            document=document.id,
            file=document.path or document.title,
            sha256=document.sha256_bytes,
            words=words,
            condition=None if judged.rung is None else judged.rung.condition,
            candidates=tuple(self._candidates(judged)),
            known=Known(tuple(known), tuple(learnt.authors[code] for code in learnt.codes)),
            pair_scores=tuple(float(score) for score in pr_same),
            k=0 if self.model is None else self.model.k,
            opinion=opinion(judged),
            warnings=tuple(warnings(judged)),
            problems=document.problems,
            sensitivity=judged.sensitivity,
            no_sentences=lacking,
            program=__version__,
            stated=stated,
            question=question,
        )

    def refuse(self, question: Question) -> None:
        """A question that these candidates do not allow."""
        candidates = [self.learnt.authors[code] for code in self.learnt.candidates]
        if question.kind == "did" and question.author not in candidates:
            raise InputError(
                f"'{question.author}' is none of the {len(candidates):,} candidates. Choose one of them, as the case spells the name."
            )
        if question.kind == "one of these" and len(candidates) < 2:
            raise InputError(
                "With one candidate, 'one of these' would be the answer already. Ask whether the candidate wrote it."
            )

    def _validated(
        self,
        validation: Validation,
        judged: Judged,
        text: Counted,
        known: Sequence[str],
        sources: Sequence[tuple[str, ...]],
    ) -> Judged:
        """With all that the validation gives for texts of that length and source."""
        system, rung = validation.asked, _rung(validation, judged, judged.words)
        scores = system.scores_of_one(text.parts)
        z = rung.calibration.z(scores)
        here = rung.calibration.placed(z)
        first, alone = int(np.nanargmax(z[0])), len(self.learnt.candidates) == 1
        likeness = system.likeness(text.parts, np.full(len(text.parts), first))
        without, ratios = system.without_each(text.parts), rung.calibration.ratios(scores)
        if len(without):
            ratios = rung.calibration.widened(ratios, scores, without, self.learnt.codes[system.left_out_rows])
        systems = {FUSED: self._above(z[0], None) if alone else self._first(z[0]), **judged.systems}
        judged = replace(judged, systems=systems)
        return replace(
            judged,
            systems=systems,
            validation=validation,
            rung=rung,
            ratios=ratios,
            standings=here,
            pieces=len(text.parts),
            p=np.asarray(rung.conformal_p(here)[0]),
            doubts=rung.doubts(
                rung.calibration.log10_lr(scores)[0], here, likeness.mean(keepdims=True) if len(likeness) else likeness
            ),
            carried=_carried(system, rung.calibration, scores, z[0]),
            sensitivity=self._sensitivity(validation, judged, rung, text, scores, without, known, sources),
        )

    def explain(
        self, parts: Counts, words: int, author: int, function_words: Sequence[str], source: Source = "new"
    ) -> tuple[Contributions, ...]:
        """What the fused score of a text rests on, against the highest of the others and against all; nothing without a validation."""
        if self.validation is None:
            return ()
        calibration = self.validation.rung(words, source).calibration
        return contributions(self.validation.asked, calibration, parts, author, function_words)

    def _first(self, scores: Floats) -> Mapping[int, Placed]:
        """The candidates by the scores of a system that accepts whom it puts first of all who have a score.

        That is the paper's verification (section 3.3). It tried the same systems with two classes, the author and everybody else, too, and
        found them far worse: the nearest texts of so many others are nearer by chance alone.
        """
        first = int(np.nanargmax(scores))
        return {code: replace(each, accepted=code == first) for code, each in self._above(scores, None).items()}

    def _above(self, scores: Floats, threshold: float | None) -> Mapping[int, Placed]:
        """Those of a system that accepts whoever is above its threshold, if it has one; equal ones keep the order of the codes."""
        order = sorted(self.learnt.candidates.tolist(), key=lambda code: -np.nan_to_num(scores[code], nan=-np.inf))
        return {
            code: Placed(float(scores[code]), rank, None if threshold is None else bool(scores[code] > threshold))
            for rank, code in enumerate(order, start=1)
        }

    @property
    def _converged(self) -> bool:
        return self.model is None or self.model.fitted.training.converged

    def _candidates(self, judged: Judged) -> list[Candidate]:
        """Best first by the headline system; equal scores share the order of the documents, never that of the names."""
        learnt, rung, ratios = self.learnt, judged.rung, judged.ratios
        order = sorted(learnt.candidates.tolist(), key=lambda code: judged.headline[code].rank)
        found = [
            Candidate(
                author=learnt.authors[code],
                texts=int(learnt.sizes[code]),
                reach=0 if self.model is None else int(self.model.reach[code]),
                systems={name: placed[code] for name, placed in judged.systems.items()},
                used=self._used(code),
            )
            for code in order
        ]
        if rung is None or ratios is None or judged.p is None:
            return found
        for place, code in enumerate(order):
            headline, listed, unlisted = rung.calibration.said(ratios, code)
            among = len(rung.own[code])
            p = number(float(judged.p[code])) if among else None
            found[place] = replace(
                found[place], headline=headline, listed=listed, unlisted=unlisted, p=p, p_among=among
            )
        return found

    def _used(self, code: int) -> tuple[int, ...]:
        """The texts of a candidate that are held against a text, where a case with a population cannot use all."""
        system = None if self.validation is None else self.validation.asked
        if not isinstance(system, PopulationSystem) or len(system.used[code]) == self.learnt.sizes[code]:
            return ()
        return tuple(system.kept[system.used[code]].tolist())

    def _sensitivity(
        self,
        validation: Validation,
        judged: Judged,
        rung: Rung,
        text: Counted,
        scores: Floats,
        without: Floats,
        known: Sequence[str],
        sources: Sequence[tuple[str, ...]],
    ) -> Sensitivity:
        """Whether the first author stays first under each change, and what becomes of the LR of the author whom the findings are about."""
        authors, system = self.learnt.authors, validation.asked
        first, about = judged.first, judged.about
        variants = self._variants.setdefault((rung.condition, rung.closed), Variants(system, rung))
        rows = variants.rows(scores, about, authors)
        for name, half in zip(("first half", "second half"), text.halves, strict=False):
            calibration = _rung(validation, judged, text.document.words // 2).calibration
            rows.append(changed("half", name, calibration, system.scores_of_one(half), about, authors))
        if text.typed is not None:
            typed = system.scores_of_one(text.typed)
            rows.append(changed("typing", "as it was typed", rung.calibration, typed, about, authors))
        marks = usual_marks(system, text.parts, scores)
        rows.append(changed("punctuation", "punctuation as usual", rung.calibration, marks, about, authors))
        if self._even is not None:
            texts = int(self._even.sizes.max())
            even = replace(rung.calibration, sizes=np.ones(len(authors), np.intp))
            other = self._even.scores_of_one(text.parts)
            rows.append(changed("equal numbers", f"{texts} texts of each author", even, other, about, authors))
        own = own_sources(validation.learnt.codes, sources, about)
        for (name, _), other in zip(own, system.without(text.parts, [each for _, each in own]), strict=False):
            rows.append(changed("source off", name, rung.calibration, other, about, authors))
        z = rung.calibration.z(without)
        firsts = np.where(np.isnan(z), -np.inf, z).argmax(axis=1)
        log10 = rung.calibration.headline(*rung.calibration.log10_lr(without))[:, about]
        names = [known[document] for document in system.left_out_rows[firsts != first].tolist()]
        ends = (float(log10.min()), float(log10.max())) if len(log10) and np.isfinite(log10).all() else None
        return Sensitivity(
            authors[about],
            tuple(rows),
            LeftOut(len(without), len(names), tuple(names[:_NAMED]), ends),
            survives=not names and all(row.first == authors[first] for row in rows),
        )


def _rung(validation: Validation, judged: Judged, words: int) -> Rung:
    """The validation for texts of so many words from the source that is stated, and for the question that is asked."""
    found = validation.rung(words, judged.stated.source)
    return found.agreed if judged.question.kind == "one of these" else found


def _carried(system: FusedSystem, calibration: Calibration, scores: Floats, z: Floats) -> tuple[str, float, int] | None:
    """The family that says most for the first author against the second, its share of all that speaks so, and the second."""
    if np.count_nonzero(~np.isnan(z)) < 2:
        return None
    first, second = np.argsort(-z, kind="stable")[:2].tolist()
    fusion = calibration.fusion
    lead = np.maximum(fusion.weights / fusion.spread * (scores[0, first] - scores[0, second]), 0.0)
    most = int(lead.argmax())
    return (system.families[most].name, float(lead[most] / lead.sum()), second) if lead.sum() > 0 else None
