"""A running search on the Search screen: its tree grows; the person walks in it, pauses, stops, searches on."""

from __future__ import annotations

import re
import threading
from typing import Any

import numpy as np
import pytest

from nimtui.agents import Decision, Thinking, Thought
from nimtui.games import parse_game
from nimtui.jobs import Jobs
from nimtui.trees import search_of
from nimtui.trees.settings import parse
from nimtui.ui.search import view
from nimtui.ui.search.setup import SearchSetup
from nimtui.ui.search.walk import Walk
from nimtui.ui.search.work import SearchWork
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import eventually, painted, until
from tests.ui.searching import outline, panel, searching, stage, work

GROWING = SearchSetup("connect4", None, "mcts:simulations=4000000")
DEEP = SearchSetup("connect4", None, "alphabeta:depth=24")


def root_visits(pilot: Any) -> int:
    """The visits of the root as the screen shows them, or the simulations; 0 before there is a tree."""
    shown = re.search(r"root +([\d,]+)", panel(pilot, "tree")) or re.search(r"([\d,]+) +\d+ %", panel(pilot, "status"))
    return int(shown[1].replace(",", "")) if shown else 0


def marked(pilot: Any) -> tuple[int, ...]:
    return tuple(outline(pilot).moves(outline(pilot).at))


def unfolded(pilot: Any) -> set[tuple[int, ...]]:
    lines = outline(pilot)
    return {lines.moves(place) for place in range(len(lines)) if lines.is_open(place)}


async def grows(pilot: Any) -> None:
    """Let the search work until its tree has grown, slowly enough for all that a test does meanwhile."""
    work(pilot).job.set_pace(0.2)
    before = root_visits(pilot)
    await until(pilot, lambda: root_visits(pilot) > before > 0 or (before == 0 and root_visits(pilot) > 0))


async def opened(pilot: Any) -> None:
    """Let the app work until the tree that stands still is ready."""
    await until(pilot, lambda: work(pilot).found is not None)


@pytest.mark.slow
async def test_the_tree_grows_and_the_marked_and_unfolded_nodes_stay(make_app: Any) -> None:
    async with searching(make_app, GROWING, whole=False) as pilot:
        await grows(pilot)
        await pilot.press("down", "down", "down")
        lines = outline(pilot)
        await until(pilot, lambda: bool(lines.source.children(int(lines.lines[lines.at]))))
        await pilot.press("right")  # unfolds, or goes one line down where it is unfolded
        await until(pilot, lambda: len(marked(pilot)) == 2 or marked(pilot) in unfolded(pilot))
        if len(marked(pilot)) == 1:
            await pilot.press("down")
        await until(pilot, lambda: len(marked(pilot)) == 2)
        there, open_nodes = marked(pilot), unfolded(pilot)
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await grows(pilot)
            assert work(pilot).running and marked(pilot) == there and unfolded(pilot) >= open_nodes
            assert "Searching." in panel(pilot, "prompt")
            rows = screen_text(pilot.app).splitlines()
            assert len(rows) == size[1] and max(map(len, rows)) <= size[0]
            if size[0] >= 80:  # else the board is hidden
                names = " ".join(str(move + 1) for move in there)
                assert panel(pilot, "board").removeprefix("Board · ").startswith(names)
        await pilot.press("space")
        await opened(pilot)
        held = work(pilot).search.result.simulations
        assert work(pilot).paused and root_visits(pilot) == held and marked(pilot) == there
        assert "Paused" in panel(pilot, "prompt") and "paused" in panel(pilot, "status")
        await pilot.press("comma", "comma")
        assert "simulation" in panel(pilot, "status") and stage(pilot).walk.slider.at is not None
        await pilot.press("end", "o")  # one more simulation leaves the goal
        await until(pilot, lambda: work(pilot).search.result.simulations == held + 1 and not work(pilot).on)
        await opened(pilot)
        assert work(pilot).stopped and work(pilot).search.settings.simulations == 4_000_000
        assert "Press c to continue" in panel(pilot, "prompt")
        await pilot.press("c")
        await until(pilot, lambda: work(pilot).running and root_visits(pilot) > held + 1)
        await pilot.press("2")
        assert "unfolded to depth 2" in panel(pilot, "prompt") and len(outline(pilot)) == 57
        await pilot.press("9")
        assert "More than 3,000 lines at depth 9: pause first (space)" in panel(pilot, "prompt")
        await pilot.press("escape")
        await opened(pilot)


@pytest.mark.slow
async def test_keys_that_need_a_tree_at_rest_say_so_and_active_nodes_are_named(make_app: Any) -> None:
    async with searching(make_app, DEEP, whole=False) as pilot:
        await until(pilot, lambda: "active" in panel(pilot, "tree"))
        work(pilot).job.set_pace(0.2)
        assert re.search("6 moves not (recorded, or not )?searched yet", panel(pilot, "tree"))
        assert "✗" not in panel(pilot, "window")
        for key in ("comma", "full_stop", "less_than_sign", "home", "end", "f", "w", "t", "b", "e", "m", "o", "P"):
            pilot.app.clear_notifications()
            await pilot.press(key)
            assert [notice.message for notice in pilot.app._notifications] == ["Pause first (space)"], key
        assert work(pilot).running
        await pilot.press("n")
        await until(pilot, lambda: "✂" in panel(pilot, "tree"))
        await pilot.press("p", "p", "slash", *"1", "enter")
        assert marked(pilot) == (0,)
        for pause, continues in (("space", "space"), ("escape", "c")):
            await pilot.press(pause)
            await until(pilot, lambda: not work(pilot).running and work(pilot).found is not None)
            assert "m " not in panel(pilot, "prompt")
            await pilot.press("m")  # a search that is not finished goes no deeper
            assert f"not finished: press {continues} to continue" in panel(pilot, "prompt")
        assert work(pilot).stopped and "stopped" in panel(pilot, "status")
        assert "active" not in panel(pilot, "tree")


# Without the screen.


async def run(setup: SearchSetup) -> SearchWork:
    conductor = SearchWork(Jobs())
    conductor.start(setup)
    await rested(conductor)
    return conductor


async def rested(conductor: SearchWork) -> None:
    await eventually(lambda: conductor.found is not None and not conductor.on and not conductor.on_errand())


async def test_a_search_that_was_watched_walked_and_paused_grows_the_same_tree() -> None:
    setup = SearchSetup("connect4", None, "mcts:simulations=20000,seed=3")
    conductor, walk = SearchWork(Jobs()), Walk(1)
    conductor.start(setup)
    looks = 0
    while conductor.running:
        with conductor.still(100) as still:
            if still and conductor.search is not None and walk.look(conductor.search):
                looks += 1
                walk.outline.open(min(looks, len(walk.outline) - 1))  # type: ignore[union-attr]
        if looks == 1:
            conductor.pause()
            await eventually(lambda: conductor.paused)
            conductor.unpause()
        await eventually(lambda: True)
    await rested(conductor)
    game = parse_game("connect4")
    unseen = search_of(game, game.start, parse(setup.search)).run()
    seen: Any = conductor.search
    assert looks and seen.result.moves == unseen.result.moves
    assert np.array_equal(seen.tree.visits, unseen.tree.visits) and np.array_equal(seen.tree.total, unseen.tree.total)


async def test_more_simulations_one_and_a_thousand_and_until_the_root_is_proven() -> None:
    conductor = await run(SearchSetup("connect4", None, "mcts:simulations=300"))
    for more, total in ((1, 301), (1000, 1301), (1, 1302)):
        conductor.simulate(more)
        await rested(conductor)
        assert conductor.search.result.simulations == total  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="this search proves nothing"):
        conductor.prove()
    conductor = await run(SearchSetup("subtraction:21,3:misere", None, "mcts:simulations=10,proven=yes"))
    conductor.prove()
    await rested(conductor)
    assert conductor.search.result.exact  # type: ignore[union-attr]
    for again in (conductor.prove, lambda: conductor.simulate(1000)):
        with pytest.raises(ValueError, match="the root is proven"):
            again()


@pytest.mark.parametrize("more", ["", ",deepening=yes"])
async def test_one_ply_deeper_with_the_same_node_marked(more: str) -> None:
    conductor, walk = await run(SearchSetup("nim:1,2,3,4", None, f"alphabeta:depth=4{more}")), Walk(1)
    walk.open(conductor.found, conductor.search)  # type: ignore[arg-type]
    lines: Any = walk.outline
    lines.reveal(lines.source.tree.principal[3])
    there = lines.moves(lines.at)
    shown = {lines.moves(place) for place in range(len(lines)) if lines.is_open(place)}
    assert len(there) == 3 and len(shown) == 3
    for depth in (5, 6):
        conductor.deepen()
        await rested(conductor)
        walk.open(conductor.found, conductor.search)  # type: ignore[arg-type]
        assert conductor.search.settings.depth == depth == conductor.found.result.depth  # type: ignore[union-attr]
        assert lines.moves(lines.at) == there
        assert {lines.moves(place) for place in range(len(lines)) if lines.is_open(place)} >= shown
    whole = await run(SearchSetup("nim:1,2,3", None, "alphabeta:depth=-1"))
    with pytest.raises(ValueError, match="more depth changes nothing"):
        whole.deepen()


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


async def test_flat_monte_carlo_shows_its_intervals_while_it_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    agent, conductor = Slow(), SearchWork(Jobs())
    monkeypatch.setattr("nimtui.ui.search.work.parse_agent", lambda name, game: agent)
    monkeypatch.setattr("nimtui.ui.search.work.LOOK", 0.0)
    conductor.start(SearchSetup("subtraction:21,3", None, "mc:playouts=1000"))
    seen: list[str] = []
    for _ in range(2):
        await eventually(lambda seen=seen: painted(view.intervals(conductor), 60) not in ([], seen))  # type: ignore[misc]
        seen = painted(view.intervals(conductor), 60)
        assert conductor.running and "3 of 3 intervals contain 0" in " ".join(seen)
        agent.go.release()
    await rested(conductor)
    assert "intervals contain 0" in " ".join(painted(view.intervals(conductor), 60))
