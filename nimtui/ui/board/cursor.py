"""Models of the cursor on a board and the move it means, one for each kind of board.

A cursor reads the board as the game shows it (`Game.cells`) and names moves, so it needs no game's own rules. It marks
what its move would take, or where the disc would land, before the move is played.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TypeAlias

from nimtui.errors import valid
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.notation import row_letter
from nimtui.theory.verdict import Outcome

Cell: TypeAlias = tuple[int, int]  # row from the top, column from the left


@dataclass(frozen=True, slots=True)
class Owned:
    """Holds the owner of each mark: cell -> 0 or 1, the number of the sign; the winning cells; the last move."""

    by: Mapping[Cell, int]
    winning: frozenset[Cell] = frozenset()
    last: frozenset[Cell] = frozenset()  # the cells that the last move changed
    move: str = ""  # the name of the last move
    heat: Mapping[Cell, int] = field(default_factory=dict)  # what an agent believes of a move there, in bands from 0
    exact: Mapping[Cell, Outcome] = field(default_factory=dict)  # how the best move there ends the game


NOBODY = Owned({})
BANDS = 5  # of heat


class Step(Enum):
    """The effects of keys on the cursor."""

    UP = auto()
    DOWN = auto()
    LEFT = auto()
    RIGHT = auto()
    MORE = auto()
    LESS = auto()
    FIRST = auto()
    LAST = auto()


class Cursor(ABC):
    """A cursor on one game's board. `move` is None if there is no legal move."""

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.by_mouse = False  # was it put here by a click?
        self.look(state)

    def look(self, state: State) -> None:
        """Show a new position and go to the nearest legal move."""
        self.state = state
        self.cells = self.game.cells(state) or []
        self.by_mouse = False
        self.settle()

    def press(self, step: Step) -> bool:
        """Move the cursor; return whether the move changed."""
        before = self.move
        self.by_mouse = False
        self.step(step)
        return self.move != before

    def point(self, cell: Cell) -> bool:
        """Handle a click; return True if it confirms the move that a click marked before."""
        before, again = self.move, self.by_mouse
        if not self.aim(cell):
            return False
        self.by_mouse = True
        return again and self.move == before

    @property
    def marked(self) -> frozenset[Cell]:
        """The cells that its move would change."""
        return frozenset() if self.move is None else frozenset(self.game.touched(self.state, self.move))

    def place_of(self, move: Move) -> Cell:
        """Return the cell that stands for a legal move: of several the first that it changes."""
        return min(self.game.touched(self.state, move))

    def _named(self, name: str) -> Move | None:
        return valid(lambda: self.game.parse_move(name, self.state))

    @property
    @abstractmethod
    def move(self) -> Move | None:
        """The move under the cursor."""

    @abstractmethod
    def settle(self) -> None:
        """Go to a legal move of the new position, or to none if there is none."""

    @abstractmethod
    def step(self, step: Step) -> None:
        """Handle a key."""

    @abstractmethod
    def aim(self, cell: Cell) -> bool:
        """Go to a clicked cell; return False if it means no move."""

    @abstractmethod
    def go_to(self, move: Move) -> None:
        """Go to this legal move."""


class RunsCursor(Cursor):
    """Neighbours: a run of standing matches in one row, by its first match and its length."""

    row: int | None = 0
    first = 0

    def settle(self) -> None:
        rows, before = [at for at, matches in enumerate(self.cells) if any(matches)], self.row or 0
        self.row = min(rows, key=lambda at: abs(at - before), default=None)
        self._wanted = self.length = 1
        if self.row is not None:
            self._stand(self.row, self.first)

    @property
    def move(self) -> Move | None:
        return None if self.row is None else self._named(f"{row_letter(self.row)}{self._matches}")

    @property
    def _matches(self) -> str:
        """The matches of its row, as they are typed."""
        return f"{self.first + 1}-{self.first + self.length}" if self.length > 1 else f"{self.first + 1}"

    def _limit(self, row: int) -> int:
        """Return how many matches of this row a move may take at most."""
        return int(getattr(self.state, "limit", len(self.cells[row])))

    def _stand(self, row: int, place: int) -> None:
        """Go to the standing match of a row nearest to this place, with the wanted length as far as possible."""
        standing = [at for at, there in enumerate(self.cells[row]) if there]
        self.row, self.first = row, min(standing, key=lambda at: (abs(at - place), at))
        self.length = min(self._wanted, self._room(row))

    def _room(self, row: int) -> int:
        """Return the largest legal run from the first match on."""
        beyond = self.cells[row][self.first : self.first + self._limit(row)]
        return next((at for at, there in enumerate(beyond) if not there), len(beyond))

    def step(self, step: Step) -> None:
        if self.row is None:
            return
        row = self.cells[self.row]
        if step in (Step.UP, Step.DOWN):
            # Rows may be centred, so keep the share of the way along the row, not the place.
            share, next_row = (self.first + 0.5) / len(row), _next(self.row, step, self.cells)
            if next_row != self.row:
                self._stand(next_row, int(share * len(self.cells[next_row])))
        elif step in (Step.MORE, Step.LESS):
            self._stretch(self.row, 1 if step is Step.MORE else -1)
        else:
            standing = [at for at, there in enumerate(row) if there]
            here = standing.index(self.first)
            goals = {Step.LEFT: max(0, here - 1), Step.RIGHT: here + 1, Step.FIRST: 0, Step.LAST: len(standing)}
            self._stand(self.row, standing[min(goals[step], len(standing) - 1)])

    def _stretch(self, at: int, by: int) -> None:
        """Lengthen the run to the right, or to the left if blocked; shorten it from the right."""
        row = self.cells[at]
        if by < 0:
            self.length = max(1, self.length - 1)
        elif self.length < self._room(at):
            self.length += 1
        elif self.first and row[self.first - 1] and self.length < self._limit(at):
            self.first -= 1
            self.length += 1
        self._wanted = self.length

    def aim(self, cell: Cell) -> bool:
        """Mark one match, then all up to a second click if that run is legal. A click inside keeps the run."""
        row, place = cell
        if not self.cells[row][place]:
            return False
        last = self.first + self.length - 1
        if self.by_mouse and row == self.row:
            first, end = min(place, self.first), max(place, last)
            if self._named(f"{row_letter(row)}{first + 1}-{end + 1}") is not None:
                self.first, self.length = first, end - first + 1
                self._wanted = self.length
                return True
        self.row, self.first, self.length, self._wanted = row, place, 1, 1
        return True

    def go_to(self, move: Move) -> None:
        cells = sorted(self.game.touched(self.state, move))
        self.row, self.first = cells[0]
        self.length = self._wanted = len(cells)


class RowsCursor(RunsCursor):
    """Heaps: a row, and how many of its matches to take from its right end."""

    @property
    def _matches(self) -> str:
        return str(self.length)

    def _stand(self, row: int, place: int) -> None:
        self.row, self.length = row, min(self._wanted, self._room(row))

    def _room(self, row: int) -> int:
        return min(sum(map(bool, self.cells[row])), self._limit(row))

    def step(self, step: Step) -> None:
        if self.row is None or step in (Step.UP, Step.DOWN):
            super().step(step)
            return
        most = self._room(self.row)
        counts = {Step.LEFT: 1, Step.MORE: 1, Step.RIGHT: -1, Step.LESS: -1, Step.FIRST: most, Step.LAST: -most}
        self.length = self._wanted = max(1, min(most, self.length + counts[step]))

    def aim(self, cell: Cell) -> bool:
        row, column = cell
        if not self.cells[row][column]:
            return False
        self.row = row
        self.length = self._wanted = min(sum(map(bool, self.cells[row])) - column, self._room(row))
        return True


class ListCursor(Cursor):
    """No picture: one of the legal moves, listed `across` in a line. A cell is (line, place in it)."""

    across = 1
    at = 0

    def settle(self) -> None:
        self.moves = base.legal_moves(self.state)
        self.at = min(self.at, max(0, len(self.moves) - 1))

    @property
    def move(self) -> Move | None:
        return self.moves[self.at] if self.moves else None

    def place_of(self, move: Move) -> Cell:
        return divmod(self.moves.index(move), self.across)

    def step(self, step: Step) -> None:
        last = len(self.moves) - 1
        by = {Step.LEFT: -1, Step.RIGHT: 1, Step.UP: -self.across, Step.DOWN: self.across}
        goal = {Step.FIRST: 0, Step.LAST: last}.get(step, self.at + by.get(step, 0))
        self.at = goal if 0 <= goal <= last else self.at

    def aim(self, cell: Cell) -> bool:
        at = cell[0] * self.across + cell[1]
        if not 0 <= at < len(self.moves):
            return False
        self.at = at
        return True

    def go_to(self, move: Move) -> None:
        self.at = self.moves.index(move)

    @property
    def marked(self) -> frozenset[Cell]:
        return frozenset({divmod(self.at, self.across)}) if self.moves else frozenset()


def _next(row: int, step: Step, cells: Sequence[Sequence[int]]) -> int:
    """Return the next row with a match, up or down, or the same row."""
    rows = range(row + 1, len(cells)) if step is Step.DOWN else range(row - 1, -1, -1)
    return next((at for at in rows if any(cells[at])), row)


class GridCursor(Cursor):
    """A cell of the grid, and one of the moves there if it has several."""

    at: Cell | None = None  # the cell where it stood last
    chosen: Move | None = None

    def settle(self) -> None:
        legal = base.legal_moves(self.state)
        self.moves = sorted((cell, move) for move in legal if (cell := self.square(move)) is not None)
        rows, columns = len(self.cells), max(map(len, self.cells), default=0)
        y, x = self.at or ((rows - 1) // 2, (columns - 1) // 2)
        near = min(self.moves, key=lambda each: (abs(each[0][0] - y) + abs(each[0][1] - x), each), default=None)
        self.at, self.chosen = near or (self.at, None)

    def square(self, move: Move) -> Cell | None:
        """Return the cell that stands for a legal move; None if none does."""
        return self.game.square(self.state, move)

    def place_of(self, move: Move) -> Cell:
        return self.square(move) or super().place_of(move)

    @property
    def move(self) -> Move | None:
        return self.chosen

    @property
    def preview(self) -> list[list[int]]:
        """The cells after its move; those of the position where nothing is marked."""
        if self.chosen is None:
            return self.cells
        return self.game.cells(self.game.after(self.state, self.chosen)) or self.cells

    def step(self, step: Step) -> None:
        if self.at is None or self.chosen is None:
            return
        if step in (Step.FIRST, Step.LAST, Step.MORE, Step.LESS):
            here = self.moves.index((self.at, self.chosen))
            last = len(self.moves) - 1
            goals = {Step.FIRST: 0, Step.LAST: last, Step.MORE: min(here + 1, last), Step.LESS: max(here - 1, 0)}
            self.at, self.chosen = self.moves[goals[step]]
            return
        # The nearest cell with a move in this direction: in the same row or column if there is one.
        along = 0 if step in (Step.UP, Step.DOWN) else 1
        sign = 1 if step in (Step.DOWN, Step.RIGHT) else -1
        place = self.at
        ahead = [each for each in self.moves if sign * (each[0][along] - place[along]) > 0]

        def away(each: tuple[Cell, Move]) -> tuple[int, int]:
            return abs(each[0][1 - along] - place[1 - along]), abs(each[0][along] - place[along])

        self.at, self.chosen = min(ahead, key=away, default=(place, self.chosen))

    def aim(self, cell: Cell) -> bool:
        if cell == self.at and self.chosen is not None:
            return True
        goal = next((each for each in self.moves if each[0] == cell), None)
        if goal is not None:
            self.at, self.chosen = goal
        return goal is not None

    def go_to(self, move: Move) -> None:
        self.at, self.chosen = next(each for each in self.moves if each[1] == move)


class ColumnsCursor(GridCursor):
    """Discs: a column that is not full."""

    def settle(self) -> None:
        super().settle()
        self.at = self.at if self.moves else None

    def square(self, move: Move) -> Cell:
        return 0, self.game.touched(self.state, move)[0][1]

    @property
    def column(self) -> int | None:
        return None if self.at is None else self.at[1]

    def aim(self, cell: Cell) -> bool:
        return super().aim((0, cell[1]))
