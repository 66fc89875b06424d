"""Count how many moves of each player made the outcome worse under perfect play.

A chance is a move made in a position that is not lost for its player. A mistake is a chance that made the outcome
worse, the same as in `review`. Moves of openings count for no player.

Games with a graph or a formula are judged in batches. Connect boards have to be searched: their games are judged one by
one, and on a large board only the first of each pairing, so that the same seed gives the same counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from math import inf

import numpy as np

from nimtui import theory
from nimtui.arena.play.batch import UNPLAYED, Batch, Played
from nimtui.engine.limits import why_no_graph
from nimtui.errors import InputError
from nimtui.games import Game, base, parse_game
from nimtui.games.base import State
from nimtui.games.connect import Connect
from nimtui.progress import SILENT, Progress
from nimtui.theory.connect import Outcomes, empty_cells
from nimtui.theory.truth import Truth, truth
from nimtui.theory.verdict import Outcome, end_of_game

MOST_BYTES = 256 << 20  # of a graph, which takes some seconds to build
MOST_CELLS = 25  # of a connect board on which every game is judged, in some 10 ms
FIRST_GAMES = 40  # of a pairing: those judged on larger boards, in 0.02 to 0.5 s each


def is_judged(game: Game) -> bool:
    """Return whether the effect of every move in this game can be computed. Quick, and loads no engine."""
    return has_graph(game) or has_formula(game) or _solvable(game) is not None


def most_judged(game: Game) -> int | None:
    """Return how many games of a pairing are judged, the first ones; None if all are. Quick, and loads no engine."""
    board = _solvable(game)
    return None if board is None or has_graph(game) or empty_cells(board) <= MOST_CELLS else FIRST_GAMES


def least_judged(names: Iterable[str]) -> int | None:
    """Return the smallest number of judged games of a pairing in these games; None if all are judged. A game that is
    missing here does not count.
    """
    limits = list[int | None]()
    for name in names:
        with suppress(InputError):
            limits.append(most_judged(parse_game(name)))
    return min((most for most in limits if most is not None), default=None)


def has_graph(game: Game) -> bool:
    """Return whether a few games justify computing all its positions. Quick, and loads no engine."""
    return base.outcome(game.start) == base.GOING_ON and why_no_graph(game.start, MOST_BYTES) is None


def has_formula(game: Game) -> bool:
    """Return whether theory has a formula for every position, without the engine."""
    return theory.never_drawn(game.start) and theory.is_instant(game, game.start)


def _solvable(game: Game) -> Connect | None:
    """Return the start of a connect board whose positions are all solved within seconds; None for any other game."""
    start = game.start
    return start if isinstance(start, Connect) and theory.why_unsolvable(game, start) is None else None


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
        self._most = inf if truth is not None else most_judged(game) or inf

    def get_ready(self) -> None:
        """Compile or load what judging takes."""
        if self._outcomes is not None:
            self._outcomes.get_ready()
        else:
            self.batch(Batch.of([UNPLAYED]))

    def one(self, played: Played, progress: Progress = SILENT) -> Played:
        """Return the same game, judged if it has to be searched; see `batch` for all others."""
        if self._outcomes is None or played.number >= self._most:
            return played
        chances, mistakes = self._counted(played, progress)
        return played._replace(chances=chances, mistakes=mistakes)

    def batch(self, games: Batch) -> Batch:
        """Return the same games, judged if they need no search; see `one` for all others."""
        if self.truth is None and not has_formula(self.game):
            return games
        chances, mistakes = (np.zeros((len(games), 2), np.int32) for _ in range(2))
        if self.truth is not None:
            from nimtui.engine.self_play import judge_games

            truth, how = self.truth, (games.ptr, games.moves, games.opening, games.opener)
            judge_games(truth.graph, truth.signs, truth.keeps, *how, chances, mistakes)
        else:
            for place in range(len(games)):
                chances[place], mistakes[place] = self._counted(games.game(place), SILENT)
        return replace(games, chances=chances, mistakes=mistakes)

    def _counted(self, played: Played, progress: Progress) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the chances and the mistakes of each player."""
        chances, mistakes = [0, 0], [0, 0]
        state, states = self.game.new(), []
        for move in played.codes():
            states.append(base.copy(state))
            base.play(state, move)
        after = self._outcome(state, progress).worth
        for ply in range(len(states) - 1, played.opening - 1, -1):
            player = (ply - played.opening) % 2 ^ played.opener
            before = self._outcome(states[ply], progress).worth
            chances[player] += before >= 0
            mistakes[player] += -after < before
            after = before
        return (chances[0], chances[1]), (mistakes[0], mistakes[1])

    def _outcome(self, state: State, progress: Progress) -> Outcome:
        """Return the outcome for the player to move."""
        if (end := end_of_game(state)) is not None:
            return end
        if self._outcomes is not None and isinstance(state, Connect):
            return self._outcomes.of(state, progress)
        return theory.solve(self.game, state).outcome
