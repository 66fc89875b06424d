"""Files that somebody is at work on, and writes again and again: a lock beside each, which ends with its process."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeAlias

from nimtui.store import claims
from nimtui.store.claims import Claim
from nimtui.store.errors import Unwritable

Stamp: TypeAlias = tuple[int, int, int]


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


def taken(path: Path) -> bool:
    """Is a living process at work on this file, this one included?"""
    return claims.held(_lock_of(path)) or claims.held(path)


def _lock_of(path: Path) -> Path:
    path = Path(os.path.realpath(path))  # by whatever link it is named
    return path.with_name(f".{path.name}.lock")
