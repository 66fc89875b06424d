"""Signals that end this process with a chosen exit status, even while C code keeps the interpreter's lock (the GIL).

No handler in Python runs then, and death by a signal would give the status of that signal. So a compiled function,
which needs no lock, handles a real-time signal for each status. Only where there are real-time signals.
"""

from __future__ import annotations

import ctypes
import signal
from collections.abc import Sequence
from functools import cache
from typing import Any


@cache
def _leave() -> Any:
    """Return a C function of a signal's number that ends the process with the status 128 + (number - SIGRTMIN)."""
    from numba import cfunc, types

    end: Any = types.ExternalFunction("_exit", types.void(types.intc))
    more = 128 - signal.SIGRTMIN

    @cfunc(types.void(types.intc))
    def leave(number: int) -> None:
        end(number + more)

    return leave


def prepare(stops: Sequence[int]) -> dict[int, int]:
    """Return, for each signal in `stops`, the signal that ends this process with the status 128 + its number.

    Returns an empty dict if this system has no such signals.
    """
    if not hasattr(signal, "SIGRTMIN"):
        return {}
    leaving = {stop: signal.SIGRTMIN + stop for stop in stops}
    handle = ctypes.CDLL(None).signal  # Python's own signal.signal takes only functions in Python
    handle.argtypes, handle.restype = [ctypes.c_int, ctypes.c_void_p], ctypes.c_void_p
    for number in leaving.values():
        handle(number, _leave().address)
    return leaving
