"""What is claimed against what is found: the bench says of a text what the program says, and its figures are those of the parts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from forensia.bench import honesty, trials
from forensia.bench.packs import ESSAYS, TriedPack
from forensia.bench.trials import (
    WAYS,
    cell,
    disguised,
    families,
    fifth,
    held_out,
    loss_and_first,
    numbers,
    retyped,
    shuffled,
    slope,
    stability,
)
from forensia.case.session import Session
from forensia.corpus import Corpus, Document
from forensia.corpus.characters import count_words
from forensia.corpus.typing import canonical
from forensia.evidence.judge import Judge
from forensia.evidence.opinion import ABSTAIN, NONE
from forensia.evidence.result import Source, Stated
from forensia.evidence.summary import figure
from forensia.language import MemoryCache
from support.packs import essays_pack, split_pack

SET = "arxiv_single_author"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten authors of whom seven texts are known, and two whom nobody listed; and twelve with four sources of essays."""
    folder = tmp_path_factory.mktemp("packs")
    split_pack(folder / SET, slice(10), lambda number: number < 7, slice(12), listed=10)
    essays_pack(folder / ESSAYS)
    return folder


@pytest.fixture(scope="module")
def pack(data: Path, tmp_path_factory: pytest.TempPathFactory) -> TriedPack:
    return TriedPack.read(data / SET, SET, tmp_path_factory.mktemp("place"))


@pytest.fixture(scope="module")
def essays(data: Path, tmp_path_factory: pytest.TempPathFactory) -> TriedPack:
    return TriedPack.read(data / ESSAYS, ESSAYS, tmp_path_factory.mktemp("place"))


def _other_lengths(documents: tuple[Document, ...]) -> list[Document]:
    """Texts as they are, some much shorter, and one much longer."""
    texts = [document.text for document in documents]
    written = [
        *texts[:6],
        *(" ".join(text.split()[:60]) for text in texts[6:9]),
        texts[0][:80],
        "\n\n".join(texts[9:15]),
    ]
    some = zip(documents, written, strict=False)
    return [replace(document, body=text, cuts=(), words=count_words(text)) for document, text in some]


@pytest.mark.parametrize("source", ["new", "known"])
def test_the_bench_says_what_the_program_says(essays: TriedPack, source: Source) -> None:
    documents = _other_lengths(essays.disputed)
    answers = essays.program.asked(documents, source)
    session = Session(Judge(None, essays.program.validation), Corpus.of(essays.known.documents))
    authors = essays.program.validation.authors
    assert len(answers.rungs) > 2 and max(len(answers.pieces(row).no_sentences) for row in range(len(documents))) > 2
    for row, document in enumerate(documents):
        result = session.judged(document, MemoryCache(), stated=Stated(source))
        first = result.candidates[0]
        assert first.author == authors[answers.first[row]] and first.headline is not None
        assert result.condition == answers.rungs[answers.on[row]].condition
        assert first.headline.log10 == pytest.approx(answers.headline[row, answers.first[row]])
        kind = {NONE: "none of these", ABSTAIN: "none given"}.get(int(answers.decided[row]), "author")
        assert result.opinion.kind == kind
        if kind == "author":
            assert answers.could[row] and first.headline.interval == pytest.approx(tuple(answers.ends[row]))
        else:
            assert np.isnan(answers.ends[row]).all()


def test_nothing_is_said_of_a_source_that_could_not_be_tried(pack: TriedPack) -> None:
    answers = pack.program.asked(pack.disputed[:5], "new")
    assert not answers.could.any() and (answers.decided == ABSTAIN).all()


def test_claimed_and_found(pack: TriedPack) -> None:
    found = held_out(pack)["cells"]["known"]
    answers, truth = pack.program.asked(pack.disputed, "known"), pack.program.truth(pack.disputed)
    claim = figure(pack.program.validation.whole)
    assert found["texts"] == len(pack.disputed) == 30
    assert found["first"]["claimed"] == claim.first.share and found["first"]["interval"] == claim.first.interval
    assert found["first"]["found"] == np.mean(answers.first == truth) > 0.7
    opinions, listed = found["opinions"], claim.open_set.listed
    assert opinions["given"] == answers.given.sum() <= opinions["could"] == answers.could.sum() > 0
    assert opinions["claimed"] == [listed.opinion, listed.right_when_given]
    assert opinions["found"] == [answers.given.mean(), np.mean((answers.decided == truth)[answers.given])]
    assert 0 <= found["cllr_listed"]["least"] <= found["cllr_listed"]["found"] < 0.5
    outsiders = found["outsiders"]
    assert outsiders["texts"] == 6 and outsiders["cllr_unlisted"]["found"] < 1
    assert outsiders["supported"]["claimed"] <= outsiders["supported"]["upper"]
    assert outsiders["supported"]["found"] == pack.program.asked(pack.outsiders, "known").given.mean()
    lengths = found["lengths"]
    assert len(lengths) == len(answers.rungs) > 1 and sum(each["texts"] for each in lengths) == 30
    for rung, each in zip(answers.rungs, lengths, strict=True):
        assert each["words"] == rung.condition.words and each["first"]["claimed"] == figure(rung).first.share
    right = sum(each["first"]["found"] * each["texts"] for each in lengths)
    assert right == pytest.approx(found["first"]["found"] * 30)


def test_a_fifth_stands_for_a_known_source(essays: TriedPack) -> None:
    cells = held_out(essays)["cells"]
    away = fifth(essays.known.codes)
    assert list(cells) == ["new", "known"] and cells["known"]["texts"] == len(away) == 12
    assert cells["new"]["texts"] == len(essays.disputed) == 24 and "outsiders" not in cells["new"]
    rest = essays.known.rows(np.setdiff1d(np.arange(len(essays.known.documents)), away)).validated()
    again = cell(rest, [essays.known.documents[row] for row in away], (), "known")
    assert {**again, "cpu_s": 0} == {**cells["known"], "cpu_s": 0}
    assert rest.validation.of("new") and len(rest.validation.codes) == 60


def test_a_fifth_of_each_author_is_drawn() -> None:
    codes = np.repeat(np.arange(4), (10, 5, 2, 1))
    assert np.bincount(codes[fifth(codes)], minlength=4).tolist() == [2, 1, 0, 0]


def test_how_texts_are_typed_anew() -> None:
    text = '"It\'s late," he said -- or wrote – on the \'phone — "so".\n\tA tab  and two spaces'
    typed = {way: typing(text) for way, typing in WAYS.items()}
    assert typed["curly"].startswith("“It’s late,” he said -- or wrote – on the ‘phone — “so”.")
    assert WAYS["straight"](typed["curly"]) == text == typed["straight"]
    assert typed["no-break spaces"].startswith('"It\'s\u00a0late," he said\u00a0-- or wrote\u00a0–')
    for dash in ("--", "–", "—"):
        assert typed[f"dashes {dash}"].startswith(
            f'"It\'s late," he said {dash} or wrote {dash} on the \'phone {dash} "so".'
        )
    assert all(canonical(each).text == canonical(text).text for each in typed.values())


def test_lines_are_wrapped_between_words() -> None:
    text = "\tAn indent. " + "word " * 40 + "\n\n" + "x" * 90 + " and so on\nshort  "
    wrapped = WAYS["wrapped at 72"](text)
    lines = wrapped.split("\n")
    assert lines[0].startswith("\tAn indent. word") and "x" * 90 in lines and lines[-1] == "short  "
    assert all(len(line) <= 72 for line in lines if "x" not in line) and wrapped.split() == text.split()


def test_typing_moves_nothing_that_is_folded(pack: TriedPack) -> None:
    row = retyped(pack)
    assert len(row["moves"]) == 25 and max(row["moves"]) == max(row["by_way"].values())
    assert row["changed"]["curly"] > 0 and row["changed"]["no-break spaces"] == 25
    assert row["by_way"]["curly"] == row["by_way"]["no-break spaces"] == 0


def test_moves_are_seen(pack: TriedPack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forensia.bench.trials.WAYS", {"shouted": str.upper})
    row = retyped(pack)
    assert max(row["moves"]) > 10


def test_disguised_passages_are_counted(essays: TriedPack) -> None:
    (kind,) = (row := disguised(essays)["kinds"])
    passages = essays.kind("imitation")
    assert kind == "imitation" and row[kind]["passages"] == len(passages) == 24
    assert row[kind]["opinions"] == essays.program.asked(passages, "new").given.sum()


def test_a_ratio_that_is_worth_what_it_says_has_slope_1() -> None:
    rng = np.random.default_rng(1)
    own = np.arange(40_000) < 20_000
    natural = 2 * rng.normal(np.where(own, 1, -1), 1)  # the log LR of two normal distributions at a distance of 2
    log10 = natural / np.log(10)
    assert slope(log10, own) == pytest.approx(1, abs=0.05) and slope(2 * log10, own) == pytest.approx(0.5, abs=0.03)


def test_every_author_has_every_number(pack: TriedPack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "NUMBERS", (3, 6))
    asked: list[list[int]] = []
    measure = slope

    def measured(ratios: np.ndarray, own: np.ndarray) -> float:
        asked.append([len(ratios), int(own.sum())])
        return measure(ratios, own)

    monkeypatch.setattr(trials, "slope", measured)
    groups = numbers(pack)["groups"]
    assert asked == [
        [300, 30],
        [300, 30],
    ]  # each of 30 texts meets each of 10 authors with each number, its own among them
    assert list(groups) == ["3", "6"] and all(each["slope"] > 0 for each in groups.values())


def test_stability_is_that_of_the_result(pack: TriedPack) -> None:
    row = stability(pack)
    answers = pack.program.asked(pack.disputed, "known")
    session = Session(Judge(None, pack.program.validation), Corpus.of(pack.known.documents))
    inside, widths = [], []
    for text in np.flatnonzero(answers.given):
        result = session.judged(pack.disputed[text], MemoryCache(), stated=Stated("known", "a test"))
        headline, sensitivity = result.candidates[0].headline, result.sensitivity
        assert headline is not None and headline.interval is not None and sensitivity is not None
        ends, (low, high) = sensitivity.left_out.log10, headline.interval
        assert ends is not None
        inside.append(low - 1e-9 <= ends[0] and ends[1] <= high + 1e-9)
        widths.append(high - low)
    assert row["texts"] == len(inside) > 0 and row["inside_throughout"] == np.mean(inside) <= row["inside"]
    assert row["median_width"] == pytest.approx(np.median(widths))


def test_nothing_is_found_where_there_is_nothing(pack: TriedPack) -> None:
    row = shuffled(pack)
    assert row["chance"] == pytest.approx(0.1)
    assert row["first"] < 0.3 and row["cllr_listed"] > 0.9 and row["opinions"] < 0.1


def test_what_is_missed_without_a_family(pack: TriedPack) -> None:
    row = families(pack)
    loss, first = loss_and_first(pack.program.validation.whole.scores.without(1))
    assert list(row["without"])[1] == "words"
    assert row["without"]["words"] == {"loss": loss - row["loss"], "first": first - row["first"]}
    assert 0 < row["loss"] < np.log(10) and row["first"] > 0.7


def test_rows_are_kept_and_not_computed_again(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.json"
    asked = [str(data), str(out), "--set", SET, "--check", "held-out"]
    assert honesty.main(asked) == 0
    (row,) = json.loads(out.read_text("utf-8"))
    monkeypatch.setattr(TriedPack, "read", None)  # nothing is left to be read
    assert honesty.main(asked) == 0
    capsys.readouterr()
    assert honesty.main([str(data), str(out), "--table"]) == 0
    printed, first = capsys.readouterr().out, row["cells"]["known"]["first"]
    assert f"| {SET} | known | 30 | {first['claimed']:.3f} / {first['found']:.3f} (" in printed
    assert "| Cllr below 1 | pass | 2 of 2 |" in printed and "| missing |" in printed
