"""Train and analyse on a case file, through the command line, as a user would."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from forensia import cli, paths
from forensia.case import Case, CaseRefused
from forensia.case.session import MODEL, open_judge, open_model, open_validation
from forensia.case.store import LONGEST_REASON
from forensia.cli import contract
from forensia.evidence.result import RANKING
from forensia.features import EVERY_FAMILY, FUSED_FAMILIES
from forensia.service.training import validate_case

HALVES = (("half", "first half"), ("half", "second half"))
LoadedOnce = Callable[[], AbstractContextManager[None]]


@pytest.fixture(scope="module")
def folder(ten_authors: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four of the sample's authors, five texts of each."""
    place = tmp_path_factory.mktemp("corpus")
    for author in ("Adela Marsh", "Bram Oakley", "Dorothea Finch", "Freya Lund"):
        shutil.copytree(ten_authors / author, place / author)
    return place


@pytest.fixture(scope="module")
def trained(folder: Path, loaded_once: LoadedOnce, tmp_path_factory: pytest.TempPathFactory) -> Path:
    case = tmp_path_factory.mktemp("case") / "four.forensia"
    command = ["train", str(folder), "-o", str(case), "--quick", "--json", str(case.with_suffix(".json"))]
    with loaded_once():
        assert cli.run(command) == 0
    return case


def test_train_says_what_it_did(trained: Path) -> None:
    told = json.loads(trained.with_suffix(".json").read_text("utf-8"))
    assert told["model"]["documents"] == 20 and told["model"]["authors"] == 4 and told["model"]["converged"]
    with Case.open(trained, read_only=True) as case:
        assert not case.log.faults() and case.models.is_current(MODEL)
        assert open_model(case).k == told["model"]["k"]
        assert [entry.event for entry in case.log.entries()].count("run finished") == 2, "training and validation"
        summary = validate_case(case)
        assert told["validation"] == json.loads(json.dumps(contract.validated(summary))) and summary.quick is True
        assert told["validation"]["quick"] is True
        weights = told["validation"]["weights"]
        assert list(weights) == list(FUSED_FAMILIES), "what the answer rests on"
        assert min(weights.values()) >= 0 < max(weights.values())
        assert weights == dict(summary.weights) and list(summary.systems) == list(RANKING)
    assert told["model"]["families"] == list(EVERY_FAMILY)


def test_analyse_ranks_and_keeps(trained: Path, tmp_path: Path) -> None:
    files = [str(paths.sample_case() / "disputed" / f"anonymous-{number}.txt") for number in (1, 2)]
    out = tmp_path / "found.json"
    assert cli.run(["analyse", str(trained), *files, "--json", str(out)]) == 0
    first, second = json.loads(out.read_text("utf-8"))["documents"]
    for document, author in ((first, "Freya Lund"), (second, "Dorothea Finch")):
        assert {document[key][0]["author"] for key in ("ranking", "lazy", "stacked")} == {author}
        systems = document["systems"]
        assert list(systems)[:3] == ["fused", "lazy", "stacked"], "the headline first"
        assert document["ranking"] == systems["fused"] != systems["lazy"]
        assert document["lazy"] == systems["lazy"] and document["stacked"] == systems["stacked"]
        assert [row["author"] for row in document["verification"]] == [row["author"] for row in document["ranking"]]
        scores = [row["score"] for row in document["ranking"]]
        assert scores == sorted(scores, reverse=True)
        changes = [(row["kind"], row["what"]) for row in document["sensitivity"]["variants"]]
        usual = [*(("family off", family) for family in FUSED_FAMILIES), ("mask", "topic masked"), *HALVES]
        usual.append(("punctuation", "punctuation as usual"))
        assert changes[: len(usual)] == usual
        assert {kind for kind, _ in changes[len(usual) :]} == {"source off"}, "and the author without each source"
        assert len({what for _, what in changes[len(usual) :]}) == len(changes) - len(usual) > 1
        assert document["sensitivity"]["left_out"]["documents"] == 20
    for document in (first, second):
        assert [row["rank"] for row in document["lazy"]] == [1, 2, 3, 4]
        assert len(document["pairs"]) == 20 and {row["author"] for row in document["verification"]} == {
            row["author"] for row in document["lazy"]
        }
        assert sum(row["accepted"] for row in document["verification"]) == 1
        assert document["stated"] == {"source": "new", "because": ""} and document["condition"]["source"] == "new"
        said = document["opinion"]
        assert said["kind"] != "none of these", "among four authors that is no answer"
        assert said["findings"]["statement"].startswith(
            "Provided that one of the 4 listed authors wrote the disputed text, "
        )
        assert said["findings"]["statement"].endswith(" Of anybody else nothing is known.")
        assert {row["alternative"] for row in document["verification"]} == {"closed"}
    with Case.open(trained, read_only=True) as case:
        assert len(case.documents.disputed()) == 2
        stored = {each.result.file: contract.document(each.result) for each in case.results.all()}
    assert stored == {document["file"]: document for document in (first, second)}, "what was told is what is kept"


WHY = "It was found in the diary of which there are known pages."


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--source", "known"], "Say why the text is from the source of some known texts"),
        (["--source", "known", "--because", "  "], "Say why the text is from the source of some known texts"),
        (["--source", "new", "--because", WHY], "A reason is of use only where"),
        (["--because", WHY], "--because gives the reason of --source known"),
        (["--source", "known", "--because", "x" * (LONGEST_REASON + 1)], f"at most {LONGEST_REASON} characters"),
    ],
)
def test_a_known_source_is_stated_with_a_reason(
    options: list[str], says: str, trained: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = trained.read_bytes()
    assert cli.run(["analyse", str(trained), str(paths.sample_case() / "disputed" / "anonymous-3.txt"), *options]) == 1
    told = capsys.readouterr().err
    assert says in told.splitlines()[-1] and "Traceback" not in told
    assert trained.read_bytes() == before, "nothing was analysed"


def test_what_was_stated_of_a_text_holds_until_something_else_is(
    trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The figures are those of the source that was stated; the terminal, the log and a verification tell it."""
    case, out = Path(shutil.copy(trained, tmp_path)), tmp_path / "found.json"
    text = str(paths.sample_case() / "disputed" / "anonymous-2.txt")

    def analysed(*options: str) -> dict[str, Any]:
        assert cli.run(["analyse", str(case), text, "--json", str(out), *options]) == 0
        (document,) = json.loads(out.read_text("utf-8"))["documents"]
        return dict(document)

    first, told = analysed(), capsys.readouterr().err
    assert first["condition"]["source"] == first["stated"]["source"] == "new" and ", from a new source." in told
    for options in (["--source", "known", "--because", WHY], []):
        document, told = analysed(*options), capsys.readouterr().err
        assert document["stated"] == {"source": "known", "because": WHY} and document["condition"]["source"] == "known"
        assert f'from the source of known texts, as the analyst states: "{WHY[:-1]}".' in told
        assert document["ranking"] != first["ranking"], "calibrated with texts that were left out alone"
    last = analysed("--source", "new")
    assert last == first
    with Case.open(case, read_only=True) as opened:
        runs = [entry.data for entry in opened.log.entries() if entry.event == "run started"]
        assert [each["source"] for each in runs if "source" in each][-4:] == ["new", "known", "known", "new"]
    assert cli.run(["verify", str(case), "--json", str(out)]) == 0
    again = json.loads(out.read_text("utf-8"))
    assert again["agrees"] and len(again["run_again"]["results"]) >= 4


def test_a_known_text_is_no_disputed_text(trained: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = next(folder.rglob("*.txt"))
    assert cli.run(["analyse", str(trained), str(known)]) == 1
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("what", ["missing", "folder of one author", "not a case", "case exists"])
def test_bad_input_is_one_sentence(
    what: str, trained: Path, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.forensia").write_text("no case")
    commands = {
        "missing": ["train", str(tmp_path / "none"), "-o", str(tmp_path / "a.forensia")],
        "folder of one author": ["train", str(folder / "Adela Marsh"), "-o", str(tmp_path / "b.forensia")],
        "not a case": ["analyse", str(tmp_path / "x.forensia"), str(tmp_path / "x.forensia")],
        "case exists": ["train", str(folder), "-o", str(trained)],
    }
    before = trained.read_bytes()
    code = cli.run(commands[what])
    told = capsys.readouterr().err
    assert trained.read_bytes() == before
    assert code == 1 and "Traceback" not in told
    assert told.splitlines()[-1].startswith("forensia: ")
    if what == "folder of one author":  # its sources are taken for authors, which is stated, and are too few
        assert "layout: authors" in told and "share an author" in told
    assert [path.name for path in tmp_path.iterdir()] == ["x.forensia"], "a command that failed leaves no case behind"


def test_other_sources_ask_for_a_new_validation(trained: Path, tmp_path: Path) -> None:
    with Case.open(shutil.copy(trained, tmp_path)) as case:
        corpus = case.documents.corpus()
        assert corpus is not None and open_judge(case).validation is not None
        case.documents.store(corpus.changed(lambda each: replace(each, sources=("one book",))))
        assert case.models.is_current(MODEL) and open_judge(case).validation is None
        with pytest.raises(CaseRefused, match="not been validated"):
            open_validation(case)
        case.documents.store(corpus)
        assert open_judge(case).validation is not None
