"""The generator: the published numbers of splitmix64, the same interpreted and compiled, independent streams."""

from __future__ import annotations

import numpy as np

from nimtui.engine import dispatch  # noqa: F401 - lets kernels call the generator
from nimtui.engine.jit import kernel
from nimtui.engine.rng import (
    GAMMA,
    Stream,
    below,
    bits60,
    draw_below,
    draw_bits60,
    draw_share,
    drawn,
    ground,
    mix,
    start,
)


@kernel
def draw(counter, out, n):  # type: ignore[no-untyped-def]
    x = counter[0]
    for i in range(out.shape[0]):
        x += GAMMA
        out[i] = below(mix(x), n) if n else bits60(mix(x))
    counter[0] = x


@kernel
def draw_shared(rng, numbers, shares):  # type: ignore[no-untyped-def]
    numbers[0] = draw_bits60(rng)
    numbers[1] = draw_below(rng, 7)
    shares[0] = draw_share(rng)


def test_it_gives_the_published_numbers_of_splitmix64() -> None:
    # Source: the reference implementation of splitmix64 by Sebastiano Vigna, seeded with 1234567.
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    stream = Stream(0)
    stream.counter[0] = 1234567
    assert [stream.bits64() for _ in published] == published
    stream.counter[0] = 1234567
    assert [stream.bits60(), stream.below(10), stream.share()] == [
        published[0] >> 4,
        (published[1] >> 32) * 10 >> 32,
        (published[2] >> 11) / 2**53,
    ]
    assert stream.choose("abcdefghij") == "abcdefghij"[(published[3] >> 32) * 10 >> 32]
    counter = np.uint64(1234567)
    with np.errstate(over="ignore"):
        for number in published:
            counter += GAMMA
            assert (mix(counter), bits60(mix(counter))) == (number, number >> 4)
            assert below(mix(counter), 6) == (number >> 32) * 6 >> 32
        assert [drawn(np.uint64(1234567), at) for at in (np.uint64(1234567), counter)] == [0, 4]


def test_a_stream_starts_at_its_place_of_a_seed() -> None:
    with np.errstate(over="ignore"):
        assert ground(5) == mix(np.uint64(5) + GAMMA) and ground(-1) == mix(np.uint64(2**64 - 1) + GAMMA)
        for seed, stream in ((0, 0), (5, 0), (5, 3), (-1, 2**40), (2**200, 1)):
            at = mix(np.uint64(ground(seed)) + np.uint64(stream) * GAMMA)
            assert start(seed, stream)[0] == Stream(seed, stream).counter[0] == at
    assert Stream(-1).bits64() != Stream(2**200).bits64()


def test_compiled_numbers_are_those_of_a_stream() -> None:
    for n in (0, 1, 7, 4_000_000_000):
        compiled, plain = Stream(5, 3), Stream(5, 3)
        numbers = np.zeros(50, np.int64)
        draw(compiled.counter, numbers, n)
        assert numbers.tolist() == [plain.below(n) if n else plain.bits60() for _ in range(50)]
        assert compiled.counter == plain.counter
    compiled, interpreted = Stream(9), Stream(9)
    fast, slow, shares = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros((2, 1))
    draw_shared(compiled.counter, fast, shares[0])
    draw_shared.py_func(interpreted, slow, shares[1])  # interpreted, a generator is a Stream
    assert fast.tolist() == slow.tolist() and shares[0] == shares[1] and compiled.counter == interpreted.counter


def test_streams_and_seeds_differ_and_are_even() -> None:
    assert len({Stream(seed, stream).bits64() for seed in range(30) for stream in range(30)}) == 900
    counts = np.bincount([Stream(seed, stream).below(6) for seed in range(60) for stream in range(100)], minlength=6)
    # 6,000 throws of a die: chi-square with 5 degrees of freedom is below 25.7 with probability 0.9999
    assert ((counts - 1000) ** 2 / 1000).sum() < 25.7
