"""How often 95 % intervals contain the truth, by simulated tournaments: `python -m tests.benchmarks.coverage [NUMBER]`.

Tournaments are drawn from worlds in which the chance of every result is known. Half of the worlds are not of the
fitted kind: agents that never lose, seats that matter differently, openings that decide, and eight real agents by the
results of 28,000 games. The truth is then what the estimate approaches over infinitely many games. Every estimate,
error and interval is computed by the project's own code, many tournaments at once.

docs/ratings.md holds the table for 4,000 tournaments a cell.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nimtui.arena.rating.logistic import ELO, Z95, Logistic, half_width, score_interval, squared, variances
from nimtui.arena.rating.meetings import Meeting
from nimtui.arena.rating.ratings import head_to_head

Floats = npt.NDArray[np.float64]

POINTS = np.array([0.0, 0.5, 1.0])
TOURNAMENTS = 4_000
AT_ONCE = 6_000_000  # games with shared openings that are simulated at once
ENOUGH = 10.0  # pairs expected above and below the mean, from which an interval is promised
REAL = Path(__file__).parent / "real_agents.json"


@dataclass(frozen=True)
class World:
    """Agents that meet in pairs of games, and the chance of each pair of results.

    chances: [openings, pairings, 3, 3], for the first movers' results (lost, drew, won): of the pairing's first agent
    in the first game, of its second agent in the second one. often: how often each kind of opening is drawn; `shared`:
    every pairing plays the same ones.
    """

    agents: int
    chances: Floats
    often: Floats
    shared: bool = False

    @property
    def pairings(self) -> list[tuple[int, int]]:
        return list(combinations(range(self.agents), 2))

    @property
    def mean(self) -> Floats:
        """Return the chances over all openings, [pairings, 3, 3]."""
        found: Floats = np.einsum("o,opab->pab", self.often, self.chances)
        return found

    def model(self, pairs: int) -> Logistic:
        """Return the cells of a round-robin with so many pairs of games a pairing: first all first agents' games."""
        one, two = np.array(self.pairings).T
        return Logistic(self.agents, np.r_[one, two], np.r_[two, one], np.full(2 * len(one), float(pairs)))

    @property
    def expected(self) -> Floats:
        """Return the first movers' expected points in each cell."""
        return np.concatenate([self.mean.sum(2) @ POINTS, self.mean.sum(1) @ POINTS])

    def side(self, pairs: int) -> float:
        """Return the fewest pairs that a pairing is expected to have on one side of its mean."""
        fewest = np.inf
        for chance in self.mean:
            total = np.zeros(5)  # of the first agent, in half points
            for a, b in np.ndindex(3, 3):
                total[a + 2 - b] += chance[a, b]
            away = np.arange(5) - total @ np.arange(5)
            fewest = min(fewest, pairs * total[away < 0].sum(), pairs * total[away > 0].sum())
        return float(fewest)


class Estimates(NamedTuple):
    """What some tournaments estimated. Strengths are above the agents' mean; the last is the seat."""

    strengths: Floats  # [tournaments, agents + 1]
    errors: Floats
    scores: Floats  # [tournaments, agents]
    lows: Floats
    highs: Floats


class Coverage(NamedTuple):
    """Shares of intervals that contain the truth, and their half-widths by 1.96 standard deviations of the estimate."""

    elo: float
    score: float
    seat: float
    elo_width: float  # the agent furthest from 1; on the scale of scores
    score_width: float
    seat_width: float
    side: float


def coverage(world: World, pairs: int, tournaments: int, seed: int) -> Coverage:
    """Simulate so many round-robins."""
    found = Estimates(*map(np.concatenate, zip(*_estimates(world, pairs, tournaments, seed), strict=True)))
    model = world.model(pairs)
    many = replace(model, games=model.games * 1e9)
    truth = (many.fit(world.expected[None] * many.games) @ contrasts(world.agents).T)[0]
    reach = half_width(found.strengths, found.errors)
    covered = np.abs(found.strengths - truth) <= reach
    real = _sums(world, world.expected[None], 1.0)[0] / (2 * (world.agents - 1))
    width = (logistic(found.strengths + reach) - logistic(found.strengths - reach)) / 2
    ratio = width.mean(0) / (Z95 * logistic(found.strengths).std(0))
    wide = ((found.highs - found.lows) / 2).mean(0) / (Z95 * found.scores.std(0))
    return Coverage(
        float(covered[:, :-1].mean()),
        float(((found.lows <= real) & (real <= found.highs)).mean()),
        float(covered[:, -1].mean()),
        _furthest(ratio[:-1]),
        _furthest(wide),
        float(ratio[-1]),
        world.side(pairs),
    )


def _furthest(ratios: Floats) -> float:
    return float(ratios[np.abs(np.log(ratios)).argmax()])


def _estimates(world: World, pairs: int, tournaments: int, seed: int) -> Iterator[Estimates]:
    rng = np.random.default_rng(seed)
    model = world.model(pairs)
    most = max(1, AT_ONCE // (2 * pairs * len(world.pairings))) if world.shared else tournaments
    for done in range(0, tournaments, most):
        yield _estimated(world, model, pairs, min(most, tournaments - done), rng)


def _estimated(world: World, model: Logistic, pairs: int, size: int, rng: np.random.Generator) -> Estimates:
    counts, spread = (_shared if world.shared else _apart)(world, model, pairs, size, rng)
    points = np.concatenate([counts.sum(-1), counts.sum(-2)], 1) @ POINTS
    x = model.fit(points)
    covariance = model.covariance(x, spread)
    contrast = contrasts(world.agents)
    errors = np.sqrt(((contrast @ covariance) * contrast).sum(-1))
    gained = _sums(world, points, pairs)
    games = np.full_like(gained, 2 * pairs * (world.agents - 1))
    total = np.diagonal(spread + model.prior_scatter(x), axis1=1, axis2=2)[:, : world.agents]
    alone = games / (1 + world.shared)
    return Estimates(x @ contrast.T, errors, gained / games, *score_interval(gained, games, total, alone))


def _apart(world: World, model: Logistic, pairs: int, size: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Return counts of pairs, [size, pairings, 3, 3], and the scatter of independent games."""
    drawn = [rng.multinomial(pairs, chance.ravel(), size) for chance in world.mean]
    counts = np.stack(drawn, 1).astype(float).reshape(size, -1, 3, 3)
    lost, drew, won = np.moveaxis(np.concatenate([counts.sum(-1), counts.sum(-2)], 1), -1, 0)
    return counts, squared(model.design, model.games * variances(won, drew, lost))


def _shared(world: World, model: Logistic, pairs: int, size: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """The same where all pairings play the same openings: an opening is one cluster."""
    number = len(world.pairings)
    kinds = rng.choice(len(world.often), (size, pairs), p=world.often)
    counts = np.empty((size, number, 9))
    sums = np.zeros((size, model.agents + 1, pairs))
    for k in range(number):
        edges = np.cumsum(world.chances[:, k].reshape(len(world.often), 9), 1)[:, :8][kinds]
        both = (rng.random((size, pairs))[..., None] > edges).sum(-1)
        counts[:, k] = np.stack([(both == kind).sum(-1) for kind in range(9)], -1)
        for cell, part in ((k, both // 3), (number + k, both % 3)):
            away = (part - part.mean(-1, keepdims=True)) / 2 * np.sqrt(pairs / (pairs - 1))
            for parameter in np.flatnonzero(model.design[cell]):
                sums[:, parameter] += model.design[cell, parameter] * away
    return counts.reshape(size, number, 3, 3), sums @ sums.transpose(0, 2, 1)


def _sums(world: World, points: Floats, pairs: float) -> Floats:
    """Return each agent's points, [tournaments, agents], from the first movers' points in each cell."""
    number = len(world.pairings)
    found = np.zeros((len(points), world.agents))
    for k, (i, j) in enumerate(world.pairings):
        found[:, i] += points[:, k] + pairs - points[:, number + k]
        found[:, j] += points[:, number + k] + pairs - points[:, k]
    return found


def contrasts(agents: int) -> Floats:
    """Return what is estimated, as weights of the parameters: strengths above the mean, then the seat."""
    found = np.eye(agents + 1)
    found[:agents, :agents] -= 1 / agents
    return found


# The worlds.


def logistic(x: Floats) -> Floats:
    found: Floats = 1 / (1 + np.exp(-x))
    return found


def outcome(score: Floats, draws: float) -> Floats:
    """Return the chances of losing, drawing, winning with this expected score; `draws` as far as the score allows."""
    drawn = np.minimum(draws, 1.9 * np.minimum(score, 1 - score))
    return np.stack([1 - score - drawn / 2, drawn, score - drawn / 2], -1)


def games(first: Floats, second: Floats) -> Floats:
    """Return the chances of the pairs of two independent games."""
    return first[..., :, None] * second[..., None, :]


def fitted(agents: int, draws: float, seat: float = 40.0, span: float = 160.0) -> World:
    """Return a world of the fitted kind; `seat` and `span`, from the best agent to the worst, in Elo."""
    return _seats(agents, draws, np.full(agents, seat), span)


def seats_differ(agents: int) -> World:
    """Return agents for whom moving first is worth from −120 to +240 Elo."""
    return _seats(agents, 0.2, np.linspace(-120, 240, agents), 160.0)


def _seats(agents: int, draws: float, seats: Floats, span: float) -> World:
    theta, seat = np.linspace(span / 2, -span / 2, agents) / ELO, seats / ELO
    one, two = np.array(list(combinations(range(agents), 2))).T
    first = outcome(logistic(theta[one] - theta[two] + seat[one]), draws)
    second = outcome(logistic(theta[two] - theta[one] + seat[two]), draws)
    return World(agents, games(first, second)[None], np.ones(1))


def never_lost(agents: int) -> World:
    """Return agents that never lose to a weaker one."""
    one, two = np.array(list(combinations(range(agents), 2))).T
    won = 0.3 + 0.5 * (two - one) / agents
    none = np.zeros_like(won)
    first, second = np.stack([none, 1 - won, won], -1), np.stack([0.9 * won, 1 - 0.9 * won, none], -1)
    return World(agents, games(first, second)[None], np.ones(1))


def openings(agents: int, draws: float) -> World:
    """Return agents that play shared openings, most of which are all but decided."""
    each = [fitted(agents, draws, seat).chances[0] for seat in (-500.0, -100.0, 60.0, 500.0)]
    return World(agents, np.array(each), np.array([0.3, 0.2, 0.2, 0.3]), shared=True)


def real(agents: int) -> World:
    """Return the real agents, by their results."""
    table = json.loads(REAL.read_text(encoding="utf-8"))["results"]
    chosen = {2: (0, 3), 4: (0, 1, 3, 7), 8: range(8)}[agents]
    rows = np.array([[table[i][j] or (0, 0, 1) for j in chosen] for i in chosen], float)  # first won, second won, drew
    chances = rows[..., [1, 2, 0]] / rows.sum(-1, keepdims=True)  # lost, drew, won
    one, two = np.array(list(combinations(range(agents), 2))).T
    return World(agents, games(chances[one, two], chances[two, one])[None], np.ones(1))


WORLDS: dict[str, Callable[[int], World]] = {
    "no draws": lambda agents: fitted(agents, 0.0),
    "30 % draws": lambda agents: fitted(agents, 0.3),
    "93 % draws": lambda agents: fitted(agents, 0.93, seat=5.0, span=30.0),
    "a seat that decides": lambda agents: fitted(agents, 0.0, seat=450.0),
    "no losses (not fitted)": never_lost,
    "seats differ (not fitted)": seats_differ,
    "openings decide (not fitted)": lambda agents: openings(agents, 0.0),
    "openings, draws (not fitted)": lambda agents: openings(agents, 0.3),
    "real agents (not fitted)": real,
}


# LOS.


def equals(draws: float, seat: float, number: int, tournaments: int, seed: int, shared: bool = False) -> float:
    """Return how often the LOS of one of two equal agents exceeds 95 %."""
    rng = np.random.default_rng(seed)
    world = openings(2, draws) if shared else fitted(2, draws, seat, 0.0)
    if shared:
        world = replace(world, chances=np.array([fitted(2, draws, s, 0.0).chances[0] for s in (-500, -100, 60, 500)]))
    beyond = 0
    for counts in rng.multinomial(number // 2, world.mean[0].ravel(), tournaments).reshape(-1, 3, 3):
        first, second = counts.sum(1), counts.sum(0)
        pairs = np.zeros(5, int)
        for a, b in np.ndindex(3, 3):
            pairs[a + 2 - b] += counts[a, b]
        won, drew, lost = ((int(first[kind]), int(second[2 - kind])) for kind in (2, 1, 0))
        meeting = Meeting(0, 1, won, drew, lost, tuple(pairs.tolist()), 0 if shared else None)
        beyond += (head_to_head([meeting]).los or 0.0) > 0.95
    return beyond / tournaments


# The tables.


def rows(tournaments: int) -> Iterator[str]:
    """Give the table of coverage, as Markdown."""
    yield "| results | agents | games a pairing | Elo | score | seat | widths: Elo, score, seat | |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
    for name, make in WORLDS.items():
        for agents in (2, 4, 8):
            for number in (10, 100, 1_000):
                found = coverage(make(agents), number // 2, tournaments, 7)
                said = "" if found.side >= ENOUGH else "too few games"
                shares = " | ".join(f"{100 * share:.1f} %" for share in found[:3])
                widths = ", ".join(f"{width:.2f}" for width in found[3:6])
                yield f"| {name} | {agents} | {number:,} | {shares} | {widths} | {said} |"


def los_rows(tournaments: int) -> Iterator[str]:
    """Give the table of the LOS between equals, as Markdown."""
    yield "| two equal agents | 100 games | 1,000 games |"
    yield "| --- | ---: | ---: |"
    for name, draws, seat, shared in (
        ("no draws", 0.0, 0.0, False),
        ("no draws, a seat that decides", 0.0, 450.0, False),
        ("30 % draws", 0.3, 40.0, False),
        ("93 % draws", 0.93, 5.0, False),
        ("openings decide", 0.0, 0.0, True),
        ("openings decide, draws", 0.3, 0.0, True),
    ):
        shares = (equals(draws, seat, number, tournaments, 5, shared) for number in (100, 1_000))
        yield f"| {name} | {' | '.join(f'{100 * share:.1f} %' for share in shares)} |"


def main(arguments: Sequence[str]) -> None:
    tournaments = int(arguments[0]) if arguments else TOURNAMENTS
    for table in (rows, los_rows):
        for row in table(tournaments):
            print(row, flush=True)
        print()


if __name__ == "__main__":
    main(sys.argv[1:])
