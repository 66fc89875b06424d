"""Random, perfect and value: right where it can be right, and even-handed where it cannot."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from nimtui.agents import parse_agent
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base, parse_game, registry
from nimtui.games.base import State
from tests.agents.chance import uniform
from tests.agents.subtraction import lost, right
from tests.games import takeaway, wythoff

for module in (wythoff, takeaway):  # games from elsewhere, of which nothing here knows
    registry.add(module)

GAMES = [
    "nim:3,2,1",
    "nim:3,2,1:misere",
    "nim:5,4:max=2:misere",
    "adjacent:2,4",
    "adjacent:4,1:misere",
    "kayles:5,1:misere",
    "connect:3x3x3",
    "wythoff:6,8",
    "takeaway:9",
]


def worth(state: State, known: dict[tuple[int, ...], int]) -> int:
    """1, 0 or −1 for the player to move, by brute force: an independent oracle."""
    board = tuple(int(number) for number in state.board)
    if board not in known:
        result = base.outcome(state)
        if result != base.GOING_ON:
            known[board] = 0 if result == base.DRAW else -result
        else:
            best = -1
            for move in base.legal_moves(state):
                base.play(state, move)
                best = max(best, -worth(state, known))
                base.undo(state, move)
            known[board] = best
    return known[board]


@cache
def exact(name: str) -> dict[tuple[int, ...], int]:
    known: dict[tuple[int, ...], int] = {}
    worth(parse_game(name).new(), known)
    return known


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("who", ["perfect", "value"])
def test_every_moves_value_is_the_brute_forces_in_every_position(name: str, who: str) -> None:
    game = parse_game(name)
    agent = parse_agent(who, game)
    known = exact(name)
    step = max(1, len(known) // 200)
    for board in list(known)[::step]:
        state = game.new()
        state.board[:] = board
        if base.outcome(state) != base.GOING_ON:
            continue
        decision = agent.decide(state, Stream(0))
        assert tuple(state.board) == board
        values = {}
        for move in base.legal_moves(state):
            base.play(state, move)
            values[move] = -worth(state, known)
            base.undo(state, move)
        assert {thought.move: thought.value for thought in decision.thoughts} == values
        assert values[decision.move] == known[board]


LATE = ["xoxo/oxox/xo../....", "xo../ox../..xo/oxxo", "xxoo/oxx./.o.x/o..."]


@pytest.mark.parametrize("position", LATE)
@pytest.mark.parametrize("who", ["perfect", "value", "perfect:won=fastest,lost=longest"])
def test_from_a_late_position_they_play_a_game_that_is_too_large_from_its_start(who: str, position: str) -> None:
    whole = parse_game("noughts:4x4x4")
    with pytest.raises(InputError, match=r"cannot play noughts:4x4x4: .* 43,046,721 positions"):
        parse_agent(who, whole)
    game = whole.beginning(position)
    assert game == whole and game.start is whole.start and game.position_name(game.first) == position
    agent, state, known = parse_agent(who, game), game.new(position), dict[tuple[int, ...], int]()
    agent.prepare()
    for ply in range(len(position)):
        if base.outcome(state) != base.GOING_ON:
            break
        decision, values = agent.decide(state, Stream(ply)), {}
        for move in base.legal_moves(state):
            base.play(state, move)
            values[move] = -worth(state, known)
            base.undo(state, move)
        assert {thought.move: thought.value for thought in decision.thoughts} == values
        assert values[decision.move] == max(values.values())
        base.play(state, decision.move)
    assert base.outcome(state) != base.GOING_ON


@pytest.mark.parametrize("who", ["perfect", "value"])
def test_they_leave_one_more_than_a_multiple_of_four(who: str) -> None:
    # source: the subtraction tournament, misère, take 1 to 3
    game = parse_game("subtraction:22,3:misere")
    agent = parse_agent(who, game)
    for matches in range(2, 23):
        move = agent.decide(game.new(str(matches)), Stream(matches)).move
        if not lost(matches):
            assert [move + 1] == right(matches)


@pytest.mark.slow
@pytest.mark.parametrize("who", ["random", "perfect", "value"])
def test_moves_that_are_as_good_are_as_likely(who: str) -> None:
    game = parse_game("tower:16")  # lost from the start: all 16 moves are as good
    agent = parse_agent(who, game)
    stream = Stream(7)
    counts = Counter(agent.decide(game.new(), stream).move for _ in range(3200))
    assert len(counts) == 16
    assert uniform([counts[move] for move in range(16)])


@pytest.mark.slow
@pytest.mark.parametrize("who", ["perfect", "value"])
def test_of_several_winning_moves_each_is_as_likely(who: str) -> None:
    # source: flat Monte Carlo; its game's perfect moves are b2, c2 and e6
    game = parse_game("nim:3,5,4,2,6:misere")
    agent = parse_agent(who, game)
    stream = Stream(11)
    counts = Counter(game.move_name(agent.decide(game.new(), stream).move) for _ in range(1500))
    assert set(counts) == {"b2", "c2", "e6"}
    assert uniform(list(counts.values()))


def test_random_has_a_thought_for_every_move_and_no_opinion() -> None:
    game = parse_game("nim:2,2")
    thoughts = parse_agent("random", game).decide(game.new(), Stream(0)).thoughts
    assert [thought.move for thought in thoughts] == [0, 1, 2, 3]
    assert {thought.value for thought in thoughts} == {None}


@pytest.mark.parametrize("name", ["tower:16", "subtraction:21,3:misere", "adjacent:1,3,5,7"])
def test_where_a_formula_answers_perfect_is_ready_at_once(name: str) -> None:
    assert parse_agent("perfect", parse_game(name)).ready


def test_where_a_search_answers_it_is_ready_when_prepared() -> None:
    agent = parse_agent("perfect", parse_game("connect:4x4x4"))
    agent.prepare()
    assert agent.ready


@pytest.mark.slow
@pytest.mark.parametrize("who", ["random", "easy", "reward:games=2000", "mc:playouts=50", "mc:policy=perfect-opponent"])
def test_every_agent_plays_a_game_added_from_elsewhere(
    who: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIMTUI_HOME", str(tmp_path))
    game = parse_game("wythoff:6,8")
    decision = parse_agent(who, game).decide(game.new(), Stream(0))
    assert [thought.move for thought in decision.thoughts] == base.legal_moves(game.new())
    assert base.legal(game.new(), decision.move)
    assert decision.note == "" or who == "easy"


def longest_game(state: State, known: dict[tuple[int, ...], tuple[int, int]]) -> tuple[int, int]:
    """The value for the player to move and the plies to the end, by brute force."""
    board = tuple(int(number) for number in state.board)
    if board not in known:
        result = base.outcome(state)
        if result != base.GOING_ON:
            known[board] = (0 if result == base.DRAW else -result), 0
        else:
            after = []
            for move in base.legal_moves(state):
                base.play(state, move)
                value, plies = longest_game(state, known)
                base.undo(state, move)
                after.append((-value, plies + 1))
            best = max(value for value, _ in after)
            plies_left = [plies for value, plies in after if value == best]
            known[board] = best, max(plies_left) if best < 0 else min(plies_left)
    return known[board]


DECIDED = ["nim:1,2,3", "nim:3,2,2:misere", "kayles:4,3", "adjacent:2,4:misere", "connect:4x3x3", "wythoff:4,6"]


@pytest.mark.parametrize("name", DECIDED)
def test_the_loser_holds_out_as_long_as_the_fastest_winner_lets_it(name: str) -> None:
    game, known = parse_game(name), dict[tuple[int, ...], tuple[int, int]]()
    value, plies = longest_game(game.new(), known)
    assert value != 0
    players = [parse_agent(f"perfect:{how}", game) for how in ("won=fastest", "lost=longest")]
    for seed in range(5):
        stream, state = Stream(seed), game.new()
        made = 0
        while base.outcome(state) == base.GOING_ON:
            wins = (value > 0) == (made % 2 == 0)
            base.play(state, players[0 if wins else 1].decide(state, stream).move)
            made += 1
        assert made == plies


@pytest.mark.parametrize("name", ["nim:1,3,5,7", "kayles:5,1:misere", "connect:3x3x3"])
def test_compiled_games_and_games_move_by_move_are_the_same(name: str) -> None:
    from nimtui.engine.exact import distances
    from nimtui.theory.truth import truth

    game = parse_game(name)
    agent, known = parse_agent("perfect:won=fastest,lost=longest", game), truth(game)
    policy = agent.policy(known)  # type: ignore[attr-defined]
    plies = distances(known.graph, known.values)
    assert plies[known.graph.start] == (longest_game(game.new(), {})[1] if known.values[known.graph.start] else -1)
    for node in range(0, len(known.graph.order), 7):
        state = game.at(known.graph.boards[node])
        may = {int(known.graph.move[edge]) for edge in policy.edges[policy.ptr[node] : policy.ptr[node + 1]]}
        found = {agent.decide(state, Stream(seed)).move for seed in range(40)}
        assert found <= may
        assert len(may) > 8 or found == may


def test_perfect_plays_its_old_games_and_names_its_options() -> None:
    game = parse_game("nim:1,3,5,7")
    plain = parse_agent("perfect:won=random,lost=random", game)
    assert (plain.name, plain.title) == ("perfect", "Perfect")
    assert parse_agent("perfect:lost=longest", game).name == "perfect:lost=longest"
    # noted before perfect had options: the first moves of a lost position with the seeds 0 to 9
    moves = [game.move_name(plain.decide(game.new(), Stream(seed)).move) for seed in range(10)]
    assert moves == ["c2", "c3", "d2", "d2", "d7", "d1", "d7", "d7", "d7", "b3"]
