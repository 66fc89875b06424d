"""Searches with a time: they stop themselves, have a move, and are what the same search without one is, so far."""

from __future__ import annotations

import pytest

from nimtui.agents import parse_agent
from nimtui.agents.agent import Deterministic
from nimtui.arena.play.plan import plan
from nimtui.arena.standings.standings import remark
from nimtui.engine import limits
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game
from nimtui.trees import parse, search_of

FOUR, TOWER = parse_game("connect4"), parse_game("tower:16")


class Clock:
    """A clock that goes on by a step whenever somebody looks at it."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock(0.001)
    for module in ("nimtui.trees.depth_first", "nimtui.trees.mcts", "nimtui.engine.limits"):
        monkeypatch.setattr(f"{module}.perf_counter", clock)
    monkeypatch.setattr(limits, "_learned", {})
    return clock


@pytest.mark.slow
def test_alpha_beta_plays_the_best_move_of_the_last_depth_it_finished(clock: Clock) -> None:
    found = search_of(FOUR, FOUR.start, parse("alphabeta:time=0.05")).run().result
    assert found.finished and not found.exact and found.depth is not None and found.depth > 1
    assert [step.depth for step in found.iterations] == list(range(1, found.depth + 1))
    same = search_of(FOUR, FOUR.start, parse(f"alphabeta:depth={found.depth},deepening=yes")).run().result
    assert (found.best_move, found.value, found.moves) == (same.best_move, same.value, same.moves)
    assert found.nodes >= same.nodes
    line = base.copy(FOUR.start)
    for move in found.principal_variation:
        assert base.legal(line, move)
        base.play(line, move)
    assert found.principal_variation[0] == found.best_move


@pytest.mark.slow
def test_alpha_beta_needs_no_more_time_than_the_game_does() -> None:
    game = parse_game("nim:1,2,3")
    found = search_of(game, game.start, parse("alphabeta:time=3600")).run().result
    assert found.finished and found.exact and found.seconds < 3600


def test_a_depth_still_is_a_limit() -> None:
    found = search_of(FOUR, FOUR.start, parse("alphabeta:time=3600,depth=3")).run().result
    assert found.finished and found.depth == 3


@pytest.mark.slow
def test_tree_search_simulates_until_the_time_is_up(clock: Clock) -> None:
    clock.step = 0.01  # a chunk seems to take 0.02 s and more: chunks do not grow
    found = search_of(FOUR, FOUR.start, parse("mcts:time=0.2")).run().result
    assert found.finished and found.simulations is not None and found.simulations > 50
    same = search_of(FOUR, FOUR.start, parse(f"mcts:simulations={found.simulations}")).run().result
    assert (found.moves, found.best_move) == (same.moves, same.best_move)


def test_simulations_still_are_a_limit() -> None:
    found = search_of(FOUR, FOUR.start, parse("mcts:time=3600,simulations=90")).run().result
    assert found.finished and found.simulations == 90


def test_tree_search_ends_where_there_is_no_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimtui.trees.mcts.TIMED_BYTES", 20_000)
    search = search_of(FOUR, FOUR.start, parse("mcts:time=3600")).run()
    assert search.result.finished and search.result.simulations is not None
    assert 30 < search.result.simulations < 50_000 and search.result.space.used_bytes <= search.bytes_needed


@pytest.mark.slow
@pytest.mark.parametrize("way", ["mcts:time=0.001", "alphabeta:time=0.001,order=best-first"])
@pytest.mark.parametrize("step", [10.0])
def test_there_always_is_a_move_however_short_the_time(way: str, step: float, clock: Clock) -> None:
    clock.step = step
    agent = parse_agent(way, TOWER)
    decision = agent.decide(TOWER.new(), Stream(0))
    assert base.legal(TOWER.start, decision.move)
    assert len(decision.thoughts) == base.count(TOWER.start)


def test_what_alpha_beta_has_not_seen_to_the_end_is_no_certain_draw(clock: Clock) -> None:
    agent = parse_agent("alphabeta:time=0.005", FOUR)
    assert not isinstance(agent, Deterministic) and isinstance(parse_agent("alphabeta:depth=2", FOUR), Deterministic)
    thoughts = agent.decide(FOUR.new(), Stream(0)).thoughts
    assert all(thought.value is None for thought in thoughts)


def test_a_tournament_says_who_depends_on_the_machine() -> None:
    agents = ["random", "mcts:time=0.5", "alphabeta:time=1"]
    said = remark(plan(["nim:1,2,3"], agents))
    timed = "mcts:time=0.5,c=1.0 and alphabeta:time=1.0"
    assert said[-1] == f"{timed} play by the clock: another machine plays other games."
    assert not any("clock" in line for line in remark(plan(["nim:1,2,3"], ["random", "perfect"])))
