"""What the conductors of trainings, sweeps and tournaments say, act by act, beside what is in files and tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimtui.errors import InputError
from nimtui.games import base
from nimtui.jobs.work import State
from nimtui.learning.run import Run
from nimtui.learning.table import Table
from nimtui.store import paths, sweeps
from nimtui.store.tournaments import TournamentWriter
from nimtui.ui.kit.forms.dialogs import QuitScreen
from nimtui.ui.sweep.work import SweepWork
from nimtui.ui.train.setup import TrainSetup
from tests.theory.force import Force
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.sweeping import SMALL as SWEEP
from tests.ui.sweeping import Threads, sweeping
from tests.ui.tournaments import SMALL, Gate, panel, tournament
from tests.ui.training import training

GAME = "nim:2,2,1"
LONG = replace(SMALL, number=4_000)


def best_moves(table: Table) -> list[Any]:
    """The best moves of each position where some moves keep the outcome and others do not."""
    force = Force(GAME)
    states = {state.board.tobytes(): state for state in force.positions(200) if base.outcome(state) == base.GOING_ON}
    return [table.best_moves(one) for one in states.values() if len(force.keeping(one)) < int(base.count(one))]


def files() -> dict[str, int]:
    """The games in the file of each training, by its name."""
    return {path.name: Run.load(path).training.games for path in paths.runs().glob("*.npz")}


@pytest.mark.slow
async def test_a_training_past_its_goal_is_not_saved_unless_asked_and_runs_to_a_change_or_over_again(
    make_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nimtui.ui.train.work.MESSAGE_SECONDS", 1e6)
    monkeypatch.setattr("nimtui.ui.train.work.FURTHER", 500)
    async with training(make_app, TrainSetup(GAME, "reward", "", 1, "300")) as pilot:
        one = pilot.app.training

        async def does(act: Callable[[], object], message: str = "") -> Any:
            """Do this, and check what is said when all stands still; return the run."""
            await until(pilot, lambda: not one.going and not one._to_save)
            one.message = ""
            act()
            await until(pilot, lambda: not one.going and not one._to_save)
            assert one.message == message or not message
            return one.lanes[0].run

        run = await does(one.checkpoint, "Saved at 300 games")
        first = run.writer.path
        run = await does(lambda: one.step(7), "Past the goal: not saved. Press space to continue in a new file")
        assert run.writer.path is None and files() == {first.name: 300}
        before, games = best_moves(run.training.table), run.training.games
        one.to_change()
        assert one.message == "Running until a best move changes where it matters"
        await until(pilot, lambda: not one.going or run.training.games > games + 3_000)
        if one.going:  # nothing changes any more
            one.pause_or_go_on()
        await until(pilot, lambda: not one.going and not one._to_save)
        await pilot.pause(2 * pilot.app.tick)  # the screen looks for the change
        changed = before != best_moves(run.training.table)
        none = f"No best move has changed where it matters, up to game {run.training.games:,}"
        assert one.message.startswith("The best move has changed in ") if changed else one.message == none
        run = await does(lambda: one.change_pace(-1), "Ever faster: speed grows with the games played")
        assert run.speed is None or run.speed >= 12
        await does(one.hurry, "Full speed")
        run = await does(one.pause_or_go_on, "Training past the goal to 1,600 games (new file; the old one stays)")
        assert files() == {first.name: 300, run.writer.path.name: 1_600} and run.last == 1_600
        await does(one.reset, "Started over with a new table and the same settings")
        now, twin = one.lanes[0].training.table, Run(type(run.training)(run.training.game, "reward", 1))
        twin.goal(now.games)
        twin.work()
        assert twin.training.table.cells.tolist() == now.cells.tolist()


def rows_of(number: int | None) -> int:
    """The games of a tournament that are on the disk."""
    with closing(sqlite3.connect(paths.database())) as db:
        query = "SELECT count(*) FROM games JOIN pairings ON pairing = pairings.id WHERE tournament = ?"
        return int(db.execute(query, (number,)).fetchone()[0])


def full(writer: TournamentWriter, *rows: Any) -> None:
    """Nothing can be written."""
    writer.fault = "the disk is full"


def refused(*given: Any, **more: Any) -> None:
    raise InputError("no room")


@pytest.mark.slow
async def test_a_tournament_says_what_becomes_of_its_games(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch)  # no game is played before it is opened
    async with tournament(make_app) as pilot:
        one = pilot.app.tournament
        await until(pilot, lambda: one.state.runs)
        for act in (lambda: None, one.pause_or_go_on):
            act()
            assert one.in_the_way == "A tournament is unfinished. It will stop; its finished games are saved."
        one.stop()
        gate.open.set()
        await until(pilot, lambda: one.state.stopped and "Stopped" in one.message)
        assert one.message == "Stopped. Finished games are saved. Press r to resume." and one.in_the_way == ""
        assert rows_of(one.number) == one.view.done
        first = one.number
        for number, said in (
            (99, "Cannot show it: tournament 99 does not exist, or was deleted"),
            (first, "Not running. Press r to resume."),
        ):
            one.show(number)
            assert one.message == "Reading its games"
            await until(pilot, lambda: not one.opening)
            assert one.message == said
        one.resume(first)
        assert one.message == "Reading its games"
        await until(pilot, lambda: one.state is State.FINISHED)
        assert rows_of(first) == one.view.done == 60 and one.in_the_way == ""

        gate.open.clear()
        with monkeypatch.context() as patch:
            for name in ("append", "flush"):
                patch.setattr(TournamentWriter, name, full)
            one.start(LONG)
            await until(pilot, lambda: one.number != first and one.state.runs)
            gate.open.set()
            await until(pilot, lambda: one.view.done > 0)
            one.stop()
            await until(pilot, lambda: one.state.stopped and bool(one.message))
            lost = "The latest games of the tournament are not saved and will be lost. Tournament"
            assert one.message == "Stopped. Press r to resume." and rows_of(one.number) == 0 < one.view.done
            assert (
                one.lost_by_leaving == one.in_the_way == f"{lost} {one.number} plays them again when you continue it."
            )
            assert one.fault == "0 of 12,000 games are saved: the disk is full"  # of three pairings
            await until(pilot, lambda: one.fault in panel(pilot, "said"))
            await pilot.press("q")
            await until(pilot, lambda: type(pilot.app.screen) is QuitScreen)
            assert " ".join(pilot.app.screen.text.split()).startswith(one.lost_by_leaving)
            assert all(line in screen_text(pilot.app) for line in pilot.app.screen.text.splitlines())
            await pilot.press("escape")

        gate.open.clear()
        monkeypatch.setattr("nimtui.store.tournaments.begin", refused)
        one.start(SMALL)
        await until(pilot, lambda: one.number is None and one.state.runs)
        one.change_workers()
        assert one.message == "Cannot change the workers: its games are not saved"
        assert one.in_the_way == "A tournament is unfinished. It will stop."
        gate.open.set()
        await until(pilot, lambda: one.view.done > 0)
        one.stop()
        await until(pilot, lambda: one.state in (State.STOPPED, State.FINISHED))
        assert one.in_the_way == one.lost_by_leaving == "The tournament is not saved: its games will be lost."
        assert one.task.unkept == "Its games are not saved: no room"

        monkeypatch.setattr("nimtui.jobs.tournament.Tournament.work", refused)
        one.start(SMALL)
        await until(pilot, lambda: one.state is State.FAILED)
        assert one.message == "Stopped by an error: no room"


@pytest.mark.slow
async def test_a_sweep_says_what_becomes_of_its_cells(
    make_app: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gone, cells = sweeps.folder() / "gone.jsonl", tmp_path / "cells.csv"
    async with sweeping(make_app, SWEEP, held=True) as pilot:
        one: SweepWork = pilot.app.conductor(SweepWork)
        assert one.place is not None
        one.resume(one.place)
        assert one.message == "This sweep is already shown"
        one.resume(gone)
        assert one.message == "Reading gone.jsonl …"
        await until(pilot, lambda: not one.opening)
        assert one.message == f"Cannot resume: there is no file {gone}"
        Threads.gate.set()
        await until(pilot, lambda: one.state is State.FINISHED)
        for said in (f"Written to {cells}", "Not written: the file already exists"):
            one.message = ""
            one.export(cells)
            await until(pilot, lambda: bool(one.message))
            assert one.message == said and len(cells.read_text().splitlines()) == 1 + len(one.view.cells)
        monkeypatch.setattr("nimtui.jobs.sweep.begin", refused)
        one.start(SWEEP)
        assert one.message == "The sweep is not saved: no room" and one.place is None
        await until(pilot, lambda: one.state is State.FINISHED)
        monkeypatch.setattr("nimtui.jobs.sweep.Sweep.work", refused)
        one.start(SWEEP)
        await until(pilot, lambda: one.state is State.FAILED)
        assert one.message == "Stopped by an error: no room"
