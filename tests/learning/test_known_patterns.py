"""A pattern has a name only if it holds in every position that has the pattern, by brute force over positions."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import reduce
from itertools import combinations, pairwise, product
from operator import xor

import pytest

from nimtui.games import Game, base, parse_game
from nimtui.learning import summary
from nimtui.learning.summary import Known, known
from tests.examples import few


def inputs_of(state: base.State) -> list[int]:
    return [int(base.input(state, i)) for i in range(int(base.inputs(state)))]


def positions(name: str, number: int) -> list[tuple[base.State, dict[int, int], int]]:
    """Unfinished positions after random moves: each with its inputs, and the side that has just moved."""
    game, draw, reached = parse_game(name), random.Random(name), []
    while len(reached) < number:
        state, side = game.new(), 1
        while moves := base.legal_moves(state):
            base.play(state, draw.choice(moves))
            side = 1 - side
            if base.outcome(state) == base.GOING_ON:
                reached.append((base.copy(state), dict(enumerate(inputs_of(state))), side))
    return reached[:number]


def lines(game: Game) -> list[list[tuple[int, int]]]:
    """Every line that wins, as cells of `game.cells`: rows from the top."""
    cells, k = game.cells(game.start), game.start.k
    assert cells is not None
    everywhere = product(range(len(cells)), range(len(cells[0])), ((0, 1), (1, 0), (1, 1), (1, -1)))
    every = [[(row + down * step, at + right * step) for step in range(k)] for row, at, (down, right) in everywhere]
    return [line for line in every if all(0 <= row < len(cells) and 0 <= at < len(cells[0]) for row, at in line)]


def holds(game: Game, state: base.State, side: int, name: Known) -> bool:
    """Is this true of the whole position? Read off the drawn board and the rules."""
    if name.player is None:
        rows = [row for row in inputs_of(state) if row]
        pairs = all(rows.count(row) % 2 == 0 for row in rows)
        return {
            "nim-sum 0": not reduce(xor, rows, 0),
            "a row of one": 1 in rows,
            "two equal rows": len(set(rows)) < len(rows),
            "equal rows": len(set(rows)) < len(rows),
            "equal rows in pairs": pairs or len(set(rows)) < len(rows) - 1,
        }[name.text]
    board, disc, k, text = game.cells(state), name.player + 1, game.start.k, name.text
    assert board is not None
    if text.startswith("in the"):
        row, at = len(board) // 2, len(board[0]) // 2
        return any(each[at] == disc for each in board) if text.endswith("column") else board[row][at] == disc
    if text == "can win at once":
        ends = [base.outcome(game.after(state, move)) for move in base.legal_moves(state)]
        return name.player != side and base.WON in ends
    contents = {tuple(line): [board[row][at] for row, at in line] for line in lines(game)}
    if text.startswith("blocks"):
        return any(sorted(seen) == sorted([disc] + [3 - disc] * (k - 1)) for seen in contents.values())
    words = {"two in a row": 2, "three in a row": 3}
    if text in words:
        return any([disc] * (k - 1) in (seen[1:], seen[:-1]) for seen in contents.values()) and words[text] == k - 1
    lacking = {line: seen for line, seen in contents.items() if seen.count(disc) == k - 1 and seen.count(0) == 1}
    if text.startswith("two in a row, both") and k == 4:
        return any(seen == [0, disc, disc, 0] for seen in contents.values())
    if text.endswith("both ends open"):
        ends = [{*line, *other} for line, other in combinations(lacking, 2)]
        return any(len(both) == k + 1 and len(_line(both)) == 1 for both in ends)
    gap = "gap" in text
    holes = {
        line[seen.index(0)] for line, seen in lacking.items() if (0 < seen.index(0) < k - 1) == gap
    }  # fmt: skip
    if " row " in text.replace("in a row", ""):
        word, _, number = text.rpartition("on ")[2].split()
        assert word == ("odd" if int(number) % 2 else "even")
        return any(len(board) - row == int(number) for row, _ in holes)
    return bool(holes)


def _line(cells: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The steps from each cell to the next: one if they are in a line."""
    ordered = sorted(cells)
    return {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(ordered)}


GAMES = {  # how many positions have how many different names
    "connect4": (few(250, 700), 12),
    "connect:4x4x3": (few(60, 500), 10),
    "connect:5x5x4": (few(200, 700), 11),
    "noughts:3x3x3": (few(60, 200), 6),
    "noughts:5x5x4": (few(120, 300), 8),
    "nim:2,3,4": (few(60, 200), 4),
    "nim:1,2,1,2,2": (few(60, 200), 5),
    "subtraction:9,3": (few(60, 200), 1),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_name_holds_in_every_position_with_the_pattern(name: str) -> None:
    game, draw, seen = parse_game(name), random.Random(1), set[str]()
    near, (number, names) = _near(game), GAMES[name]
    for state, values, side in positions(name, number):
        subsets = [draw.sample(list(values), draw.randint(1, min(8, len(values)))) for _ in range(10)]
        for inputs in [*subsets, *near(draw), list(values)]:
            label = known(game, {i: values[i] for i in inputs}, side)
            if label is not None:
                seen.add(label.text.rstrip("0123456789"))
                assert holds(game, state, side, label), (game.position_name(state), inputs, label)
    assert len(seen) >= names, seen


def _near(game: Game) -> Callable[[random.Random], list[list[int]]]:
    """Draws inputs of some winning lines and of what is beside them: patterns that have a name more often."""
    if not hasattr(game.start, "k"):
        return lambda draw: []
    at, winning = known_patterns_inputs(game), lines(game)
    return lambda draw: [[at[cell] for cell in {*line, *draw.sample(list(at), 2)}] for line in draw.sample(winning, 8)]


def known_patterns_inputs(game: Game) -> dict[tuple[int, int], int]:
    """The input that sees each cell, as the games say it."""
    from nimtui.learning.reasons import places

    number = int(base.inputs(game.start))
    return {place.cells[0]: i for i, place in enumerate(places(game, number))}


@pytest.mark.parametrize("name", ["connect4", "connect:4x4x3", "noughts:3x3x3"])
def test_whoever_can_win_at_once_is_named_where_the_whole_board_is_seen(name: str) -> None:
    game, wins = parse_game(name), 0
    for state, values, side in positions(name, 300):
        can = base.WON in [base.outcome(game.after(state, move)) for move in base.legal_moves(state)]
        assert (known(game, values, side) == Known("can win at once", 1 - side)) is can
        wins += can
    assert wins


def test_names_that_a_person_expects() -> None:
    game = parse_game("connect4")
    rows = game.start.rows
    out, empty, first, second = 0, 1, 2, 3

    def at(*cells: tuple[int, int, int]) -> dict[int, int]:
        return {column * rows + row: value for column, row, value in cells}

    three = [(column, 2, first) for column in (1, 2, 3)]
    assert known(game, at(*three, (4, 2, out)), 0) == Known("three in a row, open on odd row 3", 0)
    assert known(game, at(*three, (4, 2, empty)), 0) == Known("three in a row, open end", 0)
    assert known(game, at(*three, (4, 2, empty)), 1) == Known("can win at once", 0)
    assert known(game, at(*three, (0, 2, out), (4, 2, out)), 1) == Known("three in a row, both ends open", 0)
    assert known(game, at(*three, (4, 2, second)), 1) == Known("blocks three", 1)
    assert known(game, at((0, 0, first), (1, 1, first), (2, 2, out), (3, 3, first)), 0) == Known(
        "three with a gap on odd row 3", 0
    )
    assert known(game, at((2, 0, empty), (3, 0, second), (4, 0, second), (5, 0, empty)), 0) == Known(
        "two in a row, both ends open", 1
    )
    assert known(game, at((3, 0, second), (3, 1, second)), 0) == Known("in the middle column", 1)
    assert known(game, at(*three), 0) == Known("three in a row", 0)
    assert known(game, at(*three[:2]), 0) is None and known(game, {}, 0) is None
    assert summary.known(parse_game("nim:3,3"), {0: 2, 1: 2}, 0) == Known("nim-sum 0")
