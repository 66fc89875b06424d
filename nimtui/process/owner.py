"""Who works on something: a process that no other one can be mistaken for, on this machine or on another.

Locks on open files tell whether it still works: the system releases them when their process ends.
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

BOOT = Path("/proc/sys/kernel/random/boot_id")
START, GONE = 19, ("Z", "X")  # fields of /proc/PID/stat behind the name: the start time; states of a process that ended


class Owner(NamedTuple):
    """A process: the system gives its number to another one after its end, or after the machine starts again."""

    host: str
    boot: str  # of the machine's last start; '' if the system does not tell
    pid: int
    birth: str  # when the process started, in the system's own unit; '' if the system does not tell

    @property
    def lives(self) -> bool | None:
        """Return whether the process runs; None on another machine, where nobody can tell."""
        if self.host != socket.gethostname():
            return None
        if self.boot != _boot():
            return False
        if self.birth:
            return _birth(self.pid) == self.birth
        try:
            os.kill(self.pid, 0)
        except OSError as fault:  # there, and another user's
            return not isinstance(fault, ProcessLookupError)
        return True


def this_process() -> Owner:
    """Return the owner that stands for this process."""
    return Owner(socket.gethostname(), _boot(), os.getpid(), _birth(os.getpid()))


def _boot() -> str:
    with suppress(OSError):
        return BOOT.read_text().strip()
    return ""


def _birth(pid: int) -> str:
    with suppress(OSError, IndexError):
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return "" if state in GONE else fields[START - 1]
    return ""


try:
    import fcntl
except ImportError:  # Windows: two processes do not notice each other
    fcntl = None  # type: ignore[assignment]


def lock(file: int | IO[Any]) -> bool:
    """Lock this open file without waiting. Returns False if another process or another handle holds the lock.

    Returns True if the system has no locks.
    """
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # some network drives have no locks
    return True
