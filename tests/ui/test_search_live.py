"""A running search on the Search screen: its tree grows; the person walks in it, pauses, stops, searches on."""

from __future__ import annotations

import re
import threading
from typing import Any

import numpy as np
import pytest

from nimtui.agents import Decision, Thinking, Thought
from nimtui.games import parse_game
from nimtui.trees import search_of
from nimtui.trees.settings import parse
from nimtui.ui.search.setup import SearchSetup
from nimtui.ui.search.work import SearchWork
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import until
from tests.ui.searching import panel, searching, stage

GROWING = SearchSetup("connect4", None, "mcts:simulations=4000000")
DEEP = SearchSetup("connect4", None, "alphabeta:depth=24")
SHORT = SearchSetup("connect4", None, "mcts:simulations=300")


def root_visits(pilot: Any) -> int:
    """The visits of the root as the screen shows them, or the simulations; 0 before there is a tree."""
    shown = re.search(r"root +([\d,]+)", panel(pilot, "tree")) or re.search(r"([\d,]+) +\d+ %", panel(pilot, "status"))
    return int(shown[1].replace(",", "")) if shown else 0


def marked(pilot: Any) -> tuple[int, ...]:
    outline = stage(pilot).walk.outline
    return outline.moves(outline.at)


def unfolded(pilot: Any) -> set[tuple[int, ...]]:
    outline = stage(pilot).walk.outline
    return {outline.moves(place) for place in range(len(outline)) if outline.is_open(place)}


def grown(pilot: Any) -> bool:
    """Whether the marked node has moves to show."""
    outline = stage(pilot).walk.outline
    return bool(outline.source.children(int(outline.lines[outline.at])))


async def grows(pilot: Any) -> None:
    """Let the search work until its tree has grown, slowly enough for all that a test does meanwhile."""
    pilot.app.conductor(SearchWork).job.set_pace(0.2)
    before = root_visits(pilot)
    await until(pilot, lambda: root_visits(pilot) > before > 0 or (before == 0 and root_visits(pilot) > 0), 20)


async def opened(pilot: Any) -> None:
    """Let the app work until the tree that stands still is ready."""
    await until(pilot, lambda: pilot.app.conductor(SearchWork).found is not None, 20)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_the_tree_grows_and_the_marked_and_unfolded_nodes_stay(make_app: Any, size: Any) -> None:
    async with searching(make_app, GROWING, size=size, whole=False) as pilot:
        conductor = pilot.app.conductor(SearchWork)
        await grows(pilot)
        await pilot.press("down", "down", "down")
        await until(pilot, lambda: grown(pilot))
        await pilot.press("right")  # unfolds, or goes one line down where it is unfolded
        await until(pilot, lambda: len(marked(pilot)) == 2 or marked(pilot) in unfolded(pilot))
        if len(marked(pilot)) == 1:
            await pilot.press("down")
        await until(pilot, lambda: len(marked(pilot)) == 2)
        there, open_nodes = marked(pilot), unfolded(pilot)
        await grows(pilot)
        assert conductor.running and marked(pilot) == there and unfolded(pilot) >= open_nodes
        assert "Searching." in panel(pilot, "prompt")
        lines = screen_text(pilot.app).splitlines()
        assert len(lines) == size[1] and max(map(len, lines)) <= size[0]
        if size[0] >= 80:  # else the board is hidden
            assert panel(pilot, "board").removeprefix("Board · ").startswith(" ".join(str(move + 1) for move in there))

        await pilot.press("space")
        await opened(pilot)
        held = conductor.search.result.simulations
        assert conductor.paused and root_visits(pilot) == held and marked(pilot) == there
        assert "Paused" in panel(pilot, "prompt") and "paused" in panel(pilot, "status")
        await pilot.press("comma", "comma")
        assert "simulation" in panel(pilot, "status") and stage(pilot).walk.slider.at is not None

        await pilot.press("space")
        await until(pilot, lambda: conductor.running and root_visits(pilot) > held, 20)
        await pilot.press("escape")
        await opened(pilot)
        stopped = conductor.search.result.simulations
        assert held < stopped < 4_000_000 and "Press c to continue" in panel(pilot, "prompt")
        await pilot.press("c")
        await until(pilot, lambda: root_visits(pilot) > stopped, 20)
        await pilot.press("escape")
        await opened(pilot)


@pytest.mark.slow
async def test_keys_that_need_a_tree_at_rest_say_so(make_app: Any) -> None:
    async with searching(make_app, DEEP, whole=False) as pilot:
        await until(pilot, lambda: "root" in panel(pilot, "tree"), 20)
        for key in ("comma", "full_stop", "less_than_sign", "home", "end", "f", "w", "t", "b", "e", "m", "o", "P"):
            pilot.app.clear_notifications()
            await pilot.press(key)
            assert [notice.message for notice in pilot.app._notifications] == ["Pause first (space)"], key
        assert pilot.app.conductor(SearchWork).running
        await pilot.press("n")
        await until(pilot, lambda: "✂" in panel(pilot, "tree"))
        await pilot.press("p")
        assert "Only the best line" in panel(pilot, "prompt")
        await pilot.press("p", "2")
        assert "unfolded to depth 2" in panel(pilot, "prompt")
        await pilot.press("slash", *"1", "enter")
        assert marked(pilot) == (0,)


@pytest.mark.slow
async def test_a_growing_tree_is_unfolded_as_far_as_it_can_be_followed(make_app: Any) -> None:
    async with searching(make_app, GROWING, whole=False) as pilot:
        await grows(pilot)
        await pilot.press("2")
        assert "unfolded to depth 2" in panel(pilot, "prompt") and len(stage(pilot).walk.outline) == 57
        await pilot.press("9")
        assert "More than 3,000 lines at depth 9: pause first (space)" in panel(pilot, "prompt")
        assert len(stage(pilot).walk.outline) == 57


@pytest.mark.slow
async def test_nodes_that_are_being_searched_say_so(make_app: Any) -> None:
    async with searching(make_app, DEEP, whole=False) as pilot:
        await until(pilot, lambda: "active" in panel(pilot, "tree"), 20)
        assert re.search("6 moves not (recorded, or not )?searched yet", panel(pilot, "tree"))
        assert "✗" not in panel(pilot, "window")
        await pilot.press("escape")
        await opened(pilot)
        assert "active" not in panel(pilot, "tree") and "open" in panel(pilot, "tree")


@pytest.mark.slow
async def test_a_search_that_is_not_finished_goes_no_deeper_and_says_which_key_continues_it(make_app: Any) -> None:
    async with searching(make_app, DEEP, whole=False) as pilot:
        await until(pilot, lambda: "root" in panel(pilot, "tree"), 20)
        for pause, continues in (("space", "space"), ("escape", "c")):
            await pilot.press(pause)
            await until(
                pilot,
                lambda: (
                    not pilot.app.conductor(SearchWork).running and pilot.app.conductor(SearchWork).found is not None
                ),
            )
            assert "m " not in panel(pilot, "prompt")
            await pilot.press("m")
            assert f"not finished: press {continues} to continue" in panel(pilot, "prompt")


async def test_a_search_that_was_watched_walked_and_paused_grows_the_same_tree(make_app: Any) -> None:
    setup = SearchSetup("connect4", None, "mcts:simulations=150000,seed=3")
    async with searching(make_app, setup, whole=False) as pilot:
        await until(pilot, lambda: root_visits(pilot) > 0, 20)
        await pilot.press("down", "right", "space")
        await pilot.pause(0.1)
        await pilot.press("space", "down", "right", "left")
        await until(
            pilot,
            lambda: pilot.app.conductor(SearchWork).found is not None and not pilot.app.conductor(SearchWork).on,
            20,
        )
        seen = pilot.app.conductor(SearchWork).search
    game = parse_game("connect4")
    unseen = search_of(game, game.start, parse(setup.search)).run()
    assert seen.result.moves == unseen.result.moves
    assert np.array_equal(seen.tree.visits, unseen.tree.visits) and np.array_equal(seen.tree.total, unseen.tree.total)


@pytest.mark.slow
@pytest.mark.parametrize("setup", [GROWING, DEEP])
async def test_it_bears_many_keys_at_once_and_another_size(make_app: Any, setup: SearchSetup) -> None:
    async with searching(make_app, setup, whole=False) as pilot:
        await until(pilot, lambda: "root" in panel(pilot, "tree"), 20)
        storm = ["down", "right", "down", "right", "up", "left", "enter", "j", "k", "h", "l", "pagedown", "pageup"] * 2
        await pilot.press(*storm, "n", "u", "p", "p", "3", "0", "right")
        for size in ((60, 20), (200, 20), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.press("down", "right", "space", "space")
            await pilot.pause()
            lines = screen_text(pilot.app).splitlines()
            assert len(lines) == size[1] and max(map(len, lines)) <= size[0]
            assert "root" in panel(pilot, "tree")
        assert not pilot.app.conductor(SearchWork).fault
        await pilot.press("escape")
        await opened(pilot)


@pytest.mark.slow
async def test_more_simulations_one_and_a_thousand(make_app: Any) -> None:
    async with searching(make_app, SHORT) as pilot:
        await pilot.press("down", "down")
        there = marked(pilot)
        for key, total in (("o", 301), ("m", 1301), ("o", 1302)):
            await pilot.press(key)
            await until(
                pilot,
                lambda total=total: root_visits(pilot) == total and not pilot.app.conductor(SearchWork).on,
                20,
            )
            await opened(pilot)
            assert marked(pilot) == there
        assert "1,302 simulations" in panel(pilot, "status")
        await pilot.press("P")
        assert "This search proves nothing" in panel(pilot, "prompt")
        await pilot.press("comma")
        assert "simulation 1,302 of 1,302" in panel(pilot, "status")


@pytest.mark.slow
async def test_one_more_simulation_of_a_paused_search_leaves_its_goal(make_app: Any) -> None:
    async with searching(make_app, GROWING, whole=False) as pilot:
        conductor = pilot.app.conductor(SearchWork)
        await grows(pilot)
        await pilot.press("space")
        await opened(pilot)
        held = conductor.search.result.simulations
        await pilot.press("o")
        await until(pilot, lambda: root_visits(pilot) == held + 1 and not conductor.on, 20)
        await opened(pilot)
        assert conductor.stopped and conductor.search.settings.simulations == 4_000_000
        await pilot.press("c")
        await until(pilot, lambda: root_visits(pilot) > held + 1, 20)


@pytest.mark.slow
async def test_until_the_root_is_proven(make_app: Any) -> None:
    setup = SearchSetup("subtraction:21,3:misere", None, "mcts:simulations=10,proven=yes")
    async with searching(make_app, setup) as pilot:
        await pilot.press("P")
        await until(
            pilot,
            lambda: not pilot.app.conductor(SearchWork).on and pilot.app.conductor(SearchWork).search.result.exact,
            20,
        )
        await opened(pilot)
        assert "proven" in panel(pilot, "tree")
        await pilot.press("P")
        assert "The root is proven" in panel(pilot, "prompt")
        await pilot.press("m")
        assert "The root is proven after" in panel(pilot, "prompt")


@pytest.mark.slow
@pytest.mark.parametrize("more", ["", ",deepening=yes"])
async def test_one_ply_deeper_with_the_same_node_marked(make_app: Any, more: str) -> None:
    setup = SearchSetup("nim:1,2,3,4", None, f"alphabeta:depth=4{more}")
    async with searching(make_app, setup) as pilot:
        await pilot.press("down", "right", "down", "down", "right", "down")
        there, open_nodes = marked(pilot), unfolded(pilot)
        assert len(there) == 3
        for depth in (5, 6):
            await pilot.press("m")
            await until(pilot, lambda: not pilot.app.conductor(SearchWork).on, 20)
            await opened(pilot)
            assert (
                pilot.app.conductor(SearchWork).search.settings.depth
                == depth
                == pilot.app.conductor(SearchWork).found.result.depth
            )
            assert marked(pilot) == there and unfolded(pilot) >= open_nodes
        assert "depth 6" in panel(pilot, "status")


@pytest.mark.slow
async def test_a_search_to_the_end_goes_no_deeper(make_app: Any) -> None:
    async with searching(make_app, SearchSetup("nim:1,2,3", None, "alphabeta:depth=-1")) as pilot:
        await pilot.press("m")
        assert "more depth changes nothing" in panel(pilot, "prompt")


class Slow:
    """Flat Monte Carlo, slowly: its intervals shrink each time the test lets it go on."""

    name, title, ready = "mc:playouts=1000", "Flat Monte Carlo", True

    def __init__(self) -> None:
        self.go = threading.Semaphore(0)

    def decide(self, state: Any, stream: Any, progress: Any) -> Decision:
        for width in (0.5, 0.25):
            thoughts = tuple(Thought(move, 0.1, low=0.1 - width, high=0.1 + width) for move in range(3))
            while not self.go.acquire(timeout=0.02):
                progress.think(lambda thoughts=thoughts: Thinking(thoughts, 1, done=10, unit="playouts"))
                progress.report(10, 100, "playouts")
        return Decision(1, thoughts)


@pytest.mark.slow
async def test_flat_monte_carlo_shows_its_intervals_while_it_plays(
    make_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = Slow()
    monkeypatch.setattr("nimtui.agents.parse_agent", lambda name, game: agent)
    monkeypatch.setattr("nimtui.ui.search.work.LOOK", 0.0)
    setup = SearchSetup("subtraction:21,3", None, "mc:playouts=1000")
    async with searching(make_app, setup, whole=False) as pilot:
        seen = ""
        for _ in range(2):
            await until(pilot, lambda seen=seen: panel(pilot, "table") not in ("", seen))
            seen = panel(pilot, "table")
            assert pilot.app.conductor(SearchWork).running and "intervals contain 0" in seen
            agent.go.release()
        await opened(pilot)
        assert "intervals contain 0" in panel(pilot, "table")
