"""The Train screen: what it shows of a training, the way about among the positions, and its controls."""

from __future__ import annotations

from typing import Any

import pytest

from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.kit.forms.dialogs import QuitScreen
from nimtui.ui.train.form import TrainChoice
from nimtui.ui.train.setup import TrainSetup
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import click_head, until
from tests.ui.training import CALM, SMALL, ended, panel, training

TWO = TrainSetup("nim:3,2,1", "reward", "proof", 1, "500")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_it_shows_map_curve_position_and_how_far_it_is(make_app: Any, size: Any) -> None:
    async with training(make_app, size=size) as pilot:
        await ended(pilot)
        text = screen_text(pilot.app)
        for words in (
            "reward",
            "500 games",
            "done",
            "100 ┈",
            "23 positions",
            "▌3,2,1▐ · lost: every move loses",
            "played",
        ):
            assert words in text
        assert "never loses" in text or "lose" in text or "right" in text
        lines = text.splitlines()
        assert len(lines) == size[1] and max(map(len, lines)) <= size[0]
        assert "space continue" in lines[-1]


@pytest.mark.slow
async def test_nothing_but_ascii_where_that_is_asked(make_app: Any) -> None:
    async with training(make_app, surroundings=TerminalInfo(unicode=False)) as pilot:
        await ended(pilot)
        assert screen_text(pilot.app).isascii()
        await pilot.press("full_stop")
        await until(pilot, lambda: "Game 501" in screen_text(pilot.app))
        assert screen_text(pilot.app).isascii()


@pytest.mark.slow
async def test_space_holds_and_goes_on(make_app: Any) -> None:
    endless = TrainSetup("nim:3,2,1", "quality", "", 1, "endless")
    async with training(make_app, endless) as pilot:
        conductor = pilot.app.training
        await pilot.press("space")
        await until(pilot, lambda: conductor.paused)
        assert "paused" in panel(pilot, "status")
        [lane] = conductor.lanes
        await until(pilot, lambda: lane.games == lane.training.games)
        held = lane.games
        await pilot.press("space")
        await until(pilot, lambda: lane.games > held)
    async with training(make_app) as pilot:
        conductor = await ended(pilot)
        await pilot.press("space")
        await until(pilot, lambda: conductor.lanes[0].games > 500)


@pytest.mark.slow
async def test_one_game_is_shown_move_by_move_with_what_it_taught(make_app: Any) -> None:
    async with training(make_app) as pilot:
        conductor = await ended(pilot)
        await pilot.press("full_stop")
        await until(pilot, lambda: "what changed" in panel(pilot, "episode"))
        await until(pilot, lambda: conductor.paused)
        assert conductor.lanes[0].games == 501
        found = conductor.lanes[0].training.episode
        gained = panel(pilot, "episode").count("+1\n") + panel(pilot, "episode").count("−1\n")
        assert gained == len(found.edges)
        assert "wins: its moves +1" in panel(pilot, "episode")
        await pilot.press("colon")
        await until(pilot, lambda: conductor.lanes[0].games == 511 and conductor.paused)


@pytest.mark.slow
async def test_every_game_can_be_followed_at_a_low_speed(make_app: Any) -> None:
    async with training(make_app, pace=2) as pilot:  # 2 games a second
        conductor = pilot.app.training
        await pilot.press("minus")
        assert conductor.following and "1 game per second" in panel(pilot, "prompt")
        await until(pilot, lambda: "what changed" in panel(pilot, "episode"))
        first = pilot.app.training.lanes[0].games
        await until(pilot, lambda: pilot.app.training.lanes[0].games > first)
        for _ in range(9):
            await pilot.press("plus")
        said = panel(pilot, "status").lower() + panel(pilot, "prompt").lower()
        assert not conductor.following and "full speed" in said


@pytest.mark.slow
async def test_to_the_next_change_of_a_best_move_shows_that_game_and_goes_there(make_app: Any) -> None:
    async with training(make_app, TrainSetup("tower:16", "reward", "", 1, "endless"), pace=3) as pilot:
        conductor = pilot.app.training
        await pilot.press("full_stop")
        await until(pilot, lambda: conductor.paused and "what changed" in panel(pilot, "episode"))
        [lane] = conductor.lanes
        for _ in range(4):
            before = lane.games
            await pilot.press("n")
            await until(pilot, lambda before=before: lane.training.games > before and conductor.paused)
            number = f"Game {lane.training.games:,}  what changed"
            await until(pilot, lambda number=number: number in panel(pilot, "episode"))
            await until(pilot, lambda: "The best move has changed in" in panel(pilot, "prompt"))
            name = panel(pilot, "prompt").rpartition("changed in ")[2].split(",  ")[0].split(", and")[0]
            assert f"▌{name}▐" in panel(pilot, "position") and "every move loses" not in panel(pilot, "position")
            truth, node = lane.training.truth, pilot.app.screen_stack[0].stage.sight.place.node
            assert truth.values[node] >= 0  # where every move loses, nothing can be learned


@pytest.mark.slow
async def test_learners_of_one_kind_show_what_tells_them_apart(make_app: Any) -> None:
    async with training(make_app, TrainSetup("nim:3,2,1", "quality:margin=50", "quality", 1, "200")) as pilot:
        conductor = await ended(pilot)
        assert "quality:margin=50" in panel(pilot, "caption0") and "quality:margin=90" in panel(pilot, "caption1")
        pilot.app.screen_stack[0].stage.map(1).focus()
        await pilot.pause()
        await pilot.press("p")
        await until(pilot, lambda: pilot.app.current_mode == "play")
        assert "quality-margin-90-200.npz" in pilot.app.screen_stack[0].session.players[1].title
        assert conductor.lanes[0].title != conductor.lanes[1].title


@pytest.mark.slow
async def test_moves_are_followed_and_come_back_from(make_app: Any) -> None:
    async with training(make_app) as pilot:
        await ended(pilot)
        start = panel(pilot, "position").splitlines()[0]
        await pilot.press("j")
        marked = next(line for line in panel(pilot, "position").splitlines() if line.startswith("▸"))
        await pilot.press("enter")
        there = panel(pilot, "position").splitlines()[0]
        assert there != start and marked[1:3].isalnum()
        await pilot.press("backspace")
        assert panel(pilot, "position").splitlines()[0] == start
        await pilot.press("backspace")
        assert "no previous position" in panel(pilot, "prompt")


@pytest.mark.slow
async def test_a_typed_position_is_gone_to_or_said_what_is_wrong(make_app: Any) -> None:
    async with training(make_app) as pilot:
        await ended(pilot)
        await pilot.press("g", *"3,2,9", "enter")
        assert "9" in panel(pilot, "prompt") and "▌3,2,1▐" in panel(pilot, "position")
        for _ in range(5):
            await pilot.press("backspace")
        await pilot.press(*"0,0,0", "enter")
        assert "is over" in panel(pilot, "prompt")
        for _ in range(5):
            await pilot.press("backspace")
        await pilot.press(*"0,2,1", "enter")
        assert "▌0,2,1▐" in panel(pilot, "position")
        assert "Go to" not in panel(pilot, "prompt")


@pytest.mark.slow
async def test_the_next_wrong_position(make_app: Any) -> None:
    async with training(make_app) as pilot:
        conductor = await ended(pilot)
        standing = conductor.lanes[0].view.standing
        await pilot.press("x")
        shown = panel(pilot, "position").splitlines()[0]
        wrong = "wrong" if standing.wrong else "undecided" if standing.undecided else "▌3,2,1▐"
        assert wrong in shown


@pytest.mark.slow
async def test_the_list_has_all_positions_and_sorts_them(make_app: Any) -> None:
    async with training(make_app) as pilot:
        await ended(pilot)
        await pilot.press("l")
        positions = pilot.app.screen.query_one("#list")
        await until(pilot, lambda: positions.has_focus and "3,2,1" in positions.text())
        await pilot.press("home")
        first = panel(pilot, "position").splitlines()[0]
        assert "▌1,0,0▐" in first or "▌0,0,1▐" in first
        for sort in ("verdict", "score", "played"):
            await pilot.press("s")
            assert positions.sort == sort
        played = [positions.scores.played[node] for node in positions._order]
        assert played == sorted(played, reverse=True)
        for sort in ("score", "position"):
            await click_head(pilot, sort)
            assert positions.sort == sort
        await click_head(pilot, "best")
        assert positions.sort == "position" and list(positions._order) == sorted(positions._order)
        await pilot.press("l")
        assert pilot.app.screen.stage.map().has_focus


@pytest.mark.slow
async def test_orders_of_the_map(make_app: Any) -> None:
    async with training(make_app) as pilot:
        await ended(pilot)
        shown = pilot.app.screen.stage.map()
        names = [order.name for order in shown.orders]
        seen = []
        for _ in names:
            seen.append(shown.order.name)
            await pilot.press("o")
        assert seen == names


@pytest.mark.slow
async def test_a_reset_is_asked_for_and_begins_anew(make_app: Any) -> None:
    async with training(make_app) as pilot:
        conductor = await ended(pilot)
        await pilot.press("R")
        assert "Discard 500 games" in panel(pilot, "prompt")
        await pilot.press("escape")
        assert conductor.lanes[0].games == 500 and "Discard" not in panel(pilot, "prompt")
        scores, before = conductor.lanes[0].view.scores, conductor.lanes[0]
        await pilot.press("R", "y")
        await until(pilot, lambda: conductor.lanes[0] is not before)
        await ended(pilot)
        assert conductor.lanes[0].games == 500
        assert (conductor.lanes[0].view.scores == scores).all()  # same seed, same table


@pytest.mark.slow
async def test_two_learners_are_shown_beside_each_other(make_app: Any) -> None:
    async with training(make_app, TWO) as pilot:
        conductor = await ended(pilot)
        text = screen_text(pilot.app)
        assert "reward  and  proof" in text.splitlines()[1]
        assert panel(pilot, "caption0").startswith("▸reward") and "proof" in panel(pilot, "caption1")
        first, second = (lane.view.standing.verdicts for lane in conductor.lanes)
        stage = pilot.app.screen_stack[0].stage
        assert (stage.map(0).verdicts == first).all() and (stage.map(0).other == second).all()
        stage.map(1).focus()
        await pilot.pause()
        assert panel(pilot, "caption1").startswith("▸proof")


@pytest.mark.slow
async def test_one_plays_against_the_table_and_comes_back(make_app: Any) -> None:
    async with training(make_app) as pilot:
        await ended(pilot)
        await pilot.press("p")
        await until(pilot, lambda: pilot.app.current_mode == "play")
        assert "500 games" in pilot.app.screen_stack[0].session.players[1].title
        await pilot.press("f3")
        await until(pilot, lambda: pilot.app.current_mode == "train")
        assert "▌3,2,1▐" in panel(pilot, "position")


@pytest.mark.slow
async def test_it_goes_on_while_something_else_is_shown_and_is_kept_when_left(make_app: Any) -> None:
    endless = TrainSetup("nim:3,2,1", "quality", "", 1, "endless")
    async with training(make_app, endless) as pilot:
        [lane] = pilot.app.training.lanes
        await pilot.press("f7")
        games = lane.training.games
        await until(pilot, lambda: lane.training.games > games)
        assert lane.run.views.every is None
        await pilot.press("q")  # nothing is lost: nothing is asked
        await pilot.pause()
        assert not isinstance(pilot.app.screen, QuitScreen)
    assert lane.job.join(10)
    assert lane.run.writer.games == lane.training.games and lane.run.writer.path.exists()


@pytest.mark.slow
async def test_the_second_of_two_begins_whatever_screen_is_shown(make_app: Any) -> None:
    app = make_app(CALM)
    async with app.run_test(size=(80, 24)) as pilot:
        app.begin("train", TrainSetup("nim:3,2", "reward", "q", 1, "endless"))
        await pilot.press("f7")
        await until(pilot, lambda: len(app.training.lanes) == 2 and app.training.lanes[1].games > 0, 60)


@pytest.mark.slow
async def test_a_new_training_takes_the_place_of_the_one_before(make_app: Any) -> None:
    endless = TrainSetup("nim:3,2,1", "quality", "", 1, "endless")
    async with training(make_app, endless) as pilot:
        [before] = pilot.app.training.lanes
        await pilot.press("N")
        await until(pilot, lambda: isinstance(pilot.app.screen, TrainChoice))
        await pilot.press("escape")
        pilot.app.begin("train", SMALL)
        await ended(pilot)
        assert before.job.join(10) and before.run.writer.games == before.training.games
        assert pilot.app.training.lanes[0].learner == "reward"


@pytest.mark.slow
async def test_a_training_that_cannot_be_kept_goes_on_and_says_so(make_app: Any, home: Any) -> None:
    (home / "runs").write_text("in the way")
    async with training(make_app) as pilot:
        await ended(pilot)
        assert pilot.app.training.lanes[0].games == 500
        assert "Not saved" in panel(pilot, "prompt")


@pytest.mark.slow
async def test_it_is_saved_when_asked_running_or_held(make_app: Any) -> None:
    endless = TrainSetup("nim:3,2,1", "quality", "", 1, "endless")
    async with training(make_app, endless) as pilot:
        [lane] = pilot.app.training.lanes
        await pilot.press("c")
        await until(pilot, lambda: "Saved at" in panel(pilot, "prompt"))
        await pilot.press("space")
        await until(pilot, lambda: pilot.app.training.paused and lane.games == lane.training.games)
        await pilot.press("c")
        await until(pilot, lambda: lane.run.writer.games == lane.games)
        await until(pilot, lambda: f"Saved at {lane.games:,} games" in panel(pilot, "prompt"))
