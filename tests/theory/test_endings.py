"""How a connect game ends with best play: every fact against brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from nimtui.games import parse_game
from nimtui.games.connect import Connect
from nimtui.theory import Outcome, connect
from nimtui.theory.endings import Ending, Last
from nimtui.theory.explanation import ending_lines
from tests.theory.oracles import Columns


def positions(columns: int, rows: int, k: int, oracle: Columns) -> Iterator[str]:
    """Yield moves that lead to some positions: anywhere on a small board, late on a large one."""
    dice = Random(columns * rows)
    if columns * rows <= 18:
        yield from (moves for _, moves in oracle.positions() if dice.random() < 0.03)
        return
    for _ in range(150):
        board, moves = oracle.empty(), ""
        while len(moves) < columns * rows - 10:
            column = dice.choice(oracle.open(board))
            board, moves = oracle.drop(board, column), moves + str(column + 1)
            if oracle.wins(board, column):
                break
        else:
            yield moves


@pytest.mark.slow
def test_every_fact_about_the_end_is_true() -> None:
    seen = Counter[Last]()
    for columns, rows, k in ((4, 3, 3), (3, 5, 3), (3, 6, 3), (5, 3, 3), (6, 5, 4), (7, 6, 4)):
        oracle = Columns(columns, rows, k)
        game = parse_game(f"connect:{columns}x{rows}x{k}")
        for moves in positions(columns, rows, k, oracle):
            state = game.new(moves)
            assert isinstance(state, Connect)
            found = connect.ending(game, state)
            assert found is not None
            seen[found.last] += 1
            _check(oracle, moves, found)
    assert set(seen) == set(Last), "each kind of end is met"


def _check(oracle: Columns, moves: str, found: Ending) -> None:
    """Check that the line is best play by both, that it ends where it says, and how."""
    at = oracle.empty()
    for name in moves:
        at = oracle.drop(at, int(name) - 1)
    before, column = at, -1
    for number, name in enumerate(found.line):
        last, before, column = before, at, int(name) - 1
        assert oracle.moves(at)[column] == oracle.score(at), "a move of the line gives something away"
        at = oracle.drop(at, column)
        assert oracle.wins(at, column) == (number == len(found.line) - 1 and found.last is not Last.FULL)
    if found.last is Last.FULL:
        assert not oracle.open(at)
        return
    assert len(before[column]) + 1 == found.row
    if found.last is Last.AT_ONCE:
        assert len(found.line) == 1
    else:
        _check_the_loser(oracle, last, found.last, [int(each) - 1 for each in found.columns])


def _check_the_loser(oracle: Columns, board: tuple[str, ...], last: Last, columns: list[int]) -> None:
    """Check what is claimed about the position in which the loser moves for the last time."""
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
