"""Paint a position as a still picture, as large as there is room, as the Play screen draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.tree import GameTree, path_of
from nimtui.report.lines import Line, aimed
from nimtui.ui.board import book_tree
from nimtui.ui.board.cursor import NOBODY, Cell, Owned
from nimtui.ui.board.discs import Discs
from nimtui.ui.board.grid import Grid
from nimtui.ui.board.matches import SMALL, Matches
from nimtui.ui.kit.terminal.glyphs import Glyphs

TALL = 3  # the most lines per match


def height(game: Game, room: int) -> int:
    """Return the lines of a low picture if at most `room` are free; 0 if it does not fit."""
    rows = len(game.cells(game.start) or ())
    if not rows or rows > room:
        return 0
    if game.board_kind == "columns":
        return rows
    if game.board_kind == "grid":
        return rows + 1 if rows < room else 0
    return rows * max(1, min(TALL, room // (2 * rows)))


def drawing(
    game: Game,
    state: State,
    owned: Owned,
    columns: int,
    rows: int,
    signs: Glyphs,
    small: int = SMALL,
    move: Move | None = None,
) -> list[Line]:
    """Return the position as the Play screen draws it, with the cells of a move marked; nothing without a picture.

    Matches are low in less than `small` lines. Where a board with columns has no room for their names, it is bare.
    """
    if isinstance(state, GameTree):
        return book_tree.picture(game, game.start, [step for _, step in path_of(state)], columns, rows, signs)
    cells = game.cells(state)
    if not cells or rows < (len(cells) if game.board_kind in ("columns", "grid") else min(2, len(cells))):
        return []
    marked = frozenset(game.touched(state, move)) if move is not None else frozenset[Cell]()
    if game.board_kind == "columns":
        bare = rows < len(cells) + 2 + (not signs.grounds)
        picture = Discs(len(cells[0]), len(cells), columns, rows, signs, bare=bare)
        lines = picture.paint(cells, marked, owned, next(iter(marked), (0, None))[1])
    elif game.board_kind == "grid":
        after = game.cells(game.after(state, move)) if move is not None else None
        changed = {(row, column): after[row][column] for row, column in marked} if after else {}
        at = game.square(state, move) if move is not None else None
        lines = Grid(cells, columns, rows, signs).paint(cells, at, changed, owned)
    else:
        named = game.board_kind != "heaps"  # the letters of heaps follow their sizes, not the rows
        matches = Matches([len(row) for row in cells], columns, rows, small, named)
        lines = matches.paint(cells, marked, _taken(cells, owned), None, signs)
    return [aimed(each, None) for each in lines]


def _taken(cells: Sequence[Sequence[int]], owned: Owned) -> Owned:
    """Return the owners of the taken matches; what nobody of `owned` took has the first player's sign."""
    gone = {(row, at): 0 for row, places in enumerate(cells) for at, there in enumerate(places) if not there}
    return replace(owned, by=gone | dict(owned.by))


def after(game: Game, before: State, move: Move, mover: int) -> Owned:
    """Return the marks of a legal move of this player (0 or 1), the last one made."""
    cells = game.touched(before, move)
    return Owned(dict.fromkeys(cells, mover), last=frozenset(cells), move=game.move_name(move, before))


class Replayed(NamedTuple):
    """Where moves lead, as far as they are legal: the position, the marks on its board, the names of the moves."""

    position: State
    marks: Owned
    names: list[str]


def replayed(game: Game, moves: Sequence[int], start: State | None = None) -> Replayed:
    """Return where these moves lead from a position [default: the game's start]."""
    state, marks, names = game.new() if start is None else base.copy(start), NOBODY, list[str]()
    for ply, move in enumerate(moves):
        if base.outcome(state) != base.GOING_ON or not base.legal(state, move):
            break
        last = after(game, state, move, ply % 2)
        marks = replace(last, by={**marks.by, **last.by})
        names.append(game.move_name(move, state))
        base.play(state, move)
    return Replayed(state, marks, names)
