"""Work as a state machine: against a plain model of it, also where another program left it; and errands."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.strategies import booleans

from nimtui.errors import InputError
from nimtui.jobs import Job, Jobs
from nimtui.jobs.conductor import Conductor
from nimtui.jobs.work import State
from nimtui.process.stopping import Stoppable
from nimtui.progress import SILENT, Cancelled, Progress
from nimtui.store.sweeps import Log
from tests.examples import examples
from tests.jobs.piecework import PIECES, SAVED_AS, Pieces, PieceWork
from tests.jobs.test_job import LONG, eventually
from tests.stops import StopAt

HEADER = {"game": "pieces"}


@dataclass
class Model:
    """What work should be, as plain facts."""

    saved: bool  # has it a file?
    done: int = 0
    fault: bool = False
    on: bool = False  # has it a job that has not ended?
    begun: bool = False  # is a piece done since the start?
    prepares: bool = False
    paused: bool = False
    steps: int = 0  # reports that a paused job may still pass
    stepping: bool = False  # no report since the step
    stopping: bool = False
    inside: bool = False  # between two reports, waiting for a word; else it stands in a report, or has ended
    failed: bool = False
    left: bool = False  # of another program

    @property
    def state(self) -> State:
        if self.on:
            if self.stopping:
                return State.STOPPING
            if self.paused:
                return State.ONE_STEP if self.stepping else State.PAUSED
            return State.GOING if self.begun and not self.prepares else State.PREPARING
        if self.done == PIECES:
            return State.FINISHED
        if self.left:
            return State.LEFT
        if self.failed:
            return State.FAILED
        return State.SAVED if self.saved and not self.fault else State.STOPPED

    def start(self) -> None:
        self.on = self.inside = self.done < PIECES
        self.begun = self.prepares = self.paused = self.stepping = self.stopping = self.failed = self.left = False
        self.steps = 0

    def report(self) -> None:
        """The job reports, and waits or ends there if it was told to."""
        if self.stopping:
            self.on = self.inside = False
            return
        self.stepping = False
        self.inside = not self.paused or self.steps > 0
        self.steps = max(0, self.steps - 1) if self.inside else self.steps

    def end(self) -> None:
        self.on = self.inside = False


class WorkMachine(RuleBasedStateMachine):
    """Does the same with work and with its model."""

    @initialize(saved=booleans())
    def begin(self, saved: bool) -> None:
        self.folder = TemporaryDirectory()
        self.number = 0
        self.jobs = Jobs()
        self.work = PieceWork(self.jobs)
        assert self.work.state is State.READY and self.work.place is None
        self.begin_in_its_place(saved)

    @rule(saved=booleans())
    def begin_in_its_place(self, saved: bool) -> None:
        """A new task takes the place of one that may still be on: that one stops, and what it did stays."""
        before, job, says = self.work.task, self.work.job, self.work.says
        self.number += 1
        self.path = Path(self.folder.name) / f"pieces-{self.number}.jsonl"
        self.work.says = Queue()
        self.model = Model(saved)
        self.work.begin(Pieces(Log.create(self.path, HEADER) if saved else None, says=self.work.says))
        self.model.start()
        self.settle()
        if before is not None and says is not None and job is not None and before.waits:
            says.put("piece")
        assert job is None or job.join(LONG)

    def settle(self) -> None:
        """Wait until the job waits for a word, stands in a report, or has ended."""
        job, task = self.work.job, self.work.task
        assert task is not None
        if self.model.on:
            assert eventually(lambda: task.waits or (not self.model.inside and job is not None and job._standing))
            assert task.waits is self.model.inside
        elif job is not None:
            assert job.join(LONG)

    def say(self, word: str) -> None:
        assert self.work.says is not None and self.work.task is not None
        self.work.task.waits = False
        self.work.says.put(word)

    @precondition(lambda self: self.model.inside)
    @rule()
    def do_a_piece(self) -> None:
        model = self.model
        self.say("piece")
        if model.prepares:  # the word that ends the preparation
            model.prepares = False
        else:
            model.done, model.begun = model.done + 1, True
        if model.done == PIECES:
            model.end()
        else:
            model.report()
        self.settle()

    @precondition(lambda self: self.model.inside and not self.model.prepares)
    @rule()
    def prepare_something(self) -> None:
        self.say("prepare")
        self.model.report()
        self.model.prepares = self.model.on
        self.settle()

    @precondition(lambda self: self.model.inside and not self.model.prepares)
    @rule()
    def fail(self) -> None:
        self.say("fail")
        self.model.end()
        self.model.failed = True
        self.settle()
        assert self.work.message == "Stopped by an error: ZeroDivisionError: as it was told"

    @precondition(lambda self: self.model.on and not self.model.stopping)
    @rule()
    def press_space(self) -> None:
        model = self.model
        if model.paused and not model.stepping:
            model.paused, model.steps, model.inside = False, 0, True
        else:
            model.paused, model.stepping = True, False
        self.work.pause_or_go_on()
        self.settle()

    @precondition(lambda self: self.model.on and not self.model.stopping)
    @rule()
    def step(self) -> None:
        model = self.model
        model.paused = model.stepping = True
        model.steps += 1
        if not model.inside:
            model.inside, model.steps = True, model.steps - 1
        self.work.step()
        self.settle()

    @precondition(lambda self: self.model.on)
    @rule()
    def stop(self) -> None:
        self.model.stopping = True
        if not self.model.inside:
            self.model.report()
        self.work.stop()
        self.settle()

    @precondition(lambda self: self.model.state.rests)
    @rule()
    def go_on(self) -> None:
        if self.model.saved:
            self.model.done, self.model.fault = len(self.lines()), False
        self.model.start()
        before = self.work.job
        self.work.pause_or_go_on()
        assert eventually(lambda: self.work.job not in (None, before))
        self.settle()

    @precondition(lambda self: self.model.saved and not self.model.on)
    @rule()
    def another_program_looks(self) -> None:
        says = self.work.says
        self.work = PieceWork(self.jobs)
        self.work.says = says
        task = self.work.read(self.path)
        self.work.begin(task, go=False)
        task.close()
        assert self.work.job is None and self.work.saved
        assert self.work.state is State.FINISHED or (self.work.state, self.work.state.word) == (State.LEFT, "stopped")
        self.model.done, self.model.fault, self.model.failed, self.model.left = len(self.lines()), False, False, True

    @precondition(lambda self: self.model.saved)
    @rule()
    def fill_the_disk(self) -> None:
        assert self.work.task is not None
        if self.model.on:
            self.work.task.writer.fault, self.model.fault = "the disk is full", True

    def lines(self) -> list[int]:
        return [json.loads(line)["piece"] for line in self.path.read_text().splitlines()[1:]]

    @invariant()
    def it_is_as_the_model_says(self) -> None:
        work, model = self.work, self.model
        assert work.state is model.state and work.task is not None and work.task.done == model.done
        assert (work.job in work.kept_jobs) is (work.job is not None and model.saved and not model.fault)
        if model.saved:
            lines = self.lines()
            assert lines == list(range(len(lines))) and len(lines) <= model.done
            assert model.fault or len(lines) == model.done
        work.look()
        assert not work.look()

        kinds = (model.state is one for one in (State.PAUSED, State.STOPPING, State.FINISHED))
        assert [*kinds, model.state.runs, model.state.rests].count(True) == 1
        assert model.state.is_on is (model.state.runs or model.state is State.PAUSED)

    def teardown(self) -> None:
        if hasattr(self, "work"):
            self.work.stop()
            for _ in range(3):
                self.say("piece")
            assert not self.jobs.shutdown(LONG)
            self.folder.cleanup()


TestWork = WorkMachine.TestCase
TestWork.settings = settings(max_examples=examples(15), stateful_step_count=25, deadline=None)


def test_a_caller_may_work_itself_and_a_stop_leaves_what_is_done(tmp_path: Path) -> None:
    path = tmp_path / "pieces.jsonl"
    with pytest.raises(Cancelled):
        PieceWork.here(Pieces(Log.create(path, HEADER)), StopAt(3, SAVED_AS))
    rest = StopAt(PIECES + 1, SAVED_AS)
    task = Pieces(Log(path))  # the file was released
    PieceWork.here(task, rest)
    assert task.finished and rest.seen[0] == (3, PIECES)
    assert [entry["piece"] for entry in Log(path).entries] == list(range(PIECES))
    said: Queue[str] = Queue()
    said.put("fail")
    with pytest.raises(ZeroDivisionError, match="as it was told"):
        PieceWork.here(Pieces(None, says=said), SILENT)


def test_a_stop_ends_a_block_in_order_if_something_is_done() -> None:
    with Stoppable("count", ()) as stoppable:
        with stoppable.orderly():
            raise Cancelled("count")
        assert isinstance(stoppable.ended, Cancelled)
        with pytest.raises(KeyboardInterrupt), stoppable.orderly(lambda: False):
            raise KeyboardInterrupt
        with pytest.raises(OSError), stoppable.orderly():
            raise OSError
        with stoppable.orderly(ends=(OSError,)):
            raise OSError
        assert isinstance(stoppable.ended, Cancelled), "the first one counts"


async def ended(is_on: Callable[[], object]) -> None:
    async with asyncio.timeout(LONG):
        while is_on():
            await asyncio.sleep(0.01)


async def test_a_pause_takes_nothing_from_the_forecast() -> None:
    work = PieceWork(Jobs())
    work.begin(Pieces(None, 10_000, pace=0.001), held=True)
    assert work.state is State.PAUSED and work.left is None
    work.pause_or_go_on()
    assert work.state.runs
    work.stop()
    assert work.job is not None
    await asyncio.to_thread(work.job.join)
    assert work.state is State.STOPPED and "piecework" not in [job.name for job in work.kept_jobs]


async def test_saved_work_that_cannot_be_read_leaves_the_present_one_alone(tmp_path: Path) -> None:
    work = PieceWork(Jobs())
    work.begin(Pieces(None, 10_000, pace=0.001))
    before = work.task
    work.resume(tmp_path / "gone.jsonl")
    assert work.message == "Reading" and work.opening
    await ended(lambda: work.opening)
    assert work.message.startswith("Cannot resume: ") and work.task is before and work.state.runs
    work.stop()


async def test_what_was_read_and_is_no_longer_wanted_is_released(tmp_path: Path) -> None:
    gate, path = threading.Event(), tmp_path / "pieces.jsonl"
    Log.create(path, HEADER).close()
    work = PieceWork(Jobs())

    def read() -> Pieces:
        assert gate.wait(LONG)
        return Pieces(Log(path))

    work.open(path, read, "Reading")
    work.begin(Pieces(None, 1))
    work.drop("opening a piecework")
    gate.set()

    def held() -> bool:
        try:
            Log(path).close()
        except InputError:  # another holds it
            return True
        return False

    await ended(work.jobs.running)
    await ended(held)


async def test_work_that_is_stopped_before_its_thread_begins_is_released_and_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, run, path = threading.Event(), Job.run, tmp_path / "pieces.jsonl"
    monkeypatch.setattr(Job, "run", lambda job: begin.wait(LONG) and run(job))
    work = PieceWork(Jobs())
    work.begin(Pieces(Log.create(path, HEADER)))
    work.stop()
    assert work.state is State.STOPPING
    begin.set()
    await ended(lambda: work.on)
    assert work.state is State.SAVED
    work.go_on()
    await ended(lambda: work.opening or work.on)
    assert work.state is State.FINISHED and work.message == ""


async def test_an_export_says_where_it_is_or_why_not(tmp_path: Path) -> None:
    work = PieceWork(Jobs())
    work.begin(Pieces(None, 3))
    assert work.job is not None
    await asyncio.to_thread(work.job.join)
    there, gone = tmp_path / "pieces", tmp_path / "no" / "pieces"
    why = "the file cannot be written: no such file or directory"  # the name would leave no room for the reason
    for path, said in ((there, f"Written to {there}"), (gone, f"Not written: {why}")):
        work.export(path)
        await ended(work.on_errand)
        assert work.message == said
    assert (tmp_path / "pieces").read_text() == "[0, 1, 2]"


async def test_of_errands_with_one_name_only_the_latest_counts() -> None:
    conductor, gate = Conductor(Jobs()), threading.Event()
    found: list[int] = []
    changes: list[str] = []
    conductor.changed = lambda: changes.append(conductor.message)

    def work(result: int) -> int:
        assert gate.wait(LONG)
        return result

    def refuse(progress: Progress) -> int:
        raise InputError("no room")

    for number in (1, 2):
        conductor.errand("count", lambda progress, number=number: work(number), found.append, aside=number == 2)
    assert conductor.on_errand() and conductor.on_errand("count") and not conductor.on_errand("other")
    assert [job.name for job in conductor.kept_jobs] == ["count"]
    gate.set()
    await ended(conductor.on_errand)
    assert found == [2] and changes == [""] and conductor.kept_jobs == []
    conductor.errand("refuse", refuse, found.append, "Not done")
    await ended(conductor.on_errand)
    assert found == [2] and changes == ["", "Not done: no room"]
    conductor.errand("refuse", refuse, found.append, changes.append)
    assert conductor.drop("refuse", "count") and not conductor.drop("refuse")
    await asyncio.sleep(0.05)
    assert len(changes) == 2
