"""What the tests of the Compare screen share: an app at a comparison, once all agents have answered."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot

from nimtui.store.settings import Settings
from nimtui.ui.play.compare_setup import CompareSetup
from tests.ui.playing import panel as panel
from tests.ui.playing import until

CALM = Settings(animation=False)
PART = CompareSetup("connect4:4x4", "122", ("mcts:simulations=10000,c=1.0", "alphabeta:depth=8"))
LEARNERS = CompareSetup("tower:16", "1,3,5,6", ("reward:games=1000,seed=0", "proof:games=1000,seed=0"))


@asynccontextmanager
async def comparing(
    make_app: Any, setup: CompareSetup = PART, *, size: tuple[int, int] = (80, 24), whole: bool = True, **more: Any
) -> Any:
    """A pilot at this comparison; `whole`: once all agents have answered and the exact values are there."""
    app = make_app(CALM, **more)
    async with app.run_test(size=size) as pilot:
        app.begin("compare", setup)
        await until(pilot, lambda: bool(app.screen_stack[0].query("#stage")))
        if whole:
            await answered(pilot)
        yield pilot


def conductor(pilot: Pilot[Any]) -> Any:
    return pilot.app.screen_stack[0].conductor


async def answered(pilot: Pilot[Any]) -> None:
    """Wait for all answers and the exact values."""
    await until(pilot, lambda: not conductor(pilot).working and not conductor(pilot).kept_jobs)
    await pilot.pause()


def stage(pilot: Pilot[Any]) -> Any:
    return pilot.app.screen_stack[0]
