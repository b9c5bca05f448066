"""Figures: they show what they are given, name people literally, say what they cannot show, and give the same bytes twice."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from defusedxml.ElementTree import fromstring
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.text import Text

from forensia import figures
from forensia.evidence.calibration import Bounds
from forensia.evidence.measures import (
    Confusion,
    EceCurve,
    ReliabilityCurve,
    TippettCurves,
    confusion,
    ece_curve,
    pav,
    reliability_curve,
    tippett_curves,
)  # fmt: skip
from forensia.figures import DARK, LIGHT, PRINT, Drawing, Look
from forensia.figures.authors import MOST_ROWS
from forensia.figures.export import _without_quadratics, to_operators
from forensia.figures.look import contrast, decades, even, labels, lightness
from forensia.wording.ratios import ENFSI_2015, forbidden_in, share
from forensia.wording.templates import elided

LOOKS = {"light": LIGHT, "dark": DARK, "print": PRINT}
HOSTILE = (
    r"$\undefined$", "_smith", "<b>bold</b>", "&amp; \"quoted\" 'n'", "A" * 250 + "Z" * 250, "محمد بن عبد الله", "tab\tand\nline",
    "bidi\u202egnp.exe", "日本", "lone\udcff", "", "%s {0} \\n", "]]> -->", "e" + "\u0301" * 40,
)  # fmt: skip


def _gallery() -> ModuleType:
    spec = importlib.util.spec_from_file_location("figure_gallery", Path(__file__).with_name("gallery.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def gallery() -> ModuleType:
    return _gallery()


@pytest.fixture(scope="module")
def printed(gallery: ModuleType) -> dict[str, Drawing]:
    """Every figure of a case of twelve authors."""
    return dict(gallery.drawings(12, PRINT))


@pytest.fixture(scope="module")
def svgs(printed: dict[str, Drawing]) -> dict[str, bytes]:
    """The same as SVG."""
    return {name: figures.to_svg(drawing.figure) for name, drawing in printed.items()}


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_visible() and text.get_text()]


def lines(figure: Figure, axes: int = 0) -> list[tuple[list[float], list[float]]]:
    return [
        (list(np.asarray(line.get_xdata(), float)), list(np.asarray(line.get_ydata(), float)))
        for line in figure.axes[axes].lines
    ]


# --- what they show ------------------------------------------------------------------------------------------------


def test_tippett_goes_through_its_points() -> None:
    curves = TippettCurves(np.array([-2.0, 0.0, 2.0]), np.array([1.0, 0.9, 0.2]), np.array([0.8, 0.1, 0.0]))
    drawn = lines(figures.tippett(curves).figure)
    assert ([-2.0, 0.0, 2.0], [1.0, 0.9, 0.2]) in drawn
    assert ([-2.0, 0.0, 2.0], [0.8, 0.1, 0.0]) in drawn


def test_pav_goes_through_its_blocks() -> None:
    fit = pav([0.5, 1.0, 2.0, -0.5], [-2.0, -1.0, 0.6])
    drawing = figures.pav_plot(fit)
    finite = np.isfinite(fit.log10_lr)
    steps = np.repeat(fit.log10_lr[finite], 2)
    assert any(list(y) == pytest.approx(list(steps)) for _, y in lines(drawing.figure) if len(y) == steps.size)
    x, y = lines(drawing.figure)[-1]
    assert y[0] == y[1] == drawing.figure.axes[0].get_ylim()[1]  # the block without a different-author pair
    assert (x[0], x[1]) == (fit.low[-1], fit.high[-1])


def test_ece_marks_cllr_at_even_odds() -> None:
    curve = ece_curve([0.5, 1.0, 2.0, -0.5], [-2.0, -1.0, 0.6])
    drawing = figures.ece(curve)
    value = float(curve.lr[60])
    assert ([0.0], [value]) in lines(drawing.figure)
    assert f"Cllr {value:.2f}" in texts(drawing.figure)
    assert f"{value:.2f} bits" in drawing.alt


def test_ece_beyond_the_axes_is_left_out() -> None:
    grid = np.linspace(-3, 3, 7)
    drawing = figures.ece(EceCurve(grid, np.linspace(0, 9, 7), np.full(7, 0.2), np.full(7, 0.5)))
    top = drawing.figure.axes[0].get_ylim()[1]
    assert all(np.nanmax(y) <= top for _, y in lines(drawing.figure))


def test_reliability_shows_each_group() -> None:
    drawing = figures.reliability(ReliabilityCurve(np.array([0.1, 0.8]), np.array([0.2, 0.7]), np.array([3.0, 1.0])))
    assert ([0.1, 0.8], [0.2, 0.7]) in lines(drawing.figure)
    assert [bar.get_height() for bar in drawing.figure.axes[1].patches] == [0.75, 0.25]


def test_open_set_labels_the_rates_that_were_measured() -> None:
    drawing = figures.open_set([1, 10, 100], [0.6, 0.13, 0.01], one_supported=[0.09, 0.017, 0.001], candidates=10)
    assert ([0.0, 1.0, 2.0], [0.6, 0.13, 0.01]) in lines(drawing.figure)
    assert {"60 %", "13 %", "1.0 %", "outsider: supports at least one of 10"} <= set(texts(drawing.figure))


def test_k_accuracy_rings_the_chosen_k() -> None:
    drawing = figures.k_accuracy([0.5, 0.8, 0.7], 2, chance=0.25)
    assert ([1.0, 2.0, 3.0], [0.5, 0.8, 0.7]) in lines(drawing.figure)
    assert ([2.0], [0.8]) in lines(drawing.figure)
    assert {"k = 2: 80 %", "by chance 25 %"} <= set(texts(drawing.figure))


def test_confusion_has_a_cell_for_each_pair_that_occurred() -> None:
    table = confusion(["a", "a", "b", "c"], ["a", "b", "b", "b"])
    drawing = figures.confusion_matrix(table)
    (cells,) = [each for each in drawing.figure.axes[0].collections if isinstance(each, PolyCollection)]
    centres = {tuple(path.vertices[:4].mean(axis=0).round(6)) for path in cells.get_paths()}
    assert centres == {(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (1.0, 2.0)}
    assert texts(drawing.figure).count("1") == 4
    assert "2 of 4 documents" in drawing.alt


def test_fifty_authors_have_names_but_no_numbers() -> None:
    names = [f"Author {i}" for i in range(50)]
    drawing = figures.confusion_matrix(Confusion(tuple(names), np.eye(50) * 7, np.ones(50)))
    shown = texts(drawing.figure)
    assert shown.count("Author 49") == 2
    assert "7" not in shown


def test_f1_is_ordered_and_names_what_is_missing() -> None:
    drawing = figures.f1_by_author(
        ["a", "b", "c"],
        [0.5, np.nan, 0.9],
        precision=[0.4, np.nan, 1.0],
        recall=[0.6, np.nan, 0.8],
        intervals=[[0.4, 0.6], [np.nan, np.nan], [0.8, 1.0]],
        documents=[5, 1, 9],
    )
    axes = drawing.figure.axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["c", "a", "b"]
    shown = texts(drawing.figure)
    assert "not estimable" in shown and {"5", "1", "9"} <= set(shown)
    assert "First: c; last: b" in drawing.alt


def test_the_strip_has_every_document_where_it_can_be_pointed_at() -> None:
    scores = [0.9, 0.2, 0.8, 0.1, 0.85]
    authors = ["A", "B", "A", "B", "A"]
    drawing = figures.pr_same(scores, authors, ["A", "B"], 2, author_scores=[0.875, 0.15])
    points = drawing.points
    assert points is not None
    assert sorted(int(i) for i in points[:, 2]) == [0, 1, 2, 3, 4]
    assert all(x == scores[int(i)] for x, _, i in points)
    assert all(abs(y - "AB".index(authors[int(i)])) < 0.5 for _, y, i in points)
    filled = drawing.figure.axes[0].lines[-2]  # the two kinds of dots are drawn last
    assert sorted(np.asarray(filled.get_xdata(), float)) == [0.1, 0.2, 0.85, 0.9]
    assert "0.88" in texts(drawing.figure) or "0.87" in texts(drawing.figure)


def test_dots_of_one_score_do_not_hide_each_other() -> None:
    points = figures.pr_same([0.5] * 5, ["A"] * 5, ["A"], 1).points
    assert points is not None
    assert len({float(y) for y in points[:, 1]}) == 5


def test_heat_map_groups_known_documents_by_author() -> None:
    scores = np.array([[0.1, 0.9, 0.2], [0.3, 0.4, 0.5]])
    drawing = figures.heat_map(scores, ["x", "y"], ["A", "B", "A"])
    points = drawing.points
    assert points is not None
    assert {(x, y): int(i) for x, y, i in points} == {
        (0, 0): 0, (1, 0): 2, (2, 0): 1, (0, 1): 3, (1, 1): 5, (2, 1): 4,
    }  # fmt: skip
    assert "0.90, of x with B" in drawing.alt


def test_pair_map_puts_the_texts_of_a_group_together() -> None:
    log10 = np.array([[0.0, -1.0, 0.5], [-1.0, 0.0, -0.25], [0.5, -0.25, 0.0]])
    drawing = figures.pair_map(log10, ["x", "y", "z"], [[0, 2], [1]])
    (axes,) = drawing.figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["x", "z", "y"]
    assert [text.get_text() for text in axes.texts] == ["+0.5", "-1.0", "+0.5", "-0.2", "-1.0", "-0.2"]
    assert [max(line.get_xdata()) - min(line.get_xdata()) for line in axes.lines] == [2, 1]
    assert "from -1.00 to +0.50" in drawing.alt and "2 groups" in drawing.alt


def test_heat_map_of_many_documents_has_a_column_for_each_author() -> None:
    scores = np.tile([0.1, 0.9], 100)
    drawing = figures.heat_map(scores, ["x"], ["A", "B"] * 100, k=3)
    assert drawing.points is not None and len(drawing.points) == 2
    assert {"0.10", "0.90"} <= set(texts(drawing.figure))


def test_lr_scale_shows_bounded_ratios_with_their_words() -> None:
    drawing = figures.lr_scale(
        ["A", "B", "C"], [1.5, -8.0, np.nan], intervals=[[1.0, 2.0], [-9.0, -7.0], [np.nan, np.nan]], bounds=Bounds(-2.0, 2.5, 50, 500)
    )  # fmt: skip
    shown = texts(drawing.figure)
    assert {"32", "at most 0.010", "not estimable", "weak", "moderate", "very\nstrong"} <= set(shown)
    drawn = lines(drawing.figure)
    assert ([1.5], [0.0]) in drawn and ([-2.0], [1.0]) in drawn and ([1.0, 2.0], [0.0, 0.0]) in drawn
    assert not any(
        abs(value) > 2.5 for x, y in drawn for value in x if y and y[0] in (0.0, 1.0) and len(y) < 3 and y != [0, 1]
    )
    assert "A: 32; B: at most 0.010; C: not estimable" in drawing.alt


def test_another_verbal_scale() -> None:
    drawing = figures.lr_scale(["A"], [5.0], scale=ENFSI_2015)
    assert "moderately strong" in texts(drawing.figure)  # turned, because it is too long for its band
    assert drawing.figure.axes[0].get_position().height * drawing.figure.get_figheight() > 0.2


def test_families_point_both_ways() -> None:
    drawing = figures.families(["words", "punctuation"], [0.5, 1.5], [-1.0, -0.2])
    widths = sorted(round(bar.get_width(), 6) for bar in drawing.figure.axes[0].patches)
    assert widths == [-1.0, -0.2, 0.5, 1.5]
    assert {"−0.50", "+1.30", "balance"} <= set(texts(drawing.figure))
    only = figures.families(["words", "punctuation"], [0.5, 0], [0, -0.2])
    assert "balance" not in texts(only.figure)


def test_known_texts_by_author() -> None:
    drawing = figures.by_author(["few", "many"], [2, 9], [2_000, 12_345])
    assert [label.get_text() for label in drawing.figure.axes[0].get_yticklabels()] == ["many", "few"]
    assert {"9", "2", "12,345", "2,000"} <= set(texts(drawing.figure))
    small = figures.by_author_small([2, 9], [2_000, 12_345], LIGHT.sized(2.6, 2.2))
    assert [bar.get_height() for bar in small.figure.axes[0].patches] == [9, 2]
    assert small.figure.get_size_inches().tolist() == [2.6, 2.2]


def test_too_many_authors_are_counted_not_dropped() -> None:
    many = [f"Author {i}" for i in range(MOST_ROWS + 40)]
    values = np.linspace(0, 1, len(many))
    for drawing in (
        figures.lr_scale(many, values),
        figures.f1_by_author(many, values),
        figures.pr_same(values, many, many, 1),
        figures.by_author(many, range(100), range(100)),
    ):
        assert f"{MOST_ROWS} of 100 authors" in drawing.alt
        assert any(f"{MOST_ROWS} of 100 authors" in text for text in texts(drawing.figure))


# --- what cannot be shown ------------------------------------------------------------------------------------------

NOTHING: dict[str, Callable[[Look], Drawing]] = {
    "tippett": lambda look: figures.tippett(tippett_curves([], [1.0, 2.0]), look),
    "tippett of nothing": lambda look: figures.tippett(TippettCurves(*[np.zeros(0)] * 3), look),
    "pav": lambda look: figures.pav_plot(None, look),
    "ece": lambda look: figures.ece(ece_curve([1.0], []), look),
    "reliability": lambda look: figures.reliability(reliability_curve([], []), look),
    "open set": lambda look: figures.open_set([], [], look),
    "open set not measured": lambda look: figures.open_set([1, 10], [None, None], look),  # type: ignore[list-item]
    "k": lambda look: figures.k_accuracy([], None, look),
    "confusion": lambda look: figures.confusion_matrix(confusion([], []), look),
    "confusion without counts": lambda look: figures.confusion_matrix(confusion([], [], classes=["a"]), look),
    "f1": lambda look: figures.f1_by_author([], [], look),
    "f1 without numbers": lambda look: figures.f1_by_author(["a"], [np.nan], look),
    "strip": lambda look: figures.pr_same([], [], [], 3, look),
    "heat map": lambda look: figures.heat_map([[]], [], [], look),
    "pair map": lambda look: figures.pair_map([[]], [], [], look),
    "pair map without numbers": lambda look: figures.pair_map(np.full((3, 3), np.nan), list("abc"), [], look),
    "heat map without numbers": lambda look: figures.heat_map([[np.nan]], ["x"], ["A"], look),
    "lr": lambda look: figures.lr_scale([], [], look),
    "lr without numbers": lambda look: figures.lr_scale(["a"], [None], look),  # type: ignore[list-item]
    "families": lambda look: figures.families([], [], [], look),
    "families without numbers": lambda look: figures.families(["words"], [np.nan], [0.0], look),
    "corpus": lambda look: figures.by_author([], [], [], look),
    "small corpus": lambda look: figures.by_author_small([], [], look),
}


@pytest.mark.parametrize("case", NOTHING, ids=str)
def test_nothing_to_show_is_said(case: str) -> None:
    drawing = NOTHING[case](LIGHT)
    assert "Not estimable" in texts(drawing.figure)
    assert "Not estimable" in drawing.alt and "Not estimable" in drawing.reading
    assert figures.to_svg(drawing.figure)


SMALLEST: dict[str, Callable[[], Drawing]] = {
    "tippett": lambda: figures.tippett(tippett_curves([0.3], [0.3])),
    "pav": lambda: figures.pav_plot(pav([0.3], [0.3])),
    "pav that divides all": lambda: figures.pav_plot(pav([1.0], [-1.0])),
    "ece": lambda: figures.ece(ece_curve([0.3], [0.3])),
    "reliability": lambda: figures.reliability(reliability_curve([0.5], [1])),
    "k": lambda: figures.k_accuracy([1.0], 1),
    "k out of range": lambda: figures.k_accuracy([0.5, 0.6], 9),
    "confusion": lambda: figures.confusion_matrix(confusion(["a"], ["a"])),
    "f1": lambda: figures.f1_by_author(["a"], [0.0]),
    "strip": lambda: figures.pr_same([0.0], ["a"], ["a", "without documents"], 5),
    "heat map": lambda: figures.heat_map([[0.0, np.nan]], ["x"], ["A", "A"]),
    "pair map": lambda: figures.pair_map([[0.0, 0.0], [0.0, 0.0]], ["x", "y"]),
    "lr": lambda: figures.lr_scale(["a"], [0.0], bounds=Bounds(0.0, 0.0, 0, 0)),
    "lr beyond all": lambda: figures.lr_scale(["a", "b"], [300.0, -np.inf], intervals=[[1, 400.0], [-np.inf, -1]]),
    "families": lambda: figures.families(["words"], [0.0], [0.0]),
    "corpus": lambda: figures.by_author(["a"], [0], [0]),
    "small corpus": lambda: figures.by_author_small([1], [1]),
}


@pytest.mark.parametrize("case", SMALLEST, ids=str)
def test_the_least_is_shown(case: str) -> None:
    drawing = SMALLEST[case]()
    assert "Not estimable" not in texts(drawing.figure)
    assert figures.to_svg(drawing.figure)
    assert "nan" not in " ".join([drawing.alt, *texts(drawing.figure)])


# --- names ---------------------------------------------------------------------------------------------------------


def named(look: Look) -> dict[str, Drawing]:
    """Every figure that names people, with names that mean harm."""
    n = len(HOSTILE)
    shares = np.linspace(0.9, 0.1, n)
    return {
        "confusion": figures.confusion_matrix(Confusion(HOSTILE, np.eye(n) * 2 + 1, np.ones(n)), look),
        "f1": figures.f1_by_author(HOSTILE, shares, look),
        "strip": figures.pr_same(shares, HOSTILE, HOSTILE, 1, look),
        "heat map": figures.heat_map(np.tile(shares, (n, 1)), HOSTILE, HOSTILE, look),
        "pair map": figures.pair_map(np.subtract.outer(shares, shares), HOSTILE, [list(range(n))], look),
        "lr": figures.lr_scale(HOSTILE, shares, look),
        "families": figures.families(HOSTILE, shares, -shares / 2, look),
        "corpus": figures.by_author(HOSTILE, range(n, 0, -1), range(n, 0, -1), look),
    }


def test_hostile_names_are_literal_everywhere() -> None:
    for drawing in named(LIGHT).values():
        shown = texts(drawing.figure)
        for name in (r"$\undefined$", "_smith", "<b>bold</b>", "%s {0} \\n"):
            assert name in shown
        assert not any(text.get_parse_math() for text in drawing.figure.findobj(Text))  # type: ignore[attr-defined]
        assert any(re.fullmatch("A+…Z+", text) for text in shown)
        assert any("[U+202E]" in text for text in shown)
        assert any("[U+DCFF]" in text for text in shown)
        assert "(no name)" in shown
        assert not any(len(text) > 60 or "\t" in text for text in shown if text.startswith(("A", "tab")))
        fromstring(figures.to_svg(drawing.figure))
    for write in (figures.to_pdf, figures.to_png):
        assert write(named(DARK)["lr"].figure)


def test_names_that_look_alike_stay_apart() -> None:
    long = ["x" * 300 + middle + "y" * 300 for middle in "ab"]
    assert len(set(labels([*long, "same", "same"], LIGHT.fonts, 20))) == 4
    assert labels(["ab\u200bc", "abc"], LIGHT.fonts, 20) == ["ab[U+200B]c", "abc"]


def test_elided_keeps_both_ends() -> None:
    assert elided("short", 10) == "short"
    assert elided("abcdefghijklmnop", 9) == "abcdef…op"
    assert all(len(elided("q" * 500, most)) == most for most in range(4, 40))


# --- looks ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_the_two_roles_differ_on_a_grey_printer(look: Look) -> None:
    assert abs(lightness(look.same) - lightness(look.different)) > 0.1
    for colour in (look.text, look.quiet):
        assert contrast(colour, look.paper) > 4.5
    for colour in (look.same, look.different):
        assert contrast(colour, look.paper) > 2.5


@pytest.mark.parametrize("look", (LIGHT, DARK), ids=("light", "dark"))
def test_every_look_draws_every_figure(gallery: ModuleType, look: Look) -> None:
    for name, drawing in gallery.drawings(4, look):
        assert drawing.figure.get_facecolor()[:3] == pytest.approx(
            [int(look.paper[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        ), name
    assert figures.to_png(drawing.figure, 50).startswith(b"\x89PNG")


def test_lines_of_two_roles_differ_in_more_than_colour(printed: dict[str, Drawing]) -> None:
    for name in ("tippett", "ece", "open_set"):
        drawn = [line for line in printed[name].figure.axes[0].lines if len(np.asarray(line.get_xdata())) > 2]
        manners = {(str(line.get_linestyle()), str(line._dash_pattern), line.get_linewidth()) for line in drawn}  # type: ignore[attr-defined]
        assert len(manners) == len(drawn), name


def test_a_transparent_background() -> None:
    from dataclasses import replace

    drawing = figures.k_accuracy([0.5, 0.6], 1, replace(LIGHT, background=None))
    first = figures.to_svg(drawing.figure).splitlines()[2]
    assert b'fill="#ffffff"' not in first
    assert drawing.figure.get_facecolor()[3] == 0


# --- files ---------------------------------------------------------------------------------------------------------


def test_the_same_data_give_the_same_bytes(svgs: dict[str, bytes], gallery: ModuleType) -> None:
    """Whatever the person's own settings of matplotlib are; and these are left alone."""
    import matplotlib

    odd = {"axes.grid": True, "font.size": 30, "text.usetex": True, "axes.facecolor": "red", "svg.fonttype": "none"}
    with matplotlib.rc_context(odd):
        for name, drawing in gallery.drawings(12, PRINT):
            assert figures.to_svg(drawing.figure) == svgs[name], name
        assert matplotlib.rcParams["font.size"] == 30


@pytest.mark.parametrize("write", (figures.to_png, figures.to_pdf, figures.to_svg), ids=("png", "pdf", "svg"))
def test_a_figure_can_be_written_again(write: Callable[[Figure], bytes]) -> None:
    """To any file, in any order, with the same bytes and no date."""
    one, other = (figures.lr_scale(["A", "B"], [1.0, -1.0]).figure for _ in range(2))
    first = write(one)
    figures.to_png(one, 72)
    figures.to_svg(one)
    assert first == write(one) == write(other)
    assert not re.search(rb"20\d\d-\d\d|CreationDate", first)


def test_svg_is_nothing_but_paths(svgs: dict[str, bytes]) -> None:
    for name, written in svgs.items():
        assert {element.tag.rpartition("}")[2] for element in fromstring(written).iter()} == {"svg", "path"}, name


def test_the_report_draws_what_the_svg_shows(printed: dict[str, Drawing], svgs: dict[str, bytes]) -> None:
    """Where each path begins, how many curves and lines there are, and which colours, turned upside down as PDF counts."""
    begins = re.compile(r"M(-?[\d.]+) (-?[\d.]+)")
    moves = re.compile(r"(-?[\d.]+) (-?[\d.]+) m\b")
    for name, drawing in printed.items():
        height = float(drawing.figure.get_size_inches()[1]) * 72
        paths = list(fromstring(svgs[name]))
        drawn = to_operators(drawing.figure, 10, 20, 0.5)
        assert drawn.startswith("q 0.50000 0 0 0.50000 10.00 20.00 cm\n") and drawn.endswith("\nQ")
        expected = np.array([found for path in paths for found in begins.findall(path.attrib["d"])], dtype=float)
        found = np.array(moves.findall(drawn), dtype=float)
        assert np.abs(found - (expected * (1, -1) + (0, height))).max() < 0.02, name
        shapes = "".join(path.attrib["d"] for path in paths)
        for letters, operator in (("L", "l"), ("QC", "c"), ("Z", "h")):
            assert sum(map(shapes.count, letters)) == len(re.findall(rf" {operator}\b", drawn)), name
        assert len(re.findall(r"(?m)^[BSf]$", drawn)) == len(paths), name
        assert len(re.findall(r" RG ", drawn)) == sum("stroke" in path.attrib for path in paths), name


def test_a_quadratic_curve_is_the_same_as_a_cubic_one() -> None:
    places, codes = np.array([(0.0, 0.0), (3.0, 6.0), (6.0, 0.0)]), np.array([1, 3, 3], dtype=np.uint8)
    line, kinds = _without_quadratics(places, codes)
    assert kinds.tolist() == [1, 4, 4, 4]
    for t in (0.25, 0.5, 0.9):
        quadratic = (1 - t) ** 2 * places[0] + 2 * t * (1 - t) * places[1] + t**2 * places[2]
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
        assert np.allclose(quadratic, sum(weight * place for weight, place in zip(weights, line, strict=True)))


def test_what_is_transparent_is_refused_on_paper() -> None:
    figure = Figure()
    figure.text(0.5, 0.5, "x", alpha=0.5)
    with pytest.raises(NotImplementedError, match="blend"):
        to_operators(figure, 0, 0, 1)


def test_nothing_is_drawn_outside_the_sheet(printed: dict[str, Drawing], svgs: dict[str, bytes]) -> None:
    number = re.compile(r"-?\d+(?:\.\d+)?")
    for name, drawing in printed.items():
        width, height = drawing.figure.get_size_inches() * 72
        for path in fromstring(svgs[name]):
            values = np.array(number.findall(path.attrib["d"]), dtype=float).reshape(-1, 2)
            assert values.min() >= -1 and values[:, 0].max() <= width + 1 and values[:, 1].max() <= height + 1, name


def test_no_two_texts_overlap(gallery: ModuleType) -> None:
    """For four and for fifty authors; touching by a pixel is no harm."""
    for authors in (4, 50):
        for name, drawing in gallery.drawings(authors, PRINT):
            figure = drawing.figure
            figure.draw_without_rendering()  # keys find their place when they are drawn
            boxes = [
                (text.get_text(), text.get_window_extent())
                for text in figure.findobj(Text)
                if text.get_visible() and text.get_text().strip()
            ]
            corners = np.array([box.extents for _, box in boxes])
            for i, (words, _) in enumerate(boxes):
                near = np.minimum(corners[i, 2:], corners[i + 1 :, 2:]) - np.maximum(
                    corners[i, :2], corners[i + 1 :, :2]
                )
                hit = np.flatnonzero((near > 2.0).all(axis=1))
                assert not hit.size, (name, authors, words, boxes[i + 1 + int(hit[0])][0])


def test_drawing_a_figure_leaves_its_canvas_alone() -> None:
    figure = figures.k_accuracy([0.5, 0.6], 1).figure
    canvas, dpi = figure.canvas, figure.dpi
    figures.to_svg(figure)
    assert figure.canvas is canvas and figure.dpi == dpi


# --- words ---------------------------------------------------------------------------------------------------------


def test_every_figure_has_words_that_may_be_said(printed: dict[str, Drawing], gallery: ModuleType) -> None:
    for name, drawing in printed.items():
        shown = texts(drawing.figure)
        assert shown[0] or name == "corpus_small"
        assert drawing.alt.rstrip().endswith((".", "…")) and len(drawing.alt) > 40, name
        assert drawing.reading.endswith("."), name
        assert not forbidden_in("\n".join([drawing.alt, drawing.reading, *shown]), quoted=gallery.NAMES), name


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0 %"), (1.0, "100 %"), (0.914, "91 %"), (0.043, "4.3 %"), (0.997, "99.7 %"), (0.99999, "above 99.9 %"),
        (0.0001, "below 0.1 %"), (float("nan"), "not estimable"),
    ],
)  # fmt: skip
def test_shares(value: float, words: str) -> None:
    assert share(value) == words


def test_ticks() -> None:
    assert decades(-2.4, 3.1, 60) == ([-2, -1, 0, 1, 2, 3], ["1/100", "1/10", "1", "10", "100", "1,000"])
    assert decades(-4, 4, 60)[0] == [-4, -2, 0, 2, 4]
    assert decades(-6, 6, 60)[1][0] == "10⁻⁶"
    assert even(0.0, 1.0, 6) == ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], ["0", "0.2", "0.4", "0.6", "0.8", "1"])
    assert even(2.0, 2.0)[0] == [2.0]
    assert even(0.0, 3000.0, 4)[1][-1] == "3,000"


# --- the house -----------------------------------------------------------------------------------------------------


def test_matplotlib_comes_with_the_first_figure() -> None:
    code = (
        "import sys, forensia.report, forensia.figures as figures\n"
        "assert not {'matplotlib', 'scipy', 'sklearn', 'fpdf'} & set(sys.modules)\n"
        "figures.k_accuracy([0.5], 1)\n"
        "assert 'matplotlib' in sys.modules and 'matplotlib.pyplot' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_figures_drawn_in_threads_are_the_same(gallery: ModuleType) -> None:
    from concurrent.futures import ThreadPoolExecutor

    import matplotlib

    before = matplotlib.rcParams["text.color"]

    def draw(number: int) -> bytes:
        value = 0.5 + number % 2 / 10
        return figures.to_svg(figures.k_accuracy([value, 0.6], 1, LOOKS["light"]).figure)

    expected = [draw(number) for number in range(2)]
    with ThreadPoolExecutor(4) as pool:
        found: list[Any] = list(pool.map(draw, range(12)))
    assert found == [expected[number % 2] for number in range(12)]
    assert matplotlib.rcParams["text.color"] == before
