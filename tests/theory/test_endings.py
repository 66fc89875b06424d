"""How a connect game ends with best play: every fact against brute force."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from nimtui.games import parse_game
from nimtui.games.connect import Connect
from nimtui.theory import Outcome, connect
from nimtui.theory.endings import Last
from nimtui.theory.explanation import ending_lines
from tests.theory.oracles import Columns


def height(board: tuple[str, ...], column: int) -> int:
    return len(board[column])


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows", "k"), [(4, 4, 3), (5, 4, 4), (4, 5, 4), (3, 6, 3)])
def test_every_fact_about_the_end_is_true(columns: int, rows: int, k: int) -> None:
    oracle, dice, seen = Columns(columns, rows, k), Random(columns * rows), Counter[Last]()
    game = parse_game(f"connect:{columns}x{rows}x{k}")
    for board, moves in oracle.positions():
        if dice.random() > 400 / 20_000 or (k == 4 and len(moves) < 8):
            continue
        state = game.new(moves)
        assert isinstance(state, Connect)
        found = connect.ending(game, state)
        assert found is not None
        seen[found.last] += 1
        at, before = board, board
        for number, name in enumerate(found.line):
            column = int(name) - 1
            assert oracle.moves(at)[column] == oracle.score(at), "a move of the line gives something away"
            before, last = at, at
            at = oracle.drop(at, column)
            won = oracle.wins(at, column)
            assert won == (number == len(found.line) - 1 and found.last is not Last.FULL)
            if number == len(found.line) - 2:
                _check_the_loser(oracle, last, found.last, [int(each) - 1 for each in found.columns])
        if found.last is Last.FULL:
            assert not oracle.open(at)
            continue
        assert height(before, column) + 1 == found.row
        if found.last is Last.AT_ONCE:
            assert len(found.line) == 1
    assert set(seen) >= {Last.AT_ONCE, Last.ABOVE, Last.DOUBLE, Last.FULL}


def _check_the_loser(oracle: Columns, board: tuple[str, ...], last: Last, columns: list[int]) -> None:
    """Check what is claimed about the position in which the loser moves for the last time."""
    if last is Last.FULL:
        return
    threats = []
    for column in oracle.open(board):
        disc = "xo"[(oracle.played(board) + 1) % 2]  # as if the winner were to move
        if oracle.wins((*board[:column], board[column] + disc, *board[column + 1 :]), column):
            threats.append(column)
    replies = {column: oracle.drop(board, column) for column in oracle.open(board)}
    answers = {
        column: [other for other in oracle.open(after) if oracle.wins(oracle.drop(after, other), other)]
        for column, after in replies.items()
    }
    assert all(answers.values()), "every last move of the loser is answered by a line"
    if last is Last.ZUGZWANG:
        assert columns == oracle.open(board)
        assert all(answer == [column] for column, answer in answers.items())
    elif last is Last.ABOVE:
        [column] = columns
        assert answers[column] == [column] and column in threats
    elif last is Last.DOUBLE:
        for column in columns:
            assert set(columns) - {column} <= set(answers[column])


def test_the_sentences_name_the_winner_the_column_and_the_row() -> None:
    game = parse_game("connect4")
    state = game.new("52264575446722")
    assert isinstance(state, Connect)
    found = connect.ending(game, state)
    assert found is not None and found.last is Last.ZUGZWANG and len(found.line) == 22
    text = " ".join(ending_lines(found, Outcome.LOSS))
    assert text.startswith("Best play: 6 4 6 6 1 1") and "whichever of the columns 3 and 7 the player to move" in text
    assert "the opponent completes a line right above." in text


def test_the_end_of_a_game_and_of_an_early_position_is_not_told() -> None:
    game = parse_game("connect4")
    for moves in ("1212121", "44"):
        state = game.new(moves)
        assert isinstance(state, Connect)
        assert connect.ending(game, state) is None
