"""Runs that are steered, in a thread as in the app: what is asked takes effect exactly; and what is seen of them."""

from __future__ import annotations

import itertools
import math
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nimtui.games import parse_game
from nimtui.jobs import Jobs, JobState
from nimtui.learning import evaluate
from nimtui.learning import views as looking
from nimtui.learning.evaluate import changed
from nimtui.learning.goal import Headed, reached
from nimtui.learning.learner import MOST, check_games, most_games, parse_learner
from nimtui.learning.run import SINGLY, Run
from nimtui.learning.sweep import games_needed
from nimtui.learning.training import Training
from nimtui.learning.views import View, Views
from nimtui.progress import Cancelled, Progress
from nimtui.theory.truth import truth
from tests.examples import examples
from tests.games.refusal import refusal
from tests.learning.helpers import bits
from tests.learning.running import of, played, start, state_of, until
from tests.stops import StopAt

# Goals, pauses and new beginnings, without a thread.


class Holding(Progress):
    """A job that a run pauses, and the progress that then leaves it, as if it waited for ever."""

    paused = False

    def pause(self) -> None:
        self.paused = True

    def report(self, done: float, total: float, what: str = "") -> None:
        if self.paused:
            raise Cancelled


ASKED = st.one_of(
    st.tuples(st.just("goal"), st.sampled_from([0, 1, 5, 400, 2_345])),
    st.tuples(st.just("stop"), st.sampled_from([1, 7, 500, 10**8])),
    st.tuples(st.sampled_from(["keep", "reset", "work", "slow", "fast"]), st.just(0)),
)


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ASKED, min_size=2, max_size=12))
def test_whatever_is_asked_between_takes_effect_exactly_and_is_kept(
    tmp_path: Path, asked: list[tuple[str, int]]
) -> None:
    path = tmp_path / "run.npz"
    path.unlink(missing_ok=True)
    run, games, last, stop = of(path=path), 0, 0, math.inf
    request: float | None = None  # to pause after so many games, which count from the next one that is played
    run.goal(0)
    run.views.every = 60.0
    for what, number in [*asked, ("work", 0)]:
        if what == "goal":
            run.goal(number)
            last = run.training.games + number
        elif what == "stop":
            run.stop_after(number)
            request = number
        elif what in ("keep", "reset"):
            run.keep_going() if what == "keep" else run.reset()
            request, games = math.inf, games if what == "keep" else 0
        elif what in ("slow", "fast"):
            run.set_speed(1e9 if what == "slow" else None)
        else:
            run.job = job = Holding()
            with suppress(Cancelled):
                run.work(job)
            if games < last:
                stop, request = stop if request is None else games + request, None
                assert job.paused is (stop <= last)
                games, stop = (int(stop), math.inf) if stop <= last else (last, stop)
            assert run.done == games and run.last == last
            assert state_of(run.training) == state_of(played(games))
            assert state_of(Training.load(path)) == state_of(run.training) and run.views.newest.games == games


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


def test_an_endless_run_ends_where_its_table_can_count_no_further(tmp_path: Path) -> None:
    wins = ((f"reward:win={win}", MOST // win) for win in range(2, 1_001, 7))
    for learner, most in (("quality", MOST), ("reward", MOST), ("reward:win=1000", MOST // 1000), *wins):
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


def best_moves(training: Training) -> list[frozenset[int]]:
    """Of each position in which some moves keep the value and others do not."""
    ptr, scores = training.table.ptr.tolist(), training.table.cells
    found = []
    for first, last in itertools.pairwise(ptr):
        here = scores[first:last]
        if len(set(truth(training.game).keeps[first:last].tolist())) == 2:
            found.append(frozenset(np.flatnonzero(here == here.max()).tolist()))
    return found


@pytest.mark.parametrize(("learner", "first"), [("quality", 300), ("reward", 5)])
def test_it_holds_after_the_very_game_that_changes_a_best_move(learner: str, first: int) -> None:
    run, single = of(learner, game="nim:4,3,2"), played(first, learner, game="nim:4,3,2")
    known, steps = truth(single.game), list[int]()  # held, as it is computed once while somebody holds it
    run.views.every, run.following = 60.0, True
    run.goal(first)
    run.work()
    run.goal(3_000)
    for _ in range(8):
        run.job = job = Holding()
        run.stop_at_change()
        with suppress(Cancelled):
            run.work(job)
        if not job.paused:
            break  # it has frozen
        before = best_moves(single)
        while best_moves(single) == before:
            scores, visits = single.table.cells.copy(), single.table.visits.copy()
            single.run(1)
        steps.append(single.games)
        assert state_of(run.training) == state_of(single)
        game = run.followed_game
        assert game.episode.number == single.games == game.after.games
        shown = game.before
        assert (shown.scores == scores).all() and (shown.visits == visits).all() and shown.games == single.games - 1
        assert changed(known, shown.scores, game.after.scores)
    assert len(steps) >= 4 and steps[-1] - first > len(steps)  # not every game is such a game


# Slowly.


def test_a_slow_run_heeds_at_once_what_is_asked(jobs: Jobs) -> None:
    for ask, state in ((None, JobState.DONE), ("cancel", JobState.CANCELLED)):
        run = of()
        run.set_speed(0.01)
        run.goal(5_000)
        job = start(jobs, run)
        until(lambda: run.training.games == 1)  # noqa: B023
        time.sleep(0.1)
        assert run.training.games == 1 and run.training.episode is not None
        if ask:
            job.cancel()
        else:
            run.set_speed(None)
        assert job.join(10) and job.state is state and run.training.games == (1 if ask else 5_000)


def test_a_slice_plays_so_many_games_and_slowly_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    run, asked = of(), list[tuple[str, int]]()
    run.goal(1_000)
    run.training.prepare()
    monkeypatch.setattr(run.training, "watch", lambda most: asked.append(("alone", most)) or (most, False))
    monkeypatch.setattr(run.training, "advance", lambda most: asked.append(("together", most)) or most)
    slices = {None: 1_000, 0.5: 1, SINGLY: 1, SINGLY + 1: 2, 100.0: 5, 101.0: 6, 1e9: 1_000}
    assert [run._play(speed) for speed in slices] == [(games, False) for games in slices.values()]
    assert asked == [("alone" if games == 1 else "together", games) for games in slices.values()]


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
        assert (followed.before.games, followed.after.games) == (games, games + 1)
    run.training.watch(1)
    run._play(1.0)  # the last view is of an earlier game
    assert run.followed_game.before.games == 4
    run._play(SINGLY + 1)
    assert run.followed_game.after.games == 5, "games at a higher speed are not followed"


# Views.


def test_a_view_is_made_if_it_is_wanted_and_the_last_one_is_old_enough_for_its_cost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, spent, cost = [0.0], [0.0], [0.0]
    training = SimpleNamespace(sound=lambda scores: True, listed=None)
    view = View(1, 2, 3.0, np.zeros(1), np.zeros(1, np.int32), looking.NO_STANDING)
    monkeypatch.setattr(looking, "monotonic", lambda: clock[0])
    monkeypatch.setattr(looking, "thread_time", lambda: spent[0])

    def copy() -> tuple[Any, View]:
        spent[0] += cost[0]
        return training, view

    assert not Views(SimpleNamespace(training=training, copy=copy)).wanted
    for every, cost[0], seconds in ((1.0, 0.0, 1.0), (1.0, 0.5, 25.0), (None, 0.0, 0.6), (None, 0.01, 2.0)):
        views = Views(SimpleNamespace(training=training, copy=copy))
        views.every = every
        for clock[0], made in ((100.0, True), (100 + seconds - 0.01, False), (100 + seconds + 0.01, True)):
            views.newest, views.outside = None, clock[0] - 2.9
            views.look()
            assert (views.newest is view) is made and views.wanted
        views.outside, views.newest, clock[0] = 997.0, None, 1_000.0
        views.look()
        assert views.wanted is (views.newest is not None) is (views.look_now() is view) is (every is not None)
    known = object()
    for sound, truth_, of_it, newest in (
        (True, None, True, True), (False, None, True, False), (True, known, True, True), (True, known, False, False),
    ):  # fmt: skip
        training = SimpleNamespace(sound=lambda scores: sound, listed=truth_ if of_it else None)  # noqa: B023
        training.listed_standing = lambda *words: words
        views = Views(SimpleNamespace(training=training, copy=copy))
        views._make(training, view._replace(truth=truth_))
        standing = (view.scores, known) if truth_ is known else looking.NO_STANDING
        assert (views.newest and views.newest.standing) == (standing if newest else None)
    views._make(SimpleNamespace(sound=training.sound, listed=None), view)  # of a run that was reset
    assert views.newest is None


def test_views_are_copies_and_made_only_for_who_looks(jobs: Jobs) -> None:
    unseen = of()
    unseen.goal(20_000)
    assert start(jobs, unseen).join(30) and unseen.views.newest is None

    run = of()
    run.views.every = 0.001
    job = start(jobs, run)
    views: dict[int, tuple[Any, bytes]] = {}

    def two_were_seen() -> bool:
        if (view := run.views.newest) is not None:
            views.setdefault(view.games, (view, bits(view.scores)))
        return len(views) == 2

    until(two_were_seen)
    job.cancel()
    assert job.join(30)
    for games, (view, scores) in views.items():
        assert bits(view.scores) == scores == bits(played(games).table.cells)
        assert view.visits.sum() == view.plies
        own = played(games).standing()
        assert view.standing[:-1] == own[:-1]
        assert np.array_equal(view.standing.verdicts, own.verdicts)
    assert run.views.newest.games == run.training.games  # the last one is always made


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
    assert run.views.newest.games == 20_000
    assert state_of(run.training) == state_of(played(20_000))


def test_a_goal_is_reached_by_games_or_by_a_table_that_is_right_at_any_time() -> None:
    every = itertools.product((4, 5, 6), (None, 0, 3), (None, 0.5, 1.0), (None, 5), (False, True))
    for games, proof, share, last, perfect in every:
        curve = [] if share is None else [(0, 1.0), (games, share)]
        headed = Headed(games, {"goal": {}} if proof is None else {"perfect": proof}, curve)
        right = proof is not None or share == 1.0
        assert reached(headed, last, perfect) is ((last is not None and games >= last) or (perfect and right))


def test_a_run_follows_its_games_from_the_first_question_for_one_on() -> None:
    run = of("reward")
    run.training.prepare()
    for more, follows in (({}, False), ({"game": 0}, True), ({}, True)):
        run.picture({"points": 0, "nodes": [], "past": 0, "since": 0, **more})
        assert run.following is follows
