"""Flat Monte Carlo: what it sees, what it cannot see, how it is stopped."""

from __future__ import annotations

import numpy as np
import pytest

from nimtui.agents import Decision, parse_agent
from nimtui.agents.mc import sees_nothing
from nimtui.engine.rng import Stream
from nimtui.games import Game, base, parse_game
from nimtui.games.base import State
from nimtui.progress import Cancelled, Progress, TimeUp, Within
from nimtui.theory.truth import truth
from nimtui.ui.search.screen import HELP
from tests.agents.chance import plausible, uniform
from tests.agents.subtraction import against_perfect_value, flat_value, right, takes
from tests.stops import StopAfter
from tests.theory.force import Force

MATCHES = parse_game("subtraction:22,3:misere")


def decide(spec: str, matches: int, seed: int = 0) -> Decision:
    agent = parse_agent(spec, MATCHES)
    return agent.decide(MATCHES.new(str(matches)), Stream(seed))


@pytest.mark.parametrize("matches", [6, 21])
def test_each_moves_wins_are_as_the_recursion_says(matches: int) -> None:
    for thought in decide("mc:playouts=3000", matches).thoughts:
        assert thought.wins is not None and thought.losses is not None
        assert thought.wins + thought.losses == 3_000
        assert thought.draws == 0
        assert thought.value == (thought.wins - thought.losses) / 3_000
        take = thought.move + 1
        assert plausible(thought.wins, 3_000, (1 + flat_value(matches, take)) / 2)
    for thought in decide("mc:playouts=3000,policy=perfect-opponent", matches).thoughts:
        chance = (1 + against_perfect_value(matches, thought.move + 1)) / 2
        assert plausible(thought.wins or 0, 3_000, chance)


@pytest.mark.slow
def test_it_is_right_at_few_matches_and_picks_losing_moves_at_10_11_12_and_14() -> None:
    # source: the subtraction tournament, and the limit by the recursion: right only at 2, 3, 4, 6, 7, 8
    for matches in (2, 3, 4, 6, 7, 8):
        assert decide("mc:playouts=100000", matches).move + 1 in right(matches)
    for matches in (10, 11, 12, 14):
        assert right(matches)
        best = max(takes(matches), key=lambda take: flat_value(matches, take))
        assert best not in right(matches)
        assert decide("mc:playouts=1000000", matches).move + 1 == best


@pytest.mark.parametrize("name", ["nim:2,3", "connect:3x2x3"])
def test_one_playout_of_two_perfect_players_is_the_exact_value_of_its_move(name: str) -> None:
    game = parse_game(name)
    few, many = (parse_agent(f"mc:playouts={number},policy=perfect-both", game) for number in (1, 5))
    known = truth(game)
    for node in range(0, len(known.graph.order), max(1, len(known.graph.order) // 9)):
        state = game.at(known.graph.boards[node].astype(np.int64))
        one, more = (agent.decide(state, Stream(node)) for agent in (few, many))
        edges = range(int(known.graph.ptr[node]), int(known.graph.ptr[node + 1]))
        for edge, thought, again in zip(edges, one.thoughts, more.thoughts, strict=True):
            to = int(known.graph.to[edge])
            value = {-1: 1, -2: -1, -3: 0}[to] if to < 0 else -int(known.values[to])  # for the player who moves
            assert thought.value == again.value == value
        assert max(thought.value for thought in one.thoughts) == known.values[node]
        assert "One playout says as much as a thousand" in one.note


def test_ties_are_broken_uniformly() -> None:
    # All six moves of 3,3 misère are lost against a perfect opponent, in every playout.
    game = parse_game("nim:3,3:misere")
    agent = parse_agent("mc:playouts=1,policy=perfect-opponent", game)
    stream = Stream(5)
    counts = [0] * game.size
    for _ in range(300):
        decision = agent.decide(game.new("1,1"), stream)
        counts[decision.move] += 1
    assert sum(count > 0 for count in counts) == 2
    assert uniform([count for count in counts if count])


def test_it_leaves_the_position_as_it_was_and_depends_on_its_seed() -> None:
    first, again, other = (decide("mc:playouts=99", 21, seed) for seed in (1, 1, 2))
    assert first.thoughts == again.thoughts != other.thoughts and first.move == again.move
    for spec in ("mc:playouts=10", "mc:playouts=10,policy=perfect-opponent"):
        state = MATCHES.new("17")
        parse_agent(spec, MATCHES).decide(state, Stream(0))
        assert MATCHES.position_name(state) == "17"


def random_wins(game: Game, state: State, known: dict[bytes, float]) -> float:
    """With both at random, the probability that the player to move wins: an oracle for any small game."""
    place = state.board.tobytes()
    if place not in known:
        after = [1 - random_wins(game, game.after(state, move), known) for move in base.legal_moves(state)]
        known[place] = sum(after) / len(after) if after else float(base.outcome(state) == base.LOST)
    return known[place]


@pytest.mark.parametrize("name", ["nim:3,2,1", "nim:3,2,1:misere", "nim:3,3:max=2", "adjacent:2,3"])
def test_the_note_comes_exactly_where_the_theorem_holds(name: str) -> None:
    assert "a move that leaves two rows of two or more matches wins half of its games" in HELP
    game, known, blind = parse_game(name), dict[bytes, float](), 0
    for state in Force(name).every():
        chances = [1 - random_wins(game, game.after(state, move), known) for move in base.legal_moves(state)]
        even = bool(chances) and all(abs(chance - 0.5) < 1e-12 for chance in chances)
        blind += sees_nothing(state)
        assert even == sees_nothing(state) or (even and (":max" in name or name.startswith("adjacent")))
    assert (blind > 0) == name.startswith("nim")


def test_no_note_against_a_perfect_opponent_nor_where_takes_are_limited() -> None:
    nim = parse_game("nim:3,5")
    assert parse_agent("mc:playouts=1", nim).decide(nim.new(), Stream(0)).note
    spec = "mc:playouts=1,policy=perfect-opponent"
    assert parse_agent(spec, nim).decide(nim.new(), Stream(0)).note == ""
    limited = parse_game("nim:3,5:max=3")
    agent = parse_agent("mc:playouts=1", limited)
    assert agent.decide(limited.new(), Stream(0)).note == ""
    assert agent.decide(limited.new("3,3"), Stream(0)).note  # from here on the limit forbids nothing


def test_draws_are_counted() -> None:
    game = parse_game("connect:3x3x3")
    decision = parse_agent("mc:playouts=2000", game).decide(game.new(), Stream(0))
    for thought in decision.thoughts:
        assert thought.draws and thought.wins is not None and thought.losses is not None
        assert thought.wins + thought.losses + thought.draws == 2000
        assert thought.value == (thought.wins - thought.losses) / 2000


@pytest.mark.parametrize("policy", ["random", "perfect-opponent"])
def test_it_is_stopped_between_chunks(policy: str) -> None:
    agent = parse_agent(f"mc:playouts=1000000000,policy={policy}", MATCHES)
    agent.prepare()
    with pytest.raises(Cancelled):
        agent.decide(MATCHES.new(), Stream(0), StopAfter(2))


def test_a_position_the_start_does_not_lead_to_has_a_perfect_opponent_too() -> None:
    whole = parse_game("nim:3,2")
    late = Game(whole.module, base.with_board(whole.start, whole.parse_position("1,2")))
    agent = parse_agent("mc:playouts=50,policy=perfect-opponent", late)
    agent.prepare()
    assert agent.ready
    state = whole.new("3,2")
    assert whole.move_name(agent.decide(state, Stream(0)).move, state) == "a1"


class Ticks(Progress):
    """A clock that a report advances by a second, whatever the machine does."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def report(self, done: float, total: float, what: str = "") -> None:
        self.seconds -= 1
        if self.seconds <= 0:
            raise TimeUp

    def seconds_left(self) -> float:
        return self.seconds


@pytest.mark.parametrize("policy", ["random", "perfect-opponent"])
@pytest.mark.parametrize("ticks", [1, 2, 40])
def test_under_a_clock_it_moves_in_time_and_each_move_had_equally_many_playouts(policy: str, ticks: int) -> None:
    agent, clock = parse_agent(f"mc:playouts=1000000000,policy={policy}", MATCHES), Ticks(ticks)
    agent.prepare()
    thoughts = agent.decide(MATCHES.new(), Stream(0), clock).thoughts
    playouts = [(thought.wins or 0) + (thought.losses or 0) for thought in thoughts]
    if ticks < len(thoughts):  # not even the first round ended: the playouts so far decide
        assert playouts == [1] * ticks + [0] * (len(thoughts) - ticks)
    else:
        assert len(set(playouts)) == 1 and playouts[0] >= ticks // (3 * len(thoughts))


def test_the_time_of_a_report_is_no_time_of_the_work() -> None:
    now, heard = [0.0], []

    class Pausing(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            heard.append((done, total))
            now[0] += 50  # a pause

    clock = Within(Pausing(), 2, lambda: now[0])
    for _ in range(2):
        clock.report(0, 9)
        now[0] += 1
    assert clock.seconds_left() == 0 and heard == [(0, 2), (1, 2)]
    with pytest.raises(TimeUp):
        clock.report(0, 9)
