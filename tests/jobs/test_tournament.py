"""A tournament's result is the same whoever plays it, in whatever pieces, and however often it was stopped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nimtui.agents import parse_agent
from nimtui.arena.play.plan import ONE_SIDED, ORDERED, ROUND_ROBIN, Openings, Plan, plan
from nimtui.arena.rating.ratings import rate
from nimtui.arena.standings import pool as pooling
from nimtui.arena.standings.standings import standings
from nimtui.games import parse_game
from nimtui.jobs import processes, tournament
from nimtui.jobs.tournament import StoppedTournament, Tournament, View
from nimtui.progress import Cancelled
from nimtui.store import StoreError, game_list
from nimtui.store import tournaments as store
from nimtui.store.database import Database
from tests.jobs.playing import Looking, begin, literal, rows, some_plan, timeless
from tests.learning.functions import save
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


@pytest.mark.slow
def test_the_games_are_those_of_a_plain_loop() -> None:
    view, results = unbroken(PLAN)
    assert view.done == view.total == PLAN.total and view.finished and view.fault == ""
    assert [row.tolist() for row in view.results] == [row.tolist() for row in results]
    for place in range(len(PLAN.pairings)):
        assert results[place].tolist() == [literal(PLAN, place, number)[0] for number in range(PLAN.number)]
    assert view.standings.rows == standings(PLAN, view.scores, view.results).rows and len(view.standings.rows) == 4


@pytest.mark.parametrize(
    "plan", [some_plan(number=6), pytest.param(TESTED, marks=pytest.mark.slow)], ids=["all games", "sequential test"]
)
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
    told, at_the_end = StopAt(PLAN.total + 1, tournament.GAMES), list[tuple[float, float]]()

    @contextmanager
    def watched(*words: Any, **more: Any) -> Iterator[Any]:
        with processes.executor(*words, **more) as workers:
            yield workers
            at_the_end.append(told.seen[-1])

    monkeypatch.setattr(tournament, "BEAT", 1e9)  # nothing is reported but what is told at once
    monkeypatch.setattr(Tournament, "_play_alone", lambda self, reports: False)
    monkeypatch.setattr("nimtui.jobs.tournament.executor", watched)
    Tournament(PLAN, workers=2).work(told)
    assert at_the_end == [(PLAN.total, PLAN.total)]


# A kept tournament that stands still is what one that went on with it would begin from.


@pytest.mark.parametrize("sprt", [None, "elo0=0,elo1=50"])
def test_a_tournament_that_stands_still_is_as_the_one_that_was_played(db: Database, sprt: str | None) -> None:
    made = plan(("subtraction:21,3:misere",), ("perfect", "random", "value"), number=60, sprt=sprt)
    with begin(db, made) as kept:
        played = Tournament(made, kept, workers=1)
        played.work()
    before = store.info(db, kept.id)
    held = StoppedTournament(db, kept.id)
    assert held.plan == made and held.view.finished
    assert held.view.scores == played.view.scores and held.view.total == played.view.total
    assert (held.view.total < made.total) is (sprt is not None)
    assert [held.results(at).tolist() for at in range(3)] == [played.results(at).tolist() for at in range(3)]
    assert store.info(db, kept.id) == before
    with store.resume(db, kept.id):  # nobody has claimed it
        assert StoppedTournament(db, kept.id).view.done == played.view.done  # and whoever has is no hindrance
    with pytest.raises(StoreError, match="tournament 9 does not exist"):
        StoppedTournament(db, 9)


# Sums made in the database: the same pairs, results and ratings as in the running tournament.


def rated_plan(pairs: str, openings: Openings) -> Plan:
    agents = ("random", "mc:playouts=3", "easy")[: 2 if pairs == ONE_SIDED else 3]
    return Plan(("nim:3,5", "connect:3x3x3"), agents, pairs, 31, openings, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("openings", [Openings("start", 0), Openings("random", 1)], ids=["start", "random"])
@pytest.mark.parametrize("pairs", [ROUND_ROBIN, ORDERED, ONE_SIDED])
def test_a_saved_tournament_is_rated_as_it_was_while_it_ran(pairs: str, openings: Openings, db: Database) -> None:
    wanted = rated_plan(pairs, openings)
    with begin(db, wanted) as kept:
        played = Tournament(wanted, kept, 1)
        view = played.work()
    check(db, kept.id, wanted, played)
    saved = pooling.read(db, kept.id, wanted.document())
    live, stored = view.standings.ratings, rate(len(saved.agents), saved.meetings)
    assert saved.agents == wanted.agents
    assert stored.ratings == live.ratings and stored.scores == live.scores and repr(stored.seat) == repr(live.seat)
    assert repr(stored.fit) == repr(live.fit)


@pytest.mark.parametrize("after", [1, 20, 75])
def test_so_is_a_stopped_one_with_missing_games(after: int, db: Database) -> None:
    wanted = rated_plan(ROUND_ROBIN, Openings("random", 1))
    with begin(db, wanted) as kept:
        played = Tournament(wanted, kept, 1)
        with pytest.raises(Cancelled):
            played.work(StopAt(after, "games"))
    check(db, kept.id, wanted, played)


def check(db: Database, number: int, wanted: Plan, played: Tournament) -> None:
    """Compare pairs and results in the database with those of the ledgers."""
    scores = played.view.scores
    pairs, results = game_list.pairs(db, number), game_list.results(db, number)
    for place, score in enumerate(scores):
        assert pairs.get(place, (0,) * 5) == score.pentanomial
        row = played.results(place)
        there = np.flatnonzero(row > -2)
        last = int(there[-1]) + 1 if len(there) else 0
        assert list(results.get(place, ())) == row[:last].tolist()
    assert sum(one.wins + one.draws + one.losses for one in game_list.tallies(db, number)) == played.view.done


# A tournament of searches by a saved function: the same for any workers, and resumed from any folder.


@pytest.mark.slow
def test_searches_by_a_saved_function_are_the_same_for_any_workers_and_from_any_folder(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = "connect:4x4x3"
    monkeypatch.setattr(tournament, "TARGET", 0.0)  # game by game
    (home / "runs").mkdir()
    save(home / "runs" / "Small.npz", game)
    named = ("random", "alphabeta:depth=2,value=Small", "mcts:simulations=30,value=Small")
    agents = tuple(parse_agent(name, parse_game(game)).name for name in named)
    asked = Plan((game,), agents, number=8, openings=Openings("random", 1), seed=3)
    one, two = Tournament(asked, workers=1), Tournament(Plan.from_document(asked.document()), workers=2)
    wanted = timeless(one.work())
    monkeypatch.chdir(home)
    assert timeless(two.work()) == wanted and wanted.done == 24
    assert all(np.array_equal(one.results(place), two.results(place)) for place in range(3))
