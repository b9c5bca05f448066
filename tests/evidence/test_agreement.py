"""Methods of another kind: each says what it would say by itself, before and after it was stored."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import vstack

from forensia import paths
from forensia.corpus import read_disputed
from forensia.evidence.sensitivity import Baselines
from forensia.evidence.training import Trained
from forensia.features import Vectors, count_documents
from forensia.language import LanguageModel
from forensia.systems import Impostors, LinearSVM
from forensia.systems.distances import cosines
from forensia.systems.lazy_stacked import author_scores
from forensia.systems.others import ASKED, COSINE, IMPOSTORS, OTHERS, SVM, OtherSystem


@dataclass(frozen=True)
class Known:
    """The texts of three authors, and one in question."""

    vectors: Vectors
    codes: NDArray[np.int32]
    query: Vectors


@pytest.fixture(scope="module")
def known(trained: Trained, language: LanguageModel) -> Known:
    model = trained.model
    rows = np.flatnonzero(model.codes < 3)
    document = read_disputed(paths.sample_case() / "disputed" / "anonymous-2.txt")
    query = model.fitted.vectors(count_documents([document], language, typing="canonical"))
    return Known(model.known.rows(rows), model.codes[rows], query)


@pytest.fixture(scope="module")
def baselines(known: Known) -> Baselines:
    return Baselines.fit(known.vectors, known.codes, 3)


def test_each_method_says_what_it_says_alone(known: Known, baselines: Baselines) -> None:
    vectors, codes, query = known.vectors, known.codes, known.query
    found = {each.system: each for each in baselines.scores(vectors, codes, 2, query)}
    assert tuple(found) == ASKED
    cosine, svm, impostors = (found[name] for name in (COSINE, SVM, IMPOSTORS))
    similar = cosines(query, vectors)
    assert np.allclose(cosine.scores, author_scores(similar, codes, 2)[0]) and cosine.threshold is None
    machine = LinearSVM(seed=3).fit(vectors, codes.tolist())
    assert np.allclose(svm.scores, machine.decision_function(query)[0], rtol=1e-3, atol=1e-3) and svm.threshold is None
    method = Impostors(seed=3).fit(vectors, codes.tolist())
    for author in range(3):
        nearest = vectors.rows(np.where(codes == author, similar[0], -np.inf).argmax(keepdims=True))
        sparse = vstack((query.sparse, nearest.sparse), format="csr")
        pool = Vectors(np.vstack((query.dense, nearest.dense)), sparse, vectors.blocks)
        alone = method.scores(pool, np.array([0]), np.array([1]), barred=(codes == author)[None])
        assert impostors.scores[author] == pytest.approx(float(alone[0]))
    assert impostors.threshold == method.sigma_


def test_stored_and_read_again_they_say_the_same(known: Known, baselines: Baselines) -> None:
    arrays = baselines.to_arrays()
    assert all(np.isfinite(array).all() for array in arrays.values())
    again = Baselines.from_arrays(arrays, 3)
    given = (known.vectors, known.codes, 2, known.query)
    for one, other in zip(baselines.scores(*given), again.scores(*given), strict=True):
        assert (one.scores == other.scores).all() and one.threshold == other.threshold and one.system == other.system


def test_a_known_text_is_given_to_its_author(known: Known, baselines: Baselines) -> None:
    for row in (0, 11):
        found = baselines.scores(known.vectors, known.codes, 1, known.vectors.rows(np.array([row])))
        assert [each.scores.argmax() for each in found] == [known.codes[row]] * len(ASKED)


def test_two_authors_have_no_impostors(known: Known) -> None:
    rows = np.flatnonzero(known.codes < 2)
    vectors, codes = known.vectors.rows(rows), known.codes[rows]
    made = Baselines.fit(vectors, codes, 0)
    again = Baselines.from_arrays(made.to_arrays(), 0)
    for each in (made, again):
        assert not any(name.startswith("impostors/") for name in each.to_arrays())
        found = each.scores(vectors, codes, 1, vectors.rows(np.array([0])))
        assert {one.system for one in found} >= {COSINE, SVM} and IMPOSTORS not in {one.system for one in found}
        assert {one.scores.argmax() for one in found} == {codes[0]}
    other = int(np.flatnonzero(codes == 1)[0])
    assert {one.scores.argmax() for one in made.scores(vectors, codes, 1, vectors.rows(np.array([other])))} == {1}


def test_a_system_that_a_case_was_not_trained_with_is_left_out(
    known: Known, baselines: Baselines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older case does not have what a newer system learns; a system for experiments alone is not asked either."""
    newer = OtherSystem("Newer", "newer", lambda _, learnt, __: (learnt["newer"], None) if "newer" in learnt else None)
    extended = {**OTHERS, "newer": newer, "in experiments": OtherSystem("Other", "other")}
    monkeypatch.setattr("forensia.evidence.sensitivity.OTHERS", extended)
    given = (known.vectors, known.codes, 2, known.query)
    assert tuple(each.system for each in baselines.scores(*given)) == ASKED
    taught = Baselines({**baselines.learnt, "newer": np.ones(3)}, 3)
    assert tuple(each.system for each in taught.scores(*given)) == (*ASKED, "newer")
