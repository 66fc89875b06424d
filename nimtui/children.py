"""Child processes that run a person's own code: ended with all that they started, and how one ended, in words.

Such code may start processes of its own, and give them a session of their own too. A process that `adopts` is the
parent of those whose own parent is gone (on Linux), so that it can end them.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import Popen

ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("NUMBA", "OMP", "OPENBLAS", "MKL")}  # for what forks
DIES_WITH_PARENT, ADOPTS = 1, 36  # PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER of <linux/prctl.h>
BEAT = 1.0  # seconds of silence after which a process that watches others is woken
ROUNDS = 100  # a process that is ended may have started another one meanwhile


def adopt() -> None:
    """From now on this process is the parent of all that its children leave behind; nothing elsewhere than on Linux."""
    _prctl(ADOPTS, 1)


def die_with_parent() -> None:
    """Let this process be killed where its parent ends, however that does; nothing elsewhere than on Linux."""
    _prctl(DIES_WITH_PARENT, int(signal.SIGKILL))


@contextmanager
def no_copies() -> Iterator[None]:
    """A process that is forked within ends where it comes out: there is one of this process, not two."""
    number = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != number:
            os._exit(0)


def kill(child: int) -> None:
    """End a child that leads its own session and was not waited for yet, and all in its group."""
    for end in (os.killpg, os.kill):
        with suppress(OSError):
            end(child, signal.SIGKILL)


def wake(process: Popen[bytes]) -> None:
    """Let a process go on that what it watches has stopped: it may know its parent's number."""
    with suppress(OSError):
        process.send_signal(signal.SIGCONT)


def end_strays(known: Collection[int] = ()) -> None:
    """End every child of this process but those that are `known`: what others, which have ended, have left behind."""
    for _ in range(ROUNDS):
        strays = [child for child in _children() if child not in known]
        if not strays:
            return
        for child in strays:
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
            with suppress(OSError):
                os.waitpid(child, 0)


def how_it_ended(status: int) -> str:
    """What a status of `os.waitpid` means: 'exit status 3', 'signal SIGSEGV'."""
    if not os.WIFSIGNALED(status):
        return f"exit status {os.waitstatus_to_exitcode(status)}"
    number = os.WTERMSIG(status)
    with suppress(ValueError):
        return f"signal {signal.Signals(number).name}"
    return f"signal {number}"


def _children() -> Iterator[int]:
    """The processes whose parent this one is; none where the system does not say."""
    for path in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            yield from map(int, path.read_text().split())


def _prctl(what: int, value: int) -> None:
    if sys.platform == "linux":
        with suppress(OSError, AttributeError, ImportError):
            import ctypes

            ctypes.CDLL(None).prctl(what, value, 0, 0, 0)
