"""The README's lines for a notebook do what they say."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import forensia
from forensia import paths
from forensia.evidence.result import Candidate, PairResult, Result

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What the lines speak of: a folder of letters, and two texts in dispute. Short ones, for the test is about the lines."""
    known = paths.sample_case() / "known"
    for author in sorted(each for each in known.iterdir() if each.is_dir())[:10]:
        for file in sorted(author.rglob("*.txt"))[:4]:
            place = tmp_path / "letters" / author.name / file.parent.name / file.name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(" ".join(file.read_text("utf-8").split(" ")[:130]), "utf-8")
    for name, source in (("anonymous.txt", "anonymous-1.txt"), ("another.txt", "anonymous-2.txt")):
        shutil.copy(paths.sample_case() / "disputed" / source, tmp_path / name)
    return tmp_path


def test_the_lines_of_the_readme(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (lines,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    monkeypatch.chdir(folder)
    names: dict[str, object] = {}
    exec(lines, names)
    result, candidate, pair = names["result"], names["candidate"], names["pair"]
    assert isinstance(result, Result) and isinstance(candidate, Candidate) and isinstance(pair, PairResult)
    assert len(result.candidates) == 10 and candidate == result.by_author["Freya Lund"]
    assert candidate.headline is not None, "the model was validated"
    assert result.condition is not None and 0 < pair.score < 1
    assert capsys.readouterr().out.strip() == forensia.words(result)


def test_files_are_named_by_strings_or_paths(folder: Path) -> None:
    one, other = forensia.read(str(folder / "letters")), forensia.read(folder / "letters")
    assert one == other and one.fingerprint == other.fingerprint and len(one.authors) == 10


def test_sources_are_given_as_on_the_command_line(folder: Path, tmp_path: Path) -> None:
    by_pattern = forensia.read(folder / "letters", sources=r"/(\w)[^/]*\.txt$")
    assert all(each.sources == (each.path.rpartition("/")[2][0],) for each in by_pattern.documents)
    own = forensia.read(folder / "letters", sources="each")
    assert all(each.sources == (each.path,) for each in own.documents)
    table = tmp_path / "sources.csv"
    table.write_text("file,source\nnobody.txt,1\n", "utf-8")
    with pytest.raises(forensia.ForensiaError, match=r"Line 2 of '.*' names 'nobody\.txt', and no text is called so\."):
        forensia.read(folder / "letters", sources=table)


def test_what_the_case_holds_ranks_alike(validated_case: Path) -> None:
    text = paths.sample_case() / "disputed" / "anonymous-1.txt"
    with forensia.open_case(validated_case) as case:
        model = forensia.Model.of(case)
        result = model.rank(str(text))
        assert model.trust is not None and model.trust.authors == len(model.authors) == 10
        stated = model.rank(text, because="It is from the same thread")
        assert stated.stated.source == stated.condition.source == "known" and result.condition.source == "new"
        assert forensia.words(stated).endswith('as the analyst states: "It is from the same thread".')
        assert forensia.words(result).endswith(", from a new source.")
        with pytest.raises(forensia.ForensiaError, match="at most 500 characters"):
            model.rank(text, because="x" * 501)
        assert case.results.all() == (), "nothing of what a notebook asks is kept"
    assert result.candidates[0].author in model.authors and result.rankings == ("fused", "lazy", "stacked")
    assert [each.placed.rank for each in result.candidates] == list(range(1, 11)), "in the order of the headline"


def test_an_author_who_is_not_there(validated_case: Path) -> None:
    with (
        forensia.open_case(validated_case) as case,
        pytest.raises(forensia.ForensiaError, match="not among the authors"),
    ):
        forensia.Model.of(case).verify(paths.sample_case() / "disputed" / "anonymous-1.txt", "Nobody")


def test_only_what_is_promised_is_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'secret'"):
        forensia.secret  # noqa: B018
    assert all(hasattr(forensia, name) for name in forensia.__all__)


def test_at_most_so_many_texts_of_each_author(folder: Path) -> None:
    corpus = forensia.read(folder / "letters")
    model = forensia.train(corpus, profile="paper", at_most=3, jobs=1)
    authors = [corpus.by_id[name].author for name in model.session.judge.model.learnt.documents]
    assert sorted(authors) == sorted(3 * corpus.authors)
    with pytest.raises(forensia.ForensiaError, match="At most 1 of each author"):
        forensia.train(corpus, at_most=1)
