"""Esc leaves every sub-view, and the palette begins with what the screen can do."""

from __future__ import annotations

import re
from typing import Any

import pytest

from nimtui.ui.play.compare_setup import CURVE, DEPTHS, LIST, MAP, TABLE, TREES
from tests.ui import comparing, searching
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import playing, settled, until


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_escape_closes_the_explanation_and_the_value_history_of_a_game(
    make_app: Any, size: tuple[int, int]
) -> None:
    async with playing(make_app, second="random", size=size) as pilot:
        screen = pilot.app.screen
        await pilot.press("enter")
        await settled(pilot)
        large = size[0] >= 120  # there the value history has a box of its own, which hides nothing
        await pilot.press(*"w" if large else "Vw")
        await settled(pilot)
        assert screen.conductor.explaining.on and screen.has_class("-story")
        for explained, story in ((False, True), (False, large), (False, large)):
            await pilot.press("escape")
            assert (screen.conductor.explaining.on, screen.has_class("-story")) == (explained, story)
        assert pilot.app.screen is screen


@pytest.mark.slow
@pytest.mark.parametrize(("setup", "views"), [(None, (CURVE, DEPTHS, TREES)), (comparing.LEARNERS, (MAP, LIST))])
async def test_escape_returns_to_the_table_of_a_comparison_and_then_leaves_it(
    make_app: Any, setup: Any, views: tuple[str, ...]
) -> None:
    async with comparing.comparing(make_app, *filter(None, [setup])) as pilot:
        for view in views:
            pilot.app.screen.show(view if setup is None else MAP)
            await comparing.answered(pilot)
            pilot.app.screen.show(view)
            await pilot.press("escape")
            assert comparing.stage(pilot).view == TABLE
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.current_mode == "start")


async def test_escape_shows_all_nodes_of_a_search_again(make_app: Any) -> None:
    async with searching.searching(make_app) as pilot:
        for key in ("p", "f", "w"):
            await pilot.press(key)
            assert searching.stage(pilot).walk.filter
            await pilot.press("escape")
            assert not searching.stage(pilot).walk.filter


async def test_the_palette_offers_first_what_the_screen_can_do(make_app: Any) -> None:
    async with playing(make_app, second="me") as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: "key h" in screen_text(pilot.app))
        offered = re.findall(r"\S  +key (\S+)", screen_text(pilot.app))  # on the line of their names
        assert offered[:3] == ["h", "w", "A"]
        names = [command.title for command in pilot.app.get_system_commands(pilot.app.screen_stack[0])]
        places = [names.index(name) for name in ("Compare agents on this position", "Quit nimtui", "Redraw the screen")]
        assert places == sorted(places)
