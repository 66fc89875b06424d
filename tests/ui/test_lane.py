"""A lane without its screen: what it shows of its run, when it looks and saves, its rate; which positions are met."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nimtui.arena.play.trials import Met
from nimtui.games.notation import plural
from nimtui.jobs import Jobs
from nimtui.jobs.job import JobState
from nimtui.jobs.work import State
from nimtui.ui.train.lane import GROWTH, MOST_LISTS, PACES, SINGLY, Lane, Meetings, Pace, Searched, Times

FIRST, SECOND = SimpleNamespace(values=np.zeros(3)), SimpleNamespace(values=np.zeros(3))  # two lists of positions


def lane(games: int = 5, job: JobState | None = JobState.RUNNING, **more: Any) -> Any:
    training = SimpleNamespace(
        table=SimpleNamespace(learner="average"), games=games, ready=True, truth=FIRST, listed=SECOND, estimator=None
    )
    views = SimpleNamespace(every=1.0, newest=None, look_now=lambda: None)
    given = {"fault": "", "unsaved": True, "stepping": False, "remote": None, "finished": False, "place": None}
    found = Lane(Jobs(), SimpleNamespace(training=training, views=views, save=lambda: None, **given | more))  # type: ignore[arg-type]
    found.job = job and SimpleNamespace(state=job, cancelling=False, snapshot=1, compiling=False, error_text="")  # type: ignore[assignment]
    found.errands = []  # type: ignore[attr-defined]
    found.errand = lambda name, *_: found.errands.append(name)  # type: ignore[assignment, attr-defined]
    return found


def view(games: int, truth: Any = None) -> Any:
    return SimpleNamespace(games=games, truth=truth, scores=np.full(3, games), visits=np.array([0, 2, 0]))


def test_a_pace_for_each_need() -> None:
    assert [Pace(speed, "", "").singly for speed in (None, 0, 0.1, SINGLY, SINGLY + 0.1)] == [
        False, False, True, True, False,
    ]  # fmt: skip
    slowest, *paces, growing, full = PACES
    speeds = (1, 2, 5, 20, 100, 1_000, 10_000)
    assert paces == [(each, f"{plural(each, 'game', 'games')} per second", f"{each:,}/s") for each in speeds]
    assert (*slowest, growing.speed, full.speed) == (1 / 5, "1 game in 5 seconds", "1/5 s", 0, None)
    assert [growing.of(games, True) for games in (10, 11)] == [12.0, 11 * GROWTH] and growing.of(99, False) is None


def test_what_a_lane_shows_is_that_of_its_view() -> None:
    one = lane()
    assert (one.title, one.learner, one.games, one.listed, one.measured) == ("average", "average", 5, FIRST, True)
    assert (one.beyond, one.finished, one.view, len(one.history), one.kind) == (False, None, None, 0, "training")
    one.run.views.newest = view(3)
    assert one.pull() and not one.pull() and (one.games, one.listed, one.measured) == (3, SECOND, False)
    assert [games for games, _ in one.history.pictures(slice(1))] == [0, 3]
    one.freeze(view(4, FIRST))
    one.run.views.newest = view(6)
    assert not one.pull() and (one.games, one.listed, one.measured) == (4, FIRST, True)
    one.thaw(view(5))
    assert (one.games, one.history.last) == (5, 5) and one.pull() and (one.games, one.history.last) == (6, 6)
    one.freeze(view(9))
    one.thaw()
    assert one.games == 9 and one.pull() and one.history.last == 6, "after fewer games the training started over"
    assert [games for games, _ in one.history.pictures(slice(1))] == [0, 6]
    one.run.remote = SimpleNamespace(file=SimpleNamespace(rate=7.5))
    one.training.games = 99
    assert one.measured and one.rate == 7.5


def test_each_list_of_positions_has_its_history_and_the_last_ones_are_kept() -> None:
    one = lane()
    lists = [SimpleNamespace(at=at) for at in range(MOST_LISTS + 2)]
    for games, listed in enumerate([*lists, lists[3]], 1):
        one.run.views.newest = view(games, listed)
        assert one.pull() and one.histories[-1][0] is listed
    assert [each and lists.index(each) for each, _ in one.histories] == [1, 2, *range(4, MOST_LISTS + 2), 3]
    assert [games for games, _ in one.history.pictures(slice(1))] == [0, 4, MOST_LISTS + 3]


def test_the_rate_is_that_of_the_last_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    one, now, rates = lane(), [0.0], []
    monkeypatch.setattr("nimtui.ui.train.lane.monotonic", lambda: now[0])
    for now[0], games in ((1.0, 0), (1.0, 5), (2.0, 10), (3.0, 40), (4.0, 60), (5.0, 60), (6.0, 90)):
        one.training.games = games
        one.pull()
        rates.append(one.rate)
    assert rates == [None, None, 10.0, 20.0, 20.0, 15.0, 85 / 5], "of six looks at most"
    one.job.state = JobState.PAUSED
    one.pull()
    assert one.rate is None
    one.job.state = JobState.RUNNING
    for now[0], games, rate in ((7.0, 90, None), (8.0, 92, 2.0), (9.0, 8, None)):  # fewer: it started over
        one.training.games = games
        one.pull()
        assert one.rate == rate


def test_a_paused_lane_looks_once_and_saves_what_is_not_saved() -> None:
    def asked(
        looks: int = 2, busy: str = "", newest: Any = None, ready: bool = True, every: Any = 1.0, **more: Any
    ) -> Any:
        one = lane(job=more.pop("job", JobState.PAUSED), **more)
        one.on_errand = lambda name="": name == busy
        one.training.ready, one.run.views.every, one.run.views.newest = ready, every, newest
        for _ in range(looks):
            one.pull()
        return one.errands

    assert asked(1) == [] and asked() == ["map", "saving"] and asked(newest=view(4)) == ["map", "saving"]
    assert asked(newest=view(5)) == asked(every=None) == asked(ready=False) == asked(busy="map") == ["saving"]
    assert asked(busy="saving") == asked(unsaved=False) == asked(fault="full") == ["map"]
    assert asked(job=JobState.RUNNING) == [] and asked(job=JobState.DONE) == ["map"]


def test_a_lane_says_what_went_wrong_and_what_it_does() -> None:
    one = lane()
    assert (one.state, one.fault, one.ended) == (State.GOING, "no file", False)
    one.training.ready = False
    assert one.state is State.PREPARING
    one.training.ready, one.job.compiling = True, True
    assert one.state is State.PREPARING
    one.job.compiling, one.run.stepping, one.beyond = False, True, True
    assert (one.state, one.fault) == (State.ONE_STEP, "")
    one.job.state = JobState.PAUSED
    assert one.state is State.PAUSED
    one.beyond, one.run.place = False, "here"
    assert one.fault == ""
    one.run.fault = "full"
    assert one.fault == "full"
    one.job.error_text, one.job.state = "raised", JobState.FAILED
    assert (one.fault, one.ended, lane(job=None).ended) == ("raised", True, False)


def test_which_positions_are_met_in_training_or_against_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimtui.ui.train.lane.visits_of", lambda truth, visits: visits)
    one, other, dropped, shown = lane(), lane(), [], []
    met = Met(None, np.array([4, 1, 1]), np.array([2, 0, 1]), 60, 0.25)  # type: ignore[arg-type]
    meetings = Meetings(SimpleNamespace(drop=dropped.append))  # type: ignore[arg-type]
    assert meetings.unmet(one) is None and meetings.times(one) is None
    for each in (one, other):
        each.view, each.training.estimator, each.run.show = view(5, FIRST), 1, shown.append
    assert meetings.unmet(one).tolist() == [True, False, True]  # type: ignore[union-attr]
    told = meetings.times(one)
    assert told is not None and (told.of(1), told.of(0)) == ("2 times in training", "no times in training")
    newer = meetings.times(one, SimpleNamespace(plays=np.array([1]), text=", 9 s ago"))  # type: ignore[arg-type]
    assert newer is not None and newer.of(0) == "1 time in training, 9 s ago"
    other.training.truth = None  # only some positions are listed: those of its view, or none
    assert meetings.unmet(other).tolist() == [True, False, True]  # type: ignore[union-attr]
    other.training.listed = other.view.truth = None
    assert meetings.unmet(other) is meetings.times(other) is None
    other.training.listed = other.view.truth = FIRST
    own = np.array([0, 3, 0])
    found = meetings.searched = Searched(met, FIRST, met.times, one, own, "in 9 games", 1_000)  # type: ignore[arg-type]
    assert meetings.times(one) == Times(met.times, "in 60 games against a search")
    assert meetings.unmet(one).tolist() == [True, False, True]  # type: ignore[union-attr]
    one.training.truth = other.training.truth = None
    one.view.visits[:] = 1
    assert meetings.unmet(one).tolist() == [True, False, True] and meetings.unmet(other) is None  # type: ignore[union-attr]
    assert found.texts == (
        f"After 1,000 games: {met.text}. 2 of these it did not meet in 9 games.",
        "25.0 % against alphabeta:depth=2: wrong in 2 of 3 positions, 2 never met.",
        "25.0 % against alphabeta:depth=2: wrong in 2 of 3, 2 never met.",
        "Wrong in 2 of 3, 2 never met.",
    )
    right = met._replace(wrong=np.zeros(3, np.int64))
    assert found._replace(met=right, games=1).texts[0] == f"After 1 game: {right.text}."
    one.training.estimator = None
    assert meetings.unmet(one) is None
    meetings.leave_search([one, other, lane()])
    assert (shown, meetings.searched) == ([None, None], None)
    meetings.searched = found
    meetings.forget()
    assert (dropped, meetings.searched) == (["games against a search"], None)
    asked: Any = SimpleNamespace(errand=lambda *words: dropped.append(words), changed=dropped.clear)
    for name, given in (("trials.met", met), ("truth_of", FIRST), ("compiled.times_met", own)):
        monkeypatch.setattr(f"nimtui.ui.train.lane.{name}", lambda *words, given=given, **more: given)
    for function, times in ((None, met.times), (1, own)):
        one.run.copy_table = lambda function=function: SimpleNamespace(function=function, games=7)
        Meetings(asked).play_search([other, one], 1)
        name, work, done, said = dropped[-1]
        (*played, where, games) = found = work(None)
        assert all(map(lambda one, other: one is other, played, (met, FIRST, met.times, one, times)))
        assert (name, said) == ("games against a search", "No games against a search")
        assert (where, games) == ("in 1,000 games against itself", 7)
    assert (done(found), dropped) == (None, []), "it is shown"
