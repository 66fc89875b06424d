"""Noughts and crosses: the rules, the counts and the values against brute force on tuples of cells."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimtui import theory
from nimtui.engine import perft
from nimtui.errors import InputError
from nimtui.games import Game, base, parse_game
from nimtui.theory import Outcome
from tests.examples import examples
from tests.games.test_rules import line_through

Cells = tuple[int, ...]


class Brute:
    """Noughts and crosses on tuples of cells, 0 empty, 1 and 2 the players': nothing of the product's."""

    def __init__(self, columns: int, rows: int, k: int) -> None:
        self.columns, self.k = columns, k
        self.start: Cells = (0,) * (columns * rows)
        self.value = cache(self._value)
        self.finished = cache(self._finished)

    def won(self, cells: Cells, player: int) -> bool:
        return line_through({divmod(at, self.columns) for at, mark in enumerate(cells) if mark == player}, self.k)

    def ended(self, cells: Cells) -> int | None:
        """1 or 2 for the winner, 0 for a draw, None for a game that goes on."""
        for player in (1, 2):
            if self.won(cells, player):
                return player
        return None if 0 in cells else 0

    def after(self, cells: Cells) -> list[Cells]:
        player = 1 + sum(mark > 0 for mark in cells) % 2
        return [(*cells[:at], player, *cells[at + 1 :]) for at, mark in enumerate(cells) if not mark]

    def _value(self, cells: Cells) -> int:
        """1, 0 or −1 for the player to move."""
        if (end := self.ended(cells)) is not None:
            return -1 if end else 0
        return max(-self.value(after) for after in self.after(cells))

    def _finished(self, cells: Cells) -> Counter[int]:
        """The games from here, by how they end."""
        if (end := self.ended(cells)) is not None:
            return Counter({end: 1})
        total: Counter[int] = Counter()
        for after in self.after(cells):
            total += self.finished(after)
        return total

    def reachable(self) -> set[Cells]:
        found, todo = {self.start}, [self.start]
        while todo:
            cells = todo.pop()
            if self.ended(cells) is None:
                new = set(self.after(cells)) - found
                found |= new
                todo += new
        return found


def cells_of(game: Game, board: base.Board) -> Cells:
    return tuple(cell for row in game.cells(game.at(board)) or () for cell in row)


def reachable(game: Game) -> dict[Cells, base.Board]:
    found = {cells_of(game, game.start.board): game.start.board}
    todo = [game.start.board]
    while todo:
        state = game.at(todo.pop())
        for move in base.legal_moves(state):
            after = game.after(state, move).board
            if (cells := cells_of(game, after)) not in found:
                found[cells] = after
                todo.append(after)
    return found


def test_tic_tac_toe_has_5478_positions_and_255168_games() -> None:
    brute, game = Brute(3, 3, 3), parse_game("noughts")
    assert game.name == "noughts:3x3x3"
    found = brute.reachable()
    assert len(found) == 5_478 and sum(brute.ended(cells) is None for cells in found) == 4_520
    assert brute.finished(brute.start) == {1: 131_184, 2: 77_904, 0: 46_080}
    assert set(reachable(game)) == found


@pytest.mark.parametrize("name", ["noughts:3x3x3", "noughts:3x3x2", "noughts:2x3x2", "noughts:4x2x3", "noughts:3x1x2"])
def test_every_position_has_the_outcome_the_moves_and_the_value_of_brute_force(name: str) -> None:
    game = parse_game(name)
    columns, rows, k = map(int, game.name.split(":")[1].split("x"))
    brute = Brute(columns, rows, k)
    boards = reachable(game)
    assert set(boards) == brute.reachable()
    values = {Outcome.WIN: 1, Outcome.DRAW: 0, Outcome.LOSS: -1}
    numbers, keys = set(), set()
    for cells, board in boards.items():
        state = game.at(board)
        end = brute.ended(cells)
        assert base.outcome(state) == {None: base.GOING_ON, 0: base.DRAW, 1: base.WON, 2: base.WON}[end]
        after = [cells_of(game, game.after(state, move).board) for move in base.legal_moves(state)]
        assert after == ([] if end is not None else brute.after(cells))
        assert values[theory.solve(game, state).outcome] == brute.value(cells)
        assert 0 <= base.index(state) < game.positions
        numbers.add(base.index(state))
        keys.add(base.key(state))
    assert len(numbers) == len(keys) == len(boards)


@pytest.mark.parametrize(
    ("name", "outcome"),
    [("noughts:3x3x3", Outcome.DRAW), ("noughts:3x3x2", Outcome.WIN), ("noughts:4x3x3", Outcome.WIN)],
)
def test_known_results(name: str, outcome: Outcome) -> None:
    game = parse_game(name)
    assert theory.solve(game, game.new()).outcome is outcome


def test_perft_counts_all_games_of_tic_tac_toe() -> None:
    brute = Brute(3, 3, 3)
    level, expected = [brute.start], [1]
    for _ in range(9):
        level = [after for cells in level if brute.ended(cells) is None for after in brute.after(cells)]
        expected.append(len(level))
    assert perft.by_ply(parse_game("noughts:3x3x3").new()) == expected


@given(name=st.sampled_from(["noughts:3x3x3", "noughts:9x7x5", "noughts:8x5x4", "noughts:31x1x3"]), data=st.data())
@settings(max_examples=examples(25), deadline=None)
def test_positions_and_moves_are_read_back_from_their_names(name: str, data: st.DataObject) -> None:
    game = parse_game(name)
    state = game.new()
    while base.outcome(state) == base.GOING_ON:
        moves = base.legal_moves(state)
        assert [game.parse_move(game.move_name(move), state) for move in moves] == moves
        move = data.draw(st.sampled_from(moves))
        before = state.board.copy()
        base.play(state, move)
        assert game.parse_position(game.position_name(state)).tolist() == state.board.tolist()
        base.undo(state, move)
        assert state.board.tolist() == before.tolist()
        base.play(state, move)


@pytest.mark.parametrize(
    ("position", "fault"),
    [
        ("x", "expected 3 rows of 3 cells"),
        ("xx./.../...", "x moves first"),
        ("xxx/ooo/...", "the game was over before the last mark"),
        ("xxx/oo./o..", "the game was over before the last mark"),
        ("o../.../...", "x moves first"),
    ],
)
def test_a_position_to_which_no_moves_lead_is_refused(position: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        parse_game("noughts").parse_position(position)


def test_two_lines_with_one_last_mark_are_a_position() -> None:
    game = parse_game("noughts")
    assert base.outcome(game.new("xxx/xoo/xoo")) == base.WON


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("noughts:3x3", "expected columns, rows and marks in a row"),
        ("noughts:3x3x4", "expected 2 to 3, as in noughts:3x3x3"),
        ("noughts:8x8x4", "at most 63 cells"),
        ("noughts:1x1x1", "too small"),
    ],
)
def test_an_invalid_size_is_refused_with_a_valid_one(name: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        parse_game(name)
