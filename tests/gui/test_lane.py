"""A lane: one request after the other, in a thread; which of them count, who is told, and how it stops."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from pytestqt.qtbot import QtBot

from forensia.errors import Cancelled, InputError
from forensia.gui.lane import NEWEST, Lane, Work
from forensia.jobs import Progress
from forensia.jobs.worker import News
from support.qt import destroy

WAIT = 120_000


@pytest.fixture
def lane(qtbot: QtBot) -> Iterator[Lane]:
    made = Lane()
    yield made
    made.cancel()
    qtbot.waitUntil(lambda: not made.busy, timeout=WAIT)
    destroy(made)


class Held:
    """Work that waits until it may end, and hears when it is to stop."""

    def __init__(self) -> None:
        self.begun, self.gate = threading.Event(), threading.Event()

    def __call__(self, progress: Progress, news: News) -> str:
        self.begun.set()
        while not self.gate.wait(0.01):
            progress(0.5, "waiting")
        return "held"


def _saying(word: str) -> Work[str]:
    return lambda progress, news: word


def test_what_has_no_key_is_done_in_its_order(lane: Lane, qtbot: QtBot) -> None:
    heard: list[str] = []
    for word in ("one", "two", "three"):
        lane.ask(word, _saying(word), heard.append)
    assert lane.busy and lane.name == "one"
    qtbot.waitUntil(lambda: not lane.busy, timeout=WAIT)
    assert heard == ["one", "two", "three"] and lane.name == ""


def test_of_a_key_only_the_newest_counts(lane: Lane, qtbot: QtBot) -> None:
    """What is being done is finished, and nobody is told; what waited is never begun."""
    first, heard = Held(), list[str]()
    never = threading.Event()
    lane.ask("first", first, heard.append, key=NEWEST)
    qtbot.waitUntil(first.begun.is_set, timeout=WAIT)
    lane.ask("second", lambda *_: never.set(), lambda _: None, key=NEWEST)
    lane.ask("other", _saying("other"), heard.append, key="other")
    lane.ask("third", _saying("third"), heard.append, key=NEWEST)
    first.gate.set()
    qtbot.waitUntil(lambda: not lane.busy, timeout=WAIT)
    assert sorted(heard) == ["other", "third"] and not never.is_set()


def test_a_hasty_lane_stops_what_is_old(qtbot: QtBot) -> None:
    lane, first, heard = Lane(hasty=True), Held(), list[object]()
    lane.ask("first", first, heard.append, heard.append, key=NEWEST)
    qtbot.waitUntil(first.begun.is_set, timeout=WAIT)
    lane.ask("second", _saying("second"), heard.append, key=NEWEST)
    qtbot.waitUntil(lambda: not lane.busy, timeout=WAIT)
    assert heard == ["second"], "the first was stopped though its gate is closed, and nobody hears of it"
    destroy(lane)


def test_cancel_stops_and_forgets_what_waits(lane: Lane, qtbot: QtBot) -> None:
    first, said, ends = Held(), list[object](), list[object]()
    lane.ended.connect(lambda name, error: ends.append((name, type(error))))
    lane.ask("first", first, said.append, said.append)
    lane.ask("second", _saying("second"), said.append)
    qtbot.waitUntil(first.begun.is_set, timeout=WAIT)
    lane.cancel()
    qtbot.waitUntil(lambda: not lane.busy, timeout=WAIT)
    assert [type(each) for each in said] == [Cancelled] and ends == [("first", Cancelled)]


def test_who_wants_no_answer_gets_none(lane: Lane, qtbot: QtBot) -> None:
    first, heard = Held(), list[str]()
    lane.ask("first", first, heard.append, key=NEWEST)
    qtbot.waitUntil(first.begun.is_set, timeout=WAIT)
    lane.forget()
    assert lane.busy, "it is finished all the same: a child that is stopped loses the model that it has made ready"
    first.gate.set()
    qtbot.waitUntil(lambda: not lane.busy, timeout=WAIT)
    assert heard == []


def test_news_and_progress_come_before_the_end(lane: Lane, qtbot: QtBot) -> None:
    told: list[object] = []
    lane.moved.connect(lambda fraction, message, left: told.append((fraction, message, left)))
    lane.ended.connect(lambda *_: told.append("ended"))

    def work(progress: Progress, news: News) -> str:
        progress(0.25, "a quarter")
        news("ready")
        return "done"

    lane.ask("work", work, told.append, heard=told.append)
    qtbot.waitUntil(lambda: not lane.busy, timeout=WAIT)
    assert told == [(0.25, "a quarter", -1.0), "ready", "done", "ended"]


def test_after_a_failure_the_lane_goes_on(lane: Lane, qtbot: QtBot) -> None:
    """Also when whoever is told of it fails."""
    heard: list[object] = []

    def fail(progress: Progress, news: News) -> None:
        raise InputError("It is empty.")

    def told(error: BaseException) -> None:
        heard.append(str(error))
        raise KeyError("in the window")

    lane.ask("bad", fail, heard.append, told)
    lane.ask("good", _saying("good"), heard.append)
    with qtbot.captureExceptions() as caught:
        qtbot.waitUntil(lambda: not lane.busy, timeout=WAIT)
    assert heard == ["It is empty.", "good"]
    assert [kind for kind, *_ in caught] == [KeyError]


def test_work_is_done_beside_the_window(lane: Lane, qtbot: QtBot) -> None:
    threads: list[int] = []
    lane.ask("where", lambda *_: threading.get_ident(), threads.append)
    done: Callable[[], bool] = lambda: not lane.busy  # noqa: E731
    qtbot.waitUntil(done, timeout=WAIT)
    assert threads != [threading.get_ident()] and len(threads) == 1
