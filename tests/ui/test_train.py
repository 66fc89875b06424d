"""The Train screen: its panels, the way about among the positions, its controls, and what leads to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nimtui.ui.app.start import StartScreen
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.kit.forms.dialogs import QuitScreen
from nimtui.ui.train.form import TrainChoice
from nimtui.ui.train.lane import PACES
from nimtui.ui.train.position_list import LARGE, PositionList, Scores
from nimtui.ui.train.setup import PERFECT, PRESETS, TrainSetup
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import click_head, until
from tests.ui.training import CALM, SMALL, ended, panel, training

ENDLESS = TrainSetup("nim:3,2,1", "quality", "", 1, "endless")


@pytest.mark.slow
async def test_screens_without_work_say_what_to_press_and_offer_no_more(make_app: Any) -> None:
    app = make_app(CALM)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("S")
        await until(pilot, lambda: app.current_mode == "sweep")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: isinstance(app.screen, StartScreen))
        await pilot.press("f3")
        await until(pilot, lambda: isinstance(app.screen, TrainChoice))
        assert all(preset.title in screen_text(app) and preset.about in screen_text(app) for preset in PRESETS)
        await pilot.press("escape")
        text, keys = screen_text(app), screen_text(app).splitlines()[-1]
        assert "N  new training" in text and "S  sweep" in text and "N new" in keys and "one game" not in keys
        await pilot.press("S")
        text = screen_text(app)
        assert "new sweep" in text and "open a saved sweep" in text and "export" not in text.splitlines()[-1]


@pytest.mark.slow
async def test_games_are_shown_move_by_move_with_what_they_taught_up_to_the_next_change_also_in_ascii_alone(
    make_app: Any,
) -> None:
    setup, ascii_only = TrainSetup("nim:3,2,2", "reward", "", 1, "endless"), TerminalInfo(unicode=False)
    async with training(make_app, setup, pace=2, surroundings=ascii_only) as pilot:  # 2 games a second
        conductor = pilot.app.training
        [lane] = conductor.lanes
        await pilot.press("minus")
        assert conductor.following and "1 game per second" in panel(pilot, "prompt")
        await until(pilot, lambda: "what changed" in panel(pilot, "episode"))
        assert screen_text(pilot.app).isascii()
        await pilot.press("full_stop")
        await until(pilot, lambda: conductor.paused and f"Game {lane.training.games}  what" in panel(pilot, "episode"))
        text = panel(pilot, "episode")
        assert text.count("+1\n") + text.count("-1\n") == len(lane.training.episode.edges)
        assert "wins: its moves +1" in text and screen_text(pilot.app).isascii()
        for _ in range(9):
            await pilot.press("plus")
        assert not conductor.following and "full speed" in panel(pilot, "prompt").lower()
        games = lane.games
        await pilot.press("colon")
        await until(pilot, lambda: lane.games == games + 10 and conductor.paused)
        for _ in range(2):
            before = lane.games
            await pilot.press("n")
            await until(pilot, lambda before=before: lane.training.games > before and conductor.paused)
            number = f"Game {lane.training.games:,}  what changed"
            await until(pilot, lambda number=number: number in panel(pilot, "episode"))
            await until(pilot, lambda: "The best move has changed in" in panel(pilot, "prompt"))
            name = panel(pilot, "prompt").rpartition("changed in ")[2].split(",  ")[0].split(", and")[0]
            assert f"[{name}]" in panel(pilot, "position") and "every move loses" not in panel(pilot, "position")
            truth, node = lane.training.truth, pilot.app.screen_stack[0].stage.sight.place.node
            assert truth.values[node] >= 0  # where every move loses, nothing can be learned
        await pilot.press("space")
        await until(pilot, lambda: conductor.going and lane.games > before)
        await pilot.press("f7")  # it goes on elsewhere
        games = lane.training.games
        await until(pilot, lambda: lane.training.games > games)
        await pilot.press("f3", "space")
        await until(pilot, lambda: conductor.paused and "paused" in panel(pilot, "status"))
        await pilot.press("c")
        await until(pilot, lambda: "Saved at" in panel(pilot, "prompt"))
        assert lane.run.writer.games == lane.training.games
        pilot.app.settings = pilot.app.settings.changed(background="never")
        await pilot.press("q")  # nothing is lost: nothing is asked
        assert not isinstance(pilot.app.screen, QuitScreen)
    assert lane.job.join(10) and lane.run.writer.games == lane.training.games


async def test_what_every_size_shows_the_way_about_among_the_positions_and_a_new_start_that_is_asked_for(
    make_app: Any,
) -> None:
    async with training(make_app) as pilot:
        conductor = await ended(pilot)
        for size in SIZES[::-1]:
            await pilot.resize_terminal(*size)
            text = screen_text(pilot.app)
            for words in ("reward", "500 games", "done", "100 ┈", "23 positions", "▌3,2,1▐ · lost: every", "played"):
                assert words in text
            lines = text.splitlines()
            assert len(lines) == size[1] and max(map(len, lines)) <= size[0]
            assert "space continue" in lines[-1]
        stage = pilot.app.screen.stage

        def here() -> str:
            return panel(pilot, "position").splitlines()[0]

        start = here()
        await pilot.press("w", "j", "k", "j")
        assert not stage.query_one("#why").display, "a table has no reasons"
        assert next(line for line in panel(pilot, "position").splitlines() if line.startswith("▸"))[1:3].isalnum()
        await pilot.press("enter")
        assert here() != start
        await pilot.press("backspace")
        assert here() == start
        await pilot.press("backspace")
        assert "no previous position" in panel(pilot, "prompt")
        await pilot.press("g", *"3,2,9", "enter")
        assert "9" in panel(pilot, "prompt") and "▌3,2,1▐" in here()
        await pilot.press(*["backspace"] * 5, *"0,0,0", "enter")
        assert "is over" in panel(pilot, "prompt")
        await pilot.press(*["backspace"] * 5, *"0,2,1", "enter")
        assert "▌0,2,1▐" in here() and "Go to" not in panel(pilot, "prompt")
        standing = conductor.lanes[0].view.standing
        await pilot.press("x")
        assert ("wrong" if standing.wrong else "undecided" if standing.undecided else "▌0,2,1▐") in here()
        names, seen = [order.name for order in stage.map().orders], []
        for _ in names:
            seen.append(stage.map().order.name)
            await pilot.press("o")
        assert seen == names
        await pilot.press("z")
        await until(pilot, lambda: "its own sign already" in panel(pilot, "prompt"))
        await pilot.press("R")
        assert "Discard 500 games" in panel(pilot, "prompt")
        await pilot.press("escape")
        [before] = conductor.lanes
        assert before.games == 500 and "Discard" not in panel(pilot, "prompt")
        scores = before.view.scores
        await pilot.press("R", "y")
        await until(pilot, lambda: conductor.lanes[0] is not before)
        await ended(pilot)
        assert (conductor.lanes[0].view.scores == scores).all()  # same seed, same table
        await pilot.press("p")
        await until(pilot, lambda: bool(pilot.app.screen_stack[0].query("Board")))
        assert "500 games" in pilot.app.screen_stack[0].session.players[1].title
        await pilot.press("f3")
        await until(pilot, lambda: pilot.app.current_mode == "train")


async def test_the_list_has_all_positions_and_sorts_them(make_app: Any) -> None:
    async with training(make_app, TrainSetup("nim:3,2,1", "proof", "", 1, PERFECT)) as pilot:
        await ended(pilot)
        await pilot.press("l")
        positions = pilot.app.screen.query_one(PositionList)
        await until(pilot, lambda: positions.has_focus and "3,2,1" in positions.text())
        await pilot.press("home")
        assert any(name in panel(pilot, "position").splitlines()[0] for name in ("▌1,0,0▐", "▌0,0,1▐"))
        for sort in ("verdict", "score", "played"):
            await pilot.press("s")
            assert positions.sort == sort
        played = [positions.scores.numbers.plays[node] for node in positions.order]
        assert played == sorted(played, reverse=True)
        for sort in ("score", "position"):
            await click_head(pilot, sort)
            assert positions.sort == sort
        await click_head(pilot, "best")
        rows = [tuple(map(int, positions._name_of(node).split(","))) for node in positions.order]
        assert positions.sort == "position" and rows == sorted(rows)
        many = LARGE + 5  # so many are sorted in a job
        scores = np.random.default_rng(1).integers(-9, 9, 2 * many)
        visits = np.random.default_rng(2).integers(0, 99, 2 * many).astype(np.int32)
        rows = Scores(scores, visits, np.zeros(many, np.int8), np.arange(many + 1) * 2)
        positions.tell(rows, 0, str, lambda node, edge: str(edge))
        await until(pilot, lambda: not positions._sorting.running)
        often = [int(visits[2 * node : 2 * node + 2].sum()) for node in positions.order]
        assert positions.sort == "played" and often == sorted(often, reverse=True)
        positions.sort_by("score")
        await until(pilot, lambda: not positions._sorting.running)
        assert [rows.best(node)[1] for node in positions.order[:200]] == [8] * 200
        await pilot.press("escape")
        assert not pilot.app.screen.stage.listing and pilot.app.screen.stage.map().has_focus


@pytest.mark.slow
async def test_two_learners_begin_whatever_is_shown_and_what_tells_them_apart_is_shown_until_a_new_one_comes(
    make_app: Any,
) -> None:
    app = make_app(CALM)
    async with app.run_test(size=(80, 24)) as pilot:
        app.training.pace = PACES[-1]
        app.begin("train", TrainSetup("nim:3,2,1", "quality:margin=50", "quality", 1, "200"))
        await pilot.press("f7")
        await until(pilot, lambda: len(app.training.lanes) == 2 and app.training.ended)
        await pilot.press("f3")
        conductor = await ended(pilot)
        assert "quality:margin=50  and  quality:margin=90" in screen_text(app).splitlines()[1]
        assert panel(pilot, "caption0").startswith("▸quality:margin=50")
        first, second = (lane.view.standing.verdicts for lane in conductor.lanes)
        stage = app.screen_stack[0].stage
        await until(pilot, lambda: stage.map(0).verdicts is not None and stage.map(0).other is not None)
        assert (stage.map(0).verdicts == first).all() and (stage.map(0).other == second).all()
        stage.map(1).focus()
        await pilot.pause()
        assert panel(pilot, "caption1").startswith("▸quality:margin=90")
        await pilot.press("p")
        await until(pilot, lambda: bool(app.screen_stack[0].query("Board")))
        assert "quality-margin-90-200.npz" in app.screen_stack[0].session.players[1].title
        app.begin("train", ENDLESS)
        await until(pilot, lambda: len(conductor.lanes) == 1 and conductor.lanes[0].games > 0)
        [before] = conductor.lanes
        await pilot.press("f3", "N")
        await until(pilot, lambda: isinstance(app.screen, TrainChoice))
        await pilot.press("escape")
        app.begin("train", SMALL)
        await ended(pilot)
        assert before.job.join(10) and before.run.writer.games == before.training.games
        assert [lane.learner for lane in conductor.lanes] == ["reward"]
