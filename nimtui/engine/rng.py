"""The only random generator: splitmix64, with the same numbers interpreted and compiled.

A generator is a counter: every draw adds GAMMA and scrambles the sum with `mix` (Steele, Lea, Flood, "Fast Splittable
Pseudorandom Number Generators", 2014; the constants are those of Stafford's 13th mixer). Its period is 2**64. A seed
and a stream's number choose where on the cycle a generator starts. Starts are scrambled: the stretches of two streams
of up to 2**32 numbers each overlap with a probability below 2**-31.

Kernels of games hold the counter in a local variable and call `mix`, `below` and `bits60` here. Plain Python uses
`Stream`. Learners, which run either way, call `draw_…`. No Numba in this module: `nimtui.engine.dispatch` registers
these functions for compilation, and the names of agents and learners use `Pick`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")
Counter: TypeAlias = npt.NDArray[np.uint64]  # [1]: the state of a generator; kernels advance it

GAMMA = np.uint64(0x9E3779B97F4A7C15)
GAMMA_INVERSE = np.uint64(pow(int(GAMMA), -1, 1 << 64))  # yields how many numbers were drawn between two counters
_A, _B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_4, _27, _30, _31, _32 = np.uint64(4), np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)

_MASK = (1 << 64) - 1


def mix(x: np.uint64) -> np.uint64:
    """Return the 64 random bits of a counter."""
    x = (x ^ (x >> _30)) * _A
    x = (x ^ (x >> _27)) * _B
    return x ^ (x >> _31)


def drawn(before: np.uint64, after: np.uint64) -> int:
    """Return how many numbers were drawn between two counters, up to 2**63 − 1."""
    return np.int64((after - before) * GAMMA_INVERSE)  # type: ignore[return-value]


def bits60(x: np.uint64) -> int:
    """Return 60 of the 64 random bits, as `base.casual` takes them."""
    return np.int64(x >> _4)  # type: ignore[return-value]


def below(x: np.uint64, n: int) -> int:
    """Return a number 0 … n − 1 from 64 random bits, n < 2**32. Its bias is below n / 2**32."""
    return np.int64(((x >> _32) * np.uint64(n)) >> _32)  # type: ignore[return-value]


def _mix(x: int) -> int:
    x = ((x ^ (x >> 30)) * int(_A)) & _MASK
    x = ((x ^ (x >> 27)) * int(_B)) & _MASK
    return x ^ (x >> 31)


def ground(seed: int) -> int:
    """Return the base of all streams of a seed: the counter of stream s starts at mix(ground + s · GAMMA)."""
    return _mix((seed + int(GAMMA)) & _MASK)


def start(seed: int, stream: int = 0) -> Counter:
    """Return a new generator's counter, [1]. Streams of one seed start at different places."""
    return np.array([_mix((ground(seed) + stream * int(GAMMA)) & _MASK)], np.uint64)


class Stream:
    """The generator for plain Python; it shares its `counter` with kernels."""

    def __init__(self, seed: int, stream: int = 0) -> None:
        self.counter = start(seed, stream)

    def bits64(self) -> int:
        counter = (int(self.counter[0]) + int(GAMMA)) & _MASK
        self.counter[0] = counter
        return _mix(counter)

    def bits60(self) -> int:
        """Return 60 random bits."""
        return self.bits64() >> 4

    def below(self, n: int) -> int:
        """Return a number 0 … n − 1, n < 2**32."""
        return ((self.bits64() >> 32) * n) >> 32

    def share(self) -> float:
        """Return a number from 0 up to but not including 1, a multiple of 2**-53."""
        return (self.bits64() >> 11) * 2.0**-53

    def choose(self, options: Sequence[T]) -> T:
        """Return one of the options, with equal probabilities."""
        return options[self.below(len(options))]


# Random numbers for rules that run interpreted and compiled: drawn from a Stream or, compiled, from its counter.


def draw_bits60(stream: Stream) -> int:
    """Return 60 random bits."""
    return stream.bits60()


def draw_below(stream: Stream, n: int) -> int:
    """Return a number 0 … n − 1, n < 2**32."""
    return stream.below(n)


def draw_share(stream: Stream) -> float:
    """Return a number from 0 up to but not including 1."""
    return stream.share()


class Pick(Enum):
    """The distribution of a random move."""

    UNIFORM_MOVE = "uniform-move"
    ROW_THEN_COUNT = "row-then-count"  # as for the tower of 16: first a row, then a number of matches
