"""A screen that is taken away loses its widgets first: what comes to it meanwhile does nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from nimtui.ui.kit.stack import Palette
from tests.ui.playing import CALM, until
from tests.ui.test_stack import calm

MakeApp = Callable[..., Any]


@pytest.mark.parametrize("mode", ["train", "search", "sweep", "tournament", "library"])
async def test_a_job_that_tells_while_its_screen_closes_draws_nothing(make_app: MakeApp, mode: str) -> None:
    app = make_app(CALM)
    async with app.run_test(size=(80, 24)) as pilot:
        app.switch_mode(mode)
        await until(pilot, lambda: app.current_mode == mode and app.screen_stack[0].there)
        screen, draws = app.screen_stack[0], 0
        screen._draw()
        app.switch_mode("start")
        closing = asyncio.ensure_future(app._prune(screen))
        while not closing.done():
            screen._draw()
            draws += 1
            await asyncio.sleep(0)
        screen._draw()
        assert draws > 1 and not screen.children and app.failure is None


async def test_a_timer_that_ends_while_its_screen_closes_does_nothing(make_app: MakeApp) -> None:
    app = make_app(CALM)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, Palette))
        palette, told = app.screen, []
        palette.set_timer(0.02, lambda: told.append("shown"))
        await until(pilot, lambda: bool(told))
        palette.set_timer(0.02, lambda: told.append("closed"))
        palette.dismiss(None)
        assert not palette.still_open and app.current_mode == "start"
        await asyncio.sleep(0.1)
        await calm(pilot)
        assert told == ["shown"]
