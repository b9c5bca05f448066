"""Many verification problems at once: each is answered by the rule of the opinion, and a broken one stops nobody."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from forensia import cli, paths
from forensia.case import Case
from forensia.case.errors import CaseRefused
from forensia.case.session import Session
from forensia.corpus import Document, read_disputed
from forensia.errors import InputError
from forensia.evidence.writers import Newcomers
from forensia.language import MemoryCache
from forensia.service import comparing
from forensia.service.comparing import answer_problems
from forensia.service.training import known_texts

KNOWN = paths.sample_case() / "known"
STRANGERS = ("Kit Warren", "Lorna Beck")  # of the sample's authors those who are not in the case


def texts_of(author: str) -> list[Path]:
    return sorted(file for file in (KNOWN / author).rglob("*") if file.is_file())


def pose(folder: Path, name: str, known: list[Path], unknown: Path | None) -> Path:
    place = folder / name
    place.mkdir(parents=True)
    for number, file in enumerate(known, start=1):
        shutil.copy(file, place / f"known{number:02}.txt")
    if unknown is not None:
        shutil.copy(unknown, place / "unknown.txt")
    return place


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    """One problem by one writer and one by two; beside them what PAN has there."""
    one, other = map(texts_of, STRANGERS)
    folder = tmp_path / "problems"
    pose(folder, "EN001", one[:3], one[4])
    pose(folder, "EN002", one[:2], other[4])
    (folder / "truth.txt").write_text("EN001 Y\nEN002 N\n")
    (folder / "contents.json").write_text("{not even JSON")
    return folder


@pytest.fixture(scope="module")
def case(validated_case: Path) -> Iterator[Case]:
    with Case.open(validated_case, read_only=True) as case:
        yield case


@pytest.fixture(scope="module")
def session(case: Case) -> Session:
    return Session.of(case)


@pytest.fixture(scope="module")
def newcomers(case: Case, session: Session) -> Newcomers:
    assert session.judge.validation is not None
    return Newcomers(session.judge.validation, known_texts(case, session))


def test_problems_are_answered_in_their_order(case: Case, session: Session, problems: Path) -> None:
    found = answer_problems(case, session, problems)
    assert [each.problem for each in found.answers] == ["EN001", "EN002"] and found.refused == ()
    same, other = (each.found for each in found.answers)
    assert (same.texts, other.texts) == (3, 2) and same.condition.source == "new"
    assert same.ratio is not None and other.ratio is not None and same.ratio.log10 > other.ratio.log10
    for each in (same, other):
        assert each.ratio is not None and each.probability is not None and each.ratio.interval is not None
        assert np.log10(each.probability / (1 - each.probability)) == pytest.approx(each.ratio.log10)
        assert each.ratio.interval[0] <= each.ratio.log10 <= each.ratio.interval[1]
    lines = dict(line.split() for line in found.lines.splitlines())
    for answer in found.answers:
        shown = 0.5 if answer.found.same is None else answer.found.probability
        assert float(lines[answer.problem]) == pytest.approx(shown, rel=1e-5)


def read(files: list[Path]) -> list[Document]:
    return [read_disputed(file) for file in files]


def test_calibrations_are_made_once(newcomers: Newcomers) -> None:
    assert newcomers.rung(2, 400) is newcomers.rung(2, 400)
    assert newcomers.rung(2, 400) is not newcomers.rung(1, 400)
    assert newcomers.rung(2, 400).condition == newcomers.validation.rung(400, "new").condition
    with pytest.raises(InputError, match="Too few authors"):
        newcomers.rung(50, 400)


def test_of_too_many_known_texts_some_are_used(session: Session, newcomers: Newcomers) -> None:
    """The authors of the case have five texts, of which one must be tried."""
    one = texts_of(STRANGERS[0])
    known = session.count_all(read(one[:7]), MemoryCache())
    unknown = read([one[8]])[0]
    parts = session.parts(unknown, MemoryCache())
    found = newcomers.verify(known, parts, unknown.words)
    assert found.texts == newcomers.most == 4 and found == newcomers.verify(known, parts, unknown.words)


def test_no_answer_on_texts_shorter_than_any_that_were_tried(session: Session, newcomers: Newcomers) -> None:
    one = texts_of(STRANGERS[0])
    known, parts = (session.count_all(read(some), MemoryCache()) for some in (one[:3], one[4:5]))
    found = newcomers.verify(known, parts, int(newcomers.validation.shortest) - 1)
    assert found.same is None and found.ratio is not None


def test_an_author_of_the_case_is_not_held_against_themselves(case: Case, session: Session, tmp_path: Path) -> None:
    """Known texts that are in the case belong to one of its authors, who is then nobody else."""
    learnt = session.judge.learnt
    mine = [session.corpus.by_id[name] for name, code in zip(learnt.documents, learnt.codes, strict=True) if code == 0]
    assert comparing._authors(session, mine[:2]) == [0]
    assert comparing._authors(session, read(texts_of(STRANGERS[0])[:2])) == []


def test_broken_problems_are_named_and_the_others_answered(
    validated_case: Path, problems: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = texts_of(STRANGERS[0])
    pose(problems, "no known", [], one[0])
    pose(problems, "no unknown", one[:2], None)
    (problems / "nothing").mkdir()
    pose(problems, "empty", one[:2], one[4])
    (problems / "empty" / "unknown.txt").write_text(" \n")
    pose(problems, "no text", one[:2], one[4])
    (problems / "no text" / "known02.txt").write_bytes(bytes(range(256)) * 40)
    pose(problems, "the same", one[:2], one[1])
    near = pose(problems, "nearly", one[:2], one[1])
    (near / "unknown.txt").write_text(one[1].read_text("utf-8") + "\nAnd a few words more.\n", "utf-8")
    pose(problems, "in the case", one[:2], texts_of(sorted(each.name for each in KNOWN.iterdir())[0])[0])
    pose(problems, "linked", one[:2], one[4])
    (tmp_path / "secret.txt").write_text("It is no business of theirs.")
    (problems / "linked" / "known03.txt").symlink_to(tmp_path / "secret.txt")
    (problems / "elsewhere").symlink_to(tmp_path)
    out = tmp_path / "out" / "found.json"
    out.parent.mkdir()
    assert cli.run(["compare", str(validated_case), "--problems", str(problems), "--json", str(out)]) == 1
    told = capsys.readouterr().err
    found = json.loads(out.read_text("utf-8"))
    broken = {
        "no known", "no unknown", "nothing", "empty", "no text", "the same", "nearly", "in the case", "linked", "elsewhere",
    }  # fmt: skip
    assert {each["problem"] for each in found["refused"]} == broken
    assert [each["problem"] for each in found["problems"]] == ["EN001", "EN002"]
    assert f"{len(broken)} of {len(broken) + 2} problems could not be answered; the others were." in told
    assert "no business of theirs" not in told
    lines = (out.parent / "answers.txt").read_text("utf-8").splitlines()
    assert found["answers"] == str(out.parent / "answers.txt") and len(lines) == len(broken) + 2
    assert sum(line.endswith(" 0.5") for line in lines) >= len(broken)
    for each in found["problems"]:
        assert each["given"] is (each["same_writer"] is not None)
        assert {"score", "probability_at_even_odds", "log10_lr", "log10_lr_interval", "condition"} <= each.keys()
        assert f"{each['problem']}  log10 LR " in told


def test_limits(problems: Path, case: Case, session: Session, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(comparing, "MOST_KNOWN", 2)
    found = answer_problems(case, session, problems)
    assert [each.file for each in found.refused] == ["EN001"] and "more than 2 known" in found.refused[0].reason
    monkeypatch.setattr(comparing, "MOST_KNOWN", 100)
    sizes = [sum(file.stat().st_size for file in (problems / name).iterdir()) for name in ("EN001", "EN002")]
    assert sizes[1] < sizes[0]
    monkeypatch.setattr(comparing, "MAX_TEXT_BYTES", sizes[1])
    found = answer_problems(case, session, problems)
    assert [each.file for each in found.refused] == ["EN001"] and "EN001/known" in found.refused[0].reason
    monkeypatch.setattr(comparing, "MOST_PROBLEMS", 1)
    with pytest.raises(InputError, match="more than 1 problems"):
        answer_problems(case, session, problems)
    with pytest.raises(InputError, match="is a file"):
        answer_problems(case, session, problems / "truth.txt")
    (tmp_path / "bare").mkdir()
    with pytest.raises(InputError, match="holds no problems"):
        answer_problems(case, session, tmp_path / "bare")


def test_a_case_whose_texts_have_changed_is_refused(validated_case: Path, tmp_path: Path, problems: Path) -> None:
    copy = Path(shutil.copy(validated_case, tmp_path))
    with Case.open(copy) as changed:
        corpus = changed.documents.corpus()
        assert corpus is not None
        changed.choices.exclude([corpus.documents[0].id], "somebody else wrote it")
        with pytest.raises(CaseRefused, match="have changed"):
            answer_problems(changed, Session.of(changed), problems)


def test_nothing_of_the_problems_is_kept(validated_case: Path, problems: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(validated_case, tmp_path))
    with Case.open(copy) as kept:
        before = (len(kept.documents.disputed()), len(kept.log.entries()), len(kept.results.all()))
        answer_problems(kept, Session.of(kept), problems)
        assert (len(kept.documents.disputed()), len(kept.log.entries()), len(kept.results.all())) == before


@pytest.mark.parametrize("wrong", [["one.txt"], [], ["a", "b", "--problems", "c"], ["a", "b", "--figure", "f.svg"]])
def test_usage(wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.run(["compare", "case.forensia", *wrong])
    assert ended.value.code == 2
