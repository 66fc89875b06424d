"""The layouts of large terminals: every box has a title, nothing overlaps, and the thing itself is the largest."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from textual.pilot import Pilot

from nimtui.ui.kit.widgets.canvas import framed
from nimtui.ui.train.setup import TrainSetup
from tests.ui.comparing import LEARNERS, answered, comparing
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.sweeping import sweeping
from tests.ui.training import ended, training

pytestmark = pytest.mark.slow
SIZES = [(100, 30), (120, 36), (200, 60)]
ONE = TrainSetup("nim:7,5,3", "reward", "", 1, "300")
TWO = TrainSetup("nim:7,5,3", "reward", "quality", 1, "300")


def in_boxes(pilot: Pilot[Any]) -> dict[str, Any]:
    """The boxes on the screen by id, each with a title and apart from the others; the footer ends in ^p Commands."""
    found = {box.id: box for box in pilot.app.screen.query(".box") if box.region.area and framed(box)}
    assert all(box.border_title for box in found.values()), {name: box.border_title for name, box in found.items()}
    for one, other in combinations(found.values(), 2):
        assert not one.region.overlaps(other.region), (one, other)
    assert screen_text(pilot.app).rstrip().endswith("^p Commands")
    return found


def share(pilot: Pilot[Any], *boxes: Any) -> float:
    """The share of the screen's cells that these boxes have."""
    return sum(box.region.area for box in boxes) / pilot.app.size.area


async def resized(pilot: Pilot[Any], size: tuple[int, int]) -> dict[str, Any]:
    """The boxes at this size."""
    await pilot.resize_terminal(*size)
    await pilot.pause()
    await pilot.pause()
    return in_boxes(pilot)


async def test_the_map_of_a_training_is_its_largest_box(make_app: Callable[..., Any]) -> None:
    async with training(make_app, ONE, size=(80, 24)) as pilot:
        await ended(pilot)
        stage = pilot.app.screen.stage
        assert stage.query_one("#maps").region.y > stage.query_one("#about").region.y
        assert "191 positions by matches left" in stage.map().text()
        for size in SIZES:
            found = await resized(pilot, size)
            shown = {"side0", "curve", "position"} | ({"list"} if size[0] >= 120 else set())
            assert set(found) == shown and "191 positions" not in stage.map().text()
            assert share(pilot, found["side0"]) == max(share(pilot, box) for box in found.values())
            assert share(pilot, found["side0"]) > (0.25 if size[0] < 120 else 0.35)
            assert found["side0"].border_title.startswith("191 positions by matches left")
            assert found["side0"].region.y < found["curve"].region.y == found["position"].region.y
            assert stage.map()._sheet.apart.pitch >= (2 if size[0] < 120 else 3)
            await pilot.press("left")
            assert in_boxes(pilot).keys() == shown
        await pilot.press("full_stop")
        await until(pilot, lambda: pilot.app.training.following and stage.sight.game is not None)
        await pilot.pause()
        assert in_boxes(pilot).keys() == {"side0", "curve", "episode", "list", "position"}
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "191 positions" in stage.map().text()  # else it is in the frame


async def test_two_learners_have_maps_of_one_size(make_app: Callable[..., Any]) -> None:
    async with training(make_app, TWO, size=SIZES[0]) as pilot:
        await ended(pilot)
        for size in SIZES:
            found = await resized(pilot, size)
            assert found["side0"].size == found["side1"].size
            assert share(pilot, found["side0"], found["side1"]) > (0.25 if size[0] < 120 else 0.35)


async def test_the_heat_map_of_a_sweep_is_its_largest_box(make_app: Callable[..., Any]) -> None:
    async with sweeping(make_app, size=SIZES[0]) as pilot:
        await until(pilot, lambda: not pilot.app.jobs.running())
        for size in SIZES:
            found = await resized(pilot, size)
            assert set(found) == {"heat", "cell"} | ({"ranking"} if size[0] >= 120 else set())
            assert share(pilot, found["heat"]) > 0.45
        assert found["heat"].border_title == "Games to perfect play"
        await pilot.press("a")
        assert found["heat"].border_title.startswith("Accuracy")


async def test_a_comparison_fills_the_screen_with_titled_boxes(make_app: Callable[..., Any]) -> None:
    async with comparing(make_app, size=SIZES[0]) as pilot:
        await until(pilot, lambda: not pilot.app.jobs.running())
        for size in SIZES:
            found = await resized(pilot, size)
            assert set(found) == {"main", "board", "answers", "effort"} and share(pilot, *found.values()) > 0.85
        pilot.app.screen.start(LEARNERS)
        await answered(pilot)
        await pilot.press("m")
        await until(pilot, lambda: pilot.app.screen.query_one("#map").region.area > 0)
        for size in SIZES:
            found = await resized(pilot, size)
            assert set(found) == {"map", "board", "answers"} and share(pilot, found["map"]) > 0.4
