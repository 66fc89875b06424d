"""A game too large from its start is solved wherever few enough positions follow."""

from __future__ import annotations

from functools import cache

import pytest

from nimtui import theory
from nimtui.engine import graph
from nimtui.games import base, parse_game
from nimtui.theory.verdict import Unsolvable

SIZE, CELLS = 4, 16
LINES = (
    *(tuple(range(SIZE * row, SIZE * row + SIZE)) for row in range(SIZE)),
    *(tuple(range(column, CELLS, SIZE)) for column in range(SIZE)),
    tuple(range(0, CELLS, SIZE + 1)),
    tuple(range(SIZE - 1, CELLS - 1, SIZE - 1)),
)


@cache
def brute_force(cells: str) -> int:
    """1, 0 or −1 for the player to move on a board of 4 × 4, from the rules as people know them."""
    mark = "x" if cells.count("x") == cells.count("o") else "o"
    values = []
    for at, cell in enumerate(cells):
        if cell == ".":
            after = cells[:at] + mark + cells[at + 1 :]
            if any(all(after[i] == mark for i in line) for line in LINES):
                return 1
            values.append(-brute_force(after) if "." in after else 0)
    return max(values)


@pytest.mark.parametrize(
    "position",
    ["xoxo/oxox/xo../....", "xxoo/oxx./.o.x/o...", "xo../ox../..xo/..x.", "oxox/xxo./..../oxo."],
)
def test_every_position_with_few_that_follow_is_solved(position: str) -> None:
    game = parse_game("noughts:4x4x4")
    state = game.new(position)
    cells = position.replace("/", "")
    verdict = theory.solve(game, state)
    assert verdict.outcome.value == {1: "win", 0: "draw", -1: "loss"}[brute_force(cells)]
    keeps = []
    for move in base.legal_moves(state):
        base.play(state, move)
        over = base.outcome(state)
        after = game.position_name(state).replace("/", "")
        base.undo(state, move)
        value = (1 if over == base.WON else 0) if over else -brute_force(after)
        if value == brute_force(cells):
            keeps.append(move)
    assert list(verdict.best_moves) == keeps


def test_its_start_is_refused_at_once_and_a_position_with_too_many_after_counting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = parse_game("noughts:4x4x4")
    with pytest.raises(Unsolvable, match="43,046,721 positions"):
        theory.solve(game, game.start)
    state = game.new("xoxo/oxo./x.../....")
    monkeypatch.setattr(graph, "room_from", lambda state, most: 1000)
    for _ in range(2):  # the second time without counting
        with pytest.raises(Unsolvable, match="more than 1,000 positions follow"):
            theory.solve(game, state)
