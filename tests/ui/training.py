"""What the tests of the Train screen share: an app at a training, and waiting for something to come about."""

from __future__ import annotations

import operator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from textual.pilot import Pilot

from nimtui.store.settings import Settings
from nimtui.ui.train.lane import PACES
from nimtui.ui.train.setup import TrainSetup
from nimtui.ui.train.work import TrainWork
from tests.ui.playing import panel as panel
from tests.ui.playing import until

CALM = Settings(animation=False)
SMALL = TrainSetup("nim:3,2,1", "reward", "", 1, "500")  # 23 positions


@asynccontextmanager
async def training(
    make_app: Any,
    setup: TrainSetup = SMALL,
    *,
    size: tuple[int, int] = (80, 24),
    pace: int = -1,
    settings: Settings = CALM,
    **more: Any,
) -> Any:
    """A pilot at this training, once its map is drawn; at full speed unless another of the paces is named.

    The moves of a game that is shown follow one another quickly.
    """
    app = make_app(settings, **more)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("nimtui.ui.train.view.CALM", 0.05)
        async with app.run_test(size=size) as pilot:
            app.training.pace = PACES[pace]
            app.begin("train", setup)
            await until(pilot, lambda: app.screen_stack[0].is_mounted and app.screen_stack[0].stage.seen)
            yield pilot


async def ended(pilot: Pilot[Any]) -> TrainWork:
    """Let it train to its end, and be drawn."""
    conductor: TrainWork = pilot.app.training
    await until(pilot, lambda: conductor.ended)
    stage = pilot.app.screen_stack[0].stage
    await until(pilot, lambda: all(lane.view is not None for lane in conductor.lanes))
    await until(pilot, lambda: all(lane.games == lane.training.games for lane in conductor.lanes))
    await until(pilot, lambda: all(map(operator.is_, stage.sight.views, [lane.view for lane in conductor.lanes])))
    return conductor
