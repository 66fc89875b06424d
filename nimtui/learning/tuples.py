"""Draws the tuples of an n-tuple function: which inputs each looks at."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import combinations
from math import comb, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.engine.ntuple import Tuples
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.learning.sight import Sight
from nimtui.report.values import Bytes

MOST_BYTES = 1_000_000_000  # of weights, and of the positions of one game
USUAL_LENGTH, USUAL_ENTRIES = 8, 4**8  # of a tuple, where none is named
TRIES = 50  # draws for each tuple that is wanted


class Draw(Enum):
    """How the inputs of a tuple are drawn."""

    WALK = "walk"  # each beside one before it
    ANY = "any"  # any inputs


def tuples(
    sight: Sight,
    number: int,
    length: int,
    draw: Draw = Draw.ANY,
    seed: int = 0,
    plies: int = 1,
    digits: bool = False,
    adapt: bool = False,
) -> Tuples:
    """Return a function of so many tuples [0: one for each input], all its weights 0.

    With `digits` a tuple looks at binary digits of inputs. Raises InputError if the weights need too much memory.
    """
    looks, parts = sight.digits() if digits else (sight, [(i, -1) for i in range(sight.inputs)])
    length = min(length, looks.inputs) if length else usual_length(looks)
    chosen = drawn(looks, number or looks.inputs, length, draw, Stream(seed, stream=1))
    if not chosen:
        raise InputError("nothing to learn from: no input has two values")
    layouts = [layout(looks, inputs) for inputs in chosen]
    sizes = [prod(stack.size for stack in stacks) for stacks in layouts]
    entries = sum(sizes)
    needed = 4 * (entries * sight.sides * (3 if adapt else 1) + plies * len(chosen) * len(looks.images))
    if needed > MOST_BYTES:
        raise InputError(f"{len(chosen)} tuples of {length} inputs need {Bytes(needed)}: take fewer or shorter ones")
    places: list[list[tuple[int, list[int]]]] = [[] for _ in range(sight.inputs)]
    for at, image in enumerate(looks.images):
        for one, stack in ((one, stack) for one, stacks in enumerate(layouts) for stack in stacks):
            for link in stack.links:
                source, place = parts[image[link.input]]
                values = (value if place < 0 else value >> place & 1 for value in range(sight.levels[source]))
                places[source].append((at * len(chosen) + one, [stack.worth * link.entry(value) for value in values]))
    most = max(sight.levels)
    first = np.tile(np.cumsum([0, *sizes[:-1]]), len(sight.images)).astype(np.int32)
    rates = (sight.sides, entries) if adapt else (1, 1)
    return Tuples(
        np.zeros((sight.sides, entries), np.float32),
        first,
        np.cumsum([0, *map(len, places)]),
        np.array([slot for here in places for slot, _ in here], np.int32),
        np.array([entry + [0] * (most - len(entry)) for here in places for _, entry in here], np.int32),
        first.copy(),
        np.zeros((plies, len(first)), np.int32),
        np.zeros(rates, np.float32),
        np.zeros(rates, np.float32),
    )


class Link(NamedTuple):
    """What an input of a tuple adds to the entries of its stack, which has only those for what it can show."""

    input: int
    above: int  # where it is filled: entries that tell what is above it in the tuple …
    least: int  # … from this one on: 1, not 0, if the next input of the stack is in the tuple

    def entry(self, value: int) -> int:
        return value if value < 2 else 2 + (value - 2) * self.above - self.least


class Stack(NamedTuple):
    """The inputs of a tuple that are of one stack, the lowest first, or one input alone."""

    links: Sequence[Link]
    worth: int  # of an entry of the stack, in those of the tuple
    size: int  # entries


def layout(sight: Sight, inputs: Sequence[int]) -> list[Stack]:
    """Return how the values of a tuple's inputs sum up to its entry."""
    stacks, worth = list[Stack](), 1
    for whole in dict.fromkeys(next((stack for stack in sight.stacks if i in stack), (i,)) for i in inputs):
        links, size, upper = list[Link](), 1, -1
        for at, i in reversed(list(enumerate(whole))):
            if i in inputs:
                least = int(upper == at + 1)
                links.insert(0, Link(i, size - least, least))
                size, upper = 2 + (sight.levels[i] - 2) * (size - least), at
        stacks.append(Stack(links, worth, size))
        worth *= size
    return stacks


def shown(stacks: Sequence[Stack]) -> dict[int, npt.NDArray[np.int64]]:
    """Return the value of each input of a tuple by each of its entries, [entries]."""
    entries, values = np.arange(prod(stack.size for stack in stacks)), dict[int, npt.NDArray[np.int64]]()
    for stack in stacks:
        rest = entries // stack.worth % stack.size
        for link in stack.links:
            above = np.maximum(rest - 2, 0)
            values[link.input] = np.where(rest < 2, rest, 2 + above // link.above)
            rest = np.where(rest < 2, 0, above % link.above + link.least)
    return values


def usual_length(sight: Sight) -> int:
    """Return how many inputs a tuple has if nobody says: at most 8, and no more than 65,536 values together."""
    longest, values = 1, sorted(sight.levels, reverse=True)
    while longest < min(USUAL_LENGTH, sight.inputs) and prod(values[: longest + 1]) <= USUAL_ENTRIES:
        longest += 1
    return longest


def drawn(sight: Sight, number: int, length: int, draw: Draw, stream: Stream) -> list[tuple[int, ...]]:
    """Return so many tuples of different inputs, no two of them alike or mirror images; or all that there are."""
    seen: set[tuple[int, ...]] = set()
    chosen: list[tuple[int, ...]] = []
    every = combinations(range(sight.inputs), length) if comb(sight.inputs, length) <= number else None
    for _ in range(TRIES * number):
        if len(chosen) == number:
            break
        if every is None:
            inputs = _walk(sight, length, stream) if draw is Draw.WALK else _any(sight, length, stream)
        elif (inputs := next(every, ())) == ():
            break
        images = {tuple(sorted(image[i] for i in inputs)) for image in sight.images}
        if not images & seen:
            seen |= images
            chosen.append(inputs)
    return chosen


def _walk(sight: Sight, length: int, stream: Stream) -> tuple[int, ...]:
    """Return inputs of which each is beside an earlier one, half of the time beside the last; any if none is left."""
    walk = [stream.below(sight.inputs)]
    while len(walk) < length:
        open_ones = [one for one in walk if set(sight.neighbours[one]) - set(walk)]
        if not open_ones:
            walk.append(stream.choose([i for i in range(sight.inputs) if i not in walk]))
            continue
        at = walk[-1] if walk[-1] in open_ones and stream.below(2) else stream.choose(open_ones)
        walk.append(stream.choose([i for i in sight.neighbours[at] if i not in walk]))
    return tuple(walk)


def _any(sight: Sight, length: int, stream: Stream) -> tuple[int, ...]:
    left = list(range(sight.inputs))
    return tuple(left.pop(stream.below(len(left))) for _ in range(length))
