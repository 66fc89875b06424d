"""Coverage: how often the 95 % intervals of ratings, scores and seats contain the truth, by simulated tournaments."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from nimtui.arena import scatter
from nimtui.arena.intervals import ELO, Z95, half_width, score_interval
from nimtui.arena.logistic import Logistic

Floats = npt.NDArray[np.float64]
POINTS = np.array([0.0, 0.5, 1.0])


@dataclass(frozen=True)
class World:
    """Agents that meet in pairs of games: the chance of each pair of results, by kind of opening.

    chances: [openings, pairings, 3, 3], for the first movers' results (lost, drew, won): of the pairing's first agent
    in the first game, of its second agent in the second one. often: how often each kind of opening is drawn. `shared`:
    every pairing plays the same openings.
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
        """Chances over all openings, [pairings, 3, 3]."""
        return np.einsum("o,opab->pab", self.often, self.chances)

    def model(self, pairs: int) -> Logistic:
        one, two = np.array(self.pairings).T
        return Logistic(self.agents, np.r_[one, two], np.r_[two, one], np.full(2 * len(one), float(pairs)))


def apart(first: Floats, second: Floats) -> Floats:
    """Independent games: the chances of both results, from each game's."""
    return first[..., :, None] * second[..., None, :]


def outcome(score: Floats, draws: float) -> Floats:
    """Chances of losing, drawing, winning with this expected score; draws as often as that allows, at most `draws`."""
    drawn = np.minimum(draws, 1.9 * np.minimum(score, 1 - score))
    return np.stack([1 - score - drawn / 2, drawn, score - drawn / 2], -1)


def logistic(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


def simulate(world: World, pairs: int, tournaments: int, seed: int) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    model = world.model(pairs)
    number = len(world.pairings)
    batch = max(1, min(tournaments, 40_000_000 // (pairs * 2 * number) if world.shared else tournaments))
    found = []
    done = 0
    while done < tournaments:
        size = min(batch, tournaments - done)
        done += size
        found.append(_batch(world, model, pairs, size, rng))
    estimates, errors, scores, lows, highs = (np.concatenate(part) for part in zip(*found, strict=True))
    truth = long_run(world, model)
    reach = half_width(estimates, errors)
    elo = np.abs(estimates - truth) <= reach
    real = true_scores(world)
    width = (logistic(estimates + reach) - logistic(estimates - reach)) / 2
    ratio = width.mean(0) / (Z95 * logistic(estimates).std(0))
    wide = ((highs - lows) / 2).mean(0) / (Z95 * scores.std(0))
    return {
        "elo": float(elo[:, :-1].mean()),
        "score": float(((lows <= real) & (real <= highs)).mean()),
        "seat": float(elo[:, -1].mean()),
        "elo width": extreme(ratio[:-1]),
        "score width": extreme(wide),
        "seat width": float(ratio[-1]),
        "expected": expected_side(world, pairs),
    }


def extreme(ratios: Floats) -> float:
    return float(ratios[np.abs(np.log(ratios)).argmax()])


def _batch(world: World, model: Logistic, pairs: int, size: int, rng: np.random.Generator):
    number = len(world.pairings)
    if world.shared:
        counts, spread = _shared(world, model, pairs, size, rng)
    else:
        counts = np.stack([rng.multinomial(pairs, chance.ravel(), size) for chance in world.mean], 1).astype(float)
        counts = counts.reshape(size, number, 3, 3)
        spread = None
    first, second = counts.sum(-1), counts.sum(-2)  # [size, pairings, 3]
    results = np.concatenate([first, second], 1)
    variance = scatter.variances(results[..., 2], results[..., 1], results[..., 0])
    points = results @ POINTS
    if spread is None:
        spread = scatter.independent(model.design, model.games, variance)
    x = model.fit(points)
    covariance = model.covariance(x, spread)
    total = spread + model.prior_scatter(x)
    contrast = contrasts(world.agents)
    errors = np.sqrt(np.einsum("kp,fpq,kq->fk", contrast, covariance, contrast))
    gained = np.zeros((size, world.agents))
    for k, (i, j) in enumerate(world.pairings):
        gained[:, i] += points[:, k] + pairs - points[:, number + k]
        gained[:, j] += points[:, number + k] + pairs - points[:, k]
    games = 2 * pairs * (world.agents - 1)
    low, high = score_interval(
        gained, np.full_like(gained, games), np.diagonal(total, axis1=1, axis2=2)[:, : world.agents]
    )
    return x @ contrast.T, errors, gained / games, low, high


def _shared(world, model, pairs, size, rng):
    number = len(world.pairings)
    kinds = rng.choice(len(world.often), (size, pairs), p=world.often)
    both = np.empty((size, number, pairs), np.int8)
    for k in range(number):
        edges = np.cumsum(world.chances[:, k].reshape(len(world.often), 9), 1)[kinds]
        both[:, k] = (rng.random((size, pairs))[..., None] > edges[..., :8]).sum(-1)
    counts = np.stack([(both == kind).sum(-1) for kind in range(9)], -1).reshape(size, number, 3, 3).astype(float)
    sums = np.zeros((size, model.agents + 1, pairs))
    for k in range(number):
        for cell, part in ((k, both[:, k] // 3), (number + k, both[:, k] % 3)):
            away = part / 2 - (part / 2).mean(-1, keepdims=True)
            away *= np.sqrt(pairs / (pairs - 1))
            for parameter in np.flatnonzero(model.design[cell]):
                sums[:, parameter] += model.design[cell, parameter] * away
    return counts, sums @ sums.transpose(0, 2, 1)


def contrasts(agents: int) -> Floats:
    found = np.eye(agents + 1)
    found[:agents, :agents] -= 1 / agents
    return found


def long_run(world: World, model: Logistic) -> Floats:
    many = replace(model, games=model.games * 1e9)
    mean = world.mean
    points = np.concatenate([mean.sum(2) @ POINTS, mean.sum(1) @ POINTS])[None] * many.games
    return (many.fit(points) @ contrasts(world.agents).T)[0]


def true_scores(world: World) -> Floats:
    mean = world.mean
    first, second = mean.sum(2) @ POINTS, mean.sum(1) @ POINTS
    found = np.zeros(world.agents)
    for k, (i, j) in enumerate(world.pairings):
        found[i] += first[k] + 1 - second[k]
        found[j] += second[k] + 1 - first[k]
    return found / (2 * (world.agents - 1))


def expected_side(world: World, pairs: int) -> float:
    """The fewest pairs expected on one side of a pairing's mean result."""
    fewest = np.inf
    for chance in world.mean:
        total = np.zeros(5)
        for a in range(3):
            for b in range(3):
                total[a + 2 - b] += chance[a, b]
        values = np.arange(5)
        mean = (total * values).sum()
        fewest = min(fewest, pairs * total[values < mean].sum(), pairs * total[values > mean].sum())
    return float(fewest)


# The worlds.


def strengths(agents: int, span: float) -> Floats:
    return np.linspace(span / 2, -span / 2, agents) / ELO


def fitted(agents: int, draws: float, seat: float = 40.0, span: float = 160.0) -> World:
    theta = strengths(agents, span)
    one, two = np.array(list(combinations(range(agents), 2))).T
    first = outcome(logistic(theta[one] - theta[two] + seat / ELO), draws)
    second = outcome(logistic(theta[two] - theta[one] + seat / ELO), draws)
    return World(agents, apart(first, second)[None], np.ones(1))


def seats_differ(agents: int, draws: float) -> World:
    theta = strengths(agents, 160)
    one, two = np.array(list(combinations(range(agents), 2))).T
    seat = np.linspace(-120, 240, agents) / ELO
    first = outcome(logistic(theta[one] - theta[two] + seat[one]), draws)
    second = outcome(logistic(theta[two] - theta[one] + seat[two]), draws)
    return World(agents, apart(first, second)[None], np.ones(1))


def never_lost(agents: int) -> World:
    one, two = np.array(list(combinations(range(agents), 2))).T
    gap = (two - one) / agents
    won = 0.3 + 0.5 * gap
    zero = np.zeros_like(won)
    first = np.stack([zero, 1 - won, won], -1)
    second = np.stack([won * 0.9, 1 - won * 0.9, zero], -1)
    return World(agents, apart(first, second)[None], np.ones(1))


def paired(agents: int, draws: float) -> World:
    theta = strengths(agents, 160)
    one, two = np.array(list(combinations(range(agents), 2))).T
    kinds = np.array([-500.0, -100.0, 60.0, 500.0]) / ELO
    chances = [
        apart(
            outcome(logistic(theta[one] - theta[two] + seat), draws),
            outcome(logistic(theta[two] - theta[one] + seat), draws),
        )
        for seat in kinds
    ]
    return World(agents, np.array(chances), np.array([0.3, 0.2, 0.2, 0.3]), shared=True)


WORLDS: dict[str, Callable[[int], World]] = {
    "no draws": lambda agents: fitted(agents, 0.0),
    "30 % draws": lambda agents: fitted(agents, 0.3),
    "93 % draws": lambda agents: fitted(agents, 0.93, seat=5, span=30),
    "a seat that decides": lambda agents: fitted(agents, 0.0, seat=450),
    "no loss at all": never_lost,
    "seats that differ": lambda agents: seats_differ(agents, 0.2),
    "shared openings": lambda agents: paired(agents, 0.0),
    "shared openings, draws": lambda agents: paired(agents, 0.3),
}


def main(arguments: Sequence[str]) -> None:
    tournaments = int(arguments[0]) if arguments else 4_000
    for name, make in WORLDS.items():
        for agents in (2, 4, 8):
            for games in (10, 100, 1000):
                row = simulate(make(agents), games // 2, tournaments, 7)
                print(
                    f"{name:<24}{agents:>2}{games:>6}  side {row['expected']:>6.1f}  "
                    + "  ".join(f"{key} {row[key]:.3f}" for key in ("elo", "score", "seat"))
                    + "  "
                    + "  ".join(f"{key} {row[key]:.2f}" for key in ("elo width", "score width", "seat width")),
                    flush=True,
                )


if __name__ == "__main__":
    main(sys.argv[1:])
