"""Seeding of the global generators of Python and NumPy, for agents that use them instead of their stream."""

from __future__ import annotations

import random
import sys
from hashlib import blake2b

import numpy as np


def seed_global_generators(counter: int, board: bytes) -> None:
    """Seed both from an agent's stream and its position: equal in any process, different in every position.

    The position matters because the stream does not advance if the agent does not draw from it.
    """
    seed = int.from_bytes(blake2b(b"%d " % counter + board, digest_size=8).digest(), "big")
    random.seed(seed)
    if "numpy.random" in sys.modules:
        np.random.seed(seed & 0xFFFFFFFF)
