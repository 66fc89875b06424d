"""A job without an event loop: its states, how it is stopped, what it keeps."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from nimtui.errors import InputError
from nimtui.jobs import Job, Jobs, JobState, Snapshot
from nimtui.progress import Cancelled, Progress

LONG = 20.0  # seconds no test should ever need; a missed wake-up shows as a failure, not as a hang


class Script:
    """Work that tells each report it made and, where asked, waits before each for a go."""

    def __init__(self, reports: int | None, gated: bool = False) -> None:
        self.reports = reports
        self.gate = threading.Semaphore(0) if gated else None
        self.passed = threading.Semaphore(0)  # released after each report that came back
        self.count = 0

    def __call__(self, progress: Progress) -> str:
        while self.reports is None or self.count < self.reports:
            if self.gate is not None:
                assert self.gate.acquire(timeout=LONG)
            progress.report(self.count + 1, self.reports or 0, f"report {self.count + 1}")
            self.count += 1
            self.passed.release()
        return "finished"

    def go(self) -> None:
        assert self.gate is not None
        self.gate.release()

    def has_passed(self) -> bool:
        return self.passed.acquire(timeout=LONG)


def eventually(condition: Callable[[], bool]) -> bool:
    """Wait for what another thread is about to do."""
    pause = threading.Event()
    for _ in range(int(LONG / 0.001)):
        if condition():
            return True
        pause.wait(0.001)
    return False


def test_a_job_runs_to_its_end_and_keeps_the_result() -> None:
    job = Jobs().start("counting", Script(3))
    assert job.join(LONG)
    assert (job.name, job.state, job.result, job.error) == (
        "counting",
        JobState.DONE,
        "finished",
        None,
    )
    assert job.value() == "finished"
    assert job.snapshot == Snapshot(3, 3, "report 3")


def test_a_job_that_was_not_run_waits() -> None:
    job = Job("idle", Script(1))
    assert job.state is JobState.WAITING
    assert not job.state.ended
    assert not job.join(0)
    with pytest.raises(Cancelled):
        job.value()


def test_share_is_unknown_without_a_total() -> None:
    assert Snapshot().share is None
    assert Snapshot(1, 4).share == 0.25
    assert Snapshot(5, 4).share == 1.0


def test_cancel_wakes_a_job_that_is_slowed_down() -> None:
    script = Script(None)
    job = Job("slow", script)
    job.set_pace(3600.0)
    threading.Thread(target=job.run, daemon=True).start()
    assert eventually(lambda: job.snapshot.done == 1)
    job.cancel()
    assert job.join(LONG)
    assert (script.count, job.state) == (0, JobState.CANCELLED)


def test_a_new_pace_counts_for_a_job_that_waits_already() -> None:
    script = Script(3)
    job = Job("slow", script)
    job.set_pace(3600.0)
    threading.Thread(target=job.run, daemon=True).start()
    assert eventually(lambda: job.snapshot.done == 1)
    assert script.count == 0
    job.set_pace(None)
    assert job.join(LONG)
    assert job.state is JobState.DONE


def test_a_job_cancelled_before_it_begins_does_no_work() -> None:
    script = Script(1)
    job = Job("never", script)
    job.cancel()
    job.run()
    assert (script.count, job.state) == (0, JobState.CANCELLED)


def test_a_cancelled_job_never_ends_as_done_but_keeps_what_it_has() -> None:
    asked = threading.Event()
    go = threading.Event()

    def stubborn(progress: Progress) -> str:
        asked.set()
        assert go.wait(LONG)
        return "all the same"

    job = Jobs().start("stubborn", stubborn)
    assert asked.wait(LONG)
    job.cancel()
    go.set()
    assert job.join(LONG)
    assert (job.state, job.result) == (JobState.CANCELLED, "all the same")
    with pytest.raises(Cancelled):
        job.value()


def test_work_may_catch_the_cancellation_and_return_what_it_has() -> None:
    def careful(progress: Progress) -> int:
        n = 0
        try:
            while True:
                progress.report(n, 0)
                n += 1
        except Cancelled:
            return n

    job = Jobs().start("careful", careful)
    assert eventually(lambda: job.snapshot.done > 0)
    job.cancel()
    assert job.join(LONG)
    assert job.state is JobState.CANCELLED
    assert job.result == job.snapshot.done + 1 or job.result == job.snapshot.done


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (ValueError("two\n lines"), "ValueError: two lines"),
        (InputError("no such row"), "no such row"),
        (KeyError(), "KeyError"),
        (SystemExit(3), "SystemExit: 3"),
    ],
)
def test_a_failed_job_keeps_its_error_in_one_line(fault: BaseException, text: str) -> None:
    def broken(progress: Progress) -> None:
        progress.report(1, 2)
        raise fault

    job = Jobs().start("broken", broken)
    assert job.join(LONG)
    assert (job.state, job.error, job.error_text) == (JobState.FAILED, fault, text)
    assert job.snapshot.done == 1
    with pytest.raises(type(fault)):
        job.value()


def test_nothing_changes_a_job_that_has_ended() -> None:
    job = Jobs().start("done", Script(1))
    assert job.join(LONG)
    for ask in (job.pause, job.step, job.cancel, job.resume):
        ask()
        assert job.state is JobState.DONE
    assert not job.cancelling


def test_callbacks_without_a_loop_come_once_before_join_returns() -> None:
    told: list[object] = []
    script = Script(1, gated=True)
    job = Jobs().start("telling", script)
    job.add_done_callback(lambda job: told.append(job.state))
    script.go()
    assert job.join(LONG)
    assert told == [JobState.DONE]
    job.add_done_callback(lambda job: told.append(job.result))
    assert told == [JobState.DONE, "finished"]


def test_a_failing_callback_does_not_hold_up_the_others(caplog: pytest.LogCaptureFixture) -> None:
    told: list[object] = []

    def bad(job: Job[str]) -> None:
        raise RuntimeError("bad callback")

    script = Script(1, gated=True)
    job = Jobs().start("telling", script)
    job.add_done_callback(bad)
    job.add_done_callback(told.append)
    script.go()
    assert job.join(LONG)
    assert told == [job]
    assert "telling" in caplog.text


def test_every_callback_comes_exactly_once_however_close_to_the_end_it_is_added() -> None:
    for _ in range(200):
        told: list[object] = []
        job = Jobs().start("quick", Script(1))
        job.add_done_callback(told.append)
        assert job.join(LONG)
        assert eventually(lambda told=told: len(told) == 1)


def test_many_hands_at_once_leave_a_job_that_ends() -> None:
    for _ in range(20):
        job = Jobs().start("contested", Script(None))
        asks = [job.pause, job.resume, job.step, lambda job=job: job.set_pace(0.0)]
        hands = [threading.Thread(target=lambda ask=ask: [ask() for _ in range(100)]) for ask in asks]
        for hand in hands:
            hand.start()
        for hand in hands:
            hand.join()
        job.cancel()
        assert job.join(LONG)
        assert job.state is JobState.CANCELLED
