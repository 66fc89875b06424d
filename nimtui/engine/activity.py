"""What the engine is compiling just now, so that a screen can say so. Loads no Numba."""

from __future__ import annotations

import threading

_compiling: dict[int, list[str]] = {}  # thread -> a kernel, and what is compiled into it


def begin(kernel: str) -> None:
    """This thread begins to compile a kernel, or something that one needs."""
    _compiling.setdefault(threading.get_ident(), []).append(kernel)


def end() -> None:
    """What this thread began last is compiled, or cannot be."""
    begun = _compiling[threading.get_ident()]
    begun.pop()
    if not begun:
        del _compiling[threading.get_ident()]


def compiling(thread: int | None = None) -> str | None:
    """Return the name of a kernel that is being compiled now, in this thread or in any; None if there is none."""
    found = list(_compiling.items())
    return next((begun[0] for ident, begun in found if begun and thread in (None, ident)), None)
