"""The random numbers of Python and NumPy, for an agent that draws from them and not from its stream."""

from __future__ import annotations

import random
import sys
from hashlib import blake2b

import numpy as np


def seed_global_generators(counter: int, board: bytes) -> None:
    """Seed both by an agent's stream and its position: the same in any process, and others in every position.

    The position counts because the stream stands still while nobody draws from it.
    """
    seed = int.from_bytes(blake2b(b"%d " % counter + board, digest_size=8).digest(), "big")
    random.seed(seed)
    if "numpy.random" in sys.modules:
        np.random.seed(seed & 0xFFFFFFFF)
