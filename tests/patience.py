"""How long tests wait for what must happen: it happens at once, but for a machine with much else to do."""

from __future__ import annotations

import os
from time import monotonic

PATIENCE = 60.0  # seconds of a machine with nothing else to do


def busy() -> float:
    """How many times longer things may take than on a machine with nothing else to do."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def latest() -> float:
    """Until when to wait, as `monotonic` counts."""
    return monotonic() + PATIENCE * busy()
