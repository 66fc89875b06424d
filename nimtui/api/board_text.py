"""Puts a position into lines: what is on the board, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nimtui.games.notation import plural

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.games.base import State

DISCS = ".XO"  # an empty cell, and the discs of both players
GRID = ".XO#!"  # the same on a grid, then a piece of neither player, and a poisoned one


def lines(game: Game, state: State) -> list[str]:
    """Return the board: 'A: 1 match', 'B: 2 matches, at 1 and 3', 'Row 1: . X O .', 'A: # # #'."""
    cells = game.cells(state)
    if game.board_kind == "heaps":
        heaps = [plural(int(heap), "match", "matches") for heap in game.position_name(state).split(",")]
        return [f"{chr(ord('A') + at)}: {heap}" for at, heap in enumerate(heaps)] if len(heaps) > 1 else heaps
    if cells is None or game.board_kind not in ("rows", "runs", "columns", "grid"):
        return [f"Position: {game.position_name(state) or 'the start'}"]
    if game.board_kind == "columns":
        return _discs(cells)
    if game.board_kind == "grid":
        return _grid(cells)
    what = ("marble", "marbles") if game.pays else ("match", "matches")  # the rows of red-blue Nim
    rows = [_matches(row, what, where=game.board_kind == "runs") for row in cells]
    if len(rows) == 1:
        return [rows[0][:1].upper() + rows[0][1:]]
    return [f"{chr(ord('A') + at)}: {row}" for at, row in enumerate(rows)]


def _grid(cells: Sequence[Sequence[int]]) -> list[str]:
    """Return the rows of a grid under the numbers of its columns; a blank where there is no cell."""
    signs = [[" " if n < 0 else GRID[n] if n < len(GRID) else str(n) for n in row] for row in cells]
    across = max(map(len, signs), default=0)
    wide = max(map(len, (str(across), *(sign for row in signs for sign in row))))
    head = [str(column + 1) for column in range(across)]
    lines = zip(("", *(f"{chr(ord('A') + at)}:" for at in range(len(signs)))), (head, *signs), strict=True)
    return [f"{name:<3}{' '.join(f'{sign:>{wide}}' for sign in row)}".rstrip() for name, row in lines]


def _matches(row: Sequence[int], what: tuple[str, str], where: bool) -> str:
    """Return the matches of a row; with `where`, a row with gaps tells at which places they stand."""
    count = sum(map(bool, row))  # a blue marble is a 2
    matches = plural(count, *what)
    return f"{matches}, at {_joined(list(_runs(row)))}" if where and 0 < count < len(row) else matches


def _runs(row: Sequence[int]) -> Iterator[str]:
    """Yield the runs of neighbours: '1', '3 to 5'."""
    first = None
    for place, stands in enumerate([*row, 0], 1):
        if stands and first is None:
            first = place
        elif not stands and first is not None:
            yield str(first) if first == place - 1 else f"{first} to {place - 1}"
            first = None


def _joined(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _discs(cells: Sequence[Sequence[int]]) -> list[str]:
    numbers = [str(column + 1) for column in range(len(cells[0]))]
    wide = len(numbers[-1])

    def row(name: str, signs: Sequence[str]) -> str:
        return f"{name:<8}{' '.join(f'{sign:>{wide}}' for sign in signs)}"

    rows = [row(f"Row {len(cells) - at}:", [DISCS[disc] for disc in discs]) for at, discs in enumerate(cells)]
    return [*rows, row("Column:", numbers)]
