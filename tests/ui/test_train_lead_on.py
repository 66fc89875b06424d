"""What leads on where nothing is trained or swept yet, and what a game of a proving learner says it taught."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nimtui.games import parse_game
from nimtui.report.lines import plain_text
from nimtui.ui.app.start import StartScreen
from nimtui.ui.kit.terminal.glyphs import UNICODE
from nimtui.ui.train.form import TrainDraft
from nimtui.ui.train.position_list import LARGE, PositionList, Scores
from nimtui.ui.train.position_panel import Played, Ply, paint_game
from nimtui.ui.train.setup import PERFECT, PRESETS, TrainSetup
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import until
from tests.ui.training import CALM, ended, panel, training


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_empty_screens_say_what_to_press_and_offer_nothing_dead(make_app: Any, size: Any) -> None:
    app = make_app(CALM)
    async with app.run_test(size=size) as pilot:
        assert "S  Sweep" in screen_text(app)
        await pilot.press("f3", "escape")
        await pilot.pause()
        text = screen_text(app)
        assert "N  new training" in text and "S  sweep" in text
        assert "one game" not in text.splitlines()[-1] and "N new" in text.splitlines()[-1]
        await pilot.press("S", "escape")
        await pilot.pause()
        text = screen_text(app)
        assert "new sweep" in text and "open a saved sweep" in text
        assert "export" not in text.splitlines()[-1] and "N new" in text.splitlines()[-1]
        await pilot.press("escape")
        assert app.current_mode == "train"


@pytest.mark.slow
async def test_the_sweep_is_reached_from_the_start_and_left_for_it(make_app: Any) -> None:
    app = make_app(CALM)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("S")
        await until(pilot, lambda: app.current_mode == "sweep")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: isinstance(app.screen, StartScreen))


async def test_presets_are_read_in_full_at_80_columns(make_app: Any) -> None:
    app = make_app(CALM)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f3")
        await pilot.pause()
        text = screen_text(app)
        assert all(preset.title in text and preset.about in text for preset in PRESETS)


def test_nobody_beside_it_may_be_typed() -> None:
    draft = TrainDraft.of(TrainSetup()).with_text("rival", "Nobody")
    assert draft.check()["rival"] == draft.with_text("rival", "").check()["rival"]
    assert draft.setup().learners == ("reward",) and draft.setup().rival == ""


def test_a_proving_learner_says_what_a_game_has_proven() -> None:
    game = parse_game("tower:16")
    scores = [(500, 10_000), (500, -10_000), (10_000, 10_000), (-10_000, -10_000)]
    plies = [Ply(game.new(), "1,3,5,7", 0, "a1", before, after) for before, after in scores]
    told = [plain_text(line) for line in paint_game(Played(game, 7, plies, 1, 10_000), 4)(40, 10, UNICODE)]
    assert told[-1] == "Second wins. Proven: 1 won, 1 lost"
    told = [plain_text(line) for line in paint_game(Played(game, 7, plies[2:], 1, 10_000), 4)(40, 10, UNICODE)]
    assert told[-1] == "Second wins. No score changed"


@pytest.mark.slow
async def test_it_says_in_which_seat_it_never_loses(make_app: Any) -> None:
    async with training(make_app, TrainSetup("tower:16", "reward", "", 1, "300,000")) as pilot:
        await ended(pilot)
        assert "Moving second, it" in panel(pilot, "prompt")
    async with training(make_app, TrainSetup("nim:7,5,3", "proof", "", 1, "50"), size=(200, 60)) as pilot:
        await ended(pilot)
        assert "Moving first, it" in panel(pilot, "prompt") and "unbeaten moving first" in panel(pilot, "curve")


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 60])
async def test_game_and_learner_stay_where_they_are_whether_it_goes_on_or_not(make_app: Any, width: int) -> None:
    setup = TrainSetup("nim:7,5,3", "quality:margin=50", "", 0, "endless")
    async with training(make_app, setup, size=(width, 24)) as pilot:
        await pilot.press("space")
        await until(pilot, lambda: pilot.app.training.paused and "paused" in panel(pilot, "status"))
        held = panel(pilot, "status")
        await pilot.press("space")
        await until(pilot, lambda: "paused" not in panel(pilot, "status"))
        going = panel(pilot, "status")
        left = "quality:margin=50 · nim:7,5,3"
        if width == 80:
            assert held.startswith(left) and going.startswith(left)
        else:
            assert "nim:7,5,3" in held and "nim:7,5,3" in going


@pytest.mark.slow
async def test_a_long_list_is_sorted_beside_what_else_is_done(make_app: Any) -> None:
    async with training(make_app, TrainSetup("nim:3,2,1", "proof", "", 1, PERFECT)) as pilot:
        await ended(pilot)
        await pilot.press("l")
        positions = pilot.app.screen.query_one(PositionList)
        await until(pilot, lambda: positions.has_focus)
        many = LARGE + 5
        ptr = np.arange(many + 1) * 2
        scores = np.random.default_rng(1).integers(-9, 9, 2 * many)
        rows = Scores(scores, np.ones(2 * many, np.int32), np.zeros(many, np.int8), ptr)
        positions.tell(rows, 0, str, lambda node, edge: str(edge))
        positions.sort_by("score")
        await until(pilot, lambda: not positions._sorting.running)
        found = [rows.best(int(node))[1] for node in positions._order[:200]]
        assert found == [8] * 200


@pytest.mark.slow
async def test_escape_closes_the_list_and_z_says_why_nothing_is_zoomed(make_app: Any) -> None:
    async with training(make_app) as pilot:
        await ended(pilot)
        stage = pilot.app.screen_stack[0].stage
        await pilot.press("l")
        assert stage.listing
        await pilot.press("escape")
        assert not stage.listing and stage.map().has_focus
        await pilot.press("z")
        await until(pilot, lambda: "its own sign already" in panel(pilot, "prompt"))
