"""A population puts texts of any length together from blocks, exactly, and stands behind the texts of a case."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forensia.corpus import Corpus
from forensia.errors import InputError, SettingsError
from forensia.evidence.knowntexts import Texts, read_texts
from forensia.evidence.population import Population, blocks_of, with_population
from forensia.features import FUSED_FAMILIES, Counts, count_documents
from forensia.features.texts import BLOCK
from forensia.language import LanguageModel
from forensia.profile import PAPER
from forensia.systems.pairmodel import TrainingOptions
from support.populations import document, documents


@pytest.fixture(scope="module")
def population(language: LanguageModel) -> Population:
    return Population.of(documents(), language, "sample", "Made-up letters")


def rows(counts: Counts, family: str) -> list[dict[Any, int]]:
    """The counts of each row by their keys, in whatever order the columns stand."""
    table = counts.table(family)
    keys = list(map(str, getattr(table.keys, "words", None) or table.keys.array.tolist()))
    return [{keys[place]: int(n) for place, n in zip(row.indices, row.data, strict=True)} for row in table.counts]


def same(one: Counts, other: Counts) -> bool:
    return one.families == other.families and all(rows(one, each) == rows(other, each) for each in one.families)


def test_whole_texts_are_those_that_were_counted(population: Population, language: LanguageModel) -> None:
    texts = population.texts()
    assert same(texts.counts, count_documents(documents(), language, FUSED_FAMILIES, typing="canonical"))
    assert list(texts.labels) == ["Ann", "Ann", "Ben", "Ben", "Cyd"]
    assert list(texts.sources) == [each.sources for each in documents()]
    assert population.words.tolist() == texts.counts.table("function words").totals.tolist()


@given(words=st.integers(1, 1_500))
@settings(max_examples=30)
def test_pieces_are_of_about_so_many_words_and_add_up(population: Population, words: int) -> None:
    pieces = population.texts(words)
    totals = pieces.counts.table("function words").totals
    for author in population.authors:
        own = [place for place, label in enumerate(pieces.labels) if label == author]
        texts = [place for place, text in enumerate(population.record.texts) if text.author == author]
        assert totals[own].sum() == population.words[texts].sum()
    whole = population.texts().counts.table("character n-grams").counts.sum(axis=0)
    assert (pieces.counts.table("character n-grams").counts.sum(axis=0) == whole).all()
    if words >= BLOCK:
        assert totals.max() <= max(words * 1.5 + BLOCK, 1.5 * BLOCK)


def test_pieces_of_one_text_share_its_source_or_are_one(population: Population) -> None:
    pieces = population.texts(200)
    own = [each for each, label in zip(pieces.pieces, pieces.labels, strict=True) if label == "Cyd"]
    assert len(own) > 1 and set(own) == {(population.record.texts[-1].sha256,)}
    assert () in pieces.sources, "of pieces no source is known that nobody told"


def test_passages_are_consecutive_blocks_of_the_length_of_a_rung(population: Population) -> None:
    texts = population.texts(None, (50, 105, 297))
    assert tuple(texts.cut) == (105, 297), "no passage of fewer words than a block"
    for rung, blocks in ((105, 1), (297, 3)):
        totals = texts.cut[rung].table("function words").totals
        whole = population.words
        assert (totals[whole <= blocks * BLOCK] == whole[whole <= blocks * BLOCK]).all()
        assert (totals <= np.minimum(whole, (blocks + 0.5) * BLOCK)).all() and totals.max() >= blocks * BLOCK
    letters = [set(row) for row in rows(texts.counts, "words")]
    assert all(set(cut) <= letters[place] for place, cut in enumerate(rows(texts.cut[105], "words")))


def test_how_many_blocks_make_a_length() -> None:
    """Never longer than the length by more than half a step of the ladder."""
    assert [blocks_of(words) for words in (50, 84, 85, 105, 148, 210, 297, 420, 595)] == [0, 0, 1, 1, 1, 2, 3, 4, 7]


def test_pseudonyms_hide_names_and_keep_who_wrote_what(language: LanguageModel, population: Population) -> None:
    hidden = Population.of(documents(), language, "sample", pseudonyms=True).record.texts
    assert [text.author for text in hidden] == ["author 1", "author 1", "author 2", "author 2", "author 3"]
    assert [text.sources for text in hidden] == [
        ("source 1",), ("shared: source 3", "source 2"), ("shared: source 3",), (), (),
    ]  # fmt: skip
    assert [replace(each, author="", sources=()) for each in hidden] == [
        replace(each, author="", sources=()) for each in population.record.texts
    ]


def test_what_is_kept_of_a_text(population: Population) -> None:
    curly = population.record.texts[1]
    assert curly.forms.counts["apostrophe"] == {"curly": 60} and curly.sha256 == documents()[1].sha256_text
    assert population.record.language["language"] == "en" and population.record.description == "Made-up letters"


def test_without_authors_and_texts(population: Population) -> None:
    fewer = population.without(authors={"Ann"}, texts={documents()[3].sha256_text})
    assert [text.author for text in fewer.record.texts] == ["Ben", "Cyd"]
    assert same(fewer.texts().counts, population.texts().counts.rows([2, 4]))
    assert population.without() is population


def test_a_mask_of_frequent_words_is_refused(language: LanguageModel) -> None:
    with pytest.raises(SettingsError, match="posnoise"):
        Population.of(documents(), language, "sample", mask="distortion")


@pytest.fixture(scope="module")
def texts(few: Corpus, language: LanguageModel) -> Texts:
    return read_texts(few.documents[:6], TrainingOptions(), language)


def test_a_population_stands_behind_the_texts_of_a_case(
    texts: Texts, population: Population, few: Corpus, language: LanguageModel
) -> None:
    both = with_population(texts, population, language.record())
    assert list(both.labels) == [*texts.labels, "Ann", "Ann", "Ben", "Ben", "Cyd"]
    assert list(both.sources) == [*texts.sources, *(each.sources for each in documents())]
    assert both.counts.families == tuple(each for each in texts.counts.families if each in FUSED_FAMILIES)
    every = [*few.documents[:6], *documents()]
    assert same(both.counts, count_documents(every, language, FUSED_FAMILIES, typing="canonical"))
    assert tuple(both.cut) == tuple(rung for rung in texts.cut if rung >= 85)
    for rung, counts in both.cut.items():
        assert len(counts) == len(every)
        own = counts.rows(range(6))
        assert all(rows(own, each) == rows(texts.cut[rung], each) for each in own.families)
    cut = with_population(texts, population, language.record(), 150)
    assert len(cut.labels) == len(cut.counts) == len(cut.sources) > len(both.labels)


def test_a_candidate_is_no_part_of_the_population(texts: Texts, language: LanguageModel) -> None:
    named = [replace(each, author=texts.labels[0]) if each.author == "Ann" else each for each in documents()]
    both = with_population(texts, Population.of(named, language, "sample"), language.record())
    assert list(both.labels) == [*texts.labels, "Ben", "Ben", "Cyd"]
    everybody = Population.of([replace(each, author=texts.labels[0]) for each in documents()], language, "all")
    with pytest.raises(SettingsError, match="other people"):
        with_population(texts, everybody, language.record())


def test_what_was_read_otherwise_is_refused(
    texts: Texts, population: Population, few: Corpus, language: LanguageModel
) -> None:
    with pytest.raises(SettingsError, match="language model"):
        with_population(texts, population, {**language.record(), "sha256": "0"})
    with pytest.raises(SettingsError, match="language model"):
        with_population(texts, population, {**language.record(), "function_words_sha256": "0"})
    with pytest.raises(SettingsError, match="posnoise"):
        with_population(texts, Population.of(documents(), language, "s", mask="posnoise"), language.record())
    as_typed = read_texts(few.documents[:2], TrainingOptions(profile=PAPER), language)
    with pytest.raises(SettingsError, match="forensic"):
        with_population(as_typed, population, language.record())


@pytest.mark.parametrize("mask", ["none", "posnoise"])
def test_arrays_give_the_population_back(language: LanguageModel, mask: str) -> None:
    made = Population.of(documents(), language, "sample", "Letters", mask=mask, because="six years")
    back = Population.from_arrays(*made.to_arrays())
    assert back.record == made.record and (back.blocks.mask, back.blocks.typing) == (made.blocks.mask, "canonical")
    assert same(back.blocks, made.blocks)
    assert back.blocks.no_sentences.tolist() == made.blocks.no_sentences.tolist()
    for one, other in zip(back.blocks.tables, made.blocks.tables, strict=True):
        assert one.totals.tolist() == other.totals.tolist() and one.counts.has_canonical_format


@pytest.fixture(scope="module")
def stored(population: Population) -> tuple[dict[str, Any], dict[str, Any]]:
    return population.to_arrays()


@given(data=st.data())
@settings(max_examples=150)
def test_arrays_that_were_tampered_with_are_refused_or_can_be_used(stored: Any, data: st.DataObject) -> None:
    arrays, header = dict(stored[0]), stored[1]
    name = data.draw(st.sampled_from(sorted(arrays)))
    forged = arrays[name].copy().reshape(-1)
    place = data.draw(st.integers(0, len(forged) - 1))
    forged[place] = data.draw(st.integers(0, 255)) if forged.dtype != np.int64 else data.draw(st.integers(-9, 2**62))
    arrays[name] = forged.reshape(arrays[name].shape)
    try:
        read = Population.from_arrays(arrays, header)
    except InputError:
        return
    texts = read.texts(150, (105,))
    assert len(texts.counts) == len(texts.labels)
    assert all(table.counts.has_canonical_format for table in texts.counts.tables)


WRONG = {
    "no-texts": lambda record: record.update(texts=[]),
    "more-blocks": lambda record: record["texts"][0].update(blocks=99),
    "huge-blocks": lambda record: record["texts"][0].update(blocks=2**62),
    "no-blocks": lambda record: record["texts"][0].update(blocks=0),
    "other-words": lambda record: record["texts"][0].update(words=7),
    "huge-words": lambda record: record["texts"][0].update(words=2**70),
    "hash": lambda record: record["texts"][0].update(sha256="g" * 64),
    "control": lambda record: record["texts"][0].update(author="\x1b[2J"),
    "form": lambda record: record["texts"][0].update(typed={"apostrophe": {}}),
    "form-count": lambda record: record["texts"][0].update(typed={"apostrophe": {"curly": -1}}),
    "language": lambda record: record.update(language={"function_words": 3}),
    "long-name": lambda record: record.update(name="x" * 10_000),
    "description": lambda record: record.update(description=["a"]),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_records_that_no_population_has_are_refused(stored: Any, wrong: str) -> None:
    header = copy.deepcopy(stored[1])
    WRONG[wrong](header["record"])
    with pytest.raises(InputError):
        Population.from_arrays(stored[0], header)


def test_symbols_that_stand_for_nothing_are_refused(stored: Any) -> None:
    for family in ("POS n-grams", "masked tokens"):
        keys = stored[0][f"{family}/keys"].copy()
        keys[-1, -1] = 0xFFFFF
        with pytest.raises(InputError):
            Population.from_arrays({**stored[0], f"{family}/keys": keys}, stored[1])


def test_names_can_be_shown(language: LanguageModel) -> None:
    made = Population.of([document("A\x07nn", "So it is. " * 9), document("Ben", "No. " * 9)], language, "s\n")
    assert made.authors == ("A nn", "Ben") and made.record.name == "s"
    assert Population.from_arrays(*made.to_arrays()).record == made.record
