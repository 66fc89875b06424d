"""Flat Monte Carlo: what it sees, what it cannot see, how it is stopped."""

from __future__ import annotations

import numpy as np
import pytest

from nimtui.agents import Decision, parse_agent
from nimtui.agents.mc import BLIND, sees_nothing
from nimtui.agents.searching import depends_on_the_machine
from nimtui.engine.playouts import rounds
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import Game, base, parse_game
from nimtui.progress import Cancelled, Progress, TimeUp, Within
from nimtui.theory.truth import truth
from tests.agents.chance import plausible, uniform
from tests.agents.subtraction import against_perfect_value, flat_value, lost, right, takes
from tests.stops import StopAfter

MATCHES = parse_game("subtraction:22,3:misere")


def decide(spec: str, matches: int, seed: int = 0) -> Decision:
    agent = parse_agent(spec, MATCHES)
    return agent.decide(MATCHES.new(str(matches)), Stream(seed))


@pytest.mark.parametrize("matches", [6, 10, 13, 21])
def test_each_moves_wins_are_as_the_recursion_says(matches: int) -> None:
    for thought in decide("mc:playouts=20000", matches).thoughts:
        assert thought.wins is not None and thought.losses is not None
        assert thought.wins + thought.losses == 20_000
        assert thought.draws == 0
        assert thought.value == (thought.wins - thought.losses) / 20_000
        take = thought.move + 1
        assert plausible(thought.wins, 20_000, (1 + flat_value(matches, take)) / 2)


@pytest.mark.parametrize("matches", [6, 10, 13, 21])
def test_against_a_perfect_opponent_too(matches: int) -> None:
    for thought in decide("mc:playouts=20000,policy=perfect-opponent", matches).thoughts:
        assert thought.wins is not None
        take = thought.move + 1
        assert plausible(thought.wins, 20_000, (1 + against_perfect_value(matches, take)) / 2)


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


def test_the_perfect_opponent_sets_all_15_winnable_positions_right() -> None:
    # source: the subtraction tournament, accuracy over the 15 N-positions of 2 to 20 matches: 1.0 with 1,000 playouts
    winnable = [matches for matches in range(2, 21) if not lost(matches)]
    assert len(winnable) == 15
    for matches in winnable:
        move = decide("mc:policy=perfect-opponent", matches, seed=matches).move
        assert [move + 1] == right(matches)


@pytest.mark.parametrize("name", ["subtraction:21,3:misere", "nim:4,3,2", "kayles:9", "connect:3x3x3"])
def test_one_playout_of_two_perfect_players_is_the_exact_value_of_its_move(name: str) -> None:
    game = parse_game(name)
    few, many = (parse_agent(f"mc:playouts={number},policy=perfect-both", game) for number in (1, 40))
    known = truth(game)
    for node in range(0, len(known.graph.order), max(1, len(known.graph.order) // 30)):
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
    for _ in range(3000):
        decision = agent.decide(game.new("1,1"), stream)
        counts[decision.move] += 1
    assert sum(count > 0 for count in counts) == 2
    assert uniform([count for count in counts if count])


def test_the_same_seed_gives_the_same_decision_and_another_seed_another() -> None:
    first, again, other = (decide("mc", 21, seed) for seed in (1, 1, 2))
    assert first.thoughts == again.thoughts and first.move == again.move
    assert first.thoughts != other.thoughts


def test_it_leaves_the_position_as_it_was() -> None:
    for spec in ("mc:playouts=10", "mc:playouts=10,policy=perfect-opponent"):
        state = MATCHES.new("17")
        parse_agent(spec, MATCHES).decide(state, Stream(0))
        assert MATCHES.position_name(state) == "17"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nim:3,5,4,2,6:misere", "nim:3,5,4,2,6"])
@pytest.mark.parametrize("pick", ["uniform-move", "row-then-count"])
def test_in_nim_every_move_scores_one_half_and_the_note_says_so(name: str, pick: str) -> None:
    # source: flat Monte Carlo (40,000 playouts a move; its printed move was chance)
    game = parse_game(name)
    decision = parse_agent(f"mc:playouts=4000,pick={pick}", game).decide(game.new(), Stream(1))
    assert decision.note == BLIND
    assert len(decision.thoughts) == 20
    assert all(plausible(thought.wins or 0, 4000, 0.5) for thought in decision.thoughts)


def random_wins(game, state) -> float:  # type: ignore[no-untyped-def]
    """With both at random, the probability that the player to move wins: an oracle for any small game."""
    result = base.outcome(state)
    if result != base.GOING_ON:
        return 0.0 if result == base.WON else 1.0
    moves = base.legal_moves(state)
    total = 0.0
    for move in moves:
        base.play(state, move)
        total += 1 - random_wins(game, state)
        base.undo(state, move)
    return total / len(moves)


@pytest.mark.parametrize("name", ["nim:3,2,1", "nim:3,2,1:misere", "nim:3,3:max=2", "adjacent:2,3"])
def test_the_note_comes_exactly_where_the_theorem_holds(name: str) -> None:
    game = parse_game(name)
    blind = 0
    for board in every_position(game):
        state = game.at(board)
        chances = []
        for move in base.legal_moves(state):
            base.play(state, move)
            chances.append(1 - random_wins(game, state))
            base.undo(state, move)
        even = bool(chances) and all(abs(chance - 0.5) < 1e-12 for chance in chances)
        if sees_nothing(state):
            blind += 1
            assert even
        elif name.startswith("nim") and ":max" not in name:
            assert not even
    assert (blind > 0) == name.startswith("nim")


def every_position(game) -> list:  # type: ignore[no-untyped-def,type-arg]
    found = {}
    todo = [game.new()]
    while todo:
        state = todo.pop()
        name = game.position_name(state)
        if name in found:
            continue
        found[name] = state.board
        for move in base.legal_moves(state):
            after = base.copy(state)
            base.play(after, move)
            todo.append(after)
    return list(found.values())


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


def test_a_finished_game_has_no_decision() -> None:
    for spec in ("mc", "mc:policy=perfect-opponent", "random", "perfect", "value"):
        with pytest.raises(InputError, match="the game is over"):
            parse_agent(spec, MATCHES).decide(MATCHES.new("0"), Stream(0))


def test_a_perfect_opponent_needs_a_table() -> None:
    with pytest.raises(
        InputError, match="policy=perfect-opponent is not possible here: connect:7x6x4 is too large for a table"
    ):
        parse_agent("mc:policy=perfect-opponent", parse_game("connect4"))


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
@pytest.mark.parametrize("ticks", [1, 2, 5, 40])
def test_under_a_clock_it_moves_in_time_and_each_move_had_equally_many_playouts(policy: str, ticks: int) -> None:
    agent, clock = parse_agent(f"mc:playouts=1000000000,policy={policy}", MATCHES), Ticks(ticks)
    agent.prepare()
    thoughts = agent.decide(MATCHES.new(), Stream(0), clock).thoughts
    playouts = [(thought.wins or 0) + (thought.losses or 0) for thought in thoughts]
    if ticks < len(thoughts):  # not even the first round ended: the playouts so far decide
        assert playouts == [1] * ticks + [0] * (len(thoughts) - ticks)
    else:
        assert len(set(playouts)) == 1 and playouts[0] >= ticks // (3 * len(thoughts))


@pytest.mark.parametrize(
    ("seconds", "first"), [(100.0, [(0, 1), (0, 1000), (1000, 2000)]), (1.0, [(0, 1), (1, 4), (4, 16)])]
)
def test_a_round_with_a_clock_fits_into_the_time_left(seconds: float, first: list[tuple[int, int]]) -> None:
    now = [seconds]
    found = []
    for before, after in rounds(10**9, lambda: now[0]):
        now[0] -= 0.001 * (after - before)  # a thousand playouts a second
        found.append((before, after))
    assert found[:3] == first and 0 < now[0] < 0.01
    assert found[-1][1] == pytest.approx(1000 * seconds, rel=0.01)


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


def test_with_a_time_it_is_named_by_it_and_depends_on_the_machine() -> None:
    agent = parse_agent("mc:time=0.5", MATCHES)
    assert (agent.name, agent.title) == ("mc:time=0.5", "Flat Monte Carlo (0.5 s a move)")
    assert depends_on_the_machine(agent) and not depends_on_the_machine(parse_agent("mc", MATCHES))
    both = parse_agent("mc:time=60,playouts=20", MATCHES)
    assert both.name == "mc:playouts=20,time=60.0" and parse_agent(both.name, MATCHES).name == both.name
    assert [one.wins + one.losses for one in both.decide(MATCHES.new(), Stream(0)).thoughts] == [20, 20, 20]  # type: ignore[operator]
    for wrong in ("0", "-1", "nan", "soon", "4000"):
        with pytest.raises(InputError, match=r"time must be a number of seconds from 0\.001 to 3,600, not"):
            parse_agent(f"mc:time={wrong}", MATCHES)
