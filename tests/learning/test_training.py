"""Compiled runs: the original's figures, and that nothing depends on how a run is divided."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx

from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.learning import curve_points as points_of_curves
from nimtui.learning import evaluate, training
from nimtui.learning.curve_points import Point, curve_points
from nimtui.learning.graph_table import bytes_needed, why_untrainable
from nimtui.learning.table import Table
from nimtui.learning.training import Training
from nimtui.progress import Cancelled, Progress
from nimtui.store import StoreError
from tests.learning.helpers import bits, random_record
from tests.theory.force import Force
from tests.theory.literal_table import Literal

TOWER = parse_game("tower:16")


def run(games: int, seed: int, learner: str = "reward") -> Training:
    one = Training(TOWER, learner, seed)
    one.run(games)
    return one


def state_of(one: Training) -> tuple[object, ...]:
    """All that must be the same."""
    return bits(one.table.cells), one.games, one.plies, int(one.counter[0]), one.curve


class Reports(Progress):
    """Notes what is reported, and may stop the work."""

    def __init__(self, stop_after: float = float("inf")) -> None:
        self.stop_after = stop_after
        self.seen: list[tuple[float, float, str]] = []

    def report(self, done: float, total: float, what: str = "") -> None:
        self.seen.append((done, total, what))
        if what == "games" and done >= self.stop_after:
            raise Cancelled


# Source of the figures: the tower of 16, and independent runs of its algorithm.


@pytest.mark.slow
def test_five_million_games_give_the_originals_numbers_and_perfect_play_from_the_start() -> None:
    one = run(5_000_000, 0)
    take_one, take_two = one.table.scores(TOWER.new("0,0,0,2")).values()
    # Which opening replies are locked in is luck: 40 runs of the original's algorithm with
    # another generator gave 284,000 to 297,000 or 310,000 to 326,000; it printed 319,682.
    assert 280_000 < take_two < 330_000 and take_one <= 0
    learned = [score for score in one.table.scores(TOWER.new("1,3,5,6")).values() if score > 0]
    assert len(learned) == 1 and 172_000 < learned[0] < 184_000
    names = [TOWER.move_name(move) for move in one.table.best_moves(TOWER.new("1,3,5,6"))]
    assert names[0] in ("a1", "b1", "c1") and len(names) == 1
    assert all(score < 0 for score in one.table.scores(TOWER.new()).values())
    assert 0.8 < one.standing().accuracy < 1
    assert evaluate.against_perfect(one.table, evaluate.SECOND).win == 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("games", "accuracy", "tolerance"), [(10, 0.194, 0.01), (1_000, 0.386, 0.03), (100_000, 0.927, 0.03)]
)
def test_accuracy_by_games_as_the_mean_of_ten_seeds(games: int, accuracy: float, tolerance: float) -> None:
    found = [run(games, seed).standing().accuracy for seed in range(10)]
    assert sum(found) / 10 == approx(accuracy, abs=tolerance)
    if games == 100_000:  # the reference's range of ten seeds, and a little more
        assert min(found) > 0.83 and max(found) < 0.99


# However a run is divided.


@settings(max_examples=5, deadline=None)
@given(st.lists(st.integers(0, 700), min_size=1, max_size=6), st.integers(0, 2**64 - 1))
def test_any_division_into_runs_gives_the_same(parts: list[int], seed: int) -> None:
    divided = Training(TOWER, "reward", seed)
    for part in parts:
        divided.run(part)
    assert state_of(divided) == state_of(run(sum(parts), seed))


@pytest.mark.parametrize("seconds", [1e-9, 10])
def test_any_size_of_chunks_gives_the_same(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    usual = state_of(run(900, 4))
    monkeypatch.setattr(points_of_curves, "CHUNK_SECONDS", seconds)
    monkeypatch.setattr(training, "FIRST_CHUNK", 7)
    assert state_of(run(900, 4)) == usual


def test_a_run_goes_on_from_its_file_as_if_it_had_never_stopped(tmp_path: Path) -> None:
    first = run(1_000, 6, "reward:pick=uniform-move,loss=2")
    first.save(tmp_path / "run.npz")
    second = Training.load(tmp_path / "run.npz")
    assert state_of(second) == state_of(first)
    assert second.seconds == first.seconds
    second.run(1_000)
    whole = run(2_000, 6, "reward:pick=uniform-move,loss=2")
    assert state_of(second) == state_of(whole)
    assert second.table.learner == whole.table.learner
    second.save(tmp_path / "run.npz")
    assert Table.load(tmp_path / "run.npz").games == 2_000


def test_a_run_can_go_on_from_a_table_that_has_learned_from_a_person() -> None:
    one = run(1_000, 2)
    table = one.table
    table.learn(random_record(TOWER, 3))
    learned = table.cells.copy()
    one.run(0)
    assert one.table is table and (one.table.cells == learned).all() and one.games == 1_001
    one.run(500)
    assert one.table is table and one.games == 1_501


def test_a_file_without_a_run_cannot_go_on(tmp_path: Path) -> None:
    run(50, 1).table.save(tmp_path / "t.npz")
    with pytest.raises(StoreError, match="not the run"):
        Training.load(tmp_path / "t.npz")


@pytest.mark.parametrize("broken", [{"rng": -1}, {"rng": "x"}, {"plies": None}, {"curve": [3]}, {"curve": 0}])
def test_a_broken_run_is_refused(tmp_path: Path, broken: dict) -> None:
    one = run(50, 1)
    state = {"rng": 1, "plies": 1, "seconds": 0.1, "curve": [], "more": {}} | broken
    one.table.save(tmp_path / "t.npz", state)
    with pytest.raises(StoreError, match="lacks parts of a run"):
        Training.load(tmp_path / "t.npz")


# The curve, the clock, the reports.


def test_the_curve_has_its_points_at_fixed_games() -> None:
    assert list(itertools.islice(curve_points(0, 100), 22)) == [
        *(1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250)
    ]
    assert list(itertools.islice(curve_points(30, 10**6), 4)) == [1_000, 2_000, 5_000, 10_000]
    curve = run(130, 0).curve
    assert [point.games for point in curve] == [0, *itertools.takewhile(lambda g: g <= 130, curve_points(0, 100))]
    literal = Literal(Force("tower:16"), Table.empty(TOWER, "reward"))
    assert curve[0] == Point(0, approx(literal.accuracy), approx(literal.unbeaten))
    assert curve[-2][:2] == (100, run(100, 0).standing().accuracy)


def test_preparing_and_no_games_take_no_time_of_the_clock() -> None:
    one = Training(TOWER, "reward")
    assert not one.ready and one.games_per_second == 0
    one.prepare()
    assert one.ready and one.seconds == 0 and one.games == 0
    assert len(one.table.numbers) == 383 and len(one.table.cells) == 3072  # source: the tower of 16
    one.run(2_000)
    assert one.seconds > 0 and one.games_per_second == one.games / one.seconds
    assert one.plies > 2_000


def test_what_was_played_before_a_cancel_is_kept() -> None:
    one = Training(TOWER, "reward", 3)
    with pytest.raises(Cancelled):
        one.run(10**9, Reports(stop_after=1_000))
    assert 1_000 <= one.games < 10**6
    assert state_of(one) == state_of(run(one.games, 3))
    one.run(100)
    assert state_of(one) == state_of(run(one.games, 3))


def test_a_run_reports_how_far_it_is() -> None:
    one, reports = run(77, 3), Reports()
    one.run(5_000, reports)
    games = [done for done, _, what in reports.seen if what == "games"]
    assert games[-1] == 5_000 and games == sorted(games)
    assert {total for _, total, what in reports.seen if what == "games"} == {5_000}


# What cannot be trained.


def test_a_game_too_large_is_refused_before_anything_is_allocated() -> None:
    large = "it would need about 15.2 GB (15,162,900,480 bytes), more than the 2.15 GB allowed"
    for name, said in (("tower:64", large), ("connect4", "146 PB ("), ("adjacent:63", "too many positions to number")):
        reason = why_untrainable(parse_game(name))
        assert reason is not None and said in reason and "\n" not in reason
        with pytest.raises(InputError, match="table"):
            Training(parse_game(name), "reward")


def test_the_estimate_of_the_memory_is_not_far_off() -> None:
    for name in ("tower:36", "adjacent:1,3,5,7"):
        game = parse_game(name)
        one = Training(game, "reward")
        one.prepare()
        assert one.truth is not None
        own = one.table.cells, one.table.visits, one.table.marks, one.table.numbers
        arrays = *one.truth.graph, one.truth.values, one.truth.keeps, *own
        taken = sum({id(array): array.nbytes for array in arrays if hasattr(array, "nbytes")}.values())
        assert 1 < bytes_needed(game) / taken < 4  # it counts the copies that are made while it runs, too
        assert why_untrainable(game) is None


def test_scores_cannot_overflow() -> None:
    one = Training(TOWER, "reward:win=1000")
    with pytest.raises(InputError, match="could exceed 2,147,483,647"):
        one.run(3_000_000)
    assert one.games == 0
