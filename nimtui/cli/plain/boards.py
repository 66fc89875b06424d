"""Puts a position into lines: what is on the board, row by row, and the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nimtui.games import Game

NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def title(game: Game) -> str:
    """Return the game's title as a sentence."""
    return f"{game.title.replace(' · ', ': ')}."


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
            "X is the first player's disc, O the second player's, a dot an empty cell.",
            *example,
        ]
    most = int(getattr(state, "limit", 0))
    which = "neighbouring matches" if game.board_kind == "runs" else "matches"
    of = "one row" if len(cells) > 1 else "the row"
    takes = "one match" if most == 1 else f"1 {'or' if most == 2 else 'to'} {most} {which}"
    free = most >= max(len(row) for row in cells)
    return [f"A move takes {f'any number of {which}' if free else takes} from {of}. {last}", *example]


def _grid(game: Game) -> list[str]:
    """Return what the signs on a grid's start mean, and those that its first move makes; nothing for other boards."""
    from nimtui.api.board_text import GRID
    from nimtui.games import base

    if game.board_kind != "grid":
        return []
    first = next(iter(base.legal_moves(game.start)), None)
    states = [game.start, *([game.after(game.start, first)] if first is not None else [])]
    numbers = {cell for state in states for row in game.cells(state) or () for cell in row}
    meanings = {0: "an empty cell", 3: "a piece", 4: "a poisoned one"}
    if numbers & {1, 2}:
        meanings |= {1: "the first player's mark", 2: "the second player's"}
        numbers |= {1, 2}
    told = [f"{GRID[number]} is {meanings[number]}" for number in sorted(numbers & set(meanings))]
    return [f"On the board, {', '.join(told)}."] if told else []


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
