"""Puts a position into lines: what is on the board, row by row, and the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from nimtui.api import board_text

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.games.base import State

SIGNS = {1: "X", 2: "O", 3: "a piece", 4: "a poisoned piece"}
SEVERAL = {**SIGNS, 3: "pieces", 4: "poisoned pieces"}
UNSAID = "Cells that are not named are empty."
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def title(game: Game) -> str:
    """Return the game's title as a sentence."""
    return f"{game.title.replace(' · ', ': ')}."


def spoken(game: Game, state: State) -> list[str]:
    """Return the board in sentences: 'Row 2: column 4 O.'; each run of equal signs is said once, an empty cell not."""
    cells, columns = game.cells(state), game.board_kind == "columns"
    if cells is None or not (columns or game.board_kind == "grid"):
        return board_text.lines(game, state)
    names = [str(len(cells) - at) if columns else chr(ord("A") + at) for at in range(len(cells))]
    rows = [(name, ", ".join(_runs(row))) for name, row in zip(names, cells, strict=True)]
    return [f"Row {name}: {signs}." for name, signs in rows if signs] or ["The board is empty."]


def _runs(row: Sequence[int]) -> Iterator[str]:
    """Yield the runs of a row: 'column 1 X', 'columns 2 to 4 a piece'."""
    for number, run in groupby(enumerate(row, 1), key=lambda cell: cell[1]):
        first, *_, last = [place for place, _ in run] * 2
        if number > 0:
            if first == last:
                yield f"column {first} {SIGNS.get(number, number)}"
            else:
                yield f"columns {first} to {last} {SEVERAL.get(number, number)}"


def rules(game: Game) -> list[str]:
    """Return the rules in sentences, and how moves are typed."""
    state, example = game.start, _example(game)
    cells, misere = game.cells(state), bool(getattr(state, "misere", False))
    last = f"Whoever takes the last match {'loses' if misere else 'wins'}."
    if cells is None or game.board_kind not in ("rows", "runs", "columns"):
        return [*([game.rules] if game.rules else []), *_grid(game), "'moves' lists the legal moves.", *example]
    if game.board_kind == "columns":
        k, columns, rows = int(getattr(state, "k", 4)), len(cells[0]), len(cells)
        return [
            f"The board has {columns} columns and {rows} rows. A move drops a disc into a column; it falls down to the"
            " lowest empty cell.",
            f"Whoever has {NUMBERS.get(k, str(k))} in a row first wins: across, up or diagonally. A full board is a"
            " draw.",
            f"X is the first player's disc, O the second player's. Row 1 is the lowest. {UNSAID}",
            *example,
        ]
    most = int(getattr(state, "limit", 0))
    which = "neighbouring matches" if game.board_kind == "runs" else "matches"
    of = "one row" if len(cells) > 1 else "the row"
    takes = "one match" if most == 1 else f"1 {'or' if most == 2 else 'to'} {most} {which}"
    free = most >= max(len(row) for row in cells)
    return [f"A move takes {f'any number of {which}' if free else takes} from {of}. {last}", *example]


def _grid(game: Game) -> list[str]:
    """Return whose the marks on a grid are; nothing for other boards, and where the first move sets no mark."""
    from nimtui.games import base

    if game.board_kind != "grid":
        return []
    first = next(iter(base.legal_moves(game.start)), None)
    states = [game.start, *([game.after(game.start, first)] if first is not None else [])]
    marks = any(cell in (1, 2) for state in states for row in game.cells(state) or () for cell in row)
    return [f"X is the first player's mark, O the second player's. {UNSAID}"] if marks else [UNSAID]


def _example(game: Game) -> list[str]:
    """Return how moves are typed, with a legal move of the start as the example."""
    from nimtui.games import base
    from nimtui.games.rule_text import notation
    from nimtui.ui.play.sentences import doing

    if game.board_kind == "grid":
        return [notation(game)]
    moves = base.legal_moves(game.start)
    if not moves:
        return []
    move = max(moves[: len(moves) // 2 + 1], key=lambda at: len(game.touched(game.start, at)))
    name, said = game.move_name(move, game.start), doing(game, game.start, move)
    if said == f"play {name}":  # a game without a picture
        return [f"A move is typed as {name}, for example."]
    return [f"To {said}, type {name}."]
