"""Moves that lead from the start to a position."""

from __future__ import annotations

import pytest

from nimtui.arena.play.steps import line_to
from nimtui.engine.rng import Stream
from nimtui.games import base, parse_game


@pytest.mark.parametrize(
    "name", ["tower:16", "subtraction:21,3", "kayles:9", "connect:5x4x3", "connect4", "nim:5,4:max=2"]
)
@pytest.mark.parametrize("seed", range(6))
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
