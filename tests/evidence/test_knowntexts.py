"""Known texts cut to shorter lengths: the ladder, and which passage is kept."""

from __future__ import annotations

import textwrap
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.corpus import Corpus
from forensia.corpus.characters import WORD
from forensia.corpus.document import Cut, Document, Role, text_hash
from forensia.corpus.typing import canonical
from forensia.evidence.knowntexts import (
    LONG,
    STEP,
    WHOLE,
    Texts,
    much_longer,
    pieces_of,
    population_cut,
    read_texts,
    rungs,
    shortened,
)
from forensia.evidence.learnt import Learnt, read_known
from forensia.features import EVERY_FAMILY, Counts, Mask, count_documents, extract
from forensia.language import LanguageModel, analyse
from forensia.language.analysis import EMPTY
from forensia.profile import FORENSIC, PAPER, THOROUGH
from forensia.systems.pairmodel import TrainingOptions

SHORTEST = THOROUGH.shortest

lengths = st.lists(st.integers(0, 30_000), min_size=1, max_size=9)


def document(text: str) -> Document:
    return Document("A", "t", text, sha256_text=text_hash(text), words=len(WORD.findall(text)))


def equal(one: Counts, other: Counts) -> bool:
    """Whether two sets of counts are the same, row by row."""
    return all(
        a.family == b.family
        and a.counts.shape == b.counts.shape
        and (a.counts != b.counts).nnz == 0
        and (a.totals == b.totals).all()
        for a, b in zip(one.tables, other.tables, strict=True)
    )


@given(lengths)
def test_the_ladder_goes_down_from_the_median_by_the_root_of_two(words: list[int]) -> None:
    """Down to so many words, or to half the median where that is less: short texts are tried shorter too."""
    ladder, least = rungs(words, SHORTEST), max(min(SHORTEST, np.median(words) / 2), 1)
    assert all(int(least) <= rung < np.median(words) for rung in ladder)
    exact = [np.median(words) * STEP ** (number + 0.5) for number in range(len(ladder))]
    assert ladder == tuple(int(length) for length in exact)
    assert np.median(words) * STEP ** (len(ladder) + 0.5) < least, "it ends only where the next would be too short"


def test_the_ladder_of_nothing() -> None:
    assert rungs([], 100) == rungs([1], 100) == () and rungs([110, 120], 100) == (96, 68)
    assert rungs([500] * 3, 100) == (420, 297, 210, 148, 105) and rungs([500] * 3, 200) == (420, 297, 210)


@given(st.lists(st.sampled_from(("one", "two's", "Drei", "4", "fünf")), max_size=60), st.integers(1, 60))
def test_a_passage_has_so_many_words_and_is_never_longer(words: list[str], wanted: int) -> None:
    whole = ", ".join(words) + "."
    short, analysis = shortened(whole, EMPTY, text_hash(whole), wanted)
    assert min(wanted, len(WORD.findall(whole))) == len(WORD.findall(short)) and short in whole
    if len(words) <= wanted:
        assert short is whole and analysis is EMPTY
    else:
        assert analysis.length == len(short) and analysis.sentence_words.tolist() == [wanted]


def test_where_it_begins_depends_on_the_hash_alone() -> None:
    text = " ".join(f"word{number}" for number in range(1000))
    starts = {shortened(text, EMPTY, text_hash(str(n)), 100)[0].split()[0] for n in range(50)}
    assert len(starts) > 30, "texts begin at different places"


@given(st.integers(1, 400), st.integers(1, 60))
def test_long_texts_come_in_pieces_of_about_the_median(words: int, median: int) -> None:
    whole = document("It is so. " * words)
    pieces = pieces_of(whole, median, "canonical")
    if whole.words < LONG * median:
        assert pieces == (whole,)
    else:
        assert len(pieces) >= LONG and "".join(piece.text for piece in pieces).split() == whole.text.split()
        assert all(piece.words <= 2 * median + 3 for piece in pieces)


def of(words: int, role: Role) -> Document:
    return replace(document("one two's drei " * (words // 3)), role=role)


def test_a_population_that_is_much_longer_is_cut_to_the_candidates_length() -> None:
    """From twice the length on; candidates' texts, and shorter ones of the population, stay as they are, and so do the ids of all."""
    known = [of(300, Role.CANDIDATE), of(360, Role.CANDIDATE), of(900, Role.POPULATION), of(660, Role.POPULATION)]
    assert much_longer(known) == 330 and much_longer([*known, of(90, Role.POPULATION), of(90, Role.POPULATION)]) == 0
    assert much_longer(known[:2]) == much_longer(known[2:]) == much_longer([]) == 0
    known.append(of(150, Role.POPULATION))
    cut = population_cut(known, 330, "canonical")
    assert [each.words for each in cut] == [300, 360, 330, 330, 150]
    for before, after in zip(known, cut, strict=True):
        assert len(WORD.findall(after.text)) == after.words and after.text in before.text and after.id == before.id
    assert cut[0] is known[0] and cut[-1] is known[-1]


def test_what_is_learnt_from_such_a_population(few: Corpus, language: LanguageModel) -> None:
    """Counts, lengths and the median are those of the passages, which is kept."""
    first = few.active.authors[0]
    short = few.changed(
        lambda each: (
            replace(each, body=" ".join(each.text.split()[:100]), words=100, cuts=())
            if each.author == first
            else replace(each, role=Role.POPULATION)
        )
    )
    learnt, texts = read_known(short, TrainingOptions(FORENSIC, families=("words",)), language)
    assert learnt.cut_to == 100 and learnt.median_words == 100
    totals = texts.counts.table("words").totals
    assert (totals < 110).all(), "no text of the population is longer than the candidate's, but for words of two parts"
    assert Learnt.from_arrays(*learnt.to_arrays()).cut_to == 100


def test_nothing_is_known_of_the_length_of_no_texts() -> None:
    whole = document("It is so. " * 50)
    assert pieces_of(whole, 0.0, "canonical") == (whole,)


def test_what_is_cut_out_does_not_come_back(language: LanguageModel) -> None:
    text = " ".join(["quoted"] * 200 + ["own"] * 200)
    whole = replace(document(text), cuts=(Cut(0, text.index("own"), "quoted"),), words=200)
    read = read_texts([whole], TrainingOptions(families=("words",)), language)
    assert read.rungs[1:] and all(each.table("words").keys.words == ("own",) for each in read.cut.values())


@pytest.fixture(scope="module")
def texts(few: Corpus, language: LanguageModel) -> Texts:
    return read_texts(few.documents[:6], TrainingOptions(), language)


def test_texts_are_counted_whole_and_cut(few: Corpus, language: LanguageModel, texts: Texts) -> None:
    documents = few.documents[:6]
    assert texts.rungs == (WHOLE, *rungs([each.words for each in documents], SHORTEST))
    assert list(texts.labels) == [each.author for each in documents]
    assert list(texts.sources) == [each.sources for each in documents]
    rung = texts.rungs[2]
    whole = [canonical(each.text).text for each in documents]
    read = zip(whole, analyse(whole, language), [each.sha256_text for each in documents], strict=True)
    cut, analyses = zip(*(shortened(*each, rung) for each in read), strict=True)
    assert equal(texts.cut[rung], extract(cut, analyses, EVERY_FAMILY, language.function_words))
    assert {len(WORD.findall(text)) for text in cut} == {rung}
    train, test = np.array([0, 2, 3]), np.array([1, 4])
    known, tried = texts.split(train, test)
    assert equal(known, texts.counts.rows(train)) and equal(tried, texts.counts.rows(test))


def test_nothing_is_cut_where_nothing_is_validated(few: Corpus, language: LanguageModel) -> None:
    assert read_texts(few.documents[:2], TrainingOptions(profile=PAPER), language).rungs == (WHOLE,)


def test_a_mask_of_frequent_words_is_learnt_without_the_tried_texts(few: Corpus, language: LanguageModel) -> None:
    documents = few.documents[:4]
    options = TrainingOptions(mask="distortion", families=("words",))
    read = read_texts(documents, options, language)
    train, test = np.array([0, 1]), np.array([2, 3])
    known, tried = read.split(train, test)
    learnt = Mask.fit("distortion", [canonical(documents[row].text).text for row in train])
    assert known.mask == tried.mask == learnt != read.counts.mask
    tried_texts = [documents[row] for row in test]
    assert equal(tried, count_documents(tried_texts, language, ("words",), learnt, typing="canonical"))


def test_the_profile_decides_on_the_typing(language: LanguageModel) -> None:
    """Re-typed texts are the same for the forensic profile, whole and cut, and the paper's counts them as they were typed."""
    straight = " ".join(["Nobody's boat - the old one - came, and it didn't \"sail\" again..."] * 40)
    curly = straight.replace("'", "’").replace(" - ", " — ").replace(' "', " “").replace('"', "”").replace("...", "…")
    wrapped = textwrap.fill(curly, 72)
    documents = [replace(document(text), sha256_text="0" * 64) for text in (straight, curly, wrapped)]
    forensic, paper = (
        [read_texts([each], TrainingOptions(profile=profile), language) for each in documents]
        for profile in (FORENSIC, PAPER)
    )
    for other in forensic[1:]:
        assert other.rungs == forensic[0].rungs and len(other.rungs) > 2
        assert equal(other.counts, forensic[0].counts) and other.counts.typing == "canonical"
        assert all(equal(other.cut[rung], forensic[0].cut[rung]) for rung in other.cut)
    for text, read in zip((straight, curly, wrapped), paper, strict=True):
        assert equal(read.counts, extract([text], analyse([text], language), function_words=language.function_words))
