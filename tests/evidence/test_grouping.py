"""Documents that belong together: by source, and by their wording."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from forensia.evidence.crossfit import FEWEST_UNITS, by_source, not_kept_together, units, with_copies
from forensia.features import Counts, extract


def counted(*texts: str) -> Counts:
    return extract(texts, None, ("words",))


def story(number: int) -> str:
    return " ".join(f"{word}{number}" for word in "ship shore cargo captain anchor harbour sailor rope".split())


def named(*names: str) -> list[tuple[str, ...]]:
    """The sources of documents, each given by letters."""
    return [tuple(each) for each in names]


def groups(found: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(found == unit).tolist()) for unit in np.unique(found)}


def test_texts_of_one_source_belong_together_where_there_are_three() -> None:
    labels = ["A"] * 5 + ["B"] * 4
    sources = named("x", "y", "x", "z", "", "x", "x", "y", "y")
    found = units(labels, sources)
    assert groups(found[:5]) == {frozenset({0, 2}), frozenset({1}), frozenset({3}), frozenset({4})}
    assert len(set(found[5:])) == 4, "B has two sources only, and would be left with nothing to compare"


def test_without_sources_every_text_stands_alone() -> None:
    assert list(units(["A", "A", "B"], [])) == [0, 1, 2]
    assert list(units(["A", "A", "B"], [()] * 3)) == [0, 1, 2]


def test_versions_of_a_text_belong_together_also_through_a_third() -> None:
    versions = [" ".join(story(number) for number in range(first, first + 3)) for first in (1, 2, 3)]
    texts = [*versions, story(7), story(8), versions[0]]
    labels = ["A"] * 5 + ["B"]
    found = units(labels, [()] * 6, counted(*texts))
    alone = {frozenset({3}), frozenset({4}), frozenset({5})}
    together = groups(found) - alone
    assert alone <= groups(found) and together == {frozenset({0, 1, 2})}, "B's copy of A's text is not A's"


def test_an_author_whose_texts_are_all_alike_keeps_them_apart_but_for_their_sources() -> None:
    texts = [story(1)] * 4 + [story(number) for number in range(2, 6)]
    labels = ["A"] * 4 + ["B"] * 4
    assert len(set(units(labels, [()] * 8, counted(*texts)))) == 8
    by_source = units(labels, [*named("x", "x", "y", "z"), *[()] * 4], counted(*texts))
    assert groups(by_source[:4]) == {frozenset({0, 1}), frozenset({2}), frozenset({3})}


def test_versions_of_a_text_have_a_source_between_them() -> None:
    """Also through a third, beside the sources that they have; what is nobody's version keeps what it has."""
    versions = [" ".join(story(number) for number in range(first, first + 3)) for first in (1, 2, 3)]
    counts = counted(*versions, story(7), story(8), versions[0])
    labels = ["A"] * 5 + ["B"]
    found = with_copies(labels, [*named("x", "", "y", "x"), (), ()], counts)
    (shared,) = set(found[1])
    assert found == [("x", shared), (shared,), ("y", shared), ("x",), (), ()], "B's copy of A's text is not A's"
    assert with_copies(labels, [], counts) == [(shared,)] * 3 + [()] * 3


def test_an_author_of_nothing_but_versions_is_tried_all_the_same() -> None:
    """As everywhere: who would be left with too few others keeps them apart, and is named."""
    counts = counted(*[story(1)] * 4, *[story(number) for number in (2, 3, 4, 4)])
    labels = ["A"] * 4 + ["B"] * 4
    found = with_copies(labels, [], counts)
    assert found[:6] == [()] * 6 and found[6] == found[7] != (), "B has others"
    assert not_kept_together(labels, [()] * 8, counts) == ("A",)


def test_without_words_nothing_is_known_of_versions() -> None:
    texts = [story(1)] * 2
    sources = named("x", "y")
    assert with_copies(["A", "A"], sources, extract(texts, None, ("word lengths",))) == sources


def test_who_is_torn_apart_is_told() -> None:
    texts = [story(1)] * 4 + [story(number) for number in (2, 3, 4, 5, 5)]
    labels = ["A"] * 4 + ["B"] * 5
    assert not_kept_together(labels, [()] * 9, counted(*texts)) == ("A",), "B's twins are kept together"
    assert not_kept_together(labels, named("x", "y", "z", "w", "x", "x", "y", "y", "y")) == ("B",), (
        "B has two sources only"
    )
    assert not_kept_together(labels, [()] * 9) == ()


def test_sources_and_wording_add_up() -> None:
    texts = [story(number) for number in (1, 2, 1, 3, 4)]
    found = units(["A"] * 5, named("x", "x", "y", "z", "w"), counted(*texts))
    assert groups(found) == {frozenset({0, 1, 2}), frozenset({3}), frozenset({4})}


def test_a_text_of_two_sources_joins_them_for_its_author() -> None:
    labels = ["A"] * 6 + ["B"] * 3
    sources = named("1", "12", "2", "3", "4", "34", "1", "2", "3")
    assert groups(by_source(labels, sources)) == {
        frozenset({0, 1, 2}), frozenset({3, 4, 5}), frozenset({6}), frozenset({7}), frozenset({8}),
    }  # fmt: skip
    found = units(labels, sources)
    assert len(set(found[:6])) == 6, "A has two groups only"
    assert not_kept_together(labels, sources) == ("A",)


DOCUMENTS = st.lists(st.tuples(st.sampled_from("AB"), st.frozensets(st.sampled_from("wxyz"), max_size=2)), max_size=12)


@given(DOCUMENTS.filter(bool))
def test_no_unit_has_two_authors_and_every_author_can_be_split(documents: list[tuple[str, frozenset[str]]]) -> None:
    labels, sources = [author for author, _ in documents], [tuple(names) for _, names in documents]
    found = units(labels, sources)
    shared = [
        [row, *(at for at, other in enumerate(sources) if labels[at] == labels[row] and set(other) & set(own))]
        for row, own in enumerate(sources)
    ]
    for unit in np.unique(found):
        rows = np.flatnonzero(found == unit)
        assert len({labels[row] for row in rows}) == 1
        assert len(rows) == 1 or all(len(set(shared[row]) & set(rows)) > 1 for row in rows)
    for author in set(labels):
        mine = np.array([label == author for label in labels])
        assert len(np.unique(found[mine])) >= min(FEWEST_UNITS, int(mine.sum()))
        if len(np.unique(by_source(labels, sources)[mine])) >= FEWEST_UNITS:
            assert all(len(set(found[shared[row]])) == 1 for row in np.flatnonzero(mine)), "nothing shared is parted"
