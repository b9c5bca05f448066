"""Where a case stands among the scores of the validation."""

from __future__ import annotations

import numpy as np
import pytest

from forensia.figures import DARK, LIGHT, PRINT
from forensia.figures.look import Look
from forensia.figures.scorerows import ScoreRow, score_rows


def _rows() -> list[ScoreRow]:
    generator = np.random.default_rng(2)
    return [
        ScoreRow("$x$: own texts", [3.0, 4.0, 6.0, 8.0], True),
        ScoreRow("own author", generator.normal(5, 1, 100), True),
        ScoreRow("_another", generator.normal(-5, 1, 400), False, size=40_000),
        ScoreRow("nobody", [], False),
    ]


@pytest.mark.parametrize("look", [LIGHT, DARK, PRINT], ids=["light", "dark", "print"])
def test_the_case_among_scores(look: Look) -> None:
    drawing = score_rows(_rows(), look, case=5.0, case_name="<i>text")
    shown = [text.get_text() for text in drawing.figure.axes[0].texts]
    assert "50 % as low or lower" in shown and "none as high or higher" in shown
    labels = [label.get_text() for label in drawing.figure.axes[0].get_yticklabels()]
    assert labels == ["$x$: own texts (4)", "own author (100)", "_another (40,000)"], "an empty row is left out"
    assert "<i>text stands at 5.0" in drawing.alt
    assert not any(text.get_parse_math() for text in drawing.figure.axes[0].texts)


def test_without_a_case() -> None:
    drawing = score_rows(_rows(), LIGHT)
    assert "stands at" not in drawing.alt and "overlap" in drawing.reading


def test_nothing_to_show() -> None:
    drawing = score_rows([ScoreRow("x", [float("nan")], True)], LIGHT)
    assert "ot estimable" in drawing.alt
