"""How the screens use large terminals: boxes with titles that share the room, and the thing itself the largest."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widget import Widget

from nimtui.ui.kit.widgets.panel import framed
from nimtui.ui.search.setup import SearchSetup
from nimtui.ui.train.setup import TrainSetup
from tests.ui import shelving, tournaments
from tests.ui.comparing import LEARNERS, answered, comparing
from tests.ui.conftest import screen_text
from tests.ui.playing import make_moves, playing, until
from tests.ui.searching import searching
from tests.ui.sweeping import sweeping
from tests.ui.training import ended, training

pytestmark = pytest.mark.slow
LARGE, HUGE = (120, 36), (200, 60)
SIZES = [(100, 30), LARGE, HUGE]
LINES_AROUND = 5  # at most: header, title, progress, message, footer
GROWN = SearchSetup("connect4", None, "mcts:simulations=300")
FLAT = SearchSetup("connect4", None, "mc:playouts=100")
ONE = TrainSetup("nim:7,5,3", "reward", "", 1, "300")
TWO = TrainSetup("nim:7,5,3", "reward", "quality", 1, "300")


def boxes(app: App[Any]) -> dict[str, Widget]:
    """The boxes that can be seen, by their names."""
    return {str(box.id or box.__class__.__name__): box for box in app.screen.query(".box") if box.region.area}


def title(box: Widget) -> str:
    """The title in the frame of a box."""
    return str(box.border_title or "").strip()


def in_boxes(app: App[Any]) -> dict[str, Any]:
    """The boxes by their names: each framed, with a title, in its own place; `^p Commands` can be read."""
    found = boxes(app)
    for name, box in found.items():
        assert framed(box) and title(box) and app.screen.region.contains_region(box.region), name
        assert box.content_size.area, f"{name} has no line"
    for (one, box), (other, beside) in combinations(found.items(), 2):
        assert not box.region.intersection(beside.region).area, (one, other)
    assert "^p Commands" in screen_text(app).splitlines()[-1]
    return found


async def check(pilot: Pilot[Any], hero: str, least: float) -> None:
    """Once all is there, the hero takes its share of the room, and nothing is free."""
    await until(pilot, lambda: not pilot.app.jobs.running() and all(map(title, boxes(pilot.app).values())))
    found, (columns, rows) = in_boxes(pilot.app), pilot.app.size
    room = columns * (rows - LINES_AROUND)
    assert found[hero].region.area >= least * room
    assert sum(box.region.area for box in found.values()) >= room * 0.98


def share(pilot: Pilot[Any], *boxes: Any) -> float:
    """The share of the screen's cells that these boxes have."""
    return sum(box.region.area for box in boxes) / pilot.app.size.area


async def resized(pilot: Pilot[Any], size: tuple[int, int]) -> dict[str, Any]:
    """The boxes at this size."""
    await pilot.resize_terminal(*size)
    return in_boxes(pilot.app)


async def test_a_search_has_a_tree_and_beside_it_the_last_move_and_why_moves_were_pruned(make_app: Any) -> None:
    async with searching(make_app, size=(80, 24)) as pilot:
        assert not any(map(framed, boxes(pilot.app).values())), "a small screen has no frames"
        await pilot.resize_terminal(*LARGE)
        await check(pilot, "tree", 0.4)
        await pilot.press("down", "down", "down")
        board = boxes(pilot.app)["board"]
        assert title(board) == "Board · b2"
        row = next(line for line in board.text().splitlines() if line.split()[:1] == ["B"])
        assert pilot.app.glyphs.last[0] in row
        await pilot.press("home", "n")
        why = boxes(pilot.app)["why"]
        assert title(why) == "Why moves were pruned"
        assert "6 moves pruned" in why.text()
        await pilot.press("home")
        await until(pilot, lambda: title(why) == "This event")
        assert "Enter root" in why.text()
    for setup, size, hero in ((GROWN, HUGE, "tree"), (FLAT, LARGE, "table")):
        async with searching(make_app, setup, size=size) as pilot:
            await check(pilot, hero, 0.4)
    async with searching(make_app, GROWN, size=HUGE) as pilot:
        tree: Any = boxes(pilot.app)["tree"]
        assert 1 + 7 < len(tree.outline) <= tree.room, "the best line, until a person folds"
        await pilot.press("left")
        assert len(tree.outline) == 1


async def test_a_tournament_shows_its_latest_game_and_that_of_the_marked_pairing_with_its_curve(make_app: Any) -> None:
    async with tournaments.tournament(make_app, size=HUGE) as pilot:
        await check(pilot, "playing", 0.25)
        await tournaments.finished(pilot)
        await until(pilot, lambda: "20" in boxes(pilot.app)["games"].text())
        assert set(boxes(pilot.app)) == {"table", "curve", "seats", "words", "games", "playing"}
        await pilot.resize_terminal(*LARGE)
        await until(pilot, lambda: "latest game 20 · " in boxes(pilot.app)["playing"].text())
        before = title(boxes(pilot.app)["playing"])
        await pilot.press("right")
        await until(pilot, lambda: title(boxes(pilot.app)["playing"]) not in ("A game", before))
        names = [pilot.app.screen.conductor.plan.agents[at].partition(":")[0] for at in pilot.app.screen._place.cursor]
        assert all(name in title(boxes(pilot.app)["playing"]) for name in names)
        await pilot.press("enter")
        await until(pilot, lambda: set(boxes(pilot.app)) == {"results", "curve", "games"})
        await until(pilot, lambda: "20" in boxes(pilot.app)["games"].text())
        await check(pilot, "games", 0.4)
        assert set(await resized(pilot, HUGE)) == {"results", "curve", "seats", "games"}


async def test_the_library_is_a_list_and_a_run_shows_its_curve_below_its_details(make_app: Any) -> None:
    async with shelving.library(make_app, LARGE) as pilot:
        await check(pilot, "list", 0.5)
    shelving.furnish()
    async with shelving.library(make_app, HUGE) as pilot:
        await check(pilot, "list", 0.15)
        await shelving.pressed(pilot, "3", "down")  # a damaged run stands above it
        await until(pilot, lambda: title(boxes(pilot.app)["picture"]) == "Accuracy by games")
        assert share(pilot, boxes(pilot.app)["picture"]) > 0.4 and "100" in boxes(pilot.app)["picture"].text()
        assert "accuracy 75 %" in boxes(pilot.app)["picture"].text().replace(".0", "")


async def test_the_map_of_a_training_is_its_largest_box(make_app: Any) -> None:
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
            assert share(pilot, found["side0"]) > (0.25 if size[0] < 120 else 0.3)
            assert found["side0"].border_title.startswith("191 positions by matches left")
            assert found["side0"].region.y < found["curve"].region.y == found["position"].region.y
            assert stage.map()._sheet.apart.pitch >= (2 if size[0] < 120 else 3)
            await pilot.press("left")
            assert in_boxes(pilot.app).keys() == shown
        await pilot.press("full_stop")
        await until(pilot, lambda: pilot.app.training.following and stage.sight.game is not None)
        await pilot.pause()
        assert in_boxes(pilot.app).keys() == {"side0", "curve", "episode", "list", "position"}
        await pilot.resize_terminal(80, 24)
        assert "191 positions" in stage.map().text()  # else it is in the frame


async def test_maps_of_two_learners_and_of_a_sweep_and_the_boxes_of_a_comparison_share_the_room(make_app: Any) -> None:
    async with training(make_app, TWO, size=SIZES[0]) as pilot:
        await ended(pilot)
        for size in SIZES:
            found = await resized(pilot, size)
            maps = [box for name, box in found.items() if name in ("side0", "side1", "difference")]
            assert maps[0].size == maps[1].size and len(maps) == (3 if size == HUGE else 2)
            assert share(pilot, *maps) > (0.25 if size[0] < 120 else 0.35)
    async with sweeping(make_app, size=SIZES[0]) as pilot:
        await until(pilot, lambda: not pilot.app.jobs.running())
        for size in SIZES:
            found = await resized(pilot, size)
            assert set(found) == {"heat", "cell", *["ranking"] * (size[0] >= 120), *["other"] * (size[0] >= 160)}
            assert share(pilot, *(found[name] for name in ("heat", "other") if name in found)) > 0.45
        assert found["heat"].border_title == "Games to perfect play"
        await pilot.press("a")
        assert found["heat"].border_title.startswith("Accuracy")
    async with comparing(make_app, size=SIZES[0]) as pilot:
        for size in SIZES:
            found = await resized(pilot, size)
            assert set(found) == {"main", "board", "answers", "effort", *["trees"] * (size == HUGE)}
            assert share(pilot, *found.values()) > 0.85
        pilot.app.screen.start(LEARNERS)
        await answered(pilot)
        await pilot.press("m")
        await until(pilot, lambda: pilot.app.screen.query_one("#map").region.area > 0)
        for size in SIZES:
            found = await resized(pilot, size)
            assert set(found) == {"map", "board", "answers"} and share(pilot, found["map"]) > 0.4


async def test_no_box_of_a_game_is_a_frame_alone(make_app: Any) -> None:
    async with playing(make_app, first="me", second="easy", size=LARGE) as pilot:
        await make_moves(pilot, "a1")
        for size in (*SIZES, (160, 48), (240, 70)):
            await pilot.resize_terminal(*size)
            for _ in ("with the value history", "without"):
                await until(pilot, lambda: bool(boxes(pilot.app)))
                empty = [name for name, box in boxes(pilot.app).items() if not box.content_size.area]
                assert not empty, (size, empty)
                await pilot.press("V")
        await pilot.resize_terminal(*LARGE)
        assert "1 you" in screen_text(pilot.app)


async def test_boxes_without_anything_to_show_say_what_will_stand_there(make_app: Any) -> None:
    app = make_app(mode="compare")
    async with app.run_test(size=HUGE) as pilot:
        for mode in ("compare", "sweep", "search"):
            app.switch_mode(mode)
            if mode != "compare":  # a form lies above
                await until(pilot, lambda: len(app.screen_stack) > 1)
                await pilot.press("escape")
            await until(pilot, lambda: bool(boxes(app)) and all(box.text().strip() for box in boxes(app).values()))
            await until(pilot, lambda: all(map(title, boxes(app).values())))
            words = " ".join(box.text() for box in boxes(app).values())
            assert words.count("will stand") >= len(boxes(app)) - 1, "one may tell the keys"
