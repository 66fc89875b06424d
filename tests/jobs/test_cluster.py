"""Work on a cluster comes to the same. Its processes never rest, so they end with the tests of this file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nimtui.games import parse_game
from nimtui.jobs.processes import executor
from nimtui.jobs.sweep import Sweep, View
from nimtui.jobs.tournament import Tournament
from nimtui.learning.sweep import cells, plan, train
from nimtui.progress import Cancelled
from nimtui.store.database import Database
from tests.jobs.playing import begin, rows, some_plan, timeless
from tests.stops import StopAt


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a small cluster on this machine."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        yield cluster.scheduler_address


@pytest.mark.slow
def test_a_sweep_finds_the_same(scheduler: str) -> None:
    asked = plan(parse_game("nim:5,3"), "quality", ["margin=20,90", "win=19,29"], 3, 400, 5)
    sweep = Sweep(asked, open=lambda: executor(None, scheduler))
    assert sweep.work() == View(cells(asked, {piece: train(piece) for piece in asked.pieces}), 12, 12)
    with pytest.raises(Cancelled):
        Sweep(asked, open=lambda: executor(None, scheduler)).work(StopAt(1))


@pytest.mark.slow
def test_a_tournament_comes_to_the_same(scheduler: str) -> None:
    asked = some_plan("elo0=0,elo1=200", 80, ["random", "perfect", "mc:playouts=3"])
    wanted = timeless(Tournament(asked, workers=1).work())
    with Database() as db, begin(db, asked) as kept:
        with pytest.raises(Cancelled):
            Tournament(asked, kept, scheduler=scheduler).work(StopAt(5, "games"))
        assert timeless(Tournament(asked, kept, scheduler=scheduler).work()) == wanted
        assert sum(map(len, rows(kept))) == kept.info.played == wanted.done
