"""Paint a position as a still picture, as large as there is room, as the Play screen draws it.

A game tree is drawn as textbooks do: a line for each level, MAX or MIN before it, the leaves below.

MAX   6 ★
      ┌┴──┬────┐
MIN   3   6   ≤0
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.tree import PLAYERS, GameTree, path_of
from nimtui.report.lines import Ink, Line, Run, aimed, cut, line
from nimtui.ui.board.cursor import NOBODY, Cell, Owned
from nimtui.ui.board.discs import Discs
from nimtui.ui.board.grid import Grid, corner
from nimtui.ui.board.matches import SMALL, Matches
from nimtui.ui.kit.terminal.glyphs import Glyphs

MARGIN = 5  # columns of MAX and MIN
GAP = 2  # columns between the leaves of two nodes
Label = Callable[[Sequence[Move]], tuple[str, Ink] | None]
"""The text of an inner node, by the moves from the root; None: the node and what follows is pruned."""


@dataclass(slots=True)
class _Node:
    text: str
    ink: Ink
    below: list[_Node] = field(default_factory=list)
    middle: int = field(init=False)  # the column of its middle


def tree_height(game: Game) -> int:
    """Return the lines of the whole tree; 0 if the game is no tree."""
    return 2 * int(game.start.ply.max()) + 1 if isinstance(game.start, GameTree) else 0


def tree(
    game: Game, start: State, path: Sequence[Move], columns: int, rows: int, signs: Glyphs, label: Label | None = None
) -> list[Line]:
    """Return the tree from this node, or from the first node on the path from which it fits; [] without room.

    The node after the path is marked. `label` gives the texts of nodes, by default those of the game: leaves.
    """
    if not isinstance(start, GameTree) or rows < 1 or columns <= MARGIN:
        return []
    for done in range(len(path) + 1):
        least = len(path) - done + 1 if done < len(path) else 0  # what follows the marked node is seen, too
        for plies in range((rows - 1) // 2, least - 1, -1):
            at = base.copy(start)
            for move in path[:done]:
                base.play(at, move)
            assert isinstance(at, GameTree)
            if not _fits(at, plies, columns):
                continue
            top = _node(at, list(path[:done]), plies, tuple(path), signs, label)
            if _place(top, 0) <= columns - MARGIN:
                return _drawn(top, int(base.side(at)), columns, signs)
    return []


def _fits(state: GameTree, plies: int, columns: int) -> bool:
    """Return whether so few nodes follow on each level that they may have room."""
    nodes = [int(state.board[0])]
    for _ in range(plies):
        nodes = [int(state.first[node]) + at for node in nodes for at in range(int(state.width[node]))]
        if len(nodes) > columns:
            return False
    return True


def _node(
    state: GameTree, moves: list[Move], plies: int, path: tuple[Move, ...], signs: Glyphs, label: Label | None
) -> _Node:
    own = label(moves) if label is not None else None
    if label is not None and own is None:
        return _Node(signs.scissors, Ink.OPEN)
    node = int(state.board[0])
    leaf = not state.width[node]
    text, ink = own or ("", Ink.TEXT)
    if leaf or not text:
        text = signs.plain(str(state.value[node]).replace("-", "−")) if leaf else signs.discs[0]
    here = _Node(signs.plain(text), Ink.PICK if tuple(moves) == path else ink)
    for move in base.legal_moves(state) if plies else ():
        base.play(state, move)
        here.below.append(_node(state, [*moves, move], plies - 1, path, signs, label))
        base.undo(state, move)
    return here


def _place(node: _Node, column: int) -> int:
    """Give each node its columns, from `column` on; return the column after the last one."""
    end = column
    for at, child in enumerate(node.below):
        end = _place(child, end + (at > 0) * (GAP if child.below or node.below[at - 1].below else 1))
    if node.below:
        node.middle = (node.below[0].middle + node.below[-1].middle) // 2
        shift = max(0, column - (node.middle - len(node.text) // 2))
        if shift:
            _shift(node, shift)
        return max(end + shift, node.middle + (len(node.text) + 1) // 2)
    node.middle = column + len(node.text) // 2
    return column + len(node.text)


def _shift(node: _Node, by: int) -> None:
    node.middle += by
    for child in node.below:
        _shift(child, by)


def _drawn(top: _Node, side: int, columns: int, signs: Glyphs) -> list[Line]:
    lines, level = [], [top]
    while level:
        runs: list[Run] = [
            Run(PLAYERS[side].ljust(MARGIN) if any(node.below for node in level) else " " * MARGIN, Ink.QUIET)
        ]
        at = 0
        for node in level:
            begin = max(at, node.middle - len(node.text) // 2)
            runs += [Run(" " * (begin - at)), Run(node.text, node.ink)]
            at = begin + len(node.text)
        lines.append(cut(line(*runs), columns, signs.hidden))
        edges = [" "] * columns
        for node in level:
            middles = [child.middle for child in node.below]  # which lines join with the node's
            for at in range(middles[0], middles[-1] + 1) if middles else ():
                lines_there = (at == node.middle, at < middles[-1], at in middles, at > middles[0])
                edges[at] = corner(signs, lines_there)
        level, side = [child for node in level for child in node.below], 1 - side
        if level:
            lines.append(cut(line((" " * MARGIN + "".join(edges).rstrip(), Ink.FRAME)), columns, signs.hidden))
    return lines


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
        return tree(game, game.start, [step for _, step in path_of(state)], columns, rows, signs)
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
