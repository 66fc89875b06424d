"""What the engine is compiling just now, so that a screen can say so. Loads no Numba."""

from __future__ import annotations

import threading

_compiling: dict[int, str] = {}  # thread -> kernel


def begin(kernel: str) -> None:
    """This thread begins to compile a kernel."""
    _compiling[threading.get_ident()] = kernel


def end() -> None:
    """This thread compiles nothing any more."""
    _compiling.pop(threading.get_ident(), None)


def compiling() -> str | None:
    """The name of a kernel that is being compiled now, in any thread; None if there is none."""
    return next(iter(list(_compiling.values())), None)
