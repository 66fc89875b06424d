"""Track what the engine compiles at the moment, so that a screen can show it. Loads no Numba."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple

from nimtui.process import stopping


class Orders(NamedTuple):
    """Kernels ordered from another process since there were none before."""

    total: int
    done: int
    seconds: float  # since the first of them


_compiling: dict[int, list[str]] = {}  # thread -> a kernel, and what is compiled into it
_asking: Counter[int] = Counter()  # thread -> how many nested kernels it has asked the compiler for
_waiting: dict[int, str] = {}  # thread -> the kernel that another process compiles for it
_ordering = threading.Lock()  # guards the rest
_total = _done = 0
_since = 0.0


def begin(kernel: str) -> None:
    """Note that this thread starts to compile a kernel, or a part of one."""
    stopping.compiles(True)
    _compiling.setdefault(threading.get_ident(), []).append(kernel)


def end() -> None:
    """Note that the compilation this thread started last has finished or failed."""
    stopping.compiles(False)
    begun = _compiling[threading.get_ident()]
    begun.pop()
    if not begun:
        del _compiling[threading.get_ident()]


def compiling() -> str | None:
    """Return the name of a kernel that some thread compiles or waits for now; None if there is none."""
    here = next((begun[0] for begun in list(_compiling.values()) if begun), None)
    return here or next(iter(list(_waiting.values())), None)


def ordered() -> None:
    """Note that a kernel was ordered from another process."""
    global _total, _done, _since
    with _ordering:
        if _done == _total:
            _total, _done, _since = 0, 0, monotonic()
        _total += 1


def delivered() -> None:
    """Note that a kernel came from another process, or failed there."""
    global _done
    with _ordering:
        _done += 1


def orders() -> Orders | None:
    """Return the orders under way; None if there are none."""
    with _ordering:
        return Orders(_total, _done, monotonic() - _since) if _done < _total else None


@contextmanager
def waiting(kernel: str) -> Iterator[None]:
    """Mark this thread as waiting for a kernel that another process compiles."""
    _waiting[threading.get_ident()] = kernel
    try:
        yield
    finally:
        del _waiting[threading.get_ident()]


@contextmanager
def asking() -> Iterator[None]:
    """Mark this thread as asking the compiler for a kernel; it may wait for another thread's compilation."""
    me = threading.get_ident()
    _asking[me] += 1
    try:
        yield
    finally:
        _asking[me] -= 1
        if not _asking[me]:
            del _asking[me]


def at_the_compiler(thread: int) -> bool:
    """Return whether this thread compiles, or waits to compile. Nothing can interrupt either."""
    return thread in _asking
