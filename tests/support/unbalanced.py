"""A corpus in which authors are unequal: made-up texts in habits of their own, three to twelve of each author."""

from __future__ import annotations

import numpy as np

from forensia.corpus.document import Corpus, Document, text_hash

SIZES = (3, 12, 4, 9, 5, 11, 3, 8, 6, 12, 4, 10)
WORDS = (
    "the of and to a in that is was for it with as on be at by this had not are but from or have an they which you were her she all "
    "would there we him been has when who will no more if out so up said what its about than into them can only other time new some "
    "could these two may first then do any like my now over such our man me even most made after also well did many must before back "
    "through where much your down should because how people little state good very make world still see own work men day get here "
    "between both life being under never same another know while last might us great old year off come since against go came right"
).split()
_LENGTH = 110
_APART = 0.5  # how far habits differ: so that some texts are ascribed wrongly, and some outsiders look familiar
_WITHIN = 0.3


def unbalanced(seed: int = 0) -> tuple[Corpus, list[Document]]:
    """Known texts, and one more text of each author."""
    rng = np.random.default_rng(seed)
    usual = 1 / np.arange(5, 5 + len(WORDS))
    known, disputed = [], []
    for number, texts in enumerate(SIZES):
        habit = usual * np.exp(_APART * rng.normal(size=len(WORDS)))
        for text in range(texts + 1):
            chances = habit * np.exp(_WITHIN * rng.normal(size=len(WORDS)))
            words = rng.choice(WORDS, size=_LENGTH, p=chances / chances.sum()).tolist()
            if text < texts:
                known.append(_document(f"author {number:02}", f"{number:02}-{text:02}", words))
            else:
                disputed.append(_document("", f"disputed {number:02}", words))
    return Corpus.of(known), disputed


def _document(author: str, title: str, words: list[str]) -> Document:
    sentences = (" ".join(words[start : start + 12]).capitalize() for start in range(0, len(words), 12))
    text = ". ".join(sentences) + ".\n"
    digest = text_hash(text)
    return Document(
        author, title, text, path=f"{title}.txt", sha256_text=digest, sha256_bytes=digest, language="en", words=_LENGTH
    )
