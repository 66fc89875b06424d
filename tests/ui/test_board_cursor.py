"""The cursor models: every key keeps them on a legal move, and what they mark is what the move would change."""

from __future__ import annotations

import random

import pytest

from nimtui.games import base, parse_game
from nimtui.ui.board.cursor import Cursor, Step, new_cursor

GAMES = (
    "tower:16",
    "subtraction:21,3",
    "nim:9,9:max=4:misere",
    "adjacent:1,3,5,7",
    "kayles:9",
    "connect:4x4x4",
    "noughts:3x3x3",
    "chomp:4x5",
)


def at(game: str, *moves: str) -> Cursor:
    found = parse_game(game)
    state = found.new()
    for name in moves:
        base.play(state, found.parse_move(name, state))
    return new_cursor(found, state)


def meant(cursor: Cursor) -> str | None:
    return None if cursor.move is None else cursor.game.move_name(cursor.move, cursor.state)


def press(cursor: Cursor, *steps: Step) -> str | None:
    for step in steps:
        cursor.press(step)
    return meant(cursor)


@pytest.mark.parametrize("name", GAMES)
def test_every_key_leaves_it_on_a_legal_move_to_the_end_of_the_game(name: str) -> None:
    game, chance = parse_game(name), random.Random(3)
    state = game.new()
    cursor = new_cursor(game, state)
    while base.outcome(state) == base.GOING_ON:
        for _ in range(12):
            cursor.press(chance.choice(list(Step)))
            assert cursor.move is not None and base.legal(state, cursor.move)
            assert cursor.marked == frozenset(game.touched(state, cursor.move))
        base.play(state, cursor.move)
        cursor.look(state)
    assert cursor.move is None and not cursor.marked
    assert not any(cursor.press(step) for step in Step)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_it_reaches_every_legal_move(name: str) -> None:
    game = parse_game(name)
    cursor = new_cursor(game, game.new())
    seen = {cursor.move}
    chance = random.Random(1)
    for _ in range(6000):
        cursor.press(chance.choice(list(Step)))
        seen.add(cursor.move)
    assert seen == set(base.legal_moves(game.new()))


@pytest.mark.parametrize("name", GAMES)
def test_it_goes_to_any_legal_move(name: str) -> None:
    game = parse_game(name)
    cursor = new_cursor(game, game.new())
    for move in base.legal_moves(game.new()):
        cursor.go_to(move)
        assert cursor.move == move


def test_left_takes_more_from_the_right_end_of_the_row() -> None:
    cursor = at("tower:16")
    assert press(cursor, Step.DOWN, Step.LEFT) == "b2"
    assert cursor.marked == {(1, 1), (1, 2)}
    assert press(cursor, Step.RIGHT) == "b1"


def test_the_count_is_remembered_through_a_shorter_row() -> None:
    cursor = at("tower:16")
    cursor.press(Step.DOWN)
    cursor.press(Step.FIRST)
    assert meant(cursor) == "b3"
    assert press(cursor, Step.UP) == "a1"
    assert press(cursor, Step.DOWN) == "b3"


def test_the_count_stops_at_the_largest_take() -> None:
    cursor = at("subtraction:21,3")
    assert press(cursor, *[Step.LEFT] * 9) == "a3"


def test_empty_rows_are_stepped_over() -> None:
    cursor = at("tower:16", "b3")
    assert press(cursor, Step.DOWN) == "c1"
    assert press(cursor, Step.UP) == "a1"


def test_a_click_marks_up_to_there_and_a_second_one_confirms() -> None:
    cursor = at("tower:16")
    assert not cursor.point((3, 4))
    assert meant(cursor) == "d3"
    assert cursor.point((3, 4))
    assert not cursor.point((3, 5))
    assert meant(cursor) == "d2"


def test_a_click_on_what_a_key_has_marked_does_not_take_it_yet() -> None:
    cursor = at("tower:16")
    assert meant(cursor) == "a1"
    assert not cursor.point((0, 0))
    assert cursor.point((0, 0))


def test_a_click_where_a_match_has_gone_means_nothing() -> None:
    cursor = at("tower:16", "d2")
    before = meant(cursor)
    assert not cursor.point((3, 6)) and meant(cursor) == before


def test_a_run_grows_to_the_right_then_to_the_left_and_never_over_a_gap() -> None:
    cursor = at("adjacent:7", "a4")
    assert press(cursor, Step.FIRST, Step.MORE) == "a1-2"
    assert press(cursor, Step.MORE, Step.MORE, Step.MORE) == "a1-3"
    assert press(cursor, Step.LAST, Step.MORE) == "a6-7"
    assert press(cursor, Step.LESS, Step.LESS) == "a6"


def test_a_run_moves_over_gaps_and_keeps_its_length_where_it_fits() -> None:
    cursor = at("adjacent:7", "a3")
    assert press(cursor, Step.FIRST, Step.MORE) == "a1-2"
    assert press(cursor, Step.RIGHT) == "a2"
    assert press(cursor, Step.RIGHT) == "a4-5"


def test_two_clicks_span_a_run_and_a_click_inside_it_takes() -> None:
    cursor = at("adjacent:7", "a7")
    assert not cursor.point((0, 1))
    assert not cursor.point((0, 4))
    assert meant(cursor) == "a2-5"
    assert cursor.point((0, 3))


def test_a_run_longer_than_may_be_taken_begins_anew_at_the_click() -> None:
    cursor = at("kayles:7")
    cursor.point((0, 0))
    assert not cursor.point((0, 5))
    assert meant(cursor) == "a6"


def test_a_full_column_is_stepped_over() -> None:
    cursor = at("connect:4x4x4", "2", "2", "2", "2")
    assert press(cursor, Step.FIRST) == "1"
    assert press(cursor, Step.RIGHT) == "3"
    assert not cursor.point((0, 1)) and meant(cursor) == "3"


def test_the_disc_would_land_on_the_stack() -> None:
    cursor = at("connect:4x4x4", "1", "1")
    press(cursor, Step.FIRST)
    assert cursor.marked == {(1, 0)}
