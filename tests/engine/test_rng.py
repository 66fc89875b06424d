"""The generator: the published numbers of splitmix64, the same interpreted and compiled, independent streams."""

from __future__ import annotations

import numpy as np

from nimtui.engine import dispatch  # noqa: F401 - lets kernels call the generator
from nimtui.engine.jit import kernel
from nimtui.engine.rng import GAMMA, Stream, below, bits60, mix


@kernel
def draw(counter, out, n):  # type: ignore[no-untyped-def]
    x = counter[0]
    for i in range(out.shape[0]):
        x += GAMMA
        out[i] = below(mix(x), n) if n else bits60(mix(x))
    counter[0] = x


def test_it_gives_the_published_numbers_of_splitmix64() -> None:
    # Source: the reference implementation of splitmix64 by Sebastiano Vigna, seeded with 1234567.
    stream = Stream(0)
    stream.counter[0] = 1234567
    assert [stream.bits64() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_compiled_and_interpreted_numbers_are_the_same() -> None:
    for n in (0, 1, 7, 4_000_000_000):
        compiled, plain, interpreted = Stream(5, 3), Stream(5, 3), Stream(5, 3)
        fast, slow = np.zeros(200, np.int64), np.zeros(200, np.int64)
        draw(compiled.counter, fast, n)
        with np.errstate(over="ignore"):
            draw.py_func(interpreted.counter, slow, n)
        expected = [plain.below(n) if n else plain.bits60() for _ in range(200)]
        assert fast.tolist() == slow.tolist() == expected
        assert compiled.counter[0] == plain.counter[0] == interpreted.counter[0]


def test_streams_and_seeds_differ_and_are_even() -> None:
    firsts = {Stream(seed, stream).bits64() for seed in range(30) for stream in range(30)}
    assert len(firsts) == 900
    counts = np.bincount([Stream(seed, stream).below(6) for seed in range(60) for stream in range(100)], minlength=6)
    # 6,000 throws of a die: chi-square with 5 degrees of freedom is below 25.7 with probability 0.9999
    assert ((counts - 1000) ** 2 / 1000).sum() < 25.7


def test_negative_and_huge_seeds_work() -> None:
    assert Stream(-1).bits64() != Stream(2**200).bits64()
