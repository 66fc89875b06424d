"""Ratings once more, by the formulas that nimtui/arena/rating states: loops over games, and matrices of all cells."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import erf, exp, log, nan, sqrt

import numpy as np

from nimtui.arena.rating.goodness import chi_squared
from nimtui.arena.rating.meetings import Meeting

Z = 1.959963984540054
UNIT = 400 / log(10)
Bounded = tuple[float | bool | None, ...]
UNRATED = (nan, nan, nan, None, None, False)


class Plain:
    """A field of agents; `x` are their strengths and the seat, in natural units."""

    def __init__(self, agents: int, meetings: Sequence[Meeting]) -> None:
        self.agents, self.meetings = agents, [one for one in meetings if one.played]
        cells = [(*cell, at) for at, one in enumerate(self.meetings) for cell in cells_of(at, one)]
        self.two, points, keys, of = map(list, zip(*cells, strict=True))
        paired = [at for at, one in enumerate(self.meetings) if one.openings is not None and one.alternate]
        self.share = np.array([0.5 if at in paired else 1.0 for at in of])  # two games of an opening count as one
        self.pairs = [(of.index(at), of.index(at) + 1, np.repeat(np.arange(5) / 2, self.meetings[at].pentanomial))
                      for at in paired if of.count(at) == 2]  # fmt: skip
        eye = np.eye(agents)
        self.design = np.array([[*(eye[first] - eye[second]), 1] for first, second in self.two])
        self.known = np.linalg.matrix_rank(self.design) > np.linalg.matrix_rank(self.design[:, :-1])
        self.design[:, -1] *= self.known
        self.games, self.scored = np.array(list(map(len, points))), np.array(list(map(sum, points)))
        self.variances = np.array([row.var(ddof=1) if len(row) > 1 else 0.25 for row in points])
        prior, self.x = np.array([self.prior(two) for two in self.two]), np.zeros(agents + 1)
        for _ in range(80):  # half a step of Newton's method
            missing = self.scored + prior / 2 - (self.games + prior) * self.likely
            bread = np.linalg.pinv(self.squared((self.games + prior) * self.likely * (1 - self.likely)))
            self.x += bread @ (self.design.T @ missing) / 2
        sums: dict[object, np.ndarray] = defaultdict(lambda: np.zeros(agents + 1))  # of each opening
        for row, own, weights in zip(points, keys, self.design, strict=True):
            n = len(row)
            for key, point in zip(own, row, strict=True):
                sums[key] += weights * (sqrt(n / (n - 1)) * (point - row.mean()) if n > 1 else 0.5)
        self.scatter = sum(np.outer(one, one) for one in sums.values())
        self.scatter += self.squared(prior * ((1 - self.likely) ** 2 + self.likely**2) / 2)
        for i, j, pairs in self.pairs:
            if self.meetings[of[i]].results is None:
                both = len(pairs) * covariance(pairs, self.variances[i], self.variances[j])
                self.scatter += both * (np.outer(*self.design[[i, j]]) + np.outer(*self.design[[j, i]]))
        self.covariance = bread @ self.scatter @ bread
        self.own = [[p if at == first else 1 - p for (first, second), row in zip(self.two, points, strict=True)
                     if first != second and at in (first, second) for p in row] for at in range(agents)]  # fmt: skip
        self.won, self.lost = ([{*own} == {kind} for own in self.own] for kind in (1, 0))

    @property
    def likely(self) -> np.ndarray:
        return 1 / (1 + np.exp(-self.design @ self.x))

    def squared(self, weights: np.ndarray) -> np.ndarray:
        return (self.design.T * weights) @ self.design

    def prior(self, two: tuple[int, int]) -> float:
        if two[0] == two[1]:
            return 0.5 / sum(one == other for one, other in self.two)
        met = [{other for pair in self.two if at in pair for other in pair} - {at} for at in two]
        seats = len({two, two[::-1]} & {*self.two})
        return 0.25 * (1 / len(met[0]) + 1 / len(met[1])) / seats / self.two.count(two)

    def group(self, at: int) -> set[int]:
        found = {at}
        while more := {other for two in self.two if found & {*two} for other in two} - found:
            found |= more
        return found

    def chance(self, agent: int, strength: float) -> float:
        """The likelihood that an agent of this strength has its perfect score."""
        x = np.where(np.arange(self.agents + 1) == agent, strength, self.x)
        won, own = 1 / (1 + np.exp(-self.design @ x)), self.design[:, agent]
        return float(
            np.prod(np.where((own > 0) == self.won[agent], won, 1 - won) ** (self.games * self.share * own**2))
        )

    def bound(self, agent: int, above: np.ndarray) -> float:
        """The strength above these weights of strengths that has the perfect score once in 40 times."""
        low, high = -50.0, 50.0
        for _ in range(100):
            middle = (low + high) / 2
            rare = self.chance(agent, middle) < 0.025
            low, high = (middle, high) if rare == self.won[agent] else (low, middle)
        return UNIT * float(low - above @ np.where(np.arange(self.agents + 1) == agent, low, self.x))

    def perfect(self, one: int, other: int) -> list[tuple[int, int]]:
        """The agent of each perfect score that puts the one above the other, and whom it is compared with."""
        won = [(one, other)] * (self.won[one] and not self.won[other])
        return won + [(other, one)] * (self.lost[other] and not self.lost[one])

    def ratings(self, anchor: tuple[int, float] | None) -> list[Bounded]:
        """Elo, the ends of its interval, the bounds, and whether there are too few games, of each agent."""
        group = max(map(self.group, range(self.agents)), key=lambda group: (len(group), -min(group)))
        rated = [at for at in sorted(group) if self.own[at]]
        middle = [at for at in rated if not self.won[at] and not self.lost[at]] or rated
        middle, offset = (middle, 0.0) if anchor is None else ([anchor[0]], anchor[1])
        if not rated or middle[0] not in group:
            return [UNRATED] * self.agents
        eye = np.eye(self.agents + 1)
        return [self._rating(at, eye[at], eye[middle].mean(0), offset, anchor and anchor[0]) if at in rated else UNRATED
                for at in range(self.agents)]  # fmt: skip

    def _rating(self, at: int, own: np.ndarray, base: np.ndarray, offset: float, zero: int | None) -> Bounded:
        weights = own - base
        elo, error = offset + UNIT * (weights @ self.x), sqrt(max(0.0, weights @ self.covariance @ weights))
        wide = UNIT * half_width(weights @ self.x, error)
        if zero is None:
            bounds = [offset + self.bound(at, base)] if self.won[at] or self.lost[at] else []
            least, most = (bounds, []) if self.won[at] else ([], bounds)
        elif at == zero:
            return elo, elo, elo, None, None, False
        else:
            ones = np.eye(self.agents + 1)
            least, most = ([offset + self.bound(one, ones[other]) * (1 if one == at else -1)
                            for one, other in self.perfect(*two)] for two in ((at, zero), (zero, at)))  # fmt: skip
        low, high = min(*least, elo) if least else elo - wide, max(*most, elo) if most and not least else elo + wide
        bounds = min(least, default=None), None if least else max(most, default=None)
        return elo, low, high, *bounds, few(self.meetings, at)

    @property
    def seat(self) -> tuple[float, float]:
        width = half_width(self.x[-1], sqrt(self.covariance[-1, -1]))
        return (UNIT * self.x[-1], UNIT * width) if self.known else (nan, nan)

    @property
    def scores(self) -> Iterator[tuple[float, int, float, float]]:
        """Each agent's points and games, with Wilson's interval for a number of games that scatters as much."""
        for at, own in enumerate(self.own):
            n, points = len(own), sum(own)
            p, inner = points / max(n, 1), (points + 0.25) / (n + 0.5)
            alone = max(0.5, self.games @ (self.share * self.design[:, at] ** 2))
            q = Z * Z / (alone if p in (0, 1) else inner * (1 - inner) * (n + 0.5) ** 2 / self.scatter[at, at])
            low, high = sorted(np.roots([1 + q, -2 * p - q, p * p]).real)
            yield points, n, low if p > 0 else 0.0, high if p < 1 and n else 1.0

    def los(self, one: int, other: int) -> float:
        if one == other or other not in self.group(one):
            return 0.5 if one == other else nan
        away, weights = self.x[one] - self.x[other], np.eye(self.agents + 1)[one] - np.eye(self.agents + 1)[other]
        if away < 0:
            return 1 - self.los(other, one)
        if scores := self.perfect(one, other):
            return 1 - min(0.5, max(self.chance(agent, self.x[equal]) for agent, equal in scores))
        return (1 + erf(Z * away / half_width(away, sqrt(weights @ self.covariance @ weights)) / sqrt(2))) / 2

    def fit(self) -> tuple[float, int, list[tuple[float, ...]], int] | None:
        """The p-value, the degrees of freedom, all misfits, and the sign of the seat's link with strength; or None."""
        used, likely, games, spread = self.games >= 20, self.likely, self.games, self.likely * (1 - self.likely)
        jacobian, squares = spread[:, None] * self.design, games * self.variances
        share = min(1.0, squares.sum() / (games @ spread)) or 1.0
        if (freedom := int(used.sum() - np.linalg.matrix_rank(jacobian[used]))) < 1:
            return None
        variance = (squares + 4 * share * spread) / (games + 4)
        whole = np.diag(variance / games)
        for i, j, pairs in self.pairs:
            both = 0.99 * len(pairs) * covariance(pairs, variance[i], variance[j]) / games[i] / games[j]
            whole[i, j] = whole[j, i] = both
        inverse, away = np.linalg.inv(whole[np.ix_(used, used)]), self.scored / games - likely
        within = np.linalg.pinv(jacobian[used].T @ inverse @ jacobian[used], rcond=1e-12)
        rest = away - jacobian @ (within @ jacobian[used].T @ inverse @ away[used])
        left = whole - jacobian @ within @ jacobian.T  # the covariance of `rest`
        misfits, level, surplus = list[tuple[float, ...]](), [], []
        for pair in dict.fromkeys(tuple(sorted(two)) for two in self.two):
            there = np.array([sorted(two) == [*pair] for two in self.two])
            if games[there].min() < 20:
                continue
            first, second = self.two[int(there.argmax())]
            sign, own = np.array([1 if two[0] == first else -1 for two in self.two]), games * there / games[there].sum()
            both = {*sign[there]} == {1, -1}
            if both:
                level.append(self.x[first] + self.x[second])
                surplus.append(there / there.sum())
            for seat, weights in ((False, own * sign * (first != second)), (True, own * (both or first == second))):
                error, gap = sqrt(max(0.0, weights @ left @ weights)), weights @ rest
                plus = 0.0 if seat else own[sign < 0].sum()
                scored, expected = (weights @ each + plus for each in (self.scored / games, likely))
                if error > 1e-9 and abs(gap) >= 2.6 * error and (scored - expected) * np.sign(gap) > 0.005:
                    misfits.append((first, second, seat, scored, expected, gap / error))
        along = (np.array(level) - np.mean(level)) @ surplus if len(level) >= 3 else np.zeros(len(games))
        linked = abs(along @ rest) > 2.6 * sqrt(max(1e-20, along @ left @ along))
        p_value = chi_squared(rest[used] @ inverse @ rest[used], freedom)
        return p_value, freedom, sorted(misfits, key=lambda one: -abs(one[-1])), int(linked * np.sign(along @ rest))


def cells_of(at: int, one: Meeting) -> Iterator[tuple[tuple[int, ...], np.ndarray, list[object]]]:
    """The cells of a meeting: both agents, the first mover's points, and a key for the opening of each game."""
    for opener in (0, 1):
        turn = 1 - 2 * opener
        if one.results is None:
            counts = [kind[opener] for kind in (one.wins, one.draws, one.losses)[::turn]]
            points, keys = np.repeat([1, 0.5, 0], counts), [(at, opener, game) for game in range(sum(counts))]
        else:
            row = one.results[opener::2] if one.alternate else one.results[: 0 if opener else None]
            points = (1 + turn * row[row > -2].astype(float)) / 2
            keys = [(one.openings, opening) for opening in np.flatnonzero(row > -2).tolist()]
        if len(points):
            yield (one.first, one.second)[::turn], points, keys


def covariance(pairs: np.ndarray, one: float, other: float) -> float:
    both = pairs.var(ddof=1) if len(pairs) > 1 else one + other
    return float(np.clip((one + other - both) / 2, -sqrt(one * other), sqrt(one * other)))


def half_width(strength: float, error: float) -> float:
    x, s = Z * error, 1 / (1 + exp(-strength))
    return x + x * min(0.1, x * x * (1 - 3 * s + 3 * s * s) / 3)


def few(meetings: Iterable[Meeting], agent: int) -> bool:
    """Whether an agent has fewer than 10 pairs below or above the means of its meetings, or 20 shared openings."""
    below, above, shared, openings = 0, 0, False, Counter[int]()
    for one in meetings:
        if one.first == one.second or not one.played:
            continue
        pairs = np.repeat(np.arange(5), one.pentanomial)
        if one.openings is not None:
            openings[one.openings] = max(openings[one.openings], len(pairs) if one.alternate else one.played)
        if agent in one[:2]:
            turned, shared = pairs if agent == one.first else 4 - pairs, shared or one.openings is not None
            mean = turned.mean() if len(pairs) else 0
            below, above = below + (turned < mean).sum(), above + (turned > mean).sum()
    return bool(min(below, above) < 10 or (shared and openings.total() < 20))
