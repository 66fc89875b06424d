"""Batches of played games, stored as one array per field: a million games are a few arrays."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from nimtui.store.rows import Columns

T = TypeVar("T")

LOST, DRAWN, WON = -1, 0, 1  # of `result`, for the pairing's first agent
MOVES = np.dtype("<i2")  # a stored move; games with larger move codes cannot be stored

JOINED = ("number", "opener", "opening", "moves", "result", "own", "chances", "mistakes", "seconds")


class Played(NamedTuple):
    """One finished game of a pairing. The two players are 0, the pairing's first agent, and 1, its second."""

    number: int  # of the game in its pairing, from 0
    opener: int  # the player who moved first, after the opening
    opening: int  # plies of the opening, made for both
    moves: bytes  # all move codes from the game's start, the opening's first, two bytes each
    result: int  # LOST, DRAWN, WON, for player 0
    own: tuple[int, int]  # moves made by each player
    chances: tuple[int, int]  # moves that could be mistakes: made in a position that is not lost under perfect play
    mistakes: tuple[int, int]  # moves that made the outcome worse; both 0 where the exact value is unknown
    fault: str  # the illegal move or error that lost the game; '' if there was none
    seconds: float
    beliefs: bytes = b""  # of each move, packed by `arena.beliefs`; b'' if they were not recorded

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
    faults: Mapping[int, str] = field(default_factory=dict)  # by place in the batch
    beliefs: Mapping[int, bytes] = field(default_factory=dict)  # by place, of the games that have any

    def __len__(self) -> int:
        return len(self.number)

    @property
    def first(self) -> npt.NDArray[np.int16]:
        """Return the code of each game's first move, the opening's if there is one; −1: no move was made."""
        made = self.ptr[1:] > self.ptr[:-1]
        first = np.full(len(self), -1, np.int16)
        first[made] = self.moves[self.ptr[:-1][made]]
        return first

    def game(self, place: int) -> Played:
        """Return the game at this place."""
        first, last = int(self.ptr[place]), int(self.ptr[place + 1])
        return Played(
            int(self.number[place]),
            int(self.opener[place]),
            int(self.opening[place]),
            self.moves[first:last].astype(MOVES).tobytes(),
            int(self.result[place]),
            pair(self.own[place]),
            pair(self.chances[place]),
            pair(self.mistakes[place]),
            self.faults.get(place, ""),
            float(self.seconds[place]),
            self.beliefs.get(place, b""),
        )

    def rows(self) -> list[Played]:
        """Return all games; some two million a second."""
        data = self.moves.astype(MOVES).tobytes()
        ends = (self.ptr * 2).tolist()
        columns = (
            self.number.tolist(),
            self.opener.tolist(),
            self.opening.tolist(),
            [data[first:last] for first, last in pairwise(ends)],
            self.result.tolist(),
            list(map(tuple, self.own.tolist())),
            list(map(tuple, self.chances.tolist())),
            list(map(tuple, self.mistakes.tolist())),
            [self.faults.get(place, "") for place in range(len(self))] if self.faults else [""] * len(self),
            self.seconds.tolist(),
            [self.beliefs.get(place, b"") for place in range(len(self))] if self.beliefs else [b""] * len(self),
        )
        return list(map(Played._make, zip(*columns, strict=True)))

    @classmethod
    def of(cls, games: Sequence[Played]) -> Batch:
        """Return a batch of these games."""
        lengths = [len(game.moves) // 2 for game in games]
        return cls(
            np.array([game.number for game in games], np.int64),
            np.array([game.opener for game in games], np.int8),
            np.array([game.opening for game in games], np.int16),
            np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]),
            np.frombuffer(b"".join(game.moves for game in games), MOVES).astype(np.int16),
            np.array([game.result for game in games], np.int8),
            np.array([game.own for game in games], np.int32).reshape(-1, 2),
            np.array([game.chances for game in games], np.int32).reshape(-1, 2),
            np.array([game.mistakes for game in games], np.int32).reshape(-1, 2),
            np.array([game.seconds for game in games], np.float64),
            {place: game.fault for place, game in enumerate(games) if game.fault},
            {place: game.beliefs for place, game in enumerate(games) if game.beliefs},
        )

    @classmethod
    def joined(cls, parts: Sequence[Batch]) -> Batch:
        """Return one batch of several, in their order."""
        if not parts:
            return cls.of([])
        before = np.cumsum([0, *map(len, parts)]).tolist()
        moves = np.cumsum([0, *(len(part.moves) for part in parts)]).tolist()
        ends = [part.ptr[1:] + first for part, first in zip(parts, moves, strict=False)]
        columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in JOINED}
        return cls(
            ptr=np.concatenate([[0], *ends]),
            faults=_moved([part.faults for part in parts], before),
            beliefs=_moved([part.beliefs for part in parts], before),
            **columns,
        )


def _moved(parts: Sequence[Mapping[int, T]], before: Sequence[int]) -> dict[int, T]:
    """Return what some places of the joined batch have; part k starts at place before[k]."""
    return {first + place: found for part, first in zip(parts, before, strict=False) for place, found in part.items()}


def pair(two: npt.NDArray[np.integer]) -> tuple[int, int]:
    return int(two[0]), int(two[1])


def batch(kept: Columns) -> Batch:
    """Return games of the database as a batch, with their first moves alone."""

    def pairs(two: tuple[array[int], array[int]]) -> npt.NDArray[np.int32]:
        return np.stack([np.array(column, np.int32) for column in two], axis=1)

    number, first = np.array(kept.number, np.int64), np.frombuffer(kept.first, MOVES).astype(np.int16)
    return Batch(
        number,
        np.array(kept.opener, np.int8),
        np.array(kept.opening, np.int16),
        np.concatenate([[0], np.cumsum(first >= 0)]),
        first[first >= 0],
        np.array(kept.result, np.int8),
        pairs(kept.own),
        pairs(kept.chances),
        pairs(kept.mistakes),
        np.array(kept.seconds, np.float64),
        {int(np.searchsorted(number, game)): fault for game, fault in kept.faults.items()},
    )
