"""What is said about a corpus as a whole, and that it is said anew after every change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from forensia.case.verify import changed_files
from forensia.corpus import Corpus, Cut, Severity, check_corpus, check_disputed, checked
from forensia.corpus.checks import shared_passages
from forensia.corpus.nearduplicates import ShingleIndex
from forensia.wording.problems import left_out_because, message


def found(corpus: Corpus) -> dict[str, object]:
    return {problem.code: problem for problem in check_corpus(corpus)}


@pytest.fixture
def sound(prose, document) -> Corpus:
    return Corpus.of(
        document(author, prose(ord(author) * 10 + n), f"{author}/{n}.txt") for author in "ABC" for n in range(4)
    )


def test_a_sound_corpus_has_no_problems(sound: Corpus) -> None:
    assert check_corpus(sound) == ()


def test_reassigning_solves_a_text_under_two_authors(sound: Corpus, prose, document) -> None:
    stolen = document("B", prose(ord("A") * 10), "B/stolen.txt")
    corpus = checked(Corpus.of([*sound.documents, stolen]), thorough=False)
    (problem,) = corpus.blocking
    assert problem.code == "same-text-two-authors"
    assert set(problem.documents) == {stolen.id, next(d.id for d in sound.documents if d.path == "A/0.txt")}
    excluded = checked(corpus.without([stolen.id], "not hers"))
    assert excluded.blocking == ()
    given = checked(corpus.changed(lambda one: replace(one, author="A") if one.id == stolen.id else one))
    assert given.blocking == ()
    assert list(map(left_out_because, given.excluded.values())) == ["Duplicate: the same text as 'A/0.txt'."]


def test_checking_twice_changes_nothing(sound: Corpus, prose, document) -> None:
    copies = [document("A", prose(ord("A") * 10), f"A/copy{n}.txt") for n in range(3)]
    once = checked(Corpus.of([*sound.documents, *copies]))
    assert len(once.excluded) == 3
    assert {problem.code for problem in once.problems} == {"duplicate"}
    assert checked(once) == once
    assert checked(once).problems == once.problems


def test_a_duplicate_takes_the_place_of_the_one_that_was_kept(sound: Corpus, prose, document) -> None:
    corpus = checked(Corpus.of([*sound.documents, document("A", prose(ord("A") * 10), "A/copy.txt")]))
    kept = next(document for document in corpus.documents if document.path == "A/0.txt")
    other = checked(corpus.without([kept.id], "illegible"))
    assert set(other.excluded) == {kept.id}


def test_empty_texts_are_no_copies_of_each_other(sound: Corpus, document) -> None:
    empty = [document(author, "", f"{author}/empty.txt") for author in "AB"]
    corpus = Corpus.of([*sound.documents, *empty]).without([one.id for one in empty], "empty")
    assert checked(corpus).problems == ()


def test_cuts_count(sound: Corpus, prose, document) -> None:
    """Two texts that are the same once the heading is cut are the same text."""
    text = prose(ord("A") * 10)
    headed = document("B", "HEADING\n" + text, "B/headed.txt", cuts=(Cut(0, 8, "heading"),))
    assert [problem.code for problem in checked(Corpus.of([*sound.documents, headed])).blocking] == [
        "same-text-two-authors"
    ]


def test_near_duplicates_of_one_author_are_noted(sound: Corpus, prose, document) -> None:
    again = document("A", prose(ord("A") * 10) + " One more sentence for the second edition.", "A/second.txt")
    problem = found(Corpus.of([*sound.documents, again]))["near-duplicate-same-author"]
    assert problem.severity is Severity.NOTE
    assert len(problem.documents) == 2


def test_a_cluster_of_near_duplicates_is_one_problem(sound: Corpus, prose, document) -> None:
    text = prose(ord("A") * 10)
    versions = [document(author, text + f" Ending number {author}.", f"{author}/version.txt") for author in "BC"]
    problems = [p for p in check_corpus(Corpus.of([*sound.documents, *versions])) if p.code == "near-duplicate"]
    assert len(problems) == 1
    assert len(problems[0].documents) == 3
    assert problems[0].severity is Severity.WARNING


def test_the_number_of_authors_and_documents(sound: Corpus, prose, document) -> None:
    alone = Corpus.of(one for one in sound.documents if one.author == "A")
    assert found(alone)["one-author"].severity is Severity.BLOCKING
    assert found(Corpus.of([]))["one-author"].severity is Severity.BLOCKING
    single = found(Corpus.of([*sound.documents, document("Zoë", prose(999), "Z/1.txt")]))
    assert "Zoë" in message(single["single-document"])
    assert "not estimable" in message(single["single-document"])
    assert "from 1 (Zoë) to 4 (A)" in message(single["unequal-counts"])


def test_shared_openings_and_closings(prose, document) -> None:
    opening = "This message and all that is attached to it is meant for the person it names. "
    closing = " Yours ever, the secretary of the harbour board, third floor, room nine, ring the bell twice."
    documents = [document("A", opening + prose(n), f"A/{n}.txt") for n in range(3)]
    documents += [document("B", prose(10 + n).strip() + closing, f"B/{n}.txt") for n in range(3)]
    documents += [document("C", prose(20 + n), f"C/{n}.txt") for n in range(3)]
    first, second = shared_passages(documents)
    assert (first.opening, first.words, len(first.documents)) == (True, 16, 3)
    assert all(one.text[: end + 1] == opening.rstrip() for one, end in zip(first.documents, first.offsets, strict=True))
    assert (second.opening, second.words, len(second.documents)) == (False, 16, 3)
    assert all(one.text[start:] == closing.strip() for one, start in zip(second.documents, second.offsets, strict=True))
    assert {"shared-opening", "shared-closing"} <= found(Corpus.of(documents)).keys()


def test_copies_of_one_text_share_no_passage(prose, document) -> None:
    assert shared_passages([document("A", prose(1), f"A/{n}.txt") for n in range(5)]) == ()


def test_short_and_empty_texts_have_no_passage(document) -> None:
    assert shared_passages([document("A", text, f"A/{n}") for n in range(4) for text in ("", "a b c", "...")]) == ()


def test_leakage_with_an_index_is_the_same(sound: Corpus, prose, document) -> None:
    index = ShingleIndex(sound.active.documents)
    for text in (prose(ord("B") * 10), prose(ord("B") * 10) + " And some words were added.", prose(4321)):
        question = document("", text, "question.txt")
        assert check_disputed(sound, question) == check_disputed(sound, question, index)
    assert check_disputed(sound, document("", prose(4321), "question.txt")) == ()


def test_a_very_short_leak_is_found(sound: Corpus, document) -> None:
    corpus = Corpus.of([*sound.documents, document("A", "Meet me at nine, bring the money.", "A/short.txt")])
    (problem,) = check_disputed(corpus, document("", "meet me at nine: bring the money", "q.txt"))
    assert problem.code == "leakage"


def test_an_excluded_text_is_no_leak(sound: Corpus, prose, document) -> None:
    question = document("", prose(ord("B") * 10), "question.txt")
    (problem,) = check_disputed(sound, question)
    assert check_disputed(sound.without(problem.documents, "disputed"), question) == ()


def test_documents_without_files_cannot_change(sound: Corpus) -> None:
    assert changed_files(Corpus.of(replace(one, path="") for one in sound.documents)) == ()
