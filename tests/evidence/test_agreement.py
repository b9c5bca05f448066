"""Methods of another kind: each says what it would say by itself, before and after it was stored."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import vstack

from forensia import paths
from forensia.attribution import Impostors, LinearSVM
from forensia.attribution.cosine import cosines
from forensia.attribution.lazy import author_scores
from forensia.corpus import read_disputed
from forensia.evidence.agreement import Baselines, Vote
from forensia.evidence.training import Trained
from forensia.features import Vectors, count_documents
from forensia.language import LanguageModel


@pytest.fixture(scope="module")
def query(trained: Trained, language: LanguageModel) -> Vectors:
    document = read_disputed(paths.sample_case() / "disputed" / "anonymous-2.txt")
    return trained.model.fitted.vectors(count_documents([document], language))


@pytest.fixture(scope="module")
def baselines(trained: Trained) -> Baselines:
    return Baselines.fit(trained.model.known, trained.model.codes, 3)


def test_each_method_says_what_it_says_alone(trained: Trained, baselines: Baselines, query: Vectors) -> None:
    known, codes, k = trained.model.known, trained.model.codes, trained.model.k
    cosine, svm, impostors = baselines.votes(known, codes, k, query)
    assert [vote.method for vote in (cosine, svm, impostors)] == ["cosine", "SVM", "impostors"]
    similar = cosines(query, known)
    assert np.allclose(cosine.scores, author_scores(similar, codes, k)[0]) and cosine.accepts is None
    machine = LinearSVM(seed=3).fit(known, codes.tolist())
    assert np.allclose(svm.scores, machine.decision_function(query)[0], rtol=1e-3, atol=1e-3) and svm.accepts is None
    method = Impostors(seed=3).fit(known, codes.tolist())
    for author in range(5):
        nearest = known.rows(np.where(codes == author, similar[0], -np.inf).argmax(keepdims=True))
        sparse = vstack((query.sparse, nearest.sparse), format="csr")
        pool = Vectors(np.vstack((query.dense, nearest.dense)), sparse, known.blocks)
        alone = method.scores(pool, np.array([0]), np.array([1]), barred=(codes == author)[None])
        assert impostors.scores[author] == pytest.approx(float(alone[0]))
    assert impostors.accepts is bool(impostors.scores.max() > method.sigma_)


def test_stored_and_read_again_they_say_the_same(trained: Trained, baselines: Baselines, query: Vectors) -> None:
    arrays = baselines.to_arrays()
    assert all(np.isfinite(array).all() for array in arrays.values())
    again = Baselines.from_arrays(arrays, 3)
    given = (trained.model.known, trained.model.codes, trained.model.k, query)
    for one, other in zip(baselines.votes(*given), again.votes(*given), strict=True):
        assert (one.scores == other.scores).all() and one.accepts == other.accepts and one.first == other.first


def test_a_known_text_is_given_to_its_author(trained: Trained, baselines: Baselines) -> None:
    model = trained.model
    for row in (0, 11):
        votes = baselines.votes(model.known, model.codes, 1, model.known.rows(np.array([row])))
        assert [vote.first for vote in votes] == [model.codes[row]] * 3


def test_two_authors_have_no_impostors(trained: Trained, query: Vectors) -> None:
    model = trained.model
    rows = np.flatnonzero(model.codes < 2)
    known, codes = model.known.rows(rows), model.codes[rows]
    made = Baselines.fit(known, codes, 0)
    again = Baselines.from_arrays(made.to_arrays(), 0)
    for each in (made, again):
        assert each.impostors is None
        votes = each.votes(known, codes, 1, known.rows(np.array([0])))
        assert [(vote.method, vote.first) for vote in votes] == [("cosine", codes[0]), ("SVM", codes[0])]
    other = int(np.flatnonzero(codes == 1)[0])
    assert made.votes(known, codes, 1, known.rows(np.array([other])))[1].first == 1


def test_the_first_of_a_vote() -> None:
    assert Vote("x", np.array([0.1, 0.7, 0.2])).first == 1
