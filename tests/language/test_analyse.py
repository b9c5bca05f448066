"""The language model reads texts: as spaCy itself would, whatever the batch, and each text once."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import spacy
from thinc.api import get_current_ops

from forensia.corpus.characters import WORD
from forensia.errors import Cancelled, InputError
from forensia.language import TAGS, Analysis, LanguageModel, MemoryCache, analyse, load_model, passage
from forensia.language.analysis import NO_TAG, PIECE, SPACE
from forensia.language.model import Pipeline, folder_hash


@pytest.fixture(scope="module")
def long_text(texts: list[str]) -> str:
    text = "\n\n".join(texts[:16])
    assert len(text) > 3 * PIECE
    return text


def _as_spacy(text: str, analysis: Analysis, nlp: spacy.language.Language) -> tuple[int, int]:
    """Compare places exactly; return how many tags and sentence starts differ."""
    doc = nlp(text)
    assert analysis.starts.tolist() == [token.idx for token in doc]
    assert analysis.lengths.tolist() == [len(token) for token in doc]
    tags = sum(TAGS[tag] != token.pos_ for tag, token in zip(analysis.tags, doc, strict=True) if not token.is_space)
    starts = set(analysis.sentence_starts.tolist()) ^ {sentence.start_char for sentence in doc.sents}
    return tags, len(starts)


def test_the_same_as_spacy_even_in_pieces(model: LanguageModel, texts: list[str], long_text: str) -> None:
    nlp = spacy.load(model.folder)
    assert model.pipeline.network is not None, "the embedded model is read the fast way"
    flat = " ".join(long_text.split())
    for text in (*texts[:3], long_text, flat):
        analysis = analyse([text], model)[0]
        tags, starts = _as_spacy(text, analysis, nlp)
        assert tags + starts <= len(analysis) / 10_000  # a tie may be broken by the last digit


def test_the_slow_way_gives_the_same(model: LanguageModel, texts: list[str]) -> None:
    slow = dataclasses.replace(model, pipeline=Pipeline(spacy.load(model.folder), None))
    fast, plain = analyse(texts[:5], model), analyse(texts[:5], slow)
    for one, other in zip(fast, plain, strict=True):
        assert one.starts.tolist() == other.starts.tolist()
        assert (one.tags != other.tags).sum() <= 1
        assert one.has_sentences == other.has_sentences


def test_no_text_depends_on_others(model: LanguageModel, texts: list[str]) -> None:
    some = texts[:12]
    together = analyse(some, model)
    assert analyse(some[::-1], model) == together[::-1]
    fresh = load_model()
    assert [analyse([text], fresh)[0] for text in some[::-1]] == together[::-1]
    assert analyse([some[0]] * 2, model) == [together[0]] * 2


def test_several_processes_give_the_same(model: LanguageModel, texts: list[str]) -> None:
    some = texts[:6]
    assert analyse(some, model, jobs=2, processes=True) == analyse(some, model)


def test_words_of_sentences(model: LanguageModel, texts: list[str]) -> None:
    for text, analysis in zip(texts[:5], analyse(texts[:5], model), strict=True):
        spans = zip(analysis.sentence_starts, analysis.sentence_ends, strict=True)
        assert analysis.sentence_words.tolist() == [len(WORD.findall(text[start:end])) for start, end in spans]
        assert int(analysis.sentence_words.sum()) == len(WORD.findall(text))
        assert 2 < np.mean(analysis.sentence_words) < 60


def test_a_passage_is_as_it_stands_in_its_text(model: LanguageModel, texts: list[str]) -> None:
    """Read by itself it differs next to its ends alone, where the network sees other words, and hardly there."""
    edge, wrong, tokens = 6, 0, 0
    for text, whole in zip(texts, analyse(texts, model), strict=True):
        words = [match.span() for match in WORD.finditer(text)]
        for first in range(0, len(words) - 60, 31):
            start, end = words[first][0], words[first + 59][1]
            cut = passage(whole, text[start:end], start)
            (alone,) = analyse([text[start:end]], model)
            assert (cut.length, cut.has_sentences) == (alone.length, alone.has_sentences)
            assert cut.sentence_words.sum() == alone.sentence_words.sum() == 60
            assert cut.starts.tolist() == alone.starts.tolist() and cut.lengths.tolist() == alone.lengths.tolist()
            assert cut.tags[edge:-edge].tolist() == alone.tags[edge:-edge].tolist()
            wrong, tokens = wrong + int((cut.tags != alone.tags).sum()), tokens + len(cut)
    assert tokens > 1000 and wrong < 0.02 * tokens


def test_a_passage_may_begin_and_end_anywhere(model: LanguageModel) -> None:
    text = "He was in the U.S. at 10:30. They saw www.example.com/page. Nobody\u2019s there!"
    (whole,) = analyse([text], model)
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            cut = passage(whole, text[start:end], start)
            assert Analysis.from_bytes(cut.to_bytes()) == cut and cut.sentence_starts[0] == 0
            covered = {
                place for at, size in zip(cut.starts, cut.lengths, strict=True) for place in range(at, at + size)
            }
            assert all(text[start + place].isspace() for place in set(range(end - start)) - covered)
    assert passage(whole, text, 0) == whole


def test_each_text_is_read_once(model: LanguageModel, texts: list[str]) -> None:
    cache = MemoryCache()
    first = analyse([texts[0], texts[1], texts[0]], model, cache=cache)
    assert len(cache) == 2
    blind = dataclasses.replace(model, pipeline=Pipeline(None, None))  # cannot read anything
    assert analyse([texts[1], texts[0]], blind, cache=cache) == [first[1], first[0]]
    other = dataclasses.replace(blind, sha256="0" * 64)
    with pytest.raises(AttributeError):
        analyse([texts[0]], other, cache=cache)  # another model finds nothing of this one's


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\n", "?!…", "12 345", "\u200b", "x" * 30_000, "\ud800", "日本語のテキスト"]
)
def test_odd_texts(model: LanguageModel, text: str) -> None:
    analysis = analyse([text], model)[0]
    assert analysis.length == len(text)
    assert Analysis.from_bytes(analysis.to_bytes()) == analysis
    assert all(text[start:end] for start, end in zip(analysis.starts, analysis.ends, strict=True))
    assert all(
        text[s:e].isspace() == (tag == SPACE)
        for s, e, tag in zip(analysis.starts, analysis.ends, analysis.tags, strict=True)
        if tag == SPACE
    )


def test_cancelling(model: LanguageModel, texts: list[str]) -> None:
    def stop(fraction: float, message: str = "") -> None:
        if fraction > 0:
            raise Cancelled

    cache = MemoryCache()
    with pytest.raises(Cancelled):
        analyse(texts, model, cache=cache, progress=stop)
    assert len(cache) == 1


def test_the_model_says_what_it_is(model: LanguageModel) -> None:
    record = model.record()
    assert record["language"] == "en"
    assert record["function_words"] == 179
    assert record["sha256"] == folder_hash(model.folder)
    assert model.has_tags


def test_loading_leaves_the_world_alone() -> None:
    before = get_current_ops()
    load_model()
    assert get_current_ops() is before


def test_another_model(tmp_path: Path) -> None:
    folder = tmp_path / "blank"
    spacy.blank("en").to_disk(folder)
    model = load_model(str(folder))
    assert not model.has_tags
    analysis = analyse(["One word. Two words here."], model)[0]
    assert set(analysis.tags.tolist()) == {NO_TAG}
    assert analysis.sentence_words.tolist() == [2, 3]
    assert not len(analysis.tagged)
    before = model.key
    (folder / "more").write_text("x")
    assert load_model(str(folder)).key != before


def test_what_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no language model 'en_nothing'"):
        load_model("en_nothing")
    with pytest.raises(InputError, match="not a complete spaCy model"):
        load_model(str(tmp_path))
    (tmp_path / "meta.json").write_text('{"lang": "en", "name": "broken"}')
    with pytest.raises(InputError, match="cannot be loaded"):
        load_model(str(tmp_path))
