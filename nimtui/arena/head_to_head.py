"""Two agents by their own games alone: score, Elo difference, likelihood of superiority."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nimtui.arena.logistic import PRIOR
from nimtui.arena.meetings import Meeting, decided_by_seat, few
from nimtui.arena.ratings import Anchor, Rating, Score, Seat, rate
from nimtui.arena.scatter import pair_covariance, score_interval, variances


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The first agent against the second."""

    score: Score
    ahead: Rating  # the Elo difference, not the rating in a field of two, which is half of it
    seat: Seat
    los: float | None  # that the first agent is stronger; None if the games say nothing about it
    meetings: tuple[Meeting, ...]  # all their games
    few: bool  # too few games to say: fewer than 10 pairs above or below the mean


def head_to_head(meetings: Sequence[Meeting]) -> HeadToHead:
    """Return the comparison of two agents that met in these meetings, each with the same first agent."""
    own = [meeting._replace(first=0, second=1, results=None) for meeting in meetings]
    rated = rate(2, own, Anchor(1))
    telling = any(one.played for one in own) and not decided_by_seat(own)
    los = rated.superiority[0][1] if telling else None
    return HeadToHead(rated.scores[0], rated.ratings[0], rated.seat, los, tuple(own), few(own))


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
    paired = meeting.openings is not None and meeting.alternate
    if paired and there.all():
        pairs = np.array(meeting.pentanomial, float)
        spread -= 2 * pairs.sum() * float(pair_covariance(pairs, variance[0], variance[1]))
    alone = meeting.played / (1 + paired)
    low, high = score_interval(*map(np.array, (meeting.points, meeting.played, spread, alone)))
    return Score(meeting.points, meeting.played, float(low), float(high))
