"""The rules of every family once more, on tuples and strings: moves by their names, ends, pictures and heuristics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from nimtui.games.base import DRAW, GOING_ON, LOST, WON
from tests.theory.oracles import Columns, runs_taken, takes

Cells = list[list[int]]


class Literal:
    """A game whose positions are tuples or strings. `has_rows`: rows of moves. `dense`: every number has a position."""

    has_rows, dense = False, True

    def __init__(self, start: Any) -> None:
        self.start = start

    def moves(self, at: Any) -> dict[str, Any]:
        """Return the position after each move, by the move's name; the same for a game that is over."""
        raise NotImplementedError

    def end(self, at: Any) -> int:
        raise NotImplementedError

    def cells(self, at: Any) -> Cells:
        raise NotImplementedError

    def value(self, at: Any) -> int:
        return 0

    def name(self, at: Any) -> str | None:
        return ",".join(map(str, at))


class Heaps(Literal):
    has_rows = True

    def __init__(self, *rows: int, limit: int = 255, misere: bool = False) -> None:
        super().__init__(rows)
        self.limit, self.misere = limit, misere

    def moves(self, at: Any) -> dict[str, Any]:
        return dict(takes(at, self.limit))

    def end(self, at: Any) -> int:
        return GOING_ON if any(at) else LOST if self.misere else WON

    def cells(self, at: Any) -> Cells:
        return [[1] * row + [0] * (full - row) for row, full in zip(at, self.start, strict=True)]

    def value(self, at: Any) -> int:
        return -sum(at)


class Marbles(Heaps):
    """Red and blue ones, in two piles; whoever empties one gets the points that are left, in misère play the other."""

    has_rows, dense = False, False

    def end(self, at: Any) -> int:
        return GOING_ON if all(at) else LOST if self.misere else WON

    def cells(self, at: Any) -> Cells:
        return [[kind] * here + [0] * (full - here) for kind, here, full in zip((1, 2), at, self.start, strict=True)]

    def value(self, at: Any) -> int:
        return 0


class Runs(Heaps):
    def __init__(self, *rows: int, limit: int = 63, misere: bool = False) -> None:
        super().__init__(*rows, limit=limit, misere=misere)
        self.start = tuple("1" * row for row in rows)

    def moves(self, at: Any) -> dict[str, Any]:
        return dict(runs_taken(at, self.limit))

    def end(self, at: Any) -> int:
        return super().end(["1" in row for row in at])

    def cells(self, at: Any) -> Cells:
        return [list(map(int, row)) for row in at]

    def value(self, at: Any) -> int:
        return -"".join(at).count("1")

    def name(self, at: Any) -> str:
        return "/".join(at)


class Split(Literal):
    """Heaps that may split, as sorted tuples. `code`: an octal code, or 'grundy'; a digit says how many heaps stay."""

    dense = False

    def __init__(self, code: str, *heaps: int, misere: bool = False) -> None:
        super().__init__(tuple(sorted(heaps, reverse=True)))
        self.code, self.misere = code, misere

    def moves(self, at: Any) -> dict[str, Any]:
        digits = [4] if self.code == "grundy" else [int(digit) for digit in self.code if digit != "."]
        after = {}
        for place, heap in enumerate(at):
            for take, left in ((gone, left) for gone in range(heap + 1) for left in range((heap - gone) // 2 + 1)):
                pieces = [piece for piece in (left, heap - take - left) if piece]
                unequal = self.code != "grundy" or left != heap - left
                if take < len(digits) and digits[take] >> len(pieces) & 1 and unequal and heap not in at[:place]:
                    name = chr(97 + place) + (str(take) if take else "") + (f"/{left}" if left else "")
                    rest = (*at[:place], *at[place + 1 :], *pieces)
                    after[name] = tuple(sorted(rest, reverse=True))
        return after

    def end(self, at: Any) -> int:
        return GOING_ON if self.moves(at) else LOST if self.misere else WON

    def value(self, at: Any) -> int:
        return -sum(at)

    def name(self, at: Any) -> str:
        return ",".join(map(str, at)) or "0"

    def cells(self, at: Any) -> Cells:
        """Rows as strings: each heap in the first row with room for it and for a gap before it."""
        digits = [4] if self.code == "grundy" else [int(digit) for digit in self.code if digit != "."]
        splitting = [take for take, digit in enumerate(digits) if digit & 4]
        gap = "0" * max(1, *splitting[:1], 1)
        loose = splitting[:1] == [0]
        rows, widths = ["" for _ in self.start], [2 * heap - 1 if loose else heap for heap in self.start]
        for heap in at:
            longer = [row + (gap if row else "") + "1" * heap for row in rows]
            fitting = [place for place, width in enumerate(widths) if len(longer[place]) <= width]
            place = fitting[0] if fitting else min(range(len(rows)), key=lambda place: len(rows[place]))
            rows[place] = longer[place]
        return [[int(cell) for cell in row.ljust(width, "0")] for row, width in zip(rows, widths, strict=True)]


class Bar(Literal):
    """Chomp: the squares left in each row."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__((columns,) * rows)

    def moves(self, at: Any) -> dict[str, Any]:
        squares = [(row, column) for row, length in enumerate(at) for column in range(length)]
        return {
            f"{chr(97 + row)}{column + 1}": tuple(
                min(length, column) if below >= row else length for below, length in enumerate(at)
            )
            for row, column in squares
        }

    def end(self, at: Any) -> int:
        return GOING_ON if at[0] else LOST

    def cells(self, at: Any) -> Cells:
        return [
            [4 if (row, column) == (0, 0) else 3 if column < length else -1 for column in range(self.start[0])]
            if at[0]
            else [-1] * self.start[0]
            for row, length in enumerate(at)
        ]


def lines(columns: int, rows: int, k: int) -> Iterator[list[tuple[int, int]]]:
    """The cells (column, row) of every line of k on a board."""
    for x in range(columns):
        for y in range(rows):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(x + step * dx, y + step * dy) for step in range(k)]
                if all(0 <= across < columns and 0 <= up < rows for across, up in line):
                    yield line


class Grid(Literal):
    """Noughts and crosses, a string of '.', 'x' and 'o' from the top left."""

    dense = False

    def __init__(self, columns: int, rows: int, k: int) -> None:
        super().__init__("." * (columns * rows))
        self.columns = columns
        self.lines = [[row * columns + column for column, row in line] for line in lines(columns, rows, k)]

    def player(self, at: str) -> str:
        return "xo"[at.count("x") - at.count("o")]

    def moves(self, at: str) -> dict[str, str]:
        free = [cell for cell, mark in enumerate(at) if mark == "."]
        named = {cell: f"{chr(97 + cell // self.columns)}{cell % self.columns + 1}" for cell in free}
        return {named[cell]: at[:cell] + self.player(at) + at[cell + 1 :] for cell in free}

    def end(self, at: str) -> int:
        if any({at[cell] for cell in line} in ({"x"}, {"o"}) for line in self.lines):
            return WON
        return GOING_ON if "." in at else DRAW

    def cells(self, at: str) -> Cells:
        numbers = [".xo".index(mark) for mark in at]
        return [numbers[first : first + self.columns] for first in range(0, len(at), self.columns)]

    def value(self, at: str) -> int:
        mine = self.player(at)
        theirs = "xo".replace(mine, "")
        marks = ["".join(at[cell] for cell in line) for line in self.lines]
        return sum(theirs not in line for line in marks) - sum(mine not in line for line in marks)

    def name(self, at: str) -> str:
        return "/".join(at[first : first + self.columns] for first in range(0, len(at), self.columns))


class Drops(Literal):
    """A connect board, columns of 'x' and 'o' from the bottom. Its name is some moves that lead to it."""

    dense = False

    def __init__(self, columns: int, rows: int, k: int) -> None:
        self.board = Columns(columns, rows, k)
        super().__init__(self.board.empty())
        self.lines = list(lines(columns, rows, k))

    def marks(self, at: Any) -> list[str]:
        return ["".join(self.board.at(at, *cell) or "." for cell in line) for line in self.lines]

    def moves(self, at: Any) -> dict[str, Any]:
        return {str(column + 1): self.board.drop(at, column) for column in self.board.open(at)}

    def end(self, at: Any) -> int:
        if any(set(line) in ({"x"}, {"o"}) for line in self.marks(at)):
            return WON
        return GOING_ON if self.board.open(at) else DRAW

    def cells(self, at: Any) -> Cells:
        heights = range(self.board.rows - 1, -1, -1)
        return [[".xo".index(column.ljust(height + 1, ".")[height]) for column in at] for height in heights]

    def value(self, at: Any) -> int:
        mine, theirs = "xo" if self.board.played(at) % 2 == 0 else "ox"
        counts = map(Counter, self.marks(at))
        return sum(count[mine] for count in counts if not count[theirs] and count["."])

    def name(self, at: Any) -> None:
        return None
