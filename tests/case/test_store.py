"""What goes into a case comes out equal, each step wholly or not at all, and a list is shown without reading what is behind it."""

from __future__ import annotations

import os
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from forensia.case import CASE_NOTE, Case, CaseRefused
from forensia.corpus.document import Corpus, Document, Role, text_hash
from forensia.corpus.segmenting import segment
from forensia.errors import StorageError
from forensia.wording.problems import left_out_because, message, next_step


def test_a_corpus_comes_back_equal(case: Case, samples: ModuleType) -> None:
    corpus = samples.corpus()
    assert case.documents.corpus() is None
    case.documents.store(corpus)
    back = case.documents.corpus()
    assert back == corpus
    assert back is not None and back.problems == corpus.problems and back.fingerprint == corpus.fingerprint
    assert [each.problems for each in back.documents] == [each.problems for each in corpus.documents]
    assert [each.original for each in back.documents] == [each.original for each in corpus.documents]
    assert case.documents.problems() == corpus.problems


def test_the_list_has_all_but_the_text(case: Case, samples: ModuleType) -> None:
    corpus = samples.corpus()
    case.documents.store(corpus)
    listed = case.documents.known()
    assert [each.id for each in listed] == [each.id for each in corpus.documents]
    for each, document in zip(listed, corpus.documents, strict=True):
        assert each == case.documents.get(each.id) == document
        assert each.excluded == corpus.excluded.get(document.id)
        assert each.original == case.documents.get(each.id).original == document.original
        assert each.text == document.text and each.analysed_sha256 == text_hash(document.text)


def test_a_listed_text_is_read_on_demand_and_never_kept(tmp_path: Path, samples: ModuleType) -> None:
    with Case.create(tmp_path / "a.forensia") as case:
        case.documents.store(samples.corpus())
        each = next(each for each in case.documents.known() if each.cuts)
        assert each.text == each.loaded().text and each.original not in vars(each).values()
        before = each.analysed_sha256
        for changed in (
            replace(each, cuts=()),
            replace(each, body=each.original[40:]),
            replace(each, body="x", cuts=()),
        ):
            assert changed.analysed_sha256 == text_hash(changed.text) != before
        kept = case.documents.get(each.id)
    assert kept.text and each.analysed_sha256 == before and each == kept and hash(each) == hash(kept)
    with pytest.raises(CaseRefused, match="was closed"):
        assert each.text


def test_a_case_is_whole_after_each_step(tmp_path: Path, samples: ModuleType) -> None:
    """What was done is there for whoever opens the file next, without any saving."""
    path = tmp_path / "a.forensia"
    with Case.create(path) as case:
        samples.fill(case)
        before = samples.read_all(case)
        with Case.open(path, read_only=True) as other:
            assert samples.read_all(other) == before
    with Case.open(path) as case:
        assert samples.read_all(case) == before
        assert not case.damage and not case.read_only
    assert [each.name for each in tmp_path.iterdir()] == ["a.forensia"]


def test_importing_again_replaces_and_forgets(full: Case, samples: ModuleType) -> None:
    corpus = samples.corpus()
    gone = corpus.documents[4]
    smaller = Corpus.of([each for each in corpus.documents if each is not gone], layout="other")
    packed = full.database.connection.execute("SELECT data FROM content WHERE name = ?", (gone.id,)).fetchone()[0]
    assert packed in full.path.read_bytes() or len(packed) > 500
    full.documents.store(smaller)
    assert full.documents.corpus() == smaller
    assert full.choices.labels() == ("Change settings", None), (
        "choices about documents cannot be undone after an import"
    )
    with pytest.raises(CaseRefused, match="no document"):
        full.documents.get(gone.id)
    kept = {each.sha256_text for each in smaller.documents if not each.cuts}
    rows = full.database.connection.execute("SELECT text FROM analyses").fetchall()
    assert {text for (text,) in rows} <= kept
    full.close()
    assert packed[:200] not in full.path.read_bytes(), "what is deleted is overwritten"


def test_a_cut_taken_back_keeps_the_rest(case: Case, samples: ModuleType) -> None:
    corpus = samples.corpus()
    case.documents.store(corpus)
    before = case.documents.basis()
    changed = corpus.changed(lambda each: replace(each, cuts=()))
    case.documents.store(changed)
    assert case.documents.corpus() == changed
    assert case.documents.basis() != before


def test_documents_that_do_not_fit_their_hash_are_refused(case: Case, samples: ModuleType) -> None:
    wrong = replace(samples.document("Ann", 1), sha256_text=text_hash("another text"))
    with pytest.raises(CaseRefused, match="hash"):
        case.documents.store(Corpus.of([wrong]))
    twice = samples.document("Ann", 1)
    with pytest.raises(CaseRefused, match="same path"):
        case.documents.store(Corpus.of([twice, replace(twice, author="Bob")]))
    assert case.documents.corpus() is None


def test_any_text_and_any_name(case: Case) -> None:
    """Half a surrogate, a NUL, an empty text, a name that is no UTF-8."""
    texts = ["", "\0", "a\udc80b", "\u202eabc", "e\u0301" * 1000, "𝒳"]
    documents = [
        Document("\udcffAnn\n<b>", "'; DROP TABLE log; --", text, path=f"x\udce9/{number}", sha256_text=text_hash(text))
        for number, text in enumerate(texts)
    ]
    corpus = Corpus.of(documents, root="/\udcff")
    case.documents.store(corpus)
    back = case.documents.corpus()
    assert back == corpus
    assert back is not None and [each.original for each in back.documents] == [
        each.original for each in corpus.documents
    ]


def test_several_changes_in_one_step(case: Case, samples: ModuleType) -> None:
    samples.fill(case)
    before = samples.read_all(case)
    with pytest.raises(RuntimeError, match="on purpose"), case.step("training"):
        case.choices.set_settings({"seed": 1})
        case.models.store("space", {}, {"a": np.arange(9)})
        raise RuntimeError("on purpose")
    assert samples.read_all(case) == before
    with case.step("training", {"seed": 1}):
        case.choices.set_settings({"seed": 1})
        with pytest.raises(CaseRefused):
            case.models.store("space", {}, {"a": np.array([np.inf])})
        case.models.store("pair model", {}, {"a": np.arange(9)})
    assert case.choices.settings() == {"seed": 1} and case.models.get("pair model")["a"].tolist() == list(range(9))  # type: ignore[index]
    assert samples.read_all(case)["space"] == before["space"]
    assert [each.event for each in case.log.entries()][-3:] == ["settings changed", "arrays stored", "training"]
    assert not case.log.faults()


def test_a_caught_failure_inside_a_step_leaves_no_half(case: Case, samples: ModuleType) -> None:
    """The inner step is taken back alone, with its entries in the log."""
    entries = len(case.log.entries())
    with case.step("outer"):
        with pytest.raises(CaseRefused), case.step():
            case.results.set_note(CASE_NOTE, "will not stay")
            case.results.store("0" * 16, {})
        case.choices.set_settings({"kept": True})
    assert case.results.notes() == {} and case.choices.settings() == {"kept": True}
    assert [each.event for each in case.log.entries()][entries:] == ["settings changed", "outer"]


def test_results_stay_and_know_what_they_rest_on(case: Case, samples: ModuleType) -> None:
    case.documents.store(samples.corpus())
    case.models.store("pair model", {}, {"w": np.arange(4.0)})
    first, second = (case.documents.add_disputed(samples.document("", seed)) for seed in (70, 71))
    case.results.store(first, {"score": 0.25})
    case.results.store(first, {"score": 0.5})
    case.results.store(second, {"score": 0.75})
    assert [(each.document, each.number, each.result["score"]) for each in case.results.raw(first)] == [
        (first, 1, 0.25),
        (first, 2, 0.5),
    ]
    assert all(each.current for each in case.results.raw())
    assert [each.id for each in case.documents.disputed()] == [first, second]

    case.choices.set_settings({"report": {"analyst": "N. N."}})
    assert all(each.current for each in case.results.raw()), "what the report says beside the numbers changes no result"
    case.models.store("validation", {}, {"x": np.arange(3)})
    assert all(each.current for each in case.results.raw()), "a group made later is nothing they rest on"
    case.choices.exclude([case.documents.known()[0].id], "a copy")
    assert not any(each.current for each in case.results.raw()) and not case.models.is_current("pair model")
    case.choices.undo()
    assert all(each.current for each in case.results.raw()) and case.models.is_current("pair model")
    case.models.store("pair model", {}, {"w": np.arange(5.0)})
    assert not any(each.current for each in case.results.raw())


def test_adding_the_same_disputed_text_again_keeps_its_results(case: Case, samples: ModuleType) -> None:
    name = case.documents.add_disputed(samples.document("", 70, root="/one"))
    case.results.store(name, {})
    added = case.documents.disputed()[0].added
    assert case.documents.add_disputed(samples.document("", 70, root="/two")) == name
    assert (
        len(case.results.raw()) == 1
        and case.documents.disputed()[0].added == added
        and case.documents.disputed()[0].root == "/two"
    )


def test_a_disputed_text_can_be_taken_out(full: Case, samples: ModuleType) -> None:
    name = samples.document("", 50).id
    full.results.remove_disputed(name)
    assert name not in {each.id for each in full.documents.disputed()} | set(full.results.notes()) | {
        each.document for each in full.results.raw()
    }
    assert full.database.connection.execute("SELECT count(*) FROM content WHERE name = ?", (name,)).fetchone() == (0,)
    known = full.documents.known()[0].id
    with pytest.raises(CaseRefused, match="excluded, not removed"):
        full.results.remove_disputed(known)
    with pytest.raises(CaseRefused, match="known one"):
        full.results.store(known, {})


def test_notes_and_reports(full: Case) -> None:
    assert full.results.notes()[CASE_NOTE] == "Ask for the other letters."
    full.results.set_note(CASE_NOTE, "")
    assert CASE_NOTE not in full.results.notes()
    with pytest.raises(CaseRefused, match="no document"):
        full.results.set_note("0" * 16, "about nothing")
    made = full.results.report_made("b.pdf", "a" * 64)
    assert [each.number for each in full.results.reports()] == [1, 2] and full.results.reports()[-1] == made


def test_settings_are_json_and_nothing_else(case: Case) -> None:
    for value in ({1: 2}, {"a": float("nan")}, {"a": np.int64(3)}, {"a": {1, 2}}, {"a": b"x"}):
        with pytest.raises(CaseRefused):
            case.choices.set_settings(value)  # type: ignore[arg-type]
    nested: object = 1
    for _ in range(100):
        nested = [nested]
    with pytest.raises(CaseRefused, match="nested"):
        case.choices.set_settings({"a": nested})
    case.choices.set_settings({"a": (1, 2.5, None, True, "ü\udcff"), "b": {}})
    assert case.choices.settings() == {"a": [1, 2.5, None, True, "ü\udcff"], "b": {}}


def test_nothing_is_there_twice(tmp_path: Path, case: Case) -> None:
    with pytest.raises(StorageError, match="there already"):
        Case.create(case.path)
    with pytest.raises(StorageError, match="not there"):
        Case.open(tmp_path / "none.forensia")
    with pytest.raises(StorageError, match="could not be written"):
        Case.create(tmp_path / "no" / "folder" / "a.forensia")


def test_a_closed_case_says_so(case: Case) -> None:
    case.close()
    for use in (case.choices.settings, lambda: case.log.note("x")):
        with pytest.raises(CaseRefused, match="closed"):
            use()
    case.close()


def test_threads_take_turns(case: Case) -> None:
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(10):
                with case.step():
                    case.results.set_note(CASE_NOTE, f"{number} {turn}")
                    case.results.report_made(f"{number}-{turn}", "0" * 64)
                case.choices.settings()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert len(case.results.reports()) == 40 and not case.log.faults()


def _bytes_read() -> int:
    return int(Path("/proc/self/io").read_text("ascii").split()[1])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts the bytes read as Linux tells them")
def test_opening_a_large_case_is_fast_and_reads_only_what_is_shown(tmp_path: Path, samples: ModuleType) -> None:
    """1,250 documents and a model of 50,000 columns: less than a second, and at most twice the size of texts and arrays."""
    documents = [samples.document(f"Author {seed % 50}", seed, 500) for seed in range(1250)]
    chance = np.random.default_rng(0)
    groups = {
        "space": {"keys": chance.integers(0, 1000, (400_000, 5)).astype(np.uint32)},
        "pair model": {"weights": chance.standard_normal(50_000).astype(np.float32)},
        "validation": {"scores": chance.random((1250, 1250))},
    }
    path = tmp_path / "large.forensia"
    with Case.create(path) as case:
        case.documents.store(Corpus.of(documents))
        with case.step():
            for kind, arrays in groups.items():
                case.models.store(kind, {}, arrays)
        with case.models.analyses() as cache:
            for document in documents:  # as large as analyses are: seven bytes a word
                cache.put(document.sha256_text, samples.MODEL, chance.bytes(700) * 5)
    size = path.stat().st_size
    texts = sum(len(each.original.encode()) for each in documents)
    assert size <= 2 * (texts + sum(each.nbytes for group in groups.values() for each in group.values()))

    read, used = _bytes_read(), time.process_time()
    with Case.open(path) as case:
        assert len(case.documents.known()) == 1250
        weights = case.models.get("pair model")
        assert weights is not None and weights["weights"].shape == (50_000,)
        used = time.process_time() - used
        assert _bytes_read() - read < size // 6
    assert used < 1.0


def test_retraining_does_not_make_the_file_grow(case: Case) -> None:
    chance = np.random.default_rng(0)
    sizes = []
    for _ in range(5):
        case.models.store("space", {}, {"a": chance.random(200_000)})
        sizes.append(os.stat(case.path).st_size)  # noqa: PTH116
    assert max(sizes) < 1.1 * sizes[0]
    case.models.remove("space")
    assert case.path.stat().st_size < sizes[0] // 5, "room that is free is given back"


def test_other_sources_outdate_the_validation_and_not_the_model(case: Case, samples: ModuleType) -> None:
    corpus = samples.corpus()
    case.documents.store(corpus)
    for kind in ("model", "validation"):
        case.models.store(kind, {}, {"a": np.zeros(1)})
    before = case.documents.basis()
    case.documents.store(corpus)
    assert case.models.is_current("model") and case.models.is_current("validation")
    changed = corpus.changed(lambda each: replace(each, sources=("letters", "1887")))
    case.documents.store(changed)
    assert (
        case.documents.corpus() == changed
        and case.documents.basis() == before
        and changed.fingerprint != corpus.fingerprint
    )
    assert case.models.is_current("model") and not case.models.is_current("validation")
    assert (
        case.documents.known()[0].sources == ("1887", "letters") and case.documents.known()[0].source == "1887; letters"
    )


def test_authors_reassigned_before_storing_keep_what_was_read(case: Case, samples: ModuleType) -> None:
    corpus = samples.corpus().changed(lambda each: replace(each, author="Zoe") if each.author == "Ann" else each)
    case.documents.store(corpus)
    assert case.documents.corpus() == corpus
    assert {(each.read_as, each.author) for each in case.documents.known()} == {
        ("Ann", "Zoe"),
        ("Bob", "Bob"),
        ("Cyd", "Cyd"),
    }
    assert case.choices.reassign([each.id for each in case.documents.known()], "Ann") is not None
    assert {each.author for each in case.documents.known()} == {"Ann"}


def test_roles_and_pieces_are_kept(case: Case, samples: ModuleType) -> None:
    pieces = segment(samples.document("Ann", 1, words=900), 300)
    population = replace(samples.document("Bob", 2), role=Role.POPULATION)
    case.documents.store(Corpus.of([*pieces, population]))
    found = {each.id: each for each in case.documents.known()}
    assert found[population.id].role is Role.POPULATION and found[population.id].segment is None
    assert [(found[each.id].segment, found[each.id].whole) for each in pieces] == [
        (number, samples.document("Ann", 1, words=900).id) for number in range(1, len(pieces) + 1)
    ]


def test_records_of_version_0_1_are_read(case: Case, samples: ModuleType) -> None:
    whole = samples.document("Ann", 1, words=900)
    pieces = segment(whole, 300)
    other = samples.document("Bob", 2)
    case.documents.store(Corpus.of([*pieces, other]))
    copy, empty, apart = (each.id for each in (pieces[0], pieces[1], other))
    words = {
        copy: "Duplicate: the same text as 'Ann/9.txt'.",
        empty: "The text is empty: it holds nothing but white space or invisible characters, and is left out.",
        apart: "wrong genre",
    }
    old_problem = {
        "code": "empty", "severity": "warning", "message": words[empty], "next_step": "Check.", "file": "x",
        "documents": [], "offsets": [4],
    }  # fmt: skip
    with case.database.step():
        for name, record in case.database.all("known").items():
            old = {key: value for key, value in record.items() if key not in ("role", "sources", "segment", "whole")}
            case.database.put("known", name, {**old, "source": "box/1", "problems": [old_problem]})
        case.database.put("choice", "excluded", words)
        case.log.note("written as version 0.1 did")
    found = {each.id: each for each in case.documents.known()}
    assert {each.sources for each in found.values()} == {("box/1",)}
    assert [found[each.id].segment for each in pieces] == list(range(1, len(pieces) + 1))
    assert len({found[each.id].whole for each in pieces}) == 1 and found[apart].segment is None
    assert [getattr(found[name].excluded, "code", found[name].excluded) for name in words] == [
        "duplicate", "empty", "wrong genre",
    ]  # fmt: skip
    assert {name: left_out_because(found[name].excluded) for name in words} == words
    (problem,) = found[apart].problems
    assert (message(problem), next_step(problem), problem.offsets) == (words[empty], "Check.", (4,))
