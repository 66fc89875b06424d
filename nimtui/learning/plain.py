"""Self-play interpreted: no engine, nothing compiled, nothing allocated but the positions seen.

Draws the same random numbers as the compiled kernels and so ends with the same table, cell by cell:
a few games can be learned at once, and the kernels are tested against it.
"""

from __future__ import annotations

from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import Board, Move
from nimtui.learning.learner import Cells, Learner, parse_learner, spec
from nimtui.learning.table import Table
from nimtui.progress import SILENT, Progress


def train(
    game: Game,
    learner: Learner | str,
    games: int,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Table:
    """The table after so many games of a learner against itself.

    InputError for a game without numbers, and for one that comes back to a position: it need not end.
    """
    if game.positions == 0:
        raise InputError(f"{game.name} has too many positions to number them: it can have no table")
    rule = parse_learner(learner) if isinstance(learner, str) else learner
    stream = Stream(seed)
    seen: dict[int, tuple[Board, Cells]] = {}
    state = game.new()
    for played in range(games):
        base.restore(state, game.start.board)
        episode: dict[int, tuple[Cells, Move]] = {}
        while (outcome := base.outcome(state)) == base.GOING_ON:
            number = int(base.index(state))
            if number in episode:
                raise InputError(f"no table for {game.name}: by its rules a game need not end")
            if number not in seen:
                seen[number] = state.board.copy(), dict.fromkeys(base.legal_moves(state), 0)
            cells = seen[number][1]
            move = rule.choose(state, cells, stream)
            episode[number] = cells, move
            base.play(state, move)
        rule.update(list(episode.values()), outcome)
        progress.report(played + 1, games, "games")  # in the largest games each takes some 10 ms
    return Table.of(game, spec(rule), seed, games, seen)
