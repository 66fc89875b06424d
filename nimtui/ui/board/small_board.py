"""Paint a position as a still picture: small, or as large as the Play screen draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.tree import GameTree, path_of
from nimtui.report.lines import Ink, Line, Run, centred, line
from nimtui.ui.board import book_tree
from nimtui.ui.board.cursor import NOBODY, Owned
from nimtui.ui.board.discs import Discs
from nimtui.ui.board.grid import Grid
from nimtui.ui.board.matches import SMALL, Matches
from nimtui.ui.kit.terminal.glyphs import Glyphs

TALL = 3  # the most lines per match


def height(game: Game, room: int) -> int:
    """Return the lines of the picture if at most `room` are free; 0 if it does not fit."""
    rows = len(game.cells(game.start) or ())
    if not rows or rows > room:
        return 0
    if game.board_kind == "columns":
        return rows
    if game.board_kind == "grid":
        return rows + 1 if rows < room else 0
    return rows * max(1, min(TALL, room // (2 * rows)))


def paint(game: Game, state: State, move: Move | None, columns: int, rows: int, signs: Glyphs) -> list[Line]:
    """Return the position with the move's cells marked; nothing if there is no picture or `rows` is 0."""
    cells = game.cells(state)
    if not cells or not rows:
        return []
    marked = frozenset(game.touched(state, move)) if move is not None else frozenset()
    if game.board_kind == "columns":
        return [centred(discs(row, at, marked, signs), columns) for at, row in enumerate(cells)]
    if game.board_kind == "grid":
        after = game.cells(game.after(state, move)) if move is not None else None
        changed = {(row, column): after[row][column] for row, column in marked} if after else {}
        at = game.square(state, move) if move is not None else None
        return Grid(cells, columns, rows, signs, plain=True).paint(cells, at, changed, NOBODY)
    return _matches(game, cells, columns, rows).paint(cells, marked, _taken(cells, NOBODY), None, signs)


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
    """Return the position as the Play screen draws it, matches low in less than `small` lines; the small picture if
    that does not fit, or a move is marked on another board than one with columns.
    """
    cells = game.cells(state)
    if isinstance(state, GameTree):
        return book_tree.picture(game, game.start, [step for _, step in path_of(state)], columns, rows, signs)
    if move is not None and game.board_kind != "columns":
        return paint(game, state, move, columns, height(game, rows), signs)
    if cells and game.board_kind == "columns":
        picture = Discs(len(cells[0]), len(cells), columns, rows, signs)
        if picture.pitch > 1:
            landing = frozenset(game.touched(state, move)) if move is not None else frozenset[tuple[int, int]]()
            return picture.paint(cells, landing, owned, next(iter(landing), (0, None))[1])
    elif cells and game.board_kind in ("rows", "runs", "heaps"):
        return _matches(game, cells, columns, rows, small).paint(cells, frozenset(), _taken(cells, owned), None, signs)
    elif cells and game.board_kind == "grid":
        return Grid(cells, columns, rows, signs).paint(cells, None, {}, owned)
    return paint(game, state, move, columns, height(game, rows), signs)


def _matches(game: Game, cells: Sequence[Sequence[int]], columns: int, rows: int, small: int = SMALL) -> Matches:
    named = game.board_kind != "heaps"  # the letters of heaps follow their sizes, not the rows
    return Matches([len(row) for row in cells], columns, rows, small, named)


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


def replayed(game: Game, moves: Sequence[int]) -> Replayed:
    """Return where these moves lead from the start."""
    state, marks, names = game.new(), NOBODY, list[str]()
    for ply, move in enumerate(moves):
        if base.outcome(state) != base.GOING_ON or not base.legal(state, move):
            break
        last = after(game, state, move, ply % 2)
        marks = replace(last, by={**marks.by, **last.by})
        names.append(game.move_name(move, state))
        base.play(state, move)
    return Replayed(state, marks, names)


def discs(
    row: list[int], at: int, marked: frozenset[tuple[int, int]], signs: Glyphs, pitch: int = 2, edges: bool = True
) -> Line:
    """Return a row of a board with columns, with so many columns of the terminal for each, and one for each edge."""
    ground = Ink.BOARD if signs.grounds else None
    edge = Run((" " if signs.grounds else signs.stem) * edges, Ink.FRAME, ground)
    runs: list[Run] = [edge]
    for column, disc in enumerate(row):
        runs.append(Run(" " * (pitch // 2), Ink.FRAME, ground))
        if (at, column) in marked:
            runs.append(Run(signs.chosen, Ink.PICK))
        elif disc:
            runs.append(Run(signs.discs[disc - 1], Ink.FIRST if disc == 1 else Ink.SECOND, ground))
        else:
            runs.append(Run(" " if signs.grounds else signs.verdicts[0], Ink.QUIET))
        runs.append(Run(" " * ((pitch - 1) // 2), Ink.FRAME, ground))
    return line(*runs, Run(" " * (pitch == 2), Ink.FRAME, ground), edge)
