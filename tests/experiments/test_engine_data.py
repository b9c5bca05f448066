"""Data sets: found by name, split as marked or as drawn, counted once; a unit learns what the analyst's own model would."""

from __future__ import annotations

import csv
import tarfile
from pathlib import Path

import numpy as np
import pytest

from forensia.corpus import Corpus
from forensia.errors import InputError
from forensia.evidence.measures import macro_f1
from forensia.evidence.training import train
from forensia.experiments import datasets
from forensia.experiments.datasets import has_counts, load_counts, save_counts
from forensia.experiments.unitrun import mean_f1, run_unit
from forensia.experiments.units import Clock, Draw, Unit, draw
from forensia.features import count_documents
from forensia.language import load_model
from forensia.systems.pairmodel import TrainingOptions


@pytest.fixture(scope="module")
def reading(made_up: Path) -> datasets.Reading:
    return datasets.read_dataset(str(made_up), made_up)


@pytest.fixture(scope="module")
def counts_folder(reading: datasets.Reading, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return datasets.counted(reading, load_model(), tmp_path_factory.mktemp("work"))


def pack(folder: Path, made_up: Path, name: str = "imdb62_50x100") -> Path:
    """The made-up corpus as the packs are: a manifest that marks the split, and one text that is there twice."""
    place = folder / name
    rows = []
    for author in sorted(made_up.iterdir()):
        for number, file in enumerate(sorted(author.iterdir())):
            target = f"{author.name}/{file.name}"
            (place / author.name).mkdir(parents=True, exist_ok=True)
            (place / target).write_bytes(file.read_bytes())
            rows.append(
                (
                    author.name,
                    target,
                    "train" if number < 6 else "test",
                    "open" if author.name > "author 3" else "closed",
                )
            )
    copy = f"{rows[0][0]}/copy.txt"
    (place / copy).write_bytes((place / rows[0][1]).read_bytes())
    rows.append((rows[0][0], copy, "test", "closed"))
    with (place / "manifest.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("author", "file", "split", "role"), *rows])
    return place


def test_data_are_found_by_their_names_and_places(tmp_path: Path) -> None:
    (tmp_path / "imdb62_50x100.tar.xz").touch()
    (tmp_path / "PAN2011").mkdir()
    (tmp_path / "victorian.csv").touch()
    (tmp_path / "mine").mkdir()
    assert datasets.find("IMDB62", tmp_path) == tmp_path / "imdb62_50x100.tar.xz"
    assert datasets.find("PAN2011", tmp_path) == tmp_path / "PAN2011"
    assert datasets.find("Victorian", tmp_path) == tmp_path / "victorian.csv"
    assert datasets.find("mine", tmp_path) == tmp_path / "mine"
    assert datasets.find(str(tmp_path / "mine"), None) == tmp_path / "mine"
    assert datasets.find("arXiv", tmp_path) is None
    with pytest.raises(InputError, match="--data"):
        datasets.data_folder(tmp_path / "nowhere")


def test_marked_splits_of_all_authors_are_kept_and_copies_left_out(tmp_path: Path, made_up: Path) -> None:
    place = pack(tmp_path, made_up)
    found = datasets.read_dataset("IMDB62", place)
    assert (found.name, len(found.documents), found.roster.authors, found.left_out) == ("IMDB62", 63, 7, 1)
    assert found.roster.train is not None
    marks = {document.path: bool(mark) for document, mark in zip(found.documents, found.roster.train, strict=True)}
    del marks["author 0/copy.txt" if "author 0/copy.txt" in marks else "author 0/0.txt"]
    assert all(mark == (int(path[-5]) < 6) for path, mark in marks.items())
    archive = tmp_path / "arxiv.tar.xz"
    with tarfile.open(archive, "w:xz") as packed:
        packed.add(place, "imdb62_50x100")
    assert datasets.read_dataset("IMDB62", archive).fingerprint == found.fingerprint
    archive.write_bytes(archive.read_bytes()[:200])
    with pytest.raises(InputError, match="cannot be read"):
        datasets.read_dataset("IMDB62", archive)


def test_a_folder_of_authors_has_no_marks(reading: datasets.Reading) -> None:
    assert reading.roster.train is None and reading.name == "letters" and reading.about["documents"] == 63


def test_counts_come_back_as_they_were(reading: datasets.Reading, counts_folder: Path, tmp_path: Path) -> None:
    fresh = count_documents(reading.documents, load_model())
    assert has_counts(counts_folder) and not has_counts(tmp_path)
    for stored in (load_counts(counts_folder), datasets.in_memory(reading.roster, counts_folder).counts):
        assert stored.families == fresh.families
        for one, other in zip(stored.tables, fresh.tables, strict=True):
            assert (one.counts != other.counts).nnz == 0 and np.array_equal(one.totals, other.totals)
            assert np.array_equal(one.keys.pack(), other.keys.pack())
    assert all(file.stat().st_mode & 0o077 == 0 for file in counts_folder.iterdir())
    save_counts(tmp_path / "again", fresh)
    save_counts(tmp_path / "again", fresh)
    assert has_counts(tmp_path / "again")


@pytest.mark.parametrize("profile", ["paper", "forensic"])
def test_a_unit_is_what_the_model_of_an_analyst_would_say(
    profile: str, reading: datasets.Reading, counts_folder: Path
) -> None:
    wanted = Draw(4, 5, 5, 3, pairs=10)
    methods = (("Lazy AA", "Stacked AA"),)
    data = datasets.in_memory(reading.roster, counts_folder)
    unit = Unit("letters", "f", profile, ("aa",), methods, 3, wanted)
    outcome = run_unit(unit, data)
    assert not outcome.problem
    sample = draw(reading.roster, wanted)
    known, asked = ([reading.documents[row] for row in rows] for rows in (sample.train, sample.test))
    language = load_model()
    model = train(Corpus.of(known), TrainingOptions(profile=unit.rules, seed=3), language).model
    rankings = model.rank(count_documents(asked, language, typing=unit.rules.typing))
    truth = [document.author for document in asked]
    found = {value.method: value.value for value in outcome.values if value.measure == "macro_f1"}
    for method, scores in (("Lazy AA", [r.lazy for r in rankings]), ("Stacked AA", [r.stacked for r in rankings])):
        given = [model.authors[int(row.argmax())] for row in scores]
        assert found[method] == pytest.approx(macro_f1(truth, given, classes=sorted(set(truth)))), method
    assert outcome.details["k"] == model.k and outcome.details["c"] == model.fitted.training.c


def test_a_method_that_cannot_be_used_does_not_stop_the_others(reading: datasets.Reading, counts_folder: Path) -> None:
    data = datasets.in_memory(reading.roster, counts_folder)
    methods = (("STD-CosDist", "Impostors"),)
    outcome = run_unit(Unit("letters", "f", "paper", ("sav-open",), methods, 0, Draw(2, 5, 5, 0, pairs=8)), data)
    assert {value.method for value in outcome.values} == {"STD-CosDist"}
    assert "three authors" in outcome.details["problems"]["sav-open, Impostors"]


def test_f1_of_decisions_and_the_clock() -> None:
    accepted = np.array([[True, False], [True, False], [False, False]])
    truly = np.array([[True, False], [False, True], [True, False]])
    assert mean_f1(accepted, truly) == pytest.approx((2 * 1 / 4 + 0) / 2)
    clock = Clock()
    for _ in range(2):
        with clock("a"):
            sum(range(1000))
    assert clock.of("a", "b").wall >= 0 and set(clock.spent) == {"a"}
