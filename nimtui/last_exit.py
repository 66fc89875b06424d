"""Signals that end this process with a chosen exit status, even while C code keeps the interpreter's lock (the GIL).

No handler in Python runs then, and death by a signal would give the status of that signal. So a few bytes of machine
code handle a real-time signal for each status: `exit_group(number - SIGRTMIN + 128)`. Only for 64-bit Linux on x86 and
ARM.
"""

from __future__ import annotations

import ctypes
import mmap
import platform
import signal
import struct
import sys
from collections.abc import Sequence
from contextlib import suppress

_pages: list[mmap.mmap] = []  # the machine code, which must exist until the end


def prepare(stops: Sequence[int]) -> dict[int, int]:
    """Return, for each signal in `stops`, the signal that ends this process with the status 128 + its number.

    Returns an empty dict if this system has no such signals.
    """
    code = _code()
    if not code:
        return {}
    with suppress(OSError, ValueError):  # a hardened system runs no page that was written
        if not _pages:
            page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
            page.write(code)
            _pages.append(page)
        leaving = {stop: signal.SIGRTMIN + stop for stop in stops}
        handle = ctypes.CDLL(None).signal  # Python's own signal.signal takes only functions in Python
        handle.argtypes, handle.restype = [ctypes.c_int, ctypes.c_void_p], ctypes.c_void_p
        for number in leaving.values():
            handle(number, ctypes.addressof(ctypes.c_char.from_buffer(_pages[0])))
        return leaving
    return {}


def _code() -> bytes:
    """Return a C function of one int, the signal's number, for this processor; b'' if it is another one."""
    if not sys.platform.startswith("linux") or struct.calcsize("P") != 8:
        return b""
    more = 128 - signal.SIGRTMIN
    if platform.machine() == "x86_64":  # add edi, more; mov eax, exit_group; syscall
        return struct.pack("<BBiBiBB", 0x81, 0xC7, more, 0xB8, 231, 0x0F, 0x05)
    if platform.machine() == "aarch64":  # add w0, w0, more; mov x8, exit_group; svc 0
        return struct.pack("<III", 0x11000000 | more << 10, 0xD2800000 | 94 << 5 | 8, 0xD4000001)
    return b""
