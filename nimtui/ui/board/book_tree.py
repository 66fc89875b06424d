"""Draws a game tree as textbooks do: a line for each level, MAX or MIN before it, the leaves below.

MAX   6 ★
      ┌┴──┬────┐
MIN   3   6   ≤0
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.games.tree import PLAYERS, GameTree
from nimtui.report.lines import Ink, Line, Run, cut, line
from nimtui.ui.board.grid import corner
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
    middle: int = 0  # the column of its middle


def height(game: Game) -> int:
    """Return the lines of the whole tree; 0 if the game is no tree."""
    return 2 * int(game.start.ply.max()) + 1 if isinstance(game.start, GameTree) else 0


def picture(
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
