"""The line above the board: the game, who plays it, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence

from nimtui.ui.glyphs import Glyphs
from nimtui.ui.widgets.ink import Ink, Line, Run, apart, line, width


def paint(
    game: str,
    players: Sequence[str],
    short: Sequence[str],
    marks: Sequence[Run],
    turn: int | None,
    columns: int,
    signs: Glyphs,
) -> list[Line]:
    """`marks` are the signs of the two players on the board, `turn` is who moves (None at the end).

    The longer names of the players are left out where there is no room for them.
    """
    left = line((signs.plain(game), Ink.STRONG))
    for names in (players, short):
        runs: list[Run] = []
        for seat, name in enumerate(names):
            here = seat == turn
            runs.append(Run("  vs  " if seat else "", Ink.QUIET))
            ink = Ink.STRONG if here else Ink.TEXT
            runs += [Run(signs.cursor if here else " ", ink), marks[seat], Run(f" {signs.plain(name)}", ink)]
        right = line(*runs)
        if width(left) + width(right) + 2 <= columns:
            break
    return [apart(left, right, columns)]
