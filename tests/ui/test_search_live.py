"""A running search on the Search screen: its tree grows; the person walks in it, pauses, stops, searches on."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from nimtui.agents import Decision, Thinking, Thought
from nimtui.games import parse_game
from nimtui.jobs import Job, Jobs
from nimtui.progress import Cancelled, Progress
from nimtui.trees import more, search_of
from nimtui.trees.result import Search
from nimtui.trees.settings import MCTS, parse
from nimtui.ui.search import view
from nimtui.ui.search.outline import Outline
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
    """Let the search work until its tree has grown."""
    before = root_visits(pilot)
    await until(pilot, lambda: root_visits(pilot) > before > 0 or (before == 0 and root_visits(pilot) > 0))


async def opened(pilot: Any) -> None:
    """Let the app work until the tree that stands still is ready."""
    await until(pilot, lambda: work(pilot).found is not None)


async def insist(pilot: Any, keys: Sequence[str], condition: Callable[[], bool]) -> None:
    """Press keys until the condition holds: a search whose chunk is long does not stand still for each of them."""
    for _ in range(400):
        await pilot.press(*keys)
        await pilot.pause(0.05)
        if condition():
            return
    await until(pilot, condition)


@pytest.mark.slow
async def test_the_tree_grows_and_the_marked_and_unfolded_nodes_stay(make_app: Any) -> None:
    async with searching(make_app, GROWING, whole=False) as pilot:
        await grows(pilot)
        await pilot.press("down", "down", "down")
        lines = outline(pilot)
        await until(pilot, lambda: bool(lines.source.children(int(lines.lines[lines.at]))))
        # unfolds, or goes one line down where it is unfolded
        await insist(pilot, ["right"], lambda: len(marked(pilot)) == 2 or marked(pilot) in unfolded(pilot))
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
        await insist(pilot, ["2"], lambda: "unfolded to depth 2" in panel(pilot, "prompt"))
        assert len(outline(pilot)) == 57
        many = "More than 3,000 lines at depth 9: pause first (space)"
        await insist(pilot, ["9"], lambda: many in panel(pilot, "prompt"))
        await pilot.press("escape")
        await opened(pilot)


async def test_keys_that_need_a_tree_at_rest_say_so_and_active_nodes_are_named(make_app: Any) -> None:
    async with searching(make_app, DEEP, whole=False) as pilot:
        await until(pilot, lambda: "active" in panel(pilot, "tree"))
        assert re.search("6 moves not (recorded, or not )?searched yet", panel(pilot, "tree"))
        assert "✗" not in panel(pilot, "window")
        for key in ("comma", "full_stop", "less_than_sign", "home", "end", "f", "w", "t", "b", "e", "m", "o", "P"):
            pilot.app.clear_notifications()
            await pilot.press(key)
            assert [notice.message for notice in pilot.app._notifications] == ["Pause first (space)"], key
        assert work(pilot).running
        await insist(pilot, ["n"], lambda: "✂" in panel(pilot, "tree"))
        await pilot.press("p", "p", "slash", *"1")
        await insist(pilot, ["enter"], lambda: marked(pilot) == (0,))
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


class Gated(Jobs):
    """Jobs whose work begins when a test opens the gate."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()

    def start(
        self, name: str, work: Callable[[Progress], Any], release: Callable[[], object] = lambda: None
    ) -> Job[Any]:
        def gated(progress: Progress) -> Any:
            assert self.gate.wait(60)
            return work(progress)

        return super().start(name, gated, release)


async def test_a_search_that_was_watched_walked_and_paused_grows_the_same_tree() -> None:
    setup = SearchSetup("connect4", None, "mcts:simulations=30000,seed=3")
    jobs, walk = Gated(), Walk(1)
    conductor = SearchWork(jobs)
    conductor.start(setup)
    conductor.pause()  # at its first report
    jobs.gate.set()

    def looked() -> bool:
        with conductor.still() as still:
            return still and conductor.search is not None and walk.look(conductor.search)

    for line in (1, 2):
        await eventually(lambda: conductor.paused or not conductor.on)
        await eventually(looked)
        walk.outline.open(line)  # type: ignore[union-attr]
        conductor.step()
    await eventually(lambda: conductor.paused or not conductor.on)
    conductor.unpause()
    await rested(conductor)
    game = parse_game("connect4")
    unseen = search_of(game, game.start, parse(setup.search)).run()
    seen: Any = conductor.search
    assert seen.result.moves == unseen.result.moves
    assert np.array_equal(seen.tree.visits, unseen.tree.visits) and np.array_equal(seen.tree.total, unseen.tree.total)


async def test_more_simulations_one_and_a_thousand_and_until_the_root_is_proven() -> None:
    conductor = await run(SearchSetup("connect4", None, "mcts:simulations=300"))
    for extra, total in ((1, 301), (1000, 1301), (1, 1302)):
        conductor.simulate(extra)
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


@pytest.mark.parametrize("deepening", ["", ",deepening=yes"])
async def test_one_ply_deeper_with_the_same_node_marked(deepening: str) -> None:
    conductor, walk = await run(SearchSetup("nim:1,2,3,4", None, f"alphabeta:depth=4{deepening}")), Walk(1)
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


# The outline of a tree that grows: it is what a new outline with the same unfolded nodes would be.


class Look(Progress):
    """Looks at the search after every chunk, as the screen does, and unfolds more and more of it."""

    def __init__(self, search: Search, looks: int) -> None:
        self.search, self.left, self.walk = search, looks, Walk(1)
        self.grew = 0

    def report(self, done: float, total: float, what: str = "") -> None:
        before = 0 if self.walk.outline is None else len(self.walk.outline)
        marked = None if self.walk.outline is None else self.walk.outline.moves(self.walk.outline.at)
        marked = marked if self.walk.folds.mark is None else self.walk.folds.mark
        rest = self.walk.outline is not None and self.walk.outline.lines[self.walk.outline.at] < 0
        assert self.walk.look(self.search)
        outline = self.walk.outline
        assert outline is not None
        self.grew += 0 < before != len(outline)
        if self.walk.folds.mark is None:
            assert marked is None or rest or outline.moves(outline.at) == marked
            assert not rest or [*outline.depths, 0][outline.at + 1] < outline.depths[outline.at], "the last of its node"
            assert_as_new(outline)
            folded = (place for place in range(len(outline)) if outline.lines[place] > 0 and not outline.is_open(place))
            partial = (place for place in folded if outline.source.leaves_out(int(outline.lines[place])))
            outline.open(next(partial, len(outline) // 2))
            outline.at = (outline.at * 7 + 3) % len(outline)
        self.left -= 1
        if not self.left:
            raise Cancelled


def assert_as_new(outline: Outline) -> None:
    """A new outline with the same unfolded nodes has the same lines."""
    unfolded = {int(node) for place, node in enumerate(outline.lines) if outline.is_open(place)}
    new = Outline(outline.source)
    place = 0
    while place < len(new):
        node = int(new.lines[place])
        if node in unfolded and not new.is_open(place):
            assert new.open(place)
        elif node not in unfolded:
            new.close(place)
        place += 1
    assert new.lines.tolist() == outline.lines.tolist()
    assert new.depths.tolist() == outline.depths.tolist()
    for place in range(len(new)):
        assert new.moves(place) == outline.moves(place)
        if new.lines[place] >= 0:
            assert new.after(new.moves(place)) == place


class EvenPace:
    """Chunks of one size, however fast the machine is."""

    def __init__(self, *_: object) -> None:
        self.units = 300

    def begin(self, left: float = 0.0) -> int:
        return self.units

    def end(self, done: int) -> None:
        pass


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("connect4", "mcts:simulations=1,proven=yes"),
        ("connect4:5x5", "alphabeta:depth=14,order=killer"),
        ("connect4:5x5", "alphabeta:depth=13,deepening=yes,order=killer"),
    ],
)
def test_what_grew_below_unfolded_nodes_is_shown_and_the_mark_stays(
    monkeypatch: pytest.MonkeyPatch, game: str, settings: str
) -> None:
    monkeypatch.setattr("nimtui.trees.depth_first.Pace", EvenPace)
    found = parse_game(game)
    search = search_of(found, found.start, parse(settings), most_nodes=200_000)
    look = Look(search, 30)
    if search.settings.algorithm == MCTS:
        for _ in range(29):
            more.simulations(search, 5)
            look.report(0, 0)
    else:
        with suppress(Cancelled):
            search.run(look)
    assert look.grew


def test_a_marked_node_that_is_not_searched_yet_is_marked_as_soon_as_it_is() -> None:
    found = parse_game("connect4:5x5")
    search, walk = search_of(found, found.start, parse("alphabeta:depth=3")).run(), Walk(1)
    walk.look(search)
    outline = walk.outline
    assert outline is not None
    outline.at = 5  # the last move of the root
    marked, seen = outline.moves(5), []
    deeper = search_of(found, found.start, parse("alphabeta:depth=12"))

    class Looks(Progress):
        def report(self, done: float, total: float, what: str = "") -> None:
            walk.look(deeper)
            seen.append(outline.moves(outline.at))

    deeper.run(Looks())
    walk.look(deeper)
    assert seen[0] == () and outline.moves(outline.at) == marked
