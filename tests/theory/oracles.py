"""Plain recursions over tuples and strings, written without the rules of the package, to compare its answers with."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

Rows = tuple[int, ...]  # matches in each row
Patterns = tuple[str, ...]  # each row as '1101': 1 standing, 0 gone


def takes(rows: Rows, limit: int) -> Iterator[tuple[str, Rows]]:
    """Every move of a heap game by its name, and the rows after it."""
    for row, matches in enumerate(rows):
        for take in range(1, min(matches, limit) + 1):
            yield f"{chr(97 + row)}{take}", (*rows[:row], matches - take, *rows[row + 1 :])


@cache
def heaps_lost(rows: Rows, limit: int, misere: bool) -> bool:
    """Does the player to move lose?"""
    if not any(rows):
        return not misere
    return not any(heaps_lost(after, limit, misere) for _, after in takes(rows, limit))


def runs_taken(rows: Patterns, limit: int) -> Iterator[tuple[str, Patterns]]:
    """Every move of a game of neighbours by its name, and the rows after it."""
    for row, pattern in enumerate(rows):
        for begin in range(len(pattern)):
            for end in range(begin + 1, min(begin + limit, len(pattern)) + 1):
                if "0" not in pattern[begin:end]:
                    places = f"{begin + 1}" if end == begin + 1 else f"{begin + 1}-{end}"
                    left = pattern[:begin] + "0" * (end - begin) + pattern[end:]
                    yield f"{chr(97 + row)}{places}", (*rows[:row], left, *rows[row + 1 :])


class Columns:
    """A connect board as a tuple of strings, a column each from the bottom: 'x' began, 'o' answers."""

    def __init__(self, columns: int, rows: int, k: int) -> None:
        self.columns, self.rows, self.k = columns, rows, k
        self.known: dict[tuple[str, ...], int] = {}

    def empty(self) -> tuple[str, ...]:
        return ("",) * self.columns

    def played(self, board: tuple[str, ...]) -> int:
        return sum(map(len, board))

    def drop(self, board: tuple[str, ...], column: int) -> tuple[str, ...]:
        disc = "xo"[self.played(board) % 2]
        return (*board[:column], board[column] + disc, *board[column + 1 :])

    def open(self, board: tuple[str, ...]) -> list[int]:
        return [column for column in range(self.columns) if len(board[column]) < self.rows]

    def at(self, board: tuple[str, ...], column: int, row: int) -> str:
        inside = 0 <= column < self.columns and 0 <= row < len(board[column])
        return board[column][row] if inside else ""

    def wins(self, board: tuple[str, ...], column: int) -> bool:
        """Has the disc on top of this column made k in a row?"""
        row = len(board[column]) - 1
        disc = board[column][row]
        for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
            together = 1
            for way in (1, -1):
                step = 1
                while self.at(board, column + way * step * right, row + way * step * up) == disc:
                    together += 1
                    step += 1
            if together >= self.k:
                return True
        return False

    def moves(self, board: tuple[str, ...]) -> dict[int, int]:
        """Every column's score for the player to move: 0 a draw, +n a win with n − 1 of their own discs left over."""
        scores = {}
        discs = self.played(board)
        cells = self.columns * self.rows
        for column in self.open(board):
            after = self.drop(board, column)
            if self.wins(after, column):
                own = (cells + 1) // 2 if discs % 2 == 0 else cells // 2
                scores[column] = own - (discs // 2 + 1) + 1
            else:
                scores[column] = -self.score(after)
        return scores

    def score(self, board: tuple[str, ...]) -> int:
        if board not in self.known:
            self.known[board] = max(self.moves(board).values(), default=0)
        return self.known[board]

    def positions(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Every position that is not over and can be reached, with moves that lead to it."""
        seen = {self.empty()}
        queue = [(self.empty(), "")]
        for board, moves in queue:  # it grows as it goes
            if not self.open(board):
                continue
            yield board, moves
            for column in self.open(board):
                after = self.drop(board, column)
                if not self.wins(after, column) and after not in seen:
                    seen.add(after)
                    queue.append((after, f"{moves}{column + 1}"))
