"""Share the files of compiled kernels between processes that read and write them at once.

Numba numbers the files of a kernel's versions in an index, which it reads, changes and writes back. Two processes at
once lose each other's entries or take the same number. The index can then lead from one game to the machine code of
another, and the process crashes. Here one process waits for the other, and each file names the code it holds.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from numba.core.caching import IndexDataCacheFile

from nimtui.process import locks
from nimtui.sandbox.closing import STORE

PATIENCE, PAUSE = 60.0, 0.01  # seconds


class KernelFiles(IndexDataCacheFile):
    """The files of one kernel. A sandbox reads those of nimtui, and saves its own apart: nimtui must not load them."""

    def __init__(self, folder: str, base: str, apart: bool = False) -> None:
        super().__init__(cache_path=folder, filename_base=base, source_stamp="")  # each version has its own
        self.lock = Path(folder, f"{base}.lock")
        self._place, self._base, self._is_apart = Path(folder), base, apart

    def save(self, key: Any, data: Any) -> None:
        """Save what was compiled for this key: a pair of its place and of its stamps.

        Other stamps at the same place are an older version: its file is replaced.
        """
        if apart := self._apart():
            apart.save(key, data)
            return
        with alone(self.lock):
            super().save(key[0], (key, data))

    def load(self, key: Any) -> Any:
        """Return what was compiled for this key, or None if nothing was."""
        saved = super().load(key[0])
        if saved is not None and saved[0] == key:
            return saved[1]
        apart = self._apart()
        return apart.load(key) if apart else None

    def _apart(self) -> KernelFiles | None:
        """Return the files that sandboxes write; None outside a sandbox."""
        folder = os.environ.get(STORE)
        if not folder or self._is_apart:
            return None
        return KernelFiles(folder, f"{self._place.parent.name}.{self._place.name}.{self._base}", apart=True)


@contextlib.contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Keep other processes out of the block; a process that waited too long for a halted one enters anyway.

    Raise OSError if the lock cannot be created. The lock file stays; the lock ends with its process.
    """
    handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        until = monotonic() + PATIENCE
        while not locks.lock(handle) and monotonic() < until:
            sleep(PAUSE)
        yield
    finally:
        os.close(handle)
