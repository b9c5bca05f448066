"""Which features know punctuation."""

from __future__ import annotations

import numpy as np

from forensia.corpus import Document
from forensia.features import FUSED_FAMILIES, count_documents
from forensia.features.mask import with_marks
from forensia.features.names import bare_name
from forensia.language import load_model


def test_features_with_a_mark_are_found() -> None:
    model = load_model()
    text = "Well, said the man; I saw 3 of them! (Yes.)\n\nThe end: no more."
    counts = count_documents([Document(body=text, title="a", author="A")], model, FUSED_FAMILIES, typing="canonical")
    for family in FUSED_FAMILIES:
        keys = counts.table(family).keys
        names = [bare_name(family, keys, number, model.function_words) for number in range(len(keys))]
        found = with_marks(family, keys)
        marked = {
            "character n-grams": lambda name: any(mark in name for mark in ",;!().:"),
            "words": lambda name: False,
            "function words": lambda name: False,
            "masked tokens": lambda name: any(f"[{mark}" in name for mark in ("comma", "semi", "excl", "open", "clos", "full", "colon")),
            "POS n-grams": lambda name: "PUNCT" in name.split() or "SYM" in name.split(),
            "layout": lambda name: any(mark in name for mark in ",;!().:"),
        }[family]  # fmt: skip
        assert np.array_equal(found, [marked(name) for name in names]), family
        assert found.any() == (family not in ("words", "function words"))
