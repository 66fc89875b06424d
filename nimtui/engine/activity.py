"""Track what the engine compiles at the moment, so that a screen can show it. Loads no Numba."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from nimtui import stopping

_compiling: dict[int, list[str]] = {}  # thread -> a kernel, and what is compiled into it
_asking: Counter[int] = Counter()  # thread -> how many nested kernels it has asked the compiler for


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
    """Return the name of a kernel that is being compiled now, in any thread; None if there is none."""
    return next((begun[0] for begun in list(_compiling.values()) if begun), None)


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
