"""Who is at work on what: locks that end with their process, however it ends.

A file that is written again and again has a lock beside it, for as long as somebody is at work on it.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import TypeAlias

from nimtui.locks import lock
from nimtui.store import paths
from nimtui.store.errors import StoreError, Unwritable, unwritable

PATIENCE, PAUSE = 10.0, 0.01  # seconds
GLANCE = 0.2  # seconds; whoever only looks whether something is held is through long before

Stamp: TypeAlias = tuple[int, int, int]


class Claim:
    """An exclusive lock on a file that is there only for this."""

    def __init__(self, path: Path, taken: str, patience: float = GLANCE) -> None:
        """Take it, at once or after some waiting. StoreError `taken` where somebody else has it."""
        self.path = path
        self._handle = -1
        paths.ensure(path.parent)
        until = time.monotonic() + patience
        while not self._take():
            if time.monotonic() > until:
                raise StoreError(taken)
            time.sleep(PAUSE)

    def _take(self) -> bool:
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as fault:
            raise unwritable(self.path, fault) from None
        if not lock(handle):
            os.close(handle)
            return False
        if not _is_at(handle, self.path):  # whoever had it has just taken the file away
            os.close(handle)
            return False
        self._handle = handle
        return True

    def release(self) -> None:
        """Give it back, and take the file away."""
        if self._handle >= 0:
            with contextlib.suppress(OSError):
                self.path.unlink()  # while it is still locked: nobody else can have it
            os.close(self._handle)
            self._handle = -1


def is_locked(path: Path) -> bool:
    """Is it claimed by a living process, this one included?"""
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        return not lock(handle)
    finally:
        os.close(handle)


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        return False


def claim(path: Path) -> Claim | None:
    """Say that one is at work on this file, until the claim is released. None where no lock can be written beside it.

    StoreError where somebody else is at work on it.
    """
    try:
        return Claim(_lock_of(path), f"{path} is in use by another nimtui: stop that one first")
    except Unwritable:
        return None


def stamp(path: Path) -> Stamp | None:
    """By which it is seen that a file has been written since; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def is_claimed(path: Path) -> bool:
    """Is a living process at work on this file, this one included?"""
    return is_locked(_lock_of(path)) or is_locked(path)


def _lock_of(path: Path) -> Path:
    path = Path(os.path.realpath(path))  # by whatever link it is named
    return path.with_name(f".{path.name}.lock")
