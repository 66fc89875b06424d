"""Solve connect boards that end with a score: with the solver, whose score is the payoff."""

from __future__ import annotations

from nimtui.games import connect as rules
from nimtui.games.connect import Connect
from nimtui.games.connect_score import ScoredConnect
from nimtui.games.game import Game
from nimtui.progress import SILENT, Progress
from nimtui.theory import connect
from nimtui.theory.exact import explain as explain
from nimtui.theory.verdict import Outcome, Verdict, end_of_game, payoff_here


def _plain(game: Game, state: ScoredConnect) -> tuple[Game, Connect]:
    """Return the same board of the game that ends won, lost or drawn."""
    assert isinstance(game.start, ScoredConnect)
    return Game(rules, Connect(*game.start)), Connect(*state)


def why_unsolvable(game: Game, state: ScoredConnect) -> str | None:
    return connect.why_unsolvable(*_plain(game, state))


def is_instant(game: Game, state: ScoredConnect) -> bool:
    return connect.is_instant(*_plain(game, state))


def solve(game: Game, state: ScoredConnect, progress: Progress = SILENT) -> Verdict:
    if (end := end_of_game(state)) is not None:
        return Verdict(end, None, (), payoff=payoff_here(state))
    scores = connect.solve(*_plain(game, state), progress).scores
    assert scores is not None
    best = max(scores.values())
    moves = tuple(move for move, score in scores.items() if score == best)
    return Verdict(Outcome.of(best), None, moves, scores, best, payoff=best)
