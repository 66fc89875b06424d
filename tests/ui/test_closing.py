"""A screen that is taken away loses its widgets first: what comes to it meanwhile does nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from nimtui.ui.kit.contract.stack import Palette
from nimtui.ui.kit.forms.draft import Finding
from nimtui.ui.kit.forms.form import FieldLine
from nimtui.ui.play.form import NewGame
from tests.ui.playing import CALM, playing, until
from tests.ui.test_stack import calm

MakeApp = Callable[..., Any]


async def closed(app: Any, screen: Any, late: Callable[[], object]) -> None:
    """Take a screen away; `late` comes before, at each step of it, and afterwards."""
    late()
    closing, steps = asyncio.ensure_future(app._prune(screen)), 0
    while not closing.done():
        late()
        steps += 1
        await asyncio.sleep(0)
    late()
    assert steps > 1 and not screen.children and app.failure is None


@pytest.mark.slow
async def test_what_a_job_an_agent_or_a_form_brings_while_its_screen_closes_draws_nothing(make_app: MakeApp) -> None:
    async with playing(make_app, second="random") as pilot:
        app, rights = pilot.app, iter(range(1_000))
        screen = app.screen_stack[0]
        await pilot.press("a", "1", "enter")
        app.switch_mode("start")
        await closed(app, screen, screen.draw)
        screen._draw_prompt()
        for mode in ("train", "search", "sweep", "tournament", "library"):
            app.switch_mode(mode)
            await until(pilot, lambda mode=mode: app.current_mode == mode and app.screen_stack[0].there)
            screen = app.screen_stack[0]
            app.switch_mode("start")
            await closed(app, screen, screen.draw)
        await calm(pilot)
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, NewGame) and app.screen.there)
        form = app.screen

        def late() -> None:
            form.show()
            form.field("game").say(Finding(next(rights) % 2 == 0, "found out")) if form.query(FieldLine) else None

        app.switch_mode("start")
        await closed(app, form, late)


@pytest.mark.slow
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
