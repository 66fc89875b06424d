"""Runs that are steered and watched, in a thread as in the app: what is asked takes effect exactly."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nimtui.errors import InputError
from nimtui.games import base, parse_game
from nimtui.jobs import Jobs, JobState
from nimtui.jobs.job import Job
from nimtui.learning import run as runs
from nimtui.learning.perfection import games_needed
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.progress import Progress
from nimtui.store import StoreError, files
from tests.learning.helpers import bits

TOWER = parse_game("tower:16")


def state_of(training: Training) -> tuple[object, ...]:
    """All that must be the same."""
    table = training.table
    arrays = bits(table.cells), bits(table.visits), bits(table.marks)
    return *arrays, table.games, training.plies, int(training.counter[0]), training.curve


def played(games: int, learner: str = "quality", seed: int = 1, game: str = "tower:16") -> Training:
    """So many games at once."""
    training = Training(parse_game(game), learner, seed)
    training.run(games)
    return training


def of(learner: str = "quality", path: Path | None = None, game: str = "tower:16") -> Run:
    return Run(Training(parse_game(game), learner, 1), path)


def until(condition: Callable[[], Any], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.002)


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    started = Jobs()
    yield started
    assert not started.shutdown(10)


def start(jobs: Jobs, run: Run) -> Job[None]:
    known = threading.Event()  # by then the run knows how to hold

    def work(progress: Progress) -> None:
        known.wait()
        run.work(progress)

    job = jobs.start("run", work)
    run.hold = job.pause
    known.set()
    return job


def held(job: Job[None], run: Run) -> int:
    """Wait until it holds, and for how long it does; after how many games that is."""
    until(lambda: job.state is JobState.PAUSED)
    reported = -1
    while reported != run.training.games:  # the chunk at hand is played to its end
        reported = run.training.games
        time.sleep(0.1)
    return reported


# Goals.


@pytest.mark.parametrize("games", [0, 1, 12_345])
def test_a_run_ends_after_exactly_the_games_of_its_goal(jobs: Jobs, games: int) -> None:
    run = of()
    run.goal(games)
    job = start(jobs, run)
    assert job.join(30) and job.state is JobState.DONE
    assert state_of(run.training) == state_of(played(games))
    assert job.snapshot.total in (games, 1) and run.last == games
    run.goal(1_000)  # so many further
    assert start(jobs, run).join(30)
    assert state_of(run.training) == state_of(played(games + 1_000))


def test_a_run_until_perfect_ends_where_the_games_needed_are_counted(jobs: Jobs) -> None:
    game = parse_game("nim:2,3,2")
    for learner in ("q", "quality:margin=100"):
        found = ((seed, games_needed(game, learner, seed, 20_000).perfect) for seed in range(20))
        seed, perfect = next((seed, games) for seed, games in found if games is not None)
        run = Run(Training(game, learner, seed))
        run.goal(until_perfect=True)
        assert start(jobs, run).join(30)
        assert run.training.games == perfect
        assert run.training.standing().perfect
        assert state_of(run.training) == state_of(played(perfect, learner, seed, "nim:2,3,2"))


def test_a_run_until_perfect_ends_at_its_last_game_where_it_never_is(jobs: Jobs) -> None:
    run = of("reward")
    run.goal(3_000, until_perfect=True)
    assert start(jobs, run).join(30)
    assert run.training.games == 3_000 and not run.training.standing().perfect


def test_a_goal_beyond_what_numbers_hold_is_refused(tmp_path: Path) -> None:
    run = of("reward:win=1000", tmp_path / "run.npz")
    with pytest.raises(InputError, match="could exceed"):
        run.goal(3_000_000)
    assert run.last is None


# Holding.


@pytest.mark.parametrize("games", [1, 10, 5_000])
def test_it_holds_after_exactly_so_many_more_games(jobs: Jobs, games: int) -> None:
    run = of()
    run.watched = 0.01
    run.stop_after(7)
    job = start(jobs, run)
    first = held(job, run)
    assert first == 7
    run.stop_after(games)
    job.resume()
    until(lambda: run.training.games >= first + games)
    assert held(job, run) == first + games
    assert state_of(run.training) == state_of(played(first + games))
    assert run.view is not None and run.view.games == first + games
    run.stop_after(1)
    job.resume()
    until(lambda: run.training.games > first + games)
    assert held(job, run) == first + games + 1
    assert run.episode is not None and run.episode.number == first + games + 1


@pytest.mark.parametrize("learner", ["quality", "reward"])
def test_games_are_counted_rightly_where_it_is_to_hold_while_it_runs_flat_out(jobs: Jobs, learner: str) -> None:
    run = of(learner)
    job = start(jobs, run)
    for games in (1, 10, 3):
        until(lambda: run.training.games > 20_000)
        job.resume()
        time.sleep(0.02)
        run.stop_after(games)
        held(job, run)
        assert run.training.table.visits.sum() == run.training.plies
        assert state_of(run.training) == state_of(played(run.training.games, learner))
    job.cancel()


def test_goals_may_change_while_it_runs(jobs: Jobs) -> None:
    run = of()
    job = start(jobs, run)
    until(lambda: run.training.games > 5_000)
    for _ in range(200):
        run.goal(until_perfect=True)
        run.goal(10**6)
    run.goal(20_000)
    assert job.join(30) and job.state is JobState.DONE
    assert run.last is not None and run.training.games >= run.last
    assert state_of(run.training) == state_of(played(run.training.games))


def best_moves(training: Training) -> list[frozenset[int]]:
    ptr, scores = training.table.ptr.tolist(), training.table.cells
    found = []
    for first, last in itertools.pairwise(ptr):
        here = scores[first:last]
        found.append(frozenset(np.flatnonzero(here == here.max()).tolist()))
    return found


@pytest.mark.parametrize("learner", ["quality", "reward", "q"])
def test_it_holds_after_the_very_game_that_changes_a_best_move(jobs: Jobs, learner: str) -> None:
    run, single = of(learner, game="nim:4,3,2"), played(0, learner, game="nim:4,3,2")
    run.stop_after(500)
    job = start(jobs, run)
    until(lambda: run.training.games == 500)
    single.run(500)
    steps = []
    for _ in range(8):
        assert held(job, run) == single.games
        before = best_moves(single)
        while best_moves(single) == before:
            single.run(1)
        steps.append(single.games)
        run.stop_at_change()
        job.resume()
        until(lambda: run.training.games >= single.games)
        assert held(job, run) == single.games
        assert state_of(run.training) == state_of(single)
    assert len(set(steps)) == 8 and steps[-1] > 508
    job.cancel()


def test_it_can_be_told_to_keep_going(jobs: Jobs) -> None:
    run = of()
    run.stop_after(10**8)
    run.keep_going()
    run.stop_at_change()
    run.keep_going()
    run.goal(3_000)
    job = start(jobs, run)
    assert job.join(30) and job.state is JobState.DONE


# Slowly.


@pytest.mark.parametrize("learner", ["quality", "q", "reward"])
def test_games_played_singly_can_be_followed_move_by_move(jobs: Jobs, learner: str) -> None:
    run = of(learner)
    run.stop_after(0)
    job = start(jobs, run)
    assert held(job, run) == 0
    game, table, truth = TOWER, run.training.table, run.training.truth
    assert truth is not None
    for _ in range(60):
        first = run.training.games
        before = run.training.table.cells.copy()
        run.stop_after(1)
        job.resume()
        until(lambda first=first: run.training.games == first + 1 and job.state is JobState.PAUSED)
        episode, table = run.episode, run.training.table
        assert episode is not None and episode.number == first + 1
        changed = np.flatnonzero(before != table.cells)
        assert set(changed) <= set(episode.edges.tolist())
        assert episode.before.tolist() == before[episode.edges].tolist()
        assert episode.after.tolist() == table.cells[episode.edges].tolist()
        state = game.new()
        for node, edge in zip(episode.nodes.tolist(), episode.edges.tolist(), strict=True):
            assert truth.graph.boards[node].tolist() == state.board.tolist()
            move = int(truth.graph.move[edge])
            assert move in base.legal_moves(state) and base.outcome(state) == base.GOING_ON
            base.play(state, move)
        assert base.outcome(state) == episode.outcome != base.GOING_ON
    job.cancel()


def test_a_slow_run_plays_so_many_games_a_second_and_no_more(jobs: Jobs) -> None:
    run = of()
    run.set_speed(20)
    run.goal(8)
    begun = time.monotonic()
    job = start(jobs, run)
    assert job.join(30)
    assert time.monotonic() - begun >= 7 / 20
    assert run.episode is not None and run.episode.number == 8
    run.set_speed(2_000)
    run.goal(600)
    begun = time.monotonic()
    assert start(jobs, run).join(30)
    assert time.monotonic() - begun >= 0.25
    assert state_of(run.training) == state_of(played(608))


def test_a_slow_run_heeds_at_once_what_is_asked(jobs: Jobs) -> None:
    run = of()
    run.set_speed(0.01)
    run.goal(5_000)
    job = start(jobs, run)
    until(lambda: run.training.games == 1)
    time.sleep(0.1)
    assert run.training.games == 1
    run.set_speed(None)
    assert job.join(10) and run.training.games == 5_000
    slow = of()
    slow.set_speed(0.01)
    job = start(jobs, slow)
    until(lambda: slow.training.games == 1)
    job.cancel()
    assert job.join(5) and job.state is JobState.CANCELLED


# Anew.


def test_a_reset_begins_with_an_empty_table_and_the_same_settings(jobs: Jobs, tmp_path: Path) -> None:
    run = of(path=tmp_path / "run.npz")
    run.watched = 0.01
    job = start(jobs, run)
    until(lambda: run.training.games > 3_000)
    first = run.training
    run.reset()
    until(lambda: run.training is not first)
    run.stop_after(20)
    games = held(job, run)
    assert state_of(run.training) == state_of(played(games))
    assert run.view is not None and run.view.games == games
    job.cancel()
    assert job.join(30)
    assert state_of(Training.load(tmp_path / "run.npz")) == state_of(played(run.training.games))


def test_a_run_at_its_goal_can_be_begun_anew(jobs: Jobs) -> None:
    run = of()
    run.goal(500)
    assert start(jobs, run).join(30)
    first = run.training
    run.reset()
    run.stop_after(7)  # asked for after the reset, it counts from there
    job = start(jobs, run)
    assert held(job, run) == 7 and run.training is not first
    job.resume()
    assert job.join(30)
    assert state_of(run.training) == state_of(first) and run.last == 500


# Views.


def test_views_are_copies_and_made_only_for_who_looks(jobs: Jobs) -> None:
    unseen = of()
    unseen.goal(20_000)
    assert start(jobs, unseen).join(30) and unseen.view is None

    run = of()
    run.watched = 0.001
    job = start(jobs, run)
    views: dict[int, tuple[Any, bytes]] = {}
    while len(views) < 4:
        view = run.view
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
    assert run.view is not None and run.view.games == run.training.games  # the last one is always made


def test_a_large_table_is_looked_at_beside_the_games(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "LARGE", 100)
    looked: list[str] = []
    standing = runs.evaluate.standing

    def noted(*words: Any) -> Any:
        looked.append(threading.current_thread().name)
        return standing(*words)

    monkeypatch.setattr(runs.evaluate, "standing", noted)
    run = of()
    run.watched = 0.001
    run.goal(100_000)
    assert start(jobs, run).join(30)
    assert any(name.startswith("view") for name in looked)
    assert run.view is not None and run.view.games == 100_000
    assert state_of(run.training) == state_of(played(100_000))


# Kept.


def test_a_checkpoint_holds_the_run_as_it_was_at_the_end_of_a_chunk(jobs: Jobs, tmp_path: Path) -> None:
    path = tmp_path / "new" / "run.npz"
    run = of("q", path)
    run.goal(10**8)
    job = start(jobs, run)
    until(lambda: run.training.games > 1_000)
    assert not path.exists() and run.saved_games is None
    run.checkpoint()
    until(lambda: run.saved_games is not None)
    kept = Run.load(path)
    assert kept.saved_games == kept.training.games == run.saved_games
    assert (kept.last, kept.until_perfect) == (10**8, False)
    assert state_of(kept.training) == state_of(played(kept.training.games, "q"))
    job.cancel()
    assert job.join(30)
    assert run.saved_games == run.training.games == Training.load(path).games


def test_it_is_saved_by_itself_from_time_to_time(jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "SAVE_SECONDS", 0.02)
    run = of("quality", tmp_path / "run.npz")
    job = start(jobs, run)
    seen = set()
    while len(seen) < 4:
        seen.add(run.saved_games)
        time.sleep(0.005)
    job.cancel()
    assert job.join(30) and run.fault == ""


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
        run.checkpoint()
        until(lambda: run.fault)
        games = run.training.games
        until(lambda: run.training.games > games)
        assert job.state is JobState.RUNNING
        assert run.fault == f"{path} cannot be written: no space left on device"
        assert run.saved_games is None and path.read_bytes() == before
        job.cancel()
        assert job.join(30) and job.state is JobState.CANCELLED
        assert path.read_bytes() == before
    run.goal(100)  # there is room again
    assert start(jobs, run).join(30)
    assert run.fault == "" and run.saved_games == run.training.games
    assert state_of(Training.load(path)) == state_of(played(run.training.games))


def test_a_folder_that_cannot_be_made_is_told_in_one_line(jobs: Jobs, tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file where the folder should be")
    run = of(path=tmp_path / "runs" / "run.npz")
    run.goal(100)
    job = start(jobs, run)
    assert job.join(30) and job.state is JobState.DONE
    assert "cannot be written" in run.fault and "\n" not in run.fault and run.saved_games is None
