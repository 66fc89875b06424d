"""What sentences claim about connect games, compared with boards of strings that are played to the end."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from nimtui.games import parse_game
from nimtui.theory import plain
from nimtui.theory.claims import Threats
from nimtui.theory.verdict import Outcome
from tests.theory.oracles import Columns

Board = tuple[str, ...]


class Judge(Columns):
    """Also knows where a disc completes a line, and how many discs the winner needs."""

    def completing(self, board: Board, other: bool = False) -> list[int]:
        """Columns where the player to move completes a line, or the other one if it were their turn."""
        disc = "xo"[(self.played(board) + other) % 2]
        boards = {column: (*board[:column], board[column] + disc, *board[column + 1 :]) for column in self.open(board)}
        return [column for column, after in boards.items() if self.wins(after, column)]

    def plies(self, board: Board) -> int:
        """Plies to the end of a lost position: the winner hurries, the loser holds out."""
        cells, discs = self.columns * self.rows, self.played(board)
        winner_plays = cells // 2 if discs % 2 == 0 else (cells + 1) // 2  # on a full board
        last = winner_plays + self.score(board) + 1  # the winner's number of discs when the line is completed
        return 2 * (last - (discs // 2 if discs % 2 == 0 else (discs + 1) // 2))


def sampled(judge: Judge, number: int, most_empty: int) -> Iterator[tuple[Board, str]]:
    """Positions of random games, which are not over, with few enough empty cells."""
    chance, found = random.Random(7), set()
    for _ in range(number):
        board, moves = judge.empty(), ""
        while judge.open(board):
            if judge.columns * judge.rows - judge.played(board) <= most_empty and board not in found:
                found.add(board)
                yield board, moves
            column = chance.choice(judge.open(board))
            board, moves = judge.drop(board, column), f"{moves}{column + 1}"
            if judge.wins(board, column):
                break


def numbers(columns: list[int]) -> tuple[str, ...]:
    return tuple(str(column + 1) for column in columns)


def check(judge: Judge, board: Board, claim: Threats, said: str) -> set[str]:
    """Check every claim about a lost position, and that the text states the same. Return what was claimed."""
    assert judge.score(board) < 0 and not judge.completing(board)
    threats = judge.completing(board, other=True)
    forbidden = [column for column in judge.open(board) if column in judge.completing(judge.drop(board, column))]
    assert claim.columns == numbers(threats) and claim.forbidden == numbers(forbidden)
    winner = sum(column.count("xo"[(judge.played(board) + 1) % 2]) for column in board)
    assert claim.disc == winner + judge.plies(board) // 2
    for column in judge.open(board):  # whatever follows, the winner needs no more plies
        after = judge.drop(board, column)
        assert not judge.wins(after, column) and judge.score(after) >= -judge.score(board)
    assert claim.all_forbidden == (not threats and forbidden == judge.open(board))
    told = set()
    if len(threats) > 1:
        told.add("double")
        for column in judge.open(board):
            assert judge.completing(judge.drop(board, column)), "only one can be blocked"
        assert all(name in said for name in claim.columns) and "can block only one" in said
        return told
    if threats:
        told.add("must block")
        for column in set(judge.open(board)) - set(threats):
            assert threats[0] in judge.completing(judge.drop(board, column))
        above = threats[0] in judge.completing(judge.drop(board, threats[0]))
        assert claim.above == above and f"must block column {threats[0] + 1}" in said
        assert ("right above" in said) == above
        told |= {"above"} if above else set()
    elif forbidden == judge.open(board):
        told.add("zugzwang")
        assert claim.all_forbidden and "wherever" in said.casefold()
        return told
    elif forbidden:
        told.add("forbidden")
        assert re.search(rf"in columns? {' or '.join(', '.join(claim.forbidden).rsplit(', ', 1))} lets", said)
    if not claim.above:
        assert re.search(rf"with (your|their) {claim.disc}(st|nd|rd|th) disc at the latest", said)
    return told


BOARDS = [((4, 4, 3), 60, 16), ((4, 3, 3), 60, 12), ((5, 4, 4), 250, 9), ((4, 5, 4), 250, 9), ((5, 4, 3), 120, 12)]


@pytest.mark.slow
@pytest.mark.parametrize(("size", "games", "most_empty"), BOARDS, ids=lambda found: str(found))
def test_threats_blocks_and_the_number_of_the_last_disc_are_true(
    size: tuple[int, int, int], games: int, most_empty: int
) -> None:
    judge, game = Judge(*size), parse_game(f"connect:{'x'.join(map(str, size))}")
    told: set[str] = set()
    for board, moves in sampled(judge, games, most_empty):
        state = game.new(moves)
        found = plain.explained(game, state)
        said = " ".join(found.sentences())
        assert found.outcome is Outcome.of(judge.score(board))
        scores = judge.moves(board)
        assert scores[found.move] == max(scores.values())
        blocked = judge.completing(board, other=True)
        if found.outcome is Outcome.LOSS:
            assert isinstance(found.claim, Threats)
            told |= check(judge, board, found.claim, said)
            assert ("to hold out longest" in said) == (len(set(scores.values())) > 1)
            continue
        assert said.startswith(f"Drop in column {found.move + 1}")
        assert found.blocks == (blocked == [found.move] and not found.line)
        after = judge.drop(board, found.move)
        if found.outcome is Outcome.DRAW:
            told.add("draw")
            assert ("every move holds the draw" in said) == (set(scores.values()) == {0})
        elif judge.wins(after, found.move):
            told.add("at once")
            assert "that completes" in said and found.line == judge.k
        else:
            assert isinstance(found.claim, Threats)
            told |= check(judge, after, found.claim, said)
    assert {"double", "must block", "at once"} <= told
