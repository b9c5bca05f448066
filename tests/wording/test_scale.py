"""The verbal scale: bands, inversion, bounds and intervals."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.errors import SettingsError
from forensia.evidence.calibration import Bounds
from forensia.wording.ratios import (
    ENFSI_2015,
    MARQUIS_2016,
    SCALES,
    Support,
    VerbalScale,
    another_listed,
    author_wrote,
    forbidden_in,
    spanned,
    support_statement,
)

HP, HD = author_wrote("Ann"), another_listed()


@pytest.mark.parametrize(
    ("lr", "band"),
    [(1.1, "weak"), (10, "weak"), (11, "moderate"), (100, "moderate"), (110, "strong"), (1_000, "strong"),
     (1_100, "very strong"), (10_000, "very strong"), (11_000, "extremely strong"), (1e300, "extremely strong")],
)  # fmt: skip
def test_bands_of_the_default(lr: float, band: str) -> None:
    assert MARQUIS_2016.support(math.log10(lr)) == Support(band, "hp")
    assert MARQUIS_2016.support(-math.log10(lr)) == Support(band, "hd")


def test_one_supports_neither() -> None:
    assert MARQUIS_2016.support(0.0).favours == "neither"
    assert MARQUIS_2016.support(0.01).favours == "neither"  # printed as 1.0
    assert MARQUIS_2016.support(0.03).favours == "hp"  # printed as 1.1
    assert MARQUIS_2016.support(math.nan).band == "not estimable"
    assert MARQUIS_2016.support(math.inf).band == "extremely strong"


def test_word_and_printed_figure_agree() -> None:
    """1,004 is printed as 1,000, and 1,000 is strong."""
    assert MARQUIS_2016.support(math.log10(1_004)).band == "strong"


@given(st.floats(-12, 12), st.floats(-12, 12), st.sampled_from(list(SCALES.values())))
def test_stronger_lr_never_gets_a_weaker_word(a: float, b: float, scale: VerbalScale) -> None:
    order = ["no support for either proposition", *(word for _, word in scale.bands)]
    low, high = sorted((abs(a), abs(b)))
    assert order.index(scale.support(low).band) <= order.index(scale.support(high).band)


def test_spanned_bands() -> None:
    assert spanned((1.2, 1.8)) == (Support("moderate", "hp"),)
    assert spanned((0.5, 2.5)) == (Support("weak", "hp"), Support("strong", "hp"))
    assert spanned((-0.5, 0.5)) == (Support("weak", "hd"), Support("weak", "hp"))


def test_statement_follows_the_bounded_lr() -> None:
    text = support_statement(6.0, HP, HD, bounds=Bounds(-1.0, 1.5, 20, 40))
    assert text == (
        "On the scale of Marquis et al. (2016) the findings give moderate support for the proposition that Ann wrote "
        "the disputed text rather than that another of the listed authors wrote the disputed text."
    )


def test_statement_names_both_bands_of_an_interval() -> None:
    assert "(over the 95 % interval: weak to strong)" in support_statement(1.5, HP, HD, (0.4, 2.2))
    assert "(over the 90 % interval: weak to strong)" in support_statement(-1.5, HP, HD, (-2.2, -0.4), level=0.9)
    across = support_statement(0.5, HP, HD, (-0.5, 1.2))
    assert f"from weak support that {HD} to moderate support that {HP}" in across
    assert "interval" not in support_statement(1.5, HP, HD, (1.2, 1.8))
    assert "no support for either proposition to weak" in support_statement(0.3, HP, HD, (0.0, 0.4))


def test_statement_below_one_names_the_other_proposition_first() -> None:
    text = support_statement(-2.5, HP, HD)
    assert f"strong support for the proposition that {HD} rather than that {HP}" in text
    assert "not estimable" in support_statement(math.nan, HP, HD)


@given(st.floats(-12, 12), st.floats(-12, 12), st.floats(-12, 12))
def test_nothing_forbidden_is_said(log10_lr: float, a: float, b: float) -> None:
    assert forbidden_in(support_statement(log10_lr, HP, HD, (min(a, b), max(a, b)))) == []


def test_scales_are_named_and_can_be_made() -> None:
    assert set(SCALES) == {"Marquis et al. (2016)", "ENFSI (2015)"}
    assert ENFSI_2015.support(math.log10(500)).band == "moderately strong"
    assert "Laboratory" in support_statement(1.0, HP, HD, scale=VerbalScale("Laboratory", ((math.inf, "some"),)))


@pytest.mark.parametrize(
    "bands",
    [(), ((10.0, "weak"),), ((10.0, "weak"), (5.0, "odd"), (math.inf, "strong")), ((1.0, "none"), (math.inf, "all"))],
)
def test_senseless_scales_are_refused(bands: tuple[tuple[float, str], ...]) -> None:
    with pytest.raises(SettingsError, match="makes no sense"):
        VerbalScale("Mine", bands)


def test_support_in_words() -> None:
    assert Support("weak", "hd").words == "weak support for the second proposition"
    assert MARQUIS_2016.support(0.0).words == "no support for either proposition"
