"""What stands beside the tree about its marked node: the board, the reason of a cutoff, equal positions."""

from __future__ import annotations

from collections.abc import Sequence

from nimtui.engine.windows import OPEN
from nimtui.games import Game, base
from nimtui.games.base import Move, State
from nimtui.ui.board import small_board
from nimtui.ui.board.board import NOBODY
from nimtui.ui.kit.panel import Paint
from nimtui.ui.search import sentences as search_words
from nimtui.ui.search import view as search_view
from nimtui.ui.search.conductor import MOST_KEYED
from nimtui.ui.search.outline import WindowSource

LATEST = 8  # moves of the line that are named


def board(game: Game, root: State, moves: Sequence[Move], framed: bool, large: bool) -> Paint:
    """Return the board after these moves from the root; `large`: as the Play screen draws it, with the last move."""
    at, names, owned = base.copy(root), [], NOBODY
    for ply, move in enumerate(moves):
        names.append(game.move_name(move, at))
        owned = small_board.after(game, at, move, ply % 2)
        base.play(at, move)
    said = " ".join(names[-LATEST:]) if names else game.position_name(at)
    return search_view.board(game, at, said, owned if large else None, framed)


def about(source: WindowSource | None, node: int) -> list[str]:
    """Return why moves of the node were pruned."""
    return [search_words.why_cut(source.tree, node)] if source is not None and source.leaves_out(node) else []


def unsearched(source: WindowSource | None, node: int) -> str:
    """Return why no move of a leaf was searched: 'depth limit'; '' for other nodes."""
    kind = OPEN if source is None else source.tree.kind(node)
    return "" if kind == OPEN else search_words.KINDS.get(kind, "")


def recorded(source: WindowSource | None) -> list[tuple[str, str]]:
    """Return how many nodes of a large search are recorded."""
    if source is None or source.tree.complete:
        return []
    return [("recorded", f"the first {search_words.count(len(source.tree))}")]


def again(source: WindowSource | None, node: int) -> list[tuple[str, str]]:
    """Return how often the node's position occurs elsewhere."""
    if source is None or len(source.tree) > MOST_KEYED:
        return []
    same = len(source.tree.same(node)) - 1
    return [("same position: ", f"{same:,} more (t)" if same else "no other")]
