"""Results of the latest games, so that mixed questions about a few games compute each game once."""

from __future__ import annotations

from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")

MOST_BYTES = 512 << 20


class Recent(Generic[T]):
    """The latest results by name, of at most MOST_BYTES together; the newest stays, however large. Safe for threads."""

    def __init__(self) -> None:
        self.building = Lock()  # held while a result is computed: nobody computes it twice, or two at once
        self._results: dict[str, tuple[T, int]] = {}
        self._lock = Lock()

    def get(self, name: str) -> T | None:
        """Return the result of this name, or None."""
        with self._lock:
            if (entry := self._results.pop(name, None)) is None:
                return None
            self._results[name] = entry
            return entry[0]

    def put(self, name: str, result: T, size: int) -> None:
        """Store a result of so many bytes; drop those that were asked for longest ago."""
        with self._lock:
            self._results.pop(name, None)
            self._results[name] = result, size
            while len(self._results) > 1 and sum(size for _, size in self._results.values()) > MOST_BYTES:
                del self._results[next(iter(self._results))]
