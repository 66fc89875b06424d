"""The rules of every family: their words agree with each other, and move counts with independent brute force."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui.games import Game, base, parse_game
from tests.examples import examples

GAMES = [
    "nim:1,3,5,7",
    "nim:3,5,4,2,6:misere",
    "nim:9,2:max=3",
    "nim:" + ",".join(["255"] * 26),
    "tower:676",
    "subtraction:21,3:misere",
    "adjacent:1,3,5,7",
    "adjacent:9,2:max=3:misere",
    "adjacent:63,63",
    "kayles:5,4",
    "connect4",
    "connect:4x4x4",
    "connect:10x4x3",
    "connect:1x62x3",
    "connect:21x2x3",
    "noughts:3x3x3",
    "noughts:9x7x5",
    "chomp:4x5",
    "chomp:2x20",
]
SOME_MOVES = 50_000  # to look at in one game: the largest has 6,630 in every position


@pytest.mark.slow
@given(name=st.sampled_from(GAMES), data=st.data())
@settings(max_examples=examples(50), deadline=None)
def test_the_words_of_a_game_agree_in_every_position_of_a_random_game(name: str, data: st.DataObject) -> None:
    game = parse_game(name)
    state = game.new()
    path: list[tuple[int, list[int]]] = []
    for _ in range(min(60, SOME_MOVES // game.size)):
        if base.outcome(state) != base.GOING_ON:
            assert base.legal_moves(state) == []
            break
        moves = base.legal_moves(state)
        assert moves, "a game that goes on has a legal move"
        assert moves == [move for move in range(game.size) if base.legal(state, move)]
        assert base.count(state) == len(moves)
        at = data.draw(st.integers(0, len(moves) - 1))
        assert base.nth(state, at) == moves[at]
        assert base.nth(state, len(moves) - 1) == moves[-1]
        assert base.casual(state, data.draw(st.integers(0, 2**60 - 1))) in moves
        rows = [base.row(state, move) for move in moves]
        assert rows == sorted(rows), "moves of one row have neighbouring codes"
        path.append((moves[at], state.board.tolist()))
        base.play(state, moves[at])
    for move, board in reversed(path):
        base.undo(state, move)
        assert state.board.tolist() == board


@pytest.mark.parametrize("name", ["nim:2,3", "nim:2,3:max=2", "adjacent:3,4", "kayles:2,4", "connect:3x3x3"])
def test_every_position_has_its_own_number_and_key(name: str) -> None:
    game = parse_game(name)
    numbers: dict[int, tuple[int, ...]] = {}
    keys: dict[int, tuple[int, ...]] = {}
    for board in reachable(game):
        state = game.at(board)
        assert 0 <= base.index(state) < game.positions
        assert numbers.setdefault(base.index(state), tuple(board)) == tuple(board)
        assert keys.setdefault(base.key(state), tuple(board)) == tuple(board)
    assert len(numbers) == len(keys) == len(list(reachable(game)))


def reachable(game: Game) -> Iterator[base.Board]:
    """Every position that can be reached from the start."""
    found = {tuple(game.start.board): game.start.board}
    todo = [game.start.board]
    while todo:
        state = game.at(todo.pop())
        for move in base.legal_moves(state):
            base.play(state, move)
            if tuple(state.board) not in found:
                found[tuple(state.board)] = state.board.copy()
                todo.append(found[tuple(state.board)])
            base.undo(state, move)
    yield from found.values()


def counts(game: Game, depth: int) -> list[int]:
    """Move sequences by length, through the interpreted rules."""
    states = [game.new()]
    found = [1]
    for _ in range(depth):
        after = []
        for state in states:
            for move in base.legal_moves(state):
                child = base.copy(state)
                base.play(child, move)
                after.append(child)
        states = after
        found.append(len(states))
    return found


@cache
def rows_sequences(rows: tuple[int, ...], limit: int, depth: int) -> int:
    """Independent: move sequences of this length on heaps."""
    if depth == 0:
        return 1
    return sum(
        rows_sequences((*rows[:i], left, *rows[i + 1 :]), limit, depth - 1)
        for i, pile in enumerate(rows)
        for left in range(max(0, pile - limit), pile)
    )


@cache
def segment_sequences(segments: tuple[int, ...], limit: int, depth: int) -> int:
    """Independent: the same where only neighbours are taken; a row is the lengths of its unbroken segments."""
    if depth == 0:
        return 1
    total = 0
    for i, segment in enumerate(segments):
        for take in range(1, min(limit, segment) + 1):
            for left in range(segment - take + 1):
                rest = [part for part in (left, segment - take - left) if part]
                total += segment_sequences((*segments[:i], *rest, *segments[i + 1 :]), limit, depth - 1)
    return total


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "limit", "depth"), [((1, 3, 5, 7), 255, 3), ((4, 3), 2, 6), ((6,), 3, 6), ((2, 2, 2), 255, 6)]
)
def test_perft_of_heaps_and_neighbours(rows: tuple[int, ...], limit: int, depth: int) -> None:
    text = ",".join(map(str, rows)) + f":max={limit}"
    assert counts(parse_game(f"nim:{text}"), depth) == [rows_sequences(rows, limit, d) for d in range(depth + 1)]
    shorter = min(depth, 4)
    expected = [segment_sequences(rows, limit, d) for d in range(shorter + 1)]
    assert counts(parse_game(f"adjacent:{text}"), shorter) == expected


def line_through(discs: set[tuple[int, int]], k: int) -> bool:
    return any(
        all((x + i * dx, y + i * dy) in discs for i in range(k))
        for x, y in discs
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


@pytest.mark.slow
@given(name=st.sampled_from(["connect4", "connect:4x4x4", "connect:5x3x3", "connect:2x9x5"]), data=st.data())
@settings(max_examples=examples(40), deadline=None)
def test_connect_ends_exactly_when_a_line_stands_or_the_board_is_full(name: str, data: st.DataObject) -> None:
    game = parse_game(name)
    columns, rows, k = map(int, game.name.split(":")[1].split("x"))
    state = game.new()
    stacks: list[list[int]] = [[] for _ in range(columns)]
    for ply in range(columns * rows):
        moves = base.legal_moves(state)
        assert moves == [column for column in range(columns) if len(stacks[column]) < rows]
        move = data.draw(st.sampled_from(moves))
        stacks[move].append(ply % 2)
        base.play(state, move)
        mine = {(x, y) for x, stack in enumerate(stacks) for y, owner in enumerate(stack) if owner == ply % 2}
        if line_through(mine, k):
            assert base.outcome(state) == base.WON
            break
        full = ply + 1 == columns * rows
        assert base.outcome(state) == (base.DRAW if full else base.GOING_ON)
        cells = [[stack[y] + 1 if y < len(stack) else 0 for stack in stacks] for y in range(rows - 1, -1, -1)]
        assert game.cells(state) == cells


def test_the_last_mover_wins_in_normal_play_and_loses_in_misere() -> None:
    for family in ("nim", "adjacent"):
        for suffix, expected in (("", base.WON), (":misere", base.LOST)):
            state = parse_game(f"{family}:1,1{suffix}").new()
            for _ in range(2):
                assert base.outcome(state) == base.GOING_ON
                base.play(state, base.legal_moves(state)[0])
            assert base.outcome(state) == expected
