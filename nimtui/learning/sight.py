"""What a learner with a function sees of a game: its inputs, how many values each has, and which are alike."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from random import Random
from typing import NamedTuple

from nimtui.errors import InputError
from nimtui.games import Game, base

GAMES = 100  # random games that find the levels of inputs, where a game does not say
MOST_LEVELS = 256  # of one input


class Sight(NamedTuple):
    """The inputs of a game."""

    levels: tuple[int, ...]  # of each input: its values are 0 … levels − 1
    neighbours: tuple[tuple[int, ...], ...]  # of each input: those beside it
    images: tuple[tuple[int, ...], ...]  # permutations of the inputs that change no value; the identity first
    sides: int  # 2 if the inputs do not say whose pieces are the mover's, so that each side has weights of its own
    stacks: tuple[tuple[int, ...], ...] = ()  # inputs that are filled one after the other (see `possible`)

    @property
    def inputs(self) -> int:
        return len(self.levels)

    @classmethod
    def of(cls, game: Game, mirror: bool = True) -> Sight:
        """Return the inputs of a game; without `mirror` its mirror images are not known.

        Raises InputError if the game's own words contradict each other.
        """
        n = int(base.inputs(game.start))
        levels = game.sight("levels") or _levels(game)
        neighbours = game.sight("neighbours") or [[other for other in range(n) if other != one] for one in range(n)]
        images = (game.sight("symmetries") or []) if mirror else []
        if len(levels) != n or any(not 1 <= number <= MOST_LEVELS for number in levels):
            raise InputError(f"{game.name}: levels must be {n} whole numbers from 1 to {MOST_LEVELS}, not {levels}")
        if len(neighbours) != n or any(not 0 <= other < n for beside in neighbours for other in beside):
            raise InputError(f"{game.name}: neighbours must be a list of inputs, 0 to {n - 1}, for each of {n} inputs")
        for image in images:
            if sorted(image) != list(range(n)) or any(levels[to] != levels[at] for at, to in enumerate(image)):
                raise InputError(f"{game.name}: symmetries must be permutations of inputs that keep their levels")
        return cls(
            tuple(map(int, levels)),
            tuple(tuple(map(int, beside)) for beside in neighbours),
            (tuple(range(n)), *(tuple(map(int, image)) for image in images)),
            2 if hasattr(game.module, "side") else 1,
            tuple(map(tuple, _stacks(game))),
        )

    def possible(self, values: Mapping[int, int]) -> bool:
        """Return whether inputs can have these values at once, as far as stacks say.

        In a stack an input is 2 or more if it is filled, 1 if it is the next to be filled, and 0 above that.
        """
        for stack in self.stacks:
            own = [(at, values[i]) for at, i in enumerate(stack) if i in values]
            for (low, below), (high, above) in pairwise(own):
                if above if below < 2 else not above and high == low + 1:
                    return False
        return True

    def digits(self) -> tuple[Sight, list[tuple[int, int]]]:
        """Return the inputs seen digit by digit, and of each digit the input and its place in the binary number."""
        places = [(i, place) for i, levels in enumerate(self.levels) for place in range((levels - 1).bit_length())]
        at = {digit: number for number, digit in enumerate(places)}
        beside = tuple(tuple(at[there] for there in places if there[0] in (i, *self.neighbours[i])) for i, _ in places)
        images = tuple(tuple(at[image[i], place] for i, place in places) for image in self.images)
        return Sight((2,) * len(places), beside, images, self.sides), places


def _stacks(game: Game) -> list[list[int]]:
    """Return the stacks of a built-in game; a person's rules may be wrong, and what cannot be has no weights."""
    return (game.sight("stacks") or []) if game.module.__name__.startswith("nimtui.") else []


def _levels(game: Game) -> list[int]:
    """Return levels that hold all values of random games. Raises InputError for a value below 0."""
    random, most = Random(0), [0] * int(base.inputs(game.start))
    for _ in range(GAMES):
        state = game.new()
        for _ in range(10_000):
            values = [int(base.input(state, i)) for i in range(len(most))]
            if (least := min(values)) < 0:
                raise InputError(f"{game.name}: input {values.index(least)} is {least}: inputs are 0 or more")
            most = list(map(max, most, values))
            if not (moves := base.legal_moves(state)):
                break
            base.play(state, random.choice(moves))
    return [value + 1 for value in most]
