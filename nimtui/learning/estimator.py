"""A function that learns a game: it tells the values of moves, learns from single games, and is saved and read.

Arrays of numbers that are alike as few bytes: byte by byte, deflated.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from nimtui.engine import functions
from nimtui.engine.limits import MOST_PLIES
from nimtui.engine.ntuple import Tuples
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.learning import steps
from nimtui.learning.learner import Learner, module_of
from nimtui.learning.sample import Sample
from nimtui.learning.sight import Sight
from nimtui.store import StoreError

if TYPE_CHECKING:
    from nimtui.engine.function_play import Pace
    from nimtui.engine.graph import Graph

PART = "function-"  # starts the names of its arrays in a file
MEAN = "mean-"  # goes before the names of averaged arrays


class Estimator:
    """A function, and the room to play in.

    `function` learns. `played` says the values of moves: it is the same, or has averaged weights.
    """

    def __init__(self, game: Game, learner: Learner, seed: int, plies: int = MOST_PLIES) -> None:
        """Raise InputError if the game's own words about its inputs are wrong, or the function needs too much room.

        It can learn from games of at most so many plies.
        """
        from nimtui.engine import function_play

        self.game, self.learner, self.seed = game, learner, seed
        self.sight = Sight.of(game, steps.is_on(learner.mirror))
        self.function = module_of(learner).function(learner, self.sight, seed, plies)
        self.played = self.function
        self.room = function_play.room(self.sight.levels, plies)
        self.state = game.new()
        self.alone = Lock()

    def copy(self) -> Estimator:
        """Return a copy that neither learns with this one nor stands where it stands."""
        copy = object.__new__(Estimator)
        vars(copy).update(vars(self))
        copy.function = copy.played = deepcopy(self.function)
        if means := self._means():
            copy.played = copy.function._replace(**deepcopy(means))
        copy.room, copy.state, copy.alone = deepcopy(self.room), self.game.new(), Lock()
        return copy

    def learn(self, start: State, moves: Sequence[Move], times: int = 1) -> None:
        """Learn so many times from a finished game, by the last and smallest step; each reply counts as the best."""
        from nimtui.engine import function_play

        with self.alone:
            state, pace = base.copy(start), self.pace(0)
            made = np.array(moves, np.int64)
            means = self._means()
            before = {name: getattr(self.function, name).copy() for name in means}
            function_play.learn_game(self.function, state, start.board.copy(), made, pace, times, self.room)
            for name, mean in means.items():  # what plays learns the same
                mean += getattr(self.function, name) - before[name]

    def pace(self, over: int) -> Pace:
        """Return how it learns; `over` games if its learner does not say."""
        return steps.pace(self.learner, over, len(self.function.first) if isinstance(self.function, Tuples) else 1)

    def average(self, rate: float) -> None:
        """Let the weights that play go this part of the way to those that learn. Before the first time they are one."""
        from nimtui.engine import function_play

        if self.played is self.function:
            self._separate()
        for name, mean in self._means().items():
            function_play.approach(mean.reshape(-1), getattr(self.function, name).reshape(-1), rate)

    def get_ready(self) -> None:
        """Compile or load what averages, before a clock runs."""
        from nimtui.engine import function_play

        for name in functions.weights_of(self.function):
            none = getattr(self.function, name).reshape(-1)[:0]
            function_play.approach(none, none, 1.0)

    def _separate(self) -> None:
        own = {name: getattr(self.function, name).copy() for name in functions.weights_of(self.function)}
        self.played = self.function._replace(**own)

    def _means(self) -> dict[str, npt.NDArray[Any]]:
        """Return the averaged arrays, by name; none as long as what learns plays."""
        if self.played is self.function:
            return {}
        means = {name: getattr(self.played, name) for name in functions.weights_of(self.function)}
        return {name: mean for name, mean in means.items() if mean.size}

    def right_moves(self, sample: Sample) -> float:
        """Return the share of its best-valued moves that are right, averaged over the positions of a sample."""
        values = self.all_values(sample.boards)
        best = values == values.max(axis=1, keepdims=True)
        return float(np.mean((best & sample.right()).sum(axis=1) / best.sum(axis=1)))

    @property
    def sound(self) -> bool:
        """Are all weights numbers? (A finite sum means that they are.)"""
        return all(np.isfinite(part.sum(dtype=np.float64)) for part in self.arrays().values())

    @property
    def weights(self) -> int:
        """The number of weights."""
        return sum(getattr(self.function, name).size for name in functions.weights_of(self.function))

    @property
    def patterns(self) -> int:
        """How many values all its tuples could see if each input had any; of another function the number of weights."""
        if not isinstance(self.function, Tuples):
            return self.weights
        of_slots = np.ones(len(self.function.first), np.int64)
        np.multiply.at(of_slots, self.function.slot, np.repeat(self.sight.levels, np.diff(self.function.ptr)))
        return self.sight.sides * int(of_slots.sum()) // len(self.sight.images)

    def values(self, state: State) -> dict[Move, float]:
        """Return the expected result of each legal move for the player to move, −1 to 1."""
        [values] = self.all_values(state.board[None])
        return {move: float(values[move]) for move in base.legal_moves(state)}

    def all_values(self, boards: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return the same for many positions, [positions, move codes]; −2 for moves that are not legal."""
        from nimtui.engine import function_play

        values = np.zeros((len(boards), self.game.size))
        with self.alone:  # it stands before one position at a time
            function_play.board_values(self.played, self.state, boards, self.room, values)
        return values

    def fill(self, graph: Graph, scores: npt.NDArray[np.float64]) -> None:
        """Fill in the value of each move of a graph, [edges].

        Tuples see a position the same whichever move leads to it; the sums of a network differ in their last bits.
        """
        from nimtui.engine import function_play
        from nimtui.engine.limits import in_chunks

        nodes = len(graph.order) if isinstance(self.played, Tuples) else 0
        totals = np.full((nodes, self.sight.sides), np.nan)
        values = (self.played, self.state, graph, self.room, scores, totals)
        with self.alone:
            in_chunks(function_play.edge_values, values, len(graph.order), chunk=2_000)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all that it has learned, by name; not copies, and none that is empty."""
        parts = {name: getattr(self.function, name) for name in functions.known_of(self.function)}
        learned = {name: part for name, part in parts.items() if part.size}
        return learned | {f"{MEAN}{name}": mean for name, mean in self._means().items()}

    def parts(self, prefix: str = "") -> dict[str, npt.NDArray[Any]]:
        """Return its weights as arrays of a file, whose names start with `prefix`.

        Averages have most bits of what they average.
        """
        learned = self.arrays()
        return {f"{prefix}{PART}{name}": pack(part, self._beside(name)) for name, part in learned.items()}

    def _beside(self, name: str) -> npt.NDArray[Any] | None:
        """Return the array that an averaged one averages; None for another array."""
        return getattr(self.function, name.removeprefix(MEAN)) if name.startswith(MEAN) else None

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]], prefix: str = "") -> None:
        """Take the weights of a file. Raises StoreError if they are those of another function."""
        if any(name.startswith(f"{prefix}{PART}{MEAN}") for name in arrays):
            self._separate()
        for name, part in self.arrays().items():
            if (packed := arrays.get(f"{prefix}{PART}{name}")) is None:
                raise StoreError(f"it lacks the weights {prefix}{PART}{name}")
            part[...] = unpack(packed, part, self._beside(name))
            if not np.isfinite(part).all():
                raise StoreError("its weights are those of another function, or no numbers")


Bytes: TypeAlias = npt.NDArray[np.uint8]

LEVEL = 1  # of deflating: higher ones take more time than they save bytes
OTHER = "its weights are those of another function"


def pack(numbers: npt.NDArray[Any], beside: npt.NDArray[Any] | None = None) -> Bytes:
    """Return the bits of an array; with another array those that differ."""
    differing = bits(numbers) if beside is None else bits(numbers) ^ bits(beside)
    planes = differing.view(np.uint8).reshape(-1, numbers.itemsize).T  # bytes of one place are more alike
    return np.frombuffer(zlib.compress(planes.tobytes(), LEVEL), np.uint8)


def unpack(
    packed: npt.NDArray[Any], like: npt.NDArray[Any], beside: npt.NDArray[Any] | None = None
) -> npt.NDArray[Any]:
    """Return the array that was packed, which has the shape and type of this one. Raises StoreError if it has not."""
    planes = _inflated(packed, like.nbytes).reshape(like.itemsize, like.size)
    differing = bits(np.ascontiguousarray(planes.T).view(like.dtype))
    return (differing if beside is None else differing ^ bits(beside)).view(like.dtype).reshape(like.shape)


def bits(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the bits of these numbers as whole numbers, in one row."""
    return numbers.reshape(-1).view(f"u{numbers.itemsize}")


def _inflated(packed: npt.NDArray[Any], size: int) -> Bytes:
    """Return exactly so many bytes, and never more, whatever a file holds."""
    if packed.dtype != np.uint8 or packed.ndim != 1:
        raise StoreError(OTHER)
    stream = zlib.decompressobj()
    try:
        inflated = stream.decompress(packed.tobytes(), size + 1)
    except zlib.error as fault:
        raise StoreError(f"its weights cannot be read: {fault}") from None
    if len(inflated) != size:
        raise StoreError(OTHER)
    return np.frombuffer(inflated, np.uint8)
