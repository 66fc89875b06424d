"""How well games were played: how many moves of each player made the outcome worse under perfect play.

A chance is a move in a position that is not lost for its player, so that it could be made worse; a mistake is one that
made it worse: the same as in `review`. Moves of openings are nobody's.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nimtui import theory
from nimtui.arena.batch import Batch
from nimtui.arena.review import review
from nimtui.engine import memory
from nimtui.errors import InputError
from nimtui.games import Game, Record, base
from nimtui.progress import SILENT, Progress
from nimtui.theory import Outcome
from nimtui.theory.truth import Truth, truth

MOST_BYTES = 256 << 20  # of a graph: some seconds to build


def has_graph(game: Game) -> bool:
    """May all its positions be worked out for a few games? Quick, and loads no engine."""
    return base.outcome(game.start) == base.GOING_ON and memory.why_no_graph(game.start, MOST_BYTES) is None


def judged(game: Game) -> bool:
    """Is it known of every move of this game what it does? Quick, and loads no engine."""
    return has_graph(game) or has_formula(game)


def has_formula(game: Game) -> bool:
    """Does the theory answer for every position at once?"""
    return theory.never_drawn(game.start) and theory.is_instant(game, game.start)


def known(game: Game, progress: Progress = SILENT) -> Truth | None:
    """The truth about the game, for judging and for playing compiled; None where it has none that is soon there."""
    if not has_graph(game):
        return None
    try:
        return truth(game, progress)
    except InputError:  # its rules turned out to be wrong
        return None


def judge(game: Game, games: Batch, truth: Truth | None, progress: Progress = SILENT) -> Batch:
    """The same games with their chances and mistakes counted; both 0 where the truth is not known."""
    chances, mistakes = (np.zeros((len(games), 2), np.int32) for _ in range(2))
    if truth is not None:
        from nimtui.engine.matches import judge_games

        judge_games(
            truth.graph,
            truth.values,
            truth.keeps,
            games.ptr,
            games.moves,
            games.opening,
            games.opener,
            chances,
            mistakes,
        )
    elif has_formula(game):
        for place in range(len(games)):
            played = games.game(place)
            record = Record(game)
            for move in played.codes():
                record.push(move)
            for judgement in review(record, progress)[played.opening :]:
                player = (judgement.ply - played.opening) % 2 ^ played.opener
                chances[place, player] += judgement.before is not Outcome.LOSS
                mistakes[place, player] += judgement.mistake
    return replace(games, chances=chances, mistakes=mistakes)
