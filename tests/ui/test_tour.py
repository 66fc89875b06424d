"""Show me: a tour on the real screens, walked by its own keys; each of its facts checked against the run."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from nimtui.games import base, parse_game
from nimtui.learning.evaluate import NOTHING, RIGHT, WRONG, standing
from nimtui.learning.learner import parse_learner
from nimtui.learning.run import Run
from nimtui.learning.training import Training
from nimtui.playing import advice
from nimtui.store.settings import Glyphs, Settings
from nimtui.theory.nim import nim_sum
from nimtui.ui.app.start import StartScreen
from nimtui.ui.kit.contract import keymap
from nimtui.ui.kit.widgets.bars import Footer
from nimtui.ui.tour.steps import SETUP, STEPS
from nimtui.ui.tour.tour import GO_ON, LEAVE
from nimtui.ui.train.lane import USUAL_PACE
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import until
from tests.ui.touring import at_step, guide, press_own_key, to_step, tour, touring


def rows(name: str) -> list[int]:
    return [int(number) for number in name.split(",")]


def strip(pilot: Any) -> list[str]:
    """The two lines of the tour and the keys below them, as they are on the screen."""
    return screen_text(pilot.app).splitlines()[-3:]


def test_every_key_of_a_step_is_the_key_of_its_screen() -> None:
    from nimtui.ui.app import keymap as table

    shown = {"enter": "⏎", "escape": "esc", "ctrl+g": "^g"}
    first = {key.id: keymap.shown(key.default[0]) for key in table.every()}
    for id, key in (GO_ON, LEAVE, *(step.key for step in STEPS if step.key)):
        assert shown.get(first[id], first[id]) == key, id


def test_nothing_else_has_the_key_that_goes_on() -> None:
    from nimtui.ui.app import keymap as table

    assert [key.id for key in table.every() if "ctrl+g" in key.default] == ["everywhere.tour"]


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_its_own_keys_lead_through_all_of_it_and_every_fact_holds(make_app: Any, size: tuple[int, int]) -> None:
    async with touring(make_app, size) as pilot:
        app = pilot.app
        await to_step(pilot, 2)
        run = Run(Training(parse_game(SETUP.game), parse_learner(SETUP.learner), SETUP.seed))
        run.goal(100_000)
        run.work()
        known, scores = run.training.truth, run.training.table.cells
        assert known is not None
        assert np.array_equal(tour(pilot).scene.view.scores, scores), "the same seed gives the same table"
        found = standing(known, scores)
        said = guide(pilot).says[0]
        near, of_near, far, of_far = map(int, re.findall(r"\d+", said.partition(":")[2]))
        assert near + far == found.right and of_near + of_far == len(found.verdicts) - found.nothing
        game = parse_game(SETUP.game)
        left = np.array([sum(rows(game.position_name(game.at(b.astype(np.int64))))) for b in known.graph.boards])
        assert near == int(((left <= 8) & (found.verdicts == RIGHT)).sum())
        assert of_near == int(((left <= 8) & (found.verdicts != NOTHING)).sum())

        await press_own_key(pilot)
        await at_step(pilot, 3)
        position, move, win = re.search(
            r"at (\S+) the table plays (\w+). Only (\w+) wins", guide(pilot).says[0]
        ).groups()
        state = game.new(position)
        assert nim_sum(rows(position)) != 0, "the player to move can win"
        assert int(found.verdicts[tour(pilot).scene.node]) == WRONG
        base.play(state, game.parse_move(move, state))
        assert nim_sum(rows(game.position_name(state))) != 0, "and gives the win away"
        better = game.new(position)
        base.play(better, game.parse_move(win, better))
        assert nim_sum(rows(game.position_name(better))) == 0

        await press_own_key(pilot)
        await at_step(pilot, 4)
        session = app.game_played.session
        assert session.players[0].spec.startswith("table:") and session.players[1].is_person
        assert session.position == position and session.move_names() == [move]
        assert guide(pilot).says[0].endswith("a mistake. Now you can win.")

        assert sum(row > 0 for row in rows(_position(session))) == 3, "three rows show the idea"

        await press_own_key(pilot)
        await at_step(pilot, 5)
        told = advice.explained(game, session.state)
        assert guide(pilot).says[0] == " ".join(told.plain[:2]) and "last match" not in guide(pilot).says[0]

        await press_own_key(pilot)
        await at_step(pilot, 6)
        after = base.copy(session.state)
        base.play(after, tour(pilot).scene.marked)
        assert nim_sum(rows(game.position_name(after))) == 0
        assert guide(pilot).says[0].endswith("then the table is lost, whatever it plays.")

        await press_own_key(pilot)
        await at_step(pilot, 7)
        assert guide(pilot).says[0].startswith("You punish the mistake")
        seen = guide(pilot).says[0]
        app.game_played.play(next(m for m in base.legal_moves(session.state) if nim_sum(rows(_after(session, m)))))
        await until(pilot, lambda: app.guide is not None and guide(pilot).says[0] != seen)
        assert app.training.pace is USUAL_PACE, "the next training has its own speed"
        await press_own_key(pilot)
        assert app.guide is None and app.screen is app.screen_stack[0]
        await pilot.press("ctrl+g", "ctrl+g")
        assert app.guide is None and app.game_played.session is session and "The tour is over" in screen_text(app)
        await pilot.press("f7")
        assert "Continue" in screen_text(app), "the game can be played on"


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("glyphs", [Glyphs.AUTO, Glyphs.ASCII])
async def test_nothing_is_cut_off(make_app: Any, size: tuple[int, int], glyphs: Glyphs) -> None:
    async with touring(make_app, size, settings=Settings(animation=False, pace=0.0, glyphs=glyphs)) as pilot:
        for number in range(1, len(STEPS) + 1):
            await at_step(pilot, number)
            says, keys, _ = strip(pilot)
            sign = pilot.app.glyphs.hidden
            whole = not says.endswith(sign) or (number == 1 and says.endswith(f" {sign}"))  # it waits for the first map
            assert says.startswith(f" {number}/{len(STEPS)}  ") and whole, says
            assert any(says.endswith(pilot.app.glyphs.plain(text)) for text in guide(pilot).says) or number == 1
            for key, does in guide(pilot).keys:
                assert f"{pilot.app.glyphs.plain(key)} {pilot.app.glyphs.plain(does)}" in keys
            if glyphs is Glyphs.ASCII:
                assert (says + keys).isascii()
            await press_own_key(pilot)


@pytest.mark.slow
async def test_one_key_goes_through_all_of_it_and_may_be_held(make_app: Any) -> None:
    async with touring(make_app) as pilot:
        await until(pilot, lambda: pilot.app.guide is not None)
        await pilot.press(*["ctrl+g"] * 12)
        for number in range(2, len(STEPS) + 1):
            await until(pilot, lambda at=number: tour(pilot).over or tour(pilot).at >= at - 1, 60)
            while tour(pilot).at == number - 1 and number < len(STEPS):
                await pilot.press("ctrl+g")
                await pilot.pause(0.02)
        assert tour(pilot).over or tour(pilot).at == len(STEPS) - 1


@pytest.mark.slow
async def test_all_keys_at_once_break_nothing(make_app: Any) -> None:
    """A key that comes too early is the screen's own, which ignores it: the tour waits, or is at its end."""
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "ctrl+g", "x", "P", "w", "h", "enter", "ctrl+g")
        await until(pilot, lambda: tour(pilot).at >= 1 or (app.guide is None and app.current_mode == "play"), 60)
        if app.guide is None:
            assert app.game_played.session.record.ply > 1
        else:
            await to_end(pilot)


async def to_end(pilot: Any) -> None:
    while tour(pilot).at < len(STEPS) - 1:
        at = tour(pilot).at
        await at_step(pilot, at + 1)
        await press_own_key(pilot)
        await until(pilot, lambda before=at: tour(pilot).at > before, 60)


@pytest.mark.slow
async def test_leaving_and_coming_back_at_every_step(make_app: Any) -> None:
    async with touring(make_app) as pilot:
        app = pilot.app
        for number in range(1, len(STEPS) + 1):
            await at_step(pilot, number)
            if app.game_played.explaining.on:
                await pilot.press("escape")  # closes the explanation
            await pilot.press("escape")
            assert app.guide is None and app.screen.query_one(Footer).size.height == 1
            await pilot.press("f7")
            await pilot.pause()
            assert isinstance(app.screen, StartScreen)
            if number > 1:
                assert f"continue the tour at step {number} of 7" in screen_text(app)
            await pilot.press("m")
            await until(pilot, lambda: app.guide is not None and app.current_mode == STEPS[tour(pilot).at].mode)
            if number == 1:  # a training that nobody sees goes on at full speed
                await until(pilot, lambda: tour(pilot).at == 1, 60)
                continue
            assert tour(pilot).at == number - 1
            if number < len(STEPS):
                await press_own_key(pilot)


@pytest.mark.slow
async def test_elsewhere_it_waits_and_shows_the_way_back(make_app: Any) -> None:
    async with touring(make_app) as pilot:
        app = pilot.app
        await to_step(pilot, 3)
        await pilot.press("f6")
        await until(pilot, lambda: "The tour waits at step 3 of 7, on the screen Train." in screen_text(app))
        await pilot.press("f9", "ctrl+g")  # from a dialog, too
        await until(pilot, lambda: app.current_mode == "train" and tour(pilot).here)
        assert tour(pilot).at == 2
        await press_own_key(pilot)
        await at_step(pilot, 4)
        await pilot.press("f7", "p")  # another game takes the place of the tour's
        await until(pilot, lambda: "The tour waits" in screen_text(app))
        await pilot.press("ctrl+g")
        await until(pilot, lambda: app.current_mode == "train" and tour(pilot).at == 2)
        assert guide(pilot).says[0].startswith("Still wrong: at ")


@pytest.mark.slow
async def test_another_training_starts_the_tour_again(make_app: Any) -> None:
    async with touring(make_app) as pilot:
        await to_step(pilot, 3)
        pilot.app.begin("train", type(SETUP)("nim:1,2", "proof", "", 0, "10"))
        await until(pilot, lambda: "The tour waits" in guide(pilot).says[0])
        await pilot.press("ctrl+g")
        await at_step(pilot, 1)
        await at_step(pilot, 2) if tour(pilot).at else await until(pilot, lambda: tour(pilot).at == 1, 60)


@pytest.mark.slow
async def test_a_wrong_answer_is_told_too(make_app: Any) -> None:
    """The person plays a1, which wins nothing: the sentence says that the table can win."""
    async with touring(make_app) as pilot:
        await to_step(pilot, 4)
        session = pilot.app.game_played.session
        losing = next(move for move in base.legal_moves(session.state) if nim_sum(rows(_after(session, move))) != 0)
        pilot.app.game_played.play(losing)
        await at_step(pilot, 7)
        await until(pilot, lambda: session.record.ply == 3)
        back = nim_sum(rows(_position(session))) != 0
        told = "The table makes a mistake: now you can win." if back else "You gave the win back. The table took it."
        await until(pilot, lambda: guide(pilot).says == (told,))


def _position(session: Any) -> str:
    return str(session.game.position_name(session.state))


def _after(session: Any, move: int) -> str:
    after = base.copy(session.state)
    base.play(after, move)
    return str(session.game.position_name(after))


@pytest.mark.slow
async def test_a_small_window_and_back(make_app: Any) -> None:
    async with touring(make_app) as pilot:
        await to_step(pilot, 3)
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        await pilot.resize_terminal(60, 20)
        await until(pilot, lambda: strip(pilot)[0].startswith(" 3/7  "))
        await to_end(pilot)


@pytest.mark.slow
async def test_a_game_that_is_not_over_is_saved_before_the_tour(make_app: Any) -> None:
    from nimtui.store.game_list import games

    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p")
        await until(pilot, lambda: bool(app.screen_stack[0].query("Board")))
        await pilot.press("enter")
        await until(pilot, lambda: app.unfinished_game)
        await pilot.press("f7", "m")
        await until(pilot, lambda: app.guide is not None)
        await until(pilot, lambda: len(games(app.database())) == 1)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_a_game_comes_first_then_the_tour_and_all_choices_fit(make_app: Any, size: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await pilot.press("p", "f7")
        lines = [line.strip() for line in screen_text(app).splitlines()]
        first = next(at for at, line in enumerate(lines) if line.startswith("▸"))
        assert lines[first].startswith("▸ c  Continue") and lines[first + 1].startswith("m  Show me")
        assert any(line.startswith("q  Quit") for line in lines)
        await pilot.press("enter")
        assert app.current_mode == "play"


@pytest.mark.slow
async def test_every_figure_of_a_training_on_one_screen_is_of_one_moment(make_app: Any) -> None:
    """Games and right positions stand in the sentence, in the top line and below the map."""
    async with touring(make_app) as pilot:
        seen = set()
        while tour(pilot).at == 0 or not seen:
            text = screen_text(pilot.app)
            sentence = re.search(r"([\d,]+) games: (\d+) of \d+ positions right", text)
            status, legend = re.search(r"([\d,]+) games? ", text.splitlines()[1]), re.search(r"● +(\d+) right", text)
            if sentence and status and legend:
                assert sentence.groups() == (status[1], legend[1]), text
                seen.add(sentence.groups())
            await pilot.pause(0.02)
        assert len(seen) > 5
