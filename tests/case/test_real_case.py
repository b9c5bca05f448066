"""The real case of version 0.1 opens, says what it said, and is what it was."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from forensia import cli
from forensia.case import Case, CaseRefused
from forensia.case.session import VALIDATION, open_judge, open_model, open_summary, open_validation
from forensia.features import FAMILIES
from support.pdf import pages_of
from support.places import VERSION_0_1, real_case

EXCLUDED, REASSIGNED = "Ivo Tamsin/letters/library.txt", "Bram Oakley/mails/library.txt"
AUTHORS = {
    "Adela Marsh": 4, "Bram Oakley": 4, "Corin Vale": 7, "Dorothea Finch": 4, "Edmund Sallow": 5, "Freya Lund": 6,
    "Gilbert Pym": 4, "Hester Crane": 5, "Ivo Tamsin": 5, "Jonah Creed": 4, "Kit Warren": 5,
}  # fmt: skip
RESULTS = json.loads((VERSION_0_1 / "results.json").read_text("utf-8"))


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    with Case.open(real_case(tmp_path)) as opened:
        yield opened


def test_its_corpus(case: Case) -> None:
    assert not case.damage and not case.read_only and case.about["program"] == "0.1.0"
    corpus = case.documents.corpus()
    assert corpus is not None and Counter(each.author for each in corpus.active.documents) == AUTHORS
    assert len(corpus.documents) == 54 and all(each.text for each in corpus.documents)
    excluded = {each.path: each.excluded for each in case.documents.known() if each.excluded is not None}
    assert excluded == {EXCLUDED: "Copied from the minutes of another meeting"}
    moved = {each.path: (each.read_as, each.author) for each in case.documents.known() if each.read_as != each.author}
    assert moved == {REASSIGNED: ("Bram Oakley", "Corin Vale")}


def test_its_choices_and_notes(case: Case) -> None:
    assert case.choices.settings()["court"] == "Wrackham County Court"
    disputed = {each.id: each.title for each in case.documents.disputed()}
    assert {disputed.get(about, about): note for about, note in case.results.notes().items()} == {
        "case": "Ask for the letters of 2019.",
        "anonymous-1": "The first page is a photocopy.",
    }


def test_its_results(case: Case) -> None:
    stored = {each.result["file"]: each.result for each in case.results.raw() if each.current}  # type: ignore[call-overload, index]
    assert stored == {each["file"]: each for each in RESULTS["documents"]}
    assert len(case.results.all()) == 4 and sum(not each.current for each in case.results.all()) == 1, (
        "one rests on the model before"
    )
    said = {each.result.file: each.result.opinion for each in case.results.all() if each.current}
    assert said["pages.txt"].given and said["pages.txt"].author == "Dorothea Finch"
    assert not said["anonymous-1.txt"].given and not said["anonymous-3.txt"].given


def test_its_model_is_read_and_its_validation_is_not(case: Case) -> None:
    model = open_model(case)
    assert set(model.authors) == set(AUTHORS) and len(model.learnt.documents) == sum(AUTHORS.values())
    assert model.learnt.record().families == model.options.families == FAMILIES
    assert VALIDATION in case.models.hashes(), "it stays in the case, for the version that can read it"
    for opened in (open_validation, open_summary):
        with pytest.raises(CaseRefused, match="has not been validated yet"):
            opened(case)
    assert open_judge(case).validation is None


def test_its_report(case: Case) -> None:
    (report,) = case.results.reports()
    assert report.sha256 == hashlib.sha256((VERSION_0_1 / "report.pdf").read_bytes()).hexdigest()


def test_it_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = real_case(tmp_path)
    assert cli.run(["verify", "--quick", str(place)]) == 0
    assert "is as it was stored" in capsys.readouterr().err
    assert cli.run(["verify", "--quick", str(VERSION_0_1 / "report.pdf"), "--case", str(place)]) == 0
    said = capsys.readouterr().err
    assert "Made by version 0.1.0: re-run it with that version." in said
    assert "is the file that was made from case.forensia, which is as it was stored" in said


def test_it_is_run_again_by_version_0_1_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its numbers are another engine's: they are rehashed, and that they were not run again is said."""
    out = tmp_path / "told.json"
    assert cli.run(["verify", str(real_case(tmp_path)), "--json", str(out)]) == 0
    said = capsys.readouterr().err
    assert "Made by version 0.1.0: re-run it with that version." in said and "is as it was stored" in said
    told = json.loads(out.read_text("utf-8"))
    assert told["agrees"] and told["run_again"] == {"arrays": [], "results": [], "comparisons": []}


def test_a_new_analysis_asks_to_train_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = real_case(tmp_path)
    text = tmp_path / "new.txt"
    text.write_text("A letter that nobody has seen before, about the weather and the boats. " * 60, "utf-8")
    assert cli.run(["analyse", str(place), str(text)]) == 1
    assert "made by version 0.1.0 of Forensia. Train it again with this version" in capsys.readouterr().err
    assert [each.name for each in tmp_path.glob("*.forensia")] != [place.name], "there is a backup of format 1"


def test_a_report_can_be_made_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place, target = real_case(tmp_path), tmp_path / "again.pdf"
    assert cli.run(["report", str(place), "-o", str(target)]) == 0
    assert "The report:" in capsys.readouterr().err
    text = " ".join(" ".join(pages_of(target.read_bytes())).split())
    for said in (
        "The case was validated by version 0.1.0 of the program, whose likelihood ratios are given.",
        "made by version 0.1.0 of the program, with a validation that this version cannot read",
        "of the Lazy score, less that of the best other authors",
        "The weaker of the two is the one that is reported",
        "Lazy AA and Stacked AA: rank, and in brackets the score",
        "the sample of training pairs, each family of features, the masking of topics",
        "another sample of training pairs: seed",
    ):
        assert said in text, said
    for untrue in (
        "Fused, Lazy AA", "What the families say of the disputed text", "of the fused ranking:", "The lower of the two", "not validated",
        "No validation.", "was not measured", "masked tokens",
    ):  # fmt: skip
        assert untrue not in text, untrue
