"""What the conductors of trainings, sweeps and tournaments say: taken apart, and looked up in files and tables."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimtui.errors import InputError
from nimtui.games import base
from nimtui.games.base import State as Position
from nimtui.jobs.processes import cores
from nimtui.jobs.work import State
from nimtui.learning.run import Run
from nimtui.learning.table import Table
from nimtui.store import paths, sweeps
from nimtui.store.tournament_writer import TournamentWriter
from nimtui.ui.compare.work import CompareWork
from nimtui.ui.play.compare_setup import CompareSetup
from nimtui.ui.search.setup import SearchSetup
from nimtui.ui.search.work import SearchWork
from nimtui.ui.sweep.work import SweepWork
from nimtui.ui.train.setup import TrainSetup
from nimtui.ui.train.work import TrainWork
from tests.patterns import COUNT, Patterns, check, real, same
from tests.theory.force import Force, is_true
from tests.ui.comparing import comparing
from tests.ui.playing import until
from tests.ui.searching import searching
from tests.ui.sweeping import SMALL as SWEEP
from tests.ui.sweeping import Threads, sweeping
from tests.ui.tournaments import SMALL, Gate, tournament
from tests.ui.training import training

GAME = "nim:2,2,1"
FORCE = Force(GAME)


def games_of(table: Table) -> int:
    """The games that a table has learned from: each made one move of the start."""
    start = FORCE.game.new().board.tobytes()
    return sum(sum(row.visits.values()) for row in table.rows() if row.state.board.tobytes() == start)


def games_in(path: Path) -> int:
    return games_of(Run.load(path).training.table)


def choices() -> list[Position]:
    """The positions where some moves keep the outcome and others do not."""
    states = {state.board.tobytes(): state for state in FORCE.positions(200) if base.outcome(state) == base.GOING_ON}
    return [state for state in states.values() if len(FORCE.keeping(state)) < int(base.count(state))]


class Trained:
    """A conductor of trainings before and after something was asked of it."""

    def __init__(self, conductor: TrainWork) -> None:
        self.conductor = conductor
        self.mark()

    def mark(self) -> None:
        """Remember the tables and files as they are now."""
        lanes = self.conductor.lanes
        self.tables = [lane.training.table.copy() for lane in lanes]
        self.files = {path: games_in(path) for path in paths.runs().glob("*.npz")}

    @property
    def lanes(self) -> list[Any]:
        return list(self.conductor.lanes)


def paced(one: Trained, number: str, seconds: str | None) -> None:
    assert {lane.run.speed for lane in one.lanes} == {real(number) / int(seconds or 1)}


def faster(one: Trained) -> None:
    """The more games, the faster: at least 12 a second."""
    assert all(lane.run.speed is None or lane.run.speed >= 12 for lane in one.lanes)


def saved_at(one: Trained, text: str) -> None:
    said = [int(real(number)) for number in text.split(" and ")]
    assert said == [games_in(lane.run.writer.path) for lane in one.lanes]


def restored(one: Trained, games: str, held: str | None, going: str | None) -> None:
    [lane] = one.lanes
    assert int(real(games)) <= games_of(lane.training.table) and lane.run.writer.path is not None
    done = lane.run.last is not None and int(real(games)) >= lane.run.last
    assert done == (not held and not going)
    assert not held or int(real(games)) == games_of(lane.training.table)


def unsaved(one: Trained) -> None:
    """No file holds what is trained now; those of before stay as they are."""
    assert all(lane.run.writer.path is None for lane in one.lanes)
    assert one.files and all(games_in(path) == games for path, games in one.files.items())


def further(one: Trained, last: str, old: str | None) -> None:
    for lane in one.lanes:
        assert lane.run.last == int(real(last)) and lane.run.writer.path not in one.files
    assert bool(old) == bool(one.files)
    assert all(games_in(path) == games for path, games in one.files.items())


def unchanged(one: Trained, game: str) -> None:
    """Where a choice matters, the best moves are those before the run."""
    assert int(real(game)) == one.lanes[0].training.games == games_of(one.lanes[0].training.table)
    for before, lane in zip(one.tables, one.lanes, strict=True):
        assert all(before.best_moves(state) == lane.training.table.best_moves(state) for state in choices())


def started_over(one: Trained) -> None:
    """The same game, learner and seed, with fewer games."""
    for before, lane in zip(one.tables, one.lanes, strict=True):
        now = lane.training.table
        assert (now.game, now.learner, now.seed) == (before.game, before.learner, before.seed)
        twin = Run(type(lane.training)(now.game, now.learner, now.seed))
        twin.goal(now.games)
        twin.work()
        assert twin.training.table.cells.tolist() == now.cells.tolist()


def changed(one: Trained, first: str, second: str | None, more: str | None) -> None:
    """Of the game that is shown: the positions with a choice whose best moves it changed."""
    found = [set[str]() for _ in one.lanes]
    for lane, names in zip(one.lanes, found, strict=True):
        shown, graph = lane.run.followed_game, lane.training.truth.graph
        for node, board in enumerate(graph.boards):
            edges = slice(int(graph.ptr[node]), int(graph.ptr[node + 1]))
            best = [
                (scores[edges] == scores[edges].max()).tolist() for scores in (shown.before.scores, shown.after.scores)
            ]
            if best[0] != best[1]:
                names.add(FORCE.game.position_name(FORCE.game.at(board.astype("int64"))))
    wanted = {FORCE.game.position_name(state) for state in choices()}
    assert any({first, second} - {None} <= names & wanted and len(names & wanted) == 1 + bool(second) + int(more or 0)
               for names in found)  # fmt: skip


CHANGED = r"The best move has changed in (\S+?)(?:, and in (\S+?))?(?: and (\d+) more)?"
TRAIN: Patterns = {
    CHANGED: changed,
    r"Full speed": lambda one: same({lane.run.speed for lane in one.lanes}, {None}),
    rf"({COUNT}) games? (?:per second|in (\d+) seconds)": paced,
    r"Ever faster: speed grows with the games played": faster,
    r"Saving": lambda one: is_true(one.conductor._to_save),
    rf"Saved at ({COUNT}(?: and {COUNT})?) games": saved_at,
    r"Reading (\S+)": lambda one, name: is_true((paths.runs() / name).exists() or name == "gone.npz"),
    rf"Restored after ({COUNT}) games(\. Press space to continue)?(\. Continuing)?": restored,
    r"Cannot resume: there is no file \S+gone\.npz": lambda one: is_true(not (paths.runs() / "gone.npz").exists()),
    r"This training is already open": lambda one: is_true(not all(lane.ended for lane in one.lanes)),
    r"Past the goal: not saved\. Press space to continue in a new file": unsaved,
    rf"Training past the goal to ({COUNT}) games \(new file(; the old one stays)?\)": further,
    r"The table cannot count more games": lambda one: is_true(all(lane.training.games >= 300 for lane in one.lanes)),
    r"Running until a best move changes where it matters": lambda one: same(one.conductor.following, True),
    rf"No best move has changed where it matters, up to game ({COUNT})": unchanged,
    r"Started over with a new table and the same settings": started_over,
}


async def trained(pilot: Any, one: Trained, act: Any, told: set[str]) -> None:
    """Do something, and check what is said at once and when all stands still."""
    conductor = one.conductor
    await until(pilot, lambda: not conductor.going and not conductor._to_save)
    conductor.message = ""
    one.mark()
    act()
    if conductor.message and not conductor.message.startswith("Started over"):  # when it has
        told.add(check(conductor.message, TRAIN, one))
    if act == conductor.to_change:
        for _ in range(20):
            await pilot.pause(0.02)
        if conductor.going:  # nothing changes any more
            conductor.pause_or_go_on()
    await until(pilot, lambda: not conductor.going and not conductor._to_save)
    if act == conductor.to_change:
        await pilot.pause(0.3)  # the screen looks for the change
    if conductor.message:
        told.add(check(conductor.message, TRAIN, one))


@pytest.mark.slow
async def test_every_message_about_a_training_is_true(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimtui.ui.train.work.MESSAGE_SECONDS", 1e6)
    monkeypatch.setattr("nimtui.ui.train.setup.FURTHER", 500)
    told = set[str]()
    async with training(make_app, TrainSetup(GAME, "reward", "", 1, "300")) as pilot:
        conductor: TrainWork = pilot.app.training
        one, whole = Trained(conductor), paths.runs() / "whole.npz"
        for act in (
            conductor.checkpoint,
            lambda: conductor.step(7),
            conductor.to_change,
            *(lambda by=by: conductor.change_pace(by) for by in (-1, -4, 9)),
            conductor.pause_or_go_on,
            conductor.hurry,
            conductor.reset,
            lambda: conductor.resume(paths.runs() / "gone.npz"),
            lambda: shutil.copy(min(one.files), whole),
            lambda: conductor.resume(whole),
            lambda: conductor.resume(whole, held=False),
        ):
            await trained(pilot, one, act, told)
        with monkeypatch.context() as limited:
            limited.setattr("nimtui.learning.learner.most_games", lambda learner: 300)
            await trained(pilot, one, lambda: conductor.step(1), told)
        conductor.change_pace(-4)  # so that it does not reach its goal before it is paused
        conductor.reset()
        conductor.step(2)
        await until(pilot, lambda: conductor.paused)
        await trained(pilot, one, lambda: conductor.resume(conductor.lanes[0].run.writer.path), told)
    assert told >= set(TRAIN) - {CHANGED}


# Tournaments. In a gate no game is played before it is opened.


LONG = replace(SMALL, number=4_000)


def rows_of(number: int | None) -> int:
    """The games of a tournament that are on the disk."""
    with closing(sqlite3.connect(paths.database())) as db:
        query = "SELECT count(*) FROM games JOIN pairings ON pairing = pairings.id WHERE tournament = ?"
        return int(db.execute(query, (number,)).fetchone()[0])


def unfinished(one: Any, kept: str | None) -> None:
    assert one.state.is_on and one.view.done < one.view.total
    assert not one.fault and bool(kept) == (one.number is not None)
    assert one.view.done == (rows_of(one.number) if kept else 0)


def stopped(one: Any, kept: str | None) -> None:
    assert one.state.stopped
    assert bool(kept) == (one.number is not None and not one.fault and rows_of(one.number) == one.view.done)


def partly_saved(one: Any, played: str, total: str, why: str) -> None:
    assert (
        int(real(played)) == rows_of(one.number) < one.view.done and int(real(total)) == 3 * LONG.number
    )  # of three pairings
    assert why == one.task.writer.fault


def lost(one: Any, number: str) -> None:
    assert one.number == int(number) and rows_of(one.number) < one.view.done


def on_cores(one: Any, workers: str, whole: str) -> None:
    assert (int(workers), int(whole)) == (one.workers, cores()) and 1 <= one.workers <= cores()


TOURNAMENT: Patterns = {
    r"Preparing the tournament|Reading its games": lambda one: is_true(one.opening),
    r"A tournament is unfinished\. It will stop(; its finished games are saved)?\.": unfinished,
    r"Stopped\. (Finished games are saved\. )?Press r to resume\.": stopped,
    r"Not running\. Press r to resume\.": lambda one: is_true(one.state.stopped and one.job is None),
    rf"Plays on ({COUNT}) of ({COUNT}) cores": on_cores,
    rf"({COUNT}) of ({COUNT}) games are saved: (.+)": partly_saved,
    r"The latest games of the tournament are not saved and will be lost\. Tournament (\d+) plays them again when you"
    r" continue it\.": lost,
    r"Its games are not saved: (.+)|Cannot change the workers: its games are not saved|The tournament is not saved: its"
    r" games will be lost\.": lambda one, why: same(one.number, None),
    r"Cannot show it: tournament (\d+) does not exist, or was deleted": lambda one, number: same(
        rows_of(int(number)), 0
    ),
    r"Stopped by an error: (.+)": lambda one, why: is_true(one.state is State.FAILED and why in one.job.error_text),
    r"Written to (.+)": lambda one, path: is_true(Path(path).exists()),
    r"Not written: .*games\.txt.*": lambda one: is_true(not one.wanted.exists()),
}


@pytest.mark.slow
async def test_every_message_about_a_tournament_is_true(
    make_app: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gate, told = Gate(monkeypatch), set[str]()

    def heard() -> None:
        for text in (one.message, one.in_the_way, one.fault, one.task.unkept, one.lost_by_leaving):
            if text:
                told.add(check(text, TOURNAMENT, one))

    async with tournament(make_app) as pilot:
        one = pilot.app.tournament
        await until(pilot, lambda: one.state.runs)
        heard()
        one.pause_or_go_on()
        heard()
        one.stop()
        gate.open.set()
        await until(pilot, lambda: one.state.stopped and "Stopped" in one.message)
        heard()
        for _ in range(2):
            one.change_workers()
            heard()
        first = one.number
        for number in (99, first):
            one.show(number)
            heard()
            await until(pilot, lambda: not one.opening)
            heard()
        for path in (tmp_path / "games.txt", tmp_path / "games.txt" / "games.txt"):
            one.message, one.wanted = "", path
            one.export(path)
            await until(pilot, lambda: "ritten" in one.message)
            heard()
        one.resume(first)
        heard()
        await until(pilot, lambda: one.state is State.FINISHED, 60)
        assert rows_of(first) == one.view.done == 60 and one.in_the_way == ""

        gate.open.clear()
        for name in ("append", "flush"):
            monkeypatch.setattr(TournamentWriter, name, full)
        one.start(LONG)
        await until(pilot, lambda: one.number != first and one.state.runs)
        gate.open.set()
        await until(pilot, lambda: one.view.done > 0)
        one.stop()
        await until(pilot, lambda: one.state.stopped and bool(one.message))
        heard()

        gate.open.clear()
        monkeypatch.setattr("nimtui.store.tournaments.begin", refused)
        one.start(SMALL)
        await until(pilot, lambda: one.number is None and one.state.runs)
        one.change_workers()
        heard()
        gate.open.set()
        await until(pilot, lambda: one.view.done > 0)
        one.stop()
        await until(pilot, lambda: one.state in (State.STOPPED, State.FINISHED))
        heard()

        monkeypatch.setattr("nimtui.jobs.tournament.Tournament.work", refused)
        one.start(SMALL)
        await until(pilot, lambda: one.state is State.FAILED)
        heard()
    assert told == set(TOURNAMENT)


def full(writer: TournamentWriter, *rows: Any) -> None:
    """Nothing can be written."""
    writer.fault = "the disk is full"


def refused(*given: Any, **more: Any) -> None:
    raise InputError("no room")


# Sweeps.

SWEPT: Patterns = {
    r"The sweep is not saved: no room": lambda one: same(one.place, None),
    r"This sweep is already shown": lambda one: is_true(one.place is not None and not one.state.stopped),
    r"Reading (\S+) …": lambda one, name: is_true(one.opening and name.endswith(".jsonl")),
    r"Cannot resume: .*gone\.jsonl.*": lambda one: is_true(not (sweeps.folder() / "gone.jsonl").exists()),
    r"Stopped by an error: no room": lambda one: same(one.state, State.FAILED),
    r"Written to (.+)": lambda one, path: same(len(Path(path).read_text().splitlines()), 1 + len(one.view.cells)),
    r"Not written: (.+)": lambda one, why: is_true("exists" in why),
}


@pytest.mark.slow
async def test_every_message_about_a_sweep_is_true(
    make_app: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = set[str]()
    async with sweeping(make_app, SWEEP, held=True) as pilot:
        one: SweepWork = pilot.app.conductor(SweepWork)

        def heard() -> None:
            if one.message:
                told.add(check(one.message, SWEPT, one))

        assert one.place is not None
        one.resume(one.place)
        heard()
        one.resume(sweeps.folder() / "gone.jsonl")
        heard()
        await until(pilot, lambda: not one.opening)
        heard()
        Threads.gate.set()
        await until(pilot, lambda: one.state is State.FINISHED)
        for _ in range(2):
            one.message = ""
            one.export(tmp_path / "cells.csv")
            await until(pilot, lambda: bool(one.message))
            heard()
        monkeypatch.setattr("nimtui.jobs.sweep.begin", refused)
        one.start(SWEEP)
        heard()
        await until(pilot, lambda: one.state is State.FINISHED)
        monkeypatch.setattr("nimtui.jobs.sweep.Sweep.work", refused)
        one.start(SWEEP)
        await until(pilot, lambda: one.state is State.FAILED)
        heard()
    assert told == set(SWEPT)


# Searches and comparisons.


async def test_a_search_that_is_not_finished_names_the_key_that_continues_it(make_app: Any) -> None:
    async with searching(make_app, SearchSetup("connect4", None, "alphabeta:depth=30"), whole=False) as pilot:
        one = pilot.app.conductor(SearchWork)
        await until(pilot, lambda: one.running and one.search.nodes > 1)
        for act, key in ((one.pause, "space"), (one.stop, "c")):
            act()
            await until(pilot, lambda: not one.running)
            with pytest.raises(InputError, match=f"this search is not finished: press {key} to continue"):
                one.deepen()
            assert not one.search.finished and (one.paused, one.stopped) == (key == "space", key == "c")


async def test_an_agent_that_was_stopped_has_not_answered_and_the_others_have(make_app: Any) -> None:
    async with comparing(
        make_app, CompareSetup("connect4", None, ("random", "mcts:time=600"), 1), whole=False
    ) as pilot:
        one = pilot.app.conductor(CompareWork)
        await until(pilot, lambda: one.columns[0].decided)
        assert one.stop()
        await until(pilot, lambda: not one.working)
        assert [column.fault for column in one.columns] == ["", "stopped before it answered"]
        assert all(column.decided for column in one.columns) and not one.stop()
