"""The Compare screen: agents beside each other, move by move; the curves, the depths, all positions."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimtui.ui.app.terminal import TerminalInfo
from nimtui.ui.compare.form import CompareDraft
from nimtui.ui.kit.terminal.glyphs import ASCII
from nimtui.ui.kit.widgets.canvas import framed
from nimtui.ui.play.compare_setup import TABLE, CompareSetup, beside
from nimtui.ui.search.setup import SearchSetup
from tests.ui.comparing import LEARNERS, PART, answered, comparing, conductor, panel, stage
from tests.ui.conftest import SIZES, screen_text
from tests.ui.playing import playing, until
from tests.ui.searching import searching


def inside(pilot: Any, name: str) -> list[str]:
    """The lines of a panel, without the title in its frame."""
    lines = panel(pilot, name).splitlines()
    return lines[framed(pilot.app.screen.query_one(f"#{name}")) :]


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_agents_stand_beside_each_other_at_every_size(make_app: Any, size: tuple[int, int]) -> None:
    async with comparing(make_app, size=size) as pilot:
        table = inside(pilot, "main")
        assert "1 mcts" in table[0] and "2 alphabeta" in table[0] and "truth" in table[0]
        assert [line.split()[0].strip("▸◐") for line in table[1:5]] == ["1", "2", "3", "4"] or len(table) == 5
        assert "wins in 13" in table[2] and "✓" in table[2] and "✗" in table[1]
        assert all(len(line) <= size[0] for line in screen_text(pilot.app).splitlines())
        said = panel(pilot, "answers")
        assert "1 plays 2  ✓ right" in said and "2 plays 1  ✗ mistake: draws" in said
        assert "Only 2 wins." in said and "They disagree: 1 plays 2, 2 plays 1." in said


@pytest.mark.slow
async def test_four_agents_stand_side_by_side_where_there_is_room(make_app: Any) -> None:
    setup = CompareSetup("connect4:4x4", "122", ("mcts:simulations=500,c=1.0", "mc", "perfect", "random"))
    async with comparing(make_app, setup, size=(200, 60)) as pilot:
        head = inside(pilot, "main")[0]
        assert all(f"{at} {name}" in head for at, name in enumerate(("mcts:", "mc", "perfect", "random"), 1))


@pytest.mark.slow
async def test_disagreement_has_a_sign_without_colour_and_in_ascii(make_app: Any) -> None:
    async with comparing(make_app, surroundings=TerminalInfo(unicode=False)) as pilot:
        assert pilot.app.glyphs is ASCII
        text = screen_text(pilot.app)
        assert text.isascii()
        table = inside(pilot, "main")
        assert "%" in table[1][:4] and "%" in table[2][:4] and "%" not in table[3][:4]
        assert " x " in table[1] and " + " in table[2][4:]
        for key in "cdst":
            await pilot.press(key)
            assert screen_text(pilot.app).isascii(), screen_text(pilot.app)


@pytest.mark.slow
async def test_a_lost_position_is_walked_move_by_move_and_back(make_app: Any) -> None:
    setup = CompareSetup("connect4:4x4", "1222", ("mcts:simulations=2000,c=1.0", "alphabeta:depth=8"))
    async with comparing(make_app, setup) as pilot:
        assert "Every move loses: no mistake is possible." in panel(pilot, "answers")
        before = panel(pilot, "main")
        plies = 0
        while not conductor(pilot).over:
            await pilot.press("enter")
            await answered(pilot)
            plies += 1
            assert len(conductor(pilot).path) == plies
        assert "The game is over" in panel(pilot, "main") and panel(pilot, "answers") == ""
        await pilot.press("enter")  # nothing to walk into
        assert len(conductor(pilot).path) == plies
        for _ in range(plies):
            await pilot.press("backspace")
        assert panel(pilot, "main") == before and not conductor(pilot).working  # answers stay for the way back


@pytest.mark.slow
async def test_agents_think_aloud_pause_and_stop(make_app: Any) -> None:
    setup = CompareSetup("connect4", None, ("mcts:simulations=5000000,c=1.0", "alphabeta:depth=30"))
    async with comparing(make_app, setup, whole=False) as pilot:
        await until(pilot, lambda: "would play" in panel(pilot, "answers"), 60)
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
async def test_curves_show_when_an_agent_becomes_right(make_app: Any) -> None:
    async with comparing(make_app) as pilot:
        await pilot.press("c")
        await answered(pilot)
        shown = panel(pilot, "main")
        since = next(curve for curve in conductor(pilot).curves).right_from(frozenset({1}))
        assert f"Plays 2 from {since:,} simulations on." in shown and "nodes, the last step: a mistake." in shown
        strip = shown.splitlines()[2]
        steps = conductor(pilot).curves[0].steps
        assert strip.count("✓") == sum(step.move == 1 for step in steps) and strip.count("✗") > 0
        await pilot.press("right")
        assert "depth" in panel(pilot, "main")  # the steps of alpha-beta


@pytest.mark.slow
async def test_curves_of_a_comparison_before_do_not_disturb_those_of_the_next(make_app: Any) -> None:
    setup = CompareSetup("nim:3,2,1", None, ("mcts:simulations=200", "random"))
    async with comparing(make_app, setup) as pilot:
        compared = conductor(pilot)
        for _ in range(3):  # the jobs of each round end, cancelled, while those of the next run
            compared.start(setup)
            compared.find_curves()
        await answered(pilot)
        first, second = compared.curves
        assert first.steps and second.why_none


@pytest.mark.slow
async def test_a_large_screen_shows_the_curves_below_the_table(make_app: Any) -> None:
    async with comparing(make_app, size=(200, 60)) as pilot:
        await until(pilot, lambda: [curve is not None for curve in conductor(pilot).curves] == [True, True])
        await until(pilot, lambda: "simulations on" in panel(pilot, "effort"))
        assert "truth" in panel(pilot, "main")


@pytest.mark.slow
async def test_without_room_for_the_curves_none_is_computed_unasked(make_app: Any) -> None:
    async with comparing(make_app) as pilot:
        await answered(pilot)
        assert not conductor(pilot).curves


@pytest.mark.slow
async def test_nodes_are_compared_depth_by_depth(make_app: Any) -> None:
    search = SearchSetup("nim:1,2,3,4", None, "alphabeta:depth=4,heuristic=original")
    async with searching(make_app, search) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: pilot.app.current_mode == "compare")
        await answered(pilot)
        assert conductor(pilot).setup.agents[0] == "alphabeta:depth=4,heuristic=original"
        await pilot.press("d")
        await until(pilot, lambda: "fewer nodes" in panel(pilot, "main"))
        text = panel(pilot, "main")
        assert "2,978" in text and "669" in text and "4.5 ×" in text
        below = " ".join(text[text.index("kept tree") :].split())
        assert "74.5 kB 4 256 bytes" in below and "16.7 kB 4 256 bytes" in below
        assert "96 1.25 MB" in below and "branching" in text
        bars = [line.count("█") for line in text[: text.index("kept tree")].splitlines()]
        assert max(bars) > 3.5 * sorted(bars)[-3] > 0  # 2,978 nodes beside 669
        why = " ".join(text[text.index("Best-first:") :].split())
        assert "shallower searches take 404 of 1,383 nodes (29.2 %)" in why
        assert "The last one takes 979, alpha-beta 669: the order found prunes less" in why


@pytest.mark.slow
async def test_on_a_wide_screen_the_memory_stands_beside_each_search(make_app: Any) -> None:
    setup = CompareSetup("nim:1,2,3,4", None, ("alphabeta:depth=4,heuristic=original",), view="depths")
    async with comparing(make_app, setup, size=(200, 60)) as pilot:
        await until(pilot, lambda: "fewer nodes" in panel(pilot, "main"))
        text = panel(pilot, "main")
        assert text.count("kept tree") == 1 and "…" not in text
        words = " ".join(text.split())
        assert "14.8 kB 3 192 bytes" in words and "74.5 kB 4 256 bytes" in words


@pytest.mark.slow
async def test_play_compares_the_opponent_on_its_position(make_app: Any) -> None:
    async with playing(make_app, "nim:1,2,3,4", "me", "mc") as pilot:
        await pilot.press("B")
        await until(pilot, lambda: pilot.app.current_mode == "compare")
        assert conductor(pilot).setup.agents[0] == "mc" and conductor(pilot).setup.game == "nim:1,2,3,4"
        await answered(pilot)


@pytest.mark.slow
async def test_learners_are_compared_on_all_positions_and_one_is_opened(make_app: Any) -> None:
    async with comparing(make_app, LEARNERS) as pilot:
        await pilot.press("m")
        await until(pilot, lambda: conductor(pilot).everywhere.result is not None)
        await pilot.pause()
        assert "383 positions" in panel(pilot, "map") and "right only here" in panel(pilot, "map")
        found = conductor(pilot).everywhere.result.compared
        assert f"both {found.counts[0]}  first only {found.counts[1]}" in panel(pilot, "answers")
        await pilot.press("m")
        rows = panel(pilot, "list").splitlines()
        assert "first only" in rows[1]
        await pilot.press("down", "enter")
        await answered(pilot)
        assert conductor(pilot).setup.position == rows[2].split()[0] and stage(pilot).view == TABLE
        first, second = conductor(pilot).compared.columns
        assert conductor(pilot).compared.right(first) is True
        assert conductor(pilot).compared.right(second) is False


@pytest.mark.slow
async def test_another_game_ends_the_work_on_all_positions(make_app: Any) -> None:
    async with comparing(make_app) as pilot:  # a tree search on 134,289 positions takes minutes
        await pilot.press("m")
        await until(pilot, lambda: conductor(pilot).everywhere.job is not None)
        await pilot.press("t", "enter")
        assert conductor(pilot).everywhere.job is not None  # it is of the game, not of the position
        pilot.app.screen.start(LEARNERS)
        assert conductor(pilot).everywhere.job is None
        await answered(pilot)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
async def test_two_trees_are_walked_by_the_same_moves(make_app: Any, size: tuple[int, int]) -> None:
    async with comparing(make_app, size=size) as pilot:
        await pilot.press("s")
        await answered(pilot)
        rows = inside(pilot, "main")
        assert "visits" in rows[1] and "nodes" in rows[1] and all(len(row) <= size[0] for row in rows)
        assert "Tree 1 prefers 2, tree 2 1." in panel(pilot, "answers")
        assert rows[2].startswith(" ◐") and rows[3].startswith("▸◐")
        await pilot.press("down", "enter")
        await pilot.pause()
        unfolded = inside(pilot, "main")
        assert len(unfolded) > len(rows) and "▾ 3" in unfolded[4]
        assert any(row[1:2] == "+" for row in unfolded)  # moves that alpha-beta pruned
        await pilot.press("left")
        assert len(inside(pilot, "main")) == len(rows)
        await pilot.press("n")
        assert inside(pilot, "main")[3].startswith("▸◐")


@pytest.mark.slow
async def test_an_agent_without_a_tree_says_so(make_app: Any) -> None:
    async with comparing(make_app, LEARNERS) as pilot:
        await pilot.press("s")
        assert "Only minimax, alpha-beta and mcts have trees" in panel(pilot, "main")


@pytest.mark.slow
async def test_a_game_without_a_graph_has_no_map_and_says_why(make_app: Any) -> None:
    async with comparing(make_app, beside("connect4", None, "mc:playouts=10")) as pilot:
        await pilot.press("m")
        await answered(pilot)
        assert "too large" in panel(pilot, "main")


@pytest.mark.slow
async def test_an_agent_is_changed_from_its_name(make_app: Any) -> None:
    async with comparing(make_app) as pilot:
        await pilot.press("right", "up", "enter")
        await until(pilot, lambda: bool(pilot.app.screen.query("#agent2")))
        pilot.app.screen.query_one("#agent2").put("perfect")
        await pilot.app.screen.typed("agent2", "perfect")
        await pilot.press("enter")
        await until(pilot, lambda: conductor(pilot).setup.agents[1] == "perfect")
        await answered(pilot)
        assert "All play 2." in panel(pilot, "answers")


@pytest.mark.slow
async def test_views_are_exported_and_copied(make_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with comparing(make_app) as pilot:
        for view, suffixes in (("t", (".csv", ".json")), ("c", (".svg", ".csv")), ("d", (".csv",))):
            await pilot.press(view)
            await answered(pilot)
            for suffix in suffixes:
                file = tmp_path / f"{view}{suffix}"
                await pilot.press("e")
                pilot.app.screen.query_one("#file").input.value = str(file)
                await pilot.press("enter")
                await until(pilot, file.exists)
                await until(pilot, lambda file=file: str(file) in conductor(pilot).message)
        assert json.loads((tmp_path / "t.json").read_text())["agents"][1]["right"] is False
        assert (tmp_path / "c.svg").read_text("utf-8").startswith("<svg ")
        assert (tmp_path / "d.csv").read_text().startswith("algorithm,depth,nodes")
        copied: list[str] = []
        monkeypatch.setattr(pilot.app, "copy_to_clipboard", copied.append)
        await pilot.press("t", "ctrl+y", "down", "enter")
        assert "2 alphabeta:depth=8" in copied[0] and "wins in 13" in copied[0]


@pytest.mark.slow
async def test_a_preset_starts_and_its_moves_can_be_entered_at_once(make_app: Any) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: "New comparison" in screen_text(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen_stack[0].conductor.setup is not None)
        await answered(pilot)
        assert "walk" in screen_text(app).splitlines()[-1]
        await pilot.press("c", "t", "enter")
        await answered(pilot)
        assert len(conductor(pilot).path) == 1


@pytest.mark.slow
async def test_nonsense_leaves_the_comparison_as_it_was(make_app: Any) -> None:
    async with comparing(make_app) as pilot:
        pilot.app.screen.start(CompareSetup("connect4:4x4", None, ("nobody",)))
        await pilot.pause()
        assert conductor(pilot).setup.agents == PART.agents
        pilot.app.screen.start(CompareSetup("nim:1,2", "0,0", ("mc",)))
        await pilot.pause()
        assert conductor(pilot).setup.game == PART.game


@pytest.mark.slow
async def test_a_storm_of_keys_does_no_harm(make_app: Any) -> None:
    async with comparing(make_app, LEARNERS, size=(60, 20)) as pilot:
        storm = (
            "enter down c right space d s down right n m down m backspace t enter up up left enter escape escape k j"
        )
        for _ in range(2):
            await pilot.press(*storm.split())
        await pilot.press("escape", "escape")
        if pilot.app.current_mode == "compare" and len(pilot.app.screen_stack) == 1:
            await pilot.press("t")
            assert conductor(pilot).setup is not None


async def test_the_second_agent_is_a_search_of_another_kind() -> None:
    assert beside("nim:1,2", None, "mcts:simulations=9").agents == ("mcts:simulations=9", "alphabeta:depth=8")
    assert beside("nim:1,2", "1,1", "hard").agents == ("hard", "mcts:simulations=10000,c=1.0")
    assert beside("nim:1,2", None, "me").agents == ("mcts:simulations=10000,c=1.0", "alphabeta:depth=8")


def test_a_late_position_of_a_large_game_is_compared_with_the_agents_that_only_solve_what_follows() -> None:
    setup = CompareSetup("noughts:4x4x4", "xoxo/oxox/xo../....", ("perfect", "random"))
    assert setup.validate().agents == ("perfect", "random")
    late, start = CompareDraft.of(setup), CompareDraft.of(replace(setup, position=None))
    assert late.finding("agent1").right and not start.finding("agent1").right
    offers = [{offer.value for offer in draft.offers("agent2")} for draft in (late, start)]
    assert offers[0] - offers[1] == {"perfect:lost=longest", "value"}
