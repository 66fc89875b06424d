"""A tournament of searches by a saved function: the same for any workers, and resumed from any folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nimtui.agents import parse_agent
from nimtui.arena.play.plan import Openings, Plan
from nimtui.games import parse_game
from nimtui.jobs import tournament
from nimtui.jobs.tournament import Tournament
from nimtui.progress import Cancelled
from nimtui.store import tournaments as store
from nimtui.store.database import Database
from tests.jobs.playing import begin, rows, timeless
from tests.learning.functions import save
from tests.stops import StopAt

GAME = "connect:4x4x3"


@pytest.mark.slow
def test_any_workers_and_any_stops_come_to_the_same(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament, "BEAT", 0.0)
    monkeypatch.setattr(tournament, "TARGET", 0.0)  # game by game
    (home / "runs").mkdir()
    save(home / "runs" / "Small.npz", GAME)
    named = ("random", "alphabeta:depth=2,value=Small", "mcts:simulations=30,value=Small")
    agents = tuple(parse_agent(name, parse_game(GAME)).name for name in named)
    plan = Plan((GAME,), agents, number=8, openings=Openings("random", 1), seed=3)
    one, two = Tournament(plan, workers=1), Tournament(plan, workers=2)
    wanted = timeless(one.work())
    assert timeless(two.work()) == wanted and wanted.done == 24
    assert all(np.array_equal(one.results(place), two.results(place)) for place in range(3))
    database = Database()
    with begin(database, plan) as kept:
        number = kept.id
        with pytest.raises(Cancelled):
            Tournament(plan, kept, 1).work(StopAt(9, "games"))
        part = rows(kept)
    monkeypatch.chdir(home)
    with store.resume(database, number) as kept:
        assert Plan.from_document(kept.info.document).agents == agents
        assert timeless(Tournament(plan, kept, 2).work()) == wanted
        for before, whole in zip(part, rows(kept), strict=True):
            assert set(before) <= set(whole) and len(whole) == 8
    database.close()
