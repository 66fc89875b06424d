"""Count how many moves of each player made the outcome worse under perfect play.

A chance is a move made in a position that is not lost for its player. A mistake is a chance that made the outcome
worse, the same as in `review`. Moves of openings count for no player.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from nimtui import theory
from nimtui.arena.batch import Batch, Played
from nimtui.arena.review import RANK
from nimtui.engine import memory
from nimtui.errors import InputError
from nimtui.games import Game, base
from nimtui.games.base import State
from nimtui.games.connect import Connect
from nimtui.progress import SILENT, Progress
from nimtui.theory.connect import Outcomes, empty_cells
from nimtui.theory.truth import Truth, truth
from nimtui.theory.verdict import Outcome, end_of_game

MOST_BYTES = 256 << 20  # of a graph, which takes some seconds to build
MOST_CELLS = 25  # of a connect board, which takes some 10 ms per game


def is_judged(game: Game) -> bool:
    """Return whether the effect of every move in this game can be computed. Quick, and loads no engine."""
    return has_graph(game) or has_formula(game) or _solvable(game) is not None


def has_graph(game: Game) -> bool:
    """Return whether a few games justify computing all its positions. Quick, and loads no engine."""
    return base.outcome(game.start) == base.GOING_ON and memory.why_no_graph(game.start, MOST_BYTES) is None


def has_formula(game: Game) -> bool:
    """Return whether theory has a formula for every position, without the engine."""
    return theory.never_drawn(game.start) and theory.is_instant(game, game.start)


def _solvable(game: Game) -> Connect | None:
    """Return the start of a connect board whose positions are all solved quickly; None for any other game."""
    start = game.start
    if not isinstance(start, Connect) or empty_cells(start) > MOST_CELLS:
        return None
    return start if theory.why_unsolvable(game, start) is None else None


def known_truth(game: Game, progress: Progress = SILENT) -> Truth | None:
    """Return the exact values of the game, for judging and compiled play; None if they are not soon available."""
    if not has_graph(game):
        return None
    try:
        return truth(game, progress)
    except InputError:  # its rules turned out to be wrong
        return None


class Judge:
    """Counts the chances and mistakes of games; both stay 0 if the exact values are unknown."""

    def __init__(self, game: Game, truth: Truth | None) -> None:
        self.game, self.truth = game, truth
        board = _solvable(game) if truth is None else None
        self._outcomes = Outcomes(board) if board is not None else None

    def __call__(self, games: Batch) -> Batch:
        """Return the same games, judged."""
        chances, mistakes = (np.zeros((len(games), 2), np.int32) for _ in range(2))
        if self.truth is not None:
            from nimtui.engine.policy_games import judge_games

            known, how = self.truth, (games.ptr, games.moves, games.opening, games.opener)
            judge_games(known.graph, known.values, known.keeps, *how, chances, mistakes)
        elif self._outcomes is not None or has_formula(self.game):
            for place in range(len(games)):
                self._count(games.game(place), chances[place], mistakes[place])
        return replace(games, chances=chances, mistakes=mistakes)

    def _count(self, played: Played, chances: npt.NDArray[np.int32], mistakes: npt.NDArray[np.int32]) -> None:
        state, states = self.game.new(), []
        for move in played.codes():
            states.append(base.copy(state))
            base.play(state, move)
        after = RANK[self._outcome(state)]
        for ply in range(len(states) - 1, played.opening - 1, -1):
            player = (ply - played.opening) % 2 ^ played.opener
            before = RANK[self._outcome(states[ply])]
            chances[player] += before >= 0
            mistakes[player] += -after < before
            after = before

    def _outcome(self, state: State) -> Outcome:
        """Return the outcome for the player to move."""
        if (end := end_of_game(state)) is not None:
            return end
        if self._outcomes is not None and isinstance(state, Connect):
            return self._outcomes.of(state)
        return theory.solve(self.game, state).outcome
