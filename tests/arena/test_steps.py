"""Moves from the start: followed with the help of earlier games, and to a position."""

from __future__ import annotations

import random

import pytest

from nimtui.arena.play import steps
from nimtui.arena.play.steps import line_to
from nimtui.engine.rng import Stream
from nimtui.errors import InputError
from nimtui.games import base, parse_game


@pytest.mark.parametrize("name", ["nim:3,5", "adjacent:1,3,5", "connect:4x4x3"])
@pytest.mark.parametrize("most", [1, 7, 100_000])
def test_names_and_outcomes_are_those_of_a_replay(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MOST", most)
    game = parse_game(name)
    followed = steps.Steps(game)
    source = random.Random(5)
    for _ in range(20):
        state, moves, names = game.new(), list[int](), list[str]()
        while legal := base.legal_moves(state):
            moves.append(source.choice(legal))
            names.append(game.move_name(moves[-1], state))
            base.play(state, moves[-1])
        assert followed.names(moves) == names
        assert followed.outcome(moves) == base.outcome(state) != base.GOING_ON
        assert followed.outcome(moves[:-1]) == base.GOING_ON
        with pytest.raises(InputError, match=f"move {len(moves) + 1} of this game"):
            followed.names([*moves, moves[-1]])


@pytest.mark.parametrize(
    "name", ["tower:16", "subtraction:21,3", "kayles:9", "connect:5x4x3", "connect4", "nim:5,4:max=2"]
)
@pytest.mark.parametrize("seed", range(3))
def test_any_position_of_a_game_is_led_to(name: str, seed: int) -> None:
    game, stream = parse_game(name), Stream(seed, 1)
    state = game.new()
    for _ in range(2 + seed):
        move = stream.choose(base.legal_moves(state))
        base.play(state, move)
        if base.outcome(state) != base.GOING_ON:
            base.undo(state, move)
    found = line_to(game, state)
    assert found is not None
    here = game.new()
    for move in found:
        assert base.outcome(here) == base.GOING_ON and base.legal(here, move)
        base.play(here, move)
    assert here.board.tolist() == state.board.tolist()


def test_the_start_needs_no_move_and_what_cannot_be_has_none() -> None:
    game = parse_game("nim:2,1")
    assert line_to(game, game.new()) == ()
    assert line_to(parse_game("nim:1,1"), parse_game("nim:2,1").new()) is None
