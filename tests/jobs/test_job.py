"""A job: its states, how it is stopped, what it keeps, where it calls back; and the runner: how all of them stop."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable
from contextvars import ContextVar

import pytest

from nimtui.errors import InputError
from nimtui.jobs import Job, Jobs, JobState, Snapshot
from nimtui.jobs import job as job_module
from nimtui.jobs.conductor import LatestJob, LatestLookup
from nimtui.process.stopping import saving, undisturbed
from nimtui.progress import SILENT, Cancelled, Progress
from tests.stops import StopAt

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
    assert (job.name, job.state, job.result, job.error) == ("counting", JobState.DONE, "finished", None)
    assert job.value() == "finished" and job.snapshot == Snapshot(3, 3, "report 3")
    for ask in (job.pause, job.step, job.cancel, job.resume):
        ask()  # nothing changes a job that has ended
        assert job.state is JobState.DONE and not job.cancelling
    assert [snapshot.share for snapshot in (Snapshot(), Snapshot(1, 4), Snapshot(5, 4))] == [None, 0.25, 1.0]


def test_a_job_that_was_not_run_waits_and_if_it_is_cancelled_does_no_work_but_releases() -> None:
    script, released = Script(1), threading.Event()
    job = Job("idle", script, release=released.set)
    assert job.state is JobState.WAITING and not job.state.ended and not job.join(0)
    with pytest.raises(Cancelled):
        job.value()
    job.cancel()
    job.run()
    assert (script.count, job.state, released.is_set()) == (0, JobState.CANCELLED, True)


def test_a_release_that_fails_is_a_failed_job() -> None:
    job = Jobs().start("held", Script(1), lambda: 1 / 0)
    assert job.join(LONG) and job.state is JobState.FAILED and isinstance(job.error, ZeroDivisionError)


@pytest.mark.parametrize("cancelled", [True, False])
def test_a_job_that_is_slowed_down_wakes_when_it_is_cancelled_or_gets_another_pace(cancelled: bool) -> None:
    script = Script(3)
    job = Job("slow", script)
    job.set_pace(3600.0)
    threading.Thread(target=job.run, daemon=True).start()
    assert eventually(lambda: job.snapshot.done == 1) and script.count == 0
    job.cancel() if cancelled else job.set_pace(None)
    assert job.join(LONG)
    assert (script.count, job.state) == ((0, JobState.CANCELLED) if cancelled else (3, JobState.DONE))


def test_a_cancelled_job_never_ends_as_done_but_keeps_what_it_has() -> None:
    asked, go = threading.Event(), threading.Event()

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

    def careful(progress: Progress) -> int:
        n = 0
        try:
            while True:
                progress.report(n, 0)
                n += 1
        except Cancelled:
            return n

    caught = Jobs().start("careful", careful)
    assert eventually(lambda: caught.snapshot.done > 0)
    caught.cancel()
    assert caught.join(LONG) and caught.state is JobState.CANCELLED
    assert caught.result in (caught.snapshot.done, caught.snapshot.done + 1)


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


def test_callbacks_without_a_loop_come_once_before_join_returns_also_after_one_that_fails(
    caplog: pytest.LogCaptureFixture,
) -> None:
    told: list[object] = []

    def bad(job: Job[str]) -> None:
        raise RuntimeError("bad callback")

    script = Script(1, gated=True)
    job = Jobs().start("telling", script)
    job.add_done_callback(bad)
    job.add_done_callback(lambda job: told.append(job.state))
    script.go()
    assert job.join(LONG) and told == [JobState.DONE] and "telling" in caplog.text
    job.add_done_callback(lambda job: told.append(job.result))
    assert told == [JobState.DONE, "finished"]


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


# A job under an event loop: where it calls back.


here: ContextVar[str] = ContextVar("here", default="nowhere")


async def test_callbacks_come_in_the_loops_thread_and_in_the_context_of_who_added_them() -> None:
    async with asyncio.timeout(LONG):
        told: list[tuple[str, bool, str]] = []

        def tell(job: Job[str]) -> None:
            told.append((job.name, threading.current_thread() is thread, here.get()))

        thread, work = threading.current_thread(), Script(1, gated=True)
        job = Jobs().start("telling", work)
        here.set("at the board")
        job.add_done_callback(tell)
        here.set("elsewhere")
        work.go()
        await asyncio.to_thread(job.join)
        assert told == [("telling", True, "at the board")]
        job.add_done_callback(tell)
        assert len(told) == 1
        await asyncio.sleep(0)
        assert told[1:] == [("telling", True, "elsewhere")]


async def test_of_latest_jobs_only_the_last_hands_over_and_the_others_are_cancelled() -> None:
    async with asyncio.timeout(LONG):
        latest, told, works = LatestJob[str](), list[object](), [Script(1, gated=True), Script(1, gated=True)]
        first, second = (
            latest.start(Jobs(), "look", work, told.append, lambda why: told.append(f"wrong: {why}"), told.clear)
            for work in works
        )
        assert first.cancelling and latest.job is second and latest.running
        for work in reversed(works):
            work.go()
        await asyncio.to_thread(first.join)
        await asyncio.to_thread(second.join)
        while latest.running:  # its task ends a step after its job
            await asyncio.sleep(0)
        assert told == [] and not latest.cancel()
        last = latest.start(Jobs(), "look", Script(1, gated=True), told.append)
        assert latest.cancel() and last.cancelling and not latest.running
        broken = LatestJob[float]()
        broken.start(Jobs(), "broken", lambda progress: 1 / 0, told.append, told.append)
        while broken.running:
            await asyncio.sleep(0.001)
        assert told == ["ZeroDivisionError: division by zero"]
        answers: list[tuple[object, str]] = []
        for answer in ("yes", ""):
            lookup = LatestLookup[str]()
            lookup.look(lambda answer=answer: answer or str(1 // 0), lambda found, why: answers.append((found, why)))
            while lookup.running:
                await asyncio.sleep(0.001)
        assert answers == [("yes", ""), (None, "ZeroDivisionError: integer division or modulo by zero")]


def test_a_job_outlives_the_loop_it_was_started_in() -> None:
    work = Script(1, gated=True)
    told: list[object] = []

    async def begin() -> Job[str]:
        job = Jobs().start("left behind", work)
        job.add_done_callback(told.append)
        return job

    job = asyncio.run(begin())
    work.go()
    assert job.join(LONG)
    assert (job.state, told) == (JobState.DONE, [])  # nobody is left to be told


# The runner: what runs, and how all of it stops.


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
    assert deaf.join(LONG) and deaf.state is JobState.CANCELLED
    script = Script(1)
    late = jobs.start("late", script)  # is cancelled before it begins
    assert late.join(LONG) and (late.state, script.count) == (JobState.CANCELLED, 0)


def test_shutdown_gives_work_up_that_does_not_come_back_but_not_what_is_being_saved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(job_module, "UNHEARD", 0.1)
    jobs = Jobs()
    back = threading.Event()
    deaf = jobs.start("a rule that loops", lambda progress: back.wait(LONG))
    assert jobs.shutdown(LONG) == [deaf] and deaf.deaf
    back.set()
    assert deaf.join(LONG) and not deaf.deaf

    def save(progress: Progress) -> None:
        with undisturbed():
            threading.Event().wait(2 * job_module.UNHEARD)

    jobs = Jobs()
    saves = jobs.start("saving", save)
    while not saving():
        threading.Event().wait(0.001)
    assert jobs.shutdown(LONG) == [] and saves.state is JobState.CANCELLED
    done: list[int] = []

    def work(progress: Progress) -> None:
        try:
            endless(progress)
        finally:
            threading.Event().wait(2 * job_module.UNHEARD)
            done.append(1)

    jobs = Jobs()
    stops = jobs.start("with an end of its own", work)
    assert eventually(lambda: stops.state is JobState.RUNNING)
    stops.cancel()
    assert eventually(lambda: not stops.deaf)  # it has heard that it shall stop, and may take its time
    assert jobs.shutdown(LONG) == [] and done == [1]


def test_works_side_by_side_give_their_results_in_order_or_the_first_error() -> None:
    told = StopAt(99)
    works = [(str(number), lambda progress, number=number: number * number) for number in range(3)]
    assert job_module.side_by_side(works, told) == [0, 1, 4] and all(total == 3 for _, total in told.seen)
    with pytest.raises(ZeroDivisionError):
        job_module.side_by_side([works[0], ("wrong", lambda progress: 1 // 0)], SILENT)
    begun = threading.Event()

    def first_done(progress: Progress) -> int:
        begun.set()
        return 7

    def stopped(progress: Progress) -> int:
        assert begun.wait(LONG)
        endless(progress)
        return 0

    assert job_module.side_by_side([("one", first_done), ("two", stopped)], StopAt(1)) == [7, None]
    with pytest.raises(Cancelled):
        job_module.side_by_side([("one", endless)], StopAt(0))


@pytest.mark.slow
def test_the_process_ends_beside_deaf_work_and_jobs_load_neither_numba_nor_numpy() -> None:
    program = """if True:
        import sys, threading
        from nimtui.jobs import Jobs
        jobs = Jobs()
        jobs.start("deaf", lambda progress: threading.Event().wait(600))
        print(len(jobs.shutdown(0.01)), [name for name in ("numba", "numpy", "textual") if name in sys.modules])
        """
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, text=True)
    assert (run.returncode, run.stdout.strip(), run.stderr) == (0, "1 []", "")
