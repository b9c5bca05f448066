"""The sample case keeps its promises: size, balance, no name that gives an author away, and a truth the program does not read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from forensia import paths
from forensia.corpus.characters import count_words

ROOT = Path(__file__).parents[2]
KNOWN = sorted((paths.sample_case() / "known").glob("*/*/*.txt"))
DISPUTED = sorted((paths.sample_case() / "disputed").glob("*.txt"))


def test_size_and_balance() -> None:
    authors = Counter(file.parts[-3] for file in KNOWN)
    assert len(authors) >= 10 and min(authors.values()) >= 10
    for author in authors:
        kinds = Counter(file.parts[-2] for file in KNOWN if file.parts[-3] == author)
        assert set(kinds) == {"letters", "mails", "minutes", "reviews", "diary"} and set(kinds.values()) == {2}
    topics = Counter(file.stem for file in KNOWN)
    assert set(topics.values()) == {len(authors)}, "every author writes on every topic, so topic gives nobody away"


def test_lengths() -> None:
    known = {file.relative_to(paths.sample_case()).as_posix(): count_words(file.read_text("utf-8")) for file in KNOWN}
    assert not {name: words for name, words in known.items() if not 350 <= words <= 600}
    disputed = {file.name: count_words(file.read_text("utf-8")) for file in DISPUTED}
    assert len(disputed) == 4 and all(600 <= words <= 900 for words in disputed.values()), disputed


def test_no_text_names_an_author() -> None:
    names = {word for file in KNOWN for word in file.parts[-3].split()}
    common = {"Marsh", "Vale", "Finch", "Crane", "Warren", "Creed", "Oakley", "Sallow", "Beck", "Kit"}
    for file in [*KNOWN, *DISPUTED]:
        words = set(file.read_text("utf-8").split())
        assert not words & (names - common), file


def test_the_program_never_reads_the_truth() -> None:
    assert (paths.sample_case() / "TRUTH.md").is_file()
    readers = [path for path in (ROOT / "forensia").rglob("*.py") if "TRUTH" in path.read_text("utf-8")]
    assert not readers


def test_neither_impossible_nor_trivial() -> None:
    """Ten-fold cross-validation of a plain linear classifier on character n-grams, the check a sceptical user would make first."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    texts = [file.read_text("utf-8") for file in KNOWN]
    authors = np.array([file.parts[-3] for file in KNOWN])
    plain = make_pipeline(TfidfVectorizer(analyzer="char", ngram_range=(2, 4), sublinear_tf=True), LinearSVC())
    predicted = cross_val_predict(plain, texts, authors, cv=StratifiedKFold(10, shuffle=True, random_state=0))
    assert 0.70 <= (predicted == authors).mean() <= 0.97
