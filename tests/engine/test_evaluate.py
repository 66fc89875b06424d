"""What tables are worth: verdicts on their moves, where they come to move, and their chances, by plain recursion."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from nimtui.engine import evaluate, exact, graph, limits, policy
from nimtui.games import parse_game
from tests.theory.force import Force


@pytest.mark.parametrize("name", ["connect:3x2x2", "noughts:3x2x3", "nim:2,3:misere", "connect:1x3x3"])
def test_verdicts_places_and_chances_of_tables_are_those_of_plain_recursions(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked = list[int]()
    monkeypatch.setattr(limits.Pace, "begin", lambda *_: 2)  # nodes of a call
    monkeypatch.setattr(limits.Pace, "end", lambda pace, done: worked.append(done))
    force, built = Force(name), graph.build(parse_game(name).new())
    values, ends = exact.values(built), {-1: 1, -2: -1, -3: 0}
    keeps, draw, nodes = exact.keeps(built, values), np.random.default_rng(3), range(len(built.order))
    edges = [range(*built.ptr[node : node + 2].tolist()) for node in nodes]
    tables = [draw.integers(0, 3, len(built.to)) for _ in range(2)]
    best: list[Any] = [[[e for e in row if of[e] == max(of[row.start : row.stop])] for row in edges] for of in tables]
    best.append([[e for e in row if keeps[e]] for row in edges])

    @cache
    def chances(node: int, mover: int, players: tuple[int, int]) -> tuple[Fraction, Fraction]:
        """Of a win of the first of two players, and of a draw; `mover` is 0 or 1."""
        moves, win, even = best[players[mover]][node], Fraction(0), Fraction(0)
        for to in (int(built.to[edge]) for edge in moves):
            part = chances(to, 1 - mover, players) if to >= 0 else (ends[to] == (-1 if mover else 1), to == -3)
            win, even = win + Fraction(part[0], len(moves)), even + Fraction(part[1], len(moves))
        return win, even

    told = evaluate.between(built, tables[0], tables[1])
    wanted = [[list(map(float, chances(node, mover, (0, 1)))) for mover in (0, 1)] for node in nodes]
    np.testing.assert_allclose(told, wanted, rtol=0, atol=1e-12)
    for second in (False, True):
        win, even = chances(built.start, int(second), (0, 2))
        told = evaluate.against_perfect(built, keeps, tables[0], second)
        assert told == pytest.approx((float(win), float(even), float(1 - win - even)), abs=1e-12)
    verdicts, shares = evaluate.judge(built, values, keeps, tables[0])
    for node, state in enumerate(map(force.game.at, built.boards)):
        right = [bool(keeps[edge]) for edge in best[0][node]]
        kind = evaluate.RIGHT if all(right) else evaluate.UNDECIDED if any(right) else evaluate.WRONG
        lost = force.value(state)[0] < 0
        assert (verdicts[node], shares[node]) == ((evaluate.NOTHING, 0) if lost else (kind, sum(right) / len(right)))
    assert len({*verdicts.tolist()}) > 1 or name == "connect:1x3x3"
    for seats in ((True, False), (False, True), (True, True)):
        replies = {int(built.to[edge]) for edge in edges[built.start]}
        met = {to for to in (built.start,) * seats[0] + tuple(replies) * seats[1] if to >= 0}
        waiting = [*met]
        for node in waiting:  # it grows as it goes
            after = {int(built.to[edge]) for edge in best[0][node]}
            new = {int(built.to[e]) for to in after if to >= 0 for e in edges[to] if built.to[e] >= 0} - met
            met |= new
            waiting += new
        worked.clear()
        assert set(np.flatnonzero(evaluate.reached(built, tables[0], seats)).tolist()) == met
        assert worked.index(0) == len(worked) - 1  # the last call ended early


def test_chances_never_fall_below_nothing_and_a_player_has_its_edges_in_order() -> None:
    assert evaluate.chances_of(np.array([0.5, 0.25])) == evaluate.Chances(0.5, 0.25, 0.25)
    assert evaluate.chances_of(np.array([0.9, 0.2])).loss == 0.0
    built = graph.build(parse_game("nim:1,1").new())  # the second row alone, the first alone, both
    may = np.array([True, True, False, True])
    player = policy.among(built, may)
    told = (player.ptr.tolist(), player.edges.tolist(), player.casual.tolist())
    assert told == ([0, 1, 2, 3], [0, 1, 3], [False] * 3)
    assert policy.among(built, may, ~may[:3]).casual.tolist() == [False, False, True]
