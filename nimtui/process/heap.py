"""How the C library keeps memory that was freed."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

LARGE = 1 << 20  # bytes: blocks from this size on go back to the system as soon as they are freed
_M_MMAP_THRESHOLD = -3  # of mallopt(3)


def return_large_blocks() -> None:
    """Return large arrays to the system when they are freed. Does nothing outside Linux with glibc.

    By default glibc raises its limit for such blocks to the largest block freed so far, up to 32 MB. Later arrays then
    lie among small blocks, in memory that it keeps, and zeroed arrays are written in full: thirty pairs of small
    search trees held 130 MB that nothing used.
    """
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):  # another C library
            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, LARGE)
