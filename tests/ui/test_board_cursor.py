"""The cursor models: every key keeps them on a legal move, and what they mark is what the move would change."""

from __future__ import annotations

import random
from typing import Any

import pytest

from nimtui.games import Game, base, parse_game
from nimtui.games.base import State
from nimtui.ui.board.board import BOARDS, ListBoard
from nimtui.ui.board.cursor import Cursor, Step
from tests.games import wythoff

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
KEYS = {"u": Step.UP, "d": Step.DOWN, "l": Step.LEFT, "r": Step.RIGHT, "+": Step.MORE, "-": Step.LESS, "f": Step.FIRST,
        "e": Step.LAST}  # fmt: skip


def new_cursor(game: Game, state: State) -> Cursor:
    return BOARDS.get(game.board_kind, ListBoard).CURSOR(game, state)


def at(game: str, *moves: str) -> Cursor:
    found = parse_game(game)
    state = found.new()
    for name in moves:
        base.play(state, found.parse_move(name, state))
    return new_cursor(found, state)


def meant(cursor: Cursor) -> str | None:
    return None if cursor.move is None else cursor.game.move_name(cursor.move, cursor.state)


@pytest.mark.parametrize("name", GAMES)
def test_every_key_leaves_it_on_a_legal_move_to_the_end_of_the_game(name: str) -> None:
    game, chance = parse_game(name), random.Random(3)
    state = game.new()
    cursor = new_cursor(game, state)
    for move in base.legal_moves(game.new()):
        cursor.go_to(move)
        assert cursor.move == move
    while base.outcome(state) == base.GOING_ON:
        for _ in range(12):
            before, step = cursor.move, chance.choice(list(Step))
            assert cursor.press(step) == (cursor.move != before)
            assert cursor.move is not None and base.legal(state, cursor.move)
            assert cursor.marked == frozenset(game.touched(state, cursor.move))
        base.play(state, cursor.move)
        cursor.look(state)
    assert cursor.move is None and not cursor.marked
    assert not any(cursor.press(step) for step in Step)


@pytest.mark.parametrize("name", GAMES)
def test_it_reaches_every_legal_move(name: str) -> None:
    game, chance = parse_game(name), random.Random(1)
    cursor, left = new_cursor(game, game.new()), set(base.legal_moves(game.new()))
    left.discard(cursor.move or 0)
    for _ in range(6000):
        if not left:
            break
        cursor.press(chance.choice(list(Step)))
        left.discard(cursor.move or 0)
    assert not left


@pytest.mark.parametrize(
    ("game", "moves", "keys", "meanings"),
    [
        ("tower:16", "", "dlr", "b1 b2 b1"),  # left takes more from the right end of the row
        ("tower:16", "", "dfud", "b1 b3 a1 b3"),  # the count is remembered through a shorter row
        ("tower:16", "", "dfde", "b1 b3 c3 c1"),
        ("tower:16", "", "u+-", "a1 a1 a1"),  # at the edge nothing happens
        ("subtraction:21,3", "", "llllrrrr", "a2 a3 a3 a3 a2 a1 a1 a1"),  # the largest take, the least
        ("tower:16", "b3", "du", "c1 a1"),  # an empty row is stepped over
        ("adjacent:7", "a4", "f+++e+--", "a1 a1-2 a1-3 a1-3 a7 a6-7 a6 a6"),  # right, then left, never over a gap
        ("adjacent:7", "a3", "f+rrrl", "a1 a1-2 a2 a4-5 a5-6 a4-5"),  # it keeps its length where it fits
        ("adjacent:3,7", "", "rrdu", "a2 a3 b6 a3"),  # from row to row, the share of the way along them stays
        ("connect:4x4x4", "2 2 2 2", "frrl", "1 3 4 3"),  # a full column is stepped over
        ("connect:4x4x4", "", "fe+-ud", "1 4 4 3 3 3"),
        ("noughts:3x3x3", "b2", "frdlu", "a1 a2 c2 c1 b1"),  # the nearest free cell in this direction
        ("chomp:2x3", "", "fe-+", "a1 c2 c1 c2"),
    ],
)
def test_what_keys_do(game: str, moves: str, keys: str, meanings: str) -> None:
    cursor, found = at(game, *moves.split()), list[str | None]()
    for key in keys:
        cursor.press(KEYS[key])
        found.append(meant(cursor))
    assert found == meanings.split()


@pytest.mark.parametrize(
    ("game", "moves", "clicks", "meanings"),
    [
        ("tower:16", "", [(3, 4), (3, 4), (3, 5)], "d3 d3! d2"),  # up to there; the second click confirms
        ("tower:16", "", [(0, 0), (0, 0)], "a1 a1!"),  # what a key has marked is not taken yet
        ("tower:16", "d2", [(3, 6)], "a1"),  # where a match has gone a click means nothing
        ("adjacent:7", "a7", [(0, 1), (0, 4), (0, 3)], "a2 a2-5 a2-5!"),  # two clicks span a run
        ("adjacent:7", "a4", [(0, 3), (0, 3)], "a1 a1"),
        ("kayles:7", "", [(0, 0), (0, 5)], "a1 a6"),  # longer than may be taken: it starts again there
        ("connect:4x4x4", "2 2 2 2", [(0, 2), (0, 1), (3, 2)], "3 3 3!"),  # a full column means nothing
        ("noughts:3x3x3", "b2", [(0, 0), (1, 1), (0, 0), (2, 1)], "a1 a1 a1! c2"),
    ],
)
def test_what_clicks_do(game: str, moves: str, clicks: list[tuple[int, int]], meanings: str) -> None:
    cursor, found = at(game, *moves.split()), list[str]()
    for cell in clicks:
        taken = cursor.point(cell)
        found.append(f"{meant(cursor)}{'!' * taken}")
    assert found == meanings.split()


def test_what_is_marked_and_where_a_new_position_puts_the_cursor() -> None:
    cursor = at("tower:16")
    for key in "dl":
        cursor.press(KEYS[key])
    assert cursor.marked == {(1, 1), (1, 2)}
    cursor.look(cursor.game.new("1,0,5,7"))
    assert meant(cursor) == "a1"
    cursor = at("adjacent:7")
    cursor.point((0, 2))
    cursor.press(Step.RIGHT)
    assert meant(cursor) == "a4"  # a click marks one match, and a key after it one too
    cursor = at("connect:4x4x4", "1", "1")
    cursor.press(Step.FIRST)
    assert cursor.marked == {(1, 0)}  # the disc would land on the stack
    assert cursor.column == 0  # type: ignore[attr-defined]
    cursor = at("noughts:3x3x3")
    assert meant(cursor) == "b2" and cursor.preview[1][1] == 1  # type: ignore[attr-defined]


def test_a_list_of_moves_in_lines_of_three() -> None:
    game = Game(wythoff, wythoff.parse("wythoff", ["2,3"]))  # it has no picture
    cursor: Any = new_cursor(game, game.new())
    assert (cursor.across, cursor.at, len(cursor.moves)) == (1, 0, 7)
    cursor.across = 3
    found = []
    for key in "rdduull+fed":
        cursor.press(KEYS[key])
        found.append(cursor.at)
    assert found == [1, 4, 4, 1, 1, 0, 0, 0, 0, 6, 6]
    assert cursor.marked == {(2, 0)} and cursor.move == cursor.moves[6]
    assert (
        cursor.aim((1, 1)) and cursor.at == 4 and not cursor.aim((2, 1)) and not cursor.aim((-1, 0)) and cursor.at == 4
    )
    cursor.go_to(cursor.moves[6])
    state = game.new()
    while cursor.moves:
        base.play(state, cursor.moves[0])
        before = cursor.at
        cursor.look(state)
        assert cursor.at == max(0, min(before, len(cursor.moves) - 1))
    assert cursor.move is None and cursor.marked == frozenset()
