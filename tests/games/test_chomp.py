"""Chomp: the rules and the values against brute force on tuples of rows, and what is known of its first moves."""

from __future__ import annotations

from functools import cache
from math import comb

import pytest

from nimtui import theory
from nimtui.errors import InputError
from nimtui.games import base, parse_game
from nimtui.theory import Outcome

Rows = tuple[int, ...]


def squares(rows: Rows) -> list[tuple[int, int]]:
    return [(row, column) for row, left in enumerate(rows) for column in range(left)]


def eaten(rows: Rows, row: int, column: int) -> Rows:
    return tuple(min(left, column) if at >= row else left for at, left in enumerate(rows))


@cache
def wins(rows: Rows) -> bool:
    """Independent: whether the player to move wins. Whoever eats the last square, the poisoned one, loses."""
    return not squares(rows) or any(not wins(eaten(rows, *square)) for square in squares(rows))


def all_positions(columns: int, rows: int) -> list[Rows]:
    if not rows:
        return [()]
    return [
        (*above, left) for above in all_positions(columns, rows - 1) for left in range((above or (columns,))[-1] + 1)
    ]


SIZES = [(columns, rows) for columns in range(1, 6) for rows in range(1, 6)]


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_every_position_has_the_moves_and_the_value_of_brute_force(columns: int, rows: int) -> None:
    game = parse_game(f"chomp:{columns}x{rows}")
    positions = all_positions(columns, rows)
    assert game.positions == len(positions) == comb(columns + rows, rows)
    numbers = set()
    for position in positions:
        state = game.new(",".join(map(str, position)))
        assert tuple(state.board) == position
        numbers.add(base.index(state))
        assert base.outcome(state) == (base.GOING_ON if position[0] else base.LOST)
        moves = base.legal_moves(state)
        assert [game.square(state, move) for move in moves] == squares(position)
        assert base.count(state) == len(moves)
        assert [base.nth(state, at) for at in range(len(moves))] == moves
        for move, square in zip(moves, squares(position), strict=True):
            base.play(state, move)
            assert tuple(state.board) == eaten(position, *square)
            base.undo(state, move)
            assert tuple(state.board) == position
        found = theory.solve(game, state)
        assert found.outcome is (Outcome.WIN if wins(position) else Outcome.LOSS)
        good = {game.square(state, move) for move in found.best_moves}
        winning = {square for square in squares(position) if not wins(eaten(position, *square))}
        assert good == winning or not winning
    assert numbers == set(range(len(positions)))


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_first_player_wins_every_bar_but_a_single_square(columns: int, rows: int) -> None:
    game = parse_game(f"chomp:{columns}x{rows}")
    won = theory.solve(game, game.new()).outcome is Outcome.WIN
    assert won == ((columns, rows) != (1, 1))


@pytest.mark.parametrize(
    ("name", "move"), [("chomp:4x5", "c3"), ("chomp:5x4", "c3"), ("chomp:5x5", "b2"), ("chomp:6x2", "b6")]
)
def test_the_winning_first_move_is_the_only_one(name: str, move: str) -> None:
    game = parse_game(name)
    assert [game.move_name(best) for best in theory.solve(game, game.new()).best_moves] == [move]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("chomp", "needs a size"),
        ("chomp:4", "expected columns and rows"),
        ("chomp:0x4", "the number of columns"),
        ("chomp:7x7", "for example chomp:6x6"),
        ("chomp:9999x9999", "at most 26 rows"),
    ],
)
def test_an_invalid_size_is_refused_with_a_valid_one(text: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        parse_game(text)


@pytest.mark.parametrize("position", ["4,4", "1,2,3,4,4", "5,4,4,4,4", "4,4,4,4,x", ""])
def test_a_position_that_is_no_bar_is_refused(position: str) -> None:
    with pytest.raises(InputError):
        parse_game("chomp:4x5").parse_position(position)


def test_an_eaten_square_and_a_square_off_the_bar_are_refused() -> None:
    game = parse_game("chomp:4x5")
    state = game.new("4,2,0,0,0")
    with pytest.raises(InputError, match="b3 is eaten already"):
        game.parse_move("b3", state)
    for text in ("f1", "a5", "33", "b"):
        with pytest.raises(InputError):
            game.parse_move(text, state)
