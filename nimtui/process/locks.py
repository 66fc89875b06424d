"""Locks on open files. The system releases them when their process ends."""

from __future__ import annotations

from typing import IO, Any

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
