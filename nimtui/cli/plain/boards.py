"""Puts a position into lines: what is on the board, row by row, and the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nimtui.games.notation import plural

if TYPE_CHECKING:
    from nimtui.games import Game
    from nimtui.games.base import State

DISCS = ".XO"  # an empty cell, and the discs of both players
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def title(game: Game) -> str:
    """Return the game's title as a sentence."""
    return f"{game.title.replace(' · ', ': ')}."


def lines(game: Game, state: State) -> list[str]:
    """Return the board: 'A: 1 match', 'B: 2 matches, at 1 and 3', 'Row 1: . X O .'."""
    cells = game.cells(state)
    if cells is None or game.board_kind not in ("rows", "runs", "columns"):
        return [f"Position: {game.position_name(state) or 'the start'}"]
    if game.board_kind == "columns":
        return _discs(cells)
    rows = [_matches(row, where=game.board_kind == "runs") for row in cells]
    if len(rows) == 1:
        return [rows[0][:1].upper() + rows[0][1:]]
    return [f"{chr(ord('A') + at)}: {row}" for at, row in enumerate(rows)]


def _matches(row: Sequence[int], where: bool) -> str:
    """Return the matches of a row; with `where`, a row with gaps tells at which places they stand."""
    said = plural(sum(row), "match", "matches")
    return f"{said}, at {_joined(list(_runs(row)))}" if where and 0 < sum(row) < len(row) else said


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


def rules(game: Game) -> list[str]:
    """Return the rules in sentences, and how moves are typed."""
    state, example = game.start, _example(game)
    cells, misere = game.cells(state), bool(getattr(state, "misere", False))
    last = f"Whoever takes the last match {'loses' if misere else 'wins'}."
    if cells is None or game.board_kind not in ("rows", "runs", "columns"):
        return ["'moves' lists the legal moves.", *example]
    if game.board_kind == "columns":
        k, columns, rows = int(getattr(state, "k", 4)), len(cells[0]), len(cells)
        return [
            f"The board has {columns} columns and {rows} rows. A move drops a disc into a column; it falls down to the"
            " lowest empty cell.",
            f"Whoever has {NUMBERS.get(k, str(k))} in a row first wins: across, up or diagonally. A full board is a"
            " draw.",
            "X is the first player's disc, O the second player's, a dot an empty cell.",
            *example,
        ]
    most = int(getattr(state, "limit", 0))
    which = "neighbouring matches" if game.board_kind == "runs" else "matches"
    of = "one row" if len(cells) > 1 else "the row"
    takes = "one match" if most == 1 else f"1 {'or' if most == 2 else 'to'} {most} {which}"
    free = most >= max(len(row) for row in cells)
    return [f"A move takes {f'any number of {which}' if free else takes} from {of}. {last}", *example]


def _example(game: Game) -> list[str]:
    """Return how moves are typed, with a legal move of the start as the example."""
    from nimtui.games import base
    from nimtui.ui.play.sentences import doing

    moves = base.legal_moves(game.start)
    if not moves:
        return []
    move = max(moves[: len(moves) // 2 + 1], key=lambda at: len(game.touched(game.start, at)))
    name, said = game.move_name(move, game.start), doing(game, game.start, move)
    if said == f"play {name}":  # a game without a picture
        return [f"A move is typed as {name}, for example."]
    return [f"To {said}, type {name}."]
