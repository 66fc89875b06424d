"""One sequence in a process of its own: whatever it does, a circle it runs in or a crash, comes back as an outcome."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from time import thread_time
from types import FrameType
from typing import Any

from tests.fuzz import faults
from tests.fuzz.faults import Fault
from tests.fuzz.home import HOME, copy_of
from tests.fuzz.steps import Step, as_text

CIRCLE = 6.0  # seconds of work for a single step, after which it runs in a circle
LONGEST = 240.0  # seconds for a whole sequence
SIZE = (80, 24)


@dataclass(frozen=True, slots=True)
class Trial:
    """What to do: these steps, or so many random ones."""

    start: str
    size: tuple[int, int] = SIZE
    steps: tuple[Step, ...] | None = None
    seed: int = 0
    events: int = 0


@dataclass(slots=True)
class Outcome:
    """What came of it."""

    trial: Trial
    steps: list[Step] = field(default_factory=list)  # done, the last one maybe not to its end
    events: int = 0
    fault: Fault | None = None

    @property
    def text(self) -> str:
        """What can be pasted as a test."""
        return as_text(self.trial.start, self.trial.size, self.steps)


Child = Callable[[Connection, Trial, Path], None]


def run(trial: Trial, home: Path) -> Outcome:
    """Run it in a process of its own, with a copy of that home."""
    return apart(trial, home, _child)


def apart(trial: Trial, home: Path, child: Child) -> Outcome:
    """What `child` sends back from a process of its own, where it has a copy of that home."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.fuzz.warm"])
    here, there = context.Pipe(duplex=False)
    outcome = Outcome(trial, list(trial.steps or ()))
    with copy_of(home) as folder:
        process = context.Process(target=_at_home, args=(there, trial, folder, child), daemon=True)
        _start(process)
        there.close()
        try:
            if here.poll(LONGEST):
                outcome = here.recv()
            else:
                outcome.fault = Fault("never ends", f"not within {LONGEST:g} s, in code that is not Python")
        except EOFError:
            process.join(5)
            outcome.fault = Fault("crash", f"the process ended with status {process.exitcode}")
        finally:
            process.kill()
            process.join()
            here.close()
    return outcome


def _start(process: Any) -> None:
    """Start a process; a new server of forks where a test has ended all children of this process, that one too."""
    try:
        process.start()
    except ChildProcessError:
        server: Any = forkserver._forkserver
        os.close(server._forkserver_alive_fd)
        server._forkserver_address = server._forkserver_alive_fd = server._forkserver_pid = None
        process.start()


def _at_home(there: Connection, trial: Trial, home: Path, child: Child) -> None:
    os.environ[HOME] = os.environ["HOME"] = str(home)
    os.chdir(home)
    child(there, trial, home)


def _child(there: Connection, trial: Trial, home: Path) -> None:
    outcome = Outcome(trial)
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, lambda number, frame: _in_a_circle(there, outcome, number, frame))
    sys.setswitchinterval(0.001)  # as the app does
    gc.set_threshold(20_000, 20, 100)
    nowhere = Path(os.devnull).open("w")  # noqa: SIM115 - for as long as the process lives
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = nowhere
    asyncio.run(_run(trial, outcome))
    there.send(outcome)
    os._exit(0)  # threads of jobs may still be at something


_until = 0.0  # of this thread's own work, what is watched may take


def _watch(seconds: float) -> None:
    """From now on no more than so many seconds of this thread's work, nor four times as many of waiting; 0: any number.

    The timer counts the work of all threads, those of the jobs too.
    """
    from tests.fuzz.drive import load

    global _until
    _until = thread_time() + seconds
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 4 * seconds * load())


def _in_a_circle(there: Connection, outcome: Outcome, number: int, frame: FrameType | None) -> None:
    if number == signal.SIGPROF and (left := _until - thread_time()) > 0:
        signal.setitimer(signal.ITIMER_PROF, max(0.05, left))  # others have worked
        return
    outcome.fault = faults.of_stack("runs in a circle", f"for {CIRCLE:g} s", frame)
    there.send(outcome)
    os._exit(1)


async def _run(trial: Trial, outcome: Outcome) -> None:
    from tests.fuzz.choose import Chooser
    from tests.fuzz.drive import driven
    from tests.fuzz.rules import Rules
    from tests.fuzz.starts import reach

    _watch(4 * CIRCLE)
    async with driven(trial.size) as drive:
        await reach(drive, trial.start)
        drive.app.jobs.slow_down()
        rules, before = Rules(drive), drive.events
        chooser = Chooser(drive.app, Random(f"{trial.seed} {trial.start}"))
        while not drive.ended:
            if outcome.events >= trial.events if trial.steps is None else len(outcome.steps) == len(trial.steps):
                break
            outcome.steps.append(chooser.step() if trial.steps is None else trial.steps[len(outcome.steps)])
            _watch(CIRCLE)
            await drive.do(outcome.steps[-1])
            outcome.events = drive.events - before
            await rules.after(outcome.steps[-1])
        _watch(CIRCLE)
        await drive.leave()
        await rules.after(b"")
    outcome.fault = drive.app.found[0] if drive.app.found else None
    _watch(0)
