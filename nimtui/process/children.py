"""Child processes that run own code: ends them with all their descendants, and says how one ended.

Own code may start processes, also in new sessions. A process that `adopts` becomes the parent of orphaned descendants
(on Linux), so that it can end them.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import Popen

ONE_THREAD = {
    f"{library}_NUM_THREADS": "1" for library in ("NUMBA", "OMP", "OPENBLAS", "MKL")
}  # threads do not survive a fork
DIES_WITH_PARENT, ADOPTS = 1, 36  # PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER of <linux/prctl.h>
BEAT = 1.0  # seconds of silence after which a watching process is woken
ROUNDS = 100  # a process may start another one just before it is killed


def adopt() -> None:
    """Make this process the parent of all orphans among its descendants. Does nothing except on Linux."""
    _prctl(ADOPTS, 1)


def die_with_parent() -> None:
    """Have this process killed when its parent ends for any reason. Does nothing except on Linux."""
    _prctl(DIES_WITH_PARENT, int(signal.SIGKILL))


def silence() -> None:
    """Detach this process from the terminal and from its output: what it reads is empty, what it writes is lost."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)


def handle(names: Collection[str], how: signal.Handlers) -> None:
    """Ignore these signals, or have them do what they usually do, as far as the system has them."""
    for name in names:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), how)


@contextmanager
def no_copies() -> Iterator[None]:
    """End every process forked within at the end of the block, so that no copy of this process continues."""
    number = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != number:
            os._exit(0)


def kill(child: int) -> None:
    """Kill a child that leads its own session, and its process group. The child must not have been waited for."""
    for end in (os.killpg, os.kill):
        with suppress(OSError):
            end(child, signal.SIGKILL)


def wake(process: Popen[bytes]) -> None:
    """Continue a process that leads its group, if one of its children suspended it: a child knows its parent."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGCONT)


def starved(child: int, seconds: float) -> bool:
    """Return whether a process wants to run and has had less processor time than that: the machine is busy.

    Returns False if the system does not tell.
    """
    try:
        fields = Path(f"/proc/{child}/stat").read_bytes().rpartition(b")")[2].split()
        return fields[0] in (b"R", b"D") and (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") < seconds
    except (OSError, ValueError, IndexError):
        return False


def temporary_folder(prefix: str) -> str:
    """Make a temporary folder of this process, and remove those with this prefix whose processes were killed."""
    import shutil
    import tempfile

    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*-*"):
        try:
            os.kill(int(folder.name.removeprefix(prefix).partition("-")[0]), 0)
        except (ValueError, OverflowError, PermissionError):
            continue
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
    return tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-")


def end_strays(known: Collection[int] = ()) -> None:
    """Kill all orphans: every child that is not `known`, except those in the session of a known one."""
    for _ in range(ROUNDS):
        strays = [child for child in _children() if child not in known and session(child) not in known]
        if not strays:
            return
        for child in strays:
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
            with suppress(OSError):
                os.waitpid(child, 0)


def session(number: int) -> int:
    """Return the number of the process that leads the session of a process, 0 if that has ended."""
    with suppress(OSError):
        return os.getsid(number)
    return 0


def family(number: int) -> list[int]:
    """Return a child that leads its session, its descendants, and the orphans of its session.

    Itself alone if the system does not list them. Forgets orphans that ended.
    """
    numbers = [number]
    for child in _children():
        with suppress(OSError):
            if child != number and session(child) == number and not os.waitpid(child, os.WNOHANG)[0]:
                numbers.append(child)
    for each in numbers:  # grows within
        with suppress(OSError):
            numbers += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
    return numbers


def memory(number: int) -> int:
    """Return the bytes that a process holds in memory, 0 if the system does not tell.

    It is at least half of what the process asked for: a program may die before it has filled that.
    """
    try:
        pages = [int(part) for part in Path(f"/proc/{number}/statm").read_text().split()]
        return max(pages[1], pages[5] // 2) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def how_it_ended(status: int) -> str:
    """Return the meaning of a status of `os.waitpid`: 'exit status 3', 'signal SIGSEGV'."""
    if not os.WIFSIGNALED(status):
        return f"exit status {os.waitstatus_to_exitcode(status)}"
    number = os.WTERMSIG(status)
    with suppress(ValueError):
        return f"signal {signal.Signals(number).name}"
    return f"signal {number}"


def _children() -> Iterator[int]:
    """Give the children of this process; none if the system does not list them."""
    for path in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            yield from map(int, path.read_text().split())


def _prctl(what: int, value: int) -> None:
    if sys.platform == "linux":
        with suppress(OSError, AttributeError, ImportError):
            import ctypes

            ctypes.CDLL(None).prctl(what, value, 0, 0, 0)
