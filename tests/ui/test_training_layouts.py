"""The layouts of large terminals: every box has a title, nothing overlaps, and the thing itself is the largest."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from textual.pilot import Pilot

from nimtui.ui.kit.widgets.canvas import framed
from nimtui.ui.train.setup import TrainSetup
from tests.ui.comparing import LEARNERS, comparing
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.sweeping import sweeping
from tests.ui.training import ended, training

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


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_the_map_of_a_training_is_its_largest_box(make_app: Callable[..., Any], size: tuple[int, int]) -> None:
    async with training(make_app, ONE, size=size) as pilot:
        await ended(pilot)
        await pilot.pause()
        found = in_boxes(pilot)
        shown = {"side0", "curve", "position"} | ({"list"} if size[0] >= 120 else set())
        assert set(found) == shown
        assert share(pilot, found["side0"]) == max(share(pilot, box) for box in found.values())
        assert share(pilot, found["side0"]) > (0.25 if size[0] < 120 else 0.35)
        assert found["side0"].border_title.startswith("191 positions by matches left")
        assert found["side0"].region.y < found["curve"].region.y == found["position"].region.y
        apart = pilot.app.screen.stage.map()._sheet.apart
        assert apart.pitch >= (2 if size[0] < 120 else 3)
        await pilot.press("left")
        assert in_boxes(pilot).keys() == shown


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_two_learners_have_maps_of_one_size(make_app: Callable[..., Any], size: tuple[int, int]) -> None:
    async with training(make_app, TWO, size=size) as pilot:
        await ended(pilot)
        await pilot.pause()
        found = in_boxes(pilot)
        assert found["side0"].size == found["side1"].size
        assert share(pilot, found["side0"], found["side1"]) > (0.25 if size[0] < 120 else 0.35)


@pytest.mark.slow
async def test_a_followed_game_stands_beside_the_curve_on_a_huge_screen(make_app: Callable[..., Any]) -> None:
    async with training(make_app, ONE, size=(200, 60)) as pilot:
        await ended(pilot)
        await pilot.press("full_stop")
        await until(pilot, lambda: pilot.app.training.following and pilot.app.screen.stage.sight.game is not None)
        await pilot.pause()
        assert in_boxes(pilot).keys() == {"side0", "curve", "episode", "list", "position"}


@pytest.mark.slow
async def test_a_terminal_that_changes_its_size_changes_the_layout(make_app: Callable[..., Any]) -> None:
    async with training(make_app, ONE, size=(80, 24)) as pilot:
        await ended(pilot)
        stage = pilot.app.screen.stage
        assert stage.query_one("#maps").region.y > stage.query_one("#about").region.y
        assert "191 positions by matches left" in stage.map().text()
        for size in (200, 60), (120, 36), (80, 24), (120, 36):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            await pilot.pause()
            assert ("191 positions" in stage.map().text()) == (size == (80, 24))  # else it is in the frame
            assert size == (80, 24) or share(pilot, in_boxes(pilot)["side0"]) > 0.4


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_the_heat_map_of_a_sweep_is_its_largest_box(make_app: Callable[..., Any], size: tuple[int, int]) -> None:
    async with sweeping(make_app, size=size) as pilot:
        await until(pilot, lambda: not pilot.app.jobs.running())
        await pilot.pause()
        found = in_boxes(pilot)
        assert set(found) == {"heat", "cell"} | ({"ranking"} if size[0] >= 120 else set())
        assert share(pilot, found["heat"]) > 0.45
        assert found["heat"].border_title == "Games to perfect play"
        await pilot.press("a")
        assert found["heat"].border_title.startswith("Accuracy")


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_a_comparison_fills_the_screen_with_titled_boxes(
    make_app: Callable[..., Any], size: tuple[int, int]
) -> None:
    async with comparing(make_app, size=size) as pilot:
        await until(pilot, lambda: not pilot.app.jobs.running())
        await pilot.pause()
        found = in_boxes(pilot)
        assert set(found) == {"main", "board", "answers", "effort"}
        assert share(pilot, *found.values()) > 0.85


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_the_map_of_two_agents_is_the_largest_box(make_app: Callable[..., Any], size: tuple[int, int]) -> None:
    async with comparing(make_app, LEARNERS, size=size) as pilot:
        await pilot.press("m")
        await until(pilot, lambda: pilot.app.screen.query_one("#map").region.area > 0)
        await pilot.pause()
        found = in_boxes(pilot)
        assert set(found) == {"map", "board", "answers"} and share(pilot, found["map"]) > 0.4
