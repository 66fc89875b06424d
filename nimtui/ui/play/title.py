"""The line above the board: the game, who plays it, and whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence

from nimtui.ui.kit.glyphs import Glyphs
from nimtui.ui.kit.ink import Ink, Line, Run, apart, line, width


def paint(
    game: str,
    names: Sequence[Sequence[str]],
    marks: Sequence[Run],
    turn: int | None,
    columns: int,
    signs: Glyphs,
) -> list[Line]:
    """`names`: what the two players are called, the longest first. `marks` are their signs on the board, `turn` is who
    moves (None at the end).

    Longer names, then the longer title are left out where there is no room for them.
    """
    rights = [_names(called, marks, turn, signs) for called in names]
    lefts = [line((signs.plain(text), Ink.STRONG)) for text in (game, shorter(game))]
    for left, right in (*((lefts[0], right) for right in rights), (lefts[1], rights[-1])):
        if width(left) + width(right) + 2 <= columns:
            break
    return [apart(left, right, columns)]


def shorter(game: str) -> str:
    """The game's title in fewer words: 'Tower of 16', '21 matches, take 1 to 3 · misère'."""
    return game.replace(" · the last match wins", "").replace(" · the last match loses", " · misère")


def _names(names: Sequence[str], marks: Sequence[Run], turn: int | None, signs: Glyphs) -> Line:
    runs: list[Run] = []
    for seat, name in enumerate(names):
        here = seat == turn
        ink = Ink.STRONG if here else Ink.TEXT
        runs += [Run("  vs  " if seat else "", Ink.QUIET), Run(signs.cursor if here else " ", ink)]
        runs += [marks[seat], Run(f" {signs.plain(name)}", ink)]
    return line(*runs)
