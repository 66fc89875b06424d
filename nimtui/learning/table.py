"""A strategy table: a score for each move of each position that is not over.

Rows are positions in ascending order of their number, and each row holds the scores of all legal
moves, in ascending order; rows lie one behind the other. Compiled training fills every reachable
position's row and shares its arrays with the game's graph; a table that was trained interpreted has
the rows of the positions it has seen, all others being 0. Nothing here needs the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.errors import InputError
from nimtui.games import Game, Record, base, parse_game
from nimtui.games.base import Board, Move, State
from nimtui.learning.learner import Cells, Scores, check_games, parse_learner, spec
from nimtui.store import StoreError, arrays

KIND = "table"


class Row(NamedTuple):
    """One position of a table."""

    state: State
    scores: Cells


@dataclass(frozen=True, slots=True)
class Change:
    """What learning has done to one score."""

    position_name: str
    move: Move
    before: int
    after: int


@dataclass(slots=True, eq=False)
class Table:
    """The scores, and how they came about. Only `cells` and `games` change as it learns."""

    game: Game
    learner: str  # the learner's canonical name
    seed: int
    games: int  # how many games it has learned from
    numbers: npt.NDArray[np.int64]  # [rows]: the positions' numbers, ascending
    boards: npt.NDArray[Any]  # [rows, board]
    ptr: npt.NDArray[np.int64]  # [rows + 1]: row r has the cells ptr[r] … ptr[r + 1] − 1
    moves: npt.NDArray[Any]  # [cells]
    cells: Scores  # [cells]: the scores

    @classmethod
    def empty(cls, game: Game, learner: str, seed: int = 0) -> Table:
        """A table that has seen nothing."""
        return cls.of(game, learner, seed, 0, {})

    @classmethod
    def of(cls, game: Game, learner: str, seed: int, games: int, seen: Mapping[int, tuple[Board, Cells]]) -> Table:
        """A table of these rows: a position's number -> its board and scores."""
        numbers = sorted(seen)
        rows = [seen[number][1] for number in numbers]
        boards = np.array([seen[number][0] for number in numbers], np.int64)
        return cls(
            game,
            learner,
            seed,
            games,
            np.array(numbers, np.int64),
            boards.reshape(len(numbers), len(game.start.board)),
            np.cumsum([0, *map(len, rows)], dtype=np.int64),
            np.array([move for row in rows for move in row], np.int32),
            np.array([score for row in rows for score in row.values()], np.int32),
        )

    def scores(self, state: State) -> Cells:
        """The score of each legal move here, in ascending order of moves; none where it is over."""
        row = self._row(state)
        return dict.fromkeys(base.legal_moves(state), 0) if row < 0 else self._cells(row)

    def best_moves(self, state: State) -> tuple[Move, ...]:
        """The moves of the highest score, which may be all of them; none where it is over."""
        scores = self.scores(state)
        most = max(scores.values(), default=0)
        return tuple(move for move, score in scores.items() if score == most)

    def rows(self) -> Iterator[Row]:
        """Every position that has a row, in the order of their numbers."""
        for row, board in enumerate(self.boards):
            yield Row(base.with_board(self.game.start, board.astype(np.int64)), self._cells(row))

    def copy(self) -> Table:
        """The same scores as they are now, which no more training changes."""
        copied = object.__new__(Table)
        for name in Table.__slots__:
            setattr(copied, name, getattr(self, name))
        copied.cells = self.cells.copy()
        return copied

    def learn(self, record: Record) -> list[Change]:
        """Learn from a finished game as from one of the learner's own; the scores that changed.

        In the order of play. InputError for a game that is not finished or is another one, and for one too many.
        """
        if record.game != self.game:
            raise InputError(f"a table for {self.game.name} cannot learn from {record.game.name}")
        if not record.over:
            raise InputError("a game can be learned from when it is over")
        learner = parse_learner(self.learner)
        check_games(learner, self.games + 1)
        states = [record.state_at(ply) for ply in range(record.ply)]
        for state in states:
            if self._row(state) < 0:
                self._insert(state)
        rows = [self._row(state) for state in states]
        after = {row: self._cells(row) for row in rows}
        episode = [(after[row], move) for row, move in zip(rows, record.moves, strict=True)]
        learner.update(episode, record.outcome)
        self.games += 1
        changes = []
        for row, cells in after.items():
            position = self.game.position_name(states[rows.index(row)])
            for move, before in self._cells(row).items():
                if cells[move] != before:
                    changes.append(Change(position, move, before, cells[move]))
            self.cells[self.ptr[row] : self.ptr[row + 1]] = list(cells.values())
        return changes

    def save(self, path: Path, run: Mapping[str, Any] | None = None) -> None:
        """Keep it in a file, with the state of the run that made it. StoreError if that fails."""
        header = {
            "kind": KIND,
            "game": self.game.name,
            "learner": self.learner,
            "seed": self.seed,
            "games": self.games,
            "run": None if run is None else dict(run),
        }
        kept = {
            "numbers": self.numbers,
            "boards": _narrow(self.boards),
            "ptr": self.ptr,
            "moves": _narrow(self.moves),
            "scores": self.cells,
        }
        arrays.save(path, header, kept)

    @classmethod
    def load(cls, path: Path) -> Table:
        """The table in a file. StoreError, in one line, for any file that does not hold one."""
        return load_run(path)[0]

    def _row(self, state: State) -> int:
        """The row of a position, −1 if it has none."""
        number = int(base.index(state))
        row = int(np.searchsorted(self.numbers, number))
        return row if row < len(self.numbers) and self.numbers[row] == number else -1

    def _cells(self, row: int) -> Cells:
        here = slice(self.ptr[row], self.ptr[row + 1])
        return dict(zip(self.moves[here].tolist(), self.cells[here].tolist(), strict=True))

    def _insert(self, state: State) -> None:
        """Give a position a row of zeros. The arrays are new ones: no graph shares them any more."""
        row = int(np.searchsorted(self.numbers, int(base.index(state))))
        moves = base.legal_moves(state)
        at = int(self.ptr[row])
        self.numbers = np.insert(self.numbers, row, int(base.index(state)))
        self.boards = np.insert(self.boards.astype(np.int64), row, state.board, axis=0)
        self.moves = np.insert(self.moves.astype(np.int32), at, moves)
        self.cells = np.insert(self.cells, at, [0] * len(moves))
        self.ptr = np.insert(self.ptr, row, at)
        self.ptr[row + 1 :] += len(moves)


def load_run(path: Path) -> tuple[Table, dict[str, Any] | None]:
    """The table in a file, and the state of the run that made it, if the file has one."""
    header, found = arrays.load(path)
    if header.get("kind") != KIND:
        raise StoreError(f"{path} holds no strategy table")
    try:
        game = parse_game(header["game"])
        table = Table(
            game,
            spec(parse_learner(header["learner"])),
            int(header["seed"]),
            int(header["games"]),
            *(found[name] for name in ("numbers", "boards", "ptr", "moves", "scores")),
        )
    except InputError as fault:
        raise StoreError(f"{path} cannot be used: {fault}") from None
    except (LookupError, TypeError, ValueError, OverflowError, AttributeError) as fault:
        raise StoreError(f"{path} lacks parts of a strategy table: {fault}") from None
    if not _fits(table):
        raise StoreError(f"{path} does not fit the game {game.name} as it is now")
    return table, header.get("run")


def _fits(table: Table) -> bool:
    """Are the arrays those of a table of this game? (A person's own game may have changed.)"""
    rows, cells = len(table.numbers), len(table.cells)
    return (
        table.numbers.shape == (rows,)
        and table.boards.shape == (rows, len(table.game.start.board))
        and table.ptr.shape == (rows + 1,)
        and table.moves.shape == table.cells.shape == (cells,)
        and table.cells.dtype == np.int32
        and {table.numbers.dtype.kind, table.boards.dtype.kind, table.ptr.dtype.kind} == {"i"}
        and (table.ptr[0], table.ptr[-1]) == (0, cells)
        and bool((np.diff(table.ptr) > 0).all() and (np.diff(table.numbers) > 0).all())
        and (cells == 0 or 0 <= table.moves.min() <= table.moves.max() < table.game.size)
    )


def _narrow(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same integers in as few bytes as they need."""
    most = max(int(numbers.max(initial=0)), -int(numbers.min(initial=0)) - 1)
    for kind in (np.int8, np.int16, np.int32):
        if most <= np.iinfo(kind).max:
            return numbers.astype(kind)
    return numbers
