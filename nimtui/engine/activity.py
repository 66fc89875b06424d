"""What the engine is compiling just now, so that a screen can say so. Loads no Numba."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

_compiling: dict[int, list[str]] = {}  # thread -> a kernel, and what is compiled into it
_asking: Counter[int] = Counter()  # thread -> how many kernels, one within another, it has asked the compiler for


def begin(kernel: str) -> None:
    """This thread begins to compile a kernel, or something that one needs."""
    _compiling.setdefault(threading.get_ident(), []).append(kernel)


def end() -> None:
    """What this thread began last is compiled, or cannot be."""
    begun = _compiling[threading.get_ident()]
    begun.pop()
    if not begun:
        del _compiling[threading.get_ident()]


def compiling() -> str | None:
    """Return the name of a kernel that is being compiled now, in any thread; None if there is none."""
    return next((begun[0] for begun in list(_compiling.values()) if begun), None)


@contextmanager
def asking() -> Iterator[None]:
    """This thread asks the compiler for a kernel, and may have to wait until another thread's is done."""
    me = threading.get_ident()
    _asking[me] += 1
    try:
        yield
    finally:
        _asking[me] -= 1
        if not _asking[me]:
            del _asking[me]


def at_the_compiler(thread: int) -> bool:
    """Does this thread compile, or wait until it can? Nothing can interrupt either."""
    return thread in _asking
