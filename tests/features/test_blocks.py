"""The blocks of a text add up to the text, and counts of texts that were read alike can be put together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensia.corpus import Document
from forensia.features import FUSED_FAMILIES, Counts, Mask, count_documents, extract, texts
from forensia.features.texts import BLOCK, block_starts, folded
from forensia.language import LanguageModel, analyse

WORDS = st.sampled_from(("the", "isn't", "Boat", "of", "1815", "ﬁn", "día", "and—so", "THE"))
BETWEEN = st.sampled_from((" ", "  ", "\n", "\n\n", ", ", ". ", "... ", " \t"))
TEXT = st.lists(st.tuples(WORDS, BETWEEN), max_size=40).map(lambda pairs: "".join(map("".join, pairs)))
ANY_TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)


def same(one: Counts, other: Counts) -> bool:
    """Whether two sets of counts are equal, feature by feature."""
    return one.families == other.families and all(
        one.table(family).keys.pack().tolist() == other.table(family).keys.pack().tolist()
        and (one.table(family).counts != other.table(family).counts).nnz == 0
        and one.table(family).totals.tolist() == other.table(family).totals.tolist()
        for family in one.families
    )


def ends(texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Where the blocks of each text begin and end among all of them."""
    sizes = np.array([len(block_starts(text)) for text in texts], np.int64)
    return np.cumsum(sizes) - sizes, np.cumsum(sizes)


@pytest.mark.parametrize("kind", ["none", "posnoise", "distortion"])
def test_the_blocks_of_any_text_add_up_to_it(model: LanguageModel, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(texts, "BLOCK", 4)

    @settings(max_examples=60)
    @given(st.lists(TEXT | ANY_TEXT, min_size=1, max_size=4))
    def check(texts: list[str]) -> None:
        analyses, mask = analyse(texts, model), Mask.fit(kind, texts, model.function_words)
        starts = [block_starts(text) for text in texts]
        whole = extract(texts, analyses, FUSED_FAMILIES, model.function_words, mask)
        apart = extract(texts, analyses, FUSED_FAMILIES, model.function_words, mask, blocks=starts)
        assert len(apart) == sum(map(len, starts))
        assert same(apart.summed(*ends(texts)), whole)

    check()


def test_a_feature_counts_where_it_begins(model: LanguageModel) -> None:
    """The pair of words over the border, and the letters over it, are those of the block before."""
    text = "so " * BLOCK + "he said " * BLOCK
    counted = extract([text], analyse([text], model), FUSED_FAMILIES, model.function_words, blocks=[block_starts(text)])
    assert counted.table("words").totals.tolist() == [BLOCK, BLOCK, BLOCK]
    characters = counted.table("character n-grams")
    key = characters.keys.find(extract(["o he"], None, ["character n-grams"]).table("character n-grams").keys)
    over_the_border = extract(["o he"], None, ["character n-grams"]).table("character n-grams")
    place = int(key[len(over_the_border.keys) - 1])
    assert characters.counts[:, place].toarray().ravel().tolist() == [1, 0, 0]


@given(st.integers(0, 1_000))
def test_blocks_are_of_about_a_hundred_words(words: int) -> None:
    text = "so it " * (words // 2) + "is" * (words % 2)
    sizes = np.diff([len(text[:start].split()) for start in block_starts(text)], append=words)
    assert (sizes[:-1] == BLOCK).all() and sizes.sum() == words
    assert words < BLOCK / 2 or BLOCK / 2 <= sizes[-1] < 1.5 * BLOCK


@given(TEXT | ANY_TEXT)
def test_where_folded_characters_stand(text: str) -> None:
    places, made = texts.unfolded(text), folded(text)
    assert len(places) == len(made)
    assert all(letter == text[place] or text[place].isspace() for letter, place in zip(made, places, strict=True))


def test_documents_are_read_before_they_are_cut_into_blocks(model: LanguageModel) -> None:
    wrapped = "\n".join(["It isn’t so — or is it, as nobody ever said to anybody"] * 30)
    documents = [Document("A", "t", wrapped)]
    whole = count_documents(documents, model, FUSED_FAMILIES, typing="canonical")
    apart = count_documents(documents, model, FUSED_FAMILIES, typing="canonical", blocks=True)
    assert len(apart) > 2 and apart.typing == "canonical"
    assert same(apart.summed(np.array([0]), np.array([len(apart)])), whole)


def test_families_of_the_paper_have_no_blocks() -> None:
    with pytest.raises(ValueError, match="fused"):
        extract(["a b"], None, ["punctuation"], blocks=[np.array([0])])


@given(st.lists(TEXT, min_size=1, max_size=3), st.lists(TEXT, min_size=1, max_size=3))
def test_stacked_counts_are_those_of_all_texts(some: list[str], others: list[str]) -> None:
    families = ("words", "function words", "character n-grams", "masked tokens", "layout")
    assert same(
        extract(some, None, families).stacked(extract(others, None, families)),
        extract([*some, *others], None, families),
    )


def test_only_what_was_read_alike_is_stacked() -> None:
    one = extract(["so it is"], None, ["words", "layout"])
    with pytest.raises(ValueError, match="alike"):
        one.stacked(extract(["so it is"], None, ["words"], mask=Mask("distortion", frozenset({"so"}))))
    assert one.stacked(extract(["and so"], None, ["layout"])).families == ("layout",)
