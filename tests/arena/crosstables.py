"""Random tournaments, their results game by game, and plain sums of these: what every sentence is checked against."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from nimtui.arena.play.batch import Batch
from nimtui.arena.play.entrants import labels
from nimtui.arena.play.plan import GAUNTLET, ONE_SIDED, ORDERED, ROUND_ROBIN, Plan, plan
from nimtui.arena.standings.ledger import EqualFaults, Ledger, joined
from nimtui.arena.standings.standings import PairingScore
from nimtui.jobs.tournament import View

AGENTS = ("random", "perfect", "mc:playouts=5", "mc:playouts=50", "value", "easy")
GAMES = ("subtraction:21,3:misere", "connect:3x3x3")
# A strength for each agent and one worth of the seat, or chances of each agent against each other one; who moves first
# or second wins all, or all but one game; in a circle the first beats the second, that the third, and that the first.
KINDS = ("model", "cells", "first", "second", "almost first", "draws", "one wins all", "one loses all", "circle")
PLAYED = ("all", "all", "all", "some", "some", "first", "none")


@dataclass(frozen=True)
class Tally:
    """Plain counts of an agent, a pair or a seat."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2

    @property
    def all_alike(self) -> bool:
        """Return whether all games were won, or all lost; also of no games."""
        return self.games in (self.won, self.lost)

    @property
    def turned(self) -> Tally:
        return Tally(self.lost, self.drawn, self.won)


@dataclass(frozen=True, eq=False)
class Field:
    """A plan and its results."""

    plan: Plan
    results: tuple[npt.NDArray[np.int8], ...]  # by pairing and number: −1, 0, 1 for the pairing's first, −2 missing
    faults: tuple[frozenset[int], ...]  # by pairing: numbers of the games lost by a fault

    @property
    def names(self) -> tuple[str, ...]:
        return labels(self.plan.agents)

    @property
    def paired(self) -> bool:
        """Return whether two games share an opening."""
        return self.plan.openings.kind != "start" and self.plan.alternate

    def games(self, place: int) -> Iterator[tuple[int, int, int]]:
        """Give who moved first, who moved second, and the first mover's result, in a pairing."""
        _, one, other = self.plan.pairings[place]
        for number, result in enumerate(self.results[place].tolist()):
            if result == -2:
                continue
            turned = self.plan.alternate and number % 2 == 1
            yield (other, one, -result) if turned else (one, other, result)

    @cached_property
    def cells(self) -> dict[tuple[int, int], Tally]:
        """Return the first mover's results, by first and second mover."""
        found: dict[tuple[int, int], list[int]] = {}
        for place in range(len(self.results)):
            for first, second, result in self.games(place):
                found.setdefault((first, second), [0, 0, 0])[1 - result] += 1
        return {two: Tally(*counts) for two, counts in found.items()}

    def cell(self, first: int, second: int) -> Tally:
        return self.cells.get((first, second), Tally())

    def between(self, one: int, other: int) -> Tally:
        return self.cell(one, other) + self.cell(other, one).turned

    @cached_property
    def of_agents(self) -> list[Tally]:
        """Return each agent's results against others."""
        agents = range(len(self.plan.agents))
        return [sum((self.between(at, o) for o in agents if o != at), Tally()) for at in agents]

    @property
    def first_movers(self) -> Tally:
        return sum(self.cells.values(), Tally())

    def pairs(self, place: int) -> list[float]:
        """Return the first agent's points in the complete pairs of a pairing."""
        row = self.results[place].tolist()
        return [(a + b) / 2 + 1 for a, b in zip(row[::2], row[1::2], strict=False) if a > -2 and b > -2]

    def sides(self, place: int) -> tuple[int, int]:
        """Return how many pairs are below and above their mean."""
        pairs = self.pairs(place)
        mean = round(4 * sum(pairs))  # exact: points are halves
        return (
            sum(4 * value * len(pairs) < mean for value in pairs),
            sum(4 * value * len(pairs) > mean for value in pairs),
        )

    @cached_property
    def group(self) -> set[int]:
        """Return the largest group of agents that met, directly or through others; of equals the earliest."""
        left, best = list(range(len(self.plan.agents))), set[int]()
        while left:
            group, edge = {left[0]}, [left[0]]
            while edge:
                here = edge.pop()
                found = {o for o in left if o not in group and self.between(here, o).games}
                group |= found
                edge += found
            best = group if len(group) > len(best) else best
            left = [at for at in left if at not in group]
        return best if len(best) > 1 else set()

    @cached_property
    def ledgers(self) -> list[Ledger]:
        found = []
        for place, row in enumerate(self.results):
            ledger = Ledger(self.plan, place)
            ledger.add(batch(self.plan, row, self.faults[place]))
            found.append(ledger)
        return found

    @cached_property
    def scores(self) -> tuple[PairingScore, ...]:
        return tuple(ledger.score for ledger in self.ledgers)

    @cached_property
    def view(self) -> View:
        shared = self.plan.openings.kind != "start"
        latest = next((ledger.latest_fault for ledger in reversed(self.ledgers) if ledger.latest_fault), "")
        results = tuple(ledger.results() for ledger in self.ledgers) if shared else ()
        done = sum(score.played for score in self.scores)
        kinds: tuple[EqualFaults, ...] = ()
        for ledger in self.ledgers:
            kinds = joined(kinds, ledger.new_kinds())
        shown = View(self.plan, self.scores, done, self.plan.total, 1.0, 0.0, None, (), latest, "")
        return replace(shown, results=results, kinds=kinds)


def batch(plan: Plan, row: npt.NDArray[np.int8], faults: frozenset[int] = frozenset()) -> Batch:
    """Return these results as games without moves. Each player had 4 chances, and made a mistake in games it lost."""
    number = np.flatnonzero(row > -2)
    result, size = row[number], len(number)
    opener = (number % 2 if plan.alternate else np.zeros(size, int)).astype(np.int8)
    moves = np.zeros(size, np.int16), np.zeros(size + 1, np.int64), np.zeros(0, np.int16)
    counts = np.full((size, 2), 5, np.int32), np.full((size, 2), 4, np.int32)
    lost = np.stack([result == -1, result == 1], 1).astype(np.int32)
    fell = {place: "it fell asleep" for place, game in enumerate(number.tolist()) if game in faults}
    return Batch(number, opener, *moves, result, *counts, lost, np.zeros(size), fell)


@st.composite
def fields(draw: st.DrawFn) -> Field:
    """Draw a tournament of 1 to 6 agents and its results, also extreme ones."""
    pairs = draw(st.sampled_from((ROUND_ROBIN, GAUNTLET, ORDERED, ONE_SIDED)))
    agents = 2 if pairs == ONE_SIDED else draw(st.integers(1 if pairs == ORDERED else 2, 6))
    games = draw(st.sampled_from((GAMES[:1], GAMES[1:], GAMES)))
    number = draw(st.sampled_from((60, 200, 2000, 121, 21, 3, 2, 1)))
    openings = draw(st.sampled_from(("start", "random:2", "balanced:2")))
    if games != GAMES[:1] and openings.startswith("balanced"):
        openings = "random:2"
    made = plan(games, AGENTS[:agents], pairs, number, openings)
    kind, played = draw(st.sampled_from(("cells", "circle", "model", *KINDS))), draw(st.sampled_from(PLAYED))
    draws, faulty = draw(st.sampled_from((0.0, 0.3, 0.9))), draw(st.sampled_from((0.0, 0.0, 0.05)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return _field(made, kind, played, draws, faulty, rng)


def _field(made: Plan, kind: str, played: str, draws: float, faulty: float, rng: np.random.Generator) -> Field:
    strength, seat = rng.normal(0, 1, len(made.agents)), rng.normal(0, 1)
    chosen = int(rng.integers(len(made.agents)))
    exception = int(rng.integers(len(made.pairings)))
    rows, faults = [], []
    for place, (_, one, other) in enumerate(made.pairings):
        number = np.arange(made.number)
        opener = number % 2 if made.alternate else np.zeros(made.number, int)
        sign = 1 - 2 * opener
        wins = ((one == chosen) - (other == chosen)) / 2
        even = np.full(made.number, 0.5)
        share = {
            "model": 1 / (1 + np.exp(-(strength[one] - strength[other] + seat * sign))),
            "cells": rng.random(2)[opener],
            "first": (sign + 1) / 2,
            "second": (1 - sign) / 2,
            "almost first": (sign + 1) / 2,
            "one wins all": even + wins,
            "one loses all": even - wins,
            "circle": even + 0.4 * ((other - one) % 3 == 1) - 0.4 * ((one - other) % 3 == 1),
        }.get(kind, even)
        drawn = 1.0 if kind == "draws" else draws if kind in ("model", "cells", "circle") else 0.0
        drawn = drawn * 2 * np.minimum(share, 1 - share)
        sample = rng.random(made.number)
        row = np.where(sample < share - drawn / 2, 1, np.where(sample < share + drawn / 2, 0, -1)).astype(np.int8)
        if kind == "almost first" and place == exception:
            row[int(rng.integers(made.number))] *= -1
        there = {
            "all": np.ones(made.number, bool),
            "some": rng.random(made.number) < rng.choice([0.0, 0.3, 0.9]),
            "first": (number == 0) & (place == 0),
            "none": np.zeros(made.number, bool),
        }[played]
        rows.append(np.where(there, row, -2).astype(np.int8))
        wrong = np.flatnonzero(there & (row != 0) & (rng.random(made.number) < faulty))
        faults.append(frozenset(wrong.tolist()))
    return Field(made, tuple(rows), tuple(faults))
