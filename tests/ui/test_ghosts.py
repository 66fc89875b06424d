"""The terminal shows what a fresh picture of the screen would show, whatever keys led there."""

from __future__ import annotations

from random import Random

import pytest
from textual.geometry import Size

from nimtui.ui.train.lane import PACES
from nimtui.ui.train.setup import TrainSetup
from tests.fuzz.drive import driven
from tests.fuzz.steps import CURSOR_KEYS, KEYS, Step
from tests.ui.repainting import Screenful

FOUND = [b" ", KEYS["end"], b"x", KEYS["left"], KEYS["down"], b"x"]
WALK: list[Step] = [*CURSOR_KEYS, *CURSOR_KEYS, *CURSOR_KEYS, b"x", b"z", b"o", KEYS["tab"]]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
async def test_keys_on_the_map_of_positions_leave_nothing_behind(size: tuple[int, int]) -> None:
    faults: list[object] = []
    async with driven(size) as drive:
        app = drive.app
        app.training.pace = PACES[-1]
        app.begin("train", TrainSetup("tower:16", "reward", "", 1, "500"))
        await drive.until(lambda: app.training.ended and app.screen_stack[0].stage.seen)
        screenful = Screenful(drive)
        walk = Random(str(size)).choices(WALK, k=20)
        for step in [*FOUND, *walk]:
            await drive.do(step)
            if cells := await screenful.stale():
                faults.append((step, cells))
                break
        else:
            faults.append("none")
    assert [*app.found, *faults] == ["none"] and screenful.terminal.seen[0] and Size(*size) == app.size
