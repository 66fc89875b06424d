"""The base of the conductors: each runs a mode's work on any screen, and belongs to the app; and that of long work."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

from nimtui.jobs import Job, Jobs, JobState
from nimtui.progress import Progress
from nimtui.ui.kit.latest_job import LatestJob


class Conductor:
    """Starts, pauses and ends work as jobs. Knows no widgets and runs in the event loop.

    It calls `changed` for news that no tick would show. `message` is one line for the person.
    """

    def __init__(self, jobs: Jobs) -> None:
        self.jobs = jobs
        self.changed: Callable[[], None] = lambda: None
        self.message = ""

    def release(self) -> None:
        """Release what is held open. Called when the app and all jobs have ended."""

    @property
    def lost_by_leaving(self) -> str:
        """Return what quitting now would lose, in a sentence; '' if the app need not ask."""
        return ""

    @property
    def kept_jobs(self) -> list[Job[Any]]:
        """Return the jobs that may end without a question: their work is saved, or nobody asked for it."""
        return []


class State(Enum):
    """The state of long work; its value is the word shown for it."""

    NONE = ""
    GOING = "going"
    PAUSED = "paused"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAILED = "failed"
    FINISHED = "finished"


class Saved(Protocol):
    """The file or the database row in which work is saved."""

    def close(self) -> object: ...


class WorkConductor(Conductor):
    """Runs one work after another, each as a job in several processes."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs)
        self.workers: int | None = None  # requested; None: one per core
        self._job: Job[Any] | None = None
        self._writing: LatestJob[Path] = LatestJob()

    @property
    @abstractmethod
    def finished(self) -> bool | None:
        """Return whether all of the work is done; None if there is no work."""

    @property
    def state(self) -> State:
        job, finished = self._job, self.finished
        if finished is None:
            return State.NONE
        if job is None or job.state.ended:
            failed = job is not None and job.state is JobState.FAILED
            return State.FINISHED if finished else State.FAILED if failed else State.STOPPED
        if job.cancelling:
            return State.STOPPING
        return State.PAUSED if job.state is JobState.PAUSED else State.GOING

    @property
    def at_work(self) -> int:
        """Return how many processes it was given."""
        from nimtui.jobs.processes import cores

        return self.workers or cores()

    def run(self, name: str, work: Callable[[Progress], object], saved: Saved | None) -> Job[Any]:
        """Start the job, which closes at its end what it is saved in, so that it can be resumed, here or elsewhere."""

        def run(progress: Progress) -> object:
            try:
                return work(progress)
            finally:
                if saved is not None:
                    saved.close()

        self._job = self.jobs.start(name, run)
        self._job.add_done_callback(self._ended)
        return self._job

    def _ended(self, job: Job[Any]) -> None:
        if job is self._job:
            if self.state is State.FAILED:
                self.message = f"Stopped by an error: {job.error_text}"
            self.after_end()
            self.changed()

    def after_end(self) -> None:
        """Do what follows the end of the job that is shown."""

    @abstractmethod
    def go_on(self) -> None:
        """Resume the work that was stopped."""

    def pause_or_go_on(self) -> None:
        """Pause it, or continue it; stopped work resumes where it was."""
        job, state = self._job, self.state
        self.message = ""
        if state in (State.STOPPED, State.FAILED):
            self.go_on()
        elif job is not None and state is State.GOING:
            job.pause()
        elif job is not None and state is State.PAUSED:
            job.resume()
        self.changed()

    def stop(self) -> None:
        """Stop it; what is finished stays saved."""
        if self._job is not None:
            self._job.cancel()
        self.changed()

    def write(self, path: Path, write: Callable[[Progress], Path]) -> None:
        """Write an export to this new file, and say so."""

        def written(job: Job[Path]) -> None:
            wrong = f"Not written: {job.error_text or 'stopped'}"
            self.message = f"Written to {path}" if job.result is not None else wrong
            self.changed()

        self._writing.start(self.jobs, "export", write, written)
