"""A tournament's result is the same whoever plays it, in whatever pieces, and however often it was stopped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from nimtui.arena.play.plan import Plan
from nimtui.arena.standings.standings import standings
from nimtui.jobs import processes, tournament
from nimtui.jobs.tournament import Tournament, View
from nimtui.progress import Cancelled, Progress
from nimtui.store import tournaments as store
from nimtui.store.database import Database
from tests.jobs.playing import Looking, begin, literal, rows, some_plan, timeless
from tests.stops import StopAt

PLAN, TESTED = some_plan(), some_plan("elo0=0,elo1=200", 80)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Views at every step."""
    monkeypatch.setattr(tournament, "BEAT", 0.0)


def unbroken(plan: Plan) -> tuple[View, list[np.ndarray]]:
    played = Tournament(plan, workers=1)
    view = played.work()
    return timeless(view), [played.results(place) for place in range(len(view.scores))]


def test_the_games_are_those_of_a_plain_loop() -> None:
    view, results = unbroken(PLAN)
    assert view.done == view.total == PLAN.total and view.finished and view.fault == ""
    assert [row.tolist() for row in view.results] == [row.tolist() for row in results]
    for place in range(len(PLAN.pairings)):
        assert results[place].tolist() == [literal(PLAN, place, number)[0] for number in range(PLAN.number)]
    assert view.standings.rows == standings(PLAN, view.scores, view.results).rows and len(view.standings.rows) == 4


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [1e-4, 10.0])
def test_the_size_of_the_pieces_does_not_matter(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = unbroken(PLAN)
    monkeypatch.setattr(tournament, "TARGET", seconds)
    found = unbroken(PLAN)
    assert found[0] == wanted[0] and all(map(np.array_equal, found[1], wanted[1]))


@pytest.mark.slow
@pytest.mark.parametrize("plan", [PLAN, TESTED], ids=["all games", "sequential test"])
def test_stopped_again_and_again_it_comes_to_the_same(
    plan: Plan, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament, "TARGET", 0.0)  # game by game
    with begin(db, plan) as kept:
        wanted = timeless(Tournament(plan, kept, 1).work())
        whole = rows(kept)
        assert kept.info.state == "done" and kept.info.played == kept.info.total == wanted.done
    with begin(db, plan) as kept:
        stopped = kept.id
    seconds = 0.0
    for after in (1, 10, 11, wanted.done // 2, wanted.done - 1):
        with store.resume(db, stopped) as kept:
            played = Tournament(plan, kept, 1)
            before = played.view.done
            with pytest.raises(Cancelled):
                played.work(StopAt(after, "games"))
            assert before <= played.view.done < wanted.done and played.view.done >= after
            assert kept.info.state == "stopped" and kept.info.seconds == played.view.seconds > seconds
            seconds = played.view.seconds
            assert played.view.playing == ()
    with store.resume(db, stopped) as kept:
        assert timeless(Tournament(plan, kept, 1).work()) == wanted
        assert rows(kept) == whole
        assert kept.info.state == "done" and kept.info.played == kept.info.total == wanted.done
    with store.resume(db, stopped) as kept:
        again = Tournament(plan, kept, 1)
        assert timeless(again.view) == wanted and timeless(again.work()) == wanted
        assert kept.info.state == "done"


def test_a_sequential_test_ends_pairings_early() -> None:
    view, _ = unbroken(TESTED)
    ended = [score for score in view.scores if score.verdict]
    assert ended and all(score.played == score.wanted < TESTED.number for score in ended)
    assert view.done == view.total == sum(score.wanted for score in view.scores) < TESTED.total


def test_views_tell_how_far_it_is() -> None:
    played = Tournament(PLAN, workers=1)
    looking = Looking(played)
    played.work(looking)
    done = [view.done for view in looking.views]
    assert done == sorted(done) and done[0] == 0 and len(set(done)) > 5
    assert all(view.done == sum(score.played for score in view.scores) for view in looking.views)
    seconds = [view.seconds for view in looking.views]
    assert seconds == sorted(seconds)
    counts = [[score.played for score in view.scores] for view in looking.views]
    assert max(max(count) - min(count) for count in counts[: len(counts) // 2]) <= tournament.GROWTH * 2


@pytest.mark.slow
def test_all_games_are_reported_before_the_processes_end(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[tuple[float, float]] = []
    at_the_end: list[tuple[float, float]] = []

    class Telling(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            reported.append((done, total))

    @contextmanager
    def watched(*words: Any, **more: Any) -> Iterator[Any]:
        with processes.executor(*words, **more) as workers:
            yield workers
            at_the_end.append(reported[-1])

    monkeypatch.setattr(tournament, "BEAT", 1e9)  # nothing is reported but what is told at once
    monkeypatch.setattr(Tournament, "_play_alone", lambda self, reports: False)
    monkeypatch.setattr("nimtui.jobs.tournament.executor", watched)
    Tournament(PLAN, workers=2).work(Telling())
    assert at_the_end == [(PLAN.total, PLAN.total)]
