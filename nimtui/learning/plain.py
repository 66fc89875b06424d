"""Self-play interpreted: no engine, nothing compiled, nothing allocated but the positions seen.

Draws the same random numbers as the compiled kernels and so ends with the same table, cell by cell:
a few games can be learned at once, and the kernels are tested against it.
"""

from __future__ import annotations

from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Board
from nimtui.learning.learner import Cells, Learner, parse_learner, spec
from nimtui.learning.table import Table
from nimtui.progress import SILENT, Progress

CHUNK = 20  # games between two reports


def train(
    game: Game,
    learner: Learner | str,
    games: int,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Table:
    """The table after so many games of a learner against itself. InputError for a game without numbers."""
    if game.positions == 0:
        raise InputError(f"{game.name} has too many positions to number them: it can have no table")
    rule = parse_learner(learner) if isinstance(learner, str) else learner
    stream = Stream(seed)
    seen: dict[int, tuple[Board, Cells]] = {}
    state = game.new()
    for played in range(games):
        base.restore(state, game.start.board)
        episode = []
        while (outcome := base.outcome(state)) == base.GOING_ON:
            number = int(base.index(state))
            if number not in seen:
                seen[number] = state.board.copy(), dict.fromkeys(base.legal_moves(state), 0)
            cells = seen[number][1]
            move = rule.choose(state, cells, stream)
            episode.append((cells, move))
            base.play(state, move)
        rule.update(episode, outcome)
        if played % CHUNK == CHUNK - 1:
            progress.report(played + 1, games, "games")
    return Table.of(game, spec(rule), seed, games, seen)
