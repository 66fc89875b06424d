"""The runner: what runs, and how all of it stops."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from nimtui.jobs import Jobs, JobState, job
from nimtui.process.stopping import saving, undisturbed
from nimtui.progress import SILENT, Cancelled, Progress
from tests.stops import StopAt

LONG = 20.0


def endless(progress: Progress) -> None:
    while True:
        progress.report(0, 0)
        threading.Event().wait(0.001)


def test_running_are_those_that_have_not_ended_in_order() -> None:
    jobs = Jobs()
    first, second = jobs.start("first", endless), jobs.start("second", endless)
    second.pause()
    slowed = jobs.start("slowed", endless)
    slowed.set_pace(3600.0)
    third = jobs.start("third", lambda progress: None)
    assert third.join(LONG)
    assert jobs.running() == [first, second, slowed]
    first.cancel()
    assert first.join(LONG)
    assert jobs.running() == [second, slowed]
    assert jobs.shutdown(LONG) == [] and jobs.running() == []
    assert {job.state for job in (first, second, slowed)} == {JobState.CANCELLED}


def test_shutdown_does_not_wait_for_work_that_reports_nothing() -> None:
    jobs = Jobs()
    compiled = threading.Event()
    deaf = jobs.start("compiling", lambda progress: compiled.wait(LONG))
    assert jobs.shutdown(0.01) == [deaf]
    assert deaf.cancelling
    compiled.set()
    assert deaf.join(LONG)
    assert deaf.state is JobState.CANCELLED


def test_shutdown_gives_work_up_that_does_not_come_back_but_not_what_is_being_saved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(job, "UNHEARD", 0.1)
    jobs = Jobs()
    back = threading.Event()
    deaf = jobs.start("a rule that loops", lambda progress: back.wait(LONG))
    assert jobs.shutdown(LONG) == [deaf] and deaf.deaf
    back.set()
    assert deaf.join(LONG) and not deaf.deaf

    def save(progress: Progress) -> None:
        with undisturbed():
            threading.Event().wait(2 * job.UNHEARD)

    jobs = Jobs()
    saves = jobs.start("saving", save)
    while not saving():
        threading.Event().wait(0.001)
    assert jobs.shutdown(LONG) == [] and saves.state is JobState.CANCELLED


def test_a_job_that_has_heard_that_it_shall_stop_may_take_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "UNHEARD", 0.1)
    done: list[int] = []

    def work(progress: Progress) -> None:
        try:
            endless(progress)
        finally:
            threading.Event().wait(2 * job.UNHEARD)
            done.append(1)

    jobs = Jobs()
    jobs.start("with an end of its own", work)
    assert jobs.shutdown(LONG) == [] and done == [1]


def test_after_shutdown_a_job_is_cancelled_before_it_begins() -> None:
    jobs = Jobs()
    jobs.shutdown(0)
    done: list[int] = []
    job = jobs.start("late", lambda progress: done.append(1))
    assert job.join(LONG)
    assert (job.state, done) == (JobState.CANCELLED, [])


def test_works_side_by_side_give_their_results_in_order_or_the_first_error() -> None:
    told = StopAt(99)
    works = [(str(number), lambda progress, number=number: number * number) for number in range(3)]
    assert job.side_by_side(works, told) == [0, 1, 4] and all(total == 3 for _, total in told.seen)
    with pytest.raises(ZeroDivisionError):
        job.side_by_side([works[0], ("wrong", lambda progress: 1 // 0)], SILENT)
    begun = threading.Event()

    def first_done(progress: Progress) -> int:
        begun.set()
        return 7

    def stopped(progress: Progress) -> int:
        assert begun.wait(LONG)
        endless(progress)
        return 0

    class Stop(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            if done >= 1:
                raise Cancelled

    assert job.side_by_side([("one", first_done), ("two", stopped)], Stop()) == [7, None]
    with pytest.raises(Cancelled):
        job.side_by_side([("one", endless)], StopAt(0))


@pytest.mark.slow
def test_threads_are_daemons_so_the_process_ends_beside_deaf_work() -> None:
    program = (
        "import threading\n"
        "from nimtui.jobs import Jobs\n"
        "jobs = Jobs()\n"
        "jobs.start('deaf', lambda progress: threading.Event().wait(600))\n"
        "print(len(jobs.shutdown(0.01)))\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, text=True)
    assert (run.returncode, run.stdout.strip(), run.stderr) == (0, "1", "")


@pytest.mark.slow
def test_the_jobs_load_neither_numba_nor_numpy() -> None:
    program = "import sys, nimtui.jobs\nprint([name for name in ('numba', 'numpy', 'textual') if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, text=True)
    assert run.stdout.strip() == "[]", run.stderr
