"""Sweeps at work: the same for any number of workers, and nothing finished is ever lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nimtui import __version__
from nimtui.games import parse_game
from nimtui.jobs.processes import executor
from nimtui.jobs.sweep import Sweep, View, begin, plan_of
from nimtui.learning.sweep import Plan, cells, plan, train
from nimtui.progress import Cancelled
from nimtui.store import StoreError
from nimtui.store.sweeps import Log
from tests.jobs.piecework import Threads
from tests.stops import StopAt

PLAN = plan(parse_game("nim:5,3"), "quality", ["margin=20,90", "win=19,29"], 3, 400, 5)
OLD = ("proof", "perfect", "games", "accuracy", "unbeaten")  # of a training in older files


def found_alone(asked: Plan) -> View:
    """What a sweep finds, worked out here without any of it."""
    number = len(asked.pieces)
    return View(cells(asked, {piece: train(piece) for piece in asked.pieces}), number, number)


@pytest.fixture(scope="module")
def wanted() -> View:
    return found_alone(PLAN)


@pytest.mark.parametrize("workers", [0, pytest.param(2, marks=pytest.mark.slow)], ids=["a thread", "processes"])
def test_any_number_of_workers_finds_the_same(workers: int, wanted: View) -> None:
    sweep = Sweep(PLAN, open=lambda: executor(workers) if workers else Threads(1))
    assert sweep.view.done == 0 and len(sweep.view.cells) == 4
    assert sweep.work() == sweep.view == wanted and sweep.view.finished


@pytest.mark.slow
def test_a_cancelled_sweep_goes_on_where_it_was(tmp_path: Path, wanted: View) -> None:
    path = tmp_path / "sweep.jsonl"
    with begin(PLAN, path) as log:
        first = Sweep(PLAN, log, lambda: executor(2))
        with pytest.raises(Cancelled):
            first.work(StopAt(3))
        assert 3 <= first.view.done < 12
    path.write_bytes(path.read_bytes()[:-5])  # torn by a power cut
    with begin(PLAN, path) as log:
        second = Sweep(PLAN, log, lambda: executor(1))
        assert second.view.done == first.view.done - 1
        assert second.work() == wanted
    with begin(PLAN, path) as log:
        assert log.header["version"] == __version__ and plan_of(log) == PLAN
        third = Sweep(PLAN, log)
        assert third.view == wanted and third.work() == wanted


def test_a_sweep_of_functions_is_read_again_also_without_what_older_files_lack(tmp_path: Path) -> None:
    made, path = plan(parse_game("connect4"), "linear", ["step=0.1"], 2, 50, 0), tmp_path / "sweep.jsonl"
    with begin(made, path) as log:
        whole = Sweep(made, log, lambda: Threads(1)).work()
    with begin(made, path) as log:
        assert Sweep(made, log).view == whole and whole.cells[0].right_moves.median is not None
    with begin(PLAN, tmp_path / "old.jsonl") as log:
        piece = PLAN.pieces[0]
        log.append([{"learner": piece.learner, "seed": piece.seed, **dict(zip(OLD, train(piece)[:5], strict=True))}])
    with begin(PLAN, tmp_path / "old.jsonl") as log:
        assert Sweep(PLAN, log).view.cells[0].runs == ((piece.seed, train(piece)),)


def test_the_file_of_another_sweep_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "sweep.jsonl"
    begin(PLAN, path).close()
    before = path.read_bytes()
    other = plan(PLAN.game, "quality", ["margin=20,91"], 3, 400, 5)
    with pytest.raises(StoreError, match="holds another sweep"):
        begin(other, path)
    with Log(path) as log, pytest.raises(StoreError, match="outside its sweep"):
        log.entries.append({"learner": "quality:margin=7", "seed": 1})
        Sweep(PLAN, log)
    assert path.read_bytes() == before
    with Log.create(tmp_path / "strange", {"game": "nim:1"}) as log, pytest.raises(StoreError, match="cannot resume"):
        plan_of(log)


@pytest.mark.slow
def test_a_training_that_fails_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    impossible = tuple(piece._replace(games=None) for piece in PLAN.pieces)  # type: ignore[arg-type]
    monkeypatch.setattr(Plan, "pieces", impossible)
    broken = Sweep(replace(PLAN), open=lambda: executor(1))
    with pytest.raises(ChildProcessError, match="a training failed: TypeError"):
        broken.work()


# Work on a cluster comes to the same; here its workers are threads.


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
def test_a_sweep_on_a_cluster_finds_the_same(
    scheduler: str, game: str, learner: str, grid: list[str], runs: int
) -> None:
    asked = plan(parse_game(game), learner, grid, runs, 400, 5)
    assert len(asked.pieces) == runs * 2 ** len(grid)
    assert Sweep(asked, open=lambda: executor(None, scheduler)).work() == found_alone(asked)
    with pytest.raises(Cancelled):
        Sweep(asked, open=lambda: executor(None, scheduler)).work(StopAt(1))
