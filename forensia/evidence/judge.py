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
from forensia.attribution.pairmodel import SENTENCES
from forensia.corpus.document import Document
from forensia.evidence.agreement import Baselines
from forensia.evidence.authorscores import cohort_scores, raw_scores
from forensia.evidence.background import Background
from forensia.evidence.explanation import AuthorExplanation, explain_author, nearest
from forensia.evidence.reasons import Judged, opinion, warnings
from forensia.evidence.result import LAZY, STACKED, Candidate, Changed, Known, LeftOut, Placed, Result, Sensitivity
from forensia.evidence.sensitivity import OtherModels, Variant, left_out, variants
from forensia.evidence.summary import number
from forensia.evidence.training import Ranking, TrainedModel
from forensia.evidence.validation import Rung, Validation
from forensia.features import Counts, Vectors

Floats = NDArray[np.float64]
_NAMED = 10  # known documents whose absence changes the first place


@dataclass(frozen=True)
class Counted:
    """A disputed text, counted whole, with the other mask, and in halves."""

    document: Document
    whole: Counts
    masked: Counts | None = None
    halves: tuple[Counts, ...] = ()


@dataclass(frozen=True)
class Judge:
    """Everything a case has to judge a text with; only the model is indispensable."""

    model: TrainedModel
    validation: Validation | None = None
    baselines: Baselines | None = None
    others: OtherModels | None = None

    @cached_property
    def background(self) -> Background:
        """What is usual among the known documents."""
        return Background.of(self.model.fitted, self.model.known, self.model.codes)

    def judge(self, text: Counted, known: Sequence[str]) -> Result:
        """Everything about one text; `known` are the names of the known documents for people."""
        lacking = bool(text.whole.no_sentences[0]) and SENTENCES in self.model.options.families
        model = self.model.without(SENTENCES) if lacking else self.model
        query = model.fitted.vectors(text.whole)
        (ranking,) = model.rank_vectors(query)
        scores = cohort_scores(raw_scores(ranking.lazy)[None])
        words = text.document.words
        rung = self.validation.rung(words) if self.validation else None
        first = int(np.where(np.isnan(scores[0]), -np.inf, scores[0]).argmax())
        systems = {LAZY: _first(ranking.lazy), STACKED: _first(ranking.stacked)}
        if self.baselines is not None:
            for each in self.baselines.scores(self.model.known, model.codes, model.k, query):
                systems[each.system] = _above(each.scores, each.threshold)
        sensitivity = self._sensitivity(model, text, ranking, first, rung, known)
        ratios = rung.calibration.ratios(scores) if rung else None
        p = np.asarray(rung.conformal_p(scores)[0]) if rung else None
        judged = Judged(
            self.model, self.validation, rung, ratios, scores, p, words, systems, first, sensitivity, lacking
        )
        document = text.document
        return Result(
            document=document.id,
            file=document.path or document.title,
            sha256=document.sha256_bytes,
            words=words,
            condition=None if rung is None else rung.condition,
            candidates=tuple(self._candidates(judged)),
            known=Known(tuple(known), tuple(model.authors[code] for code in model.codes)),
            pair_scores=tuple(float(score) for score in ranking.pr_same),
            k=model.k,
            opinion=opinion(judged),
            warnings=tuple(warnings(judged)),
            problems=document.problems,
            sensitivity=sensitivity,
            no_sentences=lacking,
            program=__version__,
        )

    def explain(self, model: TrainedModel, query: Vectors, pr_same: Floats, author: int) -> AuthorExplanation:
        """Why a text resembles an author's most similar documents, or does not."""
        rows = nearest(pr_same, model.codes, author, int(model.reach[author]))
        return explain_author(model.fitted, query, self.background, rows)

    def _candidates(self, judged: Judged) -> list[Candidate]:
        """Best first by the Lazy score; equal scores share the order of the documents, never that of the names."""
        model, rung = self.model, judged.rung
        order = sorted(range(len(model.authors)), key=lambda code: judged.systems[LAZY][code].rank)
        found = [
            Candidate(
                author=model.authors[code],
                texts=int((model.codes == code).sum()),
                reach=int(model.reach[code]),
                systems={name: placed[code] for name, placed in judged.systems.items()},
            )
            for code in order
        ]
        if rung is None or judged.p is None:
            return found
        for place, code in enumerate(order):
            headline, listed, unlisted = rung.calibration.said(float(judged.scores[0, code]))
            p = number(float(judged.p[code])) if len(rung.own[code]) else None
            found[place] = replace(found[place], headline=headline, listed=listed, unlisted=unlisted, p=p)
        return found

    def _sensitivity(
        self, model: TrainedModel, text: Counted, ranking: Ranking, first: int, rung: Rung | None, known: Sequence[str]
    ) -> Sensitivity | None:
        """Whether the first author stays first under each change, and what becomes of the LR where the calibration applies."""
        if self.others is None:
            return None
        query = model.fitted.vectors(text.whole)
        halves = [model.fitted.vectors(half) for half in text.halves]
        rows = []
        for variant in variants(model, self.others, query, text.masked, halves):
            words = text.document.words // 2 if variant.kind == "half" else text.document.words
            rows.append(self._changed(variant, first, words))
        scores = left_out(model, ranking.pr_same)
        headlines = [_headline(rung, raw, first) for _, raw in scores]
        firsts = [int(np.where(np.isnan(raw), -np.inf, raw).argmax()) for _, raw in scores]
        changed = [known[document] for (document, _), other in zip(scores, firsts, strict=True) if other != first]
        log10 = [value for value in headlines if value is not None]
        author = model.authors[first]
        return Sensitivity(
            author,
            tuple(rows),
            LeftOut(len(scores), len(changed), tuple(changed[:_NAMED]), (min(log10), max(log10)) if log10 else None),
            survives=not changed and all(row.first == author for row in rows),
        )

    def _changed(self, variant: Variant, first: int, words: int) -> Changed:
        """A row of the table. The calibration holds for the model's own scores, so changes of the features have no LR."""
        rung = self.validation.rung(words) if self.validation and variant.kind in ("seed", "half") else None
        return Changed(
            variant.kind,
            variant.what,
            self.model.authors[variant.first],
            variant.rank(first),
            _headline(rung, variant.scores, first),
        )


def _headline(rung: Rung | None, raw: Floats, author: int) -> float | None:
    if rung is None:
        return None
    llr = rung.calibration.headline(*rung.calibration.lines.log10_lr(cohort_scores(raw[None])))
    return number(float(llr[0, author]))


def _first(scores: Floats) -> Mapping[int, Placed]:
    """The scores of a system that accepts whom it puts first, by the code of the author; equal ones keep the order of the codes.

    That is the paper's verification (section 3.3). It tried the same systems with two classes, the author and everybody else, too, and
    found them far worse: the nearest texts of so many others are nearer by chance alone.
    """
    return {code: replace(placed, accepted=placed.rank == 1) for code, placed in _above(scores, None).items()}


def _above(scores: Floats, threshold: float | None) -> Mapping[int, Placed]:
    """Those of a system that accepts whoever is above its threshold, if it has one."""
    order = np.argsort(-np.where(np.isnan(scores), -np.inf, scores), kind="stable").tolist()
    return {
        code: Placed(float(scores[code]), rank, None if threshold is None else bool(scores[code] > threshold))
        for rank, code in enumerate(order, start=1)
    }
