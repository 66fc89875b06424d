"""The results that ratings rest on: what two agents scored against each other, by who moved first, and by pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

NO_PAIRS = (0, 0, 0, 0, 0)
ENOUGH = 10  # pairs above and below the mean that an interval needs


class Meeting(NamedTuple):
    """Games of two agents in one game. Of two counts the first is of games that the first agent opened."""

    first: int  # the agents' places in the field; equal in self-play
    second: int
    wins: tuple[int, int]  # of the first agent
    draws: tuple[int, int]
    losses: tuple[int, int]
    pentanomial: tuple[int, ...] = NO_PAIRS  # games 2k and 2k + 1: pairs with 0, ½, 1, 1½, 2 points for the first agent
    openings: int | None = None  # meetings with one number share their openings, pair by pair; None: nothing is shared
    results: npt.NDArray[np.int8] | None = None  # by number of the game, as in the ledger, if the openings are shared
    alternate: bool = True  # games 2k and 2k + 1 share an opening, seats swapped; else the first agent opens them all

    @property
    def played(self) -> int:
        return sum(self.wins) + sum(self.draws) + sum(self.losses)

    @property
    def points(self) -> float:
        """Return the first agent's points."""
        return sum(self.wins) + sum(self.draws) / 2

    def turned(self) -> Meeting:
        """Return the same games as the second agent's, without their results by number."""
        counts = self.losses[::-1], self.draws[::-1], self.wins[::-1], self.pentanomial[::-1]
        return Meeting(self.second, self.first, *counts, self.openings, None, self.alternate)


def joined(meetings: Sequence[Meeting]) -> Meeting:
    """Return these meetings of the same two agents, on the same terms, as one."""
    counts = ((one.wins, one.draws, one.losses) for one in meetings)
    wins, draws, losses = (
        (sum(first), sum(second)) for first, second in (zip(*seats, strict=True) for seats in zip(*counts, strict=True))
    )
    pairs = tuple(map(sum, zip(*(one.pentanomial for one in meetings), strict=True)))
    return meetings[0]._replace(wins=wins, draws=draws, losses=losses, pentanomial=pairs)


def sides(meetings: Sequence[Meeting]) -> npt.NDArray[np.int64]:
    """Return how many pairs scored less than the mean of their meeting, and how many more, for the first agent; [n, 2].

    Pairs in which both scored the mean count for neither.
    """
    pairs = np.array([meeting.pentanomial for meeting in meetings], np.int64).reshape(-1, 5)
    points = np.arange(5)
    away = points * pairs.sum(1, keepdims=True) - (pairs * points).sum(1, keepdims=True)
    return np.stack([pairs.sum(1, where=away < 0), pairs.sum(1, where=away > 0)], axis=1)


def few(meetings: Sequence[Meeting]) -> bool:
    """Return whether there are too few games for an interval: fewer than ENOUGH pairs on a side of the mean."""
    return bool(sides(meetings).sum(0).min(initial=ENOUGH) < ENOUGH) if meetings else True


def decided_by_seat(meetings: Sequence[Meeting]) -> bool:
    """Return whether these games say nothing about strength: the one place where that is decided.

    So it is if one seat won every game, if in every pair of one opening the same seat won twice, or if no seats were
    swapped, so that strength and seat cannot be told apart.
    """
    apart = [meeting for meeting in meetings if meeting.first != meeting.second and meeting.played]
    if not apart:
        return False
    seat_won_all = sum(meeting.played for meeting in meetings) in seat_wins(meetings)
    return seat_won_all or split(apart) or not swapped(meetings)


def split(meetings: Iterable[Meeting]) -> bool:
    """Return whether all games are pairs of one opening in which the same seat won twice."""
    return all(
        meeting.openings is not None and not any(meeting.draws) and 2 * meeting.pentanomial[2] == meeting.played
        for meeting in meetings
    )


def swapped(meetings: Iterable[Meeting]) -> bool:
    """Return whether these games can tell strength from the seat.

    They cannot if strengths exist that put each first mover ahead of its opponent by the same number.
    """
    opened = {
        (meeting.first, meeting.second)[:: 1 - 2 * seat]
        for meeting in meetings
        for seat in (0, 1)
        if meeting.wins[seat] + meeting.draws[seat] + meeting.losses[seat]
    }
    if any(two[::-1] in opened for two in opened):  # self-play, too
        return True
    places = {agent: place for place, agent in enumerate({agent for two in opened for agent in two})}
    ahead = np.zeros((len(opened), len(places)))
    for row, (first, second) in enumerate(opened):
        ahead[row, places[first]], ahead[row, places[second]] = 1, -1
    strengths = np.linalg.lstsq(ahead, np.ones(len(opened)), rcond=None)[0]
    return not np.allclose(ahead @ strengths, 1)


def seat_wins(meetings: Sequence[Meeting]) -> tuple[int, int]:
    """Return the games that the first mover won, and those that it lost."""
    won = sum(meeting.wins[0] + meeting.losses[1] for meeting in meetings)
    return won, sum(meeting.losses[0] + meeting.wins[1] for meeting in meetings)


def pair_counts(results: npt.NDArray[np.int8]) -> tuple[int, ...]:
    """Return the pairs of a row of results: −1, 0, 1 for the first agent by number of the game, −2 if not played."""
    even = len(results) // 2 * 2
    one, other = results[:even:2], results[1:even:2]
    both = (one > -2) & (other > -2)
    return tuple(np.bincount(one[both] + other[both] + 2, minlength=5).tolist())
