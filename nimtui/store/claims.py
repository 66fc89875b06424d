"""Locks on files, released when their process ends, however it ends.

A file that is written repeatedly has a lock file beside it while a process works on it.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import TypeAlias

from nimtui.process.owner import lock
from nimtui.store import paths
from nimtui.store.errors import StoreError, Unwritable, raising, unwritable

PATIENCE, PAUSE = 10.0, 0.01  # seconds
GLANCE = 0.2  # seconds; a process that only tests a lock holds it for less

Stamp: TypeAlias = tuple[int, int, int]


class Claim(contextlib.AbstractContextManager["Claim"]):
    """An exclusive lock on a file that exists only for this purpose."""

    def __init__(self, path: Path, of: Path, message: str, patience: float = GLANCE) -> None:
        """Take the lock at `path`, which guards `of`, and wait up to `patience` seconds for it.

        Raise StoreError `message` if another process holds it, Unwritable, which names `of`, if it cannot be written.
        """
        self.path, self.of = path, of
        self._handle: int | None = None
        try:
            paths.ensure(path.parent)
        except Unwritable as fault:
            raise Unwritable(of, fault.reason) from None
        until = time.monotonic() + patience
        while not self._take():
            if time.monotonic() > until:
                raise StoreError(message)
            time.sleep(PAUSE)

    def _take(self) -> bool:
        with raising(unwritable, self.of):
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
        taken = False
        with contextlib.suppress(OSError):  # the last holder has just removed the file
            taken = lock(handle) and os.path.samestat(os.fstat(handle), self.path.stat())
        if taken:
            self._handle = handle
        else:
            os.close(handle)
        return taken

    def release(self) -> None:
        """Release the lock and remove its file."""
        if self._handle is not None:
            with contextlib.suppress(OSError):
                self.path.unlink()  # while still locked, so that nobody else can have it
            os.close(self._handle)
            self._handle = None

    def __exit__(self, *_: object) -> None:
        self.release()


def is_locked(path: Path) -> bool:
    """Return whether a living process holds the lock, this process included."""
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        return not lock(handle)
    finally:
        os.close(handle)


def claim(path: Path, patience: float = GLANCE) -> Claim | None:
    """Claim this file until the claim is released. Return None if no lock can be written beside it.

    Wait up to `patience` seconds while another process holds the claim, then raise StoreError.
    """
    try:
        return Claim(lock_of(path), path, f"{path} is in use by another nimtui: stop that one first", patience)
    except Unwritable:
        return None


def stamp(path: Path) -> Stamp | None:
    """Return a stamp that changes with every write to the file, or None if there is no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def is_claimed(path: Path) -> bool:
    """Return whether a living process works on this file, this process included."""
    return is_locked(lock_of(path)) or is_locked(path)


def lock_of(path: Path) -> Path:
    """Return the path of the lock of a file that is written repeatedly."""
    path = Path(os.path.realpath(path))  # the real path, whatever link names the file
    return path.with_name(f".{path.name}.lock")
