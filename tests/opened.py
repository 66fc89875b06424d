"""The files that this process has open: how many is not known, as what other tests have left is closed at any time."""

from __future__ import annotations

import os
from contextlib import suppress

Open = frozenset[tuple[int, int, int]]  # number, and device and place there


def open_files() -> Open:
    found = list[tuple[int, int, int]]()
    for number in map(int, os.listdir("/dev/fd")):  # noqa: PTH208 - it has no other names
        with suppress(OSError):  # the list itself
            status = os.fstat(number)
            found.append((number, status.st_dev, status.st_ino))
    return frozenset(found)


def opened_since(before: Open) -> int:
    """How many files are open that were not."""
    return len(open_files() - before)
