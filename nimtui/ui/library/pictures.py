"""Pictures of saved items for the panel of details: a learning curve, a last position, the scores of agents."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from nimtui.errors import InputError
from nimtui.report.lines import Ink, Line, cut, line
from nimtui.report.values import Share
from nimtui.ui.board import small_board
from nimtui.ui.board.board import NOBODY
from nimtui.ui.kit.curve import Series
from nimtui.ui.kit.curve import paint as plot
from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.panel import Paint

if TYPE_CHECKING:
    from nimtui.arena.tally import Field

LEAST_ROWS = 7  # lines of a picture
NAME = 16  # columns of an agent's name
SCORE = 7


def curve(points: Sequence[Sequence[Any]], games: int) -> Paint | None:
    """Return the learning curve of a run, (games, accuracy, unbeaten) each; None without points."""
    if not points:
        return None
    shown = [
        Series("accuracy", [(int(at), float(accuracy)) for at, accuracy, _ in points]),
        Series("unbeaten", [(int(at), float(unbeaten)) for at, _, unbeaten in points], dotted=True),
    ]
    return lambda columns, rows, signs: plot(shown, games, columns, rows, signs)


def last_position(name: str, moves: Sequence[int]) -> Paint | None:
    """Return the board after these moves from the start; None if the game is unknown here or has no board."""
    from nimtui.games import base, parse_game

    state, owned = None, NOBODY
    with suppress(InputError, IndexError, ValueError):
        game = parse_game(name)
        state = game.new()
        for ply, move in enumerate(moves):
            if not base.legal(state, move):
                return None
            owned = small_board.joined(owned, small_board.after(game, state, move, ply % 2))
            base.play(state, move)
    if state is None or game.cells(state) is None:
        return None
    return lambda columns, rows, signs: small_board.drawing(game, state, owned, columns, rows, signs)


def scores(field: Field, names: Sequence[str]) -> Paint | None:
    """Return a bar for each agent, as long as its share of the points; None before the first game."""
    shares = [(names[row.entrant], row.score) for row in field.rows if row.score is not None]
    if not shares:
        return None
    wide = min(NAME, max(len(name) for name, _ in shares))

    def paint(columns: int, rows: int, signs: Glyphs) -> list[Line]:
        shown = []
        for name, share in shares[:rows]:
            bar = signs.bar(share, max(1, columns - wide - SCORE - 2))
            label = f"{signs.plain(name)[:wide]:<{wide}} "
            shown.append(cut(line(label, (bar, Ink.BAR), f"{Share(share).text:>{SCORE}}"), columns, signs.hidden))
        return shown

    return paint
