"""Long work as one state machine, for every screen, command and caller that runs it or watches it.

    ready → preparing → going ⇄ paused, one step → stopping → saved or stopped → preparing …
                          ↘ finished, failed          left over (of another program, however that ended) → preparing …

A task is what is worked on, such as a tournament; its results are its own. The work itself is a job.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from enum import Enum
from functools import partial
from operator import is_not
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any, Generic, TypeVar

from nimtui.jobs.clock import Remaining
from nimtui.jobs.conductor import Conductor
from nimtui.jobs.job import Job, Jobs, JobState, Snapshot
from nimtui.jobs.recording import Recording
from nimtui.progress import Progress, Task
from nimtui.store.run_files import RunFile

RELEASED = 30.0  # seconds to wait until a job that stops has released what it works on


class State(Enum):
    """The state of long work."""

    READY = "ready"  # nothing has been started
    PREPARING = "preparing"  # nothing is done yet since the start, or a kernel is compiled: no share of the work
    GOING = "going"
    ONE_STEP = "one step"  # then it pauses
    PAUSED = "paused"
    STOPPING = "stopping"
    STOPPED = "stopped"  # what is done is only in memory
    SAVED = "saved"  # stopped here; all that is done is saved
    LEFT = "left over"  # saved, and not finished by the program that left it, however that ended
    FAILED = "failed"
    FINISHED = "finished"

    @property
    def runs(self) -> bool:
        return self in RUNNING

    @property
    def is_on(self) -> bool:
        """Return whether it runs or is paused."""
        return self.runs or self is State.PAUSED

    @property
    def stopped(self) -> bool:
        """Return whether it was stopped, here or elsewhere, before its end."""
        return self in (State.STOPPED, State.SAVED, State.LEFT)

    @property
    def rests(self) -> bool:
        """Return whether it can be resumed: it was stopped, or failed."""
        return self.stopped or self is State.FAILED

    @property
    def word(self) -> str:
        """Return the word for a person: 'stopped', wherever its results are."""
        return State.STOPPED.value if self.stopped else self.value


ENDS = {"finished": State.FINISHED, "failed": State.FAILED}  # of a run elsewhere
RUNNING = (State.PREPARING, State.GOING, State.ONE_STEP)
RESUMABLE = tuple(state for state in State if state.rests)


OfTask = TypeVar("OfTask", bound=Task)


def _work_on(task: Task, job: Job[Any], progress: Progress) -> object:
    """Do the work of a task as a job, while others may watch and steer it."""
    with Recording(task, job):
        return task.work(progress)


class Work(Conductor, Generic[OfTask]):
    """Does one task after another, each as a job. `changed` is called after every event that no tick would show."""

    kind = "work"  # as its jobs are called
    setup: Any = None  # what the task was made of, for the next form

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self.task: OfTask | None = None
        self.workers: int | None = None  # requested processes; None: one per core
        self.job: Job[Any] | None = None  # of the task, running or ended
        self._jobs: dict[Hashable, Job[Any]] = {}  # the last job of each saved task, which holds it until it ends
        self._wanted: Hashable | None = None  # the place of the task that is being opened
        self._before = 0.0  # done at the start of the job
        self._stepping: Snapshot | None = None  # the last one before the step
        self._remaining = Remaining()
        self._seen: tuple[object, ...] = ()  # at the last call of `look`

    # State.

    @property
    def place(self) -> Any:
        """Return where the task is saved; None if it is not."""
        return None if self.task is None else self.task.place

    @property
    def saved(self) -> bool:
        """Return whether all that is done is saved: stopping loses nothing."""
        task = self.task
        return task is not None and (task.remote is not None or (self.place is not None and not task.fault))

    @property
    def foreign(self) -> RunFile | None:
        return None if self.task is None or self.task.remote is None else self.task.remote.file

    @property
    def state(self) -> State:
        task, job = self.task, self.job
        if task is None:
            return State.READY
        if task.remote is not None:
            return self._elsewhere(task, job)
        if job is None or job.state.ended:
            return self._at_rest(task, job)
        if job.cancelling:
            return State.STOPPING
        if job.state is JobState.PAUSED:
            return State.ONE_STEP if job.snapshot is self._stepping else State.PAUSED
        return State.GOING if self.has_begun(task, job) else State.PREPARING

    def _at_rest(self, task: OfTask, job: Job[Any] | None) -> State:
        if task.finished:
            return State.FINISHED
        if job is None:
            return State.READY if task.place is None else State.LEFT
        if job.state is JobState.FAILED:
            return State.FAILED
        return State.SAVED if self.saved else State.STOPPED

    def _elsewhere(self, task: OfTask, job: Job[Any] | None) -> State:
        """Return the state of a run that another program works on."""
        state = task.remote.file.state
        if job is not None and job.state.ended:
            return ENDS.get(state, State.SAVED)
        if state == "paused":
            return State.PAUSED
        return State.GOING if job is not None and self.has_begun(task, job) else State.PREPARING

    def has_begun(self, task: OfTask, job: Job[Any]) -> bool:
        """Return whether something is done since the start, and nothing is prepared now."""
        return task.remote is not None or (
            task.done != self._before and not job.snapshot.prepares and not job.compiling
        )

    @property
    def idle(self) -> bool:
        return self.task is None and not self.opening

    @property
    def on(self) -> bool:
        """Return whether its job has not ended."""
        return self.job is not None and not self.job.state.ended

    @property
    def paused(self) -> bool:
        return self.state is State.PAUSED

    @property
    def running(self) -> bool:
        """Return whether its job is neither paused nor ended."""
        return self.on and not self.paused

    @property
    def at_work(self) -> int:
        """Return how many processes it was given."""
        from nimtui.jobs.processes import cores

        return self.foreign.workers if self.foreign is not None else self.workers or cores()

    @property
    def left(self) -> float | None:
        """Return the seconds left; None while they are unknown."""
        if self.foreign is not None:
            return self.foreign.seconds_left
        if self.job is None or self.state is not State.GOING:
            return None
        return self._remaining.seen(self.job.snapshot, monotonic())

    # Watching.

    def look(self) -> bool:
        """Return whether anything that is shown has changed since the last call."""
        before, self._seen = self._seen, self.shown
        return len(before) != len(self._seen) or any(map(is_not, before, self._seen))

    @property
    def shown(self) -> tuple[object, ...]:
        """Return the objects that a screen shows: others when there is news."""
        return self.task, self.state, None if self.task is None else self.task.view

    # Starting.

    def begin(self, task: OfTask, workers: int | None = None, *, go: bool = True, held: bool = False) -> None:
        """Work on this task in place of the one before, which stops and stays saved.

        Without `go` it is only shown as it stands; `held`: paused from the first report on.
        """
        if self.job is not None:
            self.job.cancel()
        self.task, self.workers, self.job = task, workers, None
        if go:
            self.go()
            if held:
                self.pause()
        self.changed()

    def go(self) -> None:
        """Start the job, which releases at any end what it is saved in."""
        task, begun = self.task, Event()
        assert task is not None

        def run(progress: Progress) -> object:
            begun.wait()  # a task may pause its own job
            return _work_on(task, job, progress)

        self._remaining, self._before, self._stepping = Remaining(), task.done, None
        self.job = job = self.jobs.start(self.kind, run, task.close)
        begun.set()
        if task.place is not None:
            self._jobs[task.place] = job
        job.add_done_callback(self._ended)
        self.changed()

    @classmethod
    def here(cls, task: OfTask, beside: Progress) -> None:
        """Work on this task in the calling thread, as a command does, which hears signals in its main thread.

        `beside` hears all reports, and may stop it. Raises what ended the job, unless the task is finished.
        """
        job: Job[object] = Job(cls.kind, lambda progress: _work_on(task, job, progress), beside, task.close)
        work = cls(Jobs())
        work.task, work.job = task, job
        job.run()
        if work.state is not State.FINISHED:
            job.value()

    def open(
        self,
        place: Hashable | None,
        load: Callable[[], OfTask],
        said: str,
        wrong: str = "Cannot resume",
        begin: Callable[[OfTask], object] | None = None,
    ) -> None:
        """Read saved work, then `begin` it with the same workers; if that fails, the present work stays.

        `said` is the message meanwhile. What is being read already is not read twice.
        """
        if self.opening and place is not None and place == self._wanted:
            return
        self.message, self._wanted = said, place
        before = self._jobs.get(place)

        def read(progress: Progress) -> OfTask:
            if before is not None:
                before.join(RELEASED)
            return load()

        def ready(task: OfTask) -> None:
            self.message = ""
            taken.append(task)
            (begin or partial(self.begin, workers=self.workers))(task)

        def ended(job: Job[OfTask]) -> None:
            """Release a task that was read while the person asked for another one."""
            task = job.result
            if task is not None and not taken:
                self.jobs.start(f"closing a {self.kind}", lambda progress: task.close())

        taken: list[OfTask] = []
        self.errand(f"opening a {self.kind}", read, ready, wrong, aside=True).add_done_callback(ended)
        self.changed()

    def follow(self, file: RunFile, load: Callable[[], OfTask]) -> None:
        """Show the run of another program, once it is read."""
        self.open(file.place, load, f"Reading run {file.id}", "Cannot show it")

    def continue_run(self, run: RunFile) -> None:
        self.resume(run.place)

    @property
    def opening(self) -> bool:
        """Return whether work is being read or made ready."""
        return self.on_errand(f"opening a {self.kind}")

    def resume(self, place: Any) -> None:
        """Resume the work that is saved there. A room that reads it first has its own way."""
        self.go()

    def export(self, path: Path) -> None:
        """Write results to this new file."""

    # The end.

    def _ended(self, job: Job[Any]) -> None:
        if job is self.job:
            if self.state is State.FAILED:
                self.message = f"Stopped by an error: {job.error_text}"
            self.after_end()
            self.changed()

    def after_end(self) -> None:
        """Do what follows the end of the job that is shown."""

    @property
    def kept_jobs(self) -> list[Job[Any]]:
        others = [job for job in self._jobs.values() if job is not self.job and not job.state.ended]
        own = [self.job] if self.job is not None and self.saved else []
        return [*super().kept_jobs, *others, *own]

    # Controls.

    def go_on(self) -> None:
        """Resume the work that was stopped: it was released, and may have been worked on elsewhere."""
        self.message = ""
        if self.foreign is not None:
            self.take()
        elif self.place is not None:
            self.resume(self.place)
        elif self.task is not None:
            self.go()

    def pause_or_go_on(self) -> None:
        """Pause it, or continue it; stopped work resumes where it was."""
        state = self.state
        self.message = ""
        if state.rests:
            self.go_on()
        elif state is State.PAUSED:
            self.unpause()
        else:
            self.pause()
        self.changed()

    def pause(self) -> None:
        """Wait at the next report."""
        self._stepping = None
        self._request("pause")

    def unpause(self) -> None:
        """Continue after a pause, which does not count as slow work."""
        self._stepping, self._remaining = None, Remaining()
        self._request("continue")

    def step(self) -> None:
        """Work to the next report, then pause."""
        if self.job is not None:
            self._stepping = self.job.snapshot
            self._request("step")

    def stop(self) -> None:
        """Stop it; what is finished stays saved."""
        self._request("stop")
        self.changed()

    def _request(self, what: str) -> None:
        """Ask this of the job, or of the program that works on it elsewhere."""
        if self.on and self.task is not None and self.task.remote is not None:
            self.task.remote.request(what)
        elif self.job is not None:
            self.job.obey(what)
