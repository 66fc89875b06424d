"""Random, perfect and value: right where it can be right, and even-handed where it cannot."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from nimtui.agents import parse_agent
from nimtui.engine.rng import Stream
from nimtui.games import Game, base, parse_game, registry
from nimtui.games.base import State
from nimtui.theory.truth import truth
from tests.agents.chance import uniform
from tests.examples import few, with_slow
from tests.games import takeaway, wythoff
from tests.games.refusal import refusal
from tests.theory.force import Force

for module in (wythoff, takeaway):  # games from elsewhere, of which nothing here knows
    registry.add(module)

GAMES = ["nim:3,2,1", "nim:5,4:max=2:misere", "kayles:5,1:misere", "connect:3x2x2", "wythoff:4,5", "takeaway:9"]


def check(who: str, game: Game, force: Force, state: State, seed: int = 0) -> int:
    """Check every move's value, and that the chosen one keeps the outcome; return it."""
    before = state.board.tolist()
    decision = parse_agent(who, game).decide(state, Stream(seed))
    values = {move: sign for move, (sign, _) in force.worth(state).items()}
    assert {thought.move: thought.value for thought in decision.thoughts} == values
    assert values[decision.move] == force.value(state)[0] and state.board.tolist() == before
    return decision.move


@pytest.mark.parametrize("name", with_slow(GAMES, "wythoff:4,5"))
def test_every_moves_value_is_that_of_brute_force(name: str) -> None:
    force = Force(name)
    order = ",order=killer" if name in few(GAMES[:4], GAMES) else ""  # it is compiled for each kind of game
    states = [state for state in force.every() if base.outcome(state) == base.GOING_ON]
    for number, state in enumerate(states[:: 1 + len(states) // 30]):
        check(("perfect", "value", "minimax:depth=-1")[number % 3], force.game, force, state)
        bounds = parse_agent(f"alphabeta:depth=-1{order}", force.game).decide(state, Stream(0))
        worth = force.worth(state)
        certain = {thought.move: thought.value for thought in bounds.thoughts if thought.value is not None}
        assert certain[bounds.move] == force.value(state)[0]
        assert certain == {move: worth[move][0] for move in certain}


@pytest.mark.slow
@pytest.mark.parametrize("who", ["perfect", "value", "perfect:won=fastest,lost=longest"])
def test_from_a_late_position_they_play_a_game_that_is_too_large_from_its_start(who: str) -> None:
    whole = parse_game("noughts:4x4x4")
    line = refusal(parse_agent, who, whole)
    assert "cannot play noughts:4x4x4: " in line and " 43,046,721 positions" in line
    for position in ("xoxo/oxox/xo../....", "xo../ox../..xo/oxxo"):
        game, force = whole.beginning(position), Force(whole)
        assert game == whole and game.start is whole.start and game.position_name(game.first) == position
        state, ply = game.new(position), 0
        while base.outcome(state) == base.GOING_ON:
            base.play(state, check(who, game, force, state, ply))
            ply += 1


@pytest.mark.parametrize("who", ["random", "perfect", "value"])
def test_moves_that_are_as_good_are_as_likely(who: str) -> None:
    # lost from the start: all moves are as good; source: flat Monte Carlo, whose perfect moves are b2, c2 and e6
    for name, names in (("nim:2,2", None), ("nim:3,5,4,2,6:misere", {"b2", "c2", "e6"})):
        if who == "random" and names:
            continue
        game, stream = parse_game(name), Stream(7)
        agent = parse_agent(who, game)
        counts = Counter(game.move_name(agent.choose(game.start, stream)) for _ in range(400))
        assert set(counts) == (names or {"a1", "a2", "b1", "b2"}) and uniform(list(counts.values()))


def test_random_has_no_opinion_a_formula_is_ready_at_once_and_all_refuse_a_finished_game() -> None:
    game = parse_game("nim:2,2")
    thoughts = parse_agent("random", game).decide(game.new(), Stream(0)).thoughts
    assert [(thought.move, thought.value) for thought in thoughts] == [(move, None) for move in range(4)]
    for who in ("random", "perfect", "value", "mc", "mc:policy=perfect-opponent", "mcts", "minimax"):
        assert "the game is over" in refusal(parse_agent(who, game).decide, game.new("0,0"), Stream(0))
    assert all(parse_agent("perfect", parse_game(name)).ready for name in ("tower:16", "adjacent:1,3,5,7"))
    agent = parse_agent("perfect", parse_game("connect:3x2x2"))
    agent.prepare()
    assert agent.ready


@pytest.mark.slow
@pytest.mark.parametrize("who", ["random", "easy", "reward:games=2000", "mc:playouts=50", "mc:policy=perfect-opponent"])
def test_every_agent_plays_a_game_from_elsewhere(who: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    game = parse_game("wythoff:6,8")
    decision = parse_agent(who, game).decide(game.new(), Stream(0))
    assert [thought.move for thought in decision.thoughts] == base.legal_moves(game.new())
    assert base.legal(game.new(), decision.move) and (decision.note == "" or who == "easy")


@pytest.mark.parametrize(
    "name", ["nim:1,2,3", "nim:3,2,2:misere", "adjacent:2,3:misere", "connect:3x2x2", "wythoff:2,4"]
)
def test_the_loser_holds_out_as_long_as_the_fastest_winner_lets_it(name: str) -> None:
    force = Force(name)
    value, plies = force.value(force.game.new())
    fastest, longest = (parse_agent(f"perfect:{how}", force.game) for how in ("won=fastest", "lost=longest"))
    for seed in range(2):
        stream, state, count = Stream(seed), force.game.new(), 0
        while base.outcome(state) == base.GOING_ON:
            wins = (value > 0) == (count % 2 == 0)
            base.play(state, (fastest if wins else longest).decide(state, stream).move)
            count += 1
        assert count == plies and value


@pytest.mark.parametrize("name", ["nim:1,2,3", "kayles:4,1:misere", "connect:3x2x3"])
def test_a_policy_holds_the_moves_that_the_agent_may_play(name: str) -> None:
    force = Force(name)
    known = truth(force.game)
    for who, timed in (("perfect", False), ("perfect:won=fastest,lost=longest", True)):
        policy = parse_agent(who, force.game).policy(known)
        for node in range(len(known.graph.order)):
            state = force.game.at(known.graph.boards[node])
            may = {int(known.graph.move[edge]) for edge in policy.edges[policy.ptr[node] : policy.ptr[node + 1]]}
            value, plies = force.value(state)
            worth = force.worth(state)
            best = {move for move, (sign, left) in worth.items() if sign == value and (left == plies or not value)}
            assert may == (best if timed else set(force.best(state)))


def test_perfect_plays_its_old_games() -> None:
    game = parse_game("nim:1,3,5,7")
    plain = parse_agent("perfect:won=random,lost=random", game)
    assert (plain.name, plain.title) == ("perfect", "Perfect")
    # noted before perfect had options: the first moves of a lost position with the seeds 0 to 9
    moves = [game.move_name(plain.decide(game.new(), Stream(seed)).move) for seed in range(10)]
    assert moves == ["c2", "c3", "d2", "d2", "d7", "d1", "d7", "d7", "d7", "b3"]
