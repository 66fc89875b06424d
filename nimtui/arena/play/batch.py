"""Batches of played games, stored as one array per field: a million games are a few arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from nimtui.store.rows import Columns, GameRow

T = TypeVar("T")

LOST, DRAWN, WON = -1, 0, 1  # of `result`, for the pairing's first agent
MOVES = np.dtype("<i2")  # a stored move; games with larger move codes cannot be stored

COLUMNS = {"number": np.int64, "opener": np.int8, "opening": np.int16, "result": np.int8, "seconds": np.float64}
PAIRS = {"own": np.int32, "chances": np.int32, "mistakes": np.int32}  # two numbers a game


class Played(GameRow):
    """A row of the database as a finished game. `result` is LOST, DRAWN or WON.

    Where the exact values are unknown, chances and mistakes are 0. `agents.belief` packs the beliefs.
    """

    __slots__ = ()

    @property
    def winner(self) -> int | None:
        """Return the winner; None in a draw."""
        return None if self.result == DRAWN else 0 if self.result == WON else 1

    def codes(self) -> list[int]:
        """Return the move codes."""
        return np.frombuffer(self.moves, MOVES).tolist()  # type: ignore[no-any-return]


UNPLAYED = Played(0, 0, 0, b"", DRAWN, (0, 0), (0, 0), (0, 0), "", 0.0)
"""A game without moves, to compile or load with."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Some games of one pairing, in ascending order of their numbers; arrays are [n] unless said otherwise."""

    number: npt.NDArray[np.int64]
    opener: npt.NDArray[np.int8]
    opening: npt.NDArray[np.int16]
    ptr: npt.NDArray[np.int64]  # [n + 1]: the moves of game i are moves[ptr[i]] … moves[ptr[i + 1] − 1]
    moves: npt.NDArray[np.int16]
    result: npt.NDArray[np.int8]
    own: npt.NDArray[np.int32]  # [n, 2]
    chances: npt.NDArray[np.int32]  # [n, 2]
    mistakes: npt.NDArray[np.int32]  # [n, 2]
    seconds: npt.NDArray[np.float64]
    faults: Mapping[int, str] = field(default_factory=dict)  # packed, by place in the batch
    beliefs: Mapping[int, bytes] = field(default_factory=dict)  # by place, of the games that have any

    def __len__(self) -> int:
        return len(self.number)

    @property
    def first(self) -> npt.NDArray[np.int16]:
        """Return the code of each game's first move, the opening's if there is one; −1: no move was made."""
        begun = self.ptr[1:] > self.ptr[:-1]
        first = np.full(len(self), -1, np.int16)
        first[begun] = self.moves[self.ptr[:-1][begun]]
        return first

    def game(self, place: int) -> Played:
        """Return the game at this place."""
        [game] = self.rows(range(place, place + 1))
        return game

    def rows(self, places: range | None = None) -> list[Played]:
        """Return the games at these successive places [default: all]; some two million a second."""
        places = range(len(self)) if places is None else places
        some = slice(places.start, places.stop)
        ends = (2 * (self.ptr[some.start : some.stop + 1] - self.ptr[some.start])).tolist()
        data = self.moves[self.ptr[some.start] : self.ptr[some.stop]].astype(MOVES).tobytes()
        columns = (
            self.number[some].tolist(),
            self.opener[some].tolist(),
            self.opening[some].tolist(),
            [data[first:last] for first, last in pairwise(ends)],
            self.result[some].tolist(),
            list(map(tuple, self.own[some].tolist())),
            list(map(tuple, self.chances[some].tolist())),
            list(map(tuple, self.mistakes[some].tolist())),
            [self.faults.get(place, "") for place in places] if self.faults else [""] * len(places),
            self.seconds[some].tolist(),
            [self.beliefs.get(place, b"") for place in places] if self.beliefs else [b""] * len(places),
        )
        return list(map(Played._make, zip(*columns, strict=True)))

    @classmethod
    def of(cls, games: Sequence[Played]) -> Batch:
        """Return a batch of these games."""
        lengths = [len(game.moves) // 2 for game in games]
        columns = {
            name: np.array([getattr(game, name) for game in games], kind).reshape(shape)
            for kinds, shape in ((COLUMNS, (-1,)), (PAIRS, (-1, 2)))
            for name, kind in kinds.items()
        }
        return cls(
            ptr=np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]),
            moves=np.frombuffer(b"".join(game.moves for game in games), MOVES).astype(np.int16),
            faults={place: game.packed_fault for place, game in enumerate(games) if game.packed_fault},
            beliefs={place: game.beliefs for place, game in enumerate(games) if game.beliefs},
            **columns,
        )

    @classmethod
    def joined(cls, parts: Sequence[Batch]) -> Batch:
        """Return one batch of several, in their order."""
        if not parts:
            return cls.of([])
        before = np.cumsum([0, *map(len, parts)]).tolist()
        moves = np.cumsum([0, *(len(part.moves) for part in parts)]).tolist()
        ends = [part.ptr[1:] + first for part, first in zip(parts, moves, strict=False)]
        names = ("moves", *COLUMNS, *PAIRS)
        columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        return cls(
            ptr=np.concatenate([[0], *ends]),
            faults=_moved([part.faults for part in parts], before),
            beliefs=_moved([part.beliefs for part in parts], before),
            **columns,
        )


def _moved(parts: Sequence[Mapping[int, T]], before: Sequence[int]) -> dict[int, T]:
    """Return what some places of the joined batch have; part k starts at place before[k]."""
    return {first + place: value for part, first in zip(parts, before, strict=False) for place, value in part.items()}


def pair(two: npt.NDArray[np.integer]) -> tuple[int, int]:
    return int(two[0]), int(two[1])


def batch(saved: Columns) -> Batch:
    """Return games of the database as a batch, with their first moves alone."""
    columns: dict[str, Any] = {name: np.array(getattr(saved, name), kind) for name, kind in COLUMNS.items()}
    columns |= {name: np.stack(getattr(saved, name), axis=1, dtype=kind) for name, kind in PAIRS.items()}
    first = np.frombuffer(saved.first, MOVES).astype(np.int16)
    faults = {int(np.searchsorted(columns["number"], game)): fault for game, fault in saved.faults.items()}
    ends = np.concatenate([[0], np.cumsum(first >= 0)])
    return Batch(ptr=ends, moves=first[first >= 0], faults=faults, **columns)
