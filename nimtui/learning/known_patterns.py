"""Names the patterns that a person knows: three in a row with an open end, equal rows.

A name follows from the values of the pattern's inputs alone, so it holds in every position that has them. Rows of the
board count from the bottom, as in V. Allis, "A knowledge-based approach of Connect-Four" (1988), where the first player
gains by threats on odd rows, and the second by those on even rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import product
from operator import xor
from typing import NamedTuple

from nimtui.games import Game
from nimtui.games.connect import FIRSTS, NEXT, OUT_OF_REACH, Connect
from nimtui.games.heaps import Heaps
from nimtui.games.noughts import Noughts

Cell = tuple[int, int]  # column, row from the bottom, both from 0
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}
FEWEST = 3  # in a row to win: of a game with fewer nothing has a name


class Known(NamedTuple):
    """The name of a pattern."""

    text: str
    player: int | None = None  # whose it is, 0 or 1; None: nobody's

    def said(self, discs: Sequence[str]) -> str:
        """Return the name, with the disc of the player whose it is."""
        return self.text if self.player is None else f"{discs[self.player]} {self.text}"


class _Board(NamedTuple):
    """The cells that a pattern fixes, each with its value as in Connect Four, and what wins."""

    cells: Mapping[Cell, int]
    columns: int
    rows: int
    k: int
    falls: bool  # do discs fall, so that a cell may be empty and out of reach?


def known(game: Game, values: Mapping[int, int], side: int) -> Known | None:
    """Return the strongest name of a pattern (input -> value) where this side has just moved; None if it has none."""
    start = game.start
    if isinstance(start, Heaps):
        return _rows(start, values)
    if isinstance(start, Connect):
        at = {divmod(i, start.rows): value for i, value in values.items()}
        board = _Board(at, len(start.top), start.rows, start.k, True)
    elif isinstance(start, Noughts):
        marks = {i: FIRSTS + value - 1 if value else NEXT for i, value in values.items()}
        at = {(i % start.columns, start.rows - 1 - i // start.columns): value for i, value in marks.items()}
        board = _Board(at, start.columns, start.rows, start.k, False)
    else:
        return None
    names = [] if board.k < FEWEST else sorted(_lines(board, side), key=lambda each: each[0])
    return names[0][1] if names else _middle(board)


def _lines(board: _Board, side: int) -> Iterator[tuple[int, Known]]:
    """Yield what the lines of k cells say that the pattern fixes, each with its rank: 0 says most."""
    k = board.k
    for x, y, (right, up) in product(range(board.columns), range(board.rows), DIRECTIONS):
        line = [(x + right * step, y + up * step) for step in range(-1, k + 1)]  # with the cells before and behind it
        before, *inner, behind = (board.cells.get(cell) for cell in line)
        x_end, y_end = line[k]
        for alone in (set(inner[:-1]), set(inner[1:])) if x_end < board.columns and 0 <= y_end < board.rows else ():
            if len(alone) == 1 and (disc := alone.pop()) in (FIRSTS, FIRSTS + 1):
                yield 6, Known(f"{_number(k - 1)} in a row", disc - FIRSTS)
        if None in inner:
            continue
        for player, disc in enumerate((FIRSTS, FIRSTS + 1)):
            count = inner.count(disc)
            if count == k - 1:
                hole = next(at for at, value in enumerate(inner) if value != disc)
                beyond = behind if hole == 0 else before if hole == k - 1 else None
                yield _all_but_one(board, player, side, inner[hole] or 0, line[hole + 1][1], beyond, 0 < hole < k - 1)
            elif count == k - 2 >= 2 and _empty(inner[0]) and _empty(inner[-1]):
                yield 5, Known(f"{_number(k - 2)} in a row, both ends open", player)


def _number(number: int) -> str:
    return NUMBERS.get(number, str(number))


def _empty(value: int | None) -> bool:
    return value in (OUT_OF_REACH, NEXT)


def _all_but_one(
    board: _Board, player: int, side: int, last: int, row: int, beyond: int | None, gap: bool
) -> tuple[int, Known]:
    """Return the name of a line with one cell missing: its value, its row, and what is at the line's other end."""
    number = _number(board.k - 1)
    if not _empty(last):
        return 4, Known(f"blocks {number}", 1 - player)
    if last == NEXT and player != side:
        return 0, Known("can win at once", player)
    if _empty(beyond):
        return 1, Known(f"{number} in a row, both ends open", player)
    where = "" if last == NEXT else f"on {'odd' if row % 2 == 0 else 'even'} row {row + 1}"
    if gap:
        return 3, Known(f"{number} with a gap {where}".rstrip(), player)
    return 2, Known(f"{number} in a row, open {where or 'end'}", player)


def _middle(board: _Board) -> Known | None:
    """Return that all discs of the pattern are one player's, in the middle column; of other boards in the centre."""
    discs = {cell: value for cell, value in board.cells.items() if value >= FIRSTS}
    is_middle = all(
        2 * x + 1 == board.columns and (board.falls or 2 * y + 1 == board.rows) for x, y in discs
    )  # fmt: skip
    if not discs or not is_middle or len(set(discs.values())) > 1:
        return None
    return Known("in the middle column" if board.falls else "in the centre", next(iter(discs.values())) - FIRSTS)


def _rows(start: Heaps, values: Mapping[int, int]) -> Known | None:
    rows = [value for value in values.values() if value]
    counts = Counter(rows)
    if len(values) == len(start.start) and start.limit == max(start.start) and not reduce(xor, rows, 0):
        return Known("nim-sum 0")
    if rows and all(number % 2 == 0 for number in counts.values()):
        return Known("equal rows in pairs" if len(rows) > 2 else "two equal rows")
    if any(number > 1 for number in counts.values()):
        return Known("equal rows")
    return Known("a row of one") if 1 in counts else None
