"""Interpreted self-play: against the original's algorithm, and as the measure of the compiled one."""

from __future__ import annotations

import pytest

from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.learning import interpreted
from nimtui.learning.training import Training
from nimtui.progress import Cancelled
from tests.learning import oracles
from tests.learning.helpers import GAMES, same_tables, stat_of
from tests.stops import StopAfter

PICKS = ("row-then-count", "uniform-move")


@pytest.mark.slow
@pytest.mark.parametrize("pick", PICKS)
@pytest.mark.parametrize(
    ("name", "rows", "limit", "misere"),
    [
        ("tower:16", (1, 3, 5, 7), 255, False),
        ("tower:16:misere", (1, 3, 5, 7), 255, True),
        ("nim:9,9:max=3", (9, 9), 3, False),
        ("subtraction:21,3:misere", (21,), 3, True),
    ],
)
def test_the_originals_algorithm_gives_the_same_table(
    name: str, rows: tuple[int, ...], limit: int, misere: bool, pick: str
) -> None:
    table = interpreted.train(parse_game(name), f"reward:win=2,loss=3,pick={pick}", 2_000, 11)
    row_first = pick == "row-then-count"
    expected = oracles.reward(rows, 2_000, 11, limit=limit, misere=misere, row_first=row_first, win=2, loss=3)
    assert stat_of(table) == expected


@pytest.mark.slow
@pytest.mark.parametrize("pick", PICKS)
@pytest.mark.parametrize(("name", "games"), GAMES)
def test_the_compiled_learner_gives_the_same_table_cell_by_cell(name: str, games: int, pick: str) -> None:
    game, learner = parse_game(name), f"reward:win=2,pick={pick}"
    training = Training(game, learner, 5)
    training.run(games)
    slow = interpreted.train(game, learner, games, 5)
    assert slow.cells.any()
    assert same_tables(slow, training.table)


def test_a_draw_teaches_nothing() -> None:
    game = parse_game("connect:2x2x2")  # whoever moves third wins
    assert interpreted.train(game, "reward", 50).cells.any()
    drawn = parse_game("connect:1x3x3")  # one column, alternating discs: always a draw
    table = interpreted.train(drawn, "reward", 50)
    assert table.games == 50 and len(table.numbers) == 3 and not table.cells.any()


def test_a_game_too_large_for_the_engine_still_gets_a_beginners_table() -> None:
    table = interpreted.train(parse_game("connect4"), "reward", 10)
    assert 50 < len(table.numbers) < 420


def test_positions_without_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="too many positions"):
        interpreted.train(parse_game("nim:255,255,255,255,255,255,255,255"), "reward", 10)


def test_it_can_be_stopped() -> None:
    with pytest.raises(Cancelled):
        interpreted.train(parse_game("tower:16"), "reward", 10**9, 0, StopAfter(1))
