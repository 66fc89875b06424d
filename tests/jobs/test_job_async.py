"""A job under an event loop: where it calls back."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar

from nimtui.jobs import Job, Jobs, JobState
from nimtui.jobs.conductor import LatestJob, LatestLookup
from nimtui.progress import Progress

LONG = 20.0
here: ContextVar[str] = ContextVar("here", default="nowhere")


class Gated:
    """Work that makes one report for each go."""

    def __init__(self, reports: int) -> None:
        self.reports = reports
        self.gate = threading.Semaphore(0)

    def __call__(self, progress: Progress) -> str:
        for n in range(self.reports):
            assert self.gate.acquire(timeout=LONG)
            progress.report(n + 1, self.reports)
        return "finished"

    def go(self, times: int = 1) -> None:
        self.gate.release(times)


async def test_callbacks_come_in_the_loops_thread_and_in_the_context_of_who_added_them() -> None:
    async with asyncio.timeout(LONG):
        told: list[tuple[str, bool, str]] = []

        def tell(job: Job[str]) -> None:
            told.append((job.name, threading.current_thread() is thread, here.get()))

        thread = threading.current_thread()
        work = Gated(1)
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
        latest, told, works = LatestJob[str](), list[object](), [Gated(1), Gated(1)]
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
        last = latest.start(Jobs(), "look", Gated(1), told.append)
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
    work = Gated(1)
    told: list[object] = []

    async def begin() -> Job[str]:
        job = Jobs().start("left behind", work)
        job.add_done_callback(told.append)
        return job

    job = asyncio.run(begin())
    work.go()
    assert job.join(LONG)
    assert (job.state, told) == (JobState.DONE, [])  # nobody is left to be told
