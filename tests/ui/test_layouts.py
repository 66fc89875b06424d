"""How the screens use large terminals: boxes with titles that share the room, and the thing itself the largest."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from itertools import combinations
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widget import Widget

from nimtui.ui.kit.widgets.canvas import framed
from nimtui.ui.search.setup import SearchSetup
from nimtui.ui.search.work import SearchWork
from tests.ui import shelving, tournaments
from tests.ui.conftest import screen_text
from tests.ui.playing import until
from tests.ui.searching import searching

pytestmark = pytest.mark.slow
LARGE, HUGE = (120, 36), (200, 60)
LINES_AROUND = 5  # at most: header, title, progress, message, footer
GROWN = SearchSetup("connect4", None, "mcts:simulations=300")


def boxes(app: App[Any]) -> dict[str, Widget]:
    """The boxes that can be seen, by their names."""
    return {str(box.id or box.__class__.__name__): box for box in app.screen.query(".box") if box.region.area}


def title(box: Widget) -> str:
    """The title in the frame of a box."""
    return str(box.border_title or "").strip()


def check(app: App[Any], hero: str, share: float) -> None:
    """Every box has a title and its own place, the hero takes its share, `^p Commands` can be read, nothing is free."""
    found, (columns, rows) = boxes(app), app.size
    room = columns * (rows - LINES_AROUND)
    for name, box in found.items():
        assert framed(box), name
        assert title(box), name
        assert app.screen.region.contains_region(box.region), name
    for (one, box), (other, beside) in combinations(found.items(), 2):
        assert not box.region.intersection(beside.region).area, (one, other)
    assert found[hero].region.area >= share * room
    assert sum(box.region.area for box in found.values()) >= room * 0.98
    assert "^p Commands" in screen_text(app).splitlines()[-1]


def a_search(make_app: Any, size: tuple[int, int]) -> AbstractAsyncContextManager[Pilot[Any]]:
    return searching(make_app, size=size)


def a_tree_search(make_app: Any, size: tuple[int, int]) -> AbstractAsyncContextManager[Pilot[Any]]:
    return searching(make_app, GROWN, size=size)


def a_tournament(make_app: Any, size: tuple[int, int]) -> AbstractAsyncContextManager[Pilot[Any]]:
    return tournaments.tournament(make_app, tournaments.SMALL, size=size)


def a_flat_search(make_app: Any, size: tuple[int, int]) -> AbstractAsyncContextManager[Pilot[Any]]:
    return searching(make_app, SearchSetup("connect4", None, "mc:playouts=100"), size=size)


SCREENS = {
    "search": (a_search, LARGE, "tree", 0.4),
    "tree search": (a_tree_search, HUGE, "tree", 0.4),
    "flat search": (a_flat_search, LARGE, "table", 0.4),
    "tournament": (a_tournament, HUGE, "playing", 0.25),
    "large library": (shelving.library, LARGE, "list", 0.5),
    "huge library": (shelving.library, HUGE, "list", 0.5),
}


@pytest.mark.parametrize("name", SCREENS)
async def test_boxes_with_titles_fill_a_large_screen(make_app: Any, name: str) -> None:
    opened, size, hero, share = SCREENS[name]
    async with opened(make_app, size) as pilot:
        await until(pilot, lambda: not pilot.app.jobs.running())
        await until(pilot, lambda: all(map(title, boxes(pilot.app).values())))
        check(pilot.app, hero, share)


async def test_a_small_screen_has_no_frames(make_app: Any) -> None:
    async with a_search(make_app, (80, 24)) as pilot:
        assert not any(map(framed, boxes(pilot.app).values()))


async def test_a_huge_screen_shows_the_moves_of_the_root_with_their_truth(make_app: Any) -> None:
    async with a_search(make_app, HUGE) as pilot:
        lines = boxes(pilot.app)["moves"].text().splitlines()
        one = pilot.app.conductor(SearchWork)
        result = one.found.result
        names = [one.game.move_name(each.move, one.root) for each in result.moves]
        assert [line.split()[0] for line in lines[2:]] == names
        nodes = [line.split("█")[0].split()[-1] for line in lines[2:]]
        assert nodes == [f"{each.nodes:,}" for each in result.moves]
        assert sum(each.nodes for each in result.moves) + 1 == result.nodes
        assert [line.split()[0] for line in lines if "wins in 7" in line] == ["d4"]  # by nim-sum: 1 ^ 2 ^ 3 ^ 0


async def test_the_moves_of_a_tree_search_stand_by_their_visits(make_app: Any) -> None:
    async with a_tree_search(make_app, HUGE) as pilot:
        lines = boxes(pilot.app)["moves"].text().splitlines()[2:]
        visits = [int(line.split()[2].replace(",", "")) for line in lines]
        assert visits == sorted(visits, reverse=True)
        assert sum(visits) == 300


async def test_the_best_line_is_unfolded_until_a_person_folds(make_app: Any) -> None:
    async with a_tree_search(make_app, LARGE) as pilot:
        tree = boxes(pilot.app)["tree"]
        assert len(tree.outline) > 1 + 7
        assert len(tree.outline) <= tree.room
        await pilot.press("left")
        await pilot.pause()
        assert len(tree.outline) == 1


async def test_the_board_beside_the_tree_shows_the_last_move(make_app: Any) -> None:
    async with a_search(make_app, LARGE) as pilot:
        await pilot.press("down", "down", "down")
        await pilot.pause()
        board = boxes(pilot.app)["board"]
        assert title(board) == "Board · b2"
        row = next(line for line in board.text().splitlines() if line.split()[:1] == ["B"])
        assert pilot.app.glyphs.last[0] in row


async def test_why_moves_were_pruned_has_a_box_of_its_own(make_app: Any) -> None:
    async with a_search(make_app, LARGE) as pilot:
        await pilot.press("n")
        await pilot.pause()
        why = boxes(pilot.app)["why"]
        assert title(why) == "Why moves were pruned"
        assert "6 moves pruned" in why.text()
        await pilot.press("home")
        await until(pilot, lambda: title(why) == "This event")
        assert "Enter root" in why.text()


async def test_the_games_of_a_pairing_fill_a_large_screen(make_app: Any) -> None:
    async with a_tournament(make_app, LARGE) as pilot:
        await tournaments.finished(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: set(boxes(pilot.app)) == {"results", "curve", "games"})
        await until(pilot, lambda: "20" in boxes(pilot.app)["games"].text())
        check(pilot.app, "games", 0.4)


async def test_the_marked_pairing_has_its_curve_and_its_latest_game(make_app: Any) -> None:
    async with a_tournament(make_app, LARGE) as pilot:
        await tournaments.finished(pilot)
        await until(pilot, lambda: "latest game 20 · " in boxes(pilot.app)["playing"].text())
        assert "95 % interval" in boxes(pilot.app)["curve"].text()
        before = title(boxes(pilot.app)["playing"])
        await pilot.press("right")
        await until(pilot, lambda: title(boxes(pilot.app)["playing"]) not in ("A game", before))
        row, column = pilot.app.screen._place.cursor
        names = {pilot.app.screen.conductor.plan.agents[at].partition(":")[0] for at in (row, column)}
        assert all(name in title(boxes(pilot.app)["playing"]) for name in names)


async def test_a_run_shows_its_curve_below_its_details(make_app: Any) -> None:
    shelving.furnish()
    async with shelving.library(make_app, HUGE) as pilot:
        await shelving.pressed(pilot, "3", "down")  # a damaged run stands above it
        await until(pilot, lambda: "Accuracy by games" in boxes(pilot.app)["details"].text())
        assert "accuracy 75 %" in boxes(pilot.app)["details"].text().replace(".0", "")
