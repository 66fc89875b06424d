"""Ratings of a field of agents, and what moving first is worth: one estimator for match, tournament, gauntlet, pool.

The model is `logistic`, its errors come from the games themselves. How often its 95 % intervals contain the
truth is measured by tests/benchmarks/coverage.py; docs/ratings.md has the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isnan, nan
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.arena.rating import goodness, logistic
from nimtui.arena.rating.goodness import Fit
from nimtui.arena.rating.logistic import ELO, PRIOR, Z95, Floats, Ints, Logistic, half_width, normal, score_interval
from nimtui.arena.rating.meetings import ENOUGH, Meeting, decided_by_seat, few, sides
from nimtui.report.values import NOTHING, Elo, EloRange, Value, Within, Word

Mask = npt.NDArray[np.bool_]

DOUBT = 0.025  # the probability of winning every game at the bound `at_least`
FARTHEST = 40.0  # natural units searched for a bound
HALVINGS = 60


class Anchor(NamedTuple):
    """The agent whose rating is given, instead of the agents' mean being 0."""

    agent: int
    elo: float = 0.0


@dataclass(frozen=True, slots=True)
class Rating:
    """An agent's strength in Elo, above the agents' mean or counted from the anchor. NaN: it met none of the others."""

    elo: float
    low: float  # 95 %
    high: float
    at_least: float | None = None  # given if it won every game: the least rating that wins them all once in 40 times
    at_most: float | None = None  # given if it lost every game; an anchor that did so bounds all others
    few: bool = False  # too few games for the interval: fewer than 10 pairs above or below the mean
    by_seat: bool = False  # the games say nothing about strength: see `meetings.decided_by_seat`

    def turned(self) -> Rating:
        """Return the rating seen from the opponent's side."""
        at_least = None if self.at_most is None else -self.at_most
        at_most = None if self.at_least is None else -self.at_least
        return Rating(-self.elo, -self.high, -self.low, at_least, at_most, self.few, self.by_seat)

    @property
    def bounded(self) -> bool:
        """Return whether it won every game, or lost every game: then there is a bound instead of an interval."""
        return self.at_least is not None or self.at_most is not None

    @property
    def value(self) -> Elo:
        """Return the rating for people; unknown if one seat won every game."""
        return Elo(None if self.by_seat else self.elo)

    @property
    def range(self) -> EloRange:
        """Return half of the 95 % interval or the bound; '' for an unknown rating, the anchor, and if the seat won."""
        return EloRange() if self.by_seat else EloRange(self.high - self.elo, self.at_least, self.at_most)

    @property
    def brief(self) -> Value:
        """Return the rating in one column, with a bound in its place: '+412', '≥ +412'; '?' if unknown."""
        if self.by_seat or isnan(self.elo):
            return Word("?")
        return Word(self.range.short) if self.bounded else self.value

    @property
    def error(self) -> Value:
        """Return half of the 95 % interval, '±40'; nothing for a bound."""
        return NOTHING if self.bounded else self.range

    @property
    def line(self) -> str:
        """Return the rating and half of its interval: '+412 ±61', '≥ +412', '?' if unknown."""
        return f"{self.brief} {self.error}".rstrip()

    @property
    def keys(self) -> dict[str, float | bool | None]:
        """Return the rating for a document; null: unknown. After winning (losing) every game `at_least` (`at_most`) is
        a bound, unless the games say nothing about strength.
        """
        return {
            "elo": Elo(self.elo).raw,
            "elo_low": Elo(self.low).raw,
            "elo_high": Elo(self.high).raw,
            "at_least": None if self.by_seat else self.at_least,
            "at_most": None if self.by_seat else self.at_most,
            "too_few_games": self.few,
            "decided_by_seat": self.by_seat,
        }


UNKNOWN = Rating(nan, nan, nan)


class Seat(NamedTuple):
    """What moving first is worth, in Elo, with half of its 95 % interval. NaN if it cannot be told from strength."""

    elo: float
    error: float

    @property
    def keys(self) -> dict[str, float | None]:
        """Return it for a document."""
        return {"first_move_advantage": Elo(self.elo).raw, "first_move_advantage_error": Elo(self.error).raw}


class Score(NamedTuple):
    """Points per game against others, and their 95 % interval; 0 to 1 without games."""

    points: float
    games: int
    low: float
    high: float

    def turned(self) -> Score:
        """Return the opponent's score."""
        return Score(self.games - self.points, self.games, 1 - self.high, 1 - self.low)

    @property
    def share(self) -> float | None:
        """Return points per game, 0 to 1; None before the first game."""
        return self.points / self.games if self.games else None

    @property
    def interval(self) -> Value:
        """Return the 95 % interval; nothing before the first game."""
        return Within(self.low, self.high) if self.games else NOTHING

    @property
    def keys(self) -> dict[str, float | None]:
        """Return the score and its interval for a document."""
        return {"score": self.share, "score_low": self.low, "score_high": self.high}


@dataclass(frozen=True, eq=False)
class Ratings:
    """The ratings of a field."""

    ratings: tuple[Rating, ...]
    scores: tuple[Score, ...]
    seat: Seat
    superiority: tuple[tuple[float, ...], ...]  # [agent][agent]: LOS of the row's agent, by all games
    _rated: _Rated

    @cached_property
    def fit(self) -> Fit | None:
        """Return whether the ratings explain the results; None if too few games tell."""
        return self._rated.fit()


def rate(agents: int, meetings: Sequence[Meeting], anchor: Anchor | None = None) -> Ratings:
    """Return the ratings of so many agents. Games of an agent against itself count for the seat alone.

    Elo 0 is the mean of the agents that neither won nor lost every game (of all, if there are none), or the anchor says
    what 0 is. Agents that met none of the largest group, not even through others, have no rating.
    """
    return _Rated(agents, [meeting for meeting in meetings if meeting.played], anchor).all()


class _Cells:
    """The meetings as cells: a cell for each meeting and first mover, with the counts of the first mover."""

    def __init__(self, meetings: Sequence[Meeting]) -> None:
        rows: list[tuple[int, int, int, int, int]] = []
        self.of: list[list[int | None]] = []  # the cells of each meeting, by opener
        for meeting in meetings:
            cells: list[int | None] = [None, None]
            for opener in (0, 1):
                won, drawn, lost = meeting.wins[opener], meeting.draws[opener], meeting.losses[opener]
                if won + drawn + lost:
                    cells[opener] = len(rows)
                    seats = (meeting.first, meeting.second)
                    counts = (won, drawn, lost) if opener == 0 else (lost, drawn, won)
                    rows.append((seats[opener], seats[1 - opener], *counts))
            self.of.append(cells)
        table = np.array(rows, np.int64).reshape(-1, 5)
        self.first, self.second = table[:, 0], table[:, 1]
        self.wins, self.draws, self.losses = (table[:, place].astype(np.float64) for place in (2, 3, 4))
        self.games = self.wins + self.draws + self.losses
        self.points = self.wins + self.draws / 2
        self.against = self.games - self.points
        self.variance = logistic.variances(self.wins, self.draws, self.losses)


class _Rated:
    """The fit of one field, and the questions to it."""

    def __init__(self, agents: int, meetings: Sequence[Meeting], anchor: Anchor | None) -> None:
        self.agents, self.meetings, self.anchor = agents, meetings, anchor
        self.cells = _Cells(meetings)
        self.model = Logistic(agents, self.cells.first, self.cells.second, self.cells.games)
        self.x = self.model.fit(self.cells.points[None])[0]
        spread = self._scatter()
        self.scatter = spread + self.model.prior_scatter(self.x[None])[0]
        self.covariance = self.model.covariance(self.x[None], spread[None])[0]
        self.group = self.model.groups[0] if self.model.groups else ()
        self.played = self._by_agent(self.cells.games, self.cells.games)
        self.points = self._by_agent(self.cells.points, self.cells.against)
        self.won, self.lost = (
            (self._by_agent(*missed) == 0) & (self.played > 0)
            for missed in ((self.cells.against, self.cells.points), (self.cells.points, self.cells.against))
        )

    def _by_agent(self, of_first: Floats, of_second: Floats) -> Floats:
        """Return each agent's sum of what the cells have for their first and second movers, self-play left out."""
        sums, apart = np.zeros(self.agents), self.cells.first != self.cells.second
        np.add.at(sums, self.cells.first[apart], of_first[apart])
        np.add.at(sums, self.cells.second[apart], of_second[apart])
        return sums

    def all(self) -> Ratings:
        return Ratings(tuple(self._ratings()), tuple(self._scores()), self._seat(), self._superiority(), self)

    def _scatter(self) -> Floats:
        """Return the scatter of the fit's equations, by whether games share openings."""
        self.own_share = np.ones(len(self.cells.games))  # 1/2 where two games share an opening
        design, cells = self.model.design * np.r_[np.ones(self.agents), self.model.seat_known], self.cells
        total = np.zeros((self.agents + 1, self.agents + 1))
        alone = np.ones(len(cells.games), bool)
        shared: dict[int, list[tuple[int, Ints, Floats]]] = {}
        for meeting, places in zip(self.meetings, cells.of, strict=True):
            if meeting.openings is None:
                continue
            if meeting.alternate:
                self.own_share[[place for place in places if place is not None]] = 0.5
            if meeting.results is not None:
                for opener, place in enumerate(places):
                    if place is not None:
                        alone[place] = False
                        shared.setdefault(meeting.openings, []).append((place, *_opened(meeting, opener)))
            elif places[0] is not None and places[1] is not None:  # seats swapped, so that games are pairs
                one, other = np.array([places[0]]), np.array([places[1]])
                pairs = np.array([meeting.pentanomial], float)
                covariance = logistic.pair_covariance(pairs, cells.variance[one], cells.variance[other])
                total += logistic.of_pairs(design, one, other, pairs.sum(1), covariance)
        for part in shared.values():
            total += logistic.clustered(design, part, 1 + max(int(cluster.max()) for _, cluster, _ in part))
        return total + logistic.squared(design[alone], (cells.games * cells.variance)[alone])  # independent games

    # Ratings.

    def _ratings(self) -> list[Rating]:
        base = self._base()
        if base is None:
            return [UNKNOWN] * self.agents
        weights = np.eye(self.agents, self.agents + 1) - base
        strength = weights @ self.x
        errors = np.sqrt(np.maximum(0.0, ((weights @ self.covariance) * weights).sum(1)))
        reach = half_width(strength, errors)
        offset = self.anchor.elo if self.anchor is not None else 0.0
        thin = self._few()
        by_seat = decided_by_seat(self.meetings)
        group, ratings = set(self.group), []
        for agent in range(self.agents):
            if agent not in group or not self.played[agent]:
                ratings.append(UNKNOWN)
                continue
            elo, wide = offset + ELO * float(strength[agent]), ELO * float(reach[agent])
            if self.anchor is not None and agent == self.anchor.agent:
                ratings.append(Rating(elo, elo, elo))
                continue
            rating = Rating(elo, elo - wide, elo + wide, few=bool(thin[agent]), by_seat=by_seat)
            least, most = ([offset + ELO * bound for bound in bounds] for bounds in self._bounds(agent, base))
            if least:
                rating = replace(rating, low=min(*least, elo), at_least=min(least))
            elif most:
                rating = replace(rating, high=max(*most, elo), at_most=max(most))
            ratings.append(rating)
        return ratings

    def _few(self) -> Mask:
        """Return which agents have fewer than ENOUGH pairs above or below the means of their meetings.

        Where openings are shared, an agent also needs twice as many openings: one opening is one observation.
        """
        apart = [meeting for meeting in self.meetings if meeting.first != meeting.second]
        counts = sides(apart)
        sums = np.zeros((self.agents, 2), np.int64)
        np.add.at(sums, [meeting.first for meeting in apart], counts)
        np.add.at(sums, [meeting.second for meeting in apart], counts[:, ::-1])
        few: Mask = sums.min(1) < ENOUGH
        openings: dict[int, int] = {}
        for meeting in apart:
            if meeting.openings is not None:
                played = sum(meeting.pentanomial) if meeting.alternate else meeting.played
                openings[meeting.openings] = max(played, openings.get(meeting.openings, 0))
        if openings and sum(openings.values()) < 2 * ENOUGH:
            for meeting in apart:
                few[[meeting.first, meeting.second]] |= meeting.openings is not None
        return few

    def _base(self) -> Floats | None:
        """Return the weights whose strength is 0 Elo; None if nobody played another."""
        base = np.zeros(self.agents + 1)
        if self.anchor is not None:
            if self.anchor.agent not in self.group:
                return None
            base[self.anchor.agent] = 1
            return base
        whole = [agent for agent in self.group if self.played[agent]]
        counted = [agent for agent in whole if not self.won[agent] and not self.lost[agent]] or whole
        if not counted:
            return None
        base[counted] = 1 / len(counted)
        return base

    def _perfect(self, one: int, other: int) -> list[tuple[int, int]]:
        """Return the perfect scores that put one agent above the other: the agent of each, and the other of the two."""
        won = [(one, other)] if self.won[one] and not self.won[other] else []
        return won + ([(other, one)] if self.lost[other] and not self.lost[one] else [])

    def _bounds(self, agent: int, base: Floats) -> tuple[list[float], list[float]]:
        """Return what an agent is at least and at most above the base, by perfect scores: its own and the anchor's."""
        if self.anchor is None:
            own = [self._bound(agent, base)] if self.won[agent] or self.lost[agent] else []
            return (own, []) if self.won[agent] else ([], own)
        eye, zero = np.eye(self.agents + 1), self.anchor.agent
        least, most = (
            [self._bound(one, eye[other]) * (1 if one == agent else -1) for one, other in self._perfect(*two)]
            for two in ((agent, zero), (zero, agent))
        )
        return least, most

    def _bound(self, agent: int, base: Floats) -> float:
        """Return the strength above the base at which the agent wins (or loses) every game with probability DOUBT.

        The other strengths and the seat are as fitted. Games that share their opening count half each.
        """
        low, high = -FARTHEST, FARTHEST
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            rarer = self._chance(agent, middle) < DOUBT
            low, high = (middle, high) if rarer == self.won[agent] else (low, middle)
        moved = self.x.copy()
        moved[agent] = (low + high) / 2
        return float(moved[agent] - base @ moved)

    def _chance(self, agent: int, strength: float) -> float:
        """Return the probability that an agent of this strength wins (or loses) every game, as it did."""
        cells = self.cells
        sign = 1.0 if self.won[agent] else -1.0
        first, second = cells.first == agent, cells.second == agent
        mine = first != second
        side = np.where(first[mine], 1.0, -1.0)
        rest = (self.model.design[mine] @ np.where(np.arange(self.agents + 1) == agent, 0.0, self.x)) * side
        games = cells.games[mine] * self.own_share[mine]
        return float(np.exp(-(games * np.logaddexp(0.0, -sign * (strength + rest))).sum()))

    # The rest.

    def _scores(self) -> list[Score]:
        alone = self._by_agent(*2 * (self.cells.games * self.own_share,))
        lows, highs = score_interval(self.points, self.played, np.diagonal(self.scatter)[: self.agents], alone)
        return [
            Score(float(sum_), int(games), float(low), float(high))
            for sum_, games, low, high in zip(self.points, self.played, lows, highs, strict=True)
        ]

    def _seat(self) -> Seat:
        if not self.model.seat_known:
            return Seat(nan, nan)
        error = half_width(self.x[-1], np.sqrt(np.maximum(0.0, self.covariance[-1, -1])))
        return Seat(ELO * float(self.x[-1]), ELO * float(error))

    def _superiority(self) -> tuple[tuple[float, ...], ...]:
        """Return Φ of each difference by the half-width of its interval: 97.5 % where the interval ends at 0 Elo.

        An agent ahead by a perfect score has a bound instead. It gets 1 minus the probability of that score if the
        agent were only as strong as the other, at least a half: 97.5 % where the bound is 0 Elo.
        """
        count = self.agents
        spread = self.covariance[:count, :count]
        width = np.diagonal(spread)[:, None] + np.diagonal(spread)[None] - 2 * spread
        away = self.x[:count, None] - self.x[None, :count]
        reach = half_width(away, np.sqrt(np.maximum(width, 0)))
        matrix = [
            [normal(Z95 * ahead / wide) if wide > 1e-6 else 0.5 for ahead, wide in zip(*rows, strict=True)]
            for rows in zip(away, reach, strict=True)
        ]
        for one, other in np.argwhere(away >= 0):
            if scores := self._perfect(one, other):
                rare = min(0.5, max(self._chance(agent, float(self.x[equal])) for agent, equal in scores))
                matrix[one][other], matrix[other][one] = 1 - rare, rare
        label = {agent: place for place, group in enumerate(self.model.groups) for agent in group}
        return tuple(
            tuple(
                0.5 if one == other else matrix[one][other] if label[one] == label[other] else nan
                for other in range(count)
            )
            for one in range(count)
        )

    def fit(self) -> Fit | None:
        cells = self.cells
        both = [
            (one, other, meeting.pentanomial if meeting.openings is not None and meeting.alternate else None)
            for meeting, (one, other) in zip(self.meetings, cells.of, strict=True)
        ]
        return goodness.test(self.model, self.x, cells.points, cells.games * cells.variance, both)


def _opened(meeting: Meeting, opener: int) -> tuple[Ints, Floats]:
    """Return the openings of the games that this side opened, and their first movers' points, 0 for a draw."""
    assert meeting.results is not None
    own = meeting.results[opener::2] if meeting.alternate else meeting.results
    there: Ints = np.flatnonzero(own > -2)
    points: Floats = own[there].astype(float) * (0.5 - opener)
    return there, points


# Two agents by their own games alone.


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
    variance = logistic.variances(*counts)
    spread = float((games * variance * there).sum() + (prior * ((1 - inner) ** 2 + inner**2)).sum() / 2)
    paired = meeting.openings is not None and meeting.alternate
    if paired:
        pairs = np.array(meeting.pentanomial, float)
        spread -= 2 * pairs.sum() * float(logistic.pair_covariance(pairs, variance[0], variance[1]))
    alone = meeting.played / (1 + paired)
    low, high = score_interval(*map(np.array, (meeting.points, meeting.played, spread, alone)))
    return Score(meeting.points, meeting.played, float(low), float(high))
