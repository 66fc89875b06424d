"""Freed arrays leave the process."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

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
