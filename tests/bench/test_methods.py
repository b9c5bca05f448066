"""The command that compares the methods: which texts are known and disputed, what is computed again, and what the table says."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from forensia import paths
from forensia.bench import methods, packs
from forensia.bench.packs import EVERYBODY, SETS, ComparedTexts, read_set
from forensia.features import FAMILIES
from forensia.features.vectors import FUSED_FAMILIES

CLOSED, GERMAN, ESSAYS, DRAWN = "arxiv_single_author", "novels_german", "essays_english", "reuters_c50 5x10"
NAMED = {each.name: each for each in SETS}


def _pack(folder: Path, rows: Sequence[Mapping[str, str]]) -> None:
    for row in rows:
        file = folder / row["file"]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(row["text"], "utf-8")
    columns = [name for name in rows[0] if name != "text"]
    with (folder / "manifest.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pack of texts of the sample case with a split: four authors, six known texts of each and the others disputed."""
    folder = tmp_path_factory.mktemp("packs")
    rows = []
    for author in sorted((paths.sample_case() / "known").iterdir())[:4]:
        for number, text in enumerate(sorted(author.rglob("*.txt"))):
            rows.append(
                {
                    "author": author.name,
                    "file": f"{author.name}/{number}.txt",
                    "split": "train" if number < 6 else "test",
                    "role": "closed",
                    "text": text.read_text("utf-8"),
                }
            )
    rows.append(
        {**rows[0], "author": "Somebody Else", "file": "other/0.txt", "role": "open", "text": "Not asked for. " * 40}
    )
    _pack(folder / CLOSED, rows)
    return folder


@pytest.fixture(scope="module")
def texts(data: Path, tmp_path_factory: pytest.TempPathFactory) -> ComparedTexts:
    return read_set(data / CLOSED, NAMED[CLOSED], tmp_path_factory.mktemp("place"))


def test_the_sets_of_the_table() -> None:
    names = [each.name for each in SETS]
    assert len(names) == len(set(names)) == 4 + 4 + 2 * 4 + 1
    assert [each.draws for each in SETS if each.size] == [10] * 8


def test_known_and_disputed_texts_of_a_split(texts: ComparedTexts) -> None:
    assert np.bincount(texts.codes).tolist() == [6] * 4 and len(texts.disputed) == len(texts.truth) > 0
    assert set(texts.truth.tolist()) == {0, 1, 2, 3}
    assert texts.known.typing == texts.disputed.typing == "canonical"
    assert texts.families(FUSED_FAMILIES) == list(FUSED_FAMILIES)


@pytest.mark.parametrize("name", methods.METHODS)
def test_every_method_answers_better_than_chance(texts: ComparedTexts, name: str) -> None:
    row = methods.asked(methods.Prepared(texts), name)
    assert len(row["predicted"]) == len(row["truth"]) == len(texts.truth)
    assert np.mean(np.array(row["predicted"]) == texts.truth) > 0.5
    assert row["cpu_s"] >= 0


def test_what_methods_share_is_made_once_and_counted_for_each(
    texts: ComparedTexts, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(100))
    monkeypatch.setattr(methods.time, "process_time", lambda: float(next(clock)))
    prepared = methods.Prepared(texts)
    assert methods.asked(prepared, "cosine")["cpu_s"] == 2  # one tick for the vectors and one for itself
    assert methods.asked(prepared, "STD-AA")["cpu_s"] == 2
    assert next(clock) == 6  # the vectors were not made again


def test_draws_are_the_same_each_time_and_differ(texts: ComparedTexts) -> None:
    one, again, other = texts.drawn((3, 4), 0), texts.drawn((3, 4), 0), texts.drawn((3, 4), 1)
    assert np.bincount(one.codes).tolist() == [4, 4, 4]
    assert [each.id for each in one.documents] == [each.id for each in again.documents]
    assert [each.id for each in one.documents] != [each.id for each in other.documents]
    names = {document.author: code for document, code in zip(one.documents, one.codes, strict=True)}
    whole = {document.author: code for document, code in zip(texts.documents, texts.codes, strict=True)}
    for author, code in names.items():
        assert (one.truth == code).sum() == (texts.truth == whole[author]).sum(), "all their disputed texts"
    assert len(one.disputed) == len(one.truth) == sum((texts.truth == whole[author]).sum() for author in names)


def test_essays_of_one_source_of_each_author_are_disputed(tmp_path: Path) -> None:
    rows = []
    for author in ("ann", "bob", "cyd"):
        own = ["1"] * 4 + ["2"] * 3 + ["3"] * 2 + ["1_2"] if author != "cyd" else ["1"] * 4 + ["2"] * 3
        for number, source in enumerate(own):
            text = f"{author} wrote piece {number} of {source}. " + f"Word{number} {author}ly said so. " * 30
            rows.append(
                {"author": author, "source": source, "file": f"{author}/{number}.txt", "kind": "essay", "text": text}
            )
        rows.append({**rows[-1], "file": f"{author}/imitation.txt", "kind": "imitation", "text": "Not mine. " * 60})
    _pack(tmp_path / ESSAYS, rows)
    texts = read_set(tmp_path / ESSAYS, NAMED[ESSAYS], tmp_path)
    # Without source 1 Ann and Bob have five texts; whichever Cyd left out, fewer than five would remain.
    assert {document.author for document in texts.documents} == {"ann", "bob"}
    assert sorted(texts.sources) == sorted([("2",)] * 6 + [("3",)] * 4)
    assert np.bincount(texts.truth).tolist() == [4, 4]


def test_a_language_without_tags(tmp_path: Path) -> None:
    rows = [
        {
            "author": author,
            "source": f"book {number % 2 if number < 4 else 2}",
            "file": f"{author}/{number}.txt",
            "split": "train" if number < 4 else "test",
            "role": "closed",
            "text": f"Kapitel {number}. " + f"{word} ging der Wind und {word} kam er nicht zurück. " * 20,
        }
        for author, word in (("A", "Gestern"), ("B", "Morgen"), ("C", "Niemals"))
        for number in range(6)
    ]
    _pack(tmp_path / GERMAN, rows)
    texts = read_set(tmp_path / GERMAN, NAMED[GERMAN], tmp_path)
    assert not texts.language.has_tags and "und" in texts.language.function_words
    assert "POS n-grams" in FAMILIES and "POS n-grams" not in texts.families(FAMILIES)
    assert {source for own in texts.sources for source in own} == {"book 0", "book 1"}
    assert methods.asked(methods.Prepared(texts), "fused")["predicted"] == texts.truth.tolist()


def test_rows_that_are_there_are_not_computed_again(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "rows.json"
    arguments = [str(data), str(out), "--set", CLOSED, "--method", "fused"]
    assert methods.main([*arguments, "cosine"]) == 0
    told = capsys.readouterr()
    assert f"| {CLOSED} |" in told.out and "cosine" in told.err
    before = json.loads(out.read_text("utf-8"))
    assert [row["method"] for row in before] == ["fused", "cosine"]
    assert 0 < before[0]["claimed"] <= 1 and 0 < before[0]["confidence"] <= 1 and before[0]["cllr"] > 0
    assert methods.main([*arguments, "SVM"]) == 0
    rows = json.loads(out.read_text("utf-8"))
    assert rows[:2] == before and [row["method"] for row in rows] == ["fused", "cosine", "SVM"]

    def never(*_: object) -> None:
        raise AssertionError("it was read again")

    monkeypatch.setattr(methods, "read_set", never)
    assert methods.main([*arguments, "SVM"]) == 0
    assert methods.main([str(data), str(out), "--table"]) == 0
    assert json.loads(out.read_text("utf-8")) == rows


def test_only_the_fused_answer_is_asked_for_everybody() -> None:
    assert methods.missing(NAMED[EVERYBODY], list(methods.METHODS), []) == {0: ["fused"]}
    assert methods.missing(NAMED[EVERYBODY], ["SVM"], []) == {}
    assert len(methods.missing(NAMED[DRAWN], ["SVM"], [])) == 10


def _row(name: str, method: str, predicted: Sequence[int], draw: int = 0) -> methods.Row:
    figures = {"claimed": 0.5, "confidence": 0.7, "cllr": 0.25} if method == "fused" else {}
    truth = [0, 0, 0, 0, 1, 1, 1, 1]
    return {
        "set": name,
        "draw": draw,
        "method": method,
        "cpu_s": 2.0,
        "truth": truth,
        "predicted": predicted,
        **figures,
    }


RIGHT, WRONG, HALF = [0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 1, 1, 1, 1, 0, 0]


@pytest.mark.parametrize(("other", "ahead"), [(RIGHT, (0, 0, 0)), (WRONG, (1, 1, 1))])
def test_what_is_certain_has_no_interval(other: list[int], ahead: tuple[float, float, float]) -> None:
    (each,) = methods.found([_row(CLOSED, "fused", RIGHT), _row(CLOSED, "SVM", other)])
    assert each.best_other == "SVM" and each.ahead("SVM") == ahead


def test_what_is_uncertain_has_one() -> None:
    (each,) = methods.found([_row(CLOSED, "fused", RIGHT), _row(CLOSED, "SVM", HALF)])
    gain, low, high = each.ahead("SVM")
    assert gain == pytest.approx(0.5) and 0 <= low < 0.5 < high <= 1


def test_draws_are_resampled_whole() -> None:
    """The gain is 0 in five draws and 1 in five: a mean of ten such lies between .2 and .8 in 95 % of cases."""
    rows = [_row(DRAWN, "fused", RIGHT, draw) for draw in range(10)]
    rows += [_row(DRAWN, "SVM", RIGHT if draw % 2 else WRONG, draw) for draw in range(10)]
    (each,) = methods.found(rows)
    gain, low, high = each.ahead("SVM")
    assert gain == 0.5 and low == pytest.approx(0.2, abs=0.11) and high == pytest.approx(0.8, abs=0.11)


def test_a_method_that_is_not_through_all_draws_is_left_out() -> None:
    rows = [_row(DRAWN, "fused", RIGHT, draw) for draw in range(10)] + [_row(DRAWN, "SVM", RIGHT, 0)]
    (each,) = methods.found(rows)
    assert list(each.rows) == ["fused"]


def test_the_table() -> None:
    rows = [_row(CLOSED, "fused", HALF), _row(CLOSED, "SVM", RIGHT), _row(CLOSED, "cosine", WRONG)]
    lines = methods.table([*rows, _row(EVERYBODY, "fused", HALF)]).splitlines()
    reached = next(line for line in lines if line.startswith(f"| {CLOSED} |"))
    cells = [cell.strip() for cell in reached.strip("|").split("|")]
    head = [cell.strip() for cell in lines[0].strip("|").split("|")]
    assert cells[head.index("SVM")] == "**1.000**" and cells[head.index("fused")] == ".500"
    assert cells[head.index("Lazy")] == "" and cells[-1].startswith("-0.500 (") and cells[-1].endswith("SVM")
    assert f"| {CLOSED} | .250 | .500 / .500 | .700 |" in lines
    assert f"{EVERYBODY}: accuracy .500, published .767." in lines
    assert sum(line.startswith(f"| {EVERYBODY} |") for line in lines) == 2, "not among the macro-F1 of all methods"


def test_cllr_of_odds() -> None:
    truth = np.array([0, 1, 2])
    even = np.full((3, 3), -np.log(3))
    assert methods._listed_cllr(even, truth) == pytest.approx(1)
    sure = np.where(np.eye(3, dtype=bool), np.log1p(-2e-9), np.log(1e-9))
    assert methods._listed_cllr(sure, truth) < 1e-6
    assert methods._listed_cllr(sure[[1, 2, 0]], truth) > 10
    certain = np.where(np.eye(3, dtype=bool), 0.0, -800.0)
    assert np.isfinite(methods._listed_cllr(certain, truth))


def test_archives_are_unpacked_once(data: Path, tmp_path: Path) -> None:
    import tarfile

    with tarfile.open(tmp_path / f"{CLOSED}.tar.xz", "w:xz") as packed:
        packed.add(data / CLOSED, CLOSED)
    place = tmp_path / "place"
    place.mkdir()
    folder = packs.unpacked(tmp_path, CLOSED, place)
    assert folder == place / CLOSED and (folder / "manifest.csv").is_file()
    (tmp_path / f"{CLOSED}.tar.xz").unlink()
    assert packs.unpacked(tmp_path, CLOSED, place) == folder
    assert packs.unpacked(data, CLOSED, place) == data / CLOSED
