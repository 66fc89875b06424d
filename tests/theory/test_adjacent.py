from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from nimtui.games import parse_game
from nimtui.progress import Cancelled
from nimtui.theory import Outcome, Unsolvable, adjacent, is_instant, solve, why_unsolvable
from nimtui.theory.nim import grundy_values
from tests.stops import StopAfter
from tests.theory import oracles


def patterns(widths: list[int]) -> Iterator[oracles.Patterns]:
    yield from product(*(map("".join, product("01", repeat=width)) for width in widths))


@pytest.mark.slow
@pytest.mark.parametrize("played", ["", ":misere"], ids=["normal", "misere"])
@pytest.mark.parametrize("limit", [1, 2, 3, 4, 63])
@pytest.mark.parametrize("rows", ["9", "1,7", "1,3,5", "2,2,2,2"])
def test_every_position_agrees_with_brute_force(rows: str, limit: int, played: str) -> None:
    game = parse_game(f"adjacent:{rows}:max={limit}{played}")
    for position in patterns([int(width) for width in rows.split(",")]):
        state = game.new("/".join(position))
        verdict = solve(game, state)
        names = {game.move_name(move, state) for move in verdict.best_moves}
        options = dict(oracles.runs_taken(position, limit))
        lost = oracles.runs_lost(position, limit, bool(played))
        assert verdict.outcome is (Outcome.LOSS if lost else Outcome.WIN), position
        winning = {move for move, after in options.items() if oracles.runs_lost(after, limit, bool(played))}
        assert names == (set(options) if lost else winning), position
        assert list(verdict.best_moves) == sorted(verdict.best_moves)
        assert verdict.grundy == (None if played else oracles.runs_grundy(position, limit)), position


@pytest.mark.parametrize(
    ("limit", "sequence"),
    [
        # source: OEIS A002186 (Kayles)
        (2, [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1]),
        # source: recomputed by brute force
        (3, [0, 1, 2, 3, 4, 1, 6, 3, 2, 1, 6, 7, 4, 5, 8, 1, 10, 5, 4, 7, 6]),
        # source: OEIS A071074
        (4, [0, 1, 2, 3, 4, 5, 6, 7, 3, 2, 8, 9, 7, 6, 5, 4, 3, 2, 8, 9, 4]),
    ],
)
def test_grundy_values_of_a_row(limit: int, sequence: list[int]) -> None:
    assert list(grundy_values(limit)[:21]) == sequence
    for length, value in enumerate(sequence[1:], 1):
        game = parse_game(f"adjacent:{length}:max={limit}")
        assert solve(game, game.new()).grundy == value


def test_with_no_limit_a_row_is_worth_its_length() -> None:
    game = parse_game("adjacent:63,40,17")
    assert solve(game, game.new()).grundy == 63 ^ 40 ^ 17


@pytest.mark.parametrize("name", ["kayles:1,5:misere", "adjacent:5:max=3:misere"])
def test_where_the_simple_misere_rule_first_fails(name: str) -> None:
    # source: theory.json; by that rule, of values alone, both would be won or lost the other way round
    game = parse_game(name)
    rows = tuple("1" * int(width) for width in name.split(":")[1].split(","))
    limit = 2 if name.startswith("kayles") else 3
    values = [grundy_values(limit)[len(row)] for row in rows]
    total = 0
    for value in values:
        total ^= value
    by_the_rule = total == (0 if max(values) > 1 else 1)
    lost = oracles.runs_lost(rows, limit, True)
    assert lost != by_the_rule
    assert (solve(game, game.new()).outcome is Outcome.LOSS) == lost


@pytest.mark.slow
@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_simplified_runs_decide_like_the_runs_themselves(limit: int) -> None:
    dice = Random(limit)
    for _ in range(150):
        lengths = [dice.randint(1, 6) for _ in range(dice.randint(1, 4))]
        rows = tuple("1" * length for length in sorted(lengths))
        if sum(lengths) <= 13:
            assert adjacent.lost(lengths, limit) == oracles.runs_lost(rows, limit, True), lengths


@pytest.mark.parametrize(("lengths", "limit"), [((1, 3, 5, 7), 2), ((9, 9), 3), ((20,), 2), ((5, 5, 5), 4)])
def test_there_are_never_more_positions_than_was_said(lengths: tuple[int, ...], limit: int) -> None:
    seen = {adjacent.simplified(lengths, limit)}
    queue = list(seen)
    for runs in queue:  # it grows as it goes
        fresh = set(adjacent.options(runs, limit)) - seen
        seen |= fresh
        queue.extend(fresh)
    assert len(seen) <= adjacent.how_many(lengths, limit)


def test_too_many_misere_positions_are_refused_in_one_line() -> None:
    game = parse_game("adjacent:" + ",".join(["9"] * 12) + ":max=3:misere")
    state = game.new()
    reason = why_unsolvable(game, state)
    assert reason is not None and "\n" not in reason and "too many" in reason
    assert not is_instant(game, state)
    with pytest.raises(Unsolvable):
        solve(game, state)


@pytest.mark.slow
def test_the_same_game_is_solved_once_few_enough_matches_stand() -> None:
    game = parse_game("adjacent:" + ",".join(["9"] * 12) + ":max=3:misere")
    state = game.new("/".join(["000000000"] * 10 + ["111111111", "111110111"]))
    assert why_unsolvable(game, state) is None
    position = ("111111111", "11111", "111")
    lost = oracles.runs_lost(position, 3, True)
    assert (solve(game, state).outcome is Outcome.LOSS) == lost


def test_long_work_can_be_cancelled_and_taken_up_again() -> None:
    game = parse_game("adjacent:17,19:max=7:misere")
    with pytest.raises(Cancelled):
        solve(game, game.new(), StopAfter(1))
    assert solve(game, game.new()).outcome is Outcome.WIN


@pytest.mark.slow
def test_the_largest_boards_are_answered_by_formula() -> None:
    for options in ("", ":misere", ":max=5"):
        game = parse_game("adjacent:" + ",".join(["63"] * 25) + options)
        state = game.new()
        verdict = solve(game, state)
        assert is_instant(game, state)
        assert verdict.outcome is Outcome.WIN and len(verdict.best_moves) >= 25


def test_finished_positions() -> None:
    for options, outcome in (("", Outcome.LOSS), (":misere", Outcome.WIN), (":max=2:misere", Outcome.WIN)):
        game = parse_game("adjacent:1,3" + options)
        verdict = solve(game, game.new("0/000"))
        assert (verdict.outcome, verdict.best_moves) == (outcome, ())
