"""What looks like a button is one: tabs, labels in frames, rows; and the wheel scrolls what it is over."""

from __future__ import annotations

from typing import Any

import pytest
from textual.events import MouseDown, MouseMove

from tests.ui import comparing, sweeping
from tests.ui.conftest import screen_text
from tests.ui.playing import playing, settled, until
from tests.ui.shelving import furnish, library, pressed

pytestmark = pytest.mark.slow


async def click_on(pilot: Any, text: str) -> None:
    """Click in the middle of the first place where the screen says so."""
    rows = screen_text(pilot.app).splitlines()
    y, row = next((y, row) for y, row in enumerate(rows) if text in row)
    await pilot.click(offset=(row.index(text) + len(text) // 2, y))
    await pilot.pause()


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_a_click_on_a_tab_of_the_library_shows_its_kind(make_app: Any, size: tuple[int, int]) -> None:
    furnish()
    async with library(make_app, size) as pilot:
        for tab, kind in (("Runs", "run"), ("Sweeps", "sweep")):
            await click_on(pilot, tab)
            await pressed(pilot)
            assert {item.kind.value for item in pilot.app.screen.conductor.shown} == {kind}
        await click_on(pilot, "All")
        await pressed(pilot)
        assert len({item.kind for item in pilot.app.screen.conductor.shown}) == 5


async def test_a_click_on_the_label_in_a_frame_is_its_key(make_app: Any) -> None:
    async with playing(make_app, size=(200, 60)) as pilot:
        await settled(pilot)
        assert not pilot.app.screen.conductor.analysis.on
        await click_on(pilot, "A analyse ─")
        assert pilot.app.screen.conductor.analysis.on


async def test_a_click_on_what_was_saved_lately_shows_it_in_the_library(make_app: Any) -> None:
    furnish()
    app = make_app()
    async with app.run_test(size=(200, 60)) as pilot:
        await until(pilot, lambda: "cup" in screen_text(app))
        await click_on(pilot, "cup")
        await until(pilot, lambda: app.current_mode == "library" and app.screen.conductor.item is not None)
        await until(pilot, lambda: app.screen.conductor.item.given == "cup")


async def test_a_drag_that_begins_on_a_frame_marks_what_is_inside(make_app: Any) -> None:
    async with playing(make_app, size=(200, 60)) as pilot:
        app, box = pilot.app, pilot.app.screen.query_one("#thoughts")
        inside, frame = box.content_region, box.region
        for kind, x, y in ((MouseDown, frame.x, frame.y), (MouseMove, frame.right - 1, frame.y + 3)):
            app.takes_input(kind(None, x, y, 0, 0, 1, False, False, False, x, y))
        assert app.picture._marked == dict.fromkeys(range(inside.y, frame.y + 4), (inside.x, inside.right)), (
            "neither the frame nor another box"
        )


async def test_a_click_marks_a_row_of_compared_moves_and_a_second_one_plays_it(make_app: Any) -> None:
    async with comparing.comparing(make_app, comparing.PART, size=(120, 36)) as pilot:
        screen = pilot.app.screen
        region = screen.query_one("#main").content_region
        await pilot.click(offset=(region.x + 4, region.y + 3))
        assert screen.place.row == 2 and screen.query_one("#main").target_at(region.offset) is None
        await pilot.click(offset=(region.x + 4, region.y + 3))
        await until(pilot, lambda: bool(screen.conductor.path))


async def test_a_click_marks_a_cell_of_either_heat_map(make_app: Any) -> None:
    async with sweeping.sweeping(make_app, size=(200, 60)) as pilot:
        await sweeping.finished(pilot)
        screen = pilot.app.screen
        for name, at in (("heat", (0, 1, 1)), ("other", (0, 1, 0))):
            region = screen.query_one(f"#{name}").content_region
            await pilot.click(offset=(region.x + (20 if at[2] == 0 else 90), region.y + 14))
            assert screen.place.at == at
        await pilot.click(offset=(region.x + 20, region.y + 14))
        await until(pilot, lambda: pilot.app.current_mode == "train")
