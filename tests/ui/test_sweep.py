"""The Sweep screen: its panels, its controls, what is kept, and what closing does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nimtui.jobs.work import State
from nimtui.store import sweeps
from nimtui.ui.app import continuing
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.kit.forms.dialogs import ExportForm, QuitScreen
from nimtui.ui.sweep.screen import SweepChoice, SweepForm, SweepList, SweepScreen
from nimtui.ui.sweep.setup import SweepSetup
from nimtui.ui.sweep.work import SweepWork
from nimtui.ui.train.lane import PACES
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import until
from tests.ui.sweeping import DEEP, SMALL, Threads, finished, panel, sweeping


async def test_a_finished_sweep_fits_every_size_is_written_to_a_new_file_and_its_marked_cell_is_trained(
    make_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.json").write_text("mine")
    async with sweeping(make_app) as pilot:
        conductor = await finished(pilot)
        for size in SIZES[::-1]:
            await pilot.resize_terminal(*size)
            text = screen_text(pilot.app)
            for words in ("Nim 3,2,1 · quality", "margin", "win", "to perfect", "to proof", "unbeaten", "finished"):
                assert words in text
            lines = text.splitlines()
            assert len(lines) == size[1] and max(map(len, lines)) <= size[0]
            assert len(lines[-1].split("  ")) >= 3 and "N new" in lines[-1]
        assert "margin 50, win 19" in panel(pilot, "cell")
        await pilot.press("down", "right")
        assert "margin 90, win 29" in panel(pilot, "cell")
        assert all(str(seed) in panel(pilot, "cell") for seed, _ in conductor.view.cells[3].runs)
        await pilot.press("a")
        assert "accuracy" in panel(pilot, "heat") and "%" in panel(pilot, "heat")
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, ExportForm))
        await pilot.press(*"mine.json", "enter")
        assert isinstance(pilot.app.screen, ExportForm) and "already" in screen_text(pilot.app)
        pilot.app.screen.query_one("FieldLine").input.value = "other.json"
        await pilot.press("enter")
        await until(pilot, lambda: "Written to" in panel(pilot, "said"))
        assert (tmp_path / "mine.json").read_text() == "mine"
        assert len(json.loads((tmp_path / "other.json").read_text())["cells"]) == 4
        pilot.app.training.pace = PACES[-1]
        await pilot.press("left", "enter")
        await until(pilot, lambda: pilot.app.current_mode == "train" and pilot.app.training.lanes)
        cell, training = conductor.view.cells[2], pilot.app.training.lanes[0].training
        assert training.table.learner == cell.setting.learner and training.seed == cell.runs[0][0]
        await until(pilot, lambda: pilot.app.training.ended)
        if cell.runs[0][1].perfect is None:
            assert training.games == SMALL.games
        await pilot.press("S")
        await until(pilot, lambda: isinstance(pilot.app.screen, SweepScreen))
        assert "margin 90" in panel(pilot, "cell")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.current_mode == "train")


@pytest.mark.slow
async def test_nothing_but_ascii_where_that_is_asked_and_grids_are_turned(make_app: Any) -> None:
    async with sweeping(make_app, DEEP, surroundings=TerminalInfo(unicode=False)) as pilot:
        await finished(pilot)
        await pilot.press("pagedown", "pagedown", "pageup")
        assert "loss 11" in panel(pilot, "cell")
        for keys in ("a", "N", "e"):
            assert screen_text(pilot.app).isascii()
            await pilot.press(keys)
        assert isinstance(pilot.app.screen, SweepForm) and screen_text(pilot.app).isascii()


@pytest.mark.slow
async def test_it_is_held_goes_on_elsewhere_closing_asks_nothing_and_it_is_resumed_after_another_start(
    make_app: Any,
) -> None:
    async with sweeping(make_app, held=True) as pilot:
        conductor = pilot.app.conductor(SweepWork)
        await until(pilot, lambda: "space pause" in screen_text(pilot.app))
        assert "0 of 8 trainings · preparing" in panel(pilot, "progress")
        assert "no finished training yet" in panel(pilot, "cell")
        await pilot.press("space")
        await until(pilot, lambda: "paused" in panel(pilot, "progress"))
        await pilot.press("space", "f7")
        await until(pilot, lambda: "sweep" in screen_text(pilot.app).splitlines()[0])
        assert conductor.state.runs and pilot.app.unfinished == ""
        await pilot.press("q")
        assert not isinstance(pilot.app.screen, QuitScreen)
        [path] = sweeps.folder().glob("*.jsonl")
    async with sweeping(make_app, None) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SweepChoice) and "Resume:" in screen_text(pilot.app))
        await pilot.press("o")
        await until(pilot, lambda: isinstance(pilot.app.screen, SweepList))
        await until(pilot, lambda: "8 of 8 left" in screen_text(pilot.app))
        await pilot.press("enter")
        conductor = await finished(pilot)
        assert conductor.place == path and len(path.read_text().splitlines()) == 9 and conductor.view.done == 8


@pytest.mark.slow
async def test_the_form_names_a_wrong_field_and_begins_what_is_typed(make_app: Any) -> None:
    async with sweeping(make_app, None) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, SweepChoice))
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, SweepForm))
        pilot.app.screen.field("margin").input.value = "50,x"
        await pilot.pause()
        await pilot.press("enter")
        assert isinstance(pilot.app.screen, SweepForm) and pilot.app.screen.current == "margin"
        assert "margin must be a whole number" in screen_text(pilot.app)
        for name, text in (("game", "nim:2,1"), ("learner", "reward")):
            pilot.app.screen.field(name).input.value = text
            await pilot.pause()
        await until(pilot, lambda: "margin" not in screen_text(pilot.app))
        await pilot.press("enter")
        conductor = await finished(pilot)
        assert conductor.plan.game.name == "nim:2,1" and conductor.plan.learner == "reward"


@pytest.mark.slow
async def test_without_a_folder_it_goes_on_and_a_training_that_fails_ends_it_until_it_is_continued(
    make_app: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(piece: Any) -> Any:
        raise ZeroDivisionError("of the learner")

    monkeypatch.setattr(continuing, "WORTH_ASKING", 0.0)
    (home / "sweeps").write_text("in the way")
    async with sweeping(make_app, held=True) as pilot:
        conductor = pilot.app.conductor(SweepWork)
        await until(pilot, lambda: "not saved" in panel(pilot, "said"))
        await until(pilot, lambda: pilot.app.unfinished.startswith("Still running: sweep"))
        await pilot.press("x")
        await until(pilot, lambda: conductor.state.stopped)
        assert "space continue" in screen_text(pilot.app).splitlines()[-1]
        Threads.gate.set()
        with monkeypatch.context() as patched:
            patched.setattr("nimtui.learning.sweep.train", broken)
            await pilot.press("space")
            await until(pilot, lambda: conductor.state is State.FAILED)
            await until(pilot, lambda: "ZeroDivisionError" in panel(pilot, "said"))
        await pilot.press("space")
        await finished(pilot)


@pytest.mark.slow
async def test_real_processes_beside_the_app(make_app: Any) -> None:
    app = make_app()
    async with app.run_test() as pilot:
        app.begin("sweep", SweepSetup("nim:2,1", "reward", ("win=1,2",), 1, 50, 0, 1))
        await until(pilot, lambda: app.conductor(SweepWork).state is State.FINISHED)
        assert app.conductor(SweepWork).view.done == 2 and app.conductor(SweepWork).message == ""
