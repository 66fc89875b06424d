"""What a run does at its bounds: as many games as a table can count, and saves from another thread."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from nimtui.errors import InputError
from nimtui.games import parse_game
from nimtui.learning.learner import MOST, check_games, most_games, parse_learner
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.progress import Cancelled, Progress
from tests.stops import StopAt


@pytest.mark.parametrize(("learner", "most"), [("quality", MOST), ("reward", MOST), ("reward:win=1000", MOST // 1000)])
def test_a_table_counts_only_so_far(learner: str, most: int) -> None:
    rule = parse_learner(learner)
    assert most_games(rule) == most
    check_games(rule, most)
    with pytest.raises(InputError, match=f"at most {most:,} games fit"):
        check_games(rule, most + 1)


def test_an_endless_run_ends_where_its_table_can_count_no_further(tmp_path: Path) -> None:
    run = Run(Training(parse_game("nim:3,2"), "reward:win=1000,loss=1000"), tmp_path / "run.npz")
    run.goal()
    with pytest.raises(InputError, match="cannot count more than 2,147,483 games"):
        run.work()
    assert run.training.games == 2_147_483 and np.abs(run.training.table.cells.astype(np.int64)).max() < MOST
    assert Training.load(tmp_path / "run.npz").games == 2_147_483


@pytest.mark.slow
@pytest.mark.parametrize("stop", [3_000])
def test_until_perfect_ends_after_the_same_games_however_it_was_divided(tmp_path: Path, stop: int) -> None:
    game = parse_game("nim:7,5,3")
    whole = Run(Training(game, "quality", 0))
    whole.goal(100_000, until_perfect=True)
    whole.work()
    run = Run(Training(game, "quality", 0), tmp_path / "run.npz")
    run.goal(100_000, until_perfect=True)
    with pytest.raises(Cancelled):
        run.work(StopAt(stop, "games"))
    again = Run.load(tmp_path / "run.npz")
    assert again.training.games < whole.training.games
    again.work()
    assert again.training.games == whole.training.games
    assert (again.training.table.cells == whole.training.table.cells).all()


@pytest.mark.slow
def test_a_save_while_it_plays_keeps_a_whole_table(tmp_path: Path) -> None:
    run = Run(Training(parse_game("tower:36"), "reward"), tmp_path / "run.npz")
    run.training.prepare()
    done = threading.Event()

    class UntilDone(Progress):
        def report(self, played: float, total: float, what: str = "") -> None:
            if done.is_set():
                raise Cancelled

    def work() -> None:
        with pytest.raises(Cancelled):
            run.work(UntilDone())

    worker = threading.Thread(target=work)
    worker.start()
    try:
        for _ in range(2):
            run.save()
            assert run.writer.fault == ""
            loaded = Training.load(tmp_path / "run.npz")
            assert loaded.games == run.writer.games
            assert loaded.plies == int(loaded.table.visits.sum())  # games, plies and visits of one moment
    finally:
        done.set()
        worker.join()


def test_a_large_curve_has_its_points_once_each(tmp_path: Path) -> None:
    game = parse_game("connect4:4x4")
    parts, whole = Training(game, "reward", 3), Training(game, "reward", 3)
    parts.prepare()
    parts.advance(137)
    parts.run(2_000 - parts.games)
    whole.run(2_000)
    assert [point.games for point in parts.curve] == [0, 1_000, 2_000]
    assert parts.curve == whole.curve
