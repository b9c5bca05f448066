"""What a report quotes and marks is the text as it was typed, though features are counted in its canonical typing."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from forensia import paths
from forensia.case.session import Session
from forensia.case.store import Case
from forensia.cli import contract
from forensia.cli.terminal import document_lines
from forensia.corpus import read_disputed
from forensia.corpus.typing import canonical
from forensia.report.make import make_report
from forensia.report.passages import ExplainedFused, ModelReader, explained, strongest
from forensia.service.analysing import analyse_files
from forensia.wording.reasons import sentence, warnings
from support.pdf import pages_of
from tests.report.conftest import DATE, DETAILS
from tests.report.reading import flat, strange_numbers

SAMPLE = paths.sample_case() / "disputed" / "anonymous-1.txt"


def retyped() -> str:
    """A disputed text of the sample with curly apostrophes, soft hyphens, no-break spaces and hard wraps."""
    straight = SAMPLE.read_text("utf-8")
    wrapped = "\n\n".join(textwrap.fill(each, 72, break_on_hyphens=False) for each in straight.split("\n\n"))
    return wrapped.replace("'", "’").replace("e ", "e\u00ad ").replace(", ", ",\u00a0")


@pytest.mark.parametrize("fused", [True, False])
def test_a_text_is_quoted_as_it_was_typed(small_case: Path, tmp_path: Path, fused: bool) -> None:
    """A text with curly quotes, soft hyphens and wraps rests on the same features as the plain one; quotations and marks are its own."""
    (tmp_path / "typed.txt").write_text(retyped(), "utf-8")
    with Case.open(small_case, read_only=True) as case, case.models.analyses() as cache:
        session = Session.of(case)
        plain, odd = (read_disputed(file) for file in (SAMPLE, tmp_path / "typed.txt"))
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


def test_what_was_folded_is_told(own_case: Path, tmp_path: Path) -> None:
    """On every surface, with counts; what was typed as the known texts are is not mentioned."""
    (tmp_path / "typed.txt").write_text(retyped().replace("don’t", "donâ€™t"), "utf-8")
    with Case.open(own_case) as case:
        (found,) = analyse_files(case, [tmp_path / "typed.txt"]).results
        made = make_report(case, tmp_path / "report.pdf", DETAILS, documents=[found.document], date=DATE)
        plain = next(each.result for each in case.results.all() if each.result.file == SAMPLE.name)
        with case.models.analyses() as cache:
            known = Session.of(case)
            assert known.judged(read_disputed(SAMPLE), cache).warnings == plain.warnings
    reason = next(each for each in found.warnings if each.code == "typing-differs")
    assert reason.values["kinds"] == ("apostrophe", "line", "soft-hyphen", "space")
    assert reason.values["forms"] == ("curly", "wrapped", "other", "other")
    assert reason.values["texts"] == (0, 0, 0, 0) and not any("typing" in each.code for each in plain.warnings)
    said = sentence(reason)
    assert said in warnings(found) and said in contract.document(found)["warnings"] and said in document_lines(found)
    assert any("read in a wrong encoding" in each and "donâ€™t" in each for each in warnings(found))
    text = flat("\n".join(pages_of(made.pdf)))
    assert flat(said).partition("(")[0] in text and "How the texts were typed: in how many each form stands." in text
    assert "Typed in another way" in text and "'typed.txt': not typed as most known texts are" in text
    rows = {(each.kind, each.form): each for each in made.contents.preprocessing.typing}
    assert rows["soft-hyphen", "other"].known == 0 < rows["soft-hyphen", "other"].times
    assert rows["apostrophe", "straight"].known > 20 and rows["apostrophe", "straight"].disputed == 0
    assert strange_numbers(made, pages_of(made.pdf)) == []
