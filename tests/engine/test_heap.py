"""Freed arrays leave the process, and signals end it with a status."""

from __future__ import annotations

import platform
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

from nimtui.engine import last_exit

SCRIPT = """
import re, sys
from pathlib import Path
import numpy as np
from nimtui.process import detached

def resident():
    return int(re.findall(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[0]) // 1024

if "fixed" in sys.argv:
    detached.return_large_blocks()
del (first := {0: np.ones(28 << 17)})[0]  # 28 MB, freed: from here on glibc takes smaller blocks from its own heap
before = resident()
mixed = [(np.ones(4 << 17), bytearray(100_000)) for _ in range(30)]
small = [kept for _, kept in mixed]
del mixed
print(resident() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no such limit")
def test_large_arrays_are_returned_when_they_are_freed() -> None:
    kept, returned = (
        int(subprocess.run([sys.executable, "-c", SCRIPT, how], check=True, capture_output=True, text=True).stdout)
        for how in ("usual", "fixed")
    )
    assert kept > 80 and returned < 20, "30 arrays of 4 MB, between blocks that stay"


@pytest.mark.skipif(not hasattr(signal, "SIGRTMIN"), reason="no real-time signals")
def test_each_stop_has_a_signal_of_its_own_that_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    handled, first = list[tuple[int, int]](), signal.SIGRTMIN
    library = SimpleNamespace(signal=lambda *given: handled.append(given))
    monkeypatch.setattr(last_exit.ctypes, "CDLL", lambda name: library)
    monkeypatch.setattr(last_exit, "_leave", lambda: SimpleNamespace(address=77))
    assert last_exit.prepare([2, 15]) == {2: first + 2, 15: first + 15} and handled == [
        (first + 2, 77),
        (first + 15, 77),
    ]
    assert library.signal.argtypes == [last_exit.ctypes.c_int, last_exit.ctypes.c_void_p]
    monkeypatch.delattr(signal, "SIGRTMIN")
    assert last_exit.prepare([2]) == {}
