"""The files of compiled kernels, when several processes read and write them at once.

Numba numbers the files of a kernel's versions in an index, which it reads, changes and writes back. Two processes that
do so at the same moment lose each other's entries, or both take the same number, and then the index leads from one
game to the machine code of another: a crash. Here one waits for the other, and a file says itself whose code it holds.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from numba.core.caching import IndexDataCacheFile

from nimtui import locks

PATIENCE, PAUSE = 60.0, 0.01  # seconds


class KernelFiles(IndexDataCacheFile):
    def __init__(self, folder: str, base: str, stamp: str) -> None:
        super().__init__(cache_path=folder, filename_base=base, source_stamp=stamp)
        self.stamp = stamp
        self.lock = Path(folder, f"{base}.lock")

    def save(self, key: Any, data: Any) -> None:
        with alone(self.lock):
            super().save(key, (self.stamp, key, data))

    def load(self, key: Any) -> Any:
        """What was compiled for this key; None where that is not known."""
        kept = super().load(key)
        return kept[2] if kept is not None and kept[:2] == (self.stamp, key) else None


@contextlib.contextmanager
def alone(lock: Path) -> Iterator[None]:
    """No other process is in here meanwhile; but whoever has waited very long, for one that was halted, comes in too.

    OSError where the lock cannot be made. It stays where it is; it ends with its process.
    """
    handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        until = monotonic() + PATIENCE
        while not locks.lock(handle) and monotonic() < until:
            sleep(PAUSE)
        yield
    finally:
        os.close(handle)
