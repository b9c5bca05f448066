"""What is said, to the word, and what is never said."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.evidence.calibration import Bounds
from forensia.wording.ratios import (
    CONFORMAL_CAPTION,
    ONE_WRITER,
    RANKING_CAPTION,
    TWO_WRITERS,
    another_listed,
    author_wrote,
    figure,
    forbidden_in,
    lr_figure,
    lr_statement,
    model_score,
    none_statement,
    percent,
    two_significant,
    unlisted,
)

HP, HD = "Ann wrote the disputed text", "another of the listed authors wrote the disputed text"
BOUNDS = Bounds(-1.8, 2.5, 60, 1_200)


def test_propositions() -> None:
    assert author_wrote("Ann") == HP
    assert another_listed() == HD
    assert unlisted("exhibit 3") == "somebody who is not in the corpus wrote exhibit 3"


@pytest.mark.parametrize(
    ("value", "text"),
    [(1, "1.0"), (1.04, "1.0"), (1.06, "1.1"), (9.96, "10"), (12.4, "12"), (99.6, "100"), (1_234, "1,200"), (1_250_000, "1,200,000"),
     (0.5, "0.50"), (0.0996, "0.10"), (0.001234, "0.0012"), (1e-9, "0.0000000010"), (1e9, "1,000,000,000")],
)  # fmt: skip
def test_figures(value: float, text: str) -> None:
    assert figure(value) == text


@given(st.floats(1e-9, 1e9))
def test_a_figure_is_its_number_to_two_places(value: float) -> None:
    text = figure(value)
    assert "e" not in text
    assert float(text.replace(",", "")) == pytest.approx(two_significant(value), rel=1e-12)
    assert float(text.replace(",", "")) == pytest.approx(value, rel=0.051)
    assert len(text.replace(",", "").replace(".", "").strip("0")) <= 2


@pytest.mark.parametrize("value", [0.0, -1.0, math.inf, math.nan])
def test_no_figure_for_what_cannot_be_said(value: float) -> None:
    with pytest.raises(ValueError, match="positive finite"):
        figure(value)


def test_percent() -> None:
    assert [percent(x) for x in (0.95, 0.995, 0.05, 1.0)] == ["95 %", "99.5 %", "5 %", "100 %"]


@pytest.mark.parametrize(
    ("log10_lr", "interval", "bounds", "text"),
    [
        (1.31, (0.7, 1.9), BOUNDS, f"The findings are about 20 (95 % interval 5.0 to 79) times more probable if {HP} than if {HD}."),
        (1.31, None, None, f"The findings are about 20 times more probable if {HP} than if {HD}."),
        (-1.2, (-1.7, -0.4), BOUNDS, f"The findings are about 16 (95 % interval 2.5 to 50) times more probable if {HD} than if {HP}."),
        (3.0, (2.6, 4.0), BOUNDS,
         f"The findings are at least 320 times more probable if {HP} than if {HD} (the limit that 1,260 validation comparisons support)."),
        (-4.0, None, BOUNDS,
         f"The findings are at least 63 times more probable if {HD} than if {HP} (the limit that 1,260 validation comparisons support)."),
        (3.0, (1.2, 4.0), BOUNDS,
         f"The findings are about 320 (95 % interval 16 to at least 320) times more probable if {HP} than if {HD} "
         "('at least' marks the limit that 1,260 validation comparisons support)."),
        (3.0, (1.2, 2.0), BOUNDS,
         f"The findings are about 320 (95 % interval 16 to 100) times more probable if {HP} than if {HD} "
         "(320 is the limit that 1,260 validation comparisons support)."),
        (0.4, (-0.4, 1.3), BOUNDS,
         f"The findings are about 2.5 (95 % interval 0.40 to 20) times more probable if {HP} than if {HD}. "
         "The interval includes 1: the findings may not tell the two apart."),
        (0.4, (-4.0, 5.0), BOUNDS,
         f"The findings are about 2.5 (95 % interval at most 0.016 to at least 320) times more probable if {HP} than if {HD} "
         "('at most' and 'at least' mark the limit that 1,260 validation comparisons support). "
         "The interval includes 1: the findings may not tell the two apart."),
        (0.001, (-0.4, 0.3), BOUNDS, f"The findings are about equally probable if {HP} and if {HD} (95 % interval 0.40 to 2.0)."),
        (3.0, None, Bounds(0.0, 0.0, 3, 2),
         f"The findings are about equally probable if {HP} and if {HD} (LR = 1 is the limit that 5 validation comparisons support)."),
        (2.0, (math.nan, math.nan), BOUNDS,
         f"The findings are about 100 (95 % interval not estimable) times more probable if {HP} than if {HD}."),
        (4.0, (math.nan, math.nan), BOUNDS,
         f"The findings are at least 320 times more probable if {HP} than if {HD} "
         "(the limit that 1,260 validation comparisons support; 95 % interval not estimable)."),
        (math.inf, None, None,
         f"The findings are at least 1,000,000,000 times more probable if {HP} than if {HD} (the limit of what is printed)."),
        (math.nan, None, None, f"How much more probable the findings are if {HP} than if {HD} is not estimable."),
    ],
)  # fmt: skip
def test_statements(log10_lr: float, interval: tuple[float, float] | None, bounds: Bounds | None, text: str) -> None:
    assert lr_statement(log10_lr, HP, HD, interval, bounds) == text


# 0 and infinity on their own, but not the digits inside a number.
UNSAYABLE = re.compile(r"(?<![\d.,])0(?:\.0+)?(?![\d.,])|\binf\b|infinit|∞|\bnan\b|e[+-]\d", re.IGNORECASE)


@given(
    st.floats(allow_nan=False) | st.floats(-4, 4),
    st.none() | st.tuples(st.floats(allow_nan=False), st.floats(allow_nan=False)),
    st.none() | st.tuples(st.floats(-9, 0), st.floats(0, 9)),
)
def test_never_zero_never_infinity_never_forbidden(
    log10_lr: float, ends: tuple[float, float] | None, limits: tuple[float, float] | None
) -> None:
    bounds = None if limits is None else Bounds(*limits, 100, 1_000)
    interval = None if ends is None else (min(ends), max(ends))
    text = lr_statement(log10_lr, HP, HD, interval, bounds) + " " + lr_figure(log10_lr, bounds)
    assert not UNSAYABLE.search(text.replace("LR = 1", "")), text
    assert forbidden_in(text) == []


@given(st.floats(-8, 8), st.floats(-8, 8), st.floats(-8, 8), st.floats(0.02, 8), st.floats(0.02, 8))
def test_both_directions_are_equally_prominent(x: float, a: float, b: float, down: float, up: float) -> None:
    """Exchanging the propositions gives the same sentence: nothing is said more softly for one side."""
    low, high = min(a, b), max(a, b)
    ours = lr_statement(x, HP, HD, (low, high), Bounds(-down, up, 9, 9))
    turned = lr_statement(-x, HD, HP, (-high, -low), Bounds(-up, down, 9, 9))
    if "equally probable" not in ours:  # there the order of naming is that of the question
        assert ours == turned


def test_lr_figures_for_tables() -> None:
    assert [lr_figure(x, BOUNDS) for x in (1.0, -1.0, 9.0, -9.0)] == ["10", "0.10", "at least 320", "at most 0.016"]
    assert lr_figure(math.nan) == "not estimable"
    assert lr_figure(5.0, Bounds(0.0, 0.0, 1, 1)) == "1.0"
    assert lr_figure(-math.inf) == "at most 0.0000000010"


def test_captions() -> None:
    assert [model_score(value) for value in (0.97, 0.9999, 0.0)] == ["0.97", "above 0.99", "below 0.01"]
    assert [model_score(value, short=True) for value in (0.97, 0.9999, 0.0)] == ["0.97", "> 0.99", "< 0.01"]
    assert RANKING_CAPTION == "relative ranking among the authors supplied; assumes that one of them wrote it"
    said = [
        RANKING_CAPTION, CONFORMAL_CAPTION, none_statement(0.05, 12), ONE_WRITER, TWO_WRITERS,
    ]  # fmt: skip
    assert forbidden_in(" ".join(said)) == []
    assert "approximate and weak" in none_statement(0.05, 12)


@pytest.mark.parametrize(
    "text",
    [
        "The probability that Ann wrote it is high.",
        "the likelihood\nthat  Ann Lee is the author",
        "97 % likely",
        "it is 97.5% probable that",
        "97 per cent certain",
        "confidence 97 %",
        "Confidence: 97%",
        "with 99\u202f% confidence",
        "a 95 % confidence interval",
        "The texts match.",
        "MATCHING style",
        "the author was identified",
        "an identification",
        "This proves authorship.",
        "proof of authorship",
        "Ann probably wrote it",
        "beyond reasonable doubt",
        "the probability of authorship",
    ],
)
def test_forbidden_words_are_found(text: str) -> None:
    assert forbidden_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "not the probability that Ann is the author",
        "95 % interval 3.0 to 12",
        "The file's hash is a mismatch.",
        "approved by the reviewer; report identifier 12; improve; waterproof",
        "the chance that a same-author score exceeds a different-author score",
        "Ann wrote the disputed text",
    ],
)
def test_innocent_words_are_not(text: str) -> None:
    assert forbidden_in(text) == []


def test_quoted_material_is_not_ours() -> None:
    text = "Exhibit 1, by Sam Match, holds 'a perfect\nmatch, I identified it'. The styles match."
    assert forbidden_in(text, quoted=["Sam Match", "a perfect match, I identified it", ""]) == ["match: match"]
