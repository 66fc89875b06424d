"""What the tests of the tour share: an app, and the way to a step."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot

from nimtui.ui.kit.contract.shell import Guide
from nimtui.ui.tour.tour import STEPS, Tour
from tests.ui.playing import CALM, until

PRESSED = {"⏎": "enter", "^g": "ctrl+g"}  # as a screen shows a key, and as it is pressed


@asynccontextmanager
async def touring(make_app: Any, size: tuple[int, int] = (80, 24), **more: Any) -> Any:
    """A pilot at the start of the tour."""
    app = make_app(more.pop("settings", CALM), **more)
    async with app.run_test(size=size) as pilot:
        await pilot.press("enter")
        yield pilot


def tour(pilot: Pilot[Any]) -> Tour:
    found: Tour = pilot.app._tour
    return found


def guide(pilot: Pilot[Any]) -> Guide:
    """What the app shows of the tour."""
    assert pilot.app.guide is not None
    found: Guide = pilot.app.guide
    return found


async def at_step(pilot: Pilot[Any], number: int) -> None:
    """Wait until this step, from 1, is shown, and the sentence no longer waits for anything."""
    await until(pilot, lambda: tour(pilot).at >= number - 1)
    assert tour(pilot).at == number - 1
    if STEPS[number - 1].mode == "play":
        await until(
            pilot, lambda: not pilot.app.game_played.thinking and bool(pilot.app.screen_stack[0].query("Board"))
        )
    await until(pilot, lambda: pilot.app.guide == tour(pilot).guide)


async def press_own_key(pilot: Pilot[Any]) -> None:
    """Press the key that the step names."""
    key = guide(pilot).keys[0][0]
    await pilot.press(PRESSED.get(key, key))


async def to_step(pilot: Pilot[Any], number: int) -> None:
    """Walk to this step by the key that each step names."""
    for step in range(1, number):
        await at_step(pilot, step)
        await press_own_key(pilot)
    await at_step(pilot, number)
