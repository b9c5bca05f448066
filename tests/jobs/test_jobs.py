from __future__ import annotations

import threading

import pytest

from forensia.errors import Cancelled, InputError
from forensia.jobs import Job, Progress, State, part, tracked


def test_result_and_progress() -> None:
    seen: list[float] = []

    def work(progress: Progress) -> str:
        for _ in tracked(range(4), progress, "counting"):
            pass
        return "done"

    job = Job("count", work, changed=lambda job: seen.append(job.report.fraction)).start()
    assert job.result() == "done"
    assert job.report.state is State.DONE
    assert seen == [0, 0.25, 0.5, 0.75, 1, 1]


def test_cancel_stops_at_the_next_report() -> None:
    running = threading.Event()

    def work(progress: Progress) -> None:
        while True:
            running.set()
            progress(0.5, "for ever")

    job = Job("for ever", work).start()
    assert running.wait(60)
    job.cancel()
    assert job.wait(60)
    assert job.report.state is State.CANCELLED
    with pytest.raises(Cancelled):
        job.result()


def test_an_error_is_kept_and_raised_for_whoever_asks() -> None:
    def work(progress: Progress) -> None:
        raise InputError("x.txt is empty.")

    job = Job("bad", work).start()
    assert job.wait(60) and job.ended
    assert job.report.state is State.FAILED and job.report.message == "x.txt is empty."
    with pytest.raises(InputError):
        job.result()


def test_parts_nest() -> None:
    seen: list[float] = []
    whole = lambda fraction, message="": seen.append(round(fraction, 6))  # noqa: E731
    stage = part(part(whole, 0.5, 1.0), 0.0, 0.5)
    for fraction in (0.0, 0.5, 1.0, 7.0):
        stage(fraction)
    assert seen == [0.5, 0.625, 0.75, 0.75]
