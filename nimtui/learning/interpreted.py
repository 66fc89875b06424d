"""Interpreted self-play: no engine, nothing compiled, memory only for the positions seen.

It draws the same random numbers as the compiled kernel and so ends with the same table, cell by cell. A few games are
learned at once, and tests compare the kernel with it.
"""

from __future__ import annotations

from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Move
from nimtui.learning.learner import Learner, parse_learner
from nimtui.learning.partial_graph import PartialGraph
from nimtui.learning.table import Table
from nimtui.progress import SILENT, Progress


def train(
    game: Game,
    learner: Learner | str,
    games: int,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Table:
    """Return the table after this many games of self-play.

    Raises InputError for a game without position numbers, and for one that repeats a position: it need not end.
    """
    if game.positions == 0:
        raise InputError(f"{game.name} has too many positions to number them: it can have no table")
    rule = parse_learner(learner) if isinstance(learner, str) else learner
    stream, seen = Stream(seed), PartialGraph(rule)
    state = game.new()
    for played in range(games):
        base.restore(state, game.start.board)
        nodes: dict[int, Move] = {}
        while (outcome := base.outcome(state)) == base.GOING_ON:
            node = seen.node(state)
            if node in nodes:
                raise InputError(f"no table for {game.name}: its rules allow endless games")
            nodes[node] = seen.choose(node, stream)
            base.play(state, nodes[node])
        seen.learn(list(nodes), list(nodes.values()), outcome, int(base.payoff(state)))
        progress.report(played + 1, games, "games")  # in the largest games each takes some 10 ms
    return Table.from_partial_graph(game, rule, seed, games, seen)
