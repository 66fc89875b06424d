"""Locks on open files, which end with their process, however it ends."""

from __future__ import annotations

from typing import IO, Any

try:
    import fcntl
except ImportError:  # not on Windows; two processes at once are then not noticed
    fcntl = None  # type: ignore[assignment]


def lock(file: int | IO[Any]) -> bool:
    """Lock this open file, without waiting; False where another process, or another handle of this one, has it.

    True also where locks are not to be had.
    """
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # some network drives cannot
    return True
