"""The interface of executors that give work to processes, here or elsewhere."""

from __future__ import annotations

from abc import abstractmethod
from concurrent.futures import Executor


class Workers(Executor):
    """An Executor that knows how many pieces it does at a time.

    Leaving its context by an exception waits for nothing: unfinished pieces are dropped.
    """

    @property
    @abstractmethod
    def size(self) -> int:
        """Return how many workers there are now."""

    def __exit__(self, kind: type[BaseException] | None, fault: object, trace: object) -> None:
        self.shutdown(wait=True, cancel_futures=kind is not None)
