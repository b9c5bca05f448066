"""Validation as a run of a case: stopped and taken up again, never mixed with another model's, quick ones labelled, small ones told."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from forensia import cli, paths
from forensia.case import Case, CaseRefused
from forensia.case.session import (
    FUSED,
    MODEL,
    TRAINED,
    VALIDATION,
    Session,
    is_outdated,
    open_judge,
    open_learnt,
    open_model,
    open_summary,
    open_validation,
)
from forensia.case.verify import stale_warnings
from forensia.cli import contract
from forensia.cli.terminal import document_lines, trust_lines
from forensia.corpus import ReadOptions, Role
from forensia.errors import Cancelled, SettingsError
from forensia.evidence import crossfit
from forensia.evidence.learnt import UsedTexts
from forensia.profile import PAPER, Effort, profile_named
from forensia.report.contents import collect
from forensia.report.details import CaseDetails
from forensia.service.analysing import analyse_files
from forensia.service.importing import import_corpus
from forensia.service.training import FOLDS, train_case, validate_case
from forensia.service.verifying import verify
from forensia.systems.pairmodel import TrainingOptions, fit_pairs
from forensia.wording.reasons import sentences

LoadedOnce = Callable[[], AbstractContextManager[None]]
DOCUMENTS, AUTHORS = 5, 3  # folds of each kind, for six authors: at least two are left out together
HASTY = profile_named("forensic", Effort(folds=5, shortest=200, resamples=80))
OPTIONS = TrainingOptions(HASTY, families=("function words", "words"))  # the others only take time


@dataclass
class Fits:
    """Counts the models that are fitted for folds, and stops before the one that is told."""

    made: int = 0
    stop: int = -1

    def __call__(self, *given: Any, **named: Any) -> Any:
        if self.made == self.stop:
            raise Cancelled
        self.made += 1
        return fit_pairs(*given, **named)


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch, loaded_once: LoadedOnce) -> Iterator[Fits]:
    counting = Fits()
    monkeypatch.setattr(crossfit, "fit_pairs", counting)
    with loaded_once():
        yield counting


@pytest.fixture(scope="module")
def folder(ten_authors: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six authors, four texts of each."""
    place = tmp_path_factory.mktemp("six")
    for author in sorted(ten_authors.iterdir())[:6]:
        shutil.copytree(author, place / author.name)
        sorted((place / author.name / "letters").iterdir())[0].unlink()
    return place


@pytest.fixture(scope="module")
def whole(folder: Path, loaded_once: LoadedOnce, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trained and validated without a stop."""
    place = tmp_path_factory.mktemp("whole") / "whole.forensia"
    with loaded_once(), Case.create(place) as case:
        import_corpus(case, folder, ReadOptions())
        train_case(case, OPTIONS)
    return place


@pytest.fixture(scope="module")
def stopped(folder: Path, loaded_once: LoadedOnce, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stopped in the second fold by author."""
    place = tmp_path_factory.mktemp("stopped") / "stopped.forensia"
    with loaded_once(), pytest.MonkeyPatch.context() as patched, Case.create(place) as case:
        patched.setattr(crossfit, "fit_pairs", Fits(stop=DOCUMENTS + 1))
        import_corpus(case, folder, ReadOptions())
        with pytest.raises(Cancelled):
            train_case(case, OPTIONS)
    return place


@pytest.fixture
def copy(stopped: Path, tmp_path: Path) -> Iterator[Case]:
    place = tmp_path / "copy.forensia"
    shutil.copy(stopped, place)
    with Case.open(place) as case:
        yield case


def same_as(case: Case, whole: Path) -> None:
    """All numbers are those of the case that was never stopped, and nothing else is left."""
    with Case.open(whole, read_only=True) as other:
        assert case.models.hashes() == other.models.hashes()
        assert set(case.models.hashes()) == set(TRAINED)
        for kind in TRAINED:
            one, two = case.models.get(kind), other.models.get(kind)
            assert one is not None and two is not None and one.header == two.header


def folds(case: Case) -> list[str]:
    return sorted(kind.removeprefix(FOLDS) for kind in case.models.hashes() if kind.startswith(FOLDS))


def test_a_stop_leaves_what_is_done(copy: Case) -> None:
    assert folds(copy) == ["authors 0", *(f"documents {number}" for number in range(DOCUMENTS))]
    assert FUSED in copy.models.hashes() and not {MODEL, VALIDATION} & copy.models.hashes().keys()
    assert open_judge(copy).model is None and open_summary(copy).documents == 24, (
        "the fused answer is there all the same"
    )
    events = [entry.event for entry in copy.log.entries() if entry.event.startswith("run ")]
    assert events == ["run started", "run finished", "run started", "run discarded"] and not copy.log.faults()


def test_it_goes_on_where_it_stopped(copy: Case, whole: Path, fits: Fits) -> None:
    fits.stop = 1
    with pytest.raises(Cancelled):
        validate_case(copy)
    assert folds(copy)[:2] == ["authors 0", "authors 1"] and VALIDATION not in copy.models.hashes()
    fits.stop = -1
    told = validate_case(copy)
    assert fits.made == AUTHORS - 1, "stopped twice: no fold that was finished is fitted again"
    same_as(copy, whole)
    with Case.open(whole) as other:
        assert validate_case(other) == told == validate_case(copy)
    assert fits.made == AUTHORS - 1, "and what is stored is only read"
    assert told.quick is True and any(note.startswith("Quick validation") for note in sentences(told.notes))


def test_the_folds_of_another_training_are_not_taken_for_its_own(copy: Case, whole: Path, fits: Fits) -> None:
    """Another training was begun and given up: its folds have the same names, and as many documents."""
    fits.stop = 2
    with pytest.raises(Cancelled):
        train_case(copy, replace(OPTIONS, seed=1))
    assert open_learnt(copy).options.seed == 1
    fits.made, fits.stop = 0, -1
    train_case(copy, OPTIONS)
    assert fits.made == 2 + AUTHORS - 1
    same_as(copy, whole)


def test_the_fused_answer_comes_first(folder: Path, whole: Path, tmp_path: Path, fits: Fits) -> None:
    """All its figures are there at once; what comes later adds to the case, and changes nothing that was found before."""
    text = paths.sample_case() / "disputed" / "anonymous-1.txt"
    with Case.create(tmp_path / "new.forensia") as case:
        import_corpus(case, folder, ReadOptions())
        train_case(case, OPTIONS, fused_only=True)
        assert set(case.models.hashes()) == {FUSED} and not fits.made
        alone = open_summary(case)
        (first,) = analyse_files(case, [text]).results
        assert first.fused_only and first.systems == ("fused",) and not first.pair_scores and first.sensitivity
        assert first.subject.headline is not None and not first.subject.accepted_by
        assert any(
            line.startswith("  Note: This is the fused ranking alone") for line in document_lines(first).splitlines()
        )
        document = json.loads(json.dumps(contract.document(first), allow_nan=False))
        assert document["ranking"] and document["lazy"] == document["stacked"] == document["pairs"] == []
        assert document["k"] is None and document["systems"].keys() == {"fused"}

        told = validate_case(case)
        same_as(case, whole)
        assert (told.figures, told.systems["fused"]) == (alone.figures, alone.systems["fused"])
        (kept,) = case.results.all()
        assert kept.current and kept.result == first, "the result stays as it was, and in force"
        runs = [entry.data["what"] for entry in case.log.entries() if entry.event == "run started"]
        assert runs == ["training", "analysis", "diff-vectors"]
        (second,) = analyse_files(case, [text]).results
        assert not second.fused_only and len(second.pair_scores) == 24
        assert [each.headline for each in second.candidates] == [each.headline for each in first.candidates]
        assert verify(case).differences == (), "both are made again as they were made, one without the diff-vector part"


def test_the_paper_has_no_fused_answer(folder: Path, tmp_path: Path, fits: Fits) -> None:
    with Case.create(tmp_path / "new.forensia") as case:
        import_corpus(case, folder, ReadOptions())
        with pytest.raises(SettingsError, match="no fused ranking"):
            train_case(case, replace(OPTIONS, profile=PAPER), fused_only=True)
        assert not case.models.hashes()


def test_training_goes_on_too(folder: Path, whole: Path, tmp_path: Path, fits: Fits) -> None:
    fits.stop = 3
    with Case.create(tmp_path / "new.forensia") as case:
        import_corpus(case, folder, ReadOptions())
        with pytest.raises(Cancelled):
            train_case(case, OPTIONS)
        assert folds(case) == ["documents 0", "documents 1", "documents 2"] and MODEL not in case.models.hashes()
        fits.stop = -1
        train_case(case, OPTIONS)
        assert fits.made == DOCUMENTS + AUTHORS
        same_as(case, whole)


@pytest.mark.parametrize("what", ["excluded", "reassigned", "other role"])
def test_a_model_of_other_texts_is_trained_anew(what: str, copy: Case, fits: Fits) -> None:
    corpus = copy.documents.corpus()
    assert corpus is not None and not is_outdated(copy)
    first = corpus.documents[0]
    if what == "excluded":
        copy.choices.exclude([first.id], "not of the time")
    elif what == "reassigned":
        copy.choices.reassign([first.id], next(each for each in corpus.authors if each != first.author))
    else:
        copy.choices.set_role([first.author], Role.POPULATION)
    assert is_outdated(copy) and "The model is outdated" in stale_warnings(copy)[-1]
    told = validate_case(copy)
    assert told.documents == (23 if what == "excluded" else 24) and not is_outdated(copy)
    assert fits.made >= DOCUMENTS, "nothing that was interrupted is taken up"


def test_a_new_model_has_no_old_validation(whole: Path, tmp_path: Path, fits: Fits) -> None:
    place = tmp_path / "paper.forensia"
    shutil.copy(whole, place)
    with Case.open(place) as case:
        train_case(case, replace(OPTIONS, profile=PAPER))
        assert set(case.models.hashes()) == {MODEL} and not fits.made
        with pytest.raises(CaseRefused, match="paper's profile has no validation"):
            validate_case(case)


def test_the_folds_of_a_stopped_training_do_not_outlive_a_paper_training(copy: Case, fits: Fits) -> None:
    assert folds(copy)
    train_case(copy, replace(OPTIONS, profile=PAPER))
    assert not folds(copy) and not fits.made


def test_a_validation_that_another_version_stored_is_made_anew(whole: Path, tmp_path: Path, fits: Fits) -> None:
    place = tmp_path / "old.forensia"
    shutil.copy(whole, place)
    with Case.open(place) as case:
        stored = case.models.get(FUSED)
        assert stored is not None
        case.models.store(FUSED, {**stored.header, "format": 1}, stored.load())
        with pytest.raises(CaseRefused, match="not been validated"):
            open_validation(case)
        assert open_judge(case).validation is None
        told = validate_case(case)
        assert fits.made == DOCUMENTS + AUTHORS and told.documents == 24
        same_as(case, whole)


@pytest.mark.parametrize("families", [("punctuation", "word lengths"), ("layout", "masked tokens"), ()])
def test_families_that_cannot_rank_authors_are_refused(
    families: tuple[str, ...], folder: Path, tmp_path: Path, fits: Fits
) -> None:
    """Some are for pairs alone, some for the fused ranking alone; a forensic model needs both."""
    with Case.create(tmp_path / "new.forensia") as case:
        import_corpus(case, folder, ReadOptions())
        with pytest.raises(
            SettingsError, match="Choose one of these too: character n-grams, words, function words, POS n-grams"
        ):
            train_case(case, replace(OPTIONS, families=families))
        assert not fits.made and not case.models.hashes()


def test_nothing_to_validate(tmp_path: Path, folder: Path) -> None:
    with Case.create(tmp_path / "empty.forensia") as case:
        import_corpus(case, folder, ReadOptions())
        with pytest.raises(CaseRefused, match="Train one first"):
            validate_case(case)


def test_the_command(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "trust.json"
    assert cli.run(["validate", str(whole), "--json", str(out), "--jobs", "1"]) == 0
    told = capsys.readouterr().err
    assert "How far can this model be trusted?" in told and "not estimable" in told and "Quick validation" in told
    with Case.open(whole) as case:
        assert json.loads(out.read_text("utf-8")) == contract.validated(validate_case(case))


def test_at_most_so_many_texts_of_each_author(folder: Path, whole: Path, tmp_path: Path, fits: Fits) -> None:
    """Stopped, taken up and run again it comes to the same choice; the log, the JSON and the report say how many were used."""
    few = replace(OPTIONS, at_most=3)
    disputed = paths.sample_case() / "disputed" / "anonymous-1.txt"
    with Case.create(tmp_path / "few.forensia") as case:
        import_corpus(case, folder, ReadOptions())
        fits.stop = DOCUMENTS + 1
        with pytest.raises(Cancelled):
            train_case(case, few)
        fits.made, fits.stop = 0, -1
        told = validate_case(case)
        assert fits.made == AUTHORS - 1, "what was finished before the stop is not done again"
        corpus, model = case.documents.corpus(), open_model(case)
        assert corpus is not None and len(corpus.active) == 24, "the others are known texts as before"
        chosen = [corpus.by_id[name] for name in model.learnt.documents]
        assert Counter(each.author for each in chosen) == dict.fromkeys(corpus.authors, 3)
        assert all(len({each.sources for each in chosen if each.author == author}) == 3 for author in corpus.authors), (
            "three sources gave one text each"
        )
        assert told.documents == len(model.learnt.documents) == 18 and model.learnt.used == UsedTexts(3, 18, 24)
        assert told.median_words == float(median(each.words for each in chosen))
        session = Session.of(case)
        batch = analyse_files(case, [disputed], session=session)
        finished = [entry.data for entry in case.log.entries() if entry.event == "run finished"]
        used = {"at_most": 3, "documents": 18, "known": 24}
        assert used.items() <= finished[0].items()
        assert contract.analysed(session.judge.record, batch)["model"]["used"] == used
        assert contract.validated(told, open_learnt(case).used)["used"] == used
        known = collect(case, CaseDetails(), date=datetime(2026, 11, 18, tzinfo=UTC)).materials
        assert (known.documents, known.excluded) == (18, 6) and {each.documents for each in known.authors} == {3}
        again = verify(case)
        assert (
            not again.differences and not again.notes and len(again.arrays) == len(TRAINED) and len(again.results) == 1
        )
        train_case(case, OPTIONS)
        same_as(case, whole)


def test_one_text_of_each_author_is_too_few(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "new.forensia"
    for wanted in ("1", "-3"):
        assert cli.run(["train", str(folder), "-o", str(place), "--at-most", wanted]) == 1
        assert f"At most {wanted} of each author's texts is too few" in capsys.readouterr().err and not place.exists()


# --- corpora that are too small for most of it ------------------------------------------------------------------------


def some(ten_authors: Path, place: Path, **texts: int) -> Path:
    """So many texts of some authors."""
    by_name = {author.name.split()[0]: author for author in ten_authors.iterdir()}
    for name, count in texts.items():
        (place / name).mkdir(parents=True)
        for number, file in enumerate(sorted(by_name[name].rglob("*.txt"))[:count]):
            shutil.copy(file, place / name / f"{number}.txt")
    return place


@pytest.mark.parametrize(
    ("texts", "notes"),
    [
        ({"Adela": 4, "Bram": 4, "Freya": 4}, ["With 3 authors", "Nobody has said what the known texts come from"]),
        ({"Adela": 4, "Bram": 4}, ["With 2 authors", "Nobody has said what the known texts come from"]),
        ({"Adela": 4, "Bram": 4, "Freya": 4, "Corin": 1}, ["With 4 authors", "single document or source: Corin"]),
        ({"Adela": 5, "Bram": 1, "Corin": 1, "Freya": 1}, ["With 4 authors", "single document or source"]),
    ],
    ids=["three", "two", "one text", "one author with all texts"],
)
def test_what_cannot_be_estimated_is_said(
    texts: dict[str, int], notes: list[str], ten_authors: Path, tmp_path: Path, fits: Fits
) -> None:
    with Case.create(tmp_path / "small.forensia") as case:
        import_corpus(case, some(ten_authors, tmp_path / "known", **texts), ReadOptions())
        train_case(case, OPTIONS)
        told = validate_case(case)
        (result,) = analyse_files(case, [paths.sample_case() / "disputed" / "anonymous-1.txt"]).results
        assert [each.result for each in case.results.all()] == [result]
    shown = json.loads(json.dumps(contract.validated(told), allow_nan=False))
    assert told.whole.unlisted is told.whole.open_set.unlisted is None
    assert shown["lr"]["unlisted"] is None and shown["open_set"]["declined"] is None
    assert told.whole.open_set.listed.opinion == shown["open_set"]["listed"]["opinion"] == 0
    assert all(any(note in each for each in shown["notes"]) for note in notes), shown["notes"]
    assert trust_lines(told).count("not estimable") >= 2, "and the terminal has words for it"
    assert result.opinion.given is False and "No opinion." in document_lines(result)
    document = json.loads(json.dumps(contract.document(result), allow_nan=False))
    assert any("Nobody has said what the known texts come from" in reason for reason in document["opinion"]["reasons"])
    assert "There are none for a text from a new source, which this is taken to be." in document_lines(result)
    assert all(each.unlisted is None for each in result.candidates)
    assert all(row["unlisted"] is None for row in document["verification"])
    lonely = {name for name, count in texts.items() if count == 1}
    assert {each.author for each in result.candidates if each.p is None} == lonely
    assert {row["author"] for row in document["verification"] if row["conformal_p"] is None} == lonely


@pytest.mark.parametrize(
    "sources", [("letters", "letters"), ("letters", "mails"), ("", "")], ids=["one", "two", "unnamed"]
)
def test_whether_a_source_was_left_out_is_said(
    sources: tuple[str, str], ten_authors: Path, tmp_path: Path, fits: Fits
) -> None:
    """With one source nobody can be tried on a new one; the texts are then tried each without itself."""
    known = some(ten_authors, tmp_path / "known", Adela=4, Bram=4, Freya=4)
    for author in list(known.iterdir()):
        for number, file in enumerate(sorted(author.iterdir())):
            place = author / sources[number % 2]
            place.mkdir(exist_ok=True)
            file.rename(place / file.name)
    with Case.create(tmp_path / "small.forensia") as case:
        import_corpus(case, known, ReadOptions())
        train_case(case, OPTIONS)
        told = validate_case(case)
    two, named = sources == ("letters", "mails"), sources != ("", "")
    assert [each.source_left_out for each in told.by_author] == [two] * 3 and told.told is named
    lacking = [reason for reason in told.notes if reason.code in ("sources-not-known", "nobody-has-two-sources")]
    assert [each.code for each in lacking] == (
        [] if two else ["nobody-has-two-sources" if named else "sources-not-known"]
    )
    assert {each.condition.source for each in told.figures} == ({"new", "known"} if two else {"known"})
    shown = contract.validated(told)
    assert shown["sources_told"] is named and len(shown["one_source"]) == (0 if two else 3)
    first, *lines = trust_lines(told).splitlines()
    assert first.startswith("How well authors are recognised in a text from a new source is not known") is not two
    assert any(line.startswith("  Own author first ") and "not known" in line for line in lines) is not two
    assert told.whole.open_set.listed.documents == 12, "and every text is tried"


def test_equal_texts_and_too_few_are_one_sentence(
    ten_authors: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    equal = some(ten_authors, tmp_path / "equal", Adela=1, Bram=1, Corin=1)
    text = (equal / "Adela" / "0.txt").read_text("utf-8")
    for author in ("Adela", "Bram", "Corin"):
        for number in range(4):
            (equal / author / f"{number}.txt").write_text(text + "\n" * number, "utf-8")
    few = some(ten_authors, tmp_path / "few", Adela=3, Bram=1, Corin=1)
    for folder, why in ((equal, "The same text stands under"), (few, "pairs of documents share an author")):
        place = tmp_path / f"{folder.name}.forensia"
        assert cli.run(["train", str(folder), "-o", str(place), "--jobs", "1"]) == 1
        told = capsys.readouterr().err
        assert (
            told.splitlines()[-1].startswith("forensia: ") and why in told.splitlines()[-1] and "Traceback" not in told
        )
        assert not place.exists()
