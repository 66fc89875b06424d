"""Work in other processes, through the interface of `concurrent.futures`: on this machine, or on a cluster.

`work_off` gives pieces of work to the workers that `executor` opens. A piece must depend only on its arguments. It is
done again if its process died, and dropped if its result is no longer wanted.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
from contextlib import contextmanager, redirect_stderr
from multiprocessing import connection, resource_tracker
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from nimtui.jobs.workers import Workers
from nimtui.process import children
from nimtui.progress import SILENT, Cancelled, Progress

Piece = TypeVar("Piece", bound=Hashable)
Made = TypeVar("Made")

AHEAD = 2  # pieces handed out per worker, so that the next one is ready when one is done
BEAT = 0.1  # seconds between two reports while nothing finishes
LEAVING = 0.2  # seconds that processes have to end when nobody wants their work any more
TRIES = 3  # how often a process may die during a piece
WARNINGS = "PYTHONWARNINGS"  # what a new interpreter says of warnings
DEAF_TO = [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)]


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def executor(
    workers: int | None = None, scheduler: str | None = None, first: Callable[[], object] | None = None
) -> Workers:
    """Return processes of this machine, by default one per core, or those of a Dask scheduler ('tcp://…').

    Each new process of this machine calls `first` before its work. InputError if the cluster cannot be used.
    """
    if scheduler is None:
        return Processes(workers or cores(), first)
    from nimtui.jobs.cluster import Cluster

    return Cluster(scheduler)


class Processes(Workers):
    """Processes of this machine: freshly started, never forked; one thread each.

    They end when this process does, however it ends, and leave Ctrl+C to it. If one dies, its unfinished pieces raise
    BrokenProcessPool, and the next piece submitted opens new processes.
    """

    def __init__(self, workers: int, first: Callable[[], object] | None = None) -> None:
        """Prepare `workers` processes; each calls `first` before its work."""
        self._workers = workers
        self._first = first
        self._lock = threading.Lock()  # guards all below
        self._ended = False
        self._open()

    @property
    def size(self) -> int:
        return self._workers

    def submit(self, function: Callable[..., Made], /, *given: Any, **named: Any) -> Future[Made]:
        with self._lock, _deaf():
            try:
                return self._pool.submit(function, *given, **named)
            except BrokenProcessPool:
                if self._ended:
                    raise
                self._close()
                self._open()
                return self._pool.submit(function, *given, **named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let running pieces finish; with `cancel_futures` end the processes at once instead."""
        with self._lock:
            self._ended = True
            if cancel_futures:
                self._leash.close()  # the pool gives its pieces up then, and would fail over a cancelled one
                self._be_last_to_write()
                self._end_the_deaf()
            self._pool.shutdown(wait)
            if wait:
                self._close()

    def _open(self) -> None:
        start_tracker()
        context = multiprocessing.get_context("spawn")
        self._held, self._leash = context.Pipe(duplex=False)  # the other end notices when this end is closed
        self._pool = ProcessPoolExecutor(self._workers, context, _begin, (self._held, self._first))

    def _be_last_to_write(self) -> None:
        """Close this end, so that the pool notices when no process can write any more.

        A process that ends while it writes leaves half a message. The pool, which holds a writing end as well, would
        wait for the rest for ever.
        """
        results: Any = self._pool._result_queue
        if results is not None:
            results._writer.close()

    def _end_the_deaf(self) -> None:
        """Kill the processes that do not end by themselves: own code may keep the interpreter's lock there."""
        pool: Any = self._pool
        processes = list((pool._processes or {}).values())
        until = monotonic() + LEAVING
        for process in processes:
            process.join(max(0.0, until - monotonic()))
            if process.is_alive():
                process.kill()

    def _close(self) -> None:
        self._leash.close()
        self._held.close()
        self._pool.shutdown(wait=False, cancel_futures=True)


def start_tracker() -> None:
    """Start the helper process of `multiprocessing` now, without output.

    It would inherit stderr, which under a full-screen app is no file. It would also print warnings there when it tidies
    up after a process that ends at once.
    """
    before = os.environ.get(WARNINGS)
    os.environ[WARNINGS] = "ignore"
    try:
        with Path(os.devnull).open("w") as nowhere, redirect_stderr(nowhere):
            resource_tracker.ensure_running()
    finally:
        if before is None:
            del os.environ[WARNINGS]
        else:
            os.environ[WARNINGS] = before


@contextmanager
def _deaf() -> Iterator[None]:
    """Start processes that ignore Ctrl+C from their first moment. Other threads still receive it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, DEAF_TO)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(leash: connection.Connection, first: Callable[[], object] | None) -> None:
    """Prepare a new process before its first work."""
    for number in DEAF_TO:
        signal.signal(number, signal.SIG_IGN)
    os.environ.update(children.ONE_THREAD)
    children.die_with_parent()  # even if own code keeps the interpreter's lock
    children.silence()  # faults are handed back
    threading.Thread(target=_end_with_parent, args=(leash,), daemon=True).start()
    if first is not None:
        first()


def _end_with_parent(leash: connection.Connection) -> None:
    parent = multiprocessing.parent_process()
    connection.wait([leash, *([] if parent is None else [parent.sentinel])])
    os._exit(1)  # nothing here needs an orderly end


def work_off(
    workers: Workers,
    function: Callable[[Piece], Made],
    pieces: Iterable[Piece],
    kept: Callable[[Sequence[tuple[Piece, Made]]], object],
    progress: Progress = SILENT,
    *,
    what: str = "",
    before: int = 0,
    far: Callable[[], tuple[float, float]] | None = None,
    meanwhile: Callable[[], bool] | None = None,
) -> None:
    """Do all pieces, and hand on each result as soon as it is there, in any order.

    `function` must be a module's own, so that other processes find it. `before` pieces were done earlier and count as
    progress. `far` returns how much is done and how much there is in all; with it pieces need not be counted, and are
    taken only when a worker is free. `meanwhile` is called until the first piece is finished (processes take a second
    or two to start) and returns whether it did something.

    When the progress pauses, running pieces are finished and handed on, and no new ones start. `kept` is then called in
    another thread, but never in two at once. When it cancels, finished pieces are handed on and the rest dropped.
    ChildProcessError if processes died again and again over a piece, ConnectionError if a cluster is lost; an error of
    a piece is raised here.
    """
    if far is None:
        pieces = list(pieces)
        total = before + len(pieces)

        def far() -> tuple[float, float]:
            return before + done, total

    waiting = iter(pieces)
    again: deque[Piece] = deque()
    running: dict[Future[Made], Piece] = {}
    deaths: Counter[Piece] = Counter()
    lock = threading.RLock()  # who hands on; also guards `running`
    resting = False  # whether a report is under way, which may last as long as a pause
    trouble: list[Exception] = []  # errors of other threads
    done = 0  # pieces handed on

    def collect(finished: Iterable[Future[Made]]) -> None:
        nonlocal done
        results, fault = [], None
        for future in finished:
            piece = running.pop(future)
            wrong = CancelledError() if future.cancelled() else future.exception()
            if wrong is None:
                results.append((piece, future.result()))
            elif isinstance(wrong, BrokenExecutor) and deaths[piece] + 1 < TRIES:
                deaths[piece] += 1
                again.append(piece)
            else:
                fault = fault or _said(wrong)
        if results:
            done += len(results)
            kept(results)
        if fault is not None:
            raise fault

    def hand_on(future: Future[Made]) -> None:
        """Hand on a result in the executor's thread, which does not wait for a pause to end."""
        with lock:
            if resting and future in running and not future.cancelled() and future.exception() is None:
                try:
                    collect([future])
                except Exception as fault:  # noqa: BLE001 - raised later, in the caller's thread
                    trouble.append(fault)

    def tell() -> None:
        nonlocal resting
        with lock:
            collect([future for future in running if future.done()])
            resting = True
        try:
            progress.report(*far(), what)
        finally:
            with lock:
                resting = False
        if trouble:
            raise trouble[0]

    try:
        while True:
            tell()
            while len(running) < AHEAD * workers.size:
                piece = again.popleft() if again else next(waiting, None)
                if piece is None:
                    break
                future = workers.submit(function, piece)
                running[future] = piece
                future.add_done_callback(hand_on)
            if not running:
                break
            busy = meanwhile is not None and not done and meanwhile()
            collect(wait(running, 0 if busy else BEAT, FIRST_COMPLETED).done)
    except Cancelled:
        collect([future for future in running if future.done()])
        raise


def _said(wrong: BaseException) -> BaseException:
    """Return an error of the executor in words for people; any other error as it is."""
    if isinstance(wrong, BrokenExecutor):
        return ChildProcessError(f"the worker processes died {TRIES} times: perhaps there is not enough memory")
    if isinstance(wrong, CancelledError):
        return ConnectionError("lost the connection to the cluster")
    return wrong
