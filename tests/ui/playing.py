"""What the tests of the Play screen share: an app at a game, and waiting until nothing thinks any more."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

from textual.pilot import Pilot

from nimtui.playing.setup import PlaySetup
from nimtui.store.settings import Settings
from tests.ui.conftest import screen_text

CALM = Settings(animation=False, pace=0.0)


async def until(pilot: Pilot[Any], condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Let the app work until the condition holds."""
    end = monotonic() + seconds
    while not condition():
        assert monotonic() < end, "it did not happen"
        await asyncio.sleep(0.005)
        await pilot.pause()
    await pilot.pause()


async def settled(pilot: Pilot[Any]) -> None:
    """Let the app work until no agent thinks and nothing is being worked out."""
    conductor = pilot.app.screen_stack[0].conductor
    await until(pilot, lambda: not conductor.working and conductor._due is None)


@asynccontextmanager
async def playing(
    make_app: Any,
    game: str = "tower:16",
    first: str = "me",
    second: str = "perfect",
    *,
    position: str | None = None,
    size: tuple[int, int] = (80, 24),
    settings: Settings = CALM,
    **more: Any,
) -> Any:
    """A pilot at this game, once nothing thinks any more and its board is drawn."""
    app = make_app(settings, setup=PlaySetup(game, position, (first, second), 1), **more)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: bool(app.screen_stack[0].query("Board")))
        yield pilot


def session(pilot: Pilot[Any]) -> Any:
    return pilot.app.screen_stack[0].session


def moves(pilot: Pilot[Any]) -> list[str]:
    """The moves that have been played."""
    game = session(pilot)
    return game.move_names()[: game.record.ply]


async def click_head(pilot: Any, head: str, name: str = "list") -> None:
    """Click on the head of a column of a list."""
    at = pilot.app.screen.query_one(f"#{name}").content_region
    shown = [row[at.x : at.right] for row in screen_text(pilot.app).splitlines()[at.y : at.bottom]]
    x, y = next((match.start(), y) for y, row in enumerate(shown) if (match := re.search(rf"\b{head}\b", row)))
    await pilot.click(offset=(at.x + x, at.y + y))
    await pilot.pause()
