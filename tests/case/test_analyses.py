"""The cache of analyses: what the language room puts in it comes back, and what is damaged is made again."""

from __future__ import annotations

import logging
import sqlite3
from dataclasses import replace
from types import ModuleType

import pytest

from forensia.case import Case, verify_case
from forensia.corpus.document import text_hash
from forensia.corpus.typing import canonical
from forensia.language.analysis import AnalysisCache

TEXT, MODEL = "a" * 64, "b" * 64


def _rows(case: Case) -> int:
    (count,) = case.database.connection.execute("SELECT count(*) FROM analyses").fetchone()
    return int(count)


def test_what_is_put_comes_back(case: Case) -> None:
    entries = len(case.log.entries())
    with case.models.analyses() as cache:
        kept: AnalysisCache = cache
        assert kept.get(TEXT, MODEL) is None
        kept.put(TEXT, MODEL, b"analysis" * 100)
        assert kept.get(TEXT, MODEL) == b"analysis" * 100 and _rows(case) == 0, "many are written together"
        assert kept.get(TEXT, "c" * 64) is None and kept.get(MODEL, TEXT) is None
        kept.put(TEXT, "c" * 64, b"")
    assert (
        case.models.analyses().get(TEXT, MODEL) == b"analysis" * 100
        and case.models.analyses().get(TEXT, "c" * 64) == b""
    )
    assert len(case.log.entries()) == entries


def test_they_go_with_their_text_in_either_typing(case: Case, samples: ModuleType) -> None:
    """The analysis of a text in canonical typing has another hash than the text."""
    texts = {name: f"“{samples.prose(number)}” — so it isn’t" for number, name in enumerate("ab")}
    ids = {
        name: case.documents.add_disputed(replace(samples.document("", number), body=text, sha256_text=text_hash(text)))
        for number, (name, text) in enumerate(texts.items())
    }
    hashes = {name: (text_hash(text), text_hash(canonical(text).text)) for name, text in texts.items()}
    with case.models.analyses() as cache:
        for each in (*hashes["a"], *hashes["b"], TEXT):
            cache.put(each, MODEL, b"analysis")
    case.results.remove_disputed(ids["a"])
    kept = {text for (text,) in case.database.connection.execute("SELECT text FROM analyses")}
    assert kept == set(hashes["b"])


def test_large_ones_are_written_soon(case: Case) -> None:
    cache = case.models.analyses()
    cache.put(TEXT, MODEL, bytes(5_000_000))
    assert _rows(case) == 1
    for number in range(500):
        cache.put(f"{number:064d}", MODEL, b"x")
    assert _rows(case) == 501


def test_a_damaged_one_is_missing(case: Case, caplog: pytest.LogCaptureFixture) -> None:
    with case.models.analyses() as cache:
        cache.put(TEXT, MODEL, b"one" * 50)
        cache.put("d" * 64, MODEL, b"two" * 50)
    path = case.path
    case.close()
    connection = sqlite3.connect(path, isolation_level=None)
    data = connection.execute("SELECT data FROM analyses WHERE text = ?", ("d" * 64,)).fetchone()[0]
    connection.execute("UPDATE analyses SET data = ? WHERE text = ?", (data, TEXT))
    connection.close()
    with Case.open(path) as again, caplog.at_level(logging.WARNING):
        assert again.models.analyses().get(TEXT, MODEL) is None
        assert [each.part for each in verify_case(again)] == [f"the analysis of the text {TEXT[:16]}"]
        with again.models.analyses() as cache:
            cache.put(TEXT, MODEL, b"one" * 50)
        assert again.models.analyses().get(TEXT, MODEL) == b"one" * 50 and verify_case(again) == []


def test_a_read_only_case_keeps_them_for_the_while(case: Case) -> None:
    path = case.path
    with Case.open(path, read_only=True) as other, other.models.analyses() as cache:
        cache.put(TEXT, MODEL, b"x" * 6_000_000)
        assert cache.get(TEXT, MODEL) == b"x" * 6_000_000
    assert _rows(case) == 0
