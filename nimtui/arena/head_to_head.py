"""Two agents by their own games alone: score, Elo difference, likelihood of superiority."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from nimtui.arena.intervals import normal, score_interval
from nimtui.arena.logistic import PRIOR
from nimtui.arena.meetings import Meeting, few
from nimtui.arena.ratings import Anchor, Rating, Score, Seat, rate
from nimtui.arena.scatter import pair_covariance, variances


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The first agent against the second."""

    score: Score
    ahead: Rating  # the Elo difference, not the rating in a field of two, which is half of it
    seat: Seat
    los: float  # the probability that the first agent is stronger
    meetings: tuple[Meeting, ...]  # all their games
    few: bool  # too few games to say: fewer than 10 pairs above or below the mean


def head_to_head(meetings: Sequence[Meeting]) -> HeadToHead:
    """Return the comparison of two agents that met in these meetings, each with the same first agent."""
    own = [meeting._replace(first=0, second=1) for meeting in meetings]
    rated = rate(2, own, Anchor(1))
    return HeadToHead(rated.scores[0], rated.ratings[0], rated.seat, superiority(own), tuple(own), few(own))


def score(meeting: Meeting) -> Score:
    """Return the first agent's score and its interval, as `head_to_head` does for one meeting, without a fit."""
    counts = np.array([meeting.wins, meeting.draws, meeting.losses], float)  # [result, opener]
    games = counts.sum(0)
    there = games > 0
    if not there.any():
        return Score(0.0, 0, 0.0, 1.0)
    prior = PRIOR / there.sum() * there
    inner = (counts[0] + counts[1] / 2 + prior / 2) / np.maximum(games + prior, 1e-9)
    variance = variances(*counts)
    spread = float((games * variance * there).sum() + (prior * ((1 - inner) ** 2 + inner**2)).sum() / 2)
    if meeting.openings is not None and meeting.alternate and there.all():
        pairs = np.array(meeting.pentanomial, float)
        spread -= 2 * pairs.sum() * float(pair_covariance(pairs, variance[0], variance[1]))
    low, high = score_interval(np.array(meeting.points), np.array(meeting.played), np.array(spread))
    return Score(meeting.points, meeting.played, float(low), float(high))


def superiority(meetings: Sequence[Meeting]) -> float:
    """Return the LOS of the first agent: Φ of its points above half, by their scatter between equals.

    Between equals the expected score of whoever moves first is the same in both seats, so games scatter around the
    first movers' common mean; if openings are shared, pairs around one point. Without draws and for even seats this is
    the common Φ((wins − losses) / √(wins + losses)). It is right from few games on, where the scatter around the
    observed mean is too small. 1/2 without games, or if all pairs are even.
    """
    lead, square = 0.0, 0.0
    for meeting in meetings:
        if meeting.openings is not None and meeting.alternate:
            lead += sum(count * (place - 2) / 2 for place, count in enumerate(meeting.pentanomial))
            square += sum(count * (place - 2) ** 2 / 4 for place, count in enumerate(meeting.pentanomial))
        elif meeting.played:
            lead += meeting.points - meeting.played / 2
            square += _around_mean(meeting)
    return normal(lead / sqrt(square)) if square > 0 else 0.5


def _around_mean(meeting: Meeting) -> float:
    """Return Σ (x − m)² over the games; m is the first movers' mean, or 1/2 if one agent opened every game."""
    won = meeting.wins[0] + meeting.losses[1]
    lost = meeting.losses[0] + meeting.wins[1]
    drawn = sum(meeting.draws)
    games = won + drawn + lost
    sided = not all(meeting.wins[seat] + meeting.draws[seat] + meeting.losses[seat] for seat in (0, 1))
    mean = 0.5 if sided else (won + drawn / 2) / games
    return won * (1 - mean) ** 2 + drawn * (0.5 - mean) ** 2 + lost * mean**2
