from __future__ import annotations

from itertools import product

import pytest

from nimtui.games import base, parse_game
from nimtui.theory import Outcome, is_instant, solve, why_unsolvable
from tests.theory import oracles

GAMES = [
    "nim:1,3,5",
    "nim:4,4,4",
    "nim:2,1,2,1,2",
    "nim:7,8",
    "nim:12",
    "nim:6,7:max=2",
    "nim:5,5,5:max=3",
    "nim:3,3,3,3:max=1",
    "nim:9,9:max=4",
    "nim:13:max=5",
]


@pytest.mark.parametrize("misere", [False, True], ids=["normal", "misere"])
@pytest.mark.parametrize("name", GAMES)
def test_every_position_agrees_with_brute_force(name: str, misere: bool) -> None:
    game = parse_game(name + ":misere" * misere)
    rows = [int(matches) for matches in name.split(":")[1].split(",")]
    limit = int(name.partition("max=")[2] or 255)
    for position in product(*(range(matches + 1) for matches in rows)):
        state = game.new(",".join(map(str, position)))
        verdict = solve(game, state)
        names = {game.move_name(move, state) for move in verdict.best_moves}
        options = dict(oracles.takes(position, limit))
        lost = oracles.heaps_lost(position, limit, misere)
        assert verdict.outcome is (Outcome.LOSS if lost else Outcome.WIN), position
        winning = {move for move, after in options.items() if oracles.heaps_lost(after, limit, misere)}
        assert names == (set(options) if lost else winning), position
        assert list(verdict.best_moves) == sorted(verdict.best_moves)
        assert verdict.grundy == (None if misere else oracles.heaps_grundy(position, limit)), position


@pytest.mark.parametrize("name", ["nim:1,3,5,7", "nim:1,3,5,7:misere"])
def test_the_tower_of_16_has_48_lost_positions_in_either_play(name: str) -> None:
    # source: theory.json. The empty position is one of them in normal play, not in misère
    game = parse_game(name)
    lost = [
        position
        for position in product(range(2), range(4), range(6), range(8))
        if solve(game, game.new(",".join(map(str, position)))).outcome is Outcome.LOSS
    ]
    assert len(lost) == 48
    assert (1, 3, 5, 7) in lost


@pytest.mark.slow
@pytest.mark.parametrize("matches", range(1, 60))
@pytest.mark.parametrize("most", [1, 2, 3, 7])
def test_subtraction_is_lost_at_0_or_in_misere_at_1_by_the_remainder(matches: int, most: int) -> None:
    # source: theory.json, the subtraction tournament
    for misere in (False, True):
        game = parse_game(f"subtraction:{matches},{most}" + ":misere" * misere)
        lost = solve(game, game.new()).outcome is Outcome.LOSS
        assert lost == (matches % (most + 1) == (1 % (most + 1) if misere else 0))


def test_the_perfect_moves_of_original_001() -> None:
    for name in ("nim:3,5,4,2,6", "nim:3,5,4,2,6:misere"):
        game = parse_game(name)
        state = game.new()
        verdict = solve(game, state)
        assert [game.move_name(move, state) for move in verdict.best_moves] == ["b2", "c2", "e6"]


@pytest.mark.parametrize(
    ("name", "outcome", "grundy"),
    [("nim:1,2", Outcome.LOSS, 0), ("nim:1,2:misere", Outcome.WIN, None)],
)
def test_a_finished_position_is_lost_in_normal_and_won_in_misere_play(
    name: str, outcome: Outcome, grundy: int | None
) -> None:
    game = parse_game(name)
    verdict = solve(game, game.new("0,0"))
    assert (verdict.outcome, verdict.grundy, verdict.best_moves) == (outcome, grundy, ())


def test_the_largest_game_has_its_one_kind_of_winning_move() -> None:
    rows = ",".join(["255"] * 25 + ["1"])
    game = parse_game(f"nim:{rows}")
    state = game.new()
    verdict = solve(game, state)
    assert why_unsolvable(game, state) is None and is_instant(game, state)
    assert verdict.grundy == 254
    assert [game.move_name(move, state) for move in verdict.best_moves] == [f"{chr(97 + row)}254" for row in range(25)]


def test_solving_changes_nothing() -> None:
    game = parse_game("nim:3,5,4,2,6:misere")
    state = game.new()
    solve(game, state)
    assert (state.board == base.copy(game.start).board).all()
