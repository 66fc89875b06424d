"""The rules of every family, in every position that can be reached: each word says what the literal rules say."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from nimtui.games import Game, base, grid, parse_game
from nimtui.games.base import State
from tests.examples import few, with_slow
from tests.games.literal import Bar, Drops, Grid, Heaps, Literal, Marbles, Runs, Split

SMALL: dict[str, Literal] = {
    "nim:2,3": Heaps(2, 3), "nim:1,2,3:misere": Heaps(1, 2, 3, misere=True), "nim:5,3:max=2": Heaps(5, 3, limit=2),
    "tower:4:misere": Heaps(1, 3, misere=True), "subtraction:9,3:misere": Heaps(9, limit=3, misere=True),
    "adjacent:3,4": Runs(3, 4), "adjacent:5,1:max=3:misere": Runs(5, 1, limit=3, misere=True),
    "kayles:1,4": Runs(1, 4, limit=2), "connect:3x2x2": Drops(3, 2, 2), "connect:2x3x3": Drops(2, 3, 3),
    "connect:1x5x5": Drops(1, 5, 5), "noughts:3x2x2": Grid(3, 2, 2), "noughts:2x3x3": Grid(2, 3, 3),
    "noughts:3x1x2": Grid(3, 1, 2), "octal:0.77:7": Split("0.77", 7),
    "octal:0.137:3,5:misere": Split("0.137", 5, 3, misere=True), "octal:4.3:6": Split("4.3", 6),
    "octal:0.26:9,2": Split("0.26", 9, 2), "dawsons-kayles:9": Split("0.07", 9),
    "dawson:8:misere": Split("0.137", 8, misere=True), "grundy:9": Split("grundy", 9),
    "nim:9:take=1,3,4": Split("0.3033", 9), "subtraction:4,6:take=2,5:misere": Split("0.03003", 6, 4, misere=True),
    "chomp:3x3": Bar(3, 3), "chomp:2x4": Bar(2, 4), "chomp:1x1": Bar(1, 1), "redblue:3,5": Marbles(3, 5, limit=2),
    "redblue:4,2:misere": Marbles(4, 2, limit=2, misere=True),
}  # fmt: skip
LARGE: dict[str, Literal] = {
    "nim:" + ",".join(["255"] * 26): Heaps(*[255] * 26), "tower:36": Heaps(1, 3, 5, 7, 9, 11),
    "adjacent:9,2:max=3:misere": Runs(9, 2, limit=3, misere=True), "adjacent:63,63": Runs(63, 63),
    "octal:0.77:40": Split("0.77", 40), "octal:0.137:30,20,9:misere": Split("0.137", 30, 20, 9, misere=True),
    "octal:4.7:30": Split("4.7", 30), "grundy:60": Split("grundy", 60),
    "nim:255,90:take=2,5,40": Split("0.03003" + "0" * 34 + "3", 255, 90), "connect4": Drops(7, 6, 4),
    "connect:6x6x5": Drops(6, 6, 5), "connect:10x4x3": Drops(10, 4, 3), "connect:2x30x7": Drops(2, 30, 7),
    "noughts:9x7x5": Grid(9, 7, 5), "noughts:13x3x4": Grid(13, 3, 4), "noughts:31x1x3": Grid(31, 1, 3),
    "chomp:6x6": Bar(6, 6), "chomp:2x20": Bar(2, 20),
}  # fmt: skip


def parts(number: int) -> list[tuple[int, int]]:
    """The least and the largest 30 bits that choose each of so many things."""
    edges = [-(-(at << 30) // number) for at in range(number + 1)]
    return [(first, last - 1) for first, last in pairwise(edges)]


def check_casual(state: State, moves: list[int]) -> None:
    """Check that the low 30 bits choose a row that has a move, and the high 30 bits one of its moves, evenly."""
    rows = sorted({int(base.row(state, move)) for move in moves})
    for row, low in zip(rows, parts(len(rows)), strict=True):
        here = [move for move in moves if base.row(state, move) == row]
        for move, high in zip(here, parts(len(here)), strict=True):
            assert {base.casual(state, (above << 30) | below) for above in high for below in low} == {move}


def check_words(game: Game, state: State, literal: Literal, at: Any, most: int) -> dict[int, Any]:
    """Check what the rules say of a position, and of so many of its moves; return the positions after these."""
    board, goes_on = state.board.tolist(), literal.end(at) == base.GOING_ON
    after, cells = literal.moves(at) if goes_on else {}, literal.cells(at)
    assert base.outcome(state) == literal.end(at)
    assert game.cells(state) == cells
    assert base.evaluate(state) == literal.value(at)
    assert literal.name(at) in (game.position_name(state), None)
    assert game.parse_position(game.position_name(state)).tolist() == board
    moves = base.legal_moves(state)
    names = [game.move_name(move, state) for move in moves]
    assert sorted(names) == sorted(after)
    if goes_on:
        assert moves == [move for move in range(game.size) if base.legal(state, move)]
        assert base.count(state) == len(moves) and base.following(state, moves[-1]) == -1
        rows = [ord(name[0]) - 97 if literal.has_rows else 0 for name in names]
        assert [base.row(state, move) for move in moves] == rows == sorted(rows)
    every = range(0, len(moves), max(1, len(moves) // most))
    assert [base.nth(state, place) for place in every] == [moves[place] for place in every]
    if goes_on and len(every) == len(moves):
        check_casual(state, moves)
    followed = {}
    for move, name in ((moves[place], names[place]) for place in every):
        assert game.parse_move(name, state) == game.parse_move(f" {name.upper()} ", state) == move
        touched, square = game.touched(state, move), game.square(state, move) if game.board_kind == "grid" else None
        base.play(state, move)
        changes = zip(cells or (), game.cells(state) or (), strict=True)
        changed = [
            (y, x) for y, (old, new) in enumerate(changes) for x in range(min(len(old), len(new))) if old[x] != new[x]
        ]
        assert sorted(touched) == changed and square in (min(changed, default=None), None)
        followed[move] = after[name]
        base.undo(state, move)
        assert state.board.tolist() == board
    return followed


@pytest.mark.parametrize("name", [*SMALL, *few([], [pytest.param("noughts", marks=pytest.mark.slow)])])
def test_every_position_of_a_small_game_is_the_literal_one_and_has_its_own_number_and_key(name: str) -> None:
    game, literal = parse_game(name), SMALL.get(name) or Grid(3, 3, 3)
    boards, numbers, keys = {literal.start: game.start.board}, set(), set()
    queue = [literal.start]
    for at in queue:  # it grows as it goes
        state = game.at(boards[at])
        numbers.add(int(base.index(state)))
        keys.add(int(base.key(state)))
        for move, follows in check_words(game, state, literal, at, 99).items():
            board = game.after(state, move).board
            assert boards.setdefault(follows, board).tolist() == board.tolist()
            queue += [follows] * (board is boards[follows])
    assert len(numbers) == len(keys) == len(boards) == len(queue)
    assert (
        numbers == set(range(game.positions)) if literal.dense else 0 <= min(numbers) <= max(numbers) < game.positions
    )
    assert min(keys) >= 0


@pytest.mark.parametrize("name", LARGE)
def test_random_games_on_large_boards_are_those_of_the_literal_rules(name: str) -> None:
    game, literal, random = parse_game(name), LARGE[name], Random(name)
    for _ in range(1 + (game.size < 200)):
        state, at = game.new(), literal.start
        for _ in range(3 if game.size > 200 else 40):
            after = check_words(game, state, literal, at, 3)
            if not after:
                break
            move = random.choice(list(after))
            base.play(state, move)
            at = after[move]


def test_numbers_and_keys_end_where_63_bits_do() -> None:
    sizes = {
        "nim:255,255,255,255,255,255,255,63": 1 << 62, "nim:255,255,255,255,255,255,255,127": 0,
        "adjacent:31,31": 1 << 62, "adjacent:31,32": 0, "connect:3x2x2": 7**3, "noughts:13x3x3": 3**39,
        "noughts:8x5x3": 0, "chomp:4x5": 126, f"nim:{'255,' * 25}255:take=2,5": 0,
    }  # fmt: skip
    assert {name: parse_game(name).positions for name in sizes} == sizes
    keys = [int(base.key(parse_game(name).new())) for name in ("noughts:31x1x3", "noughts:8x4x3", "noughts:8x5x3")]
    assert keys == [0, 0, -1]
    marked = parse_game("noughts:8x4x3").new("x......./......../......../........")
    assert base.key(marked) == base.index(marked) == 2 * 3**31
    assert base.key(parse_game("noughts:3x2x2").new("x../..o")) == (0b100001 << 6) | 0b000001


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (2, 4), (4, 3), (1, 3), (5, 5)])
def test_a_board_has_all_its_mirror_images_once_and_neighbours_stay_neighbours(rows: int, columns: int) -> None:
    cells, around = range(rows * columns), grid.beside(rows, columns)
    images = [tuple(one) for one in grid.images(rows, columns)]
    assert len(images) == (7 if rows == columns else 3)
    if min(rows, columns) > 1:  # of a single line some are the same
        assert len({tuple(cells), *images}) == len(images) + 1
    for image in images:
        assert sorted(image) == list(cells)
        assert all({image[to] for to in around[cell]} == set(around[image[cell]]) for cell in cells)
        assert all(tuple(other[image[cell]] for cell in cells) in {tuple(cells), *images} for other in images)


def sequences(state: State, depth: int, known: dict[tuple[bytes, int], list[int]]) -> list[int]:
    """Return how many sequences of moves have each length, from 0 to `depth` or the longest game: perft in chess."""
    place = state.board.tobytes(), depth
    if place not in known:
        counts = [1]
        for move in base.legal_moves(state) if depth and base.outcome(state) == base.GOING_ON else ():
            base.play(state, move)
            after = sequences(state, depth - 1, known)
            base.undo(state, move)
            counts += [0] * (1 + len(after) - len(counts))
            for ply, count in enumerate(after, 1):
                counts[ply] += count
        known[place] = counts
    return known[place]


# Sources: tic-tac-toe has 549,946 nodes and 255,168 games; in Connect Four all is free until a column can be full.
PERFT = {
    "noughts": [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872],
    "connect4": [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536],
    "connect4:4x4": [1, 4, 16, 64, 256, 1_020, 4_020],
}


@pytest.mark.parametrize("name", with_slow(PERFT, "connect4"))
def test_perft(name: str) -> None:
    assert sequences(parse_game(name).new(), len(PERFT[name]) - 1, {}) == PERFT[name]


def test_the_tree_of_the_classic_tower_has_516_124_195_nodes() -> None:
    assert sum(sequences(parse_game("tower:16").new(), 99, {})) == 516_124_195
