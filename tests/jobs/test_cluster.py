"""Work on a cluster comes to the same; here its workers are threads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nimtui.games import parse_game
from nimtui.jobs.processes import executor
from nimtui.jobs.sweep import Sweep, View
from nimtui.learning.sweep import cells, plan, train
from nimtui.progress import Cancelled
from tests.stops import StopAt


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a small cluster on this machine."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=":0"
    ) as cluster:
        yield cluster.scheduler_address


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "learner", "grid", "runs"),
    [
        ("nim:5,3", "quality", ["margin=20,90", "win=19,29"], 3),
        ("connect4", "ntuple:tuples=5,length=3", ["step=0.1,0.2"], 2),
    ],
)
def test_a_sweep_finds_the_same(scheduler: str, game: str, learner: str, grid: list[str], runs: int) -> None:
    asked = plan(parse_game(game), learner, grid, runs, 400, 5)
    sweep = Sweep(asked, open=lambda: executor(None, scheduler))
    number = len(asked.pieces)
    assert number == runs * 2 ** len(grid)
    assert sweep.work() == View(cells(asked, {piece: train(piece) for piece in asked.pieces}), number, number)
    with pytest.raises(Cancelled):
        Sweep(asked, open=lambda: executor(None, scheduler)).work(StopAt(1))
