"""One profile, with its effort, from the name to what training, validation and experiments do."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forensia.diffvectors import sample_pairs
from forensia.diffvectors.pairs import drawn_pairs
from forensia.errors import SettingsError
from forensia.features import EVERY_FAMILY, FAMILIES, FUSED_FAMILIES
from forensia.profile import FORENSIC, PAPER, PROFILES, QUICK, THOROUGH, Effort, Profile, profile_named
from forensia.systems.pairmodel import TrainingOptions

HASTY = Effort(folds=5, shortest=200, resamples=40)


def test_a_profile_is_found_by_its_name() -> None:
    assert (
        profile_named("paper") == PAPER
        and profile_named("forensic") == FORENSIC
        and list(PROFILES) == ["paper", "forensic"]
    )
    assert profile_named("forensic", QUICK) == replace(FORENSIC, effort=QUICK)
    with pytest.raises(SettingsError, match=r"no profile 'Paper'.*paper, forensic"):
        profile_named("Paper")


def test_the_profiles_differ_in_every_rule() -> None:
    """Whoever adds a rule says what both do."""
    differ = {name for name, value in vars(PAPER).items() if value != getattr(FORENSIC, name)}
    assert differ == vars(PAPER).keys() - {"effort"}
    assert FORENSIC.out_of_fold and not PAPER.out_of_fold


@pytest.mark.parametrize("effort", [THOROUGH, QUICK, HASTY, Effort(resamples=40)])
def test_effort_is_read_as_it_was_written(effort: Effort) -> None:
    header = json.loads(json.dumps({"other": 1, **effort.to_header()}))
    assert Effort.from_header(header) == effort and header["quick"] is effort.quick is (effort.folds == 5)


def test_what_version_0_1_stored_is_read_and_written_as_before() -> None:
    stored = {
        "profile": "paper", "seed": 4, "families": ["words"], "mask": "none", "language": "embedded", "function_words": "",
    }  # fmt: skip
    for quick, effort in ((False, THOROUGH), (True, QUICK)):
        read = TrainingOptions.from_dict(stored, Effort.from_header({"quick": quick}))
        assert read == TrainingOptions(replace(PAPER, effort=effort), seed=4, families=("words",))
        assert read.to_dict() == stored and read.profile.effort.to_header() == {"quick": quick}
    with pytest.raises(SettingsError, match="no profile"):
        TrainingOptions.from_dict({**stored, "profile": "strict"})


def test_which_families_are_for_pairs_and_which_for_the_fused_ranking() -> None:
    forensic, paper = TrainingOptions(), TrainingOptions(PAPER)
    assert forensic.paired == paper.paired == FAMILIES and forensic.fused == FUSED_FAMILIES and paper.fused == ()
    assert forensic.counted == EVERY_FAMILY and paper.counted == FAMILIES, "nothing is counted that nobody asks for"
    assert set(EVERY_FAMILY) == {*FAMILIES, *FUSED_FAMILIES}


@given(st.lists(st.sampled_from(EVERY_FAMILY), unique=True), st.sampled_from([PAPER, FORENSIC]))
def test_only_families_that_were_chosen_are_counted(chosen: list[str], profile: Profile) -> None:
    options = TrainingOptions(profile, families=tuple(chosen))
    assert set(options.counted) == {*options.paired, *options.fused} <= set(chosen)
    assert options.counted == TrainingOptions(profile, families=tuple(sorted(chosen))).counted, "in one order"


def test_pairs_and_their_folds_are_two_rules() -> None:
    labels = np.repeat(np.arange(4), [3, 4, 6, 9])
    uniform, matched = (sample_pairs(labels, 2, matched=each).sha256 for each in (False, True))
    assert uniform != matched
    for pairs, digest in (("uniform", uniform), ("matched", matched)):
        for c_by, grouped in (("pairs", False), ("documents", True)):
            drawn, split = drawn_pairs(labels, replace(PAPER, pairs=pairs, c_by=c_by), 2)
            assert drawn.sha256 == digest and split.grouped is grouped
