"""Runs that are steered, in a thread as in the app: what is asked takes effect exactly; and what is seen of them."""

from __future__ import annotations

import itertools
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nimtui.games import parse_game
from nimtui.jobs import Jobs, JobState
from nimtui.learning import evaluate
from nimtui.learning import views as looking
from nimtui.learning.evaluate import changed
from nimtui.learning.learner import MOST, check_games, most_games, parse_learner
from nimtui.learning.run import SINGLY, Run
from nimtui.learning.sweep import games_needed
from nimtui.learning.training import Training
from nimtui.progress import Cancelled
from nimtui.theory.truth import truth
from tests.games.refusal import refusal
from tests.learning.helpers import bits
from tests.learning.running import held, of, played, start, state_of, until
from tests.stops import StopAt

# Goals.


@pytest.mark.parametrize("games", [0, 1, 2_345])
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


def test_a_run_until_perfect_ends_where_the_games_needed_are_counted_however_it_was_divided(tmp_path: Path) -> None:
    game = parse_game("nim:2,3,2")
    found = ((seed, games_needed(game, "q", seed, 20_000).perfect) for seed in range(20))
    seed, perfect = next((seed, games) for seed, games in found if games is not None)
    run = Run(Training(game, "q", seed), tmp_path / "run.npz")
    run.goal(100_000, until_perfect=True)
    with pytest.raises(Cancelled):
        run.work(StopAt(1, "games"))
    assert run.training.games < perfect
    run = Run.load(tmp_path / "run.npz")
    run.work()
    assert run.training.games == perfect and run.training.standing().perfect
    assert state_of(run.training) == state_of(played(perfect, "q", seed, "nim:2,3,2"))
    never = of("reward")
    never.goal(3_000, until_perfect=True)
    never.work()
    assert never.training.games == 3_000 and not never.training.standing().perfect


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


def test_an_endless_run_ends_where_its_table_can_count_no_further(tmp_path: Path) -> None:
    for learner, most in (("quality", MOST), ("reward", MOST), ("reward:win=1000", MOST // 1000)):
        rule = parse_learner(learner)
        assert most_games(rule) == most
        check_games(rule, most)
        assert f"at most {most:,} games fit" in refusal(check_games, rule, most + 1)
    run = Run(Training(parse_game("nim:3,2"), "reward:win=1000,loss=1000"), tmp_path / "run.npz")
    run.goal()
    assert "cannot count more than 2,147,483 games" in refusal(run.work)
    assert run.training.games == 2_147_483 and np.abs(run.training.table.cells.astype(np.int64)).max() < MOST
    assert Training.load(tmp_path / "run.npz").games == 2_147_483


# Holding.


@pytest.mark.slow
@pytest.mark.parametrize("games", [1, 500])
def test_it_holds_after_exactly_so_many_more_games(jobs: Jobs, games: int) -> None:
    run = of()
    run.views.every = 0.01
    run.stop_after(7)
    job = start(jobs, run)
    first = held(job, run)
    assert first == 7
    run.stop_after(games)
    job.resume()
    until(lambda: run.training.games >= first + games)
    assert held(job, run) == first + games
    assert state_of(run.training) == state_of(played(first + games))
    assert run.views.newest is not None and run.views.newest.games == first + games
    run.stop_after(1)
    job.resume()
    until(lambda: run.training.games > first + games)
    assert held(job, run) == first + games + 1
    assert run.training.episode is not None and run.training.episode.number == first + games + 1


def best_moves(training: Training) -> list[frozenset[int]]:
    """Of each position in which some moves keep the value and others do not."""
    ptr, scores = training.table.ptr.tolist(), training.table.cells
    found = []
    for first, last in itertools.pairwise(ptr):
        here = scores[first:last]
        if len(set(truth(training.game).keeps[first:last].tolist())) == 2:
            found.append(frozenset(np.flatnonzero(here == here.max()).tolist()))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("learner", "first"), [("quality", 300), ("reward", 5)])
def test_it_holds_after_the_very_game_that_changes_a_best_move(jobs: Jobs, learner: str, first: int) -> None:
    run, single = of(learner, game="nim:4,3,2"), played(0, learner, game="nim:4,3,2")
    known = truth(single.game)  # held, as it is computed once while somebody holds it
    run.views.every, run.following = 60.0, True
    run.stop_after(first)
    job = start(jobs, run)
    until(lambda: run.training.games == first)
    single.run(first)
    steps = []
    for _ in range(8):
        assert held(job, run) == single.games
        before = best_moves(single)
        while best_moves(single) == before and single.games < 3_000:
            scores, visits = single.table.cells.copy(), single.table.visits.copy()
            single.run(1)
        if single.games >= 3_000:
            break  # it has frozen
        steps.append(single.games)
        run.stop_at_change()
        job.resume()
        until(lambda: run.training.games >= single.games)
        assert held(job, run) == single.games
        assert state_of(run.training) == state_of(single)
        game = run.followed_game
        assert game is not None and game.episode.number == single.games == game.after.games
        shown = game.before
        assert (shown.scores == scores).all() and (shown.visits == visits).all() and shown.games == single.games - 1
        assert changed(known, shown.scores, run.followed_game.after.scores)
    assert len(steps) >= 4 and steps[-1] - first > len(steps)  # not every game is such a game
    job.cancel()


# Slowly.


@pytest.mark.slow
def test_a_slow_run_plays_so_many_games_a_second_and_no_more(jobs: Jobs) -> None:
    run = of()
    run.set_speed(20)
    run.goal(5)
    begun = time.monotonic()
    assert start(jobs, run).join(30)
    assert time.monotonic() - begun >= 4 / 20
    assert run.training.episode is not None and run.training.episode.number == 5


def test_a_slow_run_heeds_at_once_what_is_asked(jobs: Jobs) -> None:
    for ask, state in ((None, JobState.DONE), ("cancel", JobState.CANCELLED)):
        run = of()
        run.set_speed(0.01)
        run.goal(5_000)
        job = start(jobs, run)
        until(lambda: run.training.games == 1)  # noqa: B023
        time.sleep(0.1)
        assert run.training.games == 1
        if ask:
            job.cancel()
        else:
            run.set_speed(None)
        assert job.join(10) and job.state is state and run.training.games == (1 if ask else 5_000)


@pytest.mark.parametrize(
    ("speed", "games"), [(None, 1_000), (0.5, 1), (SINGLY, 1), (SINGLY + 1, 2), (100.0, 5), (101.0, 6), (1e9, 1_000)]
)
def test_a_slice_plays_so_many_games(speed: float | None, games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    run, asked = of(), list[int]()
    run.goal(1_000)
    run.training.prepare()

    def alone(most: int) -> tuple[int, bool]:
        assert speed is not None and speed <= SINGLY
        return most, False

    def together(most: int) -> int:
        asked.append(most)
        return most

    monkeypatch.setattr(run.training, "watch", alone)
    monkeypatch.setattr(run.training, "advance", together)
    assert run._play(speed) == (games, False)
    assert asked == [games] * (speed is None or speed > SINGLY)


def test_a_game_that_is_followed_stands_between_two_views() -> None:
    run = of()
    run.goal(1_000)
    run.training.prepare()
    run._play(SINGLY)
    assert run.followed_game is None, "nobody follows"
    run.following, run.views.every = True, 60.0
    for games in (1, 2):
        run._play(SINGLY)
        followed = run.followed_game
        assert followed is not None and (followed.before.games, followed.after.games) == (games, games + 1)
    run.training.watch(1)
    run._play(1.0)  # the last view is of an earlier game
    assert run.followed_game is not None and run.followed_game.before.games == 4
    run._play(SINGLY + 1)
    assert run.followed_game.after.games == 5, "games at a higher speed are not followed"


# Anew.


def test_a_reset_begins_with_an_empty_table_and_the_same_settings(jobs: Jobs, tmp_path: Path) -> None:
    run = of(path=tmp_path / "run.npz")
    run.views.every = 0.01
    job = start(jobs, run)
    until(lambda: run.training.games > 3_000)
    first = run.training
    run.reset()
    until(lambda: run.training is not first)
    run.stop_after(20)
    games = held(job, run)
    assert state_of(run.training) == state_of(played(games))
    assert run.views.newest is not None and run.views.newest.games == games
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
    run.stop_after(10**8)
    run.stop_at_change()
    run.keep_going()
    job.resume()
    assert job.join(30)
    assert state_of(run.training) == state_of(first) and run.last == 500
    run.stop_after(3)  # asked for before the reset, it is over
    run.reset()
    assert start(jobs, run).join(30) and run.training.games == 500


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
