"""The cursor on heaps that split, and where they stand: what is left of a heap of the start keeps its place in a row.

A position lists its heaps by size, so their letters change; each stands below its heap. A position that no remembered
move leads to is laid out as the game draws it, the largest heaps first.
"""

from __future__ import annotations

from typing import NamedTuple

from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.octal import Octal, letter
from nimtui.ui.board.cursor import Cell, Cursor, Step

MOST_PLACES = 1_000  # positions whose layout is remembered


class Piece(NamedTuple):
    """A heap on the screen."""

    row: int
    first: int  # the place of its first match
    matches: int


class HeapsCursor(Cursor):
    """A heap, how many matches to take from it, and how many of its first ones stay apart."""

    state: Octal
    at = 0  # the piece
    move_at = 0  # the move among those of its heap

    def __init__(self, game: Game, state: State) -> None:
        self._places: dict[bytes, tuple[tuple[Piece, ...], list[list[int]]]] = {}
        super().__init__(game, state)

    def look(self, state: State) -> None:
        before = getattr(self, "state", None)
        self.state = base.copy(state)  # type: ignore[assignment]
        self.by_mouse = False
        key = state.board.tobytes()
        if key not in self._places:
            if len(self._places) > MOST_PLACES:
                self._places.clear()
            moved = None if before is None else self._moved(before, state)
            self._places[key] = moved or self._laid_out(state)
        self.pieces, self.cells = self._places[key]
        self.settle()

    def _laid_out(self, state: State) -> tuple[tuple[Piece, ...], list[list[int]]]:
        """Return the heaps where the game's own picture has them."""
        cells = self.game.cells(state) or []
        pieces: list[Piece] = []
        for row, there in enumerate(cells):
            for place, match in enumerate(there):
                if match and place and there[place - 1]:
                    pieces[-1] = pieces[-1]._replace(matches=pieces[-1].matches + 1)
                elif match:
                    pieces.append(Piece(row, place, 1))
        return tuple(pieces), cells

    def _moved(self, before: Octal, state: State) -> tuple[tuple[Piece, ...], list[list[int]]] | None:
        """Return the heaps after the move that led here from the position before; None if none did, or without room."""
        if before.board.tobytes() not in self._places:
            return None
        pieces, cells = self._places[before.board.tobytes()]
        for move in base.legal_moves(before):
            if self.game.after(before, move).board.tobytes() == state.board.tobytes():
                break
        else:
            return None
        heap, small, rest = (int(numbers[move]) for numbers in (before.heap_of, before.left_of, before.rest_of))
        at = next(at for at, piece in enumerate(pieces) if piece.matches == heap)
        if pieces[self.at].matches == heap:
            at = self.at  # of equal heaps the one under the cursor
        piece, row = pieces[at], list(cells[pieces[at].row])
        gone = heap - small - rest
        row[piece.first : piece.first + heap] = [1] * small + [0] * gone + [1] * rest
        parts = [piece._replace(matches=small), piece._replace(first=piece.first + small + gone, matches=rest)]
        moved = list(pieces)
        if small and not gone:  # nothing between them: a gap, at the cost of the free cell at the end
            if row[-1]:
                return None
            row = [*row[: piece.first + small], 0, *row[piece.first + small : -1]]
            parts[1] = parts[1]._replace(first=parts[1].first + 1)
            moved = [
                other._replace(first=other.first + 1) if other.row == piece.row and other.first > piece.first else other
                for other in moved
            ]
        moved[at : at + 1] = [part for part in parts if part.matches]
        after = [list(there) for there in cells]
        after[piece.row] = row
        return tuple(moved), after

    def name_of(self, at: int) -> str:
        """Return the letter of a piece: the largest heap is A, of equal ones the first on the screen comes first."""
        order = sorted(range(len(self.pieces)), key=lambda other: (-self.pieces[other].matches, other))
        return letter(order.index(at)).upper()

    def settle(self) -> None:
        movable = [at for at, piece in enumerate(self.pieces) if self.state.many[piece.matches]]
        if movable:
            self._stand(min(movable, key=lambda at: abs(at - self.at)))
        self.none = not movable

    @property
    def moves(self) -> list[Move]:
        """The moves of the heap under the cursor, by what they take, then by what stays apart."""
        heap = self.pieces[self.at].matches
        return list(range(int(self.state.first[heap]), int(self.state.first[heap] + self.state.many[heap])))

    @property
    def move(self) -> Move | None:
        return None if self.none else self.moves[self.move_at]

    def _stand(self, at: int) -> None:
        self.at = at
        self.move_at = min(self.move_at, len(self.moves) - 1)

    def step(self, step: Step) -> None:
        if self.none:
            return
        if step in (Step.UP, Step.DOWN):
            ahead = range(self.at + 1, len(self.pieces)) if step is Step.DOWN else range(self.at - 1, -1, -1)
            self._stand(next((at for at in ahead if self.state.many[self.pieces[at].matches]), self.at))
            return
        moves = self.moves
        take, small = (int(numbers[moves[self.move_at]]) for numbers in (self.state.take_of, self.state.left_of))
        if step in (Step.MORE, Step.LESS):
            same = [at for at, move in enumerate(moves) if self.state.take_of[move] == take]
            by = 1 if step is Step.MORE else -1
            self.move_at = same[(same.index(self.move_at) + by) % len(same)]
            return
        takes = sorted({int(self.state.take_of[move]) for move in moves})
        by = {Step.LEFT: 1, Step.RIGHT: -1, Step.FIRST: -len(takes), Step.LAST: len(takes)}[step]
        take = takes[max(0, min(len(takes) - 1, takes.index(take) + by))]
        self._choose(take, small)

    def _choose(self, take: int, small: int) -> None:
        """Go to the move that takes so many, and leaves as many apart as possible next to `left`."""
        fits = [
            (abs(int(self.state.left_of[move]) - small), at)
            for at, move in enumerate(self.moves)
            if self.state.take_of[move] == take
        ]
        self.move_at = min(fits)[1]

    def aim(self, cell: Cell) -> bool:
        row, place = cell
        for at, piece in enumerate(self.pieces):
            inside = piece.row == row and 0 <= place - piece.first < piece.matches
            if inside and self.state.many[piece.matches]:
                if at != self.at or cell not in self.marked:
                    self._stand(at)
                    take = int(self.state.take_of[self.moves[self.move_at]])
                    self._choose(take, min(place - piece.first, piece.matches - take - (place - piece.first)))
                return True
        return False

    def go_to(self, move: Move) -> None:
        heap = int(self.state.heap_of[move])
        if self.none or self.pieces[self.at].matches != heap:
            self.at = next(at for at, piece in enumerate(self.pieces) if piece.matches == heap)
        self.move_at = self.moves.index(move)

    def place_of(self, move: Move) -> Cell:
        piece = next(piece for piece in self.pieces if piece.matches == int(self.state.heap_of[move]))
        return piece.row, piece.first

    @property
    def marked(self) -> frozenset[Cell]:
        """The matches that the move takes; of a move that only splits those that it sets apart."""
        if self.move is None:
            return frozenset()
        piece, small = self.pieces[self.at], int(self.state.left_of[self.move])
        take = int(self.state.take_of[self.move])
        first, last = (small, small + take) if take else (0, small)
        return frozenset((piece.row, piece.first + place) for place in range(first, last))
