"""A feature is found in the text as often as it was counted there; a mask hides words and keeps places."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from forensia.corpus.characters import WORD
from forensia.corpus.document import Document
from forensia.corpus.typing import Canonical, canonical
from forensia.errors import InputError, SettingsError
from forensia.features import EVERY_FAMILY, NO_MASK, FeatureSpace, Mask, count_documents, extract, locate
from forensia.features.counts import CountTable
from forensia.features.mask import TokenSymbols, frequent_words, layout
from forensia.features.names import feature_name, token_name
from forensia.features.vectors import LAYOUT, MASKED
from forensia.language import Analysis, LanguageModel, analyse, fold


def _count(space: FeatureSpace, text: str, analysis: Analysis) -> list[int]:
    """How often each column of the space was counted in a text."""
    counts = extract([text], [analysis], mask=space.mask_)
    found = []
    for column in range(space.width):
        family, number = space.place(column)
        table = counts.table(family.family)
        place = int(table.keys.find(family.keys.take(np.array([number])))[0])  # type: ignore[arg-type]
        found.append(int(table.counts[0, place]) if place >= 0 else 0)
    return found


@pytest.mark.parametrize("kind", ["none", "posnoise", "distortion"])
def test_each_place_of_each_feature(texts: list[str], model: LanguageModel, kind: str) -> None:
    some = [*texts[:8], "She  said:\n\n\t'No —  no!'  and\nleft.\n"]
    analyses = analyse(some, model)
    mask = Mask.fit(kind, some, model.function_words, frequent=100)
    counts = extract(some, analyses, mask=mask)
    space = FeatureSpace(keep=1_500).fit(counts, list("aabbccddd"))
    for text, analysis in zip(some[-2:], analyses[-2:], strict=True):
        expected = _count(space, text, analysis)
        for column, times in enumerate(expected):
            spans = locate(Canonical.same(text), analysis, space, column, limit=100_000)
            assert len(spans) == times, space.feature_name(column)
            assert spans == sorted(spans)
            assert all(0 <= start < end <= len(text) for start, end in spans)


@dataclass(frozen=True)
class _Counted:
    """The features of a table as columns."""

    table: CountTable
    mask_: Mask = NO_MASK

    def place(self, column: int) -> tuple[CountTable, int]:
        return self.table, column


@pytest.mark.parametrize("family", [MASKED, LAYOUT])
def test_each_place_of_tokens_and_of_layout(texts: list[str], model: LanguageModel, family: str) -> None:
    text = texts[0][:1_500] + "\n\n\n\nMY DEAR  \n  I'm 101, and it's 'so'.\n"
    (analysis,) = analyse([text], model)
    table = extract([text], [analysis], [family], model.function_words).table(family)
    for column, times in enumerate(table.counts.toarray()[0].tolist()):
        read = Canonical.same(text)
        spans = locate(read, analysis, _Counted(table), column, 100_000, model.function_words)
        assert len(spans) == times and spans == sorted(spans)
        name = feature_name(family, table.keys, column, model.function_words)
        if family == LAYOUT:
            assert name[8:-1].replace("·", " ").replace("↵", "\n") in layout(text[spans[0][0] : spans[0][1]])
        else:
            symbols = TokenSymbols(model.function_words).masked(text[spans[0][0] : spans[0][1]]).tolist()
            assert name[8:-1] == " ".join(token_name(symbol, model.function_words) for symbol in symbols)


def test_names_can_be_read(model: LanguageModel) -> None:
    """Marks by their names, and quotation marks that are not taken for the feature."""
    text = "I don't, and it's so!\n\nSo"
    counts = extract([text], analyse([text], model), EVERY_FAMILY, model.function_words)
    names = {
        feature_name(table.family, table.keys, number, model.function_words)
        for table in counts.tables
        for number in range(len(table.keys))
    }
    assert names >= {
        "punctuation: apostrophe", "punctuation: comma", "punctuation: exclamation mark", 'function word "don\'t"', "function word 'and'",
        "characters 't,·'", 'characters "n\'t"', "layout 'a!↵↵A'",
        'tokens "i don\'t [comma] and"',
        "word length 2", "word 'so'",
    }  # fmt: skip


def test_what_stands_there(texts: list[str], model: LanguageModel) -> None:
    analyses = analyse(texts[:6], model)
    space = FeatureSpace(keep=2_000).fit(extract(texts[:6], analyses), list("aabbcc"))
    text, analysis = texts[0], analyses[0]
    for column, name in enumerate(space.names()):
        for start, end in locate(Canonical.same(text), analysis, space, column, limit=3):
            there = text[start:end]
            if name.startswith("function word"):
                assert name[15:-1] == fold(there)
            elif name.startswith("word length"):
                assert name == f"word length {len(there)}"
            elif name.startswith("sentence"):
                assert name.startswith(f"sentence of {len(WORD.findall(there))} word")
            elif name.startswith("characters"):
                assert name[12:-1] == ("·".join(there.split(" ")) if there.split() else "·") or "\n" in there
    assert len(locate(Canonical.same(text), analysis, space, space.names().index("word length 2"), limit=2)) == 2


def test_posnoise(model: LanguageModel) -> None:
    text = "The old ferry sailed slowly to the island, and she didn't wave."
    analysis = analyse([text], model)[0]
    mask = Mask.fit("posnoise", [text], model.function_words)
    masked = mask.text(text, analysis)
    assert "ferry" not in masked
    assert "island" not in masked
    assert masked.startswith("The J N V ")
    assert ", and she did" in masked
    origins = mask.origins(text, analysis)
    assert len(origins) == len(masked) + 1
    assert text[origins[masked.index("N")] :].startswith("ferry")


def test_distortion(model: LanguageModel) -> None:
    training = ["the cat and the dog", "the cat and a bird", "and the Cat’s tail"]
    mask = Mask.fit("distortion", training, frequent=3)
    assert mask.words == {"the", "and", "cat"}
    text = "The zebra and 24 CATS; don’t: cat"
    analysis = analyse([text], model)[0]
    assert mask.text(text, analysis) == "The ***** and ## ****; ***’*: cat"
    assert len(mask.text(text, analysis)) == len(text)
    assert mask.origins(text, analysis).tolist() == list(range(len(text) + 1))


def test_masked_words_are_no_features(texts: list[str], model: LanguageModel) -> None:
    analyses = analyse(texts[:9], model)
    mask = Mask.fit("distortion", texts[:9], frequent=50)
    space = FeatureSpace(["words", "punctuation"]).fit(extract(texts[:9], analyses, mask=mask), list("aaabbbccc"))
    words = {name.removeprefix("word '")[:-1] for name in space.names() if name.startswith("word '")}
    assert words
    assert {fold(word) for word in words} <= mask.words
    assert "punctuation: asterisk" not in space.names()
    arrays, rest = space.to_arrays()
    assert FeatureSpace.from_arrays(arrays, rest).mask_ == mask
    with pytest.raises(ValueError, match="another mask"):
        space.transform(extract(texts[:1], analyses[:1]))


TYPED = (
    "\ufeff“It wasn’t so…” — she said, for the office had\nno ink left, and the clerk’s ex\u00adact words were\n‘No — "
    "no!’ . . . He\u00a0left  \nwith them."
)


@pytest.mark.parametrize("kind", ["none", "posnoise", "distortion"])
def test_places_are_those_of_the_text_as_it_was_typed(texts: list[str], model: LanguageModel, kind: str) -> None:
    """Every feature of the canonical text stands, in the original, where its own typing gives it back."""
    documents = [Document("a", "a", text) for text in (*texts[:5], TYPED)]
    mask = Mask.fit(kind, texts[:8], model.function_words, frequent=100)
    counts = count_documents(documents, model, mask=mask, typing="canonical")
    space = FeatureSpace(keep=5_000).fit(counts, list("aabbcc"))
    read = canonical(TYPED)
    analysis = analyse([read.text], model)[0]
    for column, times in enumerate(_count(space, read.text, analysis)):
        inside = locate(Canonical.same(read.text), analysis, space, column, limit=100_000)
        assert len(inside) == times
        for span in inside:
            there = TYPED[slice(*read.span(*span))]
            assert "." in there or "…" in there or _line(canonical(there).text) == _line(read.text[slice(*span)])
        places = locate(read, analysis, space, column, limit=100_000)
        assert places == list(dict.fromkeys(read.span(*span) for span in inside))


def _line(text: str) -> str:
    return " ".join(text.split())


def test_what_is_marked_in_a_text_as_it_was_typed(model: LanguageModel) -> None:
    documents = [Document("a", "a", text) for text in (TYPED, "Nothing to mark in here, and no one left.")]
    space = FeatureSpace(keep=5_000).fit(count_documents(documents, model, typing="canonical"), ["a", "b"])
    read = canonical(TYPED)
    analysis = analyse([read.text], model)[0]
    marked = {
        name: [TYPED[start:end] for start, end in locate(read, analysis, space, column)]
        for column, name in enumerate(space.names())
    }
    assert marked['word "wasn\'t"'] == ["wasn’t"] and marked['function word "wasn\'t"'] == ["wasn’t"]
    assert marked["word 'exact'"] == ["ex\u00adact"]
    assert marked["punctuation: quotation mark"] == ["“", "”"] and marked["punctuation: dash"] == ["—", "—"]
    assert marked["punctuation: full stop"] == ["…", ". . .", "."], "three dots that are one sign are one place"
    assert marked["characters 'ad·no'"] == ["ad\nno"] and marked["characters 't·wi'"] == ["t  \nwi"]
    assert "punctuation: curly apostrophe" not in marked


def test_texts_that_were_read_otherwise_are_refused(model: LanguageModel) -> None:
    documents = [Document("a", "a", TYPED), Document("b", "b", "Nothing of the kind.")]
    space = FeatureSpace(["words"]).fit(count_documents(documents, model, typing="canonical"), ["a", "b"])
    with pytest.raises(ValueError, match="another typing"):
        space.transform(count_documents(documents, model))
    straight = [Document("a", "a", canonical(TYPED).text)]
    assert (space.transform(documents[:1], model).sparse != space.transform(straight, model).sparse).nnz == 0
    arrays, rest = space.to_arrays()
    assert FeatureSpace.from_arrays(arrays, rest).typing_ == "canonical"
    stored = {key: value for key, value in rest.items() if key != "typing"}
    assert FeatureSpace.from_arrays(arrays, stored).typing_ == "as typed", "as version 0.1 stored it"
    with pytest.raises(InputError):
        FeatureSpace.from_arrays(arrays, {**rest, "typing": "shorthand"})


def test_frequent_words_and_kinds() -> None:
    assert frequent_words(["b a B", "c a", "d"], 3) == ("a", "b", "c")
    assert Mask.fit("none", ["a"]) == NO_MASK
    with pytest.raises(SettingsError):
        Mask("paint")
