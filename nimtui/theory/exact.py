"""Any other game with position numbers, exactly: from the values of all its positions."""

from __future__ import annotations

from nimtui.engine import memory
from nimtui.games import base
from nimtui.games.base import State
from nimtui.games.game import Game
from nimtui.progress import SILENT, Progress
from nimtui.theory.explanation import Explanation, Kind
from nimtui.theory.truth import Truth, truth
from nimtui.theory.verdict import Outcome, Verdict, end_of_game

_recent: dict[str, Truth] = {}  # the game asked about last: its truth stays for the next question


def why_unsolvable(state: State) -> str | None:
    fault = memory.why_no_graph(state)
    return None if fault is None else f"this game cannot be solved exactly: {fault}"


def is_instant(state: State) -> bool:
    return False


def solve(game: Game, state: State, progress: Progress = SILENT) -> Verdict:
    if (end := end_of_game(state)) is not None:
        return Verdict(end, _grundy_at_the_end(game, state), ())
    known = _recent.get(game.name) or truth(game, progress)
    _recent.clear()
    _recent[game.name] = known
    graph = known.graph
    node = int(graph.node_of[base.index(state)])
    edges = slice(int(graph.ptr[node]), int(graph.ptr[node + 1]))
    best = graph.move[edges][known.keeps[edges]]
    return Verdict(Outcome.of(int(known.values[node])), _grundy(game, known, node), tuple(best.tolist()))


def explain(game: Game, state: State, verdict: Verdict) -> Explanation:
    best = tuple(game.move_name(move, state) for move in verdict.best_moves)
    over = not verdict.best_moves
    return Explanation(Kind.EXACT, verdict.outcome, over, best=best)


def _grundy_at_the_end(game: Game, state: State) -> int | None:
    return 0 if game.impartial and base.outcome(state) == base.WON else None


def _grundy(game: Game, known: Truth, node: int) -> int | None:
    """Of an impartial game in which the last mover always wins; None for any other."""
    from nimtui.engine import exact, graph

    if not game.impartial or bool((known.graph.to < graph.WON_EDGE).any()):
        return None
    return int(exact.grundy(known.graph)[node])
