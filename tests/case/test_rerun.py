"""Verification by running again: what comes out is compared down to the single number, and every difference has its name.

A small engine stands in for training and analysis, so that each way of tampering can be tried; the real one is verified in
tests/faults/test_whole_run.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np
import pytest

from forensia import cli, codec, paths
from forensia.case import Case, CaseRefused
from forensia.case.verify import Comparison
from forensia.corpus.document import Corpus, Document
from forensia.errors import Cancelled, InputError
from forensia.evidence.result import ComparedText, Question, Stated
from forensia.evidence.writers import Grouping, TextPair
from forensia.jobs import Progress, silent
from forensia.profile import FORENSIC, QUICK, Effort
from forensia.service import replaying
from forensia.service.analysing import Said
from forensia.service.verifying import Verification, verify
from forensia.systems.pairmodel import TrainingOptions

Arrays = dict[str, np.ndarray]


def learn(corpus: Corpus, options: TrainingOptions) -> tuple[Arrays, dict[str, Any]]:
    """Depends on the texts, on who wrote them, on what is left out, on the options: as training does."""
    active = corpus.active
    chance = np.random.default_rng(options.seed)
    letters = [[each.text.count(letter) for letter in "etaoin"] for each in active.documents]
    weights = np.array(letters, dtype=np.float64) @ chance.standard_normal(6)
    codes = np.array([active.authors.index(each.author) for each in active.documents], dtype=np.int32)
    return {"weights": weights, "codes": codes}, {"seed": options.seed, "loss": float(weights.std())}


def train(
    case: Case,
    options: TrainingOptions,
    *,
    fused_only: bool = False,
    jobs: int = 1,
    progress: Progress = silent,
    change: float = 0.0,
) -> None:
    corpus = case.documents.corpus()
    assert corpus is not None
    effort = options.profile.effort.to_header()
    with case.log.run("training", {"options": options.to_dict(), **effort}) as run:
        progress(0.5, "training")
        arrays, header = learn(corpus, options)
        arrays["weights"][1] += change
        with run.finish():
            case.models.store("model", {**header, **effort}, arrays)
    if not fused_only:
        validate(case)


def validate(case: Case, *, jobs: int = 1, progress: Progress = silent) -> None:
    group = case.models.get("model")
    if group is None:
        raise CaseRefused("There is no model.")
    with case.log.run("diff-vectors") as run, run.finish():
        case.models.store("validation", {}, {"scores": group["weights"] / 2})


def analyse(
    case: Case,
    documents: Sequence[Document],
    progress: Progress = silent,
    told: Mapping[str, Said] = MappingProxyType({}),
    *,
    change: float = 0.0,
) -> dict[str, Any]:
    group, corpus = case.models.get("model"), case.documents.corpus()
    assert group is not None and corpus is not None
    for document in documents:
        if document.text in {each.text for each in corpus.active.documents}:
            raise InputError("The disputed text is a known one. Exclude it.")
        with case.log.run("analysis", {"sha256": document.sha256_bytes}) as run, run.finish():
            score = float(group["weights"].sum()) + document.text.count("e")
            rows = [
                {"author": author, "score": score / (1 + place)} for place, author in enumerate(corpus.active.authors)
            ]
            rows[0]["score"] += change
            stated, question = told.get(document.id, Said()).after(None)
            validated = case.models.get("validation") is not None
            result = {"lazy": rows, "words": document.words, "validated": validated}
            result |= {"stated": codec.plain(stated), "question": codec.plain(question)}
            case.results.store(case.documents.add_disputed(document), result, case.models.hashes())
    return {}


def compare(case: Case, session: object, documents: Sequence[Document], progress: Progress = silent) -> Grouping:
    """Depends on the model and on the texts."""
    group = case.models.get("model")
    assert group is not None
    texts = tuple(ComparedText(each.path, each.sha256_bytes, each.words, None, None) for each in documents)
    fused = float(group["weights"].sum()) + sum(each.text.count("e") for each in documents)
    return Grouping.of(texts, [TextPair(0, 1, fused, None)])


def keep(case: Case, documents: Sequence[Document], change: float = 0.0) -> None:
    found = compare(case, None, documents)
    found = replace(found, pairs=(replace(found.pairs[0], fused=found.pairs[0].fused + change),))
    with case.log.run("comparison") as run, run.finish():
        case.results.store_comparison(
            [case.documents.add_disputed(each) for each in documents], found, case.models.hashes()
        )


@pytest.fixture(autouse=True)
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "train_case", train)
    monkeypatch.setattr(replaying, "validate_case", validate)
    monkeypatch.setattr(replaying, "analyse_documents", analyse)
    monkeypatch.setattr(replaying, "compare_many", compare)
    monkeypatch.setattr(replaying.Session, "of", lambda case: None)


@pytest.fixture
def made(case: Case, samples: ModuleType) -> Case:
    """A case with choices, a model, and two disputed documents."""
    case.documents.store(samples.corpus(12))
    names = [each.id for each in case.documents.known()]
    case.choices.set_settings({"note": "x" * 2000, "report": {"analyst": "N. N."}})
    case.choices.exclude(names[:2], "not of the time")
    case.choices.reassign(names[3:4], "Dee")
    train(case, TrainingOptions(seed=3))
    analyse(case, [samples.document("", 50), samples.document("", 51, root="/no/such/folder")])
    return case


def parts(found: Verification) -> list[str]:
    return [each.part for each in found.differences]


def notes(found: Verification) -> list[str]:
    """The notes but the one that the files of the samples, which never were, cannot be found."""
    assert any(each.startswith("No longer to be found: 'Ann/0.txt'") for each in found.notes)
    return [each for each in found.notes if not each.startswith("No longer")]


def leftovers() -> list[Path]:
    folder = paths.cache_dir() / "scratch"
    return list(folder.iterdir()) if folder.exists() else []


def test_what_is_stored_comes_out_again(made: Case) -> None:
    fractions: list[float] = []
    before = made.path.read_bytes()
    found = verify(made, progress=lambda fraction, message="": fractions.append(fraction))
    assert found.differences == () and notes(found) == []
    assert set(found.arrays) == {"model", "validation"} and len(found.results) == 2
    assert fractions == sorted(fractions) and made.path.read_bytes() == before and leftovers() == []


def test_a_comparison_comes_out_again(made: Case, samples: ModuleType) -> None:
    """One that was changed is named with both values; one of a model that is gone is counted; one of a text that is gone is gone too."""
    texts = [samples.document("", 50), samples.document("", 52)]
    keep(made, texts)
    (kept,) = made.results.comparisons()
    assert kept.current and verify(made).comparisons == (kept.name,) and verify(made).differences == ()
    keep(made, texts, change=1.0)
    found = verify(made)
    assert parts(found) == ["the comparison 2 of 2 texts: pairs[0].fused"] and len(found.comparisons) == 2
    train(made, TrainingOptions(seed=4))
    assert not any(each.current for each in made.results.comparisons())
    assert verify(made).comparisons == () and verify(made).notes[0].startswith("4 earlier results or comparisons")
    made.results.remove_disputed(texts[1].id)
    assert made.results.comparisons() == () and verify(made, quick=True).differences == ()
    assert [each.data["number"] for each in made.log.entries() if each.event == "comparison removed"] == [1, 2]


@pytest.mark.parametrize("what", ["excluded", "included", "reassigned", "settings", "undone", "read again"])
def test_choices_made_since_do_not_matter(made: Case, what: str, samples: ModuleType) -> None:
    """The model is out of date then, but it is still the one that came out of the choices that held."""
    names = [each.id for each in made.documents.known()]
    steps: Mapping[str, Callable[[], object]] = {
        "excluded": lambda: made.choices.exclude(names[5:7], "a copy"),
        "included": lambda: made.choices.include(names[:2]),
        "reassigned": lambda: made.choices.reassign(names[4:6], "Eve"),
        "settings": lambda: made.choices.set_settings({**made.choices.settings(), "more": 1}),
        "undone": lambda: (made.choices.undo(), made.choices.undo()),
        "read again": lambda: made.documents.store(samples.corpus(12)),
    }
    steps[what]()
    assert not made.models.is_current("model")
    found = verify(made)
    assert found.differences == () and set(found.arrays) == {"model", "validation"} and len(found.results) == 2


def test_sources_chosen_since_do_not_matter(made: Case, samples: ModuleType) -> None:
    """What rests on sources is made again with those that held then."""
    names = [each.id for each in made.documents.known()]
    made.choices.set_sources({names[6]: ["a book"], names[7]: ["a book"]}, "as the archive has them")
    train(made, TrainingOptions(seed=3))
    assert made.models.is_current("validation")
    made.choices.set_sources({names[6]: [], names[8]: ["letters"]})
    assert not made.models.is_current("validation")
    found = verify(made)
    assert found.differences == () and set(found.arrays) == {"model", "validation"}


@pytest.mark.parametrize("what", ["a text", "a setting"])
def test_what_is_no_longer_there_cannot_come_out_again(made: Case, what: str, samples: ModuleType) -> None:
    if what == "a text":
        corpus = samples.corpus(12)
        made.documents.store(Corpus.of(corpus.documents[:-1], layout="authors"))
    else:
        made.choices.set_settings({"note": "y" * 2000})
    found = verify(made)
    assert "the arrays model" in parts(found) and all(
        "could not be run again" in each.message for each in found.differences
    )
    assert "no longer in the case" in found.differences[0].message and found.arrays == found.results == ()


def test_a_changed_array_is_named_with_both_values(made: Case, samples: ModuleType) -> None:
    """Changed by somebody who leaves a sound log and sound hashes behind."""
    right = float(made.models.get("model")["weights"][1])  # type: ignore[index]
    train(made, TrainingOptions(seed=3), change=1e-9)
    found = verify(made)
    assert verify(made, quick=True).differences == ()
    assert parts(found) == ["weights of the arrays model", "scores of the arrays validation"]
    first = found.differences[0]
    assert first.stored == repr(right + 1e-9) and first.found == repr(right) and "1 of 9 numbers" in first.message
    assert found.notes[0].startswith("2 earlier results")


def test_a_changed_result_is_named_with_its_document_and_key(made: Case, samples: ModuleType) -> None:
    document = samples.document("", 50)
    analyse(made, [document], change=0.25)
    found = verify(made)
    assert parts(found) == [f"the result 2 of '{document.path}': lazy[0].score"] and len(found.results) == 3
    old, new = (float(value) for value in (found.differences[0].stored, found.differences[0].found))
    assert old == new + 0.25


def test_what_was_stated_of_a_text_is_stated_again(made: Case, samples: ModuleType) -> None:
    """For each of its results what held then; what is no statement cannot be run again."""
    document = samples.document("", 50)
    analyse(made, [document], told={document.id: Said(Stated("known", "from the same box"))})
    analyse(made, [document], told={document.id: Said(question=Question("did", "a"))})
    found = verify(made)
    assert found.differences == () and len(found.results) == 4
    kept = [
        (each.result["stated"]["source"], each.result["question"]["kind"]) for each in made.results.raw(document.id)
    ]
    assert kept == [("new", "who"), ("known", "who"), ("new", "did")]

    with made.log.run("analysis") as run, run.finish():
        made.results.store(document.id, {"lazy": [], "stated": {"source": "mine"}}, made.models.hashes())
    assert any("could not be run again" in each.message for each in verify(made).differences)


def test_arrays_and_results_that_no_run_made_are_told(made: Case, samples: ModuleType) -> None:
    made.models.store("more", {}, {"x": np.arange(3)})
    name = made.documents.add_disputed(samples.document("", 52))
    made.results.store(name, {"lazy": []}, ["model"])
    found = verify(made)
    assert parts(found) == ["the arrays more", "the result 1 of '/52.txt'"]
    assert all("audit log has no" in each.message for each in found.differences)


def test_a_result_from_before_the_validation(made: Case, samples: ModuleType) -> None:
    """It was made without a validation, so it is made again without one."""
    made.models.remove("validation")
    analyse(made, [samples.document("", 50)])
    found = verify(made)
    assert found.differences == () and found.arrays == ("model",) and len(found.results) == 1
    assert found.notes[0].startswith("2 earlier results")
    validate(made)
    found = verify(made)
    assert found.differences == () and notes(found) == [] and len(found.results) == 3


def test_what_an_interrupted_run_left_is_not_missed(made: Case) -> None:
    made.models.store(f"{replaying.FOLDS}documents 0", {}, {"x": np.arange(3)})
    found = verify(made)
    assert found.differences == () and "interrupted run has left 1 " in found.notes[0]


@pytest.mark.parametrize("effort", [QUICK, Effort(folds=5, shortest=200, resamples=40)])
def test_a_quick_training_is_run_again_as_one(made: Case, effort: Effort) -> None:
    train(made, TrainingOptions(replace(FORENSIC, effort=effort), seed=3))
    assert verify(made).differences == ()


def test_made_elsewhere_numbers_may_differ_in_their_last_digits(
    made: Case, monkeypatch: pytest.MonkeyPatch, samples: ModuleType
) -> None:
    now = dict(replaying.machine())
    monkeypatch.setattr(replaying, "machine", lambda: {**now, "numpy": "99.1"})
    found = verify(made)
    assert (
        found.differences == () and len(notes(found)) == 1 and f"numpy {now['numpy']} then, 99.1 now" in found.notes[0]
    )
    assert "agree only so far" not in found.notes[0]

    train(made, TrainingOptions(seed=3), change=1e-9)
    analyse(made, [samples.document("", 50)])
    found = verify(made)
    assert found.differences == () and "agree only so far" in notes(found)[-1]

    train(made, TrainingOptions(seed=3), change=1e-3)
    assert parts(verify(made))[0] == "weights of the arrays model"


def test_a_case_with_a_corpus_only(case: Case, samples: ModuleType) -> None:
    assert "nothing to run again" in verify(case).notes[0]
    case.documents.store(samples.corpus())
    found = verify(case)
    assert found.differences == () and "nothing to run again" in found.notes[0]


def test_a_copy_without_texts_is_rehashed(made: Case, tmp_path: Path) -> None:
    made.export_without_texts(tmp_path / "without.forensia")
    with Case.open(tmp_path / "without.forensia") as copy:
        found = verify(copy)
    assert found.differences == () and "without texts" in found.notes[0]


def test_a_run_that_fails_is_a_difference(made: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise InputError("The language model is another one.")

    monkeypatch.setattr(replaying, "train_case", fail)
    found = verify(made)
    assert parts(found)[:2] == ["the arrays model", "the arrays validation"] and len(found.differences) == 4
    assert "could not be run again: The language model is another one." in found.differences[0].message


def test_options_of_a_later_version_are_not_guessed(made: Case) -> None:
    with made.log.run("training", {"options": {"seed": 1, "colour": "green"}}) as run, run.finish():
        made.models.store("model", {}, {"x": np.arange(2)})
    assert "does not know" in next(each for each in verify(made).differences if each.part == "the arrays model").message


def test_cancelled_it_leaves_nothing_behind(made: Case) -> None:
    def stop(fraction: float, message: str = "") -> None:
        if message == "training":
            assert leftovers()
            raise Cancelled

    with pytest.raises(Cancelled):
        verify(made, progress=stop)
    assert leftovers() == []


def test_the_command(made: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "found.json"
    made.close()
    before = made.path.read_bytes()
    assert cli.run(["verify", str(made.path), "--json", str(out)]) == 0
    told = json.loads(out.read_text("utf-8"))
    assert told["agrees"] and len(told["run_again"]["results"]) == 2 and not told["differences"]
    assert "2 groups of arrays and 2 results came out again" in capsys.readouterr().err
    assert made.path.read_bytes() == before, "verifying changes nothing"

    with Case.open(made.path) as case:
        train(case, TrainingOptions(seed=3), change=1.0)
    assert cli.run(["verify", str(made.path), "--json", str(out)]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith("forensia: ") and "2 differences, each named above" in lines[-1]
    assert "weights of the arrays model" in lines[0]
    told = json.loads(out.read_text("utf-8"))
    assert not told["agrees"] and told["differences"][0]["part"] == "weights of the arrays model"
    assert cli.run(["verify", str(made.path), "--quick"]) == 0


def test_the_command_on_other_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.forensia").write_text("no case")
    for file, says in (("a.pdf", "cannot be read"), ("a.forensia", "not a Forensia case"), ("b.forensia", "not there")):
        assert cli.run(["verify", str(tmp_path / file)]) == 1
        told = capsys.readouterr().err.splitlines()
        assert len(told) == 1 and says in told[0]


def test_numbers_are_compared_as_they_are_meant() -> None:
    def differ(old: object, new: object, tolerance: float = 0.0) -> list[str]:
        found = Comparison(tolerance)
        found.values("it", old, new)
        return [each.part for each in found.differences]

    assert differ({"a": [1, 2.0]}, {"a": [1.0, 2]}) == []
    assert differ({"a": 1}, {"a": True}) == ["it: a"] and differ({"a": "1"}, {"a": 1}) == ["it: a"]
    assert differ({"a": 1}, {"b": 1}) == ["it: a", "it: b"] and differ([1], [1, 2]) == ["it: length of the list"]
    assert differ(2.0, 2.000001, 1e-6) == [] and differ(2.0, 2.00001, 1e-6) == ["it"]
    assert differ(10_000_000, 10_000_001, 1e-6) == ["it"], "what was counted is equal or not"
    assert differ({"\x1b[2J": 1}, {}) == ["it: \\u001b[2J"], "a foreign case cannot write to the terminal"

    found = Comparison(1e-6)
    nan = np.array([np.nan, 1.0, np.inf])
    found.array("nan", nan, nan.copy())
    found.array("near", nan, np.array([np.nan, 1.0 + 1e-9, np.inf]))
    assert found.differences == [] and found.close == 1
    found.array("shape", np.zeros(3), np.zeros((3, 1)))
    found.array("type", np.zeros(3), np.zeros(3, np.float32))
    found.array("whole", np.array([1, 2]), np.array([1, 3]))
    found.array("lost", nan, np.array([0.0, 1.0, np.inf]))
    assert [each.part for each in found.differences] == ["shape", "type", "whole", "lost"]
    assert found.differences[2].message.endswith("at [1], is stored as 2 and came out as 3.")
