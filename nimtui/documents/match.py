"""The document of `nimtui match`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from nimtui.arena import ratings as arena
from nimtui.arena.match import MatchResult, Score
from nimtui.arena.ratings import Rating
from nimtui.documents.ratings import elo_keys, finite


def document(result: MatchResult, asked: int) -> dict[str, Any]:
    """Return the JSON document: wins by seat and by agent, and the moves of a single game.

    `score`, its bounds and `los` are the first agent's against the second.
    """
    found = result.head_to_head
    points, low, high = share(found.score)
    keys: dict[str, Any] = {
        "game": result.game.name,
        "games": result.games,
        "first_wins": result.first_wins,
        "second_wins": result.second_wins,
        "draws": result.draws,
        "score": points,
        "score_low": low,
        "score_high": high,
        "los": None if result.agents[0] == result.agents[1] else found.los,
        "first_move_advantage": finite(found.seat.elo),
        "first_move_advantage_error": finite(found.seat.error),
        "pentanomial": result.sums.pentanomial.tolist(),
        "agents": [_agent(*each) for each in each(result)],
        "faults": list(result.faults),
        "seconds": result.seconds,
        "plies": result.plies,
    }
    if asked == 1:
        keys["opening"] = int(result.batch.opening[0]) if result.games else 0
        keys["transcript"] = list(result.transcript)
    return keys


def _agent(counts: Score, score: arena.Score, ahead: Rating) -> dict[str, Any]:
    points, low, high = share(score)
    return {**asdict(counts), "score": points, "score_low": low, "score_high": high, **elo_keys(ahead)}


def each(result: MatchResult) -> Iterator[tuple[Score, arena.Score, Rating]]:
    """Give each agent's counts, its score, and its Elo lead over the other."""
    found = result.head_to_head
    first, second = result.by_agent
    ahead = replace(found.ahead, by_seat=True) if first.agent == second.agent else found.ahead  # of equals: the seat
    yield first, found.score, ahead
    yield second, found.score.turned(), ahead.turned()


def share(score: arena.Score) -> tuple[float | None, float, float]:
    """Return the points per game, and the bounds of their 95 % interval."""
    return score.points / score.games if score.games else None, score.low, score.high
