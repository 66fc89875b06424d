"""An app rests when its event loop has nothing left to do: pauses end there, not after a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any

from textual import app as textual_app
from textual import pilot as textual_pilot
from textual.app import App
from textual.pilot import Pilot

from tests.patience import latest

LOOK = 0.0005  # seconds between two looks at what a short timer brings
PAINTINGS = 8  # of one screen, each because of the one before


def ended(app: App[Any]) -> bool:
    """Whether an app has left, or begun to."""
    return bool(app._exit) or app._exception is not None or not app._running


def waits(app: App[Any]) -> bool:
    """Whether a key waits for its turn, or the screens for the new size or for all that is to be drawn at once."""
    return any(getattr(app, name, None) for name in ("_settling", "_typed", "_resize_timer", "_batch_count"))


async def rest(app: App[Any]) -> None:
    """Let an app work until nothing is left to be done but what timers and jobs will bring, and it is painted."""
    end = latest()
    await _nothing_ready(end)
    for _ in range(PAINTINGS):
        while not ended(app) and waits(app):
            await asyncio.sleep(LOOK)
            await _nothing_ready(end)
        if ended(app) or not app.screen_stack or not app.screen._update_timer._active.is_set():
            return
        app.screen._on_timer_update()
        await _nothing_ready(end)


async def _nothing_ready(end: float) -> None:
    ready: Any = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    await asyncio.sleep(0)
    while ready:
        assert monotonic() < end, "it never rests"
        await asyncio.sleep(0)


def rest_at_once(replace: Callable[[Any, str, Any], object]) -> None:
    """Let `replace` (as setattr) end every pause of a pilot when the app rests, not some 20 ms later; keys, too."""
    press = App._press_keys

    async def pressed(app: App[Any], keys: Iterable[str]) -> None:
        for key in keys:
            await press(app, [key])
            await rest(app)

    async def at_rest(pilot: Pilot[Any], timeout: float = 0.0) -> bool:
        await rest(pilot.app)
        return not ended(pilot.app)

    async def at_once(*_: float) -> None:
        """What follows waits until the app rests."""

    replace(App, "_press_keys", pressed)
    replace(Pilot, "_wait_for_screen", at_rest)
    replace(textual_app, "wait_for_idle", at_once)
    replace(textual_pilot, "wait_for_idle", at_once)
