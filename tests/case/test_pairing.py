"""Two texts compared: in either order, new or known, with every reason to say nothing; never by a model that has seen both."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from forensia import cli, paths
from forensia.case import Case
from forensia.case.session import Session
from forensia.cli import paircontract
from forensia.corpus import Document, read_disputed
from forensia.corpus.document import text_hash
from forensia.diffvectors import Scorer, probability
from forensia.errors import InputError
from forensia.evidence.bootstrap import Interval
from forensia.evidence.result import LAZY, Alternative
from forensia.evidence.sensitivity import halves_of
from forensia.language import MemoryCache
from forensia.service.analysing import analyse_document
from forensia.service.comparing import Compared, compare_documents, compare_files
from forensia.wording.opinion import pair_attributions, pair_statement
from forensia.wording.problems import worded
from forensia.wording.ratios import forbidden_in
from forensia.wording.reasons import sentences

CONTRIBUTION = {"feature": str, "group": str, "a": float, "b": float, "weight": float, "contribution": float}


@pytest.fixture(scope="module")
def bench(validated_case: Path) -> Iterator[Session]:
    with Case.open(validated_case, read_only=True) as case:
        yield Session.of(case)


@pytest.fixture(scope="module")
def disputed() -> list[Document]:
    return [read_disputed(paths.sample_case() / "disputed" / f"anonymous-{number}.txt") for number in (1, 2, 3)]


def pasted(text: str, words: int) -> Document:
    digest = text_hash(text)
    return Document("", "pasted", text, sha256_text=digest, sha256_bytes=digest, words=words)


def shown(compared: Compared) -> dict[str, Any]:
    """The public JSON."""
    found: dict[str, Any] = json.loads(
        json.dumps(paircontract.compared(compared.result, compared.explanation), allow_nan=False)
    )
    return found


def said(found: dict[str, Any]) -> list[str]:
    opinion = found["opinion"]
    return [opinion["statement"], *opinion["reasons"], *found["warnings"], *opinion.get("findings", {}).values()]


def test_two_new_texts(bench: Session, disputed: list[Document]) -> None:
    compared = compare_documents(bench, *disputed[:2])
    found = shown(compared)
    for name in ("score", "log10_lr", "log_odds", "fused_log_odds"):
        assert isinstance(found[name], float)
    low, high = found["log10_lr_interval"]
    assert low <= found["log10_lr"] <= high and isinstance(found["bounded"], bool)
    assert found["a"]["file"] == "anonymous-1.txt" and found["b"]["known_author"] is None
    result = compared.result
    assert result.ratio is not None and result.ratio.interval == (low, high) and result.ratio.log10 == found["log10_lr"]
    assert found["bounded"] is (result.ratio.reached is not None) and found["opinion"]["given"] is result.given
    for row in found["contributions"]:
        assert all(isinstance(row[name], kind) for name, kind in CONTRIBUTION.items())
        assert row["contribution"] == pytest.approx(row["weight"] * abs(row["a"] - row["b"]), rel=1e-6)
    model = bench.judge.model.fitted.model
    a, b = compared.a.vectors, compared.b.vectors
    assert (
        found["log_odds"] == found["explained_log_odds"] == pytest.approx(Scorer(model, b).log_odds(a)[0, 0], abs=1e-4)
    )
    total = found["intercept"] + sum(row["contribution"] for row in found["contributions"])
    assert total == pytest.approx(found["log_odds"], abs=1e-9)
    assert found["score"] == pytest.approx(float(probability(np.array(total))))
    assert "Both texts are known" not in " ".join(found["warnings"])
    assert [text for text in said(found) if forbidden_in(text)] == []


def test_each_text_is_attributed_by_lazy(bench: Session, disputed: list[Document]) -> None:
    """DV-2xAA: Lazy AA on both, equal or not; beside the likelihood ratio, never in it."""
    judged = [bench.judged(document, MemoryCache()) for document in disputed]
    firsts = [result.ranked(LAZY)[0].author for result in judged]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        compared = compare_documents(bench, disputed[one], disputed[other])
        assert (compared.result.a.attributed, compared.result.b.attributed) == (firsts[one], firsts[other])
        same = firsts[one] == firsts[other]
        assert shown(compared)["dv_2xaa"] == {"same": same, "a": firsts[one], "b": firsts[other]}
        assert pair_attributions(compared.result).startswith(f"DV-2xAA says {'Same' if same else 'Different'}: Lazy AA")


def test_halves_of_a_text_are_attributed_to_one_author(bench: Session, disputed: list[Document]) -> None:
    """A Same and a Different of which both must come out, or the test above would say little."""
    halves = [pasted(text, 400) for text in halves_of(disputed[0].text)]
    found = compare_documents(bench, *halves).result
    assert found.dv_2xaa is True
    assert pair_attributions(found).startswith(
        f"DV-2xAA says Same: Lazy AA ranks {found.a.attributed} highest for both"
    )
    sides = [compare_documents(bench, disputed[0], other).result for other in disputed[1:]]
    assert False in {each.dv_2xaa for each in sides}


def test_a_known_text_is_attributed_by_models_that_had_not_seen_it(bench: Session, disputed: list[Document]) -> None:
    validation, model = bench.judge.validation, bench.judge.model
    assert validation is not None
    known = bench.corpus.by_id
    for row in range(0, len(model.learnt.documents), 9):
        result = compare_documents(bench, known[model.learnt.documents[row]], disputed[0]).result
        assert result.a.attributed == model.authors[validation.diff_vectors.lazy[row]]


def test_the_order_does_not_matter(bench: Session, disputed: list[Document]) -> None:
    known = bench.corpus.documents
    for one, other in (
        (disputed[0], disputed[2]),
        (known[0], disputed[1]),
        (known[3], known[30]),
        (known[5], known[6]),
    ):
        pairs = [compare_documents(bench, *pair) for pair in ((one, other), (other, one))]
        assert pairs[0].result == replace(pairs[1].result, a=pairs[1].result.b, b=pairs[1].result.a)
        forth, back = (shown(each) for each in pairs)
        for name in (
            "score",
            "log_odds",
            "fused_log_odds",
            "log10_lr",
            "log10_lr_interval",
            "bounded",
            "verbal",
            "opinion",
            "warnings",
        ):
            assert forth[name] == back[name], name
        assert forth["a"] == back["b"]
        assert [row["contribution"] for row in forth["contributions"]] == pytest.approx(
            [row["contribution"] for row in back["contributions"]]
        )


def test_two_known_texts_have_the_score_of_models_that_had_not_seen_both(bench: Session) -> None:
    validation = bench.judge.validation
    assert validation is not None
    by_id, names = bench.corpus.by_id, bench.judge.learnt.documents
    for a, b in ((0, 1), (0, 30), (41, 7)):
        compared = compare_documents(bench, by_id[names[a]], by_id[names[b]])
        result = compared.result
        assert result.log_odds == float(validation.diff_vectors.log_odds[a, b]) != compared.explanation.log_odds
        assert shown(compared)["explained_log_odds"] == compared.explanation.log_odds
        assert result.score == pytest.approx(float(probability(np.array(result.log_odds))))
        assert any("had not seen both" in warning for warning in sentences(result.warnings))
        assert result.a.known_author == by_id[names[a]].author
        rung = validation.rung(min(result.a.words, result.b.words)).words
        calibration, _ = validation.pairwise.unseen_outside[rung]
        assert result.fused is not None, "and the LR is that of strangers, for neither author counts"
        assert result.ratio == calibration.said(result.fused, Alternative.UNLISTED)


def test_a_known_text_is_recognised_whatever_it_is_called(
    bench: Session, disputed: list[Document], tmp_path: Path
) -> None:
    document = bench.corpus.documents[4]
    copy = tmp_path / "renamed.txt"
    copy.write_text(document.original, "utf-8")
    other = paths.sample_case() / "disputed" / "anonymous-1.txt"
    result = compare_files(bench, copy, other).result
    assert result.a.known_author == document.author and result.b.known_author is None
    validation = bench.judge.validation
    assert validation is not None
    rung = validation.rung(min(result.a.words, result.b.words)).words
    applying = {
        Alternative.LISTED: validation.pairwise.known[rung], Alternative.UNLISTED: validation.pairwise.known_outside[rung]
    }  # fmt: skip
    assert result.fused is not None
    llrs = {calibration.said(result.fused, against).log10: against for against, (calibration, _) in applying.items()}
    one_side = len({llr > 0 for llr in llrs}) == 1
    assert result.ratio is not None and result.ratio.log10 == (min(llrs, key=abs) if one_side else min(llrs))
    assert result.ratio.alternative is llrs[result.ratio.log10]


def test_most_of_a_known_text_does_not_pass_for_a_new_one(bench: Session, disputed: list[Document]) -> None:
    text = bench.corpus.documents[4].text
    nearly = text.replace(" the ", " that ", 1)
    for copy in (pasted(nearly, 500), pasted(halves_of(text)[0], 250)):
        with pytest.raises(InputError, match="also in the corpus"), worded():
            compare_documents(bench, disputed[0], copy)


def test_equal_texts_are_refused(bench: Session, disputed: list[Document]) -> None:
    for other in (disputed[0], replace(disputed[0], path="elsewhere.txt", title="other")):
        with pytest.raises(InputError, match="The two texts are the same"):
            compare_documents(bench, disputed[0], other)


def test_a_short_text_is_no_basis(bench: Session, disputed: list[Document]) -> None:
    """Below the shortest texts that were tried."""
    assert bench.judge.validation is not None
    shortest = int(bench.judge.validation.shortest)
    half = halves_of(disputed[0].text)[0]
    result = compare_documents(bench, pasted(half, shortest - 1), disputed[1]).result
    assert result.given is False and pair_statement(result) == "No opinion."
    assert f"The shortest that were tried have {shortest:,}: nothing is known" in sentences(result.reasons)[0]
    longer = compare_documents(bench, pasted(half, shortest), disputed[1]).result
    assert not any(each.code == "pair-few-words" for each in longer.reasons)
    assert any("short" in warning for warning in sentences(longer.warnings))


def test_the_cost_of_pairs_may_forbid_an_opinion(bench: Session, disputed: list[Document]) -> None:
    validation = bench.judge.validation
    assert validation is not None
    kind = validation.pairwise.unseen_outside
    wide = {
        rung: (calibration, replace(measured, cllr_interval=Interval(0.4, 1.04, 0.95, 40)))
        for rung, (calibration, measured) in kind.items()
    }
    pairwise = replace(validation.pairwise, unseen_outside=wide)
    worse = replace(bench, judge=replace(bench.judge, validation=replace(validation, pairwise=pairwise)))
    compared = compare_documents(worse, *disputed[:2])
    result = compared.result
    assert not result.given and any("(Cllr) is 1." in reason for reason in sentences(result.reasons))
    assert result.ratio == compare_documents(bench, *disputed[:2]).result.ratio, "the findings stand beside it"
    assert shown(compared)["opinion"]["findings"].keys() == {"statement", "support"}


def clear_pair(bench: Session, resampled: Any) -> Session:
    """With a calibration of two new texts that leaves no doubt, as far as its resamples do."""
    validation = bench.judge.validation
    assert validation is not None
    kind = validation.pairwise.unseen_outside
    calibration, measured = next(iter(kind.values()))
    sure = replace(
        calibration,
        line=(-9.0, 0.0),
        resampled=np.asarray(resampled, dtype=np.float64).reshape(-1, 2),
        bounds=replace(calibration.bounds, lower=-5.0, upper=5.0),
    )
    good = replace(measured, cllr_interval=Interval(0.1, 0.2, 0.95, 40))
    pairwise = replace(validation.pairwise, unseen={}, unseen_outside=dict.fromkeys(kind, (sure, good)))
    return replace(bench, judge=replace(bench.judge, validation=replace(validation, pairwise=pairwise)))


def test_a_clear_pair_is_told(bench: Session, disputed: list[Document]) -> None:
    """The opinion is the sentence of the LR."""
    compared = compare_documents(clear_pair(bench, [[-9.5, 0.0], [-8.5, 0.0]]), *disputed[:2])
    assert compared.result.given is True and compared.result.reasons == ()
    found = shown(compared)
    assert found["opinion"]["given"] is True and found["opinion"]["reasons"] == []
    assert "more probable if two different people wrote the two texts" in found["opinion"]["statement"]
    assert found["log10_lr"] == pytest.approx(-9 / np.log(10)) and forbidden_in(found["opinion"]["statement"]) == []


def test_an_interval_that_is_not_estimable_excludes_nothing(bench: Session, disputed: list[Document]) -> None:
    result = compare_documents(clear_pair(bench, []), *disputed[:2]).result
    assert result.ratio is not None and result.ratio.interval is None
    assert not result.given and pair_statement(result) == "No opinion."
    assert sentences(result.reasons) == ["The interval of the likelihood ratio includes 1."]


def test_a_text_without_sentences(bench: Session, disputed: list[Document]) -> None:
    bare = "".join(" " if sign in ".!?;:\n" else sign for sign in disputed[0].text)
    compared = compare_documents(bench, pasted(bare, disputed[0].words), disputed[1])
    assert compared.result.ratio is not None, "it does not rest on sentence lengths"
    assert any("without sentence lengths" in warning for warning in sentences(compared.result.warnings))
    families = shown(compared)["families"]
    lengths = next(family for family in families if family["family"] == "sentence lengths")
    assert lengths["contribution"] == 0


def test_without_a_validation(bench: Session, disputed: list[Document]) -> None:
    bare = replace(bench, judge=replace(bench.judge, validation=None))
    found = shown(compare_documents(bare, *disputed[:2]))
    assert found["dv_2xaa"] is not None
    one_known = compare_documents(bare, bench.corpus.documents[0], disputed[0])
    assert shown(one_known)["dv_2xaa"] is one_known.result.dv_2xaa is None, "the model has seen the known text"
    assert pair_attributions(one_known.result) == ""
    assert found["log10_lr"] is found["log10_lr_interval"] is None and isinstance(found["score"], float)
    assert not found["opinion"]["given"] and "not estimable" in found["opinion"]["reasons"][-1]
    with pytest.raises(InputError, match="has not been validated"):
        compare_documents(bare, *bench.corpus.documents[:2])


def test_what_was_excluded_after_training_is_still_known(
    validated_case: Path, disputed: list[Document], tmp_path: Path
) -> None:
    copy = tmp_path / "copy.forensia"
    shutil.copy(validated_case, copy)
    with Case.open(copy) as case:
        corpus = case.documents.corpus()
        assert corpus is not None
        document = corpus.documents[4]
        case.choices.exclude([document.id], "somebody else wrote it")
        bench = Session.of(case)
        assert document.id in bench.corpus.excluded
        result = compare_documents(bench, document, disputed[0]).result
        assert result.a.known_author == document.author
        with pytest.raises(InputError, match="cannot be asked who wrote it"), worded():
            analyse_document(case, bench, replace(document, author=""))
        assert case.results.all() == ()


def test_the_command(validated_case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(paths.sample_case() / "disputed" / f"anonymous-{number}.txt") for number in (1, 2)]
    out = tmp_path / "pair.json"
    assert cli.run(["compare", str(validated_case), *files, "--json", str(out)]) == 0
    told = capsys.readouterr().err
    assert (
        "not a probability of authorship, and no part of the likelihood ratio" in told
        and forbidden_in(told.replace("not a probability of authorship", "")) == []
    )
    found = json.loads(out.read_text("utf-8"))
    assert {"score", "log10_lr", "log10_lr_interval", "contributions", "dv_2xaa"} <= found.keys()
    assert "  DV-2xAA says " in told
    assert cli.run(["compare", str(validated_case), files[0], files[0]]) == 1
    assert "The two texts are the same." in capsys.readouterr().err


def test_the_ratio_is_that_of_the_families_and_not_of_dv_bin(bench: Session, disputed: list[Document]) -> None:
    """The author of a known text does not count for what is usual; a new text takes nobody away."""
    judge, known = bench.judge, bench.corpus.documents[4]
    validation = judge.validation
    assert validation is not None
    cache = MemoryCache()
    place = judge.model.learnt.documents.index(known.id)
    for other, without in ((disputed[1], []), (known, [int(judge.model.codes[place])])):
        result = compare_documents(bench, disputed[0], other).result
        counts = [bench.count(each, cache) for each in (disputed[0], other)]
        expected = validation.pairwise.score(validation.system, *counts, without)
        assert result.fused == pytest.approx(expected, abs=1e-9)
        kinds = validation.pairwise.applying(len(without), validation.rung(min(result.a.words, result.b.words)).words)
        assert result.ratio in [calibration.said(result.fused, each) for each, (calibration, _) in kinds.items()]


def test_several_texts(
    validated_case: Path, bench: Session, disputed: list[Document], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every pair has the ratio that two texts have, whatever the order; with a figure."""
    files = [str(paths.sample_case() / "disputed" / f"anonymous-{number}.txt") for number in (1, 2, 3)]
    out, figure = tmp_path / "several.json", tmp_path / "several.svg"
    assert cli.run(["compare", str(validated_case), *files, "--json", str(out), "--figure", str(figure)]) == 0
    found, told = json.loads(out.read_text("utf-8")), capsys.readouterr().err
    assert [each["file"] for each in found["texts"]] == [f"anonymous-{number}.txt" for number in (1, 2, 3)]
    assert [(each["a"], each["b"]) for each in found["pairs"]] == [(0, 1), (0, 2), (1, 2)]
    for each in found["pairs"]:
        two = shown(compare_documents(bench, disputed[each["a"]], disputed[each["b"]]))
        assert each["fused_log_odds"] == pytest.approx(two["fused_log_odds"])
        assert each["log10_lr"] == pytest.approx(two["log10_lr"]) and each["given"] is two["opinion"]["given"]
    assert sorted(text for group in found["groups"] for text in group) == [0, 1, 2]
    assert 0 <= found["error"]["put_together"]["share"] <= 1 and found["error"]["writers"][0] == 1
    assert "were put together" in told and forbidden_in(told) == [] and b"<svg" in figure.read_bytes()
    assert cli.run(["compare", str(validated_case), *files[::-1], "--json", str(out)]) == 0
    turned = {(each["a"], each["b"]): each["log10_lr"] for each in json.loads(out.read_text("utf-8"))["pairs"]}
    assert all(turned[2 - each["b"], 2 - each["a"]] == each["log10_lr"] for each in found["pairs"])


def test_several_texts_that_are_refused(
    validated_case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(paths.sample_case() / "disputed" / f"anonymous-{number}.txt") for number in (1, 2, 3)]
    case = str(validated_case)
    assert cli.run(["compare", case, *files[:2], files[0]]) == 1
    assert "Two of the texts are the same." in capsys.readouterr().err
    assert cli.run(["compare", case, *files, "--figure", str(tmp_path / "f.bmp")]) == 1
    assert ".svg, .pdf or .png" in capsys.readouterr().err
    monkeypatch.setattr("forensia.service.comparing.MOST_TEXTS", 2)
    assert cli.run(["compare", case, *files]) == 1
    assert "At most 2 are compared" in capsys.readouterr().err
