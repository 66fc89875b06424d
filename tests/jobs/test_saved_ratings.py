"""Sums made in the database: the same pairs, results and ratings as in the running tournament."""

from __future__ import annotations

import numpy as np
import pytest

from nimtui.arena.play.plan import ONE_SIDED, ORDERED, ROUND_ROBIN, Openings, Plan
from nimtui.arena.rating.ratings import rate
from nimtui.arena.standings import pool as pooling
from nimtui.jobs.tournament import Tournament
from nimtui.progress import Cancelled
from nimtui.store import game_list
from nimtui.store.database import Database
from tests.jobs.playing import begin
from tests.stops import StopAt

AGENTS = ("random", "mc:playouts=3", "easy")


def some_plan(pairs: str, openings: Openings) -> Plan:
    agents = AGENTS[:2] if pairs == ONE_SIDED else AGENTS
    return Plan(("nim:3,5", "connect:3x3x3"), agents, pairs, 31, openings, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("openings", [Openings("start", 0), Openings("random", 1)], ids=["start", "random"])
@pytest.mark.parametrize("pairs", [ROUND_ROBIN, ORDERED, ONE_SIDED])
def test_a_saved_tournament_is_rated_as_it_was_while_it_ran(pairs: str, openings: Openings, db: Database) -> None:
    wanted = some_plan(pairs, openings)
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
    wanted = some_plan(ROUND_ROBIN, Openings("random", 1))
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


def test_pooled_tournaments_of_one_seed_share_their_openings(db: Database) -> None:
    wanted = some_plan(ROUND_ROBIN, Openings("random", 1))
    parts = []
    for _ in range(2):
        with begin(db, wanted) as kept:
            Tournament(wanted, kept, 1).work()
        parts.append(pooling.read(db, kept.id, wanted.document()))
    pool = pooling.pooled(parts)
    assert pool.agents == wanted.agents and len(pool.meetings) == 2 * len(wanted.pairings)
    first, second = ({one.openings for one in pool.meetings[at : at + 6]} for at in (0, 6))
    assert len(first) == 2 and first == second  # the same game, openings and seed
