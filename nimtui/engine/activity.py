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


def compiling() -> str | None:
    """The name of a kernel that is being compiled now, in any thread; None if there is none."""
    return next((begun[0] for begun in list(_compiling.values()) if begun), None)
