"""Writes the file of a run while its work goes on, and obeys what others ask of the run by files."""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic, time
from typing import Any, Self

from nimtui.errors import InputError
from nimtui.jobs import runs_report
from nimtui.jobs.job import Job, JobState
from nimtui.process import detached, sockets
from nimtui.progress import Cancelled, Task
from nimtui.store import claims, paths, run_files, settings
from nimtui.store.errors import StoreError
from nimtui.store.run_files import RunFile, State

LONG = 60.0  # seconds of work from which on its end is announced, and it may continue in the background
FIRST = 0.5  # seconds of work from which on it is listed
LOOK = 0.2  # seconds between two looks for a request
NEWS = 1.0  # seconds between two descriptions of a run
HOUR = 3600.0  # seconds
RECENT = 10  # descriptions over which a rate is taken

hand_over: Callable[[], object] = lambda: None  # noqa: E731 - ends the program whose run another one takes
send: Callable[[str], object] = lambda notice: None  # noqa: E731 - sends a notice to the terminal
going: list[Recording] = []  # the recordings of this process


def lasting() -> list[RunFile]:
    """Return the runs of this process that another could continue: saved ones, neither paused nor stopped."""
    on = [one for one in going if one.job.state is JobState.RUNNING and not one.job.cancelling]
    return [one.file for one in on if one.file is not None and one.file.place is not None]


def announce(run: RunFile) -> None:
    """Send a notice if a long run has reached its end or failed."""
    if run.state in ("finished", "failed") and run.seconds > LONG:
        send(detached.notice(settings.load(aside=False)[0].notify, runs_report.sentence(run)))


class Recording:
    """`with Recording(task, job): task.work(progress)`: lists this work among the runs while it lasts, and after it.

    A home that cannot be written keeps nobody from working: then the run is not listed.
    """

    def __init__(self, task: Task, job: Job[Any]) -> None:
        self.task, self.job = task, job
        self._listed = bool(task.kind) and task.remote is None  # another program lists its own runs
        self.file: RunFile | None = None  # as it was written last
        self._claim: claims.Claim | None = None
        self._server: sockets.Server | None = None
        self._over = threading.Event()
        self._began = monotonic()
        self._before = 0.0  # seconds of work before, in other processes
        self._seen: deque[tuple[float, int]] = deque(maxlen=RECENT)
        self._hours: int | None = None  # the most that it works in the background
        self._thread = threading.Thread(target=self._keep, name="recording", daemon=True)

    def __enter__(self) -> Self:
        if self._listed:
            self.task.job = self.job
            going.append(self)
            self._thread.start()
        return self

    def __exit__(self, kind: object, fault: BaseException | None, trace: object) -> None:
        if not self._listed:
            return
        self._over.set()
        self._thread.join()
        if self._server is not None:
            self._server.close()
        going.remove(self)
        if self.file is not None:
            failed = fault is not None and not isinstance(fault, Cancelled | KeyboardInterrupt)
            state: State = "failed" if failed else "finished" if self.task.finished else "stopped"
            text = f"{type(fault).__name__}: {fault}" if failed else self.task.fault
            with suppress(OSError):
                self._write(state, text)
            announce(self.file)
        if self._claim is not None:
            self._claim.release()

    def _keep(self) -> None:
        with suppress(OSError, StoreError):
            background = detached.run_number()
            continued = run_files.saved_in(self.task.kind, self._place)
            if background is None and continued is None and self._over.wait(FIRST):
                return
            self._begin(background)
            written = monotonic()
            while not self._over.wait(LOOK):
                if self.file is not None and (what := run_files.asked(self.file.id)) is not None:
                    self._do(what)
                if self._hours is not None and monotonic() - self._began > HOUR * self._hours:
                    self.job.cancel()
                if monotonic() - written >= NEWS or self._state != (self.file and self.file.state):
                    with suppress(OSError):  # a full disk: the next look writes again
                        self._write(self._state)
                    written = monotonic()

    @property
    def _place(self) -> run_files.Place:
        place = self.task.place
        return place.resolve() if isinstance(place, Path) else place if isinstance(place, int) else None

    @property
    def _state(self) -> State:
        return "paused" if self.job.paused else "going"

    def _begin(self, background: int | None) -> None:
        paths.ensure(run_files.folder())
        run_files.tidy()
        with suppress(OSError):
            sockets.clear()
        id = background or run_files.new_id(self.task.kind, self._place)
        self._claim = run_files.own(id)
        with suppress(InputError):
            self._before = run_files.read(id).seconds
        self._hours = settings.load(aside=False)[0].background_hours if background is not None else None
        name, game = self.task.about
        with suppress(OSError, AttributeError):  # a system without these sockets
            self._server = sockets.Server(f"{id}-{secrets.token_hex(6)}.sock", self._answer)
        self.file = run_files.described(
            id=id,
            kind=self.task.kind,
            name=name,
            game=game,
            state=self._state,
            started=time(),
            background=background is not None,
        )
        self._write(self._state)

    def _write(self, state: State, fault: str | None = None) -> None:
        """Describe the run as it is now. Raises OSError."""
        assert self.file is not None
        snapshot, done, now = self.job.snapshot, self.task.done, monotonic()
        goal = int(snapshot.total) if snapshot.total and not snapshot.prepares else self.file.goal
        self._seen.append((now, done))
        since, first = self._seen[0]
        rate = (done - first) / (now - since) if state == "going" and done > first else None
        rest = (goal - done) / rate if goal is not None and rate else None
        place, server = self._place, self._server if state in run_files.ON else None
        self.file = replace(
            self.file,
            state=state,
            done=done,
            workers=self.task.workers,
            goal=goal,
            unit=self.file.unit if snapshot.prepares else snapshot.what or self.file.unit,
            rate=rate,
            seconds=self._before + now - self._began,
            seconds_left=rest,
            written=time(),
            file=None if place is None else str(paths.database() if isinstance(place, int) else place),
            number=place if isinstance(place, int) else None,
            fault=self.task.fault if fault is None else fault,
            address=None if server is None else str(server.path),
            watchers=0 if server is None else len(server.askers),
        )
        run_files.write(self.file)

    def _do(self, what: str, amount: float | None = None) -> None:
        """Do what others ask of the run. Raises InputError if it is impossible."""
        self.task.steer("stop" if what == "take" else what, amount)
        if what == "take":
            hand_over()

    def _answer(self, question: dict[str, Any]) -> bytes:
        """Return the state of the run and what a watcher asked to see; or do what the watcher asks."""
        what, amount, picture = question["ask"], question.get("amount"), "{}"
        state = self._state  # a picture of a run that is paused has all that was done before
        if what == "picture":
            picture = self.task.picture(question)
        else:
            with suppress(InputError):  # such as a goal that is reached already
                self._do(what, None if amount is None else float(amount))
        return f'{{"state": "{state}", "picture": {picture}}}'.encode()
