"""Whether a disputed text is typed as the known ones are: the rule, its edges, and its sentences."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from forensia import codec
from forensia.corpus.document import Problem
from forensia.corpus.typing import Forms, forms_of
from forensia.evidence.result import Reason
from forensia.evidence.suitability import FEWEST, typing_warnings
from forensia.profile import Typing
from forensia.wording.reasons import FORMS, sentence

CURLY = forms_of("It’s " * 10)
STRAIGHT = forms_of("It's " * 10)
NEITHER = forms_of("It is so.")


def told(
    text: Forms,
    known: Sequence[Forms],
    authors: Sequence[str] | None = None,
    *,
    problems: Sequence[Problem] = (),
    typing: Typing = "canonical",
) -> list[Reason]:
    return list(typing_warnings(text, problems, known, authors or ["A"] * len(known), "A", typing))


def test_curly_among_straight_ones_with_its_counts() -> None:
    (found,) = told(CURLY, [STRAIGHT] * 18 + [NEITHER, CURLY], ["A"] * 4 + ["B"] * 16)
    assert found.code == "typing-differs"
    assert found.values == {
        "author": "A", "kinds": ("apostrophe",), "forms": ("curly",), "counts": (10,), "totals": (10,), "texts": (1,),
        "known": (19,), "own_texts": (0,), "own": (4,),
    }  # fmt: skip
    assert codec.typed(Reason, codec.plain(found)) == found
    said = sentence(found)
    assert "curly apostrophes or single quotes (’) (10; usual in 1 of 19 known texts that show it, 0 of 4 by A)" in said
    assert "plays no part in the comparison" in said and "not about a writer" in said


def test_the_other_way_round_and_more_than_one_kind() -> None:
    text = forms_of("“So — it's,” 'she' said - “no”, “no” - “no”, it's. “Yes.” " * 5)
    known = [forms_of("‘It’s «so» — he’s — we’ll — no —’ " * 5)] * 5
    (found,) = told(text, known)
    assert found.values["kinds"] == ("apostrophe", "quote")  # a third of the dashes are long ones: typed in no one way
    assert found.values["forms"] == ("straight", "curly")
    assert sentence(found).count("; usual in 0 of 5 known texts") == 2


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (NEITHER, [STRAIGHT] * 20),  # without quotes it differs in nothing
        (forms_of("It’s " * (FEWEST - 1)), [STRAIGHT] * 20),
        (forms_of("It’s " * 7 + "it's " * 3), [STRAIGHT] * 20),  # typed in both ways
        (CURLY, [STRAIGHT] * 8 + [CURLY] * 2),  # one text in five is not rare
        (CURLY, [STRAIGHT] * 2),  # two texts say nothing
        (CURLY, [NEITHER] * 20),
        (CURLY, []),
        (STRAIGHT, [STRAIGHT] * 20),
    ],
)
def test_no_difference(text: Forms, known: list[Forms]) -> None:
    assert told(text, known) == []


def test_of_many_forms_the_first_are_named() -> None:
    text = forms_of("It’s “so” — no… co‐op ﬁn\u00a0" * 10)
    known = [forms_of('It\'s "so" – no... co-op fin ' * 10)] * 10
    (found,) = told(text, known)
    assert len(found.values["kinds"]) == 7  # type: ignore[arg-type]
    assert sentence(found).count("10 known texts") == 4 and "; and 3 more. All this" in sentence(found)


def test_the_candidate_alone_may_type_in_another_way() -> None:
    authors = ["A"] * 3 + ["B"] * 7
    (found,) = told(CURLY, [STRAIGHT] * 3 + [CURLY] * 7, authors)
    assert found.values["texts"] == (7,) and found.values["own_texts"] == (0,) and found.values["own"] == (3,)
    assert told(CURLY, [STRAIGHT] * 2 + [CURLY] * 8, ["A"] * 2 + ["B"] * 8) == []


def test_hidden_characters_need_no_rival() -> None:
    """What has no other form is compared with all known texts; that a text has none tells nothing, because none can be counted."""
    soft = forms_of("ex\u00adact " * 5)
    (found,) = told(soft, [NEITHER] * 10)
    assert "soft hyphens (5; found in 0 of 10 known texts, 0 of 10 by A)" in sentence(found)
    assert told(NEITHER, [soft] * 10) == []


def test_lines() -> None:
    line = "She went to the mill and came back to the house before noon, and then she went once more. "
    whole = forms_of("\n\n".join([line * 8] * 3))
    wrapped = forms_of("\n".join([line.strip()] * 8))
    (found,) = told(wrapped, [whole] * 10)
    assert found.values["kinds"] == ("line",) and "hard-wrapped lines (7;" in sentence(found)
    (found,) = told(whole, [wrapped] * 10)
    assert "lines that are not wrapped" in sentence(found)


def test_texts_that_are_compared_as_typed_are_said_to_be() -> None:
    (found,) = told(CURLY, [STRAIGHT] * 10, typing="as typed")
    assert found.code == "typing-differs-and-counts" and "so this plays a part in the comparison" in sentence(found)


def test_apostrophes_that_only_the_known_texts_have() -> None:
    lost = Problem.of("no-apostrophes", why="joined", count=4, examples=("dont",))
    (found,) = told(NEITHER, [STRAIGHT] * 9 + [NEITHER], problems=[lost])
    assert found == Reason("apostrophes-missing", {"texts": 9, "known": 10})
    assert "which 9 of 10 known texts have" in sentence(found)
    assert told(NEITHER, [STRAIGHT] * 8 + [NEITHER] * 2, problems=[lost]) == []
    assert told(NEITHER, [STRAIGHT] * 10, problems=[Problem.of("no-accents", words=300, language="fr")]) == []


def test_every_form_that_can_be_counted_has_words() -> None:
    """Every character that is folded, and every form of several characters."""
    from forensia.corpus.typing import FORM_OF

    text = "'\" '' - -- – ... . . . a-b  fi\u200b\u00ad" + "x" * 200
    wrapped = forms_of("a line that flows\non to the next one")
    counted = {
        (kind, form) for each in (forms_of(text), wrapped) for kind, forms in each.counts.items() for form in forms
    }
    assert counted | set(FORM_OF.values()) == set(FORMS)
