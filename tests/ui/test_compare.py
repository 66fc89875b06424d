"""The Compare screen: keys, panels and work, on real agents. What its painters draw is in test_compare_view."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from nimtui.jobs import Jobs
from nimtui.progress import Cancelled
from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.compare.view import HEAD, Place
from nimtui.ui.compare.work import CompareWork
from nimtui.ui.play.compare_setup import CURVE, DEPTHS, LIST, MAP, TABLE, TREES, CompareSetup
from tests.ui.comparing import LEARNERS, answered, comparing, conductor, panel, stage
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import playing, until
from tests.ui.searching import searching

AGENTS, TWO = ("random", "perfect"), ("mcts:simulations=20,c=1.0", "alphabeta:depth=3")


async def export(pilot: Any, file: Path) -> None:
    await pilot.press("e")
    pilot.app.screen.query_one("#file").input.value = str(file)
    await pilot.press("enter")
    await until(pilot, lambda: file.exists() and str(file) in conductor(pilot).message)


async def test_keys_mark_walk_and_change_the_view(make_app: Any) -> None:
    setup = CompareSetup("nim:3,2", None, ("perfect", "random"))
    async with comparing(make_app, setup, surroundings=TerminalInfo(unicode=False)) as pilot:
        screen, work = stage(pilot), conductor(pilot)

        async def after(*keys: str) -> Any:
            await pilot.press(*keys)
            await answered(pilot)
            assert screen_text(pilot.app).isascii()
            return screen.place

        assert (screen.place, screen.view) == (Place(), TABLE) and len(screen.moves) == 5
        assert await after("down", "right") == Place(1, 1) and await after("left", "k") == Place()
        assert await after("end", "l") == Place(4, 1) and await after("pageup") == Place(HEAD, 1)
        assert await after("pagedown") == Place(4, 1) and await after("home", "j", "h") == Place(0, 0)
        assert screen.move == screen.moves[0]
        await until(pilot, lambda: work.truths is not None)
        assert [work.game.move_name(move) for move, worth in work.truths.items() if worth.optimal] == ["a1"]
        assert [copy.what for copy in screen.copies()] == ["position", "table", "command"]
        await after("down", "enter")
        assert len(work.path) == 1 and work.setup_here.position == "1,2" and screen.place == Place()
        assert await after("backspace") == Place(1) and work.path == ()
        await after("c")
        assert screen.view == CURVE and len(work.curves) == 2 and "has no effort to vary" in panel(pilot, "main")
        await after("d")
        assert screen.view == DEPTHS and "fewer nodes" in panel(pilot, "main")
        assert [Path(name).suffix for name in screen.exports] == [".csv"]
        await after("s", "n")
        assert screen.view == TREES and "Only minimax, alpha-beta and mcts have trees" in panel(pilot, "main")
        await after("m")
        assert screen.view == MAP and screen.mapped and screen.node == work.everywhere.result.listed[0]
        assert "right on" in panel(pilot, "answers")
        await after("m", "down", "down")
        assert screen.view == LIST and screen.node == work.everywhere.result.listed[2]
        name = work.everywhere.result.atlas.name(screen.node)
        await after("enter")
        assert (screen.view, work.setup.position, work.path) == (TABLE, name, ())
        for keys in ("c", "d", "s", "m", "mm"):
            await after(*keys)
            assert screen.view != TABLE
            await after("escape")
            assert screen.view == TABLE
        await after("enter")
        await after("escape")  # while agents think it would stop them
        assert work.path == () and pilot.app.current_mode == "compare"
        await after("up", "enter")
        await until(pilot, lambda: bool(pilot.app.screen.query("#agent1")))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: pilot.app.current_mode != "compare")


@pytest.mark.slow
async def test_searches_have_trees_curves_and_files_and_an_agent_is_changed_from_its_name(
    make_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with comparing(make_app, CompareSetup("nim:3,2", None, TWO)) as pilot:
        work = conductor(pilot)
        assert not work.curves, "without room for the curves none is computed unasked"
        await pilot.press("s")
        await answered(pilot)
        before = panel(pilot, "main")
        assert "visits" in before and "nodes" in before
        assert "After a1, tree 1 prefers a2, tree 2 a1." in panel(pilot, "answers")
        await pilot.press("n")
        assert re.search("^▸◐", panel(pilot, "main"), re.MULTILINE)
        await pilot.press("home", "enter")
        assert panel(pilot, "main").count("\n") < before.count("\n") and "▾" not in panel(pilot, "main")
        await pilot.press("right")
        assert panel(pilot, "main").count("\n") == before.count("\n")
        await pilot.press("c")
        await answered(pilot)
        shown = panel(pilot, "main")
        assert "Plays a1 after 20 simulations" in shown and " depth " not in shown
        strip = shown.splitlines()[2]
        assert strip.count("✓") == sum(step.move == 0 for step in work.curves[0].steps) and strip.count("✗") > 0
        await pilot.press("right")
        assert " depth " in panel(pilot, "main"), "the steps of alpha-beta"
        for view, suffixes in (("t", (".csv", ".json")), ("c", (".svg",)), ("d", (".csv",))):
            await pilot.press(view)
            await answered(pilot)
            for suffix in suffixes:
                await export(pilot, tmp_path / f"{view}{suffix}")
        assert json.loads((tmp_path / "t.json").read_text())["agents"][0]["agent"] == TWO[0]
        assert (tmp_path / "c.svg").read_text("utf-8").startswith("<svg ")
        assert (tmp_path / "d.csv").read_text().startswith("algorithm,depth,nodes")
        copied: list[str] = []
        monkeypatch.setattr(pilot.app, "copy_to_clipboard", copied.append)
        await pilot.press("t", "ctrl+y", "down", "enter")
        assert f"2 {TWO[1]}" in copied[0] and "wins in" in copied[0]
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await pilot.press("s", "t")
            await answered(pilot)
            assert "Position after a1" in panel(pilot, "board"), "the place that few moves leave is used"
            assert all(len(line) <= size[0] for line in screen_text(pilot.app).splitlines())
            await until(pilot, lambda: pilot.app.size.width < 200 or "after 20 simulations" in panel(pilot, "effort"))
        await pilot.press("up", "enter")
        await until(pilot, lambda: bool(pilot.app.screen.query("#agent2")))
        pilot.app.screen.query_one("#agent2").put("perfect")
        await pilot.app.screen.typed("agent2", "perfect")
        await pilot.press("enter")
        await until(pilot, lambda: work.setup.agents[1] == "perfect")
        await answered(pilot)
        setup = work.setup
        for wrong in (CompareSetup("connect4:4x4", None, ("nobody",)), CompareSetup("nim:1,2", "0,0", ("mc",))):
            pilot.app.screen.start(wrong)
            await pilot.pause()
            assert work.setup is setup, "nonsense changes nothing"
        for _ in range(3):  # the jobs of each round end, cancelled, while those of the next run
            work.start(setup)
            work.find_curves()
        await answered(pilot)
        first, second = work.curves
        assert first.steps and second.why_none


async def test_where_the_game_is_over_nothing_is_compared_and_the_way_back_leads_to_a_comparison(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = CompareWork(Jobs())
    assert work.every <= 0.5, "thoughts are drawn twice a second at least"
    work.start(CompareSetup("nim:1", "", AGENTS))
    [move] = work.compared.moves if work.compared else []
    work.walk(move)
    assert work.compared is None and work.over and work.setup_here == work.setup
    assert work.back() == move and work.compared is not None and work.compared.moves == [move]
    assert work.back() is None, "the first position"

    def cancelled(*_: object) -> None:
        raise Cancelled

    monkeypatch.setattr("nimtui.ui.compare.work.curve_of", cancelled)
    work.find_curves()
    while not all(work.curves):
        await asyncio.sleep(0.01)
    assert [(curve.agent, curve.why_none) for curve in work.curves if curve] == [(agent, "stopped") for agent in AGENTS]
    work.jobs.shutdown()


@pytest.mark.slow
async def test_agents_think_aloud_pause_and_stop(make_app: Any) -> None:
    setup = CompareSetup("connect4", None, ("mcts:simulations=5000000,c=1.0", "alphabeta:depth=30"))
    async with comparing(make_app, setup, whole=False) as pilot:
        await until(pilot, lambda: "would play" in panel(pilot, "answers"))
        await pilot.press("space")
        await until(pilot, lambda: conductor(pilot).paused)
        assert "paused" in panel(pilot, "status")
        await pilot.press("space")
        await until(pilot, lambda: not conductor(pilot).paused)
        await pilot.press("escape")
        await until(pilot, lambda: not conductor(pilot).working)
        assert "stopped before it answered" in panel(pilot, "answers")
        assert pilot.app.current_mode == "compare"
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.current_mode != "compare")


@pytest.mark.slow
async def test_search_and_play_compare_their_agents_and_searches_are_compared_depth_by_depth(make_app: Any) -> None:
    async with playing(make_app, "nim:1,2,3,4", "me", "mc") as pilot:
        await pilot.press("B")
        await until(pilot, lambda: pilot.app.current_mode == "compare")
        assert conductor(pilot).setup.agents[0] == "mc" and conductor(pilot).setup.game == "nim:1,2,3,4"
    async with searching(make_app) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: pilot.app.current_mode == "compare")
        await answered(pilot)
        assert conductor(pilot).setup.agents[0] == "alphabeta:depth=4,heuristic=original"
        await pilot.press("d")
        await until(pilot, lambda: "fewer nodes" in panel(pilot, "main"))
        assert all(words in panel(pilot, "main") for words in ("2,978", "669", "4.5 ×"))  # as in minimax's document


@pytest.mark.slow
async def test_learners_are_compared_on_all_positions_of_the_game_and_one_is_opened(make_app: Any) -> None:
    async with comparing(make_app) as pilot:  # a tree search on 134,289 positions takes minutes
        await pilot.press("m")
        await until(pilot, lambda: conductor(pilot).everywhere.job is not None)
        await pilot.press("t", "enter")
        assert conductor(pilot).everywhere.job is not None  # it is of the game, not of the position
        pilot.app.screen.start(LEARNERS)
        assert conductor(pilot).everywhere.job is None
        await answered(pilot)
        await pilot.press("m")
        await until(pilot, lambda: conductor(pilot).everywhere.result is not None)
        await pilot.pause()
        assert "383 positions" in panel(pilot, "map") and "right only here" in panel(pilot, "map")
        await pilot.press("m")
        rows = panel(pilot, "list").splitlines()
        await pilot.press("down", "enter")
        await answered(pilot)
        assert conductor(pilot).setup.position == rows[2].split()[0] and stage(pilot).view == TABLE
        compared = conductor(pilot).compared
        assert [compared.right(column) for column in compared.columns] == [True, False]


@pytest.mark.slow
async def test_a_preset_starts_and_its_moves_are_entered_at_once(make_app: Any) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: "New comparison" in screen_text(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen_stack[0].conductor.setup is not None)
        assert "walk" in screen_text(app).splitlines()[-1]
        await pilot.press("c", "t", "enter")
        assert len(conductor(pilot).path) == 1
