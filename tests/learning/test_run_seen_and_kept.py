"""What is seen of a run while it goes on, and what is kept of it."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nimtui.games import parse_game
from nimtui.jobs import Jobs, JobState
from nimtui.learning import evaluate
from nimtui.learning import run as checkpoint
from nimtui.learning import views as looking
from nimtui.learning.run import Checkpoint, Run
from nimtui.learning.table import Table
from nimtui.learning.training import Training
from nimtui.store import StoreError, claims, files
from tests.learning.helpers import bits
from tests.learning.running import of, played, start, state_of, until

# Views.


def test_views_are_copies_and_made_only_for_who_looks(jobs: Jobs) -> None:
    unseen = of()
    unseen.goal(20_000)
    assert start(jobs, unseen).join(30) and unseen.views.newest is None

    run = of()
    run.views.every = 0.001
    job = start(jobs, run)
    views: dict[int, tuple[Any, bytes]] = {}
    while len(views) < 2:
        view = run.views.newest
        if view is not None:
            views.setdefault(view.games, (view, bits(view.scores)))
        time.sleep(0.001)
    job.cancel()
    assert job.join(30)
    for games, (view, scores) in views.items():
        assert bits(view.scores) == scores == bits(played(games).table.cells)
        assert view.visits.sum() == view.plies
        own = played(games).standing()
        assert view.standing[:-1] == own[:-1]
        assert np.array_equal(view.standing.verdicts, own.verdicts)
    assert run.views.newest is not None and run.views.newest.games == run.training.games  # the last one is always made


def test_a_large_table_is_looked_at_beside_the_games(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "LARGE", 100)
    looked: list[str] = []
    standing = evaluate.standing

    def noted(*words: Any) -> Any:
        looked.append(threading.current_thread().name)
        return standing(*words)

    monkeypatch.setattr(evaluate, "standing", noted)
    run = of()
    run.views.every = 0.001
    run.goal(20_000)
    assert start(jobs, run).join(30)
    assert any(name.startswith("view") for name in looked)
    assert run.views.newest is not None and run.views.newest.games == 20_000
    assert state_of(run.training) == state_of(played(20_000))


# Kept.


def test_a_checkpoint_holds_the_run_as_it_was_at_the_end_of_a_chunk(jobs: Jobs, tmp_path: Path) -> None:
    path = tmp_path / "new" / "run.npz"
    run = of("q", path)
    run.goal(10**8)
    job = start(jobs, run)
    until(lambda: run.training.games > 1_000)
    assert not path.exists() and run.writer.games is None
    run.checkpoint()
    until(lambda: run.writer.games is not None)
    kept = Run.load(path)
    assert kept.writer.games == kept.training.games == run.writer.games
    assert (kept.last, kept.until_perfect) == (10**8, False)
    assert state_of(kept.training) == state_of(played(kept.training.games, "q"))
    job.cancel()
    assert job.join(30)
    assert run.writer.games == run.training.games == Training.load(path).games


def test_it_is_saved_by_itself_from_time_to_time(jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "SAVE_SECONDS", 0.02)
    run = of("quality", tmp_path / "run.npz")
    job = start(jobs, run)
    seen = set()
    while len(seen) < 3:
        seen.add(run.writer.games)
        time.sleep(0.005)
    job.cancel()
    assert job.join(30) and run.writer.fault == ""


@pytest.mark.slow
def test_a_run_that_cannot_be_saved_goes_on_and_says_so(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.npz"
    played(300).save(path)
    before = path.read_bytes()

    def full(path: Path, fill: object) -> None:
        raise StoreError(f"{path} cannot be written: no space left on device")

    run = of(path=path)
    with monkeypatch.context() as patch:
        patch.setattr(files, "replace", full)
        job = start(jobs, run)
        until(lambda: run.training.games > 0)  # else it saves first after two seconds
        run.checkpoint()
        until(lambda: run.writer.fault)
        games = run.training.games
        until(lambda: run.training.games > games)
        assert job.state is JobState.RUNNING
        assert run.writer.fault == f"{path} cannot be written: no space left on device"
        assert run.writer.games is None and path.read_bytes() == before
        job.cancel()
        assert job.join(30) and job.state is JobState.CANCELLED
        assert path.read_bytes() == before
    run.goal(100)  # there is room again
    assert start(jobs, run).join(30)
    assert run.writer.fault == "" and run.writer.games == run.training.games
    assert state_of(Training.load(path)) == state_of(played(run.training.games))


def test_its_file_is_in_use_as_long_as_it_goes_on(jobs: Jobs, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    run = of(path=path)
    job = start(jobs, run)
    until(lambda: run.training.games > 0)
    assert claims.is_claimed(path)
    job.cancel()
    assert job.join(30) and not claims.is_claimed(path)
    assert list(tmp_path.iterdir()) == [path]


def test_a_run_that_was_written_by_another_since_it_was_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    first = Run(Training(parse_game("tower:16"), "reward"), path)
    first.goal(100)
    first.work()
    one, other = Run.load(path), Run.load(path)
    one.goal(50)
    one.work()
    other.goal(10)
    with pytest.raises(StoreError, match=r"run\.npz was written by another nimtui after this one read it: open it"):
        other.work()
    assert Run.load(path).training.games == 150


def test_a_function_plays_on_while_it_is_saved_even_if_a_point_of_its_curve_takes_long(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, point_of, free = tmp_path / "run.npz", Training._point_of, threading.Event()

    def slow(training: Training, games: int, *given: Any) -> Any:
        assert games < 1_000 or free.wait(60)
        return point_of(training, games, *given)

    monkeypatch.setattr(Training, "_point_of", slow)
    run = of("ntuple:tuples=4,length=3,over=5000", path, "connect4")
    job = start(jobs, run)
    until(lambda: run.training.games >= 1_000)
    run.checkpoint()
    games = run.training.games
    until(lambda: run.training.games > games + 500)  # beyond the checkpoint, which waits for the point at 1,000 games
    free.set()
    until(lambda: run.writer.games is not None and run.writer.games >= 1_000)
    job.cancel()
    assert job.join(30) and run.writer.fault == ""
    saved, whole = Training.load(path), played(run.training.games, run.training.learner, game="connect4")
    assert saved.games == run.training.games and [point.games for point in saved.curve][:2] == [0, 1_000]
    assert state_of(saved) == state_of(whole) and saved.estimator is not None and whole.estimator is not None
    assert np.array_equal(saved.estimator.function.weights, whole.estimator.function.weights)


def test_what_a_save_aside_raises_is_raised_by_the_next_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    training, path = Training(parse_game("nim:3,4"), "ntuple", 1), tmp_path / "run.npz"
    training.run(30)

    def full(table: Table, *given: Any) -> None:
        raise MemoryError("no room")

    writer = Checkpoint(path)
    with monkeypatch.context() as patched:
        patched.setattr(Table, "save", full)
        writer.save_aside(training)
        with pytest.raises(MemoryError, match="no room"), writer.claimed():
            writer.save_aside(training)
    with writer.claimed():  # the claim was released
        writer.save_aside(training)
    assert writer.games == 30 == Training.load(path).games
