"""What a report quotes and marks is the text as it was typed, though features are counted in its canonical typing."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from forensia import paths
from forensia.case.session import Session
from forensia.case.store import Case
from forensia.corpus import read_disputed
from forensia.corpus.typing import canonical
from forensia.report.strongest import ExplainedFused, ModelReader, explained, strongest


@pytest.mark.parametrize("fused", [True, False])
def test_a_text_is_quoted_as_it_was_typed(small_case: Path, tmp_path: Path, fused: bool) -> None:
    """A text with curly quotes, soft hyphens and wraps rests on the same features as the plain one; quotations and marks are its own."""
    straight = (paths.sample_case() / "disputed" / "anonymous-1.txt").read_text("utf-8")
    wrapped = "\n\n".join(textwrap.fill(each, 72, break_on_hyphens=False) for each in straight.split("\n\n"))
    retyped = wrapped.replace("'", "’").replace("e ", "e\u00ad ").replace(", ", ",\u00a0")
    (tmp_path / "typed.txt").write_text(retyped, "utf-8")
    with Case.open(small_case, read_only=True) as case, case.analyses() as cache:
        session = Session.of(case)
        plain, odd = (
            read_disputed(file) for file in (paths.sample_case() / "disputed/anonymous-1.txt", tmp_path / "typed.txt")
        )
        reader = ModelReader(session, cache)
        both = [
            (explained if fused else strongest)(session, reader, each, session.judged(each, cache))
            for each in (plain, odd)
        ]
    found, other = (each.scores[0] if isinstance(each, ExplainedFused) else each for each in both)
    assert odd.text != plain.text and found is not None and other is not None
    assert [each.relative for each in found.families] == [each.relative for each in other.families]
    line = " ".join(odd.text.replace("\u00ad", "⟨U+00AD⟩").split())
    for ours, theirs in zip((*other.favourable, *other.adverse), (*found.favourable, *found.adverse), strict=True):
        assert ours.feature == theirs.feature and len(ours.quoted) == len(theirs.quoted)
        for one, two in zip(ours.quoted, theirs.quoted, strict=True):
            assert " ".join(f"{one.before}{one.there}{one.after}".strip("…").split()) in line
            assert canonical(one.there).text.split() == two.there.split()
    marked = [
        [(each.sign, canonical(text[each.start : each.end]).text.split()) for each in told.marks]
        for told, text in zip(both, (plain.text, odd.text), strict=True)
    ]
    assert marked[0] == marked[1] and len(marked[0]) > 5
