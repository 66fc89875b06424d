"""What gives work to processes, wherever they are."""

from __future__ import annotations

from abc import abstractmethod
from concurrent.futures import Executor
from types import TracebackType


class Workers(Executor):
    """An Executor that knows how many pieces it does at a time.

    As a context it waits for nothing where it is left by an exception: what is unfinished is dropped.
    """

    @property
    @abstractmethod
    def size(self) -> int:
        """How many workers there are now."""

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown(wait=True, cancel_futures=kind is not None)
