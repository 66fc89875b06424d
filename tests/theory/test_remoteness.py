"""Remoteness: the plies to the end, if the winner hurries and the loser holds out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from types import ModuleType

import numpy as np
import pytest

from nimtui import theory
from nimtui.games import Game, base, parse_game
from nimtui.games.base import State
from nimtui.theory import Outcome, run_distances, unnumbered
from nimtui.theory.answers import answer, known_answer, known_moves, move_values
from tests.games import wythoff
from tests.theory import circling, noughts, pairs
from tests.theory.oracles import Columns, heaps_lost, runs_lost, runs_taken, takes


def game_of(module: ModuleType, *fields: str) -> Game:
    return Game(module, module.parse(module.NAMES[0], list(fields)))


def reached(game: Game, most: int) -> Iterator[State]:
    """Some positions of random games, the start and finished ones included."""
    random = Random(7)
    yield game.new()
    for _ in range(most):
        state = game.new()
        while base.outcome(state) == base.GOING_ON:
            base.play(state, random.choice(base.legal_moves(state)))
            yield base.copy(state)


class Literal:
    """The definition, written down: a value and its plies for every position, by the rules alone."""

    def __init__(self) -> None:
        self.told: dict[bytes, tuple[int, int]] = {}

    def of(self, state: State) -> tuple[int, int]:
        """Return 1, 0 or −1 for the player to move, and the plies to the end."""
        end = base.outcome(state)
        if end != base.GOING_ON:
            return (0 if end == base.DRAW else -end), 0
        here = state.board.tobytes()
        if here not in self.told:
            after = []
            for move in base.legal_moves(state):
                base.play(state, move)
                value, plies = self.of(state)
                base.undo(state, move)
                after.append((-value, plies + 1))
            value = max(value for value, _ in after)
            plies = [plies for each, plies in after if each == value]
            self.told[here] = value, max(plies) if value < 0 else min(plies)
        return self.told[here]


GAMES = (
    "nim:1,3,5",
    "nim:2,3,4:misere",
    "nim:5,4:max=2",
    "nim:5,4,3:max=3:misere",
    "subtraction:21,3",
    "subtraction:21,3:misere",
    "tower:9:misere",
    "kayles:3,5",
    "kayles:3,5:misere",
    "adjacent:1,3,4",
    "adjacent:2,4:misere",
    "adjacent:6:max=3:misere",
    "connect:3x3x3",
    "connect:4x3x3",
    "connect:3x4x3",
    "connect:5x2x3",
)


@pytest.mark.parametrize("name", [*GAMES, "wythoff", "pairs", "noughts"])
def test_remoteness_is_as_defined(name: str) -> None:
    own = {"wythoff": (wythoff, "4,6"), "pairs": (pairs, "9"), "noughts": (noughts,)}
    game = game_of(own[name][0], *own[name][1:]) if name in own else parse_game(name)  # type: ignore[arg-type]
    literal = Literal()
    for state in reached(game, 12):
        value, plies = literal.of(base.copy(state))
        found = answer(game, state)
        assert found.outcome is Outcome.of(value)
        assert found.remoteness == (0 if base.outcome(state) else plies if value else None)
        for move in move_values(game, state) if base.outcome(state) == base.GOING_ON else ():
            after = base.copy(state)
            base.play(after, move.move)
            value, plies = literal.of(after)
            assert move.outcome is Outcome.of(-value)
            assert move.remoteness == (plies + 1 if value else None)


def test_the_last_match_alone_ends_the_game_at_once() -> None:
    # by hand: normal play takes it; in misère the one who takes it loses, in one ply all the same
    assert answer(parse_game("nim:7"), parse_game("nim:7").new()).remoteness == 1
    misere = parse_game("nim:7:misere")
    assert (answer(misere, misere.new()).outcome, answer(misere, misere.new()).remoteness) == (Outcome.WIN, 2)
    assert answer(misere, misere.new("1")).remoteness == 1
    assert answer(misere, misere.new("0")).remoteness == 0


def test_two_equal_rows_last_as_long_as_both_take_one_by_one() -> None:
    # by hand: from n, n the loser takes one each time and the winner mirrors, which is 2n plies
    for n in range(1, 30):
        game = parse_game(f"nim:{n},{n}")
        assert answer(game, game.new()).remoteness == 2 * n


@cache
def _rows(rows: tuple[int, ...], misere: bool) -> int:
    lost = heaps_lost(rows, 99, misere)
    after = [
        _rows(rows_after, misere) for _, rows_after in takes(rows, 99) if lost or heaps_lost(rows_after, 99, misere)
    ]
    return 0 if not any(rows) else 1 + (max(after) if lost else min(after))


@cache
def _runs(rows: tuple[str, ...], limit: int, misere: bool) -> int:
    lost = runs_lost(rows, limit, misere)
    after = [
        _runs(left, limit, misere) for _, left in runs_taken(rows, limit) if lost or runs_lost(left, limit, misere)
    ]
    return 0 if "1" not in "".join(rows) else 1 + (max(after) if lost else min(after))


@pytest.mark.parametrize("misere", [False, True])
def test_the_tower_of_16_and_the_second_document_agree_with_plain_tuples(misere: bool) -> None:
    for rows in ((1, 3, 5, 7), (2, 4, 4), (1, 1, 1), (3, 3, 3)):
        game = parse_game(f"nim:{','.join(map(str, rows))}{':misere' if misere else ''}")
        assert answer(game, game.new()).remoteness == _rows(rows, misere)
    for limit in (2, 3):
        game = parse_game(f"adjacent:2,5:max={limit}{':misere' if misere else ''}")
        assert answer(game, game.new()).remoteness == _runs(("11", "11111"), limit, misere)


def test_every_position_of_a_small_connect_board_agrees_with_strings() -> None:
    columns = Columns(4, 3, 3)
    game = parse_game("connect:4x3x3")

    @cache
    def literal(board: tuple[str, ...]) -> tuple[int, int]:
        after = []
        for column in columns.open(board):
            dropped = columns.drop(board, column)
            value, plies = (-1, 0) if columns.wins(dropped, column) else literal(dropped)
            after.append((-value, plies + 1))
        if not after:
            return 0, 0
        best = max(value for value, _ in after)
        plies = [plies for value, plies in after if value == best]
        return best, max(plies) if best < 0 else min(plies)

    for place, (board, moves) in enumerate(columns.positions()):
        if place % 17 == 0:
            value, plies = literal(board)
            assert answer(game, game.new(moves)).remoteness == (plies if value else None), moves


def test_where_only_the_outcome_is_known_remoteness_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    game = parse_game("nim:60,61,62,63")
    found = answer(game, game.new(), quick=True)
    assert (found.outcome, found.remoteness) == (Outcome.LOSS if 60 ^ 61 ^ 62 ^ 63 == 0 else Outcome.WIN, None)
    monkeypatch.setattr(run_distances, "MOST", 100)
    assert answer(game, game.new()).remoteness is None


def test_what_cannot_be_solved_is_unknown_everywhere() -> None:
    endless = game_of(circling)
    large = parse_game("connect4:8x6")
    for game in (endless, large):
        assert known_answer(game, game.new()) is None
        assert known_moves(game, game.new()) is None
        with pytest.raises(theory.Unsolvable):
            answer(game, game.new())


def test_time_that_is_up_leaves_a_position_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unnumbered, "_recent", None)
    game = game_of(noughts)
    assert known_answer(game, game.new(), seconds=1e-9) is None
    assert known_answer(game, game.new()) is not None


def test_grundy_values_do_not_depend_on_what_was_asked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "positions", lambda state: 0)
    game = game_of(wythoff, "3,5")
    whole = theory.solve(game, game.new()).grundy
    small = game.at(np.array([1, 2], np.int64))
    assert (whole is not None, theory.solve(game, small).grundy) == (True, 0)


@pytest.mark.parametrize("split", [False, True])
def test_the_cost_of_a_position_bounds_its_moves(split: bool) -> None:
    for limit in (1, 2, 99):
        rules = run_distances.Rules(limit, misere=False, split=split)
        for position in ((1,), (9,), (1, 3, 5), (2, 2, 2), (3, 4, 4), (1, 2, 3, 4)):
            seen, queue, moves = {position}, [position], 0
            for at in queue:  # it grows as it goes
                for after in run_distances.options(at, rules):
                    moves += 1
                    if after not in seen:
                        seen.add(after)
                        queue.append(after)
            assert moves <= run_distances.cost(position, rules)


def test_whether_a_remoteness_is_known_does_not_depend_on_earlier_questions() -> None:
    game = parse_game("nim:20,21,22")
    state = game.new()
    assert theory.remoteness(game, state, quick=True) is None
    assert theory.remoteness(game, state) is not None
    assert theory.remoteness(game, state, quick=True) is None
