"""What the child process finds out for the views: texts from the case, from files and from the clipboard; scores kept small."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from forensia import codec, paths
from forensia.case.errors import CaseRefused
from forensia.case.session import open_validation
from forensia.case.store import Case
from forensia.corpus import ReadOptions
from forensia.corpus.typing import canonical
from forensia.errors import InputError
from forensia.evidence.judge import Judge
from forensia.evidence.result import RANKING, Condition, Source
from forensia.evidence.summary import ValidationSummary
from forensia.features import FUSED_FAMILIES
from forensia.gui.tasks import inquiries
from forensia.gui.tasks.inquiries import ExplainedAuthor, ExplainedPair, Located
from forensia.jobs import silent
from forensia.service.importing import import_corpus


@pytest.fixture
def case(tmp_path: Path, hand: ModuleType) -> Path:
    place = tmp_path / "case.forensia"
    with Case.create(place) as made:
        import_corpus(made, hand.make_corpus(tmp_path / "known"), ReadOptions())
    return place


def _peek(case: Path, **text: Any) -> Located:
    return codec.typed(Located, codec.plain(inquiries.peek(silent, lambda news: None, case=str(case), text=text)))


def test_peek(case: Path, tmp_path: Path) -> None:
    with Case.open(case, read_only=True) as read:
        stored = read.documents.known()[0]
    found = _peek(case, id=stored.id)
    assert (found.author, found.words) == (stored.author, stored.words) and "harbour" in found.text
    file = tmp_path / "a letter.txt"
    file.write_text("A café by the quay.", encoding="utf-8")
    assert _peek(case, path=str(file)).text == "A café by the quay."
    pasted = _peek(case, pasted="Où est le café? \ud800")
    assert pasted.words == 4 and pasted.text.startswith("Où est")
    with pytest.raises(InputError):
        _peek(case, pasted="  ")
    with pytest.raises(InputError):
        _peek(case, path=str(tmp_path / "missing.txt"))


def test_long_texts_are_cut_and_say_so(case: Path) -> None:
    found = _peek(case, pasted="word " * 40_000)
    assert len(found.text) == inquiries.SHOWN and found.more == 200_000 - inquiries.SHOWN


def test_without_a_model_there_is_nothing_to_ask(case: Path) -> None:
    for asked in (
        lambda: inquiries.explain(silent, print, case=str(case), document="x", author="Ann"),
        lambda: inquiries.compare(silent, print, case=str(case), a={"pasted": "a"}, b={"pasted": "b"}),
        lambda: inquiries.trust(silent, print, case=str(case)),
        lambda: inquiries.typical(silent, print, case=str(case), fused={"Ann": 0.5}, words=100, source="new"),
    ):
        with pytest.raises(CaseRefused):
            asked()


def test_places_are_those_of_a_text_as_it_was_typed(validated_case: Path) -> None:
    """A letter typed with curly quotes, dashes, soft hyphens and wraps is judged as the plain one, and marked where it says so."""
    straight = (paths.sample_case() / "disputed" / "anonymous-1.txt").read_text("utf-8") + ' "So it is" - or isn\'t...'
    other = (paths.sample_case() / "disputed" / "anonymous-2.txt").read_text("utf-8")
    curly = straight.replace("'", "’").replace(" - ", " — ").replace(' "', " “").replace('"', "”").replace("...", "…")
    wrapped = "\n\n".join(textwrap.fill(each, 72, break_on_hyphens=False) for each in curly.split("\n\n"))
    retyped = wrapped.replace("tion", "ti\u00adon").replace("the ", "the\u00a0")
    assert "\u00ad" in retyped and "’" in retyped and retyped.count("\n") > straight.count("\n") + 5
    plain, odd = (
        codec.typed(
            ExplainedPair,
            codec.plain(
                inquiries.compare(silent, print, case=str(validated_case), a={"pasted": text}, b={"pasted": other})
            ),
        )
        for text in (straight, retyped)
    )
    assert odd.result.log_odds == plain.result.log_odds and odd.listed.features.keys() == plain.listed.features.keys()
    (there, _), (here, _) = plain.texts, odd.texts
    assert here.text == retyped and here.places.keys() == there.places.keys() and len(here.places) > 20
    for column, spans in there.places.items():
        shown, meant = (
            [canonical(text[start:end]).text.split() for start, end in places]
            for text, places in ((retyped, here.places[column]), (straight, spans))
        )
        assert ["."] in shown or ["..."] in shown or shown == meant


def test_an_author_is_explained_by_the_fused_score(validated_case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every feature that is listed stands in the text as often as it was counted; without a fused system it is Pr(Same)."""
    session = inquiries._ready(str(validated_case))
    model = session.judge.model
    asked = {"case": str(validated_case), "document": model.learnt.documents[0], "author": model.authors[1]}
    found = codec.typed(ExplainedAuthor, codec.plain(inquiries.explain(silent, print, **asked)))
    assert found.pairs is None and found.score is None and found.author == model.authors[1]
    assert session.corpus.by_id[model.learnt.documents[0]].title == found.texts[0].title
    assert found.texts[1].author == model.authors[1]
    assert [bool(each.against) for each in found.contrasts] == [True, False]
    for each in found.contrasts:
        listed = each.listed
        assert [family.family for family in listed.families] == list(FUSED_FAMILIES)
        assert listed.baseline + sum(family.relative for family in listed.families) == pytest.approx(
            listed.total, rel=1e-9
        )
        assert len(listed.favourable) == len(listed.adverse) == 10
        for column, feature in listed.features.items():
            assert len(found.texts[0].places.get(column, ())) == min(feature.count, 200), feature.feature
    bare = replace(session, judge=Judge(model))
    monkeypatch.setattr(inquiries, "_ready", lambda case: bare)
    paired = codec.typed(ExplainedAuthor, codec.plain(inquiries.explain(silent, print, **asked)))
    assert paired.contrasts == () and paired.pairs is not None and paired.score is not None
    assert paired.pairs.baseline + sum(each.relative for each in paired.pairs.families) == pytest.approx(
        paired.pairs.total
    )


def test_a_text_stands_among_the_texts_of_the_validation(validated_case: Path) -> None:
    """Its scores are told on the scale of those: whatever is added to all of them or whatever unit they have, it stands where it stood."""
    with Case.open(validated_case, read_only=True) as read:
        tried_on = open_validation(read)

    def asked(words: int, fused: Mapping[str, float], source: Source = "new") -> inquiries.Typical:
        told = inquiries.typical(silent, print, case=str(validated_case), fused=fused, words=words, source=source)
        return codec.typed(inquiries.Typical, codec.plain(told))

    first, *others = tried_on.authors
    alone = {first: 2.0, **dict.fromkeys(others, -1.0)}
    median = int(tried_on.learnt.median_words) + 1
    found = asked(median, alone)
    assert found.condition == Condition("new"), "a text as long as they are is compared with whole ones"
    assert found.here == pytest.approx({first: 3.0, **dict.fromkeys(others, -1 / 3)}), (
        "one of ten stands three deviations up"
    )
    moved = asked(median, {author: 5.0 + 7.0 * score for author, score in alone.items()})
    assert moved.here == pytest.approx(found.here) and moved.scores == found.scores
    own = [score for scores in found.own_of.values() for score in scores]
    assert sorted(own) == sorted(found.scores.own.values) and len(own) == found.scores.own.size
    assert max(own) <= 3.0 + 1e-4, "no more is possible among ten"
    inside, _ = tried_on.whole.standings
    tried = tried_on.whole.scores.own
    assert sorted(own) == pytest.approx(sorted(inside[tried]), abs=1e-4)
    short = asked(200, alone)
    assert short.condition.words == tried_on.rung(200).words > 0 and short.scores != found.scores
    long = asked(10_000, alone)
    assert long.condition.texts > 1, "a long one with known texts that were joined"
    assert asked(median, alone, "known").condition == Condition("known"), "as the analyst states"


def test_the_trust_page_is_told_what_the_answer_rests_on(validated_case: Path) -> None:
    news: list[Any] = []
    told = inquiries.trust(silent, news.append, case=str(validated_case))
    summary = codec.typed(ValidationSummary, codec.plain(told))
    assert tuple(summary.systems) == RANKING and tuple(summary.weights) == FUSED_FAMILIES
    assert all(weight >= 0 for weight in summary.weights.values()) and any(summary.weights.values())
    curves = codec.typed(inquiries.TrustCurves, codec.plain(news[0]))
    assert np.mean(curves.scores.own.values) > np.mean(curves.scores.other.values) + 1


def test_thinned_scores_keep_their_distribution() -> None:
    values = np.random.default_rng(1).normal(0, 1, 50_000)
    thin = inquiries._thin(np.append(values, np.nan))
    assert len(thin) == inquiries.MOST_SCORES and list(thin) == sorted(thin)
    assert thin[0] == pytest.approx(values.min(), abs=1e-3) and thin[-1] == pytest.approx(values.max(), abs=1e-3)
    for share in (0.1, 0.5, 0.9):
        assert np.quantile(thin, share) == pytest.approx(np.quantile(values, share), abs=0.01)
