"""Compile kernels in a process of low priority, so that the compiler never keeps the app's interpreter lock."""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from nimtui.process import plugins
from nimtui.process.plugins import OwnFile
from nimtui.progress import Cancelled

if TYPE_CHECKING:
    from nimtui.jobs.processes import Processes

NICENESS = 5  # lets the app's own threads go first
LULL = 2.0  # seconds after a kernel that a thread waited for, in which the others leave the processors to its work
IDLE = 20.0  # seconds without an order after which the process ends: it takes 170 MB


class Asked(NamedTuple):
    """An order that is still waiting for the process."""

    kernel: tuple[str, str, bytes]  # module, name, types
    future: Future[bytes]


class KernelProcess:
    """Compiles one kernel at a time: first those that a thread waits for, and the others in a lull.

    The process starts with the first order. It ends with the app, however that ends.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()  # guards all below
        self._asked: list[Asked] = []
        self._urgent: list[Future[bytes]] = []  # orders that a thread waits for, and that are still to be compiled
        self._calm = 0.0  # when the lull begins
        self._workers: Processes | None = None
        self._running = self._closed = False

    def order(self, module: str, kernel: str, signature: bytes) -> Future[bytes]:
        """Ask for a kernel (see `elsewhere.Compiler`)."""
        future: Future[bytes] = Future()
        with self._changed:
            if self._closed:
                future.set_exception(Cancelled(kernel))
                return future
            self._asked.append(Asked((module, kernel, signature), future))
            self._changed.notify_all()
            if not self._running:
                self._running = True
                threading.Thread(target=self._work, name="kernels", daemon=True).start()
        return future

    def hurry(self, order: Future[bytes]) -> None:
        """Put an order before all that no thread waits for."""
        with self._changed:
            if any(asked.future is order for asked in self._asked):
                self._asked.sort(key=lambda asked: asked.future is not order)
                self._urgent.append(order)
                self._changed.notify_all()

    def close(self) -> None:
        """End the process. Orders that are not finished raise Cancelled."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            workers = self._workers
        if workers is not None:
            workers.shutdown(wait=False, cancel_futures=True)

    def _work(self) -> None:
        workers = None
        while self._is_due():
            try:
                workers = workers or self._begun()
            except Exception as fault:  # noqa: BLE001 - whoever waits must hear of it
                self._fail(fault)
            else:
                self._compile(workers)
        if workers is not None:
            workers.shutdown(wait=False, cancel_futures=True)

    def _is_due(self) -> bool:
        """Wait for an order. Return False if there is none for a while, or after `close`: then this thread ends."""
        with self._changed:
            self._changed.wait_for(lambda: self._asked or self._closed, IDLE)
            if self._asked and not self._closed:
                return True
            self._workers, self._running = None, False
        if self._closed:
            self._fail(Cancelled("closed"))
        return False

    def _fail(self, fault: Exception) -> None:
        with self._changed:
            orders, self._asked, self._urgent = self._asked, [], []
        for one in orders:
            one.future.set_exception(Cancelled("closed") if self._closed else fault)

    def _compile(self, workers: Processes) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._urgent or self._closed, max(0.0, self._calm - monotonic()))
            if self._closed:
                return
            order = self._asked.pop(0)
        try:
            order.future.set_result(workers.submit(_compiled, *order.kernel).result())
        except Exception as fault:  # noqa: BLE001 - whoever waits must hear of it
            order.future.set_exception(Cancelled("closed") if self._closed else fault)
        with self._changed:
            if order.future in self._urgent:
                self._urgent.remove(order.future)
                self._calm = monotonic() + LULL

    def _begun(self) -> Processes:
        """Start the process, and wait until it has loaded the compiler."""
        from nimtui.jobs.processes import Processes  # takes time that the start screen does not have

        own = [one for one in plugins.loaded() if one.kind != "agent"]
        workers = Processes(1, partial(_get_ready, own))
        with self._changed:
            if self._closed:
                raise Cancelled("kernels")
            self._workers = workers
        workers.submit(os.getpid).result()
        self._calm = monotonic() + LULL
        return workers


def _get_ready(own: list[OwnFile]) -> None:
    """Prepare the process: lower its priority, and load the own files whose rules it may have to compile."""
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    for one in own:
        one.load()
    from nimtui.engine import jit  # noqa: F401 - loads the compiler


def _compiled(module: str, kernel: str, signature: bytes) -> bytes:
    from nimtui.engine import jit

    return jit.compiled_bytes(module, kernel, signature)
