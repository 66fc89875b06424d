"""Moves followed by what is remembered of earlier games are those of a replay."""

from __future__ import annotations

import random

import pytest

from nimtui.arena.play import steps
from nimtui.errors import InputError
from nimtui.games import base, parse_game


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nim:3,5", "adjacent:1,3,5", "connect:4x4x3"])
@pytest.mark.parametrize("most", [1, 7, 100_000])
def test_names_and_outcomes_are_those_of_a_replay(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MOST", most)
    game = parse_game(name)
    followed = steps.Steps(game)
    source = random.Random(5)
    for _ in range(60):
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
