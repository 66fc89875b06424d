"""The values of many positions at once are those of each alone, and of brute force."""

from __future__ import annotations

import random

import numpy as np
import pytest

import nimtui
from nimtui.engine.connect import search as kernel
from nimtui.engine.connect.solver import NUMBERS, Solver, score_many
from nimtui.errors import InputError
from nimtui.games import base, parse_game
from nimtui.games.connect import Connect
from nimtui.theory import exact
from nimtui.theory.answers import values_of
from tests.theory.oracles import Columns


@pytest.mark.parametrize("size", [(3, 3, 3), (4, 2, 3), (2, 5, 3)])
def test_all_positions_of_a_small_board_agree_with_brute_force(size: tuple[int, int, int]) -> None:
    oracle, name = Columns(*size), "connect:" + "x".join(map(str, size))
    boards, positions = zip(*oracle.positions(), strict=True)
    values = values_of(parse_game(name), positions)
    assert values.score is not None and values.score.tolist() == [oracle.score(board) for board in boards]
    assert values.worth.tolist() == np.sign(values.score).tolist()


def random_positions(name: str, least: int, most: int, number: int) -> list[str]:
    """The moves of random games, the finished ones too."""
    chance, positions = random.Random(name), []
    for _ in range(number):
        state, line = parse_game(name).new(), []
        for _ in range(chance.randint(least, most)):
            if base.outcome(state) == base.GOING_ON:
                line.append(chance.choice(base.legal_moves(state)))
                base.play(state, line[-1])
        positions.append(("," if len(state.top) > 9 else "").join(str(move + 1) for move in line))
    return positions


@pytest.mark.parametrize(
    ("name", "positions"),
    [
        ("connect4", [*random_positions("connect4", 26, 42, 40), "", "4", "4,4", " 4 4", "44444442"[:6]]),
        ("connect:10x4x4", random_positions("connect:10x4x4", 24, 40, 20)),
        ("nim:3,4,5", ["3,4,5", "1,4,5", "0,0,0", "2,0,2"]),
        ("nim:1,3:misere", ["1,3", "0,1", "1,1"]),
        ("noughts:3x3x3", [".../.../...", "xx./oo./...", "xxx/oo./..."]),
    ],
)
def test_each_array_has_what_solve_says_of_each_position(name: str, positions: list[str]) -> None:
    solutions = nimtui.solve_many(name, positions)
    assert len(solutions) == len(positions)
    for place, position in enumerate(positions):
        alone = nimtui.solve(name, position)
        assert solutions[place].to_dict() == alone.to_dict()
        assert solutions.outcome[place] == alone.outcome
        assert solutions.remoteness[place] == (-1 if alone.remoteness is None else alone.remoteness)
        assert solutions.grundy[place] == (-1 if alone.grundy is None else alone.grundy)
        if solutions.score is not None:
            assert solutions.score[place] == alone.to_dict()["score"]
    assert [one.outcome for one in solutions] == solutions.outcome.tolist()
    assert len(nimtui.solve_many(name, [])) == 0
    assert nimtui.solve_many(name, np.array(positions)).outcome.tolist() == solutions.outcome.tolist()


@pytest.mark.parametrize(
    ("positions", "fault"),
    [
        (["44", "1111111"], "position 2: invalid position '1111111', move 7: column 1 is full"),
        (["12121212"], "position 1: invalid position '12121212': the game was over after 7 moves"),
        (["é4"], "position 1: invalid position 'é4', move 1: a move (a column) must be a whole number from 1 to 7"),
        (["8"], "position 1: invalid position '8', move 1: a move (a column) must be from 1 to 7, not 8"),
        ("44", "positions must be a list, not '44'"),
        ([4], "each of positions must be a text, not int"),
    ],
)
def test_a_wrong_position_is_named(positions: list[str], fault: str) -> None:
    with pytest.raises(InputError) as refused:
        nimtui.solve_many("connect4", positions)
    assert str(refused.value).startswith(fault)


def test_a_position_that_is_too_large_is_named() -> None:
    late = "".join(random_positions("connect:9x5x4", 40, 40, 1))
    with pytest.raises(InputError, match="position 2: a 9 × 5 board with 45 empty cells is too large"):
        nimtui.solve_many("connect:9x5x4", [late, ""])


def test_scoring_pauses_anywhere_without_another_result() -> None:
    game = parse_game("connect4")
    states = [game.new(position) for position in random_positions("connect4", 20, 24, 12)]
    states = [state for state in states if base.outcome(state) == base.GOING_ON]
    assert isinstance(states[0], Connect)
    solver = Solver(states[0])
    mine, discs = (np.array([state.board[part] for state in states]) for part in (0, 1))
    whole = solver.score_many(mine, discs)
    solver.forget()
    scores, at = np.zeros(len(states), np.int64), np.zeros(NUMBERS, np.int64)
    stack, calls = solver._stack, 0
    done = False
    while not done:
        until = int(stack.at[kernel.NODES]) + 7
        done = score_many(solver.board, solver.table, solver.history, stack, mine, discs, scores, at, until)
        calls += 1
    assert calls > len(states) and scores.tolist() == whole.tolist() == [solver.score(state) for state in states]


def test_recent_results_make_room_for_newer_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "MOST_BYTES", 10)
    results = exact.Recent[str]()
    results.put("a", "first", 4)
    results.put("b", "second", 4)
    assert results.get("a") == "first"  # asked for last
    results.put("c", "third", 4)
    assert [results.get(name) for name in "abc"] == ["first", None, "third"]
    results.put("d", "huge", 100)
    assert [results.get(name) for name in "acd"] == [None, None, "huge"]
