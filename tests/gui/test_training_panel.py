"""The choice of families: every one can be chosen, and what is left must be enough for Pr(Same) and for the fused ranking."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from forensia import cli
from forensia.case import Case
from forensia.case.session import open_model
from forensia.errors import SettingsError
from forensia.evidence.learnt import UsedTexts
from forensia.features import EVERY_FAMILY, FAMILIES, FUSED_FAMILIES
from forensia.gui.pages.model.training import TrainingPanel
from forensia.gui.window import MainWindow
from forensia.gui.words import families, family_name
from forensia.profile import FORENSIC, PAPER, profile_named
from forensia.service.training import train_case
from forensia.systems.pairmodel import FEWEST, TrainingOptions

ONLY_PAIRED = ("word lengths", "sentence lengths", "punctuation")


@pytest.fixture
def panel(window: MainWindow, hand: ModuleType, rest: Callable[[], None], tmp_path: Path) -> TrainingPanel:
    """The settings of a case that can be trained."""
    hand.drop(window, hand.make_corpus(tmp_path / "known"))
    rest()
    window.rail.go("model")
    return window.model.settings


def _choose(panel: TrainingPanel, wanted: tuple[str, ...], profile: str = "forensic") -> None:
    panel.profile.setCurrentIndex(panel.profile.findData(profile))
    for name, box in panel.families.items():
        box.setChecked(name in wanted)


def test_every_family_has_a_name_of_its_own() -> None:
    assert tuple(families()) == EVERY_FAMILY
    names = [family_name(family) for family in EVERY_FAMILY]
    assert len(set(names)) == len(EVERY_FAMILY) and not {"masked tokens", "layout"} & set(names)


def test_the_panel_begins_with_what_the_command_line_takes(panel: TrainingPanel) -> None:
    assert panel.options()["families"] == TrainingOptions().families and panel.button.isEnabled()


def test_what_the_paper_does_not_know_cannot_be_chosen_for_its_profile(panel: TrainingPanel) -> None:
    for profile, greyed in (("paper", {"masked tokens", "layout"}), ("forensic", set())):
        _choose(panel, EVERY_FAMILY, profile)
        assert {name for name, box in panel.families.items() if not box.isEnabled()} == greyed


def test_what_is_left_must_be_enough(panel: TrainingPanel) -> None:
    for wanted, said in (
        ((), "at least one thing"),
        (("masked tokens", "layout"), "Pr(Same) is learnt from none of these"),
        (("layout",), "Pr(Same) is learnt from none of these"),
        (ONLY_PAIRED, "fused ranking rests on none of these"),
    ):
        _choose(panel, wanted)
        assert said in panel.blocked.text() and not panel.blocked.isHidden() and not panel.button.isEnabled()
    for wanted in (("function words",), ("punctuation", "layout"), ONLY_PAIRED):
        _choose(panel, wanted, "paper" if wanted is ONLY_PAIRED else "forensic")
        assert panel.blocked.isHidden() and panel.button.isEnabled(), "the paper's profile has no fused ranking"


def test_the_panel_and_the_training_have_one_rule(panel: TrainingPanel) -> None:
    for profile in ("forensic", "paper"):
        for count in (1, 2):
            for wanted in combinations(EVERY_FAMILY, count):
                _choose(panel, wanted, profile)
                assert panel.button.isEnabled() == TrainingOptions(profile_named(profile), families=wanted).enough


@pytest.mark.parametrize("profile", [FORENSIC, PAPER])
def test_enough_is_one_family_for_each_system(profile: object) -> None:
    for family in EVERY_FAMILY:
        options = TrainingOptions(profile, families=(family,))
        assert options.enough == (family in FAMILIES and (profile is PAPER or family in FUSED_FAMILIES))


def test_at_most_so_many_texts_of_each_author(
    window: MainWindow, hand: ModuleType, rest: Callable[[], None], qtbot: QtBot, tmp_path: Path
) -> None:
    """Typed into the field, it trains the model that the command line trains; page and status bar say how many were used."""
    folder = hand.make_corpus(tmp_path / "known", ("Ann", "Ben", "Cleo", "Dan"), 5)
    hand.drop(window, folder)
    rest()
    window.rail.go("model")
    panel = window.model.settings
    assert panel.at_most.text() == "all" and panel.options()["at_most"] == 0
    panel.at_most.stepUp()
    assert panel.options()["at_most"] == FEWEST == 2, "one text of an author is too few to be chosen"
    panel.at_most.selectAll()
    qtbot.keyClicks(panel.at_most, "4")
    _choose(panel, ("function words", "words", "character n-grams"), "paper")
    qtbot.mouseClick(panel.button, Qt.MouseButton.LeftButton)
    rest()
    shown = window.opencase.shown
    assert shown is not None and shown.model is not None and shown.model.record.used == UsedTexts(4, 16, 20)
    labels = [each.text() for each in window.model.numbers.findChildren(QLabel)]
    assert "16 of 20, at most 4 of each author" in labels[labels.index("Known texts used") :]
    qtbot.waitUntil(lambda: "4 authors, 16 documents, 4 left out" in window.state.text(), timeout=60_000)
    out = tmp_path / "line.json"
    command = ["train", str(folder), "-o", str(tmp_path / "line.forensia"), "--profile", "paper", "--at-most", "4"]
    assert cli.run([*command, "--jobs", "1", "--json", str(out)]) == 0
    used = json.loads(out.read_text("utf-8"))["model"]["used"]
    assert used == {"at_most": 4, "documents": 16, "known": 20}
    with Case.open(tmp_path / "line.forensia", read_only=True) as case:
        assert open_model(case).learnt.documents == shown.model.names


def test_too_few_families_are_refused_before_anything_is_done(tmp_path: Path) -> None:
    with Case.create(tmp_path / "case.forensia") as case:
        before = len(list(case.log.entries()))
        with pytest.raises(SettingsError, match="Choose one of these too: character n-grams"):
            train_case(case, TrainingOptions(families=ONLY_PAIRED))
        with pytest.raises(SettingsError, match="Choose one of these too: character n-grams"):
            train_case(case, TrainingOptions(PAPER, families=("layout",)))
        assert len(list(case.log.entries())) == before
